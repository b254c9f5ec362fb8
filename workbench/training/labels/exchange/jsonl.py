"""Labels as JSON lines: every field of ``Label``, a label a line. Nothing is lost in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....errors import WorkbenchError
from ..label import Label
from ..values import LabelValue, checked_spans
from .drafts import DETAILS, FACTS, LabelDraft, said_by_label, unknown_value, value_in
from .files import Written, lines_of, plain_json
from .reports import Dropped

NAME = "jsonl"
_NEEDED = ("question", "value", "annotator")


def write(labels: Sequence[Label]) -> Written:
    """Return the file of some labels."""
    rows = (plain_json({**label.to_dict(), "said": said_by_label(label)}) for label in labels)
    return Written("".join(f"{row}\n" for row in rows), len(labels))


def read(text: str, _name: str, words: Mapping[str, LabelValue]) -> Iterator[LabelDraft | Dropped]:
    """Yield what each line says; a line that says nothing that can be used is left out with the reason."""
    for number, line in lines_of(text):
        where = f"line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            yield Dropped(where, "the line is no JSON")
            continue
        yield draft_of(row, where, words)


def draft_of(row: Any, where: str, words: Mapping[str, LabelValue]) -> LabelDraft | Dropped:
    """Return what a mapping of the fields of ``Label`` says."""
    if not isinstance(row, dict):
        return Dropped(where, "the line is no JSON object")
    text = row.get("quote") or row.get("text")
    missing = [name for name in _NEEDED if not row.get(name)] + ([] if isinstance(text, str) and text else ["quote"])
    if missing:
        return Dropped(where, f"it has no {', '.join(missing)}")
    value = value_in(row["value"], words)
    if value is None:
        return Dropped(where, unknown_value(row["value"]))
    try:
        spans = checked_spans(row.get("spans") or (), str(text), "The label")
    except (WorkbenchError, TypeError) as error:
        return Dropped(where, str(error).rstrip("."))
    facts = {name: row[name] for name in (*FACTS, *DETAILS) if row.get(name) not in (None, "")}
    return LabelDraft(
        where=where,
        question=str(row["question"]),
        text=str(text),
        value=value,
        annotator=str(row["annotator"]),
        spans=spans,
        note=str(row.get("note") or ""),
        facts=facts,
        said=row.get("said"),
    )
