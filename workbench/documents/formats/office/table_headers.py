"""Which rows at the top of a table name its columns, where the file itself does not say so."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = re.compile(r"[-+(−–]?\s*[$€£¥￥]?\s*[-+(−–]?\s*\d[\d,.\s’']*\s*[)%‰％]?\s*[$€£¥￥]?\)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[ T][\d:.]+)?")
_LONGEST_QUANTITY = 40
_LOOKED_AT = 30
"""Rows below the header that are searched for numbers."""


def is_quantity(text: str) -> bool:
    """Whether a cell holds a number or date; a bare year does not count, because years name columns.

    Examples
    --------
    >>> [is_quantity(text) for text in ("$ (1,234)", "12 %", "2024-03-31", "2023", "Q1", "")]
    [True, True, True, False, False, False]
    """
    text = text.strip()
    if len(text) > _LONGEST_QUANTITY:
        return False
    if _YEAR.fullmatch(text):
        return False
    return bool(_NUMBER.fullmatch(text) or _DATE.fullmatch(text))


def header_count(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows at the top are header rows: 0, 1 or 2.

    The first row is a header if it has at least two filled cells, no quantity, and a quantity stands below one of
    its filled cells. A second row of the same kind below a first one with gaps (grouped columns) belongs to it.

    Parameters
    ----------
    rows : sequence of sequence of str
        Cell texts by column; "" for empty or covered cells.

    Examples
    --------
    >>> header_count([["Item", "2023"], ["Sales", "1,204"]])
    1
    >>> header_count([["", "Quarter", ""], ["Item", "Q1", "Q2"], ["Sales", "3.5", "4"]])
    2
    >>> header_count([["Term", "Meaning"], ["Buyer", "the party"]])
    0
    """
    if len(rows) < 2 or not _may_name(rows[0]):
        return 0
    # Only a row with gaps groups the columns of the next one; a full one is complete by itself.
    grouped = len(rows) > 2 and _may_name(rows[1]) and _filled(rows[0]) < _filled(rows[1])
    depth = 2 if grouped else 1
    names = rows[depth - 1]
    for row in rows[depth : depth + _LOOKED_AT]:
        if any(is_quantity(cell) for cell, name in zip(row, names, strict=False) if name.strip()):
            return depth
    return 0


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _may_name(row: Sequence[str]) -> bool:
    cells = [cell for cell in row if cell.strip()]
    least = 2 if len(row) > 1 else 1
    filled_enough = len(cells) >= least or (len(cells) == 1 and len(row) > 2)
    return filled_enough and not any(is_quantity(cell) for cell in cells)
