"""Headings by size, weight, numbering and outline, their levels, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.document import Document
from workbench.documents.formats.pdf.structure.numbering import numbering

from ..pdf_files import BOLD, CHINESE, ITALIC, REGULAR, PdfFile, block_with, prose, read, texts_of, width_of

Line = tuple[str, float, str]


def with_headings(path: Path, *headings: Line) -> Document:
    """Write a document of the given lines (text, size, font), each above a paragraph."""
    pdf = PdfFile(path)
    y = 80.0
    for rank, (text, size, font) in enumerate(headings):
        if y > 600:
            pdf.next_page()
            y = 80.0
        pdf.text(72, y, text, size=size, font=font)
        y = pdf.paragraph(72, y + 1.8 * size, prose(4, rank)) + 18
    return read(pdf.save())


def levels(document: Document) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in document.blocks if block.kind is BlockKind.HEADING]


@pytest.mark.parametrize("line", [("Terms of the notes", 16, REGULAR), ("Terms of the notes", 10, BOLD)])
def test_a_larger_or_bolder_line_apart_from_the_text_is_a_heading(tmp_path: Path, line: Line) -> None:
    document = with_headings(tmp_path / "a.pdf", line)
    assert texts_of(document, BlockKind.HEADING) == ["Terms of the notes"]
    assert document.blocks[1].section == (0,)


def test_smaller_styles_stand_deeper(tmp_path: Path) -> None:
    document = with_headings(
        tmp_path / "a.pdf",
        ("Report of the fund", 24, BOLD),
        ("Business", 16, BOLD),
        ("Products", 12, BOLD),
        ("Services", 12, BOLD),
        ("Risks of the business", 16, BOLD),
        ("Interest", 12, BOLD),
    )
    found = levels(document)
    assert [text for _, text in found] == [
        "Report of the fund",
        "Business",
        "Products",
        "Services",
        "Risks of the business",
        "Interest",
    ]
    by_text = {text: level for level, text in found}
    assert by_text["Report of the fund"] < by_text["Business"] < by_text["Products"]
    assert by_text["Business"] == by_text["Risks of the business"]
    assert by_text["Products"] == by_text["Services"] == by_text["Interest"]


def test_numbered_headings_of_one_style_nest_by_their_numbers(tmp_path: Path) -> None:
    titles = ["1. Terms", "1.1 Interest", "1.2 Default", "1.2.1 Notice", "2. Rights", "2.1 Votes"]
    document = with_headings(tmp_path / "a.pdf", *[(title, 12, BOLD) for title in titles])
    depth = [level for level, _ in levels(document)]
    assert [level - depth[0] for level in depth] == [0, 1, 1, 2, 0, 1]


def test_the_section_of_a_block_is_the_path_of_headings_above_it(tmp_path: Path) -> None:
    titles = ["1. Terms", "1.1 Interest", "2. Rights"]
    document = with_headings(tmp_path / "a.pdf", *[(title, 12, BOLD) for title in titles])
    paths = [[document.block(above).text for above in block.section] for block in document.blocks]
    assert paths == [[], ["1. Terms"], ["1. Terms"], ["1. Terms", "1.1 Interest"], [], ["2. Rights"]]


def test_a_heading_of_two_lines_is_one(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.lines(72, 80, ["Terms under which the notes of", "the issuer are paid back"], size=16, font=BOLD, step=19)
    pdf.paragraph(72, y + 10, prose(6))
    assert texts_of(read(pdf.save()), BlockKind.HEADING) == ["Terms under which the notes of the issuer are paid back"]


def test_bold_words_within_a_paragraph_are_no_heading(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(4))
    pdf.text(72, y, "Interest is due in June", font=BOLD)
    pdf.paragraph(72, y + 12, "and in December of each year, as the terms of the notes say. " + prose(4))
    assert texts_of(read(pdf.save()), BlockKind.HEADING) == []


def test_a_bold_document_is_not_all_headings(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(20), font=BOLD)
    assert texts_of(read(pdf.save()), BlockKind.HEADING) == []


@pytest.mark.parametrize(
    "text",
    [
        "The issuer pays interest. It is due in June.",
        "1,234,567",
        "• a point of a list",
        "Table 3: Sales by region",
        "and the holders of the notes,",
    ],
)
def test_emphasised_lines_of_other_kinds_are_no_headings(tmp_path: Path, text: str) -> None:
    document = with_headings(tmp_path / "a.pdf", (text, 12, BOLD))
    assert texts_of(document, BlockKind.HEADING) == []


def test_quotations_in_italics_are_no_headings(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(5))
    y = pdf.paragraph(100, y + 10, prose(4, 2), width=400, font=ITALIC)
    pdf.paragraph(72, y + 10, prose(5, 1))
    assert texts_of(read(pdf.save()), BlockKind.HEADING) == []


def test_what_the_outline_lists_is_a_heading_though_it_ends_like_none(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 80.0
    for level, title in enumerate(["Terms of the notes:", "Interest on the notes:"]):
        pdf.canvas.bookmarkPage(title)
        pdf.canvas.addOutlineEntry(title.rstrip(":"), title, level)
        pdf.text(72, y, title, font=BOLD)
        y = pdf.paragraph(72, y + 24, prose(5, level)) + 24
    found = levels(read(pdf.save()))
    assert [text for _, text in found] == ["Terms of the notes:", "Interest on the notes:"]
    assert found[1][0] == found[0][0] + 1


def test_chinese_chapters_and_sections_are_headings_in_their_order(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = 80.0
    for title in ("第一章 公司概况", "一、经营情况", "（一）主要产品", "第二章 风险因素"):
        pdf.text(72, y, title, size=12, font=CHINESE)
        body = ["公司的收入在本年度增长了百分之三，主要来自海外市场的销售，利润也有所提高。"] * 2
        y = pdf.lines(72, y + 24, body, font=CHINESE, step=16) + 20
    found = levels(read(pdf.save()))
    assert [text for _, text in found] == ["第一章 公司概况", "一、经营情况", "（一）主要产品", "第二章 风险因素"]
    first, second, third, last = (level for level, _ in found)
    assert first == last < second < third


CHINESE_BODY = ["公司的收入在本年度增长了百分之三，主要来自海外市场的销售，利润也有所提高。"] * 2


def under_chinese_headings(path: Path, line: str, *, size: float = 10) -> list[str]:
    """Write a line between a heading and a paragraph, and return what is found to be a heading besides them."""
    pdf = PdfFile(path)
    y = 80.0
    for rank, title in enumerate(("2.1 交强险", "2.2 商业险", "2.3 条款")):
        pdf.text(72, y, title, size=14, font=CHINESE)
        y += 30
        if rank == 1:
            pdf.text(72, y, line, size=size, font=CHINESE)
            y += 30
        y = pdf.lines(72, y, CHINESE_BODY, font=CHINESE, step=16) + 20
    found = texts_of(read(pdf.save()), BlockKind.HEADING)
    assert [text for text in found if text != line] == ["2.1 交强险", "2.2 商业险", "2.3 条款"]
    return [text for text in found if text == line]


@pytest.mark.parametrize(
    "line",
    [
        "保单号 ZLS-2403-77121，保险期间同上。指定驾驶人一栏为空。",
        "保单号 ZLS-2403-77121，保险期间同上",
        "三者车为出租车；",
        "（一）被保险人为车辆所有人。",
        "3.1 免赔额为二百元。",
        "第三条 本合同自签字之日起生效。",
        "合同編號 HQ-2024，附件如下：",
        "经办人称“已经核对。”",
    ],
)
def test_a_chinese_line_that_ends_like_a_clause_is_no_heading(tmp_path: Path, line: str) -> None:
    assert under_chinese_headings(tmp_path / "a.pdf", line) == []


def test_a_short_chinese_slogan_in_large_type_is_a_heading_and_a_large_sentence_is_none(tmp_path: Path) -> None:
    assert under_chinese_headings(tmp_path / "a.pdf", "安全第一。", size=18) == ["安全第一。"]
    sentence = "被保险车辆左转时与非机动车相撞随后又碰撞前方停候的出租车双方各有损失并已报案。"
    assert under_chinese_headings(tmp_path / "b.pdf", sentence, size=12) == []


def test_a_sentence_in_capitals_is_no_heading_and_a_title_in_capitals_is_one(tmp_path: Path) -> None:
    document = with_headings(
        tmp_path / "a.pdf",
        ("NOTHING IN THIS AGREEMENT LIMITS THE RIGHTS THAT THE HOLDERS HAVE UNDER THE LAW.", 10, REGULAR),
        ("RISK FACTORS.", 10, REGULAR),
        ("TERMS OF THE NOTES", 10, REGULAR),
    )
    assert texts_of(document, BlockKind.HEADING) == ["RISK FACTORS.", "TERMS OF THE NOTES"]


def test_an_old_title_in_capitals_in_the_middle_is_a_heading_with_its_full_stop(tmp_path: Path) -> None:
    title = ["ON THE GASHES OF THE DURHAM COAST", "AND SOME RECENT SHAKES AT SUNDERLAND."]
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, line in enumerate(title):
        pdf.text((612 - width_of(line)) / 2, 80 + 12 * rank, line)
    pdf.paragraph(72, 120, prose(8))
    assert texts_of(read(pdf.save()), BlockKind.HEADING) == [" ".join(title)]


def test_levels_are_from_one_to_six_and_other_blocks_have_none(tmp_path: Path) -> None:
    titles = [".".join(["1"] * depth) + " Terms of it" for depth in range(1, 6)]
    document = with_headings(
        tmp_path / "a.pdf", *[(title, 30 - 3 * rank, BOLD) for rank, title in enumerate(["Report", *titles])]
    )
    for block in document.blocks:
        assert (1 <= block.level <= 6) if block.kind is BlockKind.HEADING else block.level == 0
    assert block_with(document, "1.1.1.1.1 Terms").kind is BlockKind.HEADING


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Part II", "Item 7. Discussion"),
        ("Chapter 3 Terms", "3.1 Interest"),
        ("第一章 总则", "第一节 概况"),
        ("第一节 概况", "一、收入"),
        ("一、收入", "（一）产品"),
    ],
)
def test_numberings_have_ranks(higher: str, lower: str) -> None:
    first, second = numbering(higher), numbering(lower)
    assert first is not None
    assert second is not None
    assert (first.rank, first.depth) < (second.rank, second.depth)


@pytest.mark.parametrize("text", ["Interest is due", "2023 was a good year", "", "the end of 3.1"])
def test_plain_text_has_no_numbering(text: str) -> None:
    assert numbering(text) is None
