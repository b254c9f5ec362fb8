"""Running lines: what repeats from page to page or counts the pages, and never what stands on one page only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.document import Document

from ..pdf_files import BOLD, CHINESE, ITALIC, REGULAR, PdfFile, prose, read, texts_of, width_of, wrapped


def pages(path: Path, count: int, draw: Callable[[PdfFile, int], None], *, body: int = 20) -> Document:
    """Make so many pages of prose and draw something more on each; pages count from 1."""
    pdf = PdfFile(path)
    for number in range(1, count + 1):
        pdf.paragraph(72, 90, prose(body, number))
        draw(pdf, number)
        pdf.next_page()
    return read(pdf.save())


def headers(document: Document) -> list[str]:
    return texts_of(document, BlockKind.HEADER)


def footers(document: Document) -> list[str]:
    return texts_of(document, BlockKind.FOOTER)


def test_lines_that_repeat_at_the_top_are_headers_and_at_the_bottom_footers(tmp_path: Path) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        del number
        pdf.text(72, 40, "Annual report of the fund")
        pdf.text(72, 760, "For the holders of the notes")

    document = pages(tmp_path / "a.pdf", 5, draw)
    assert headers(document) == ["Annual report of the fund"] * 5
    assert footers(document) == ["For the holders of the notes"] * 5


def test_a_header_of_two_lines_is_one_on_each_page(tmp_path: Path) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        pdf.text(72, 30, "Annual report of the fund")
        pdf.text(72, 42, f"as of June {2000 + number}")

    found = " ".join(headers(pages(tmp_path / "a.pdf", 5, draw)))
    assert found.count("Annual report of the fund") == 5
    assert "as of June 2003" in found


@pytest.mark.parametrize(
    "form", ["{}", "- {} -", "Page {}", "Page {} of 6", "{} / 6", "F-{}", "第{}页"], ids=lambda form: form.strip()
)
def test_page_numbers_are_footers_in_whatever_form(tmp_path: Path, form: str) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        pdf.text(300, 760, form.format(number), font=CHINESE if "第" in form else REGULAR)

    document = pages(tmp_path / "a.pdf", 6, draw)
    assert [text.replace(" ", "") for text in footers(document)] == [
        form.format(number).replace(" ", "") for number in range(1, 7)
    ]


def test_roman_page_numbers_are_footers(tmp_path: Path) -> None:
    numerals = ["i", "ii", "iii", "iv", "v", "vi"]
    document = pages(tmp_path / "a.pdf", 6, lambda pdf, number: pdf.text(300, 760, numerals[number - 1]))
    assert footers(document) == numerals


def test_a_page_number_below_a_short_page_is_found_where_it_stands(tmp_path: Path) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        pdf.text(300, 760 if number != 3 else 200, str(number))

    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(1, 7):
        pdf.paragraph(72, 90, prose(20 if number != 3 else 3, number))
        draw(pdf, number)
        pdf.next_page()
    assert footers(read(pdf.save())) == ["1", "2", "3", "4", "5", "6"]


def test_running_titles_that_change_with_the_chapter_are_headers(tmp_path: Path) -> None:
    document = pages(
        tmp_path / "a.pdf", 8, lambda pdf, number: pdf.text(72, 40, "Terms" if number <= 4 else "Rights of holders")
    )
    assert headers(document) == ["Terms"] * 4 + ["Rights of holders"] * 4


def test_titles_on_the_left_and_right_pages_take_turns(tmp_path: Path) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        pdf.text(72 if number % 2 else 400, 40, "The fund" if number % 2 else "Its annual report")

    assert headers(pages(tmp_path / "a.pdf", 8, draw)) == ["The fund", "Its annual report"] * 4


def test_a_stamp_in_the_margin_is_a_header(tmp_path: Path) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        del number
        pdf.canvas.saveState()
        pdf.canvas.translate(30, 300)
        pdf.canvas.rotate(90)
        pdf.canvas.drawString(0, 0, "Archive copy of the trustee")
        pdf.canvas.restoreState()

    assert headers(pages(tmp_path / "a.pdf", 4, draw)) == ["Archive copy of the trustee"] * 4


@pytest.mark.parametrize("size", [12, 30])
def test_what_repeats_in_the_middle_of_the_text_is_body(tmp_path: Path, size: float) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        pdf.text(72, 400, "Terms of this class of notes", size=size, font=BOLD)
        pdf.paragraph(72, 430, prose(20, number + 3))

    document = pages(tmp_path / "a.pdf", 6, draw)
    assert (headers(document), footers(document)) == ([], [])
    assert texts_of(document, BlockKind.HEADING) == ["Terms of this class of notes"] * 6


def test_the_heads_of_a_long_table_are_not_taken_for_running_lines(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for page in range(5):
        pdf.row((72, 300, 400), 60, ["Class of assets", "Opening value", "Closing value"])
        for rank in range(40):
            pdf.row((72, 300, 400), 76 + 16 * rank, [f"Class {page}-{rank}", f"{rank},100", f"{rank},150"])
        pdf.next_page()
    document = read(pdf.save())
    assert (headers(document), footers(document)) == ([], [])
    assert len(texts_of(document, BlockKind.TABLE_ROW)) == 5 * 41


PARTS = [f"MX-{size}" for size in (65, 80, 100, 125, 150)]


@pytest.mark.parametrize(
    ("heading", "caption"),
    [
        ("13.{} Parts of {part}", "Table {}: Spare parts of {part}"),
        ("{}. Parts of {part}", "Figure {}. Section of {part}"),
        ("Chapter {}", "Table {}"),
        ("Schedule {} to the agreement", "Table 3-{} Prices"),
        ("Article {roman}", "Exhibit {}: Letter of June"),
        ("第{}章 {part}部件", "表 {} 备件清单"),
        ("3.{} {part} 备件", "图{} 剖面"),
    ],
)
def test_headings_and_captions_that_begin_page_after_page_are_body(tmp_path: Path, heading: str, caption: str) -> None:
    def filled(form: str, number: int) -> str:
        return form.format(number, part=PARTS[number - 1], roman=["I", "II", "III", "IV", "V"][number - 1])

    def draw(pdf: PdfFile, number: int) -> None:
        pdf.text(72, 30, "Manual of the pumps")
        pdf.text(72, 50, filled(heading, number), size=14, font=CHINESE if "备" in caption or "图" in caption else BOLD)
        pdf.text(72, 68, filled(caption, number), font=CHINESE if "备" in caption or "图" in caption else REGULAR)
        pdf.text(300, 760, f"Page {number} of 5")

    document = pages(tmp_path / "a.pdf", 5, draw)
    assert headers(document) == ["Manual of the pumps"] * 5
    assert footers(document) == [f"Page {number} of 5" for number in range(1, 6)]
    body = [block.text for block in document.blocks]
    for number in range(1, 6):
        assert filled(heading, number) in body
        assert filled(caption, number) in body


@pytest.mark.parametrize(
    "form", ["13.{} Terms of {part}", "Chapter {}", "Section {}: Terms", "Exhibit 10.{}", "Table {}", "第{}章 条款"]
)
def test_a_numbered_head_that_stays_for_some_pages_is_a_running_line(tmp_path: Path, form: str) -> None:
    def head(number: int) -> str:
        return form.format((number + 2) // 3, part=PARTS[(number - 1) // 3])

    document = pages(
        tmp_path / "a.pdf",
        8,
        lambda pdf, number: pdf.text(72, 40, head(number), font=CHINESE if "第" in form else REGULAR),
    )
    assert headers(document) == [head(number) for number in range(1, 9)]


@pytest.mark.parametrize(
    "form", ["Chapter 1: Terms {}", "{} Terms of the notes", "Section 2.1 | {}", "Table of fees {}"]
)
def test_a_page_number_in_a_running_line_is_found_though_it_rises(tmp_path: Path, form: str) -> None:
    document = pages(tmp_path / "a.pdf", 6, lambda pdf, number: pdf.text(72, 760, form.format(number + 4)))
    assert footers(document) == [form.format(number + 4) for number in range(1, 7)]


def test_running_lines_have_no_section_and_head_nothing(tmp_path: Path) -> None:
    def draw(pdf: PdfFile, number: int) -> None:
        pdf.text(72, 40, "ANNUAL REPORT", size=16, font=BOLD)
        if number == 1:
            pdf.text(72, 70, "Terms of the notes", size=14, font=BOLD)

    document = pages(tmp_path / "a.pdf", 4, draw)
    titles = {document.block(section).text for block in document.blocks for section in block.section}
    assert titles == {"Terms of the notes"}
    assert all(block.section == () for block in document.blocks if block.kind is BlockKind.HEADER)


@pytest.mark.parametrize("count", [1, 2])
def test_few_pages_without_repetition_lose_nothing(tmp_path: Path, count: int) -> None:
    document = pages(
        tmp_path / "a.pdf", count, lambda pdf, number: pdf.text(72, 30, f"Letter {'AB'[number - 1]} to the holders")
    )
    assert (headers(document), footers(document)) == ([], [])


@pytest.mark.parametrize("degrees", [30, 45, 60])
@pytest.mark.parametrize("drawn_first", [False, True])
def test_a_watermark_across_the_text_parts_no_sentence(tmp_path: Path, degrees: int, drawn_first: bool) -> None:
    def watermark(pdf: PdfFile) -> None:
        pdf.canvas.saveState()
        pdf.canvas.translate(200, 500)
        pdf.canvas.rotate(degrees)
        pdf.canvas.setFont(BOLD, 60)
        pdf.canvas.drawString(0, 0, "DRAFT")
        pdf.canvas.restoreState()

    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(4):
        if drawn_first:
            watermark(pdf)
        pdf.paragraph(72, 90, prose(60, number))
        if not drawn_first:
            watermark(pdf)
        pdf.next_page()
    document = read(pdf.save(), max_block_chars=10_000)
    assert [block.text for block in document.blocks if "DRAFT" in block.text] == ["DRAFT"] * 4
    assert [block.text for block in document.blocks if "DRAFT" not in block.text] == [
        prose(60, number) for number in range(4)
    ]


def test_a_watermark_that_begins_behind_the_last_line_is_no_part_of_it(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    last = "The committee closed its meeting."
    for number in range(3):
        y = pdf.paragraph(72, 90, prose(20, number))
        pdf.text(72, y, last)
        pdf.canvas.saveState()
        pdf.canvas.translate(72 + width_of(last) + 50, 792 - y - 20)
        pdf.canvas.rotate(45)
        pdf.canvas.setFont(BOLD, 60)
        pdf.canvas.drawString(0, 0, "DRAFT")
        pdf.canvas.restoreState()
        pdf.next_page()
    document = read(pdf.save(), max_block_chars=10_000)
    assert [block.text for block in document.blocks if "DRAFT" in block.text] == ["DRAFT"] * 3
    for number in range(3):
        body = [block.text for block in document.blocks if block.page == number + 1 and "DRAFT" not in block.text]
        assert " ".join(body) == f"{prose(20, number)} {last}"


HAN_TEXT = "试样在恒温槽中循环两百万次后取出静置并重新标定零点漂移以及满量程输出的变化均记录在案供复核时使用"


def body_lines(font: str, number: int, count: int = 8) -> list[str]:
    """Return full lines of running text that differ from page to page."""
    if font == CHINESE:
        return [(HAN_TEXT[at:] + HAN_TEXT)[:46] for at in range(5 * number, 5 * number + count)]
    return wrapped(prose(20, 3 * number), 468)[:count]


ALIKE = {
    REGULAR: ("Sample {} was held in a ring of brass all the time.", "remained within 0.0{} per cent of the span."),
    CHINESE: ("试样 {} 的偏差，包括迟滞在内，", "不超过量程的 0.0{} %。"),
}


@pytest.mark.parametrize(
    ("font", "before"), [(REGULAR, ""), (CHINESE, ""), (REGULAR, "This is all."), (CHINESE, "试验到此结束。")]
)
@pytest.mark.parametrize("footer", ["", "Application BX 2023 A"])
def test_the_last_lines_of_paragraphs_that_end_alike_are_body(
    tmp_path: Path, font: str, before: str, footer: str
) -> None:
    _, last = ALIKE[font]
    alike = (3, 4, 6)
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(1, 8):
        y = pdf.lines(72, 90, body_lines(font, number, 50 if number in alike else 47), font=font)
        if number in alike:
            y = pdf.lines(72, y, [before] if before else [], font=font)
            pdf.text(72, y, last.format(number), font=font)
        pdf.text(72, 760, footer, size=8)
        pdf.next_page()
    document = read(pdf.save())
    assert (headers(document), footers(document)) == ([], [footer] * 7 if footer else [])
    for number in alike:
        assert any(last.format(number) in text for text in texts_of(document, BlockKind.PARAGRAPH))


@pytest.mark.parametrize("font", [REGULAR, CHINESE])
@pytest.mark.parametrize("inset", [0, 20])
def test_the_first_lines_of_paragraphs_that_begin_alike_are_body(tmp_path: Path, font: str, inset: float) -> None:
    first, _ = ALIKE[font]
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(1, 7):
        pdf.text(72, 30, "Application BX 2023 A", size=8)
        sentence = first.format(90 - 7 * number) + (HAN_TEXT[:28] if font == CHINESE else " " + prose(1, number))
        pdf.text(72 + inset, 60, sentence, font=font)
        pdf.lines(72, 72, body_lines(font, number, 9 + number), font=font)
        pdf.next_page()
    document = read(pdf.save())
    assert (headers(document), footers(document)) == (["Application BX 2023 A"] * 6, [])
    text = " ".join(texts_of(document, BlockKind.PARAGRAPH))
    assert all(first.format(90 - 7 * number) in text for number in range(1, 7))


def test_the_last_line_of_a_paragraph_that_ends_with_the_number_of_its_page_is_body(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(1, 7):
        pdf.text(72, pdf.lines(72, 90, body_lines(REGULAR, number)), f"is owed by the tenant of Unit {number + 4}")
        pdf.next_page()
    document = read(pdf.save())
    assert (headers(document), footers(document)) == ([], [])


@pytest.mark.parametrize(
    ("size", "font", "gap", "left"),
    [(8, REGULAR, 12, 72), (10, ITALIC, 12, 72), (10, REGULAR, 24, 72), (10, REGULAR, 12, 200)],
    ids=["smaller", "in another style", "apart", "inset"],
)
def test_a_running_line_right_below_the_text_looks_otherwise_or_stands_apart(
    tmp_path: Path, size: float, font: str, gap: float, left: float
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(1, 7):
        y = pdf.lines(72, 90, body_lines(REGULAR, number)) - 12 + gap
        pdf.text(left, y, "Lease of the estate of Pentreath Quay", size=size, font=font)
        pdf.next_page()
    assert footers(read(pdf.save())) == ["Lease of the estate of Pentreath Quay"] * 6


@pytest.mark.parametrize("numbers", [range(1, 7), (3, 1, 9, 4, 7, 5)], ids=["in order", "in any order"])
def test_a_page_number_right_below_the_text_is_a_footer(tmp_path: Path, numbers: Sequence[int]) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in numbers:
        pdf.text(72, pdf.lines(72, 90, body_lines(REGULAR, number)), f"Page {number} of 9")
        pdf.next_page()
    assert footers(read(pdf.save())) == [f"Page {number} of 9" for number in numbers]


def test_a_running_line_is_one_also_where_it_happens_to_stand_close_to_the_text(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for number in range(1, 7):
        pdf.lines(72, 90, body_lines(REGULAR, number, 10 if number == 3 else 8))
        pdf.text(72, 210, "Lease of the estate of Pentreath Quay")
        pdf.next_page()
    assert footers(read(pdf.save())) == ["Lease of the estate of Pentreath Quay"] * 6
