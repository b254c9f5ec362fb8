"""Reading order of a page: columns are read one after the other, what spans them stands between.

The page is divided at *gutters*: upright strips of white with prose on both sides. Tables have white strips
too, but no prose on both sides of them; a ruled table counts as one unit that is never divided. A chart, a
margin note or a sidebar beside prose is parted from it as well: its lines do not stand level with the prose.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_LEAST_LINES = 3  # lines of prose on both sides make a gutter
_LEFT_MARGIN = 0.18  # a gutter stands at least this share of the width away from the left edge
_MOST_CANDIDATES = 14
_DEEPEST = 4
_LEAST_BESIDE, _LEVEL, _MOST_LEVEL = 2, 0.2, 0.5  # lines; share of the height; share of the lines
_LEAST_TEXT = 0.4  # of the lines of a column
_ROW_SIZES = 0.2
_ROW_HEIGHT, _TABLE_CELLS = 3.0, 5  # points
_MOST_TRAILING = 3


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of words without wide gaps, or a whole ruled table.

    Attributes
    ----------
    x0, top, x1, bottom : float
        Box in points, in the frame in which the text reads from left to right.
    prose : bool
        Whether it is long enough to be a line of running text.
    size : float
        Font size in points; 0 for a table.
    short : bool
        Whether it has so few letters that it may be a raised mark.
    rows : int
        How many lines it stands for: the rows of a ruled table.
    """

    x0: float
    top: float
    x1: float
    bottom: float
    prose: bool
    size: float = 0.0
    short: bool = False
    rows: int = 1

    @property
    def middle(self) -> float:
        """Height of its middle, in points from the top."""
        return (self.top + self.bottom) / 2


def reading_regions(chunks: Sequence[Chunk]) -> list[list[int]]:
    """Group chunk indices into regions in reading order; a region is one column between two spanning parts.

    Examples
    --------
    >>> left = [Chunk(50, y, 290, y + 10, True) for y in range(100, 160, 12)]
    >>> right = [Chunk(310, y, 550, y + 10, True) for y in range(100, 160, 12)]
    >>> title = Chunk(100, 60, 500, 80, True)
    >>> reading_regions([*right, title, *left])
    [[5], [6, 7, 8, 9, 10], [0, 1, 2, 3, 4]]
    """
    return [region for region in _divide(chunks, list(range(len(chunks))), 0) if region]


def _divide(chunks: Sequence[Chunk], members: list[int], depth: int) -> list[list[int]]:
    ordered = sorted(members, key=lambda i: (chunks[i].top, chunks[i].x0))
    enough = _rows([chunks[i] for i in ordered]) >= 2 * _LEAST_LINES
    divisible = depth < _DEEPEST and enough and not _is_wide_table(chunks, ordered)
    gutter = _best_gutter(chunks, ordered) if divisible else None
    if gutter is None:
        return [ordered]
    regions: list[list[int]] = []
    spanning: list[int] = []
    crossing = [i for i in ordered if _crosses(chunks[i], gutter)]
    crossing = _with_last_lines(chunks, crossing, ordered, gutter)
    bands = _bands(chunks, ordered, gutter, crossing)
    for rank, (across, left, right) in enumerate(bands):
        spanning.extend(across)
        if not _reads_in_columns(chunks, left, right):
            spanning.extend(sorted(left + right, key=lambda i: (chunks[i].top, chunks[i].x0)))
            continue
        regions.append(spanning)
        spanning = _trailing(chunks, left, right) if rank + 1 < len(bands) else []
        column = [i for i in left if i not in spanning]
        regions.extend(_divide(chunks, column, depth + 1))
        regions.extend(_divide(chunks, right, depth + 1))
    regions.append(spanning)
    return regions


def _trailing(chunks: Sequence[Chunk], left: list[int], right: list[int]) -> list[int]:
    """A short line on the left below both columns, apart from them: the heading of what spans the page below."""
    end = max(chunks[i].bottom for i in right)
    ordered = sorted(left, key=lambda i: chunks[i].top)
    for count in range(1, min(_MOST_TRAILING, len(ordered) - 1) + 1):
        first, above = chunks[ordered[-count]], chunks[ordered[-count - 1]]
        if first.top <= end:
            return []
        if first.top - above.bottom > 0.9 * (first.bottom - first.top):
            return ordered[-count:]
    return []


def _is_wide_table(chunks: Sequence[Chunk], members: list[int]) -> bool:
    """Whether most rows have more cells than a page has columns: then the white strips part cells, not columns."""
    rows = Counter(round(chunks[i].middle / _ROW_HEIGHT) for i in members)
    in_table = sum(count for count in rows.values() if count >= _TABLE_CELLS)
    return in_table > 0.6 * len(members)


