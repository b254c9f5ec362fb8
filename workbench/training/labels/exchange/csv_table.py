"""Labels as a table for spreadsheets: a label a row, texts that no spreadsheet takes for a formula.

A text that begins as a formula does, or with an apostrophe, gets an apostrophe in front; reading takes it away again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....documents.surrogates import without_surrogates
from ....errors import InvalidLabels
from ....printing import spreadsheet_safe
from ..frame import SCORES
from ..label import Label
from ..values import LabelValue, text_sha256
from .drafts import LabelDraft, said_by_label
from .files import Written
from .jsonl import draft_of
from .reports import Dropped

NAME = "csv"
_TEXTS = ("question", "document_name", "quote", "annotator", "note", "reason", "document_type", "language", "request")
COLUMNS = (
    "value",
    "question",
    "document_name",
    "page",
    "quote",
    "spans",
    "note",
    "annotator",
    "at",
    "source",
    "reason",
    *SCORES,
    "document_type",
    "language",
    "request",
    "document",
    "block_id",
    "block_sha256",
    "start_char",
    "end_char",
    "scorer",
    "id",
    "said",
)
_NUMBERS = ("page", "block_id", "start_char", "end_char")
_SPAN = re.compile(r"(\d+)-(\d+)")
_UNWRITABLE = "it has characters that no file in UTF-8 can hold; use jsonl"


def write(labels: Sequence[Label]) -> Written:
    """Return the table of some labels, for UTF-8 with the mark that spreadsheets know it by."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    dropped = []
    for label in labels:
        row = _row(label)
        if any(isinstance(cell, str) and without_surrogates(cell) != cell for cell in row):
            dropped.append(Dropped(f"label {label.id}", _UNWRITABLE))
        else:
            writer.writerow(row)
    return Written(stream.getvalue(), len(labels) - len(dropped), tuple(dropped), encoding="utf-8-sig")


def read(text: str, name: str, words: Mapping[str, LabelValue]) -> Iterator[LabelDraft | Dropped]:
    """Yield what each row says.

    Raises
    ------
    InvalidLabels
        If the table has no column for question, value, annotator or quote.
    """
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    head = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns = [column.strip() for column in reader.fieldnames or ()]
    reader.fieldnames = columns
    missing = [column for column in ("question", "value", "annotator") if column not in columns]
    if "quote" not in columns and "text" not in columns:
        missing.append("quote")
    if missing:
        raise InvalidLabels(
            f"{name} has no column {', '.join(missing)}; name the columns question, value, annotator and quote in the "
            "first row."
        )
    ours = "block_sha256" in columns
    for row in reader:
        yield _draft(row, f"row ending at line {reader.line_num}", ours, words)


def _draft(row: dict[str, Any], where: str, ours: bool, words: Mapping[str, LabelValue]) -> LabelDraft | Dropped:
    plain: dict[str, Any] = {column: cell for column, cell in row.items() if isinstance(cell, str) and cell != ""}
    if ours:
        for column in _TEXTS:
            if column in plain:
                plain[column] = _unsafe(plain[column], plain.get("block_sha256") if column == "quote" else None)
    spans = plain.pop("spans", "")
    found = _SPAN.findall(spans)
    if _SPAN.sub("", spans).strip(" ;,"):
        return Dropped(where, "its spans are not written as start-end; write 0-12 20-31")
    plain["spans"] = [[int(start), int(end)] for start, end in found]
    try:
        for column in _NUMBERS:
            if column in plain:
                plain[column] = int(float(plain[column]))
        plain["scores"] = {column: float(plain.pop(column)) for column in SCORES if column in plain}
    except (ValueError, OverflowError):
        return Dropped(where, "a column that holds numbers has something else")
    return draft_of(plain, where, words)


def _row(label: Label) -> list[Any]:
    plain = label.to_dict()
    cells = {
        **plain,
        **{column: label.scores.get(column, "") for column in SCORES},
        **{column: _safe(plain[column] or "") for column in _TEXTS},
        "spans": " ".join(f"{start}-{end}" for start, end in label.spans),
        "said": said_by_label(label),
    }
    return [cells[column] for column in COLUMNS]


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith("'") else spreadsheet_safe(text)


def _unsafe(text: str, sha256: str | None) -> str:
    if not text.startswith("'") or (sha256 is not None and text_sha256(text) == sha256):
        return text
    return text[1:]
