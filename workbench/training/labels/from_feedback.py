"""Marks of people who used a reader, as labels: "this was no use" is a block that is not relevant for its question."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .label import Label
from .values import LabelSource, LabelValue

if TYPE_CHECKING:
    from ...documents import Document
    from ...reading.feedback import Feedback
    from .store import LabelStore

ANNOTATOR = "feedback"
REASON = "marked as of no use while reading"


@dataclass(frozen=True, slots=True)
class FeedbackTaken:
    """What marks changed in a store: labels that were added, and labels whose mark was withdrawn."""

    added: tuple[Label, ...]
    withdrawn: tuple[Label, ...]


def labels_of_feedback(feedback: Feedback, document: Document, *, annotator: str = ANNOTATOR) -> tuple[Label, ...]:
    """Return a label "not relevant", of source "feedback", for each mark on a document's blocks, in their order.

    The same mark gives a label with the same id, whenever it is asked for. A mark on a block without text gives none.
    """
    found = []
    for question, block_id in feedback.marked(document):
        text = document.texts[block_id]
        if text.strip():
            name = "\n".join(("feedback", annotator, document.sha256, question, str(block_id), text))
            found.append(
                Label.of(
                    document,
                    question,
                    block_id,
                    LabelValue.NOT_RELEVANT,
                    annotator=annotator,
                    source=LabelSource.FEEDBACK,
                    reason=REASON,
                    id=_identity(name),
                )
            )
    return tuple(found)


def take_feedback(
    store: LabelStore, feedback: Feedback, document: Document, *, annotator: str = ANNOTATOR
) -> FeedbackTaken:
    """Bring the labels that a store has from feedback on a document in line with its marks.

    A mark that is not in the store is added; a label whose mark was withdrawn is withdrawn. Marks that are in the store
    already change nothing.

    Raises
    ------
    LabelStoreFailed
        If the store cannot be written.
    """
    marked = {label.key: label for label in labels_of_feedback(feedback, document, annotator=annotator)}
    there = {
        label.key: label
        for label in store.labels(document=document.sha256, annotator=annotator, source=LabelSource.FEEDBACK)
    }
    known = {event.id for event in store.history()}
    added = []
    for key, label in marked.items():
        if key not in there:
            # A block that is marked again after its mark was withdrawn needs another id: the first one is spent.
            added.append(_again(label) if label.id in known else label)
    withdrawn = [label for key, label in there.items() if key not in marked]
    store.add(*added)
    for label in withdrawn:
        store.withdraw(label.id)
    return FeedbackTaken(tuple(added), tuple(withdrawn))


def _again(label: Label) -> Label:
    return replace(label, id=str(uuid.uuid4()))


def _identity(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name.encode("utf-8", "backslashreplace").decode()))
