"""A document as text to be read, with what the reading makes of every block in its margin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from ..documents.anchors import JOINT_CELL
from ..documents.blocks import KIND_CODE, BlockKind
from ..reading.selection import ranked
from ..workspace.labelling import KINDS, Labelling, annotator_of
from .explaining import explanation_data
from .label_data import label_data, orphan_data
from .reading_traits import SelectingWidget

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading
    from ..training.labels import Anchored, Label, LabelStore
    from ..workspace.operations import Operation

MOST_ALONE = 100
"""Blocks of the highest priority whose explanations go along with a page without a kernel."""


class DocumentView(SelectingWidget):
    """The document of a reading: text, outline, minimap, and the calculation behind the block at hand.

    A block is *near* the threshold if its margin is at most an eighth of the distance between the median priority of
    the blocks over the cut and the median priority of as many blocks, the best ones, under it. Every block without text
    of its own is left out. So "near" follows the spread of priorities around the cut, and not their scale.

    Parameters
    ----------
    reading : Reading
    gold : iterable of int, optional
        Blocks that hold gold evidence, where it is known.
    labels : LabelStore or path, optional
        Where labels of blocks are kept; with it they are shown, and set with a key.
    annotator : str, optional
        Who labels; by default the environment's SPARSEREAD_ANNOTATOR, else the user of the machine.
    language : str
        "en" or "zh".

    Examples
    --------
    >>> view = DocumentView(reading)  # doctest: +SKIP
    >>> view.select(12)  # doctest: +SKIP
    """

    script: ClassVar[str] = "document_view"
    sections: ClassVar[tuple[str, ...]] = ("document_view",)
    with_reasons = True

    pin = traitlets.Int(-1).tag(sync=True)
    """The block whose explanation stays while others are looked at; -1 for none."""
    cells = traitlets.Bytes().tag(sync=True)
    """Columns of the cells of all table rows (int32), row after row in the order of the document."""
    cell_counts = traitlets.Bytes().tag(sync=True)
    """How many cells each block has (uint32, shape (n,)); 0 for what is no table row."""

    labelling = traitlets.Bool(False).tag(sync=True)
    """Whether labels can be set: there is somewhere to keep them."""
    labelled: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """The labels in force of this document and question; see ``label_data``."""
    orphans = traitlets.Dict().tag(sync=True)
    """Labels of an earlier version of the document; see ``orphan_data``."""
    annotator = traitlets.Unicode("").tag(sync=True)
    """Who sits here."""
    document_key = traitlets.Unicode("").tag(sync=True)
    """SHA-256 of the document: a label says what it is meant for."""

    def __init__(
        self,
        reading: Reading,
        *,
        gold: Iterable[int] = (),
        labels: LabelStore | str | Path | None = None,
        annotator: str | None = None,
        language: str = "en",
        **traits: Any,
    ) -> None:
        self._labels = None if labels is None else _labelling(labels, annotator)
        if self._labels is not None:
            annotator, traits = self._labels.annotator, {"labelling": True, **traits}
        super().__init__(reading, gold=gold, language=language, annotator=annotator or "", **traits)
        self._show_own_labels()

    @property
    def labels(self) -> tuple[Label, ...]:
        """The labels in force of the document and question at hand, by block."""
        if self._labels is None:
            return ()
        return self._labels.of(self.reading.document, self.reading.question).labels

    def show(self, reading: Reading, *, gold: Iterable[int] | None = None) -> None:
        """Show another reading, of this document or another one, with its labels."""
        with self.hold_sync():
            super().show(reading, gold=gold)
            self._show_own_labels()

    def show_labels(self, anchored: Anchored | None) -> None:
        """Show labels that somebody else keeps."""
        found, orphans = label_data(anchored, self.annotator), orphan_data(anchored)
        with self.hold_sync():
            if found != self.labelled:
                self.labelled = found
            if orphans != self.orphans:
                self.orphans = orphans

    def do(self, operation: Operation) -> None:
        """Do an operation; those on labels need its id and its time."""
        if self._labels is None or operation.kind not in (*KINDS, "undo", "redo"):
            super().do(operation)
            return
        if operation.kind == "undo":
            self._labels.undo(operation)
        elif operation.kind == "redo":
            self._labels.redo(operation)
        else:
            self._labels.take(operation, self.reading)
        self._show_own_labels()

    def label(self, block: int, value: str, *, note: str = "") -> None:
        """Label a block: "evidence", "useful context", "not relevant", "hard negative" or "unsure"."""
        self.act("label", block=block, value=value, note=note)

    def unlabel(self, block: int) -> None:
        """Leave a block without a label of whoever sits here."""
        self.act("unlabel", block=block)

    def _show_own_labels(self) -> None:
        # Of a view in a bench the bench shows them.
        if self._labels is not None:
            with self.telling():
                self.show_labels(self._labels.of(self.reading.document, self.reading.question))

    def do_pin(self, block: int | None = None, sequence: int | None = None) -> None:
        """Let the explanation of a block stay; None lets it go.

        Parameters
        ----------
        block : int, optional
        sequence : int, optional
            ``document_sequence`` as whoever asks has seen it: nothing happens if another document is shown by now.

        Raises
        ------
        InvalidOption
            If the document has no such block.
        """
        if not self.is_stale(sequence):
            self.pin = self._checked_block(block)

    def answer_explain(self, block: int, sequence: int | None = None) -> dict[str, Any] | None:
        """Return ``explanation_data`` of a block; None to who saw another document, see ``do_pin``."""
        if self.is_stale(sequence):
            return None
        return explanation_data(self.reading, self._checked_block(block))

    def answers_alone(self) -> Iterator[tuple[str, dict[str, Any], Any, tuple[bytes, ...]]]:
        """Give the explanations that a page without a kernel keeps.

        Yields
        ------
        tuple
            Question, values, answer and bytes: of the blocks at hand, those with gold evidence, and the ``MOST_ALONE``
            blocks of the highest priority.
        """
        best = ranked(self.reading.priority, self.reading.basis.ties)[:MOST_ALONE].tolist()
        gold = np.flatnonzero(np.frombuffer(self.gold, np.uint8)).tolist()
        chosen = [block for block in (self.selected, self.pin) if block >= 0]
        for block in sorted({*best, *gold, *chosen}):
            yield "explain", {"block": block}, self.answer_explain(block), ()

    def _let_go(self) -> None:
        super()._let_go()
        self.pin = -1

    def _data(self, reading: Reading, *, text: bool) -> dict[str, Any]:
        found = super()._data(reading, text=text)
        if text:
            found |= cell_data(reading.document)
            found["document_key"] = reading.document.sha256
        return found


def _labelling(labels: LabelStore | str | Path, annotator: str | None) -> Labelling:
    from ..training.labels import LabelStore

    store = labels if isinstance(labels, LabelStore) else LabelStore(labels)
    return Labelling(store, annotator_of(annotator))


def cell_data(document: Document) -> dict[str, bytes]:
    """Return which column each cell of each table row stands in: an empty cell leaves no trace in a row's text.

    Returns
    -------
    dict
        cells (int32) and cell_counts (uint32, shape (n,)), see ``DocumentView``.
    """
    columns = document.columns
    sizes = np.diff(columns.first_piece)
    owner = np.repeat(np.arange(len(columns)), sizes)
    begins = columns.joint == JOINT_CELL
    begins[columns.first_piece[:-1][sizes > 0]] = True
    begins &= (columns.kind == KIND_CODE[BlockKind.TABLE_ROW])[owner]
    counts = np.bincount(owner[begins], minlength=len(columns))
    return {"cells": columns.column[begins].astype("<i4").tobytes(), "cell_counts": counts.astype("<u4").tobytes()}
