"""Tables that are drawn as a grid of rules, found by pdfplumber's table finder.

pdfplumber reads no page here: its finder is given the rectangles that pdfium already read, which takes a
fiftieth of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from .strokes import THIN

Box = tuple[float, float, float, float]

_LEAST_RULES, _LEAST_LENGTH = 3, 8.0
_MOST_RULES = 3_000
_OPEN_WIDTH = 100.0
_LEVEL, _MOST_BEYOND = 1.0, 0.6  # points; share of the rows
_CELL_SHARE, _FILLED_SHARE, _LARGEST_CELL = 0.5, 0.3, 0.7


@dataclass(frozen=True, slots=True)
class Grid:
    """A ruled table: its box, and a box or None for each row and column."""

    box: Box
    rows: tuple[tuple[Box | None, ...], ...]


def find_grids(strokes: npt.NDArray[np.float32], width: float, height: float) -> list[Grid]:
    """Find the ruled tables of a page.

    Parameters
    ----------
    strokes : ndarray of float32, shape (r, 4)
        Painted rectangles (x0, top, x1, bottom) in points.
    width, height : float
        Page size in points.

    Returns
    -------
    list of Grid
        From top to bottom; empty when the page has no crossing rules.
    """
    if not _looks_ruled(strokes, width, height):
        return []
    strokes = np.concatenate((strokes, _open_sides(strokes)))
    from pdfplumber.table import TableFinder

    page = _page_of(strokes, width, height)
    tables = TableFinder(page, {"vertical_strategy": "lines", "horizontal_strategy": "lines"}).tables
    grids = [
        Grid(_four(table.bbox), tuple(tuple(cell and _four(cell) for cell in row.cells) for row in table.rows))
        for table in tables
        if len(table.rows) > 1 and len(table.rows[0].cells) > 1
    ]
    return sorted(grids, key=lambda grid: (grid.box[1], grid.box[0]))


def _four(box: Sequence[float]) -> Box:
    x0, top, x1, bottom = box
    return x0, top, x1, bottom


def _looks_ruled(strokes: npt.NDArray[np.float32], width: float, height: float) -> bool:
    if not 2 * _LEAST_RULES - 2 <= len(strokes) <= _MOST_RULES:
        return False
    wide, tall = strokes[:, 2] - strokes[:, 0], strokes[:, 3] - strokes[:, 1]
    page_sized = (wide > 0.95 * width) & (tall > 0.95 * height)
    boxes = (wide >= THIN) & (tall >= THIN) & ~page_sized
    upright = ((wide < THIN) & (tall >= _LEAST_LENGTH)) | (boxes & (tall >= _LEAST_LENGTH))
    level = ((tall < THIN) & (wide >= _LEAST_LENGTH)) | (boxes & (wide >= _LEAST_LENGTH))
    places = len(np.unique(np.round(strokes[upright, 0] / 3)))
    heights = len(np.unique(np.round(strokes[level, 1] / 3)))
    return places >= _LEAST_RULES - 1 and heights >= _LEAST_RULES - 1 and places + heights >= 2 * _LEAST_RULES - 1


def _open_sides(strokes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Upright rules at the ends of level ones that begin and end together: many tables are open left and right.

    Only where upright rules between the ends reach from one level rule to the next is there a table to close.
    """
    wide, tall = strokes[:, 2] - strokes[:, 0], strokes[:, 3] - strokes[:, 1]
    level, upright = strokes[(tall < THIN) & (wide > _OPEN_WIDTH)], strokes[(wide < THIN) & (tall >= THIN)]
    ends: dict[tuple[int, int], list[npt.NDArray[np.float32]]] = {}
    for rule in level[np.argsort(level[:, 1])]:
        ends.setdefault((round(float(rule[0]) / 3), round(float(rule[2]) / 3)), []).append(rule)
    sides = []
    for rules in ends.values():
        for above, below in pairwise(rules):
            x0, top, x1, bottom = float(above[0]), float(above[1]), float(above[2]), float(below[3])
            inside = upright[(upright[:, 0] > x0 + 3) & (upright[:, 2] < x1 - 3)]
            reach = np.minimum(inside[:, 3], bottom) - np.maximum(inside[:, 1], top)
            if bottom - top > THIN and (reach > 0.8 * (bottom - top)).any():
                sides += [(x0, top, x0 + 0.5, bottom), (x1 - 0.5, top, x1, bottom)]
    return np.array(sides, np.float32).reshape(-1, 4)


