"""The labels of a bench: of what is at hand, by whoever works here."""

from __future__ import annotations

import abc
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import WorkbenchError
from .beginning import remembered_by
from .labelling import KINDS, NAME, Labelling
from .making import Making
from .operations import Operation
from .state import is_tuning

if TYPE_CHECKING:
    from ..reading import SparseReader
    from ..training.labels import Anchored, Label, LabelStore


class Labels(Making, abc.ABC):
    """The label store of a bench, and the calls that go there."""

    _annotator: str
    _labelling: Labelling | None = None
    _untuned_at: list[str]
    """When each tuning was taken back that can be done again, as far as this kernel has seen it."""
    _was_label: bool = False
    """Whether what was done, or taken back, last was a label: it decides within one tick of the clock."""

    @property
    def annotator(self) -> str:
        """Who labels here."""
        return self._annotator

    @property
    def label_store(self) -> LabelStore:
        """All labels of the workspace; the file is made when it is first looked at.

        Raises
        ------
        LabelStoreFailed
            If the file cannot be made or read.
        """
        return self._labeller().store

    @property
    def queue_reader(self) -> SparseReader:
        """What reads the questions of a queue: the reader as it is tuned, whose scores are remembered on disk."""
        return remembered_by(self.reader)

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels in force of the document and question at hand, by block and annotator."""
        found = self.anchored_labels
        return () if found is None else found.labels

    @property
    def anchored_labels(self) -> Anchored | None:
        """The same by block, with those that were given to an earlier version of the document; None where none are."""
        reading = self.reading
        if reading is None or not self._has_labels():
            return None
        return self._quietly(lambda: self._labeller().of(reading.document, reading.question))

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back: what was tuned, or a label."""
        return self.state.undoable is not None or bool(self._label_times()[0])

    @property
    def can_redo(self) -> bool:
        """Whether there is something to do again."""
        return self.state.redoable is not None or bool(self._label_times()[1])

    def label(self, block: int, value: str, *, note: str = "") -> None:
        """Label a block of the document at hand, for the question at hand.

        Parameters
        ----------
        block : int
        value : str
            "evidence", "useful context", "not relevant", "hard negative" or "unsure".
        note : str
        """
        self._act("label", block=block, value=value, **({"note": note} if note else {}))

    def unlabel(self, block: int) -> None:
        """Leave a block without a label of whoever labels here."""
        self._act("unlabel", block=block)

    def labels_changed(self) -> None:
        """Tell those who watch that the labels of the store are others."""
        with self._lock:
            self._tell({"labels"})

    def _label_path(self) -> Path:
        return self.folder / NAME

    def _has_labels(self) -> bool:
        # Who only looks leaves no file.
        return self._labelling is not None or self._label_path().is_file()

    def _labeller(self) -> Labelling:
        from ..training.labels import LabelStore

        with self._lock:
            if self._labelling is None:
                self._labelling = Labelling(LabelStore(self._label_path()), self._annotator)
            return self._labelling

    def _label_times(self) -> tuple[str, str]:
        found = self._quietly(lambda: self._labeller().times()) if self._has_labels() else None
        return found or ("", "")

    def _is_of_labels(self, operation: Operation) -> bool:
        """Whether an operation is done by the label store: a label, or the undo or redo of one."""
        if operation.kind in KINDS:
            return True
        if operation.kind not in ("undo", "redo") or not self._has_labels():
            return False
        try:
            if self._labeller().knows(operation):
                return True
        except WorkbenchError:
            return False
        labelled, unlabelled = self._label_times()
        if operation.kind == "undo":
            tuned = self.state.undoable
            return bool(labelled) and (tuned is None or self._is_later(labelled, tuned.at))
        untuned = self._untuned_at[-1] if self._untuned_at else ""
        return bool(unlabelled) and (self.state.redoable is None or self._is_later(unlabelled, untuned))

    def _is_later(self, label: str, tuned: str) -> bool:
        return self._was_label if label == tuned else label > tuned

    def _take_label(self, operation: Operation) -> None:
        """Do an operation on labels and tell it."""
        labelling = self._labeller()
        if operation.kind in KINDS:
            request = self.request
            labelling.take(operation, self.reading, None if request is None else request.id)
        elif operation.kind == "undo":
            labelling.undo(operation)
        else:
            labelling.redo(operation)
        self._was_label = True
        self._called(operation, table="")
        self._tell({"labels"})

    def _remember_time(self, operation: Operation) -> None:
        """Remember when a tuning was taken back, so that redo does again what was taken back last."""
        if operation.kind == "undo":
            self._untuned_at.append(operation.at)
        elif operation.kind == "redo":
            del self._untuned_at[-1:]
        elif is_tuning(operation):
            self._untuned_at.clear()
        else:
            return
        self._was_label = False

    @abc.abstractmethod
    def _called(self, operation: Operation, *, table: str) -> None:
        """Remember an operation as a call."""
