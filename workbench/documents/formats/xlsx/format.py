"""Spreadsheets (.xlsx and its macro-enabled and template variants): a page a sheet, a table a region.

Cells hold stored values, not formulas; how numbers, percentages and dates are written is told in ``values``.
Regions between blank rows or columns are tables of their own; a region below another one that has the same columns
and no header continues it, so that its cells keep their names. Rows of one cell above a table are its captions, and
a long text in a column of its own is a paragraph. Merged cells are read once. Charts show cells and are not read.
"""

from __future__ import annotations

import re

from ...blocks import BlockKind
from ...columns import NONE
from ...draft import Draft, Span
from ...pages import PageStatus
from ...registry import Format
from ...source import ParseContext, Source
from ..emptiness import warn_if_nothing_read
from ..office.archive import office_sniffer
from ..office.drawing_text import paragraph_text
from ..office.limits import check_length, pages_to_read, warn_of_missing
from ..office.package import OfficePackage, descendants
from ..pacing import Pace
from .regions import Region, Row, find_regions, take_covered
from .workbook import Sheet, SheetRows, Workbook, column_letters

SUFFIXES = (".xlsx", ".xlsm", ".xltx", ".xltm")

LONG_TEXT = 80
"""A column of texts is prose rather than a table if one of them has more characters."""