def _best_gutter(chunks: Sequence[Chunk], members: list[int]) -> float | None:
    low = min(chunks[i].x0 for i in members)
    high = max(chunks[i].x1 for i in members)
    starts: dict[int, tuple[int, float]] = {}
    for i in members:
        chunk = chunks[i]
        if chunk.x0 > low + _LEFT_MARGIN * (high - low):
            count, edge = starts.get(round(chunk.x0 / 6), (0, chunk.x0))
            starts[round(chunk.x0 / 6)] = (count + 1, min(edge, chunk.x0))
    likely = sorted(starts.values(), reverse=True)[:_MOST_CANDIDATES]
    best, best_score = None, 0
    for _, edge in likely:
        # What begins well right of the left edge and crosses the line belongs to the column that it would cut.
        crossing = [i for i in members if _crosses(chunks[i], edge)]
        score = -sum(chunks[i].x0 > low + 0.3 * (high - low) for i in crossing)
        for _, left, right in _bands(chunks, members, edge, crossing):
            if _reads_in_columns(chunks, left, right):
                score += 1 + min(len(left), len(right))
        if score > best_score:
            best, best_score = edge, score
    return best


def _crosses(chunk: Chunk, gutter: float) -> bool:
    return chunk.x0 < gutter - 2 and chunk.x1 > gutter + 1


def _with_last_lines(chunks: Sequence[Chunk], crossing: list[int], members: list[int], gutter: float) -> list[int]:
    """Add the short last line of a paragraph that crosses the gutter: right below it, with nothing on its right."""
    found = list(crossing)
    known = set(crossing)
    right = [chunks[i] for i in members if chunks[i].x0 >= gutter - 2]
    for i in members:
        line = chunks[i]
        if i in known or line.x1 > gutter + 1:
            continue
        above = [
            other
            for other in (chunks[k] for k in crossing)
            if abs(other.x0 - line.x0) < 3 and 0 < line.top - other.top < 1.45 * (other.bottom - other.top) + 1
        ]
        if any(alike(other, line) for other in above) and not any(
            min(line.bottom, other.bottom) > max(line.top, other.top) for other in right
        ):
            found.append(i)
    return found


def _bands(
    chunks: Sequence[Chunk], members: list[int], gutter: float, crossing: list[int]
) -> list[tuple[list[int], list[int], list[int]]]:
    """Cut a region where something crosses the gutter: (crossing parts, left below them, right below them)."""
    bands: list[tuple[list[int], list[int], list[int]]] = [([], [], [])]
    marks = [((chunks[i].top + chunks[i].bottom) / 2, 0, i) for i in crossing]
    crosses = set(crossing)
    marks += [((chunks[i].top + chunks[i].bottom) / 2, 1, i) for i in members if i not in crosses]
    for _, kind, i in sorted(marks):
        if kind == 0:
            if bands[-1][1] or bands[-1][2]:
                bands.append(([], [], []))
            bands[-1][0].append(i)
        elif chunks[i].x1 <= gutter + 1:
            bands[-1][1].append(i)
        else:
            bands[-1][2].append(i)
    return bands


def _reads_in_columns(chunks: Sequence[Chunk], left: list[int], right: list[int]) -> bool:
    sides = ([chunks[i] for i in left], [chunks[i] for i in right])
    # Rules hold the cells of a table together, so that what stands beside it is no cell of its rows.
    text_left, text_right = ([chunk for chunk in side if chunk.prose or chunk.rows > 1] for side in sides)
    if all(
        _rows(text) >= max(_LEAST_LINES, _LEAST_TEXT * _rows(side))
        for text, side in zip((text_left, text_right), sides, strict=True)
    ):
        return _side_by_side(text_left, text_right)
    text, beside = sides
    if _rows(text_left) * len(beside) < _rows(text_right) * len(text):
        text, beside = beside, text
    if _rows(beside) < _LEAST_BESIDE or sum(chunk.prose for chunk in text) < max(_LEAST_LINES, 0.6 * len(text)):
        return False
    if not _side_by_side(beside, text):
        return False
    return max(_level_share(beside, text), _level_share(text, beside)) < _MOST_LEVEL


def _rows(chunks: Sequence[Chunk]) -> int:
    return sum(chunk.rows for chunk in chunks)


def _side_by_side(left: Sequence[Chunk], right: Sequence[Chunk]) -> bool:
    top = max(min(chunk.top for chunk in left), min(chunk.top for chunk in right))
    bottom = min(max(chunk.bottom for chunk in left), max(chunk.bottom for chunk in right))
    return bottom > top


def _level_share(chunks: Sequence[Chunk], others: Sequence[Chunk]) -> float:
    """Share of the lines that stand level with one of the others in the same size, as the cells of a row do."""
    ordered = sorted(others, key=lambda chunk: chunk.middle)
    middles = [chunk.middle for chunk in ordered]
    level = 0
    for chunk in chunks:
        at = bisect_left(middles, chunk.middle)
        reach = _LEVEL * (chunk.bottom - chunk.top)
        near = (ordered[k] for k in (at - 1, at) if 0 <= k < len(ordered))
        level += chunk.rows * any(abs(other.middle - chunk.middle) < reach and alike(chunk, other) for other in near)
    return level / _rows(chunks)


def alike(chunk: Chunk, other: Chunk) -> bool:
    """Whether two chunks can be cells of one row: those have one font size, a caption beside a heading has not."""
    larger = max(chunk.size, other.size)
    return larger - min(chunk.size, other.size) <= _ROW_SIZES * larger
