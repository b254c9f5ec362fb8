"""An audit as CSV: one plain table that a spreadsheet opens, and that holds every fact as well."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...printing import FORMULA_STARTS
from .columns import FINGERPRINTS, NULLABLE, kind_of
from .facts import checked_facts
from .json_file import decoded, parsed
from .read import Broken, Read
from .table import Audit

SEAL, SIGNATURE, FACTS = "seal", "signature", "facts"
_LIKE_FORMULA = re.compile(f"'*[{re.escape(''.join(FORMULA_STARTS))}]")


def csv_text(audit: Audit) -> str:
    """Return an audit as CSV; see ``Audit.to_csv``."""
    stream = io.StringIO()
    # Every text in quotes: a carriage return outside of them ends a row.
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([*audit.columns, *FINGERPRINTS, SEAL, SIGNATURE, FACTS])
    last = [*(_cell(audit.facts[name]) for name in FINGERPRINTS), audit.seal]
    facts = json.dumps(dict(audit.facts), ensure_ascii=False, allow_nan=False)
    first = [audit.signature or "", facts]
    for row in audit.rows or [(None,) * len(audit.columns)]:
        writer.writerow([*map(_cell, row), *last, *first])
        first = ["", ""]
    return stream.getvalue()


def escaped(text: str) -> str:
    """Return text that a spreadsheet takes for text, so that ``unescaped`` gives the text again.

    Examples
    --------
    >>> escaped("=1+1"), escaped("'=1+1"), escaped("'tis")
    ("'=1+1", "''=1+1", "'tis")
    """
    return f"'{text}" if _LIKE_FORMULA.match(text) else text


def unescaped(cell: str) -> str:
    """Return the text of a cell.

    Examples
    --------
    >>> unescaped("'=1+1"), unescaped("''=1+1"), unescaped("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if cell.startswith("'") and _LIKE_FORMULA.match(cell) else cell


def read_csv(data: bytes) -> Read:
    """Return what a CSV file holds.

    Raises
    ------
    Broken
        If it is no table, a row is short or long, a cell is no value of its column, or rows are of several audits.
    """
    header, rows = _table(data)
    width = len(header) - len(ENDS)
    if tuple(header[width:]) != ENDS:
        raise Broken(f"its last columns are not {', '.join(ENDS)}")
    if not rows:
        raise Broken("it has no rows, and the first one holds the facts")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header):
            raise Broken(f"row {number} below the header has {len(row)} cells, and the header has {len(header)}")
    seal, signature, cell = rows[0][-3:]
    facts = checked_facts(parsed(cell, "the facts in its first row"))
    _check_ends(facts, [row[width:] for row in rows])
    if len(rows) == 1 and not any(rows[0][:width]):
        rows = []
    turned = zip(*rows, strict=True) if rows else [()] * len(header)
    cells = {name: _values(name, found) for name, found in zip(header[:width], turned, strict=False)}
    return Read(facts, tuple(header[:width]), cells, seal, signature or None)


def _table(data: bytes) -> tuple[list[str], list[list[str]]]:
    text = decoded(data)
    try:
        csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
        # Without translation of line ends: a carriage return in a text is part of it.
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (ValueError, csv.Error) as error:
        raise Broken(f"it cannot be read as CSV ({error!s:.80})") from error
    return (rows[0] if rows else []), rows[1:]


def _check_ends(facts: Mapping[str, Any], ends: Sequence[list[str]]) -> None:
    """Refuse rows that name other fingerprints or another seal than the first row: they are of another audit."""
    expected = [str(_cell(facts[name])) for name in FINGERPRINTS]
    for number, end in enumerate(ends, start=1):
        wrong = [name for name, found, due in zip(FINGERPRINTS, end, expected, strict=False) if found != due]
        if end[-3] != ends[0][-3]:
            wrong.append(SEAL)
        if number > 1 and any(end[-2:]):
            wrong.append(FACTS)
        if wrong:
            raise Broken(f"row {number} below the header is of another audit, or was edited ({', '.join(wrong)})")


def _values(name: str, cells: Sequence[str]) -> list[Any]:
    read, nullable = _READ[kind_of(name)], name in NULLABLE
    found: list[Any] = []
    for number, cell in enumerate(cells, start=1):
        try:
            found.append(None if nullable and cell == "" else read(cell))
        except (ValueError, KeyError) as error:
            raise Broken(f"row {number} below the header has {cell!r:.60} as {name}") from error
    return found


def _cell(value: Any) -> Any:
    return escaped(value) if isinstance(value, str) else "" if value is None else value


ENDS = (*FINGERPRINTS, SEAL, SIGNATURE, FACTS)
_READ: Mapping[type, Callable[[str], Any]] = {
    int: int,
    float: float,
    bool: {"True": True, "False": False}.__getitem__,
    str: unescaped,
}
