"""Tables of real filings: which rows name the columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.documents import Block, Document, open_document


def row(document: Document, page: int, label: str) -> Block:
    return next(b for b in document.blocks if b.page == page and b.cells and b.cells[0].text == label)


@pytest.mark.data
def test_the_sections_of_a_balance_sheet_head_no_column(data_dir: Path) -> None:
    document = open_document(data_dir / "financebench" / "pdfs" / "3M_2018_10K.pdf")
    total = row(document, 58, "Total liabilities")
    header = [document.block(block_id).text for block_id in total.header]
    assert header == ["December 31,\tDecember 31,", "(Dollars in millions, except per share amount)\t2018\t2017"]
    assert {cell.column: cell.text for cell in total.cells} == {
        0: "Total liabilities",
        1: "$ 26,652",
        2: "$ 26,365",
    }
