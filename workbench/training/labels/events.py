"""What happened to labels, in order, and which of them are in force after it. Nothing is ever taken out of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from .label import Label

Key = tuple[str, str, int, str, str]


class EventKind(StrEnum):
    """What can happen."""

    LABEL = "label"
    WITHDRAW = "withdraw"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class LabelEvent:
    """One thing that happened.

    Attributes
    ----------
    number : int
        Its place in the store, from 1.
    id : str
        Its identity; of a label, that of the label.
    kind : EventKind
    annotator : str
        Who did it.
    at : str
        When, ISO 8601 in UTC.
    label : Label or None
        What was set, for a label.
    about : str
        Id of the label that was withdrawn, or of the event that was undone or redone; else "".
    """

    number: int
    id: str
    kind: EventKind
    annotator: str
    at: str
    label: Label | None = None
    about: str = ""


class LabelsInForce:
    """The labels after all events so far.

    A label and a withdrawal are actions on a key: document, question, block, annotator. The last action of a key that
    is not undone decides it, so undoing brings back what was there before.
    """

    def __init__(self) -> None:
        self.number = 0
        self.events: list[LabelEvent] = []
        self._actions: dict[str, LabelEvent] = {}
        self._by_key: dict[Key, list[str]] = {}
        self._undone: set[str] = set()
        self._done_by: dict[str, list[str]] = {}
        self._undone_by: dict[str, list[str]] = {}
        self._operations: dict[str, LabelEvent] = {}

    def take(self, event: LabelEvent) -> None:
        """Let one more event happen."""
        self.number = event.number
        self.events.append(event)
        self._operations[event.id] = event
        if event.kind is EventKind.LABEL or event.kind is EventKind.WITHDRAW:
            self._act(event)
        elif event.kind is EventKind.UNDO:
            self._undone.add(event.about)
            _move(event.about, self._done_by, self._undone_by, event.annotator)
        else:
            self._undone.discard(event.about)
            _move(event.about, self._undone_by, self._done_by, event.annotator)

    def _act(self, event: LabelEvent) -> None:
        label = self.label_of(event)
        if label is None:
            return
        self._actions[event.id] = event
        self._by_key.setdefault(label.key, []).append(event.id)
        self._done_by.setdefault(event.annotator, []).append(event.id)
        self._undone_by.pop(event.annotator, None)

    def knows(self, event_id: str) -> bool:
        """Whether an event of this id has happened."""
        return event_id in self._operations

    def event(self, event_id: str) -> LabelEvent | None:
        """Return the event of an id."""
        return self._operations.get(event_id)

    def label_of(self, event: LabelEvent) -> Label | None:
        """Return the label that an event set, withdrew, undid or redid."""
        if event.kind is EventKind.LABEL:
            return event.label
        about = self._operations.get(event.about)
        return None if about is None else self.label_of(about)

    def to_undo(self, annotator: str) -> LabelEvent | None:
        """Return the latest action of an annotator that is not undone."""
        return self._latest(self._done_by, annotator)

    def to_redo(self, annotator: str) -> LabelEvent | None:
        """Return what the annotator undid last, unless another action came after it."""
        return self._latest(self._undone_by, annotator)

    def in_force(self) -> Iterable[Label]:
        """Return the labels in force, each key once, in the order in which a key was first labelled."""
        for key in self._by_key:
            label = self.of_key(key)
            if label is not None:
                yield label

    def of_key(self, key: Key) -> Label | None:
        """Return the label in force of a key."""
        for event_id in reversed(self._by_key.get(key, ())):
            if event_id not in self._undone:
                return self._actions[event_id].label
        return None

    def _latest(self, stacks: dict[str, list[str]], annotator: str) -> LabelEvent | None:
        stack = stacks.get(annotator)
        return self._actions[stack[-1]] if stack else None


def _move(event_id: str, source: dict[str, list[str]], target: dict[str, list[str]], annotator: str) -> None:
    stack = source.get(annotator, [])
    if event_id in stack:
        stack.remove(event_id)
        target.setdefault(annotator, []).append(event_id)
