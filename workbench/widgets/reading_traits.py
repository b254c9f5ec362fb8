"""What a widget of a reading holds: the reading in Python, and its arrays for the browser."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from ..errors import InvalidOption
from .base import Widget
from .reading_data import decision_data, document_data, mask_data, score_data

if TYPE_CHECKING:
    from ..reading import Reading


class ReadingWidget(Widget):
    """Base of the widgets that show one reading; setting ``reading`` sends only what differs.

    Parameters
    ----------
    reading : Reading
    gold : iterable of int, optional
        Blocks that hold gold evidence, where it is known.
    language : str
    """

    with_text = True
    """Whether the text of the blocks is sent."""
    with_reasons = False
    """Whether it is sent why each block is kept or not."""

    text = traitlets.Bytes().tag(sync=True)
    offsets = traitlets.Bytes().tag(sync=True)
    kinds = traitlets.Bytes().tag(sync=True)
    levels = traitlets.Bytes().tag(sync=True)
    pages = traitlets.Bytes().tag(sync=True)
    parents = traitlets.Bytes().tag(sync=True)
    facts = traitlets.Dict().tag(sync=True)
    relevance = traitlets.Bytes().tag(sync=True)
    weight = traitlets.Bytes().tag(sync=True)
    priority = traitlets.Bytes().tag(sync=True)
    ties = traitlets.Bytes().tag(sync=True)
    tokens = traitlets.Bytes().tag(sync=True)
    flags = traitlets.Bytes().tag(sync=True)
    links = traitlets.Bytes().tag(sync=True)
    scale = traitlets.Unicode().tag(sync=True)
    offset = traitlets.Float(0.0).tag(sync=True)
    nothing_relevant = traitlets.Bool(False).tag(sync=True)
    question = traitlets.Unicode().tag(sync=True)
    status = traitlets.Bytes().tag(sync=True)
    reason = traitlets.Bytes().tag(sync=True)
    cut = traitlets.Dict().tag(sync=True)
    budget = traitlets.Int(None, allow_none=True).tag(sync=True)
    line = traitlets.Float(None, allow_none=True).tag(sync=True)
    bound = traitlets.Unicode().tag(sync=True)
    figures = traitlets.Dict().tag(sync=True)
    gold = traitlets.Bytes().tag(sync=True)
    sequence = traitlets.Int(0).tag(sync=True)
    """Changes last, once for each change of the others: the browser listens to it alone."""
    document_sequence = traitlets.Int(0).tag(sync=True)
    """The same for another document."""

    def __init__(self, reading: Reading, *, gold: Iterable[int] = (), language: str = "en", **traits: Any) -> None:
        self._reading = _checked(reading)
        marked = mask_data(gold, len(reading))
        super().__init__(language=language, gold=marked, **self._data(reading, text=True), **traits)

    @property
    def reading(self) -> Reading:
        """What is shown; set another one to show that."""
        return self._reading

    @reading.setter
    def reading(self, reading: Reading) -> None:
        self.show(reading)

    def show(self, reading: Reading, *, gold: Iterable[int] | None = None) -> None:
        """Show another reading, of this document or another one.

        Parameters
        ----------
        reading : Reading
        gold : iterable of int, optional
            Its gold blocks; those before stay for the same document, and none are known for another one.
        """
        before, self._reading = self._reading, _checked(reading)
        other = reading.document is not before.document
        with self.hold_sync():
            for name, value in self._data(reading, text=other).items():
                setattr(self, name, value)
            if gold is not None or other:
                self.gold = mask_data(gold or (), len(reading))
            if other:
                self.document_sequence += 1
            self.sequence += 1

    def _data(self, reading: Reading, *, text: bool) -> dict[str, Any]:
        found = {**score_data(reading), **decision_data(reading)}
        if text:
            found |= document_data(reading.document)
            if not self.with_text:
                found |= {"text": b"", "offsets": b""}
        if not self.with_reasons:
            found["reason"] = b""
        return found


class SelectingWidget(ReadingWidget):
    """Base of the widgets of a reading in which a block is taken in hand."""

    selected = traitlets.Int(-1).tag(sync=True)
    """The block at hand; -1 for none."""

    def show(self, reading: Reading, *, gold: Iterable[int] | None = None) -> None:
        """Show another reading, of this document or another one; another document has no block at hand."""
        before = self.reading
        with self.hold_sync():
            if getattr(reading, "document", None) is not before.document:
                self._let_go()
            super().show(reading, gold=gold)

    def select(self, block: int | None) -> None:
        """Take a block in hand and bring it in sight; None takes none.

        Raises
        ------
        InvalidOption
            If the document has no such block.
        """
        self.selected = self._checked_block(block)

    def is_stale(self, sequence: int | None) -> bool:
        """Whether somebody who saw ``document_sequence`` so means another document; None is never stale."""
        return sequence is not None and sequence != self.document_sequence

    def _let_go(self) -> None:
        """Take nothing in hand: the blocks are those of another document."""
        self.selected = -1

    def _checked_block(self, block: int | None) -> int:
        if block is None:
            return -1
        count = len(self.reading)
        if isinstance(block, bool) or not isinstance(block, int | np.integer) or not 0 <= block < count:
            known = f"its blocks are 0 to {count - 1}" if count else "it has no blocks"
            raise InvalidOption(f"{self.reading.document.name} has no block {block!r:.40}; {known}.")
        return int(block)


def _checked(reading: Reading) -> Reading:
    from ..reading import Reading as Expected

    if not isinstance(reading, Expected):
        raise InvalidOption(
            f"A widget shows a Reading, not {type(reading).__name__}; make one with reader.read(document, question)."
        )
    return reading
