"""Workbooks: their sheets, shared strings, formats, and the cells of a sheet as far as it has any.

Cells are read as they are stored, one row at a time. The size that a sheet declares is not looked at: a sheet
that claims all 17 billion cells and holds two costs two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from ..office.package import OfficePackage, Relation, attribute, broken_part, child, descendants, is_on, local, number
from .values import Display, display_of, number_text, unescape

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

LAST_COLUMN = 16_384
LAST_ROW = 1_048_576

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")


class CellFormat(NamedTuple):
    """How a cell shows numbers, and whether it is bold."""

    display: Display = Display.NUMBER
    bold: bool = False


class SheetCell(NamedTuple):
    """A cell with text: 1-based column, what it says, whether that is a number or date, and whether it is bold."""

    column: int
    text: str
    numeric: bool
    bold: bool


class Area(NamedTuple):
    """A range of cells, 1-based, ends included."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int


@dataclass(slots=True)
class Sheet:
    """A sheet: its name, part, state ("visible", "hidden", "veryHidden"), and whether it holds cells."""

    name: str
    part: str
    state: str
    is_grid: bool


@dataclass(slots=True)
class SheetRows:
    """The rows of a sheet, and what was met while reading them.

    Attributes
    ----------
    rows : dict of int to list of SheetCell
        By 1-based row number; only rows with text.
    merged : list of Area
    headed : list of Area
        Tables and filtered ranges, whose first row names the columns.
    uncached : int
        Formulas without a stored result.
    hidden_rows : int
    """

    rows: dict[int, list[SheetCell]] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    headed: list[Area] = field(default_factory=list)
    uncached: int = 0
    hidden_rows: int = 0


class Workbook:
    """The sheets of a workbook and what their cells refer to."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        main = package.main_part()
        root = package.xml(main)
        relations = package.relations(main)
        self.mac_dates = attribute(child(root, "workbookPr"), "date1904") in ("1", "true")
        self.sheets = list(_sheets(package, root, relations))
        self.listed = sum(1 for _ in descendants(root, "sheet"))
        self._formats = _formats(package, relations)
        self._strings = list(_shared_strings(package, relations))

    def read_rows(self, sheet: Sheet, *, most_rows: int) -> Iterator[SheetRows]:
        """Yield the growing content of a sheet after every row, so that the caller can stop."""
        found = SheetRows()
        rows = filled = 0
        with self._package.open(sheet.part) as stream:
            for element in _elements(self._package.name, sheet.part, stream, ("row", "mergeCell", "autoFilter")):
                name = local(element)
                if name == "row":
                    rows = number(element.get("r"), rows + 1)
                    if rows > LAST_ROW or rows < 1:
                        continue
                    found.hidden_rows += element.get("hidden") in ("1", "true")
                    cells = self._cells(element, found)
                    if cells:
                        found.rows[rows] = cells
                        filled += 1
                    if filled >= most_rows:
                        break
                    yield found
                else:
                    area = area_of(element.get("ref") or "")
                    if area is not None:
                        (found.merged if name == "mergeCell" else found.headed).append(area)
        for part in self._package.related(sheet.part, "table"):
            root = self._package.xml(part)
            area = area_of(root.get("ref") or "")
            if area is not None and number(root.get("headerRowCount"), 1) > 0:
                found.headed.append(area)
        yield found

    def drawings(self, sheet: Sheet) -> list[str]:
        """Return the drawing parts of a sheet."""
        return self._package.related(sheet.part, "drawing")

    def has_comments(self, sheet: Sheet) -> bool:
        """Whether a sheet has comments or threads of them."""
        return any(self._package.related(sheet.part, kind) for kind in ("comments", "threadedComment"))

    def _cells(self, row: Element, found: SheetRows) -> list[SheetCell]:
        cells: list[SheetCell] = []
        column = 0
        for element in row:
            if local(element) != "c":
                continue
            reference = _REFERENCE.fullmatch(element.get("r") or "")
            column = column_number(reference.group(1)) if reference else column + 1
            if column > LAST_COLUMN:
                continue
            style = number(element.get("s"))
            shown = self._formats[style] if 0 <= style < len(self._formats) else CellFormat()
            text, numeric = self._text(element, shown, found)
            if text.strip():
                cells.append(SheetCell(column, text, numeric, shown.bold))
        # Columns are in order by the standard; a file that breaks it must not break the table.
        return sorted({cell.column: cell for cell in cells}.values())

    def _text(self, cell: Element, shown: CellFormat, found: SheetRows) -> tuple[str, bool]:
        stored, formula = "", False
        kind = cell.get("t") or "n"
        for element in cell:
            name = local(element)
            if name == "v":
                stored = element.text or ""
            elif name == "f":
                formula = True
            elif name == "is":
                return unescape(_rich_text(element)), False
        if not stored:
            found.uncached += formula and kind != "str"
            return "", False
        return self._stored_text(stored, kind, shown)

    def _stored_text(self, stored: str, kind: str, shown: CellFormat) -> tuple[str, bool]:
        if kind == "s":
            at = number(stored, -1)
            return (self._strings[at] if 0 <= at < len(self._strings) else ""), False
        if kind == "b":
            return ("FALSE" if stored.strip() == "0" else "TRUE"), True
        if kind in ("str", "e", "inlineStr"):
            return unescape(stored), False
        if kind == "d":
            return stored.removesuffix("T00:00:00").replace("T", " "), True
        return number_text(stored, shown.display, mac_dates=self.mac_dates), True


def column_number(letters: str) -> int:
    """Return the 1-based number of a column.

    Examples
    --------
    >>> column_number("A"), column_number("XFD")
    (1, 16384)
    """
    value = 0
    for letter in letters.upper():
        value = value * 26 + ord(letter) - 64
    return value


def column_letters(column: int) -> str:
    """Return the letters of a 1-based column.

    Examples
    --------
    >>> column_letters(1), column_letters(16384)
    ('A', 'XFD')
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def area_of(reference: str) -> Area | None:
    """Return the range that "A1:D2" names, or None."""
    first, _, last = reference.partition(":")
    low, high = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last or first)
    if low is None or high is None:
        return None
    return Area(int(low.group(2)), column_number(low.group(1)), int(high.group(2)), column_number(high.group(1)))


