"""From rows to tables: columns, header rows, wrapped labels, and tables that go on overleaf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from ....anchors import JOINT_CELL, JOINT_SPACE, Piece
from .rows import RowCell, cells_of
from .text_lines import TextLine

_MOST_HEADER_ROWS = 5
_VALUE_SHARE, _BESIDE = 0.3, 4.0  # of the fullest column; points
_TABLE_PITCH = 4.5
_SAME_COLUMNS = 0.6


@dataclass(slots=True)
class TableRow:
    """A row: pieces with their columns, the lines they come from, and whether it is a header row."""

    lines: list[TextLine]
    pieces: list[Piece]
    is_header: bool


@dataclass(slots=True)
class Table:
    """Rows of one table on one page, and the edges of its columns in points."""

    rows: list[TableRow]
    columns: list[tuple[float, float]] = field(default_factory=list)

    @property
    def first_line(self) -> TextLine:
        """The line on which it begins."""
        return self.rows[0].lines[0]


def split_tables(rows: Sequence[TextLine], pitch: float) -> list[list[TextLine]]:
    """Divide consecutive rows of one region where a wide gap or a ruled table parts them."""
    groups: list[list[TextLine]] = []
    for line in rows:
        before = groups[-1][-1] if groups else None
        if (
            before is not None
            and before.grid == line.grid
            and before.page == line.page
            and (line.grid >= 0 or line.top - before.top < _TABLE_PITCH * max(pitch, line.height))
        ):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def build_table(lines: Sequence[TextLine]) -> Table:
    """Arrange the rows of one table in columns and find its header rows."""
    if lines[0].grid >= 0:
        return _ruled_table(lines)
    cells = [cells_of(line) for line in lines]
    columns = _column_edges(cells)
    headers = _header_count(cells)
    values = _value_columns(cells[headers:], columns)
    rows: list[TableRow] = []
    waiting: list[tuple[TextLine, list[RowCell]]] = []
    for rank, (line, found) in enumerate(zip(lines, cells, strict=True)):
        is_header = rank < headers
        following = cells[rank + 1] if rank + 1 < len(cells) else None
        if not is_header and following and _label_goes_on(line, found, lines[rank + 1], following):
            waiting.append((line, found))
            continue
        group = [*waiting, (line, found)]
        waiting = []
        place = (
            partial(_headed_column, columns=columns, values=values)
            if is_header
            else partial(_column_of, columns=columns)
        )
        rows.append(_row(group, place if columns else _only_column, is_header))
    return Table(rows, columns)


def _ruled_table(lines: Sequence[TextLine]) -> Table:
    rows = [TableRow([line], _as_cell_pieces(line), False) for line in lines]
    cells = [cells_of(line) for line in lines]
    headers = _header_count(cells) or int(len(rows) > 1 and not any(cell.numeric for cell in cells[0]))
    for row in rows[:headers]:
        row.is_header = True
    edges: dict[int, tuple[float, float]] = {}
    for line in lines:
        for piece, (x0, x1) in zip(line.pieces, line.cell_edges, strict=True):
            low, high = edges.get(piece.column, (x0, x1))
            edges[piece.column] = (min(low, x0), max(high, x1))
    return Table(rows, [edges[column] for column in sorted(edges)])


def _as_cell_pieces(line: TextLine) -> list[Piece]:
    pieces: list[Piece] = []
    for piece in line.pieces:
        new_cell = not pieces or pieces[-1].column != piece.column
        joint = JOINT_CELL if new_cell else (piece.joint if piece.joint != JOINT_CELL else JOINT_SPACE)
        pieces.append(Piece(piece[0], piece[1], joint, piece[3]))
    return pieces


def _column_edges(rows: Sequence[list[RowCell]]) -> list[tuple[float, float]]:
    """Merge the cells of all rows with numbers into columns where they overlap."""
    spans = sorted(
        (cell.x0, cell.x1)
        for cells in rows
        if len(cells) > 1 and any(cell.numeric for cell in cells[1:])
        for cell in cells
    )
    if not spans:
        spans = sorted((cell.x0, cell.x1) for cells in rows if len(cells) > 1 for cell in cells)
    columns: list[tuple[float, float]] = []
    for x0, x1 in spans:
        if columns and x0 < columns[-1][1] - 0.5:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def _column_of(cell: RowCell, columns: list[tuple[float, float]]) -> int:
    """The column with most overlap, or the nearest one."""
    best, best_score = 0, float("-inf")
    for rank, (x0, x1) in enumerate(columns):
        overlap = min(cell.x1, x1) - max(cell.x0, x0)
        score = overlap if overlap <= 0 else overlap / max(1.0, min(cell.x1 - cell.x0, x1 - x0)) * 1_000
        if score > best_score:
            best, best_score = rank, score
    return best


def _header_count(rows: Sequence[list[RowCell]]) -> int:
    """Rows above the first one that has a number other than a year, if there are few.

    A label alone right above the numbers ("Current assets") begins a section of the table, it heads no column.
    """
    for rank, cells in enumerate(rows[: _MOST_HEADER_ROWS + 1]):
        if not any(cell.numeric and not cell.yearlike for cell in (cells[1:] if len(cells) > 1 else cells)):
            continue
        while rank and len(rows[rank - 1]) == 1 and not rows[rank - 1][0].yearlike:
            rank -= 1  # noqa: PLW2901
        return rank
    return 0


def _value_columns(rows: Sequence[list[RowCell]], columns: list[tuple[float, float]]) -> list[int]:
    """Columns that hold numbers in a good share of the rows with numbers: those that a header can name."""
    counts = Counter(
        _column_of(cell, columns) for cells in rows if len(cells) > 1 for cell in cells[1:] if cell.numeric
    )
    most = max(counts.values(), default=0)
    return sorted(column for column, count in counts.items() if count >= _VALUE_SHARE * most)


def _headed_column(cell: RowCell, columns: list[tuple[float, float]], values: Sequence[int]) -> int:
    """The column that a header cell names: the first value column below it, or the nearest one."""
    if not values or (cell.x1 < columns[values[0]][0] - _BESIDE and cell.x0 < columns[0][1]):
        return _column_of(cell, columns)
    middle = (cell.x0 + cell.x1) / 2

    def distance(column: int) -> float:
        x0, x1 = columns[column]
        below = min(cell.x1, x1) - max(cell.x0, x0) > 0.3 * min(cell.x1 - cell.x0, x1 - x0)
        return 0.0 if below else abs((x0 + x1) / 2 - middle)

    return min(values, key=distance)


def _only_column(cell: RowCell) -> int:
    del cell
    return 0


def _label_goes_on(line: TextLine, cells: list[RowCell], following: TextLine, following_cells: list[RowCell]) -> bool:
    """Whether a line begins the next row's label: it has no numbers, and the label goes on in small letters."""
    if len(cells) > 1 or cells[0].numeric or len(following_cells) < 2:
        return False
    label = following_cells[0].text
    if line.text.rstrip().endswith((":", ".")) or following.top - line.top > 1.8 * max(line.height, following.height):
        return False
    return label[:1].islower() or line.text.rstrip().endswith((",", " and", " of", " or", " to", " the", " for", " in"))


