"""One label: what somebody said of a block for a question, with all that was known at that moment."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from ...errors import InvalidLabels, InvalidQuestion
from ...printing import shortened
from ...relevance.questions import checked_question
from .values import (
    LabelSource,
    LabelValue,
    Span,
    Spans,
    checked_spans,
    source_of,
    text_sha256,
    time_of,
    value_of,
)

if TYPE_CHECKING:
    from ...documents import Document
    from ...reading import Reading

__all__ = ["FIELDS", "Label", "LabelSource", "LabelValue", "Span", "Spans", "text_sha256", "value_of"]

_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What one annotator says of one block for one question.

    Attributes
    ----------
    id : str
        Its identity: a label that arrives twice is one.
    document : str
        SHA-256 of the document's bytes, hexadecimal.
    document_name, document_type, language : str
    question : str
    request : str or None
        Id of the workload's request, where it comes from one.
    block_id : int
    block_sha256, quote : str
        The whole text of the block, verbatim, and its hash.
    start_char, end_char : int
        Range of the block in the text layer (code points, end exclusive).
    page : int
        1-based page on which the block begins.
    spans : tuple of (int, int)
        Evidence inside the block: code points of ``quote``, end exclusive, rising and apart.
    value : LabelValue
    annotator : str
        Who says it.
    at : str
        When, ISO 8601 in UTC.
    source : LabelSource
    note : str
    scores : mapping of str to float
        What was shown at that moment: relevance, logit, priority, weight, margin, threshold.
    scorer : str
        Fingerprint of what made the scores.
    reason : str
        Why it was asked.

    Raises
    ------
    InvalidLabels
        If a field has a value that no label has.
    """

    document: str
    document_name: str
    question: str
    block_id: int
    quote: str
    value: LabelValue
    annotator: str
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    block_sha256: str = ""
    start_char: int = 0
    end_char: int = 0
    page: int = 1
    spans: Spans = ()
    document_type: str = ""
    language: str = ""
    request: str | None = None
    source: LabelSource = LabelSource.PERSON
    note: str = ""
    # A mapping has no hash; the id and the rest tell labels apart.
    scores: Mapping[str, float] = field(default_factory=dict, hash=False)
    scorer: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in _TEXTS:
            if not isinstance(getattr(self, name), str):
                raise self._wrong(f"has a {_spoken(name)} that is no text ({getattr(self, name)!r:.40})")
        for name in ("id", "document", "annotator", "quote"):
            if not getattr(self, name).strip():
                raise self._wrong(f"has no {_spoken(name)}")
        if len(self.annotator) > _LONGEST_NAME or len(self.id) > _LONGEST_NAME:
            raise self._wrong(f"has an id or annotator of more than {_LONGEST_NAME} characters")
        for name in ("block_id", "start_char", "end_char", "page"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise self._wrong(f"has the {_spoken(name)} {number!r:.40}, which is no whole number from 0 on")
        for name in ("id", "annotator", "document"):
            if not getattr(self, name).isprintable():
                raise self._wrong(f"has an {_spoken(name)} with characters that cannot be printed")
        if self.request is not None and not isinstance(self.request, str):
            raise self._wrong(f"has a request that is no text ({self.request!r:.40})")
        try:
            put(self, "question", checked_question(self.question))
        except InvalidQuestion as error:
            raise self._wrong(f"has no question that can be asked ({error})") from None
        put(self, "value", value_of(self.value))
        put(self, "source", source_of(self.source))
        put(self, "annotator", self.annotator.strip())
        put(self, "at", time_of(self.at))
        put(self, "block_sha256", self._checked_hash())
        put(self, "spans", checked_spans(self.spans, self.quote, f"The label {self.id}"))
        put(self, "scores", self._checked_scores())

    @classmethod
    def of(
        cls,
        reading: Reading | Document,
        question: str | None,
        block_id: int,
        value: LabelValue | str,
        *,
        annotator: str,
        spans: Iterable[Span] = (),
        scores: Mapping[str, float] | None = None,
        scorer: str = "",
        source: LabelSource | str = LabelSource.PERSON,
        note: str = "",
        reason: str = "",
        request: str | None = None,
        id: str | None = None,  # noqa: A002 - the field's name
        at: str | None = None,
    ) -> Self:
        """Return the label of a block.

        Parameters
        ----------
        reading : Reading or Document
            A reading gives the scores that were shown.
        question : str or None
            None for the question of the reading.
        block_id : int
        value : LabelValue or str
        annotator : str
        spans : iterable of (int, int)
            Evidence inside the block: code points of its text, end exclusive.
        scores : mapping of str to float, optional
            Instead of those of the reading.
        scorer, note, reason : str
        source : LabelSource or str
        request : str, optional
        id, at : str, optional
            A new one, and now, by default.

        Raises
        ------
        AnchorMismatch
            If the document has no such block.
        InvalidLabels
            If the block has no text, the reading is of another question, or a value is none that a label has.
        """
        document, shown = _opened(reading)
        block = document.block(block_id)
        if not block.text.strip():
            raise InvalidLabels(
                f"Block {block_id} of {document.name} ({block.kind.value}) has no text of its own; label what is "
                "inside it, such as the rows of a table."
            )
        if shown is not None:
            if question is not None and question.strip() != shown.question:
                raise InvalidLabels(
                    f"The label is for the question {shortened(question, 60)!r} and the reading for "
                    f"{shortened(shown.question, 60)!r}; give the reading of the question, or the document."
                )
            question = shown.question
            scores = _shown(shown, block_id) if scores is None else scores
            scorer = scorer or shown.scores.scorer
        identity = {} if id is None else {"id": id}
        time = {} if at is None else {"at": at}
        return cls(
            document=document.sha256,
            document_name=document.name,
            document_type=document.document_type.value,
            language=document.language.value,
            question=question if question is not None else "",
            block_id=block_id,
            quote=block.text,
            start_char=block.anchor.start_char,
            end_char=block.anchor.end_char,
            page=block.page,
            spans=tuple(spans),
            value=value_of(value),
            annotator=annotator,
            scores=scores or {},
            scorer=scorer,
            source=source_of(source),
            note=note,
            reason=reason,
            request=request,
            **identity,
            **time,
        )

    @property
    def key(self) -> tuple[str, str, int, str, str]:
        """What it is about: document, question, block, the block's hash, annotator. The latest of a key is in force."""
        return self.document, self.question, self.block_id, self.block_sha256, self.annotator

    @property
    def span_texts(self) -> tuple[str, ...]:
        """What its spans say."""
        return tuple(self.quote[start:end] for start, end in self.spans)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values that JSON can hold."""
        plain = {name: getattr(self, name) for name in FIELDS}
        return plain | {
            "value": self.value.value,
            "source": self.source.value,
            "spans": [list(span) for span in self.spans],
            "scores": dict(self.scores),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Return the label of ``to_dict``; fields of a later version are left out.

        Raises
        ------
        InvalidLabels
            If a field is missing or has a value that no label has.
        """
        if not isinstance(data, Mapping):
            raise InvalidLabels(f"A label is {data!r:.80}; it must be a mapping of its fields.")
        missing = [name for name in _REQUIRED if name not in data]
        if missing:
            raise InvalidLabels(
                f"The label {data.get('id', '')!s:.60} has no {', '.join(missing)}; add what is missing."
            )
        return cls(**{name: data[name] for name in FIELDS if name in data})

    @classmethod
    def from_checked(cls, data: dict[str, Any]) -> Self:
        """Return the label of ``to_dict`` of a label that was checked when it was made: a store has many of them.

        Only the quote is compared with its hash again; where that or the fields differ, all is checked.

        Raises
        ------
        InvalidLabels
            If it is none.
        """
        if data.keys() != _FIELD_SET or text_sha256(data["quote"]) != data["block_sha256"]:
            return cls.from_dict(data)
        label = object.__new__(cls)
        put = object.__setattr__
        for name, value in data.items():
            put(label, name, value)
        put(label, "value", _VALUE_OF[data["value"]])
        put(label, "source", _SOURCE_OF[data["source"]])
        put(label, "spans", tuple([(start, end) for start, end in data["spans"]]))
        return label

    def _checked_hash(self) -> str:
        found = text_sha256(self.quote)
        if self.block_sha256 and self.block_sha256 != found:
            raise self._wrong("has a quote that is not the text its hash was made of")
        return found

    def _checked_scores(self) -> dict[str, float]:
        if not isinstance(self.scores, Mapping):
            raise self._wrong(f"has scores that are no mapping ({self.scores!r:.40})")
        try:
            scores = {str(name): float(number) for name, number in self.scores.items() if number is not None}
        except (TypeError, ValueError):
            raise self._wrong(f"has a score that is no number ({dict(self.scores)!r:.60})") from None
        return {name: number for name, number in scores.items() if math.isfinite(number)}

    def _wrong(self, what: str) -> InvalidLabels:
        return InvalidLabels(f"The label {str(self.id)[:60]} {what}; mend it, or leave it out.")

    def __repr__(self) -> str:
        what = f"{self.value.value}: block {self.block_id} of {shortened(self.document_name, 40)}"
        return f"Label({what}, {shortened(self.question, 40)!r}, {self.annotator})"


_TEXTS = (
    "id",
    "document",
    "document_name",
    "document_type",
    "language",
    "quote",
    "block_sha256",
    "annotator",
    "at",
    "note",
    "scorer",
    "reason",
)
FIELDS: tuple[str, ...] = tuple(one.name for one in fields(Label))
_FIELD_SET = frozenset(FIELDS)
_VALUE_OF = {value.value: value for value in LabelValue}
_SOURCE_OF = {source.value: source for source in LabelSource}
_REQUIRED = ("id", "document", "document_name", "question", "block_id", "quote", "value", "annotator", "at")


def _opened(given: Reading | Document) -> tuple[Document, Reading | None]:
    from ...documents import Document
    from ...reading import Reading

    if isinstance(given, Document):
        return given, None
    if isinstance(given, Reading):
        return given.document, given
    raise InvalidLabels(
        f"A label is made of a reading or a document, not of a {type(given).__name__}; give one of those."
    )


def _shown(reading: Reading, block_id: int) -> dict[str, float]:
    shown = {
        "relevance": float(reading.scores.relevance[block_id]),
        "logit": float(reading.scores.logits[block_id]),
        "weight": float(reading.structure.weights[block_id]),
        "priority": float(reading.priority[block_id]),
        "margin": float(reading.margin[block_id]),
    }
    return shown if reading.threshold is None else shown | {"threshold": float(reading.threshold)}


def _spoken(name: str) -> str:
    return name.replace("_", " ").removesuffix(" sha256")
