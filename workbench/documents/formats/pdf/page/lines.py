"""From words to lines in reading order, each line divided into cells at its wide gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .columns import Chunk, alike, reading_regions
from .geometry import turn_upright
from .grids import GridWords
from .words import PageWords

NO_GRID = -1
_SAME_LINE_OVERLAP = 0.4  # of the lower of two words
_ROW_OVERLAP = 0.5
_CELL_GAP, _LEAST_SIZE = 0.9, 4.0  # of the font size; points
_PROSE_WORDS, _PROSE_CJK_LETTERS = 4, 10
_LOOK_BACK = 4
_MARK_LETTERS, _OTHER_SIZE = 3, 2.5
_LEAST_PARTED = 3  # columns


@dataclass(slots=True, eq=False)
class PageLines:
    """Lines (l) of a page in reading order, and its words (w) permuted to follow them.

    Attributes
    ----------
    order : ndarray of int64, shape (w,)
        The page's words, line by line, from left to right.
    cell : ndarray of int16, shape (w,)
        Cell of each word of ``order`` within its line, from 0.
    first : ndarray of int32, shape (l + 1,)
        Words of line i are ``order[first[i]:first[i + 1]]``.
    box : ndarray of float32, shape (l, 4)
        x0, top, x1, bottom in the frame in which the line reads from left to right.
    direction : ndarray of uint8, shape (l,)
        Quarter turns clockwise of that frame.
    region : ndarray of int16, shape (l,)
        Rank of the column or spanning part, in reading order.
    grid : ndarray of int16, shape (l,)
        Rank of the ruled table that the line is a row of, or -1.
    """

    order: npt.NDArray[np.int64]
    cell: npt.NDArray[np.int16]
    first: npt.NDArray[np.int32]
    box: npt.NDArray[np.float32]
    direction: npt.NDArray[np.uint8]
    region: npt.NDArray[np.int16]
    grid: npt.NDArray[np.int16]


@dataclass(slots=True)
class _Line:
    words: list[int]
    cells: list[int]
    box: tuple[float, float, float, float]
    direction: int
    region: int
    grid: int = NO_GRID


def build_lines(words: PageWords, grids: list[GridWords], width: float, height: float) -> PageLines:
    """Order the words of a page of the given size (points); words of a grid become one line a row."""
    in_grid = np.zeros(len(words), bool)
    for grid in grids:
        in_grid[grid.words] = True
    lines: list[_Line] = []
    free = np.flatnonzero(~in_grid)
    directions = words.direction[free]
    # The direction with most words is read first: a table printed sideways is the page, its margin is not.
    present = sorted(set(directions.tolist()) | ({0} if grids else set()), key=lambda d: -int((directions == d).sum()))
    for direction in present:
        members = free[directions == direction]
        found_grids = grids if direction == 0 else []
        region = 1 + max((line.region for line in lines), default=-1)
        lines.extend(_lines_of(words, members, found_grids, direction, (width, height), region))
    return _as_arrays(lines)


def _lines_of(
    words: PageWords,
    members: npt.NDArray[np.int64],
    grids: list[GridWords],
    direction: int,
    page_size: tuple[float, float],
    region: int,
) -> list[_Line]:
    box = turn_upright(words.box[members], direction, *page_size)
    size = words.size[members]
    letters = words.end[members] - words.start[members]
    starts = _chunk_starts(box, size, letters, words.glued[members])
    ends = np.append(starts[1:], len(members))
    chunks = _chunks(words, members, box, starts, ends) if len(members) else []
    units = [Chunk(*grid.grid.box, prose=False, rows=len(grid.grid.rows)) for grid in grids]
    lines: list[_Line] = []
    for rank, indices in enumerate(reading_regions([*chunks, *units])):
        open_rows: list[list[int]] = []
        for index in indices:
            if index < len(chunks):
                _add_to_row(open_rows, index, chunks)
            else:
                lines.extend(_text_rows(open_rows, chunks, members, starts, ends, direction, region + rank))
                open_rows = []
                lines.extend(_grid_rows(words, grids, index - len(chunks), region + rank))
        lines.extend(_text_rows(open_rows, chunks, members, starts, ends, direction, region + rank))
    return lines


def _chunk_starts(
    box: npt.NDArray[np.float32],
    size: npt.NDArray[np.float32],
    letters: npt.NDArray[np.int32],
    glued: npt.NDArray[np.bool_],
) -> npt.NDArray[np.int64]:
    """Ranks of the words that begin a chunk: on another line than the word before, or after a wide gap.

    A watermark that touches a line is no part of it; a large letter with which a paragraph begins is.
    """
    if not len(box):
        return np.zeros(0, np.int64)
    height = np.maximum(box[:, 3] - box[:, 1], 0.5)
    lower = np.minimum(height[1:], height[:-1])
    overlap = np.minimum(box[1:, 3], box[:-1, 3]) - np.maximum(box[1:, 1], box[:-1, 1])
    gap = box[1:, 0] - box[:-1, 2]
    limit = _CELL_GAP * np.maximum(np.maximum(size[1:], size[:-1]), _LEAST_SIZE)
    same = (overlap > _SAME_LINE_OVERLAP * lower) & (gap > -0.3 * lower - 1) & (gap <= limit)
    large, small = np.maximum(size[1:], size[:-1]), np.minimum(size[1:], size[:-1])
    letters_of_large = np.where(size[1:] > size[:-1], letters[1:], letters[:-1])
    same &= (large <= _OTHER_SIZE * small) | (letters_of_large <= _MARK_LETTERS)
    return np.flatnonzero(np.concatenate(([True], ~(same | glued[1:]))))


def _chunks(
    words: PageWords,
    members: npt.NDArray[np.int64],
    box: npt.NDArray[np.float32],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> list[Chunk]:
    low = np.minimum.reduceat(box[:, :2], starts, axis=0).tolist()
    high = np.maximum.reduceat(box[:, 2:], starts, axis=0).tolist()
    letters = np.add.reduceat(words.end[members] - words.start[members], starts)
    counts = ends - starts
    size = np.maximum.reduceat(words.size[members], starts).tolist()
    prose = ((counts >= _PROSE_WORDS) & (letters >= 3 * counts)) | (letters >= _PROSE_CJK_LETTERS * counts)
    return [
        Chunk(x0, top, x1, bottom, flag, points, short)
        for (x0, top), (x1, bottom), flag, points, short in zip(
            low, high, prose.tolist(), size, (letters <= _MARK_LETTERS).tolist(), strict=True
        )
    ]


def _add_to_row(rows: list[list[int]], index: int, chunks: list[Chunk]) -> None:
    """Put a chunk beside the chunks of its base line, or open a new row; chunks come from top to bottom."""
    chunk = chunks[index]
    for row in rows[: -_LOOK_BACK - 1 : -1]:
        first = chunks[row[0]]
        lower = min(chunk.bottom - chunk.top, first.bottom - first.top)
        overlap = min(chunk.bottom, first.bottom) - max(chunk.top, first.top)
        if (
            overlap > _ROW_OVERLAP * lower
            and (chunk.short or first.short or alike(chunk, first))
            and all(chunk.x1 <= chunks[i].x0 + 1 or chunk.x0 >= chunks[i].x1 - 1 for i in row)
        ):
            row.append(index)
            return
    rows.append([index])


def _text_rows(
    rows: list[list[int]],
    chunks: list[Chunk],
    members: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
    direction: int,
    region: int,
) -> list[_Line]:
    lines = []
    for row in rows:
        row.sort(key=lambda i: chunks[i].x0)
        line_words: list[int] = []
        cells: list[int] = []
        for cell, index in enumerate(row):
            span = range(int(starts[index]), int(ends[index]))
            line_words.extend(members[span.start : span.stop].tolist())
            cells.extend([cell] * len(span))
        box = (
            min(chunks[i].x0 for i in row),
            min(chunks[i].top for i in row),
            max(chunks[i].x1 for i in row),
            max(chunks[i].bottom for i in row),
        )
        lines.append(_Line(line_words, cells, box, direction, region))
    return lines


def _grid_rows(words: PageWords, grids: list[GridWords], rank: int, region: int) -> list[_Line]:
    """One line a row of a ruled table; within a cell, words stay in the order in which they are drawn."""
    grid = grids[rank]
    lines = []
    for row in np.unique(grid.row).tolist():
        inside = np.flatnonzero(grid.row == row)
        for members in _printed_rows(words, grid, inside):
            ranked = members[np.lexsort((grid.words[members], grid.column[members]))]
            box = words.box[grid.words[ranked]]
            low, high = box[:, :2].min(axis=0).tolist(), box[:, 2:].max(axis=0).tolist()
            lines.append(
                _Line(
                    grid.words[ranked].tolist(),
                    grid.column[ranked].tolist(),
                    (low[0], low[1], high[0], high[1]),
                    0,
                    region,
                    rank,
                )
            )
    return lines


def _printed_rows(words: PageWords, grid: GridWords, inside: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Divide a ruled row whose cells all hold the same number of lines at the same heights: rules only part groups.

    Where the cells hold different numbers of lines, their text is wrapped and the row is one.
    """
    box = words.box[grid.words[inside]]
    middle = (box[:, 1] + box[:, 3]) / 2
    height = max(1.0, float(np.median(box[:, 3] - box[:, 1])))
    order = np.argsort(middle)
    level = np.zeros(len(inside), np.int64)
    level[order] = np.cumsum(np.concatenate(([0], np.diff(middle[order]) > 0.5 * height)))
    count = int(level.max()) + 1
    if count < 2:
        return [inside]
    columns = grid.column[inside]
    lines_of = [len(np.unique(level[columns == column])) for column in np.unique(columns)]
    if len(lines_of) < _LEAST_PARTED or sum(lines == count for lines in lines_of) < 0.7 * len(lines_of):
        return [inside]
    return [inside[level == rank] for rank in range(count)]


def _as_arrays(lines: list[_Line]) -> PageLines:
    counts = [len(line.words) for line in lines]
    return PageLines(
        order=np.array([word for line in lines for word in line.words], np.int64),
        cell=np.array([cell for line in lines for cell in line.cells], np.int16),
        first=np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
        box=np.array([line.box for line in lines], np.float32).reshape(-1, 4),
        direction=np.array([line.direction for line in lines], np.uint8),
        region=np.array([line.region for line in lines], np.int16),
        grid=np.array([line.grid for line in lines], np.int16),
    )