def _page_of(strokes: npt.NDArray[np.float32], width: float, height: float) -> Any:
    """A pdfplumber page that holds just these rectangles."""
    from pdfplumber.page import Page

    class StrokePage(Page):
        """Has what the table finder asks of a page, without a parsed PDF behind it."""

        def __init__(self) -> None:
            self.bbox = self.mediabox = self.cropbox = (0, 0, width, height)
            self.page_number, self.rotation, self.initial_doctop = 1, 0, 0
            self.root_page = self
            self._objects = {"rect": [_rectangle(row, height) for row in strokes.tolist()]}

        @property
        def width(self) -> float:
            return width

        @property
        def height(self) -> float:
            return height

    return StrokePage()


def _rectangle(row: Sequence[float], height: float) -> dict[str, Any]:
    x0, top, x1, bottom = row
    return {
        "object_type": "rect",
        "x0": x0,
        "x1": x1,
        "top": top,
        "bottom": bottom,
        "y0": height - bottom,
        "y1": height - top,
        "doctop": top,
        "width": x1 - x0,
        "height": bottom - top,
        "pts": [(x0, top), (x1, top), (x1, bottom), (x0, bottom)],
    }


@dataclass(frozen=True, slots=True)
class GridWords:
    """Words of a grid: for each word its row and column."""

    grid: Grid
    words: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    column: npt.NDArray[np.int64]


def place_words(grid: Grid, box: npt.NDArray[np.float32], free: npt.NDArray[np.bool_]) -> GridWords | None:
    """Assign the free words whose middle lies in a cell; None when the grid holds no table of words.

    A frame around text, a chart's grid lines and a page border are found as tables too: in them one cell has
    most of the words, or most cells have none.
    """
    x = (box[:, 0] + box[:, 2]) / 2
    y = (box[:, 1] + box[:, 3]) / 2
    x0, top, x1, bottom = grid.box
    inside = np.flatnonzero(free & (x >= x0) & (x <= x1) & (y >= top) & (y <= bottom))
    if not len(inside):
        return None
    row = np.full(len(inside), -1)
    column = np.full(len(inside), -1)
    cells = 0
    for r, cells_of_row in enumerate(grid.rows):
        for c, cell in enumerate(cells_of_row):
            if cell is None:
                continue
            cells += 1
            hit = (
                (row < 0)
                & (x[inside] >= cell[0])
                & (x[inside] <= cell[2])
                & (y[inside] >= cell[1])
                & (y[inside] <= cell[3])
            )
            row[hit], column[hit] = r, c
    placed = row >= 0
    filled, counts = np.unique(row[placed] * 10_000 + column[placed], return_counts=True)
    used_columns, used_rows = len(np.unique(column[placed])), len(np.unique(row[placed]))
    if (
        used_columns < 2
        or used_rows < 2
        or len(filled) < max(4, _FILLED_SHARE * cells)
        or placed.mean() < _CELL_SHARE
        or counts.max() > _LARGEST_CELL * counts.sum()
        or _goes_beyond(grid, box, free, row[placed], y[inside[placed]])
    ):
        return None
    return GridWords(grid, inside[placed], row[placed], column[placed])


def _goes_beyond(
    grid: Grid,
    box: npt.NDArray[np.float32],
    free: npt.NDArray[np.bool_],
    row: npt.NDArray[np.int64],
    y: npt.NDArray[np.floating],
) -> bool:
    """Whether most rows have words level with them outside the grid: then only some columns are ruled."""
    x0, top, x1, bottom = grid.box
    middle = (box[:, 1] + box[:, 3]) / 2
    outside = np.sort(middle[free & (middle > top) & (middle < bottom) & ((box[:, 2] < x0 + 1) | (box[:, 0] > x1 - 1))])
    if not len(outside):
        return False
    beyond = 0
    rows = np.unique(row)
    for r in rows.tolist():
        levels = y[row == r]
        at = np.clip(np.searchsorted(outside, levels), 1, len(outside)) - 1
        nearest = np.minimum(
            np.abs(outside[at] - levels), np.abs(outside[np.minimum(at + 1, len(outside) - 1)] - levels)
        )
        beyond += bool((nearest < _LEVEL).any())
    return beyond > _MOST_BEYOND * len(rows)
