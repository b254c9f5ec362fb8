"""Tasks of Label Studio: data, annotations of users, and in each the results of the labelling controls.

Read are results of the types "choices" (the value), "labels" (spans) and "textarea" (a note). Written are the same, for
a project with ``CONFIG``. Label Studio knows annotators by their e-mail address and refuses one that it does not know,
so any other name is written into a text area of its own.

Its offsets are code points now and were UTF-16 once; the text that stands beside them decides. It may have lost white
space on the way, so offsets win over the text where that is the only difference.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ....errors import InvalidLabels
from ..label import Label
from ..positions import from_utf16, nearest
from ..values import LabelValue, Span
from .argilla import QUESTION_FIELDS, TEXT_FIELDS
from .drafts import DETAILS, FACTS, LabelDraft, details_of, facts_of, unknown_value, value_in
from .files import Written, array_json, json_of
from .reports import Dropped

NAME = "label studio"
CONFIG = """<View>
  <Header value="$question"/>
  <Labels name="spans" toName="text"><Label value="evidence"/></Labels>
  <Text name="text" value="$text"/>
  <Choices name="label" toName="text" choice="single" required="true">
    <Choice value="evidence"/><Choice value="useful context"/><Choice value="not relevant"/>
    <Choice value="hard negative"/><Choice value="unsure"/>
  </Choices>
  <TextArea name="note" toName="text"/>
  <TextArea name="annotator" toName="text"/>
</View>
"""
"""The labelling configuration of a project that takes these files."""

_DETAILS = "details"
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class _Answer:
    """What one annotation says."""

    value: LabelValue | None = None
    span_value: LabelValue | None = None
    unknown: Any = None
    spans: list[Span] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    note: str = ""
    annotator: str = ""


def write(labels: Sequence[Label]) -> Written:
    """Return the tasks of some labels, one for each question and block."""
    tasks: dict[tuple[str, str, int, str], list[Label]] = {}
    for label in labels:
        tasks.setdefault((label.document, label.question, label.block_id, label.block_sha256), []).append(label)
    notes = ("Make the project with the labelling configuration that stands in docs/cli.md.",) if labels else ()
    return Written(array_json(_task(found) for found in tasks.values()), len(labels), notes=notes)


def read(text: str, name: str, words: Mapping[str, LabelValue]) -> Iterator[LabelDraft | Dropped]:
    """Yield what each annotation says.

    Raises
    ------
    InvalidLabels
        If the file holds no tasks of Label Studio.
    """
    rows = json_of(text, name)
    rows = [rows] if isinstance(rows, dict) else rows
    if not isinstance(rows, list) or not any(is_task(row) for row in rows):
        raise InvalidLabels(
            f"{name} holds no tasks of Label Studio: looked for data and annotations; export the project as JSON."
        )
    for rank, row in enumerate(rows, start=1):
        where = f"task {row.get('id') or rank}" if isinstance(row, dict) else f"task {rank}"
        if not is_task(row):
            yield Dropped(where, "it is no task of Label Studio")
            continue
        yield from _drafts(row, where, words)


def is_task(row: Any) -> bool:
    """Whether a value is a task of Label Studio with annotations."""
    return isinstance(row, dict) and isinstance(row.get("data"), dict) and isinstance(row.get("annotations"), list)


def _task(labels: Sequence[Label]) -> dict[str, Any]:
    first = labels[0]
    details = {label.annotator: details_of(label) for label in labels}
    return {
        "data": {"question": first.question, "text": first.quote, **facts_of(first), _DETAILS: json.dumps(details)},
        "annotations": [_annotation(label) for label in labels],
    }


def _annotation(label: Label) -> dict[str, Any]:
    results = [_result("label", "choices", {"choices": [label.value.value]})]
    for start, end in label.spans:
        marked = {"start": start, "end": end, "text": label.quote[start:end], "labels": [LabelValue.EVIDENCE.value]}
        results.append(_result("spans", "labels", marked))
    if label.note:
        results.append(_result("note", "textarea", {"text": [label.note]}))
    found: dict[str, Any] = {"result": results, "was_cancelled": False, "created_at": label.at}
    if "@" in label.annotator:
        found["completed_by"] = {"email": label.annotator}
    else:
        results.append(_result("annotator", "textarea", {"text": [label.annotator]}))
    for rank, result in enumerate(results):
        result["id"] = uuid.uuid5(uuid.NAMESPACE_URL, f"{label.id} {rank}").hex[:10]
    return found


def _result(control: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    return {"from_name": control, "to_name": "text", "type": kind, "value": value}


def _drafts(row: Mapping[str, Any], where: str, words: Mapping[str, LabelValue]) -> Iterator[LabelDraft | Dropped]:
    data = row["data"]
    question = next((data[name] for name in QUESTION_FIELDS if isinstance(data.get(name), str)), "")
    if not question.strip():
        yield Dropped(where, "its data has no question; name it question")
        return
    if not row["annotations"]:
        yield Dropped(where, "nobody has annotated it")
    facts = {name: data[name] for name in FACTS if data.get(name) not in (None, "")}
    details = _details(data.get(_DETAILS))
    for rank, annotation in enumerate(row["annotations"], start=1):
        here = f"{where}, annotation {annotation.get('id') or rank}" if isinstance(annotation, dict) else where
        if not isinstance(annotation, dict) or not isinstance(annotation.get("result"), list):
            yield Dropped(here, "the annotation has no results")
            continue
        if annotation.get("was_cancelled"):
            yield Dropped(here, "the task was skipped")
            continue
        text = _text(data, annotation["result"])
        if not text.strip():
            yield Dropped(where, "its data has no text; name it text")
            continue
        said = _answer(annotation["result"], text, words)
        yield from (Dropped(f"{here}, {lost!r:.60}", "a span that does not stand in its text") for lost in said.lost)
        value = said.value or (said.span_value or LabelValue.EVIDENCE if said.spans else None)
        if value is None:
            unknown = said.unknown
            yield Dropped(here, unknown_value(unknown) if unknown is not None else "no result is a value of a label")
            continue
        annotator = said.annotator or _annotator(annotation.get("completed_by"))
        own = details.get(annotator, {})
        yield LabelDraft(
            where=here,
            question=question,
            text=text,
            value=value,
            annotator=annotator,
            spans=tuple(sorted(set(said.spans))),
            note=said.note,
            at=None if own else annotation.get("updated_at") or annotation.get("created_at"),
            facts={**facts, **{name: own[name] for name in DETAILS if name in own}},
            said=own.get("said"),
        )


def _text(data: Mapping[str, Any], results: Sequence[Any]) -> str:
    """The text that was labelled: what a span's control names, else the first field that is known for one."""
    named = [str(result.get("to_name")) for result in results if isinstance(result, dict)]
    for name in (*TEXT_FIELDS[:1], *named, *TEXT_FIELDS):
        if isinstance(data.get(name), str) and data[name].strip():
            return str(data[name])
    return ""


