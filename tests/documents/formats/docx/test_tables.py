"""Tables of a Word document: merged cells, header rows, tables in tables."""

from __future__ import annotations

from pathlib import Path

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.docx import FORMAT

from ..office_files import kinds, read, rows, word_file
from .word_markup import cell, paragraph


def test_merged_cells_are_read_once_and_advance_the_column(tmp_path: Path) -> None:
    body = f"""<w:tbl>
    <w:tr><w:trPr><w:tblHeader/></w:trPr>{cell("Region")}{cell("Sales", '<w:gridSpan w:val="2"/>')}{cell("Note")}</w:tr>
    <w:tr>{cell("North", '<w:vMerge w:val="restart"/>')}{cell("Q1")}{cell("7")}{cell("a")}</w:tr>
    <w:tr>{cell("", "<w:vMerge/>")}{cell("Q2")}{cell("8")}{cell("b")}</w:tr>
    <w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>{cell("Q3")}{cell("9")}{cell("c")}</w:tr></w:tbl>"""
    assert rows(read(FORMAT, word_file(tmp_path / "a.docx", body))) == [
        (True, {0: "Region", 1: "Sales", 3: "Note"}, "table 1 row 1"),
        (False, {0: "North", 1: "Q1", 2: "7", 3: "a"}, "table 1 row 2"),
        (False, {1: "Q2", 2: "8", 3: "b"}, "table 1 row 3"),
        (False, {1: "Q3", 2: "9", 3: "c"}, "table 1 row 4"),
    ]


def test_text_behind_a_merged_cell_is_excluded(tmp_path: Path) -> None:
    body = f"""<w:tbl><w:tr>{cell("A", '<w:vMerge w:val="restart"/>')}{cell("1")}</w:tr>
    <w:tr>{cell("ghost", "<w:vMerge/>")}{cell("2")}</w:tr></w:tbl>"""
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert [(done.text_layer[e.start_char : e.end_char], e.reason) for e in done.exclusions] == [
        ("ghost", "hidden behind a merged cell")
    ]


def test_a_first_row_in_bold_names_the_columns_of_a_table_of_words(tmp_path: Path) -> None:
    def bold(text: str) -> str:
        return f"<w:tc><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p></w:tc>"

    body = f"<w:tbl><w:tr>{bold('Term')}{bold('Meaning')}</w:tr><w:tr>{cell('Buyer')}{cell('the party')}</w:tr></w:tbl>"
    assert [header for header, _, _ in rows(read(FORMAT, word_file(tmp_path / "a.docx", body)))] == [True, False]


def test_a_table_of_words_without_any_sign_has_no_header(tmp_path: Path) -> None:
    body = f"<w:tbl><w:tr>{cell('Seller')}{cell('a')}</w:tr><w:tr>{cell('Buyer')}{cell('b')}</w:tr></w:tbl>"
    assert [header for header, _, _ in rows(read(FORMAT, word_file(tmp_path / "a.docx", body)))] == [False, False]


def test_a_nested_table_follows_the_outer_one(tmp_path: Path) -> None:
    inner = f"<w:tbl><w:tr>{cell('in 1')}{cell('in 2')}</w:tr></w:tbl>"
    body = f"<w:tbl><w:tr><w:tc>{paragraph('out')}{inner}</w:tc>{cell('right')}</w:tr></w:tbl>" + paragraph("After.")
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert rows(done) == [
        (False, {0: "out", 1: "right"}, "table 1 row 1"),
        (False, {0: "in 1", 1: "in 2"}, "table 2 row 1"),
    ]
    assert done.texts[-1] == "After."


def test_a_table_of_one_cell_is_read_as_its_content(tmp_path: Path) -> None:
    body = f"<w:tbl><w:tr><w:tc>{paragraph('Framed.')}{paragraph('Twice.')}</w:tc></w:tr></w:tbl>"
    assert kinds(read(FORMAT, word_file(tmp_path / "a.docx", body))) == [BlockKind.PARAGRAPH] * 2


def test_paragraphs_of_a_cell_are_joined_by_a_space(tmp_path: Path) -> None:
    body = f"<w:tbl><w:tr><w:tc>{paragraph('a')}{paragraph('b')}</w:tc>{cell('c')}</w:tr></w:tbl>"
    done = read(FORMAT, word_file(tmp_path / "a.docx", body))
    assert done.texts[1] == "a b\tc"


def test_absurd_spans_do_not_widen_the_table(tmp_path: Path) -> None:
    body = f"""<w:tbl><w:tr>{cell("a", '<w:gridSpan w:val="999999999"/>')}{cell("b")}</w:tr>
    <w:tr>{cell("c")}{cell("d")}</w:tr></w:tbl>"""
    found = rows(read(FORMAT, word_file(tmp_path / "a.docx", body)))
    assert found[0][1] == {0: "a b"}
