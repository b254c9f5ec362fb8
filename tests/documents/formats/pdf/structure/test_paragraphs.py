"""Paragraphs, list items, captions, footnotes, references and code, put together from lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind

from ..pdf_files import (
    BOLD,
    CHINESE,
    MONO,
    REGULAR,
    SENTENCES,
    PdfFile,
    block_with,
    prose,
    read,
    shown,
    texts_of,
    wrapped,
)


def test_the_lines_of_a_paragraph_are_joined_by_spaces(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(4), width=200)
    assert shown(read(pdf.save())) == [("paragraph", prose(4))]


def test_room_between_lines_parts_paragraphs(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 100.0
    for first in range(4):
        y = pdf.paragraph(72, y, prose(4, first)) + 9
    assert texts_of(read(pdf.save()), BlockKind.PARAGRAPH) == [prose(4, first) for first in range(4)]


def test_an_indented_first_line_begins_a_paragraph(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 100.0
    for first in range(3):
        head, *rest = wrapped(prose(6, first), 440)
        pdf.text(90, y, head)
        y = pdf.lines(72, y + 12, rest)
    assert texts_of(read(pdf.save()), BlockKind.PARAGRAPH) == [prose(6, first) for first in range(3)]


def test_a_long_paragraph_is_cut_at_sentence_ends(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(16))
    document = read(pdf.save(), max_block_chars=200)
    assert len(document.blocks) > 4
    assert all(len(block.text) <= 200 and block.text.endswith(".") for block in document.blocks)
    assert " ".join(document.texts) == prose(16)


def test_a_sentence_that_goes_on_in_the_next_column_is_one_block(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    left = wrapped(prose(10), 220)
    pdf.lines(72, 100, left)
    pdf.text(72, 100 + 12 * len(left), "After a long debate the committee agreed to")
    pdf.paragraph(320, 100, "publish the report in March. " + prose(9, 3), width=220)
    block = block_with(read(pdf.save(), max_block_chars=5_000), "the committee agreed to publish the report in March.")
    assert len({round(box.x0) for box in block.anchor.boxes}) == 2


def test_a_sentence_that_ends_on_its_page_is_not_joined_with_the_next_one(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(4))
    pdf.next_page()
    pdf.paragraph(72, 100, prose(4, 4))
    assert [block.anchor.pages for block in read(pdf.save()).blocks] == [(1,), (2,)]


def test_a_new_heading_ends_what_the_page_before_left_open(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 100, prose(4) + " This page ends with an open")
    pdf.next_page()
    pdf.text(72, 80, "Rights of the holders", size=16, font=BOLD)
    pdf.paragraph(72, 110, "sentence that is no part of the one before. " + prose(4))
    document = read(pdf.save())
    assert all(len(block.anchor.pages) == 1 for block in document.blocks)


@pytest.mark.parametrize("mark", ["\u2022", "-", "1.", "(a)", "iv."])
def test_marked_lines_are_list_items(tmp_path: Path, mark: str) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 80, "The terms are these:")
    items = [f"{mark} The issuer pays the notes back.", f"{mark} The trustee tells the holders."]
    pdf.lines(84, 100, items, step=16)
    assert texts_of(read(pdf.save()), BlockKind.LIST_ITEM) == items


def test_a_list_item_of_several_lines_is_one_item(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 100.0
    items = [prose(3, first) for first in range(3)]
    for item in items:
        pdf.text(72, y, "\u2022")
        y = pdf.paragraph(84, y, item, width=300)
    assert texts_of(read(pdf.save()), BlockKind.LIST_ITEM) == [f"\u2022 {item}" for item in items]


@pytest.mark.parametrize("text", ["Table 3: Sales by region", "Figure 2. The parts of the group", "图 1 公司结构"])
def test_a_line_that_names_a_table_or_figure_is_a_caption(tmp_path: Path, text: str) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(5))
    pdf.text(72, y + 20, text, size=9, font=REGULAR if text.isascii() else CHINESE)
    pdf.paragraph(72, y + 60, "The next paragraph shows the sales of each region. " + prose(5))
    assert texts_of(read(pdf.save()), BlockKind.CAPTION) == [text]


@pytest.mark.parametrize("begin", ["Table 3 shows the sales of each region.", "Figure 2 names the parts of the group."])
def test_a_paragraph_that_begins_with_the_name_of_a_table_is_no_caption(tmp_path: Path, begin: str) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(5))
    pdf.paragraph(72, y + 20, f"{begin} {prose(3)}")
    assert shown(read(pdf.save())) == [("paragraph", prose(5)), ("paragraph", f"{begin} {prose(3)}")]


def test_small_type_below_a_short_rule_at_the_foot_is_a_footnote(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(30))
    pdf.rule(72, 690, 200, 690)
    pdf.text(72, 702, "1 See the report of the trustee for the year before.", size=7.5)
    pdf.text(72, 714, "2 In thousands of euro, if nothing else is said.", size=7.5)
    assert texts_of(read(pdf.save()), BlockKind.FOOTNOTE) == [
        "1 See the report of the trustee for the year before.",
        "2 In thousands of euro, if nothing else is said.",
    ]


def test_a_footnote_does_not_part_the_sentence_that_goes_on_overleaf(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(20))
    pdf.text(72, 660, "After a long debate in its last meeting of the year the committee agreed that the")
    pdf.rule(72, 690, 200, 690)
    pdf.text(72, 702, "1 See the report of the trustee for the year before.", size=7.5)
    pdf.next_page()
    pdf.paragraph(72, 80, "annual report is published in March. " + prose(10))
    document = read(pdf.save())
    assert block_with(document, "agreed that the annual report is published").anchor.pages == (1, 2)
    assert block_with(document, "See the report").kind is BlockKind.FOOTNOTE


def test_entries_below_the_title_of_a_bibliography_are_references(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(8))
    pdf.text(72, y + 20, "References", size=14, font=BOLD)
    entries = ["[1] A. Smith. On the terms of loans.", "[2] B. Jones. A second work. 2001.", "[3] C. Brown. Notes."]
    pdf.lines(72, y + 45, entries)
    assert texts_of(read(pdf.save()), BlockKind.REFERENCE) == entries


def test_lines_of_one_width_are_code_and_stay_lines(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(8))
    y = pdf.lines(72, y + 10, ["total = 0", "for value in values:", "total += value"], font=MONO)
    pdf.paragraph(72, y + 10, prose(8, 2))
    assert texts_of(read(pdf.save()), BlockKind.CODE) == ["total = 0\nfor value in values:\ntotal += value"]


def test_a_typewritten_document_is_not_all_code(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(12), font=MONO)
    assert texts_of(read(pdf.save()), BlockKind.CODE) == []


def test_chinese_lines_are_joined_by_nothing(tmp_path: Path) -> None:
    text = "委员会在春季批准了贷款条件，并在三月公布了年度报告。" * 5
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.lines(72, 100, [text[at : at + 40] for at in range(0, len(text), 40)], font=CHINESE, step=16)
    assert "".join(read(pdf.save()).texts) == text


def test_blocks_follow_each_other_as_they_are_read(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 100.0
    for sentence in SENTENCES:
        pdf.text(72, y, sentence)
        y += 30
    assert [text for _, text in shown(read(pdf.save()))] == list(SENTENCES)
