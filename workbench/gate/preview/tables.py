"""What the tables of a document are about: their names, columns and size."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...documents.blocks import KIND_CODE, BlockKind
from ...documents.columns import NONE
from .lines import inert, spread
from .outline import place_of

if TYPE_CHECKING:
    from ...documents import Document

MOST_COLUMNS = 200
"""Columns of a table, and names over all tables, that are looked at."""
MOST_TABLES = 2_000
NAME_CHARS = 40
CELL_CHARS = 30
_SAMPLED_ROWS = 20
_NUMBER = re.compile(r"[-+(]?\s?[$€£¥]?\s?\d[\d,.\s]*\s?[%)kKmM万亿]{0,2}")
_DATE = re.compile(
    r"\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?(?:[ T]\d.*)?|\d{1,2}[-/. ](?:\d{1,2}|[A-Za-z]{3,9})[-/. ]\d{2,4}"
)


@dataclass(frozen=True, slots=True)
class TableShape:
    """What is shown of a table: its block, page, name and rows, and its first columns with their kinds."""

    table: int
    place: str
    name: str
    rows: int
    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    all_columns: int
    samples: tuple[str, ...]


def column_names(document: Document) -> tuple[str, ...]:
    """Return the names of the columns of all tables, each once, at most ``MOST_COLUMNS``."""
    names: dict[str, None] = {}
    tables = np.flatnonzero(document.columns.kind == KIND_CODE[BlockKind.TABLE])[:MOST_TABLES]
    for table in tables.tolist():
        for name in _header(document, table).values():
            names.setdefault(name)
        if len(names) >= MOST_COLUMNS:
            break
    return tuple(name for name in names if name)[:MOST_COLUMNS]


def largest_tables(document: Document, count: int) -> list[int]:
    """Return the tables with most rows, in the order of the document."""
    columns = document.columns
    tables = np.flatnonzero(columns.kind == KIND_CODE[BlockKind.TABLE])
    rows = np.bincount(columns.table[columns.table != NONE], minlength=len(columns))[tables]
    chosen = np.argsort(-rows, kind="stable")[:count]
    return sorted(tables[chosen].tolist())


def shape_of(document: Document, table: int, samples: int) -> TableShape:
    """Return what is shown of a table, with its first rows as samples."""
    columns = document.columns
    rows = np.flatnonzero((columns.table == table) & (columns.is_header == 0))
    sampled = rows[spread(len(rows), _SAMPLED_ROWS)]
    header = _header(document, table)
    cells = [_cells(document, row) for row in sampled.tolist()]
    places = sorted({*header, *(column for found in cells for column in found)})
    wide = [_width(document, row) for row in (*document.header_of(table), *rows[:1].tolist())]
    return TableShape(
        table=table,
        place=place_of(document, table),
        name=_name(document, table),
        rows=len(rows),
        columns=tuple(header.get(column, "") for column in places),
        kinds=tuple(_kind([found[column] for found in cells if found.get(column)]) for column in places),
        all_columns=max([len(places), *wide]),
        samples=tuple(" | ".join(_cells(document, row).values()) for row in rows[:samples].tolist()),
    )


def _cells(document: Document, row: int) -> dict[int, str]:
    columns = document.columns
    low, high = columns.first_piece[row : row + 2].tolist()
    cells: dict[int, str] = {}
    for piece in range(low, min(high, low + MOST_COLUMNS)):
        start, end = int(columns.start[piece]), int(columns.end[piece])
        text = inert(document.text_layer[start : min(end, start + 2 * CELL_CHARS)], CELL_CHARS)
        column = int(columns.column[piece])
        cells[column] = f"{cells[column]} {text}" if cells.get(column) else text
    return cells


def _header(document: Document, table: int) -> dict[int, str]:
    names: dict[int, str] = {}
    for row in document.header_of(table)[:3]:
        for column, text in _cells(document, row).items():
            names[column] = inert(f"{names[column]} {text}" if names.get(column) else text, NAME_CHARS)
    return dict(sorted(names.items()))


def _width(document: Document, row: int) -> int:
    low, high = document.columns.first_piece[row : row + 2].tolist()
    return len(np.unique(document.columns.column[low:high]))


def _name(document: Document, table: int) -> str:
    """Return the caption above a table, else the heading that it stands under."""
    columns = document.columns
    above = table - 1
    if above < 0 or columns.kind[above] != KIND_CODE[BlockKind.CAPTION]:
        above = int(columns.parent[table])
    return inert(document.texts[above], 2 * NAME_CHARS) if above >= 0 else ""


def _kind(cells: list[str]) -> str:
    """Return "number", "date", "text" or, for a column without samples, ""; the commonest, "text" among equals."""
    if not cells:
        return ""
    found = Counter(
        "date" if _DATE.fullmatch(cell) else "number" if _NUMBER.fullmatch(cell) else "text" for cell in cells
    )
    return max(("text", "number", "date"), key=lambda kind: found[kind])
