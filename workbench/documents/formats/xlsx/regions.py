"""Tables on a sheet: regions of cells between blank rows and columns, their titles and their header rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ..office.table_headers import header_count
from .workbook import Area, SheetCell, SheetRows

Row = tuple[int, list[SheetCell]]
"""A 1-based row number and its cells with text, from left to right."""

_DEEPEST = 8
_HEAD_ROWS = 40
_MOST_COVERS = 2_000_000
"""Most steps spent on merged ranges; more of them overlap each other, which no program writes."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NAME = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")


@dataclass(slots=True)
class Region:
    """A table on a sheet.

    Attributes
    ----------
    titles : list of Row
        Rows of one cell above the table.
    rows : list of Row
        The rows of the table.
    headers : set of int
        Ranks, in ``rows``, of those that name the columns.
    first_column, last_column : int
        1-based.
    """

    titles: list[Row]
    rows: list[Row]
    headers: set[int] = field(default_factory=set)
    first_column: int = 1
    last_column: int = 1


def take_covered(found: SheetRows) -> list[str]:
    """Remove the cells that a merged range hides and return their texts."""
    hidden: list[str] = []
    budget = _MOST_COVERS
    for area in found.merged:
        span = area.last_row - area.first_row + 1
        numbers = range(area.first_row, area.last_row + 1) if span <= len(found.rows) else list(found.rows)
        for row in numbers:
            cells = found.rows.get(row)
            budget -= 1 + len(cells or ())
            if budget < 0:
                return hidden
            if not cells or not area.first_row <= row <= area.last_row:
                continue
            kept = [cell for cell in cells if not _covers(area, row, cell.column)]
            if len(kept) < len(cells):
                hidden += [cell.text for cell in cells if _covers(area, row, cell.column)]
                found.rows[row] = kept
    return hidden


def _covers(area: Area, row: int, column: int) -> bool:
    inside = area.first_row <= row <= area.last_row and area.first_column <= column <= area.last_column
    return inside and (row, column) != (area.first_row, area.first_column)


def find_regions(found: SheetRows) -> list[Region]:
    """Cut a sheet at its blank rows, and where two tables stand side by side at blank columns.

    A blank column only separates if there are two columns or more on each side and the right side begins with
    names: otherwise it is a gap between the columns of one table, as is usual in financial statements.
    """
    rows = [(row, cells) for row, cells in sorted(found.rows.items()) if cells]
    return [_region(part, found) for part in _parts(rows, _DEEPEST)]


def _parts(rows: list[Row], depth: int) -> Iterator[list[Row]]:
    for band in _bands(rows):
        sides = _sides(band) if depth else [band]
        if len(sides) == 1:
            yield band
        else:
            for side in sides:
                yield from _parts(side, depth - 1)


def _bands(rows: list[Row]) -> Iterator[list[Row]]:
    start = 0
    for at in range(1, len(rows) + 1):
        if at == len(rows) or rows[at][0] > rows[at - 1][0] + 1:
            yield rows[start:at]
            start = at


def _sides(band: list[Row]) -> list[list[Row]]:
    filled: dict[int, int] = {}
    named: dict[int, int] = {}
    for _, cells in band:
        for cell in cells:
            filled[cell.column] = filled.get(cell.column, 0) + 1
            if not cell.numeric and _NAME.search(cell.text):
                named[cell.column] = named.get(cell.column, 0) + 1
    columns = sorted(filled)
    groups: list[list[int]] = [columns[:1]]
    for before, column in pairwise(columns):
        if column == before + 1:
            groups[-1].append(column)
        else:
            groups.append([column])
    cuts: list[int] = []
    left = groups[0]
    for group in groups[1:]:
        first = group[0]
        if len(left) >= 2 and len(group) >= 2 and 2 * named.get(first, 0) >= filled[first]:
            cuts.append(first)
            left = group
        else:
            left = left + group
    return _divided(band, cuts)


def _divided(band: list[Row], cuts: list[int]) -> list[list[Row]]:
    if not cuts:
        return [band]
    edges = [0, *cuts, 1 << 20]
    sides = []
    for low, high in pairwise(edges):
        side = [(row, [cell for cell in cells if low <= cell.column < high]) for row, cells in band]
        sides.append([(row, cells) for row, cells in side if cells])
    return [side for side in sides if side]


def _region(rows: list[Row], found: SheetRows) -> Region:
    first = min(cells[0].column for _, cells in rows)
    last = max(cells[-1].column for _, cells in rows)
    titles = 0
    if last > first and any(len(cells) > 1 for _, cells in rows):
        while len(rows[titles][1]) == 1 and rows[titles][1][0].column == first and not rows[titles][1][0].numeric:
            titles += 1
    region = Region(rows[:titles], rows[titles:], first_column=first, last_column=last)
    region.headers = _headers(region, found.headed)
    return region


def _headers(region: Region, headed: Sequence[Area]) -> set[int]:
    ranks = {row: rank for rank, (row, _) in enumerate(region.rows)}
    stated = {
        ranks[area.first_row]
        for area in headed
        if area.first_row in ranks
        and area.last_row > area.first_row
        and area.first_column <= region.last_column
        and area.last_column >= region.first_column
    }
    if stated or len(region.rows) < 2:
        return stated
    # Columns far to the right of the others are not needed to see which row names them.
    texts = [_texts(cells, region.first_column) for _, cells in region.rows[:_HEAD_ROWS]]
    width = max(map(len, texts))
    texts = [line + [""] * (width - len(line)) for line in texts]
    for line, below in pairwise(texts[:3]):
        for column, text in enumerate(line):
            # Months head columns of figures: a date with none below is a name.
            if _DATE.fullmatch(text) and not _DATE.fullmatch(below[column]):
                line[column] = "date"
    depth = header_count(texts)
    if not depth and width > 1:
        above, under = region.rows[0][1], region.rows[1][1]
        bold = len(above) > 1 and all(cell.bold and not cell.numeric for cell in above)
        depth = int(bold and not all(cell.bold for cell in under))
    return set(range(depth))


def _texts(cells: list[SheetCell], first_column: int) -> list[str]:
    line: list[str] = []
    for cell in cells:
        at = cell.column - first_column
        if at >= 1_000:
            break
        line += [""] * (at - len(line))
        line.append(cell.text)
    return line
