"""Rows and fields of delimited text as ranges, in one pass; which delimiter a text has, and whether a header."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ...draft import Span

DELIMITERS = ("\t", ";", "|", ",")
"""In the order that decides between equally good ones: decimal commas may be as regular as semicolons."""

_QUOTED = re.compile(r'"(?:[^"]++|"")*+"')
_NUMBER = re.compile(r"[(\-+]?\s*[$€£¥]?\s*[\d.,'\u00a0\u202f ]*\d[\d.,]*\s*(?:%|[kKmMbB])?\)?")
_DATE = re.compile(r"\d{1,4}[-/.年]\d{1,2}(?:[-/.月]\d{1,4}日?)?(?:[T ][\d:.+Z-]*)?")
_VALUE_WORDS = frozenset({"true", "false", "yes", "no", "null", "none", "nan", "n/a", "na", "-"})
_LONGEST_NAME = 100
_SAMPLE_LINES = 50
_DELIMITER_OF_SUFFIX = {".tsv": "\t", ".tab": "\t", ".psv": "|"}

Field = Span


class RowScanner:
    """Walks over the rows of a delimited text.

    Attributes
    ----------
    row_start, row_end : int
        The last row that ``rows`` gave, without its line break.
    open_quote : int
        Where a quote stands that is never closed, or 0; from there on quotes are text.
    overfull : int
        Rows so far whose last field holds all the fields beyond ``most_columns``.
    """

    def __init__(self, text: str, delimiter: str, start: int = 0, *, most_columns: int = 16_384) -> None:
        self._text = text
        self._delimiter = delimiter
        self._start = start
        self._most = most_columns
        self._plain = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
        self.row_start = start
        self.row_end = start
        self.open_quote = 0
        self.overfull = 0
        self._quotes = True

    def rows(self) -> Iterator[list[Field]]:
        """Yield the fields of each row that is not blank, as ranges without quotes."""
        text, delimiter = self._text, self._delimiter
        at, size = self._start, len(text)
        while at < size:
            end = _line_end(text, at)
            line = text[at:end]
            if self._quotes and '"' in line:
                fields, end = self._quoted_row(at)
            else:
                fields = []
                low = at
                for part in line.split(delimiter, self._most - 1):
                    fields.append(Span(low, low + len(part)))
                    low += len(part) + 1
                self.overfull += len(fields) == self._most and delimiter in part
            self.row_start, self.row_end = at, end
            if text[at:end].strip(" \t" if delimiter != "\t" else " "):
                yield fields
            at = end + (2 if text.startswith("\r\n", end) else 1)

    def _quoted_row(self, at: int) -> tuple[list[Field], int]:
        text = self._text
        fields: list[Field] = []
        count = 0
        while True:
            low = at
            while text.startswith(" ", low) and self._delimiter != " ":
                low += 1
            field = self._quoted_field(low) if self._quotes and text.startswith('"', low) else None
            if field is None:
                match = self._plain.match(text, at)
                at = match.end() if match else at
                field = Span(min(low, at), at)
            else:
                # What follows a closing quote up to the delimiter is a part of the field, not lost.
                match = self._plain.match(text, field[1] + 1)
                at = match.end() if match else field[1] + 1
                if text[field[1] + 1 : at].strip():
                    field = Span(field[0], at)
            count += 1
            if count <= self._most:
                fields.append(field)
            else:
                fields[-1] = Span(fields[-1][0], field[1])
            if not text.startswith(self._delimiter, at):
                self.overfull += count > self._most
                return fields, at
            at += 1

    def _quoted_field(self, low: int) -> Field | None:
        match = _QUOTED.match(self._text, low)
        if match is None:
            # One search to the end of the text is enough: later ones would make the scan quadratic.
            self._quotes = False
            self.open_quote = low
            return None
        return Span(low + 1, match.end() - 1)


class Choice(NamedTuple):
    """A delimiter, the share of rows that have the usual number of fields, that number, and the rows seen."""

    delimiter: str
    share: float
    fields: int
    rows: int


def choose_delimiter(text: str, suffix: str = "") -> Choice:
    r"""Choose the delimiter that cuts the first lines most evenly into more than one field.

    Examples
    --------
    >>> choose_delimiter("a;b;c\n1,5;2,5;3\n1,5;2,5;4\n").delimiter
    ';'
    """
    fallback = _DELIMITER_OF_SUFFIX.get(suffix, ",")
    best = Choice(fallback, 0.0, 1, 0)
    order = (fallback, *DELIMITERS) if suffix in _DELIMITER_OF_SUFFIX else DELIMITERS
    for delimiter in order:
        rows = []
        for row in RowScanner(text, delimiter).rows():
            rows.append(row)
            if len(rows) == _SAMPLE_LINES:
                break
        share, fields = consistency(rows)
        if fields > 1 and (best.fields == 1 or share > best.share + 0.05):
            best = Choice(delimiter, share, fields, len(rows))
    return best


def consistency(rows: list[list[str]] | list[list[Field]]) -> tuple[float, int]:
    """Return the share of rows that have the most usual number of fields, and that number."""
    if not rows:
        return 0.0, 1
    fields, count = Counter(len(row) for row in rows).most_common(1)[0]
    return count / len(rows), fields


def has_header(rows: list[list[str]]) -> bool:
    """Say whether the first row names the columns: short, distinct texts, none of them a value of its column."""
    if len(rows) < 2:
        return False
    names = [name.strip().strip('"') for name in rows[0]]
    filled = [name for name in names if name]
    if not filled or len(filled) < 0.5 * len(names) or len(set(filled)) < len(filled):
        return False
    if any(_is_value(name) or len(name) > _LONGEST_NAME or "\n" in name for name in filled):
        return False
    return not any(
        name and any(name == row[column].strip() for row in rows[1:] if column < len(row))
        for column, name in enumerate(names)
    )


def _is_value(cell: str) -> bool:
    # A bare year is the usual name of a column in a financial table.
    if re.fullmatch(r"(?:19|20)\d\d", cell):
        return False
    return bool(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell) or cell.lower() in _VALUE_WORDS)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    carriage = text.find("\r", at, end)
    return end if carriage < 0 else carriage
