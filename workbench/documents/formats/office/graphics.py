"""Charts and diagrams of Office files as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...blocks import BlockKind
from ...draft import Draft
from .drawing_text import chart_rows, chart_title, diagram_texts
from .table_headers import header_count

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


def add_graphic(draft: Draft, kind: str, root: Element, locator: str) -> bool:
    """Write the values of a chart as a table, or the texts of a diagram ("dm") as list items.

    Returns
    -------
    bool
        Whether it held any text or values.
    """
    before = draft.length
    if kind == "dm":
        for text in diagram_texts(root):
            draft.add(BlockKind.LIST_ITEM, draft.write(text), level=1, locator=locator)
            draft.write("\n")
        return draft.length > before
    title = chart_title(root)
    if title.strip():
        draft.add(BlockKind.CAPTION, draft.write(title), locator=locator)
        draft.write("\n")
    rows = chart_rows(root)
    if rows:
        add_table(draft, rows, locator)
    return draft.length > before


def add_table(draft: Draft, rows: list[list[str]], locator: str) -> None:
    """Write rows of cell texts as one table; its header rows are found by what they say."""
    table = draft.begin_table(locator=locator)
    headers = max(1, header_count(rows)) if any(rows[0]) else 0
    for rank, row in enumerate(rows):
        cells = []
        for column, text in enumerate(row):
            draft.write("\t" if column else "")
            cells.append(draft.write(text) if text else None)
        draft.write("\n")
        draft.add_row(table, cells, is_header=rank < headers, locator=f"{locator} row {rank + 1}")
