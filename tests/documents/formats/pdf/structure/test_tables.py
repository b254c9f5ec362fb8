"""From rows to tables: columns, header rows, wrapped labels, and what parts two tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents.blocks import Block, BlockKind
from workbench.documents.document import Document

from ..pdf_files import PdfFile, prose, read, rows_of

COLUMNS = (72, 300, 400)
HEAD = ["Item", "2023", "2022"]
BODY = [["Net sales", "1,234", "1,100"], ["Cost of goods", "(900)", "(850)"], ["Gross profit", "334", "250"]]


def tables_of(document: Document) -> list[Block]:
    return [block for block in document.blocks if block.kind is BlockKind.TABLE]


def headers_of(document: Document) -> list[str]:
    return [block.text for block in document.blocks if block.is_header]


def test_a_row_of_years_above_the_numbers_is_their_header(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, cells in enumerate([HEAD, *BODY]):
        pdf.row(COLUMNS, 100 + 14 * rank, cells)
    document = read(pdf.save())
    assert headers_of(document) == ["Item\t2023\t2022"]
    last = document.blocks[-1]
    named = {cell.column: cell.text for row in last.header for cell in document.block(row).cells}
    assert {named[cell.column]: cell.text for cell in last.cells} == {
        "Item": "Gross profit",
        "2023": "334",
        "2022": "250",
    }


def test_years_without_a_name_for_the_labels_are_a_header_too(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 80, prose(4)) + 20
    for rank, cells in enumerate([["", "2023", "2022"], *BODY]):
        pdf.row(COLUMNS, y + 14 * rank, cells)
    document = read(pdf.save())
    (table,) = tables_of(document)
    header, *rows = document.rows_of(table.block_id)
    assert [(cell.column, cell.text) for cell in header.cells] == [(1, "2023"), (2, "2022")]
    assert [row.is_header for row in (header, *rows)] == [True, False, False, False]
    assert {row.header for row in rows} == {(header.block_id,)}


def test_a_header_of_two_lines_keeps_both(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.row(COLUMNS, 100, ["Item", "Year ended", "Year ended"])
    pdf.row(COLUMNS, 112, ["of the accounts", "June 2023", "June 2022"])
    for rank, cells in enumerate(BODY):
        pdf.row(COLUMNS, 130 + 14 * rank, cells)
    document = read(pdf.save())
    assert headers_of(document) == ["Item\tYear ended\tYear ended", "of the accounts\tJune 2023\tJune 2022"]
    assert document.blocks[-1].header == (1, 2)


def test_a_table_that_begins_with_numbers_has_no_header(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, cells in enumerate(BODY):
        pdf.row(COLUMNS, 100 + 14 * rank, cells)
    document = read(pdf.save())
    assert headers_of(document) == []
    assert document.blocks[-1].header == ()


def test_numbers_stand_in_the_column_above_which_they_are_drawn(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, cells in enumerate([HEAD, *BODY]):
        pdf.row(COLUMNS, 100 + 14 * rank, cells)
    pdf.text(72, 100 + 14 * 4, "Other income")
    pdf.text(404, 100 + 14 * 4, "17")
    assert rows_of(read(pdf.save()))[-1] == ["Other income", "", "17"]


def test_a_label_of_two_lines_is_one_row(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, cells in enumerate([HEAD, BODY[0]]):
        pdf.row(COLUMNS, 100 + 14 * rank, cells)
    pdf.text(72, 128, "Cost of goods that were sold to")
    pdf.row(COLUMNS, 140, ["customers of the group", "(900)", "(850)"])
    pdf.row(COLUMNS, 154, BODY[2])
    assert rows_of(read(pdf.save()))[2] == ["Cost of goods that were sold to customers of the group", "(900)", "(850)"]


def test_two_tables_with_text_between_them_are_two(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for top in (100, 300):
        for rank, cells in enumerate([HEAD, *BODY]):
            pdf.row(COLUMNS, top + 14 * rank, cells)
    pdf.paragraph(72, 220, prose(3))
    document = read(pdf.save())
    first, second = tables_of(document)
    assert (first.continues, second.continues) == (None, None)
    assert [len(document.rows_of(table.block_id)) for table in (first, second)] == [4, 4]


def test_the_text_of_a_row_parts_its_cells_by_tabs_and_the_table_itself_has_no_text(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, cells in enumerate([HEAD, *BODY]):
        pdf.row(COLUMNS, 100 + 14 * rank, cells)
    document = read(pdf.save())
    (table,) = tables_of(document)
    assert table.text == ""
    assert document.blocks[-1].text == "Gross profit\t334\t250"


def test_a_table_on_the_next_page_with_other_columns_is_another_table(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(20))
    for rank, cells in enumerate([HEAD, *BODY]):
        pdf.row(COLUMNS, 640 + 14 * rank, cells)
    pdf.next_page()
    for rank in range(4):
        pdf.row((72, 180, 240, 330, 420, 500), 80 + 14 * rank, ["Share", "1", "2", "3", "4", "5"])
    pdf.paragraph(72, 200, prose(5))
    assert [table.continues for table in tables_of(read(pdf.save()))] == [None, None]


def test_a_table_after_text_on_the_next_page_continues_nothing(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for rank, cells in enumerate([HEAD, *BODY]):
        pdf.row(COLUMNS, 640 + 14 * rank, cells)
    pdf.next_page()
    pdf.paragraph(72, 80, prose(5))
    for rank, cells in enumerate([HEAD, *BODY]):
        pdf.row(COLUMNS, 300 + 14 * rank, cells)
    assert [table.continues for table in tables_of(read(pdf.save()))] == [None, None]


@pytest.mark.parametrize(
    ("caption", "head", "continued"),
    [
        ("Table 2: Costs by region", ["Region", "Opening costs", "Closing costs"], False),
        ("Table 2: Costs by region", HEAD, False),
        ("Table 1 (continued)", HEAD, True),
        ("", ["Region", "Opening costs", "Closing costs"], False),
        ("", HEAD, True),
    ],
    ids=["other caption and header", "other caption", "caption that says so", "other header", "header again"],
)
def test_a_table_overleaf_continues_the_first_unless_it_has_a_caption_or_header_of_its_own(
    tmp_path: Path, caption: str, head: list[str], continued: bool
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 80, prose(20))
    pdf.text(72, 620, "Table 1: Sales by item")
    for rank, cells in enumerate([HEAD, *BODY]):
        pdf.row(COLUMNS, 640 + 14 * rank, cells)
    pdf.next_page()
    pdf.text(72, 80, caption)
    for rank, cells in enumerate([head, *BODY]):
        pdf.row(COLUMNS, 100 + 14 * rank, cells)
    pdf.paragraph(72, 240, prose(5))
    first, second = tables_of(read(pdf.save()))
    assert (first.continues, second.continues) == (None, first.block_id if continued else None)
