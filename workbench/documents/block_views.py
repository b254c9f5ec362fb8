"""Blocks as objects, built from the columns of a document when somebody looks at them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .anchors import Anchor, Box, Piece, join_pieces
from .blocks import KINDS, Block, BlockKind, Cell
from .columns import NONE

if TYPE_CHECKING:
    from .document import Document


class Blocks(Sequence[Block]):
    """Blocks built from the columns when first looked at, then kept."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._built: dict[int, Block] = {}

    def __len__(self) -> int:
        return len(self._document.columns)

    @overload
    def __getitem__(self, index: int) -> Block: ...

    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...

    def __getitem__(self, index: Any) -> Block | list[Block]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = int(index)
        if at < 0:
            at += len(self)
        if not 0 <= at < len(self):
            raise IndexError(f"block {index} of {len(self)}")
        found = self._built.get(at)
        if found is None:
            found = self._built[at] = build_block(self._document, at)
        return found

    def __iter__(self) -> Iterator[Block]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} blocks of {self._document.name}>"


def build_block(document: Document, index: int) -> Block:
    """Build one block from the columns of its document."""
    columns = document.columns
    low, high = int(columns.first_piece[index]), int(columns.first_piece[index + 1])
    pieces = tuple(
        Piece(*values)
        for values in zip(
            columns.start[low:high].tolist(),
            columns.end[low:high].tolist(),
            columns.joint[low:high].tolist(),
            columns.column[low:high].tolist(),
            strict=True,
        )
    )
    kind = KINDS[int(columns.kind[index])]
    table = int(columns.table[index])
    return Block(
        block_id=index,
        kind=kind,
        level=int(columns.level[index]),
        section=document.section_of(index),
        text=join_pieces(document.text_layer, pieces),
        tokens=int(columns.tokens[index]),
        anchor=_anchor(document, index, pieces, low, high),
        table=table if kind is BlockKind.TABLE_ROW and table != NONE else None,
        header=document.header_of(table) if kind is BlockKind.TABLE_ROW and not columns.is_header[index] else (),
        is_header=bool(columns.is_header[index]),
        cells=_cells(document.text_layer, pieces) if kind is BlockKind.TABLE_ROW else (),
        continues=int(columns.continues[index]) if columns.continues[index] != NONE else None,
    )


def _anchor(document: Document, index: int, pieces: tuple[Piece, ...], low: int, high: int) -> Anchor:
    home = int(document.columns.home_page[index]) + 1
    if not pieces:
        at = document.pages[home - 1].start_char
        return Anchor(home, (home,), at, at, (), _table_boxes(document, index), locator=_locator(document, index))
    numbers = [document.page_of(piece.start_char) for piece in pieces]
    boxes: tuple[Box, ...] = ()
    if len(document.columns.box):
        rows = document.columns.box[low:high].tolist()
        boxes = tuple(Box(n, *row) for n, row in zip(numbers, rows, strict=True) if row[0] == row[0])
    start = min(piece.start_char for piece in pieces)
    end = max(piece.end_char for piece in pieces)
    first_line = last_line = None
    if document.line_based:
        first_line = bisect_right(document.line_starts, start)
        last_line = bisect_right(document.line_starts, max(start, end - 1))
    return Anchor(
        home, tuple(dict.fromkeys(numbers)), start, end, pieces, boxes, first_line, last_line, _locator(document, index)
    )


def _table_boxes(document: Document, index: int) -> tuple[Box, ...]:
    """A table has no characters of its own: its box is the one around its rows."""
    if not len(document.columns.box):
        return ()
    pieces = [
        np.arange(document.columns.first_piece[row], document.columns.first_piece[row + 1])
        for row in np.flatnonzero(document.columns.table == index).tolist()
    ]
    if not pieces:
        return ()
    rows = document.columns.box[np.concatenate(pieces)]
    if np.isnan(rows).all():
        return ()
    x0, top = np.nanmin(rows[:, :2], axis=0).tolist()
    x1, bottom = np.nanmax(rows[:, 2:], axis=0).tolist()
    return (Box(int(document.columns.home_page[index]) + 1, x0, top, x1, bottom),)


def _locator(document: Document, index: int) -> str:
    return document.locators[index] if document.locators else ""


def _cells(layer: str, pieces: tuple[Piece, ...]) -> tuple[Cell, ...]:
    by_column: dict[int, list[Piece]] = {}
    for piece in pieces:
        by_column.setdefault(piece.column, []).append(piece)
    return tuple(
        Cell(
            join_pieces(layer, found),
            column,
            min(piece.start_char for piece in found),
            max(piece.end_char for piece in found),
        )
        for column, found in by_column.items()
    )
