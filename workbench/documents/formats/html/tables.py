"""Rows of an HTML table, with the columns that spanning cells leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...draft import Draft, Span

_MOST_COLUMNS = 1_000
_MOST_ROWS = 65_534


class TableWriter:
    """Writes the rows of one table as they close; the table block comes with the first row that has text.

    Parameters
    ----------
    draft : Draft
    locator : str
        Where the table begins.
    place : callable
        Turns a source line into a locator.
    """

    def __init__(self, draft: Draft, locator: str, place: Callable[[int], str]) -> None:
        self.in_cell = False
        self._draft = draft
        self._locator = locator
        self._place = place
        self._table = -1
        self._line = 0
        self._column = self._start = self._next = 0
        self._cells: list[Span | None] = []
        self._is_head = False
        self._names = 0
        self._values = 0
        # How many more rows each column is taken by a cell from above.
        self._taken: dict[int, int] = {}

    def begin_row(self, *, is_head: bool, line: int) -> None:
        """Begin a row; one that is still open is closed."""
        self.end_row()
        self._is_head = is_head
        self._line = line
        self._column = 0

    def begin_cell(self, element: Any) -> None:
        """Begin a cell in the next free column."""
        while self._taken.get(self._column, 0) > 0:
            self._column += 1
        self._line = self._line or element.sourceline or 0
        self.in_cell = True
        self._names += element.tag == "th"
        self._values += element.tag == "td"
        width = _count(element.get("colspan"), _MOST_COLUMNS)
        height = _count(element.get("rowspan"), _MOST_ROWS)
        self._start = self._column
        self._next = self._column + width
        if height > 1:
            for column in range(self._start, self._next):
                # The row that is open counts as well: closing it takes one off.
                self._taken[column] = height

    def end_cell(self, text: str) -> None:
        """Write the text of the open cell."""
        self.in_cell = False
        if text:
            # Spans of hostile width must not move a cell out of reach.
            self._cells += [None] * (min(self._start, _MOST_COLUMNS) - len(self._cells))
            self._cells.append(self._draft.write(text))
            self._draft.write("\t")
        self._column = self._next

    def end_row(self) -> None:
        """Close the open row, if any."""
        if any(self._cells):
            if self._table < 0:
                self._table = self._draft.begin_table(locator=self._locator)
            is_header = self._is_head or (self._names > 0 and self._values == 0)
            self._draft.write("\n")
            self._draft.add_row(self._table, self._cells, is_header=is_header, locator=self._place(self._line))
        if self._names or self._values:
            self._taken = {column: left - 1 for column, left in self._taken.items() if left > 1}
        self._cells = []
        self._names = self._values = 0
        self._line = 0


def _count(value: str | None, most: int) -> int:
    """A span as browsers read it: a bad number is 1."""
    digits = (value or "").strip()
    return max(1, min(most, int(digits))) if digits.isdecimal() and len(digits) < 9 else 1
