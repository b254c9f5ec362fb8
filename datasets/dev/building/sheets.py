"""Spreadsheets and CSV files."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font

from . import nodes as n
from .archives import MOMENT, settled
from .source import SourceError

_NUMBER = re.compile(r"[-–]?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?")


def csv_of(source: n.Source) -> bytes:
    """Return the one table of the source as CSV."""
    tables = [node for node in source.nodes if isinstance(node, n.Table)]
    if len(tables) != 1:
        raise SourceError(f"{source.meta['file']} is CSV and has {len(tables)} tables instead of one")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([n.plain(cell) for cell in row] for row in (tables[0].header, *tables[0].rows))
    return out.getvalue().encode()


def xlsx_of(source: n.Source) -> bytes:
    """Return the source as a workbook: every heading begins a sheet, text stands above its tables."""
    book: Any = Workbook()
    book.remove(book.active)
    sheet: Any = None
    for node in source.nodes:
        if isinstance(node, n.Heading):
            if node.level == 2 or (node.level == 1 and n.plain(node.runs) != source.title):
                sheet = book.create_sheet(n.plain(node.runs)[:31])
            continue
        if sheet is None:
            sheet = book.create_sheet(source.title[:31] or "Sheet1")
        _add(sheet, node)
    book.properties.title, book.properties.creator = source.title, str(source.meta.get("author", ""))
    book.properties.created = dt.datetime(*MOMENT)
    out = io.BytesIO()
    book.save(out)
    return settled(out.getvalue())


def _add(sheet: Any, node: n.Node) -> None:
    row = sheet.max_row + 2 if sheet.max_row > 1 or sheet["A1"].value is not None else 1
    if isinstance(node, n.Table):
        if node.caption:
            sheet.cell(row, 1, node.caption).font = Font(bold=True)
            row += 1
        for column, runs in enumerate(node.header, start=1):
            sheet.cell(row, column, n.plain(runs)).font = Font(bold=True)
        for down, cells in enumerate(node.rows, start=row + 1):
            for column, runs in enumerate(cells, start=1):
                _set(sheet.cell(down, column), n.plain(runs))
        for column in range(1, len(node.header) + 1):
            longest = max(len(n.plain(line[column - 1])) for line in (node.header, *node.rows))
            sheet.column_dimensions[sheet.cell(1, column).column_letter].width = min(max(longest + 2, 8), 48)
    elif isinstance(node, n.Paragraph | n.Item):
        sheet.cell(row, 1, n.plain(node.runs))


def _set(cell: Any, text: str) -> None:
    """Write a text, as a number shown as it is written where it is one."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        cell.value = text or None
        if text.startswith("="):
            cell.data_type = "s"
        return
    digits = len(found.group(1) or "")
    bare = text.replace(",", "").replace("–", "-")
    cell.value = float(bare) if digits else int(bare)
    cell.number_format = ("#,##0" if "," in text else "0") + ("." + "0" * digits if digits else "")
