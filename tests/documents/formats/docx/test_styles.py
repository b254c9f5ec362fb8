"""What a paragraph of a Word document is: by its style, in any language, and by its own properties."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.docx import FORMAT

from ..office_files import W, blocks, kinds, read, word_file
from .word_markup import paragraph


def styles_part(*styles: str) -> str:
    return f"<w:styles {W}>{''.join(styles)}</w:styles>"


def style(style_id: str, name: str, more: str = "") -> str:
    return f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>{more}</w:style>'


def styled(text: str, style_id: str) -> str:
    return paragraph(text, f'<w:pStyle w:val="{style_id}"/>')


def with_styles(path: Path, body: str, *styles: str) -> Path:
    return word_file(path, body, parts={"styles.xml": styles_part(*styles)}, links={"st": ("styles", "styles.xml")})


def test_a_chinese_document_keeps_its_text_and_kinds(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "合同.docx",
        styled("采购合同", "a3")
        + styled("第一章 总则", "1")
        + paragraph("甲方应于三十日内付款。乙方应当交货。")
        + styled("附表", "af"),
        style("a3", "标题"),
        style("1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
        style("af", "题注"),
    )
    assert blocks(read(FORMAT, path)) == [
        ("heading", 1, "采购合同"),
        ("heading", 1, "第一章 总则"),
        ("paragraph", 0, "甲方应于三十日内付款。乙方应当交货。"),
        ("caption", 0, "附表"),
    ]


@pytest.mark.parametrize("name", ["heading 3", "Heading 3", "标题 3", "Überschrift 3", "Titre 3", "見出し 3"])
def test_headings_are_known_by_name_in_many_languages(tmp_path: Path, name: str) -> None:
    path = with_styles(tmp_path / "a.docx", styled("Scope", "x"), style("x", name))
    assert blocks(read(FORMAT, path)) == [("heading", 3, "Scope")]


def test_a_custom_style_is_a_heading_by_its_outline_level_or_by_what_it_is_based_on(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "a.docx",
        styled("One", "clause") + styled("Two", "mine") + styled("Body after all", "off"),
        style("clause", "Clause", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
        style("mine", "Mine", '<w:basedOn w:val="h4"/>'),
        style("h4", "heading 4"),
        style("off", "Off", '<w:basedOn w:val="h4"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
    )
    assert blocks(read(FORMAT, path)) == [
        ("heading", 2, "One"),
        ("heading", 4, "Two"),
        ("paragraph", 0, "Body after all"),
    ]


def test_styles_based_on_each_other_do_not_hang(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "a.docx",
        styled("Text", "a"),
        style("a", "A", '<w:basedOn w:val="b"/>'),
        style("b", "B", '<w:basedOn w:val="a"/>'),
    )
    assert blocks(read(FORMAT, path)) == [("paragraph", 0, "Text")]


def test_a_long_numbered_clause_in_a_heading_style_is_a_paragraph(tmp_path: Path) -> None:
    clause = "The supplier shall deliver the goods on time. " * 8
    path = with_styles(tmp_path / "a.docx", styled(clause, "h"), style("h", "heading 2"))
    assert kinds(read(FORMAT, path)) == [BlockKind.PARAGRAPH]


def test_contents_code_and_references_are_told_by_style(tmp_path: Path) -> None:
    path = with_styles(
        tmp_path / "a.docx",
        styled("Contents", "th")
        + styled("1 Scope\t3", "t1")
        + styled("def f():", "c")
        + styled("    return 1", "c")
        + paragraph("Then.")
        + styled("g()", "c")
        + styled("Knuth 1997", "bib"),
        style("th", "TOC Heading", '<w:basedOn w:val="h"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
        style("h", "heading 1"),
        style("t1", "toc 1"),
        style("c", "Source Code"),
        style("bib", "Bibliography"),
    )
    assert blocks(read(FORMAT, path)) == [
        ("heading", 1, "Contents"),
        ("toc_entry", 0, "1 Scope\t3"),
        ("code", 0, "def f():\n    return 1"),
        ("paragraph", 0, "Then."),
        ("code", 0, "g()"),
        ("reference", 0, "Knuth 1997"),
    ]


def test_numbering_makes_list_items_and_zero_switches_it_off(tmp_path: Path) -> None:
    def numbered(text: str, level: int, number: int = 1) -> str:
        return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')

    path = word_file(tmp_path / "a.docx", numbered("One", 0) + numbered("Deep", 2) + numbered("Not", 0, 0))
    assert blocks(read(FORMAT, path)) == [("list_item", 1, "One"), ("list_item", 3, "Deep"), ("paragraph", 0, "Not")]
