"""Labels of blocks that are set where they are read: each action once, whatever is sent again.

They go to a label store and not to the journal: a store is what several people and notebooks share.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption
from ..printing import shortened
from .state import given

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading
    from ..training.labels import Anchored, Label, LabelEvent, LabelStore
    from .operations import Operation

NAME = "labels.sqlite"
"""Of the label store in the folder of a workspace."""
KINDS = ("label", "unlabel")
ANNOTATOR = "SPARSEREAD_ANNOTATOR"
_NOBODY = "analyst"


def annotator_of(name: str | None) -> str:
    """Return who labels: who was named, else the environment's SPARSEREAD_ANNOTATOR, else the user of the machine.

    Raises
    ------
    InvalidOption
        If the name is no text, or empty.
    """
    if name is not None:
        if not isinstance(name, str) or not name.strip():
            raise InvalidOption(f"annotator is {name!r:.40}; give the name of who labels.")
        return name.strip()
    try:
        return os.environ.get(ANNOTATOR, "").strip() or getpass.getuser()
    except (KeyError, OSError):
        # A container may run as a user whom nobody has named.
        return _NOBODY


@dataclass(frozen=True, slots=True)
class _Meant:
    """An operation, what it is about, and the request that asks for it."""

    operation: Operation
    reading: Reading
    request: str | None


class Labelling:
    """Sets, withdraws and takes back the labels of one annotator.

    Parameters
    ----------
    store : LabelStore
    annotator : str
    """

    def __init__(self, store: LabelStore, annotator: str) -> None:
        self.store, self.annotator = store, annotator
        store.linger()
        self._last: tuple[tuple[str, str, int], Anchored] | None = None

    def of(self, document: Document, question: str) -> Anchored:
        """Return the labels in force of a document and a question, those of its earlier versions by their quotes."""
        from ..training.labels import anchored

        key = document.sha256, question, self.store.version
        if self._last is None or self._last[0] != key:
            asked = self.store.labels(question=question)
            own = [
                label for label in asked if label.document == document.sha256 or label.document_name == document.name
            ]
            self._last = key, anchored(own, document)
        return self._last[1]

    def take(self, operation: Operation, reading: Reading | None, request: str | None = None) -> None:
        """Set a label ("label") or leave a block without one ("unlabel").

        The values are block, for a label value and perhaps note, and perhaps document (SHA-256) and question: what was
        seen by whoever means it.

        Raises
        ------
        WorkbenchError
            If that is another document than the one of the reading, the block has no text, or the store cannot be
            written.
        """
        if reading is None:
            raise InvalidOption("No document is open whose blocks could be labelled; open a request first.")
        given(
            self._label if operation.kind == "label" else self._unlabel, operation, _Meant(operation, reading, request)
        )

    def undo(self, operation: Operation) -> Label | None:
        """Take back what the annotator did last."""
        return self.store.undo(self.annotator, operation=operation.id)

    def redo(self, operation: Operation) -> Label | None:
        """Do again what the annotator took back last."""
        return self.store.redo(self.annotator, operation=operation.id)

    def knows(self, operation: Operation) -> bool:
        """Whether an operation was done on labels already."""
        return any(event.id == operation.id for event in self.store.history())

    def times(self) -> tuple[str, str]:
        """Return when the annotator did what undo takes back, and took back what redo does again; "" for nothing."""
        done: list[LabelEvent] = []
        undone: list[tuple[LabelEvent, str]] = []
        for event in self.store.history():
            if event.annotator != self.annotator:
                continue
            if event.kind == "undo" and done:
                undone.append((done.pop(), event.at))
            elif event.kind == "redo" and undone:
                done.append(undone.pop()[0])
            elif event.kind in ("label", "withdraw"):
                done.append(event)
                undone.clear()
        return done[-1].at if done else "", undone[-1][1] if undone else ""

    def _label(
        self,
        meant: _Meant,
        block: Any,
        value: Any,
        note: Any = "",
        document: Any = None,
        question: Any = None,
    ) -> None:
        from ..training.labels import Label

        operation, reading = meant.operation, meant.reading
        number = _checked(reading, block, document)
        more: Mapping[str, Any] = {"id": operation.id, "at": operation.at, "note": note, "annotator": self.annotator}
        if question is None or str(question).strip() == reading.question:
            label = Label.of(reading, None, number, value, request=meant.request, **more)
        else:
            # Another question came between: what was shown is not known any more, what was meant is.
            label = Label.of(reading.document, str(question), number, value, **more)
        self.store.add(label)

    def _unlabel(self, meant: _Meant, block: Any, document: Any = None, question: Any = None) -> None:
        operation, reading = meant.operation, meant.reading
        number = _checked(reading, block, document)
        asked = reading.question if question is None else str(question).strip()
        for label in self.of(reading.document, asked).at.get(number, ()):
            if label.annotator == self.annotator:
                self.store.withdraw(label.id, annotator=self.annotator, operation=operation.id)
                return


def _checked(reading: Reading, block: Any, document: Any) -> int:
    here = reading.document
    if document is not None and document != here.sha256:
        raise InvalidOption(
            f"Block {block!r:.20} of another document than {shortened(here.name, 60)} was to be labelled, which is not "
            "at hand any more; open it, and label the block again."
        )
    if isinstance(block, bool) or not isinstance(block, int) or not 0 <= block < len(here):
        raise InvalidOption(
            f"{shortened(here.name, 60)} has no block {block!r:.40}; its blocks are 0 to {len(here) - 1}."
        )
    return block
