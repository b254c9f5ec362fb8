"""What a file says of one label, before it has a block: the same for all formats."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..label import Label
from ..values import LabelValue, Spans

FACTS = (
    "document",
    "document_name",
    "document_type",
    "language",
    "request",
    "block_id",
    "block_sha256",
    "start_char",
    "end_char",
    "page",
)
"""Fields that say which block it is; the same for all labels of a block."""
DETAILS = ("id", "at", "source", "reason", "scorer", "scores")
"""Fields that say how a label came about."""

_WORDS: dict[str, LabelValue] = {
    **{value.value: value for value in LabelValue},
    **dict.fromkeys(("relevant", "yes", "positive", "true", "1", "answer"), LabelValue.EVIDENCE),
    **dict.fromkeys(("irrelevant", "no", "negative", "false", "0"), LabelValue.NOT_RELEVANT),
    **dict.fromkeys(("context", "partially relevant", "partly relevant", "useful"), LabelValue.CONTEXT),
    **dict.fromkeys(("maybe", "unknown", "not sure"), LabelValue.UNSURE),
    "证据": LabelValue.EVIDENCE,
    "相关": LabelValue.EVIDENCE,
    "有用的上下文": LabelValue.CONTEXT,
    "不相关": LabelValue.NOT_RELEVANT,
    "困难负例": LabelValue.HARD_NEGATIVE,
    "难负例": LabelValue.HARD_NEGATIVE,
    "不确定": LabelValue.UNSURE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelDraft:
    """What a file says of one label.

    Attributes
    ----------
    where : str
        Where in the file it stands.
    question, text : str
        ``text`` is what it was put on: a block, or a passage of several.
    value : LabelValue
    annotator : str
    spans : tuple of (int, int)
        Code points of ``text``.
    note : str
    at : str or None
        When, if the file says so.
    facts : mapping
        The fields in ``FACTS`` and ``DETAILS`` that the file has.
    said : str or None
        What ``said_by`` gave when the file was written: whether somebody has changed the label since.
    """

    where: str
    question: str
    text: str
    value: LabelValue
    annotator: str
    spans: Spans = ()
    note: str = ""
    at: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    said: str | None = None


def said_by(value: LabelValue, spans: Spans, note: str, annotator: str) -> str:
    """Return a short hash of what a label says; another one means that it was changed."""
    plain = json.dumps([value.value, [list(span) for span in spans], note, annotator])
    return hashlib.sha256(plain.encode()).hexdigest()[:12]


def said_by_label(label: Label) -> str:
    """Return ``said_by`` of a label."""
    return said_by(label.value, label.spans, label.note, label.annotator)


def said_by_draft(draft: LabelDraft) -> str:
    """Return ``said_by`` of a draft."""
    return said_by(draft.value, draft.spans, draft.note, draft.annotator)


def facts_of(label: Label) -> dict[str, Any]:
    """Return the fields of a label that say which block it is."""
    return {name: getattr(label, name) for name in FACTS if getattr(label, name) is not None}


def details_of(label: Label) -> dict[str, Any]:
    """Return the fields of a label that say how it came about, and what it says as a hash."""
    plain = label.to_dict()
    return {**{name: plain[name] for name in DETAILS if plain[name]}, "said": said_by_label(label)}


def identity_of(draft: LabelDraft, document: str, block_id: int) -> str:
    """Return an id that the same draft always has on the same block, and another draft never."""
    plain = [document, block_id, draft.question, draft.text, said_by_draft(draft)]
    return str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(plain)))


def value_in(given: Any, words: Mapping[str, LabelValue]) -> LabelValue | None:
    """Return the value that a word of another tool stands for; None if it is no such word.

    Parameters
    ----------
    given : object
        Text, number or truth value.
    words : mapping of str to LabelValue
        Further words; they win over the known ones.

    Examples
    --------
    >>> value_in("Hard_Negative", {}), value_in("gold", {"gold": LabelValue.EVIDENCE}), value_in("red", {})
    (<LabelValue.HARD_NEGATIVE: 'hard negative'>, <LabelValue.EVIDENCE: 'evidence'>, None)
    """
    if not isinstance(given, str | int | float):
        return None
    spoken = str(given)
    if spoken in words:
        return words[spoken]
    plain = re.sub(r"[\s_-]+", " ", spoken).strip().casefold()
    return words.get(plain) or _WORDS.get(plain)


def unknown_value(given: Any) -> str:
    """Say that a word stands for no value, and what to do."""
    allowed = ", ".join(value.value for value in LabelValue)
    return f"{given!r:.40} is no value of a label; say with values= which of {allowed} it stands for"
