"""Tables on slides: cells in their columns, each with its box."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from ...anchors import JOINT_NONE, JOINT_SPACE, Piece
from ...draft import Draft, Span
from ..office.drawing_text import paragraph_text
from ..office.package import attribute, child, descendants, local, number
from ..office.table_headers import header_count
from .shapes import Places, Rectangle

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_ON = ("1", "true")


def add_slide_table(draft: Draft, places: Places, table: Element, frame: Rectangle | None, locator: str) -> None:
    """Write an ``a:tbl`` as a table; merged cells once, in their first row and column."""
    rows = [[cell for cell in row if local(cell) == "tc"] for row in table if local(row) == "tr"]
    grid = child(table, "tblGrid")
    widths = [number(attribute(column, "w")) for column in grid] if grid is not None else []
    heights = [number(attribute(row, "h")) for row in table if local(row) == "tr"]
    lines = _Lines(widths, heights, frame)
    index = draft.begin_table(locator=locator)
    headers = _headers(table, rows)
    for rank, cells in enumerate(rows):
        written: list[list[Piece] | None] = []
        for column, cell in enumerate(cells):
            draft.write("\t" if column else "")
            start = draft.length
            written.append(_write_cell(draft, cell))
            spans = number(attribute(cell, "rowSpan"), 1), number(attribute(cell, "gridSpan"), 1)
            places.add(Span(start, draft.length), lines.box(rank, column, *spans))
        draft.write("\n")
        draft.add_row(index, written, is_header=rank < headers, locator=f"{locator} row {rank + 1}")


def _headers(table: Element, rows: list[list[Element]]) -> int:
    if len(rows) < 2:
        return 0
    if attribute(child(table, "tblPr"), "firstRow") in _ON:
        return 1
    return header_count([[" ".join(_texts(cell)) for cell in row] for row in rows])


def _texts(cell: Element) -> list[str]:
    return [paragraph_text(paragraph) for paragraph in descendants(cell, "p")]


def _write_cell(draft: Draft, cell: Element) -> list[Piece] | None:
    covered = attribute(cell, "hMerge") in _ON or attribute(cell, "vMerge") in _ON
    pieces: list[Piece] = []
    for text in _texts(cell):
        if not text.strip():
            continue
        draft.write("\n" if pieces else "")
        span = draft.write(text)
        if covered:
            draft.exclude(span, "hidden behind a merged cell")
            draft.write("\n")
        else:
            pieces.append(Piece(span.start, span.end, JOINT_SPACE if pieces else JOINT_NONE))
    return pieces or None


class _Lines:
    """Where the columns and rows of a table stand, stretched to its frame as it is drawn."""

    def __init__(self, widths: list[int], heights: list[int], frame: Rectangle | None) -> None:
        self._x = self._y = [0.0]
        self._known = frame is not None and sum(widths) > 0 and sum(heights) > 0
        if frame is not None and self._known:
            self._x = _stretched(widths, frame[0], frame[2])
            self._y = _stretched(heights, frame[1], frame[3])

    def box(self, row: int, column: int, rows: int, columns: int) -> Rectangle | None:
        """Return the box of a cell that spans so many rows and columns."""
        last_row = min(row + max(1, rows), len(self._y) - 1)
        last_column = min(column + max(1, columns), len(self._x) - 1)
        if not self._known or last_row <= row or last_column <= column:
            return None
        return (self._x[column], self._y[row], self._x[last_column], self._y[last_row])


def _stretched(sizes: list[int], low: float, high: float) -> list[float]:
    total = sum(sizes)
    return [low + (high - low) * part / total for part in accumulate(sizes, initial=0)]