_PLAIN_NAME = re.compile(r"[^\W\d]\w*")


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a workbook.

    Raises
    ------
    WorkbenchError
        If the file is unsafe, damaged, encrypted or older than the format, or has more sheets than ``max_pages``.
    """
    draft = Draft()
    with OfficePackage(source, context) as package:
        workbook = Workbook(package)
        warn_of_missing(draft, source.name, workbook.listed, len(workbook.sheets), "sheets")
        total = pages_to_read(draft, context, source.name, len(workbook.sheets), "sheets")
        pace = Pace(draft, context, source.name, total)
        reader = _SheetReader(package, workbook, draft, context, pace)
        for rank, sheet in enumerate(workbook.sheets[:total], start=1):
            if not pace.goes_on(rank - 1):
                pace.give_up(after=f"{rank - 1:,} of {total:,} sheets")
                break
            reader.read(sheet, rank)
        reader.warn()
    warn_if_nothing_read(draft, source.name)
    return draft


class _SheetReader:
    """Writes sheets, one page each."""

    def __init__(
        self, package: OfficePackage, workbook: Workbook, draft: Draft, context: ParseContext, pace: Pace
    ) -> None:
        self.package = package
        self.workbook = workbook
        self.draft = draft
        self.context = context
        self.pace = pace
        self.noted: dict[str, list[int]] = {}
        self.uncached = 0
        self.hidden_rows = 0

    def read(self, sheet: Sheet, rank: int) -> None:
        """Write one sheet."""
        page = self.draft.begin_page(label=sheet.name)
        if sheet.state != "visible":
            self.noted.setdefault("hidden", []).append(rank)
        if self.workbook.has_comments(sheet):
            self.noted.setdefault("comments", []).append(rank)
        start = self.draft.length
        place = quoted(sheet.name)
        if sheet.is_grid:
            self._grid(sheet, place, rank)
        else:
            self.noted.setdefault("charts", []).append(rank)
        images = self._drawings(sheet, place)
        if images and self.draft.length == start:
            self.draft.pages[page].status, self.draft.pages[page].images = PageStatus.NO_TEXT, images

    def warn(self) -> None:
        """Leave the warnings about all sheets in the draft."""
        name = self.package.name
        messages = {
            "hidden": ("hidden_sheets", f"{name} has hidden sheets, which were read like the others."),
            "comments": ("comments", f"{name} has sheets with comments, which are not part of its text."),
            "charts": ("unread_charts", f"{name} has chart sheets, which show other sheets' cells and were not read."),
            "uncached": (
                "formulas_without_value",
                f"{_counted(self.uncached, 'formula has', 'formulas have')} no stored result in {name} and "
                f"{'was' if self.uncached == 1 else 'were'} left out; open and save it in a "
                "spreadsheet program.",
            ),
            "hidden_rows": (
                "hidden_rows",
                f"{_counted(self.hidden_rows, 'hidden row was', 'hidden rows were')} read like the others in {name}.",
            ),
        }
        for key, (code, message) in messages.items():
            if self.noted.get(key):
                self.draft.warn(code, message, self.noted[key])

    def _grid(self, sheet: Sheet, place: str, rank: int) -> None:
        found = self._rows(sheet, rank)
        for key, count in (("uncached", found.uncached), ("hidden_rows", found.hidden_rows)):
            if count:
                self.noted.setdefault(key, []).append(rank)
        self.uncached += found.uncached
        self.hidden_rows += found.hidden_rows
        covered = take_covered(found)
        before: tuple[Region, int] | None = None
        for region in find_regions(found):
            before = self._region(region, place, before)
        for text in covered:
            self.draft.exclude(self.draft.write(text), "hidden behind a merged cell")
            self.draft.write("\n")

    def _rows(self, sheet: Sheet, rank: int) -> SheetRows:
        """Read rows until the sheet ends or a limit is met."""
        most = self.context.options.max_blocks + 1 - len(self.draft.blocks)
        found = SheetRows()
        for count, found in enumerate(self.workbook.read_rows(sheet, most_rows=most), start=1):  # noqa: B007
            if not self.pace.goes_on(rank - 1):
                self.pace.give_up(after=f"{count:,} rows of its sheet {sheet.name!r:.60}")
                break
        return found

    def _region(self, region: Region, place: str, before: tuple[Region, int] | None) -> tuple[Region, int] | None:
        """Write a region; return it with its table, for the next one to continue."""
        for row in region.titles:
            self._texts(BlockKind.CAPTION, row, place)
        if _is_prose(region):
            for row in region.rows:
                self._texts(BlockKind.PARAGRAPH, row, place)
            return None
        continues = NONE
        if before is not None and not region.headers and _same_columns(before[0], region):
            continues = before[1]
        last = f"{column_letters(region.last_column)}{region.rows[-1][0]}"
        corner = f"{column_letters(region.first_column)}{region.rows[0][0]}"
        table = self.draft.begin_table(continues=continues, locator=f"{place}!{corner}:{last}")
        for rank, row in enumerate(region.rows):
            self._row(table, row, region, place, is_header=rank in region.headers)
        return (region, table) if region.headers or continues != NONE else None

    def _row(self, table: int, row: Row, region: Region, place: str, *, is_header: bool) -> None:
        check_length(self.draft, self.context, self.package.name)
        write = self.draft.write
        cells: list[Span | None] = [None] * (row[1][-1].column - region.first_column + 1)
        for rank, cell in enumerate(row[1]):
            if rank:
                write("\t")
            cells[cell.column - region.first_column] = write(cell.text)
        write("\n")
        self.draft.add_row(table, cells, is_header=is_header, locator=_locator(place, row))

    def _texts(self, kind: BlockKind, row: Row, place: str) -> None:
        check_length(self.draft, self.context, self.package.name)
        for cell in row[1]:
            self.draft.add(kind, self.draft.write(cell.text), locator=_locator(place, row))
            self.draft.write("\n")

    def _drawings(self, sheet: Sheet, place: str) -> int:
        """Write the texts of text boxes and return the number of pictures."""
        images = boxes = 0
        for part in self.workbook.drawings(sheet):
            root = self.package.xml(part)
            images += sum(1 for _ in descendants(root, "blip"))
            for body in descendants(root, "txBody"):
                boxes += 1
                for paragraph in descendants(body, "p"):
                    text = paragraph_text(paragraph)
                    if text.strip():
                        span = self.draft.write(text)
                        self.draft.add(BlockKind.PARAGRAPH, span, locator=f"{place} text box {boxes}")
                        self.draft.write("\n")
        return images


def quoted(name: str) -> str:
    """Return a sheet's name as it stands before "!" in a reference.

    Examples
    --------
    >>> quoted("Sheet1"), quoted("Q1 results"), quoted("资产负债表")
    ('Sheet1', "'Q1 results'", '资产负债表')
    """
    return name if _PLAIN_NAME.fullmatch(name) else "'" + name.replace("'", "''") + "'"


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _locator(place: str, row: Row) -> str:
    number, cells = row
    first, last = column_letters(cells[0].column), column_letters(cells[-1].column)
    return f"{place}!{first}{number}" + (f":{last}{number}" if last != first else "")


def _is_prose(region: Region) -> bool:
    """Whether a region is a lone cell, or one column of texts of which one is long."""
    if region.first_column != region.last_column or region.headers:
        return False
    cells = [cells[0] for _, cells in region.rows]
    texts = not any(cell.numeric for cell in cells)
    return len(cells) == 1 or (texts and any(len(cell.text) > LONG_TEXT for cell in cells))


def _same_columns(before: Region, region: Region) -> bool:
    return before.first_column <= region.first_column and before.last_column >= region.last_column


FORMAT = Format(name="xlsx", suffixes=SUFFIXES, sniff=office_sniffer("xl/", SUFFIXES), parse=parse, version=3)