def _row(
    group: Sequence[tuple[TextLine, list[RowCell]]], column_of: Callable[[RowCell], int], is_header: bool
) -> TableRow:
    placed: list[tuple[int, int, Piece]] = []
    for order, (line, cells) in enumerate(group):
        before = -1
        for cell in cells:
            column = max(before, column_of(cell))
            before = column
            for rank in range(cell.first, cell.last):
                piece = line.pieces[rank]
                joint = JOINT_SPACE if piece.joint == JOINT_CELL else piece.joint
                placed.append((column, order, Piece(piece[0], piece[1], joint, column)))
    placed.sort(key=lambda entry: entry[:2])
    pieces: list[Piece] = []
    for column, _, piece in placed:
        if not pieces or pieces[-1].column != column:
            pieces.append(Piece(piece[0], piece[1], JOINT_CELL, column))
        else:
            pieces.append(piece)
    return TableRow([line for line, _ in group], pieces, is_header)


def continues(table: Table, before: Table) -> bool:
    """Whether a table at the top of a page goes on from the last one of the page before: its columns are the same.

    A table that has header rows of its own equal to the earlier ones continues it as well.
    """
    if table.first_line.page != before.rows[-1].lines[-1].page + 1:
        return False
    if len(table.columns) < 2 or len(before.columns) < 2:
        return False
    matched = sum(
        any(
            min(x1, other1) - max(x0, other0) > 0.5 * min(x1 - x0, other1 - other0) for other0, other1 in before.columns
        )
        for x0, x1 in table.columns
    )
    heads = [[line.text for row in part.rows if row.is_header for line in row.lines] for part in (table, before)]
    if all(heads) and heads[0] != heads[1]:
        return False
    similar = abs(len(table.columns) - len(before.columns)) <= max(1, len(before.columns) // 4)
    return similar and matched >= _SAME_COLUMNS * len(table.columns)
