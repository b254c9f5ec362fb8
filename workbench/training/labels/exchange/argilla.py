"""Records of Argilla 2: fields, questions with the responses of users, and metadata.

Read is what its ``to_json`` writes (responses by question, each with value and user) and the flat rows in which its
datasets are published (``label.responses``, ``label.responses.users``, ``label.responses.status``). Written is the
former: ``Dataset.records.from_json`` takes it, where the dataset has the fields "question" and "text", a label question
"label", a span question "spans" on "text" and a text question "note".

Argilla knows its users by UUIDs; names become such ids, and stand in the metadata. Its page counts the characters of a
span as JavaScript does, two for one outside Unicode's first plane.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....errors import InvalidLabels, WorkbenchError
from ....printing import counted
from ..label import Label
from ..positions import from_utf16, has_wide
from ..values import LabelValue, Spans, checked_spans
from .drafts import DETAILS, FACTS, LabelDraft, details_of, facts_of, said_by, unknown_value, value_in
from .files import Written, array_json, json_of
from .reports import Dropped

NAME = "argilla"
QUESTION_FIELDS = ("question", "query", "prompt")
TEXT_FIELDS = ("text", "context", "passage", "document", "block")
_NOTES = ("note", "notes", "comment", "comments")
_NAMES, _DETAILS = "annotators", "details"
_RESPONSES = ".responses"

Answers = dict[str, dict[str, Any]]
"""User -> question -> answer."""


def write(labels: Sequence[Label]) -> Written:
    """Return the records of some labels, one for each question and block."""
    records: dict[tuple[str, str, int, str], list[Label]] = {}
    for label in labels:
        records.setdefault((label.document, label.question, label.block_id, label.block_sha256), []).append(label)
    wide = sum(1 for label in labels if label.spans and has_wide(label.quote))
    notes = []
    if wide:
        notes.append(
            f"{counted(wide, 'label')} with spans in texts with emoji or rare characters: the page of Argilla may show "
            "these spans shifted."
        )
    return Written(array_json(_record(found) for found in records.values()), len(labels), notes=tuple(notes))


def read(text: str, name: str, words: Mapping[str, LabelValue]) -> Iterator[LabelDraft | Dropped]:
    """Yield what each user says in each record.

    Raises
    ------
    InvalidLabels
        If the file holds no records of Argilla.
    """
    rows = json_of(text, name)
    if not isinstance(rows, list) or not any(is_record(row) for row in rows):
        raise InvalidLabels(
            f"{name} holds no records of Argilla 2: looked for fields and responses; give its to_json file."
        )
    for rank, row in enumerate(rows, start=1):
        where = f"record {row.get('id') or rank}" if isinstance(row, dict) else f"record {rank}"
        if not is_record(row):
            yield Dropped(where, "it is no record of Argilla")
            continue
        yield from _drafts(row, where, words)


def is_record(row: Any) -> bool:
    """Whether a value is a record of Argilla 2, nested or flat."""
    if not isinstance(row, dict):
        return False
    nested = isinstance(row.get("fields"), dict) and isinstance(row.get("responses"), dict)
    return nested or any(isinstance(key, str) and key.endswith(_RESPONSES) for key in row)


def _record(labels: Sequence[Label]) -> dict[str, Any]:
    first = labels[0]
    users = {label.annotator: _user(label.annotator) for label in labels}
    details = {users[label.annotator]: details_of(label) for label in labels}
    responses: dict[str, list[dict[str, Any]]] = {"label": [], "spans": [], "note": []}
    for label in labels:
        user = users[label.annotator]
        responses["label"].append({"value": label.value.value, "user_id": user})
        if label.spans:
            spans = [{"label": LabelValue.EVIDENCE.value, "start": start, "end": end} for start, end in label.spans]
            responses["spans"].append({"value": spans, "user_id": user})
        if label.note:
            responses["note"].append({"value": label.note, "user_id": user})
    identity = json.dumps([first.document, first.question, first.block_id, first.block_sha256])
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, identity)),
        "fields": {"question": first.question, "text": first.quote},
        "metadata": {**facts_of(first), _NAMES: list(users), _DETAILS: json.dumps(details)},
        "suggestions": {},
        "responses": {question: answers for question, answers in responses.items() if answers},
        "vectors": {},
        "_server_id": None,
    }


def _user(annotator: str) -> str:
    try:
        return str(uuid.UUID(annotator))
    except ValueError:
        # A file may name a user with half a character, which no label takes; it must have an id until that is said.
        return str(uuid.uuid5(uuid.NAMESPACE_OID, annotator.encode("utf-8", "backslashreplace").decode()))


def _drafts(row: Mapping[str, Any], where: str, words: Mapping[str, LabelValue]) -> Iterator[LabelDraft | Dropped]:
    flat = not isinstance(row.get("fields"), dict)
    fields: Mapping[str, Any] = row if flat else row["fields"]
    metadata = row if flat else _mapping(row.get("metadata"))
    question, text = _first(fields, QUESTION_FIELDS), _first(fields, TEXT_FIELDS)
    if not question or not text:
        yield Dropped(where, "it has no field for the question and the text, such as question and text")
        return
    names = {_user(name): name for name in _list(metadata.get(_NAMES)) if isinstance(name, str)}
    details = _details(metadata.get(_DETAILS))
    facts = {name: metadata[name] for name in FACTS if metadata.get(name) not in (None, "")}
    answers, unsent = _answers(row, flat)
    for user, status in unsent:
        yield Dropped(f"{where}, {names.get(user, user)}", f"the response is {status}, not submitted")
    if not answers and not unsent:
        yield Dropped(where, "nobody has answered it")
    for user, given in answers.items():
        own = details.get(user, {})
        draft = LabelDraft(
            where=f"{where}, {names.get(user, user)}",
            question=question,
            text=text,
            value=LabelValue.UNSURE,
            annotator=names.get(user, user),
            facts={**facts, **{name: own[name] for name in DETAILS if name in own}},
            said=own.get("said"),
        )
        yield _said(draft, given, row.get("_server_id") is not None, words)


def _said(
    draft: LabelDraft, given: Mapping[str, Any], by_page: bool, words: Mapping[str, LabelValue]
) -> LabelDraft | Dropped:
    value: LabelValue | None = None
    marked: list[tuple[int, int]] = []
    spoken: list[LabelValue | None] = []
    unknown, note = None, ""
    for question, answer in given.items():
        if isinstance(answer, list) and answer and all(isinstance(one, dict) for one in answer):
            for one in answer:
                marked.append((one.get("start"), one.get("end")))
                spoken.append(value_in(one.get("label"), words))
        elif question.casefold() in _NOTES:
            note = str(answer)
        elif value is None and not isinstance(answer, list):
            value = value_in(answer, words)
            unknown = answer if value is None else unknown
    if value is None and marked:
        value = next((one for one in spoken if one is not None), LabelValue.EVIDENCE)
    if value is None:
        return Dropped(
            draft.where, unknown_value(unknown) if unknown is not None else "no answer is a value of a label"
        )
    try:
        spans = checked_spans(marked, draft.text, "The response")
    except WorkbenchError as error:
        spans = _page_spans(marked, draft.text)
        if not spans:
            return Dropped(draft.where, str(error).rstrip("."))
    changed = draft.said != said_by(value, spans, note, draft.annotator)
    if by_page and changed and has_wide(draft.text):
        spans = _page_spans(marked, draft.text) or spans
    return replace(draft, value=value, spans=spans, note=note)


def _page_spans(marked: Iterable[tuple[int, int]], text: str) -> Spans:
    """Spans as the page of Argilla counts them; none if one of them is none of the text."""
    found = [from_utf16(text, span) if all(isinstance(end, int) for end in span) else None for span in marked]
    usable = [span for span in found if span is not None and span[0] < span[1]]
    return checked_spans(usable, text, "The response") if len(usable) == len(found) else ()


def _answers(row: Mapping[str, Any], flat: bool) -> tuple[Answers, list[tuple[str, str]]]:
    """Return what users answered, and users whose response was not submitted with its status."""
    answers: Answers = {}
    unsent: dict[str, str] = {}
    for question, user, value, status in _flat(row) if flat else _nested(row):
        if status not in (None, "submitted"):
            unsent[user] = str(status)
        elif value is not None:
            answers.setdefault(user, {})[question] = value
    return {user: given for user, given in answers.items() if user not in unsent}, list(unsent.items())


def _nested(row: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, Any]]:
    for question, responses in _mapping(row.get("responses")).items():
        for response in _list(responses):
            if isinstance(response, dict):
                yield question, str(response.get("user_id")), response.get("value"), response.get("status")


def _flat(row: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, Any]]:
    for key, values in row.items():
        if not key.endswith(_RESPONSES):
            continue
        users, statuses = _list(row.get(f"{key}.users")), _list(row.get(f"{key}.status"))
        for rank, value in enumerate(_list(values)):
            user = str(users[rank]) if rank < len(users) else f"user {rank + 1}"
            yield key.removesuffix(_RESPONSES), user, value, statuses[rank] if rank < len(statuses) else None


def _details(given: Any) -> Mapping[str, Mapping[str, Any]]:
    try:
        found = json.loads(given) if isinstance(given, str) else {}
    except (ValueError, RecursionError):
        return {}
    return {user: own for user, own in _mapping(found).items() if isinstance(own, dict)}


def _first(fields: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((fields[name] for name in names if isinstance(fields.get(name), str) and fields[name].strip()), "")


def _mapping(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, dict) else {}


def _list(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list) else ()
