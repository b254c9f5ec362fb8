"""A document as text to be read, with what the reading makes of every block in its margin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from ..documents.anchors import JOINT_CELL
from ..documents.blocks import KIND_CODE, BlockKind
from ..reading.selection import ranked
from .explaining import explanation_data
from .reading_traits import SelectingWidget

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading

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
        return found


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
