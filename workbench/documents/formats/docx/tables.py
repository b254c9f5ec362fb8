"""Tables of a Word document: cells in their columns, merged ones once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..office.package import alternative, attribute, child, is_on, local, number
from ..office.table_headers import header_count
from .styles import Styles, is_bold
from .text import ParagraphText, read_paragraph

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MOST_COLUMNS = 1_000
"""Word itself allows 63; a file may claim any number."""

_TRANSPARENT = {"sdtContent", "ins", "moveTo", "customXml", "smartTag"}


@dataclass(slots=True)
class CellText:
    """One cell: its first grid column, its paragraphs, and the tables in it."""

    column: int
    covered: bool
    paragraphs: list[ParagraphText] = field(default_factory=list)
    tables: list[Element] = field(default_factory=list)


@dataclass(slots=True)
class TableText:
    """A table: its rows of cells, its grid columns, its header rows, and its cell where it has only one."""

    rows: list[list[CellText]]
    width: int
    headers: int
    lone_cell: Element | None
    deleted: int


def read_table(table: Element, styles: Styles) -> TableText:
    """Read the cells of a ``w:tbl``; rows that are deleted in tracked changes are left out."""
    rows: list[list[CellText]] = []
    elements: list[list[Element]] = []
    marked = deleted = 0
    for row in _parts(table, "tr"):
        properties = child(row, "trPr")
        if child(properties, "del") is not None:
            deleted += 1
            continue
        if is_on(child(properties, "tblHeader")) and marked == len(rows):
            marked += 1
        cells = list(_parts(row, "tc"))
        before = child(properties, "gridBefore")
        rows.append(_read_row(cells, number(attribute(before, "val")), styles))
        elements.append(cells)
    width = max((cell.column + 1 for row in rows for cell in row), default=0)
    lone = elements[0][0] if len(elements) == 1 and len(elements[0]) == 1 else None
    headers = 0 if lone is not None else marked or _guess_headers(rows, elements, width)
    return TableText(rows, width, min(headers, max(0, len(rows) - 1)), lone, deleted)


def _read_row(cells: list[Element], skipped: int, styles: Styles) -> list[CellText]:
    column = max(0, min(MOST_COLUMNS, skipped))
    row = []
    for element in cells:
        properties = child(element, "tcPr")
        merge = child(properties, "vMerge")
        covered = merge is not None and attribute(merge, "val") != "restart"
        cell = CellText(min(column, MOST_COLUMNS), covered)
        _fill(cell, element, styles)
        if column < MOST_COLUMNS:
            row.append(cell)
        elif row:
            row[-1].paragraphs += cell.paragraphs
            row[-1].tables += cell.tables
        span = child(properties, "gridSpan")
        column += max(1, min(MOST_COLUMNS, number(attribute(span, "val"), 1)))
    return row


def _fill(cell: CellText, container: Element, styles: Styles) -> None:
    for element in container:
        name = local(element)
        if name == "p":
            cell.paragraphs.append(read_paragraph(element, styles))
        elif name == "tbl":
            cell.tables.append(element)
        elif name == "sdt" or name in _TRANSPARENT:
            _fill(cell, element, styles)
        elif name == "AlternateContent":
            branch = alternative(element)
            if branch is not None:
                _fill(cell, branch, styles)


def _parts(container: Element, wanted: str) -> Iterator[Element]:
    """Yield rows or cells, also those inside content controls and tracked changes."""
    for element in container:
        name = local(element)
        if name == wanted:
            yield element
        elif name == "sdt" or name in _TRANSPARENT:
            yield from _parts(element, wanted)


def _guess_headers(rows: list[list[CellText]], elements: list[list[Element]], width: int) -> int:
    """Find header rows where none is marked: by what they say, else by a first row that alone is bold."""
    texts = [[""] * width for _ in rows[:40]]
    for line, row in zip(texts, rows, strict=False):
        for cell in row:
            if not cell.covered:
                line[cell.column] = " ".join(found.text for found in cell.paragraphs)
    depth = header_count(texts)
    if depth or len(rows) < 2 or width < 2:
        return depth
    bold = [all(is_bold(cell) for cell in cells if _has_text(cell)) for cells in elements[:2]]
    return int(bold[0] and not bold[1] and any(_has_text(cell) for cell in elements[0]))


def _has_text(cell: Element) -> bool:
    return any((text.text or "").strip() for text in cell.iter("{*}t"))