def _answer(results: Sequence[Any], text: str, words: Mapping[str, LabelValue]) -> _Answer:
    said = _Answer()
    for result in results:
        value = result.get("value") if isinstance(result, dict) else None
        if not isinstance(value, dict):
            continue
        if isinstance(value.get("choices"), list) and value["choices"]:
            found = value_in(value["choices"][0], words)
            said.value = said.value or found
            said.unknown = value["choices"][0] if found is None else said.unknown
        elif isinstance(value.get("labels"), list) and "start" in value:
            span = _span(value, text)
            said.span_value = said.span_value or value_in(next(iter(value["labels"]), None), words)
            said.spans.extend([span] if span is not None else [])
            said.lost.extend([str(value.get("text") or f"{value['start']}-{value.get('end')}")] if span is None else [])
        elif result.get("type") == "textarea" and value.get("text"):
            given = value["text"]
            spoken = "\n".join(map(str, given)) if isinstance(given, list) else str(given)
            if result.get("from_name") == "annotator":
                said.annotator = spoken.strip()
            else:
                said.note = spoken
    return said


def _span(value: Mapping[str, Any], text: str) -> Span | None:
    """The span in code points: as it stands, as UTF-16, or where its text stands nearest to it."""
    start, end, wanted = value.get("start"), value.get("end"), value.get("text")
    if not (isinstance(start, int) and isinstance(end, int)) or start < 0 or end <= start:
        return nearest(text, wanted, 0) if isinstance(wanted, str) else None
    as_points = (start, end) if end <= len(text) else None
    if not isinstance(wanted, str) or not wanted:
        return as_points
    for candidate in (as_points, from_utf16(text, (start, end))):
        if candidate is not None and _squeezed(text[slice(*candidate)]) == _squeezed(wanted):
            return candidate
    return nearest(text, wanted, start)


def _squeezed(text: str) -> str:
    # Its page writes line ends of a span as a backslash and an n.
    return _SPACE.sub("", text.replace("\\n", "\n"))


def _annotator(completed_by: Any) -> str:
    if isinstance(completed_by, dict):
        name = completed_by.get("email") or completed_by.get("username") or completed_by.get("id")
        return str(name) if name is not None else "unknown"
    return f"user {completed_by}" if completed_by is not None else "unknown"


def _details(given: Any) -> Mapping[str, Mapping[str, Any]]:
    try:
        found = json.loads(given) if isinstance(given, str) else {}
    except (ValueError, RecursionError):
        return {}
    return {name: own for name, own in found.items() if isinstance(own, dict)} if isinstance(found, dict) else {}
