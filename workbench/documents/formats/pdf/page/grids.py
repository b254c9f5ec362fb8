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
_CLEAR = 8.0  # points between tables of two columns
_LEAST_PROSE_LINES, _PROSE_WIDTH = 3, 12.0  # lines; of their height
_FULL_SHARE, _INK_SHARE, _FULL_LINES = 0.85, 0.7, 0.6  # of the column's width; of the line's width; of the lines
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


def place_tables(grids: Sequence[Grid], box: npt.NDArray[np.float32], free: npt.NDArray[np.bool_]) -> list[GridWords]:
    """Assign the free words of a page to its grids; no word to two of them, and none to a grid that is no table."""
    tables = [grid for grid in grids if len(grids) > 1 and place_words(grid, box, free) is not None]
    free = free.copy()
    found = []
    for grid in grids:
        placed = place_words(grid, box, free)
        if placed is not None and not _goes_beyond(placed, box, free & ~_in_other_columns(grid, tables, box)):
            free[placed.words] = False
            found.append(placed)
    return found


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
    ):
        return None
    return GridWords(grid, inside[placed], row[placed], column[placed])


def _in_other_columns(grid: Grid, tables: Sequence[Grid], box: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Which words lie in a table that stands clear of this grid on its left or right, in a column of its own."""
    x, y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    found = np.zeros(len(box), np.bool_)
    for x0, top, x1, bottom in (other.box for other in tables):
        if max(x0 - grid.box[2], grid.box[0] - x1) > _CLEAR:
            found |= (x >= x0) & (x <= x1) & (y >= top) & (y <= bottom)
    return found


def _is_prose(box: npt.NDArray[np.float32]) -> bool:
    """Whether words stand in full lines without gaps, as those of a column do; labels of rows end anywhere."""
    if len(box) < _LEAST_PROSE_LINES:
        return False
    ordered = box[np.argsort((box[:, 1] + box[:, 3]) / 2, kind="stable")]
    height = float(np.median(box[:, 3] - box[:, 1]))
    steps = np.diff((ordered[:, 1] + ordered[:, 3]) / 2)
    first = np.flatnonzero(np.concatenate(([True], steps > 0.5 * height)))
    left = np.minimum.reduceat(ordered[:, 0], first)
    right = np.maximum.reduceat(ordered[:, 2], first)
    ink = np.add.reduceat(ordered[:, 2] - ordered[:, 0], first)
    width = float(right.max() - left.min())
    full = (right - left > _FULL_SHARE * width) & (ink > _INK_SHARE * (right - left))
    return len(first) >= _LEAST_PROSE_LINES and width > _PROSE_WIDTH * height and bool(full.mean() > _FULL_LINES)


def _goes_beyond(placed: GridWords, box: npt.NDArray[np.float32], free: npt.NDArray[np.bool_]) -> bool:
    """Whether most rows have words level with them outside the grid: then only some columns are ruled."""
    x0, top, x1, bottom = placed.grid.box
    middle = (box[:, 1] + box[:, 3]) / 2
    center = (box[:, 0] + box[:, 2]) / 2
    level = free & (middle > top) & (middle < bottom)
    outside = np.zeros(len(box), np.bool_)
    for side, apart in ((center < x0, x0 - box[:, 2]), (center > x1, box[:, 0] - x1)):
        # A line that the grid's edge cuts goes on inside; text of another column stands clear of it.
        if not (bool((apart[level & side] > _CLEAR).all()) and _is_prose(box[level & side])):
            outside |= level & side & (apart > -1)
    heights = np.sort(middle[outside])
    if not len(heights):
        return False
    beyond = 0
    rows = np.unique(placed.row)
    for r in rows.tolist():
        levels = middle[placed.words[placed.row == r]]
        at = np.clip(np.searchsorted(heights, levels), 1, len(heights)) - 1
        nearest = np.minimum(
            np.abs(heights[at] - levels), np.abs(heights[np.minimum(at + 1, len(heights) - 1)] - levels)
        )
        beyond += bool((nearest < _LEVEL).any())
    return beyond > _MOST_BEYOND * len(rows)