def _sheets(package: OfficePackage, root: Element, relations: dict[str, Relation]) -> Iterator[Sheet]:
    listed = child(root, "sheets")
    for element in listed if listed is not None else ():
        relation = relations.get(attribute(element, "id") or "")
        if relation is not None and package.has(relation.target):
            yield Sheet(
                name=element.get("name") or "",
                part=relation.target,
                state=element.get("state") or "visible",
                is_grid=relation.kind == "worksheet",
            )


def _formats(package: OfficePackage, relations: dict[str, Relation]) -> list[CellFormat]:
    part = _target(package, relations, "styles")
    if part is None:
        return []
    root = package.xml(part)
    codes = {number(e.get("numFmtId")): e.get("formatCode") or "" for e in descendants(root, "numFmt")}
    fonts = child(root, "fonts")
    bold = [is_on(child(font, "b")) for font in fonts] if fonts is not None else []
    formats = child(root, "cellXfs")
    found = []
    for element in formats if formats is not None else ():
        font, format_id = number(element.get("fontId")), number(element.get("numFmtId"))
        display = display_of(format_id, codes.get(format_id))
        found.append(CellFormat(display, 0 <= font < len(bold) and bold[font]))
    return found


def _shared_strings(package: OfficePackage, relations: dict[str, Relation]) -> Iterator[str]:
    part = _target(package, relations, "sharedStrings")
    if part is None:
        return
    with package.open(part) as stream:
        for element in _elements(package.name, part, stream, ("si",)):
            yield unescape(_rich_text(element))


def _target(package: OfficePackage, relations: dict[str, Relation], kind: str) -> str | None:
    return next((r.target for r in relations.values() if r.kind == kind and package.has(r.target)), None)


def _rich_text(element: Element) -> str:
    """Return the text of ``si`` or ``is``: its own or its runs', without phonetic guides."""
    parts: list[str] = []
    for inner in element:
        name = local(inner)
        if name == "t":
            parts.append(inner.text or "")
        elif name == "r":
            text = child(inner, "t")
            parts.append(text.text or "" if text is not None else "")
    return "".join(parts)


def _elements(name: str, part: str, stream: IO[bytes], tags: tuple[str, ...]) -> Iterator[Any]:
    """Yield finished elements one by one and forget each, so that memory does not grow with the part.

    Raises
    ------
    DamagedFile
    """
    from lxml import etree

    wanted = [f"{{*}}{tag}" for tag in tags]
    try:
        for _, element in etree.iterparse(
            stream, events=("end",), tag=wanted, resolve_entities=False, no_network=True, load_dtd=False
        ):
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise broken_part(name, part, error) from error
