"""Threshold or share, offset and budget of a reading, with what they keep and recall while a slider moves.

The browser decides by itself (``static`` (decide.js)); what a person settles on is decided again here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from ..errors import InvalidOption
from ..printing import shortened
from ..reading.cuts import MIN_TOKENS, Cut, Threshold, TokenShare, checked_offsets
from ..reading.deciding import overhead_of
from ..workload.gold import Gold
from .reading_traits import ReadingWidget

if TYPE_CHECKING:
    from ..reading import Reading
    from ..reading.basis import Basis
    from ..workload.recall_curves import RecallCurves

Listener = Callable[["Reading"], None]

# Cuts that surely let something pass, so that no sentence about nothing found counts.
_LOOSE: tuple[tuple[str, TokenShare | None], ...] = (("threshold", None), ("share", TokenShare(1e-9, 0)))


class ThresholdPanel(ReadingWidget):
    """Tunes the cut of a reading.

    Parameters
    ----------
    reading : Reading
    curves : RecallCurves, optional
        What each cut recalls and keeps on a workload; see ``workbench.workload.recall_curves``.
    gold : Gold or iterable of int, optional
        The evidence of the question in this document, for its recall. Of block ids each is a piece of its own.
    language : str
        "en" or "zh".

    Examples
    --------
    >>> panel = ThresholdPanel(reading)  # doctest: +SKIP
    >>> panel.act("set_cut", kind="share", value=0.1)  # doctest: +SKIP
    >>> panel.reading.saving.tokens_kept  # doctest: +SKIP
    2310
    """

    script: ClassVar[str] = "threshold_panel"
    sections: ClassVar[tuple[str, ...]] = ("threshold_panel",)
    with_text = False

    evidence = traitlets.Bytes().tag(sync=True)
    """int32: for each place of a piece of evidence the piece, the number of its blocks, and they."""
    min_tokens = traitlets.Int(MIN_TOKENS).tag(sync=True)
    """Tokens that a share keeps however small it is."""
    type_offsets = traitlets.Dict().tag(sync=True)
    """Offset of each document type that has one."""
    curve_data = traitlets.Dict().tag(sync=True)
    """The curves as plain values; empty without them."""
    curves_fresh = traitlets.Bool(True).tag(sync=True)
    """Whether the curves are of the rules and offsets as they are tuned now."""
    curves_offered = traitlets.Bool(False).tag(sync=True)
    """Whether there are none, and they would be made if somebody asked."""

    def __init__(
        self,
        reading: Reading,
        curves: RecallCurves | None = None,
        *,
        gold: Gold | Iterable[int] = (),
        language: str = "en",
        **traits: Any,
    ) -> None:
        self._listeners: list[Listener] = []
        self._curves = curves
        self.begin: Callable[[], object] | None = None
        blocks, pieces = _gold_of(gold)
        super().__init__(
            reading,
            gold=blocks,
            language=language,
            evidence=pieces,
            curve_data={} if curves is None else curves.to_dict(),
            **{"type_offsets": _offset_of(reading), **traits},
        )

    @property
    def curves(self) -> RecallCurves | None:
        """What each cut recalls and keeps on a workload; set other ones to show them."""
        return self._curves

    @curves.setter
    def curves(self, curves: RecallCurves | None) -> None:
        self._curves = curves
        self.curve_data = {} if curves is None else curves.to_dict()

    def on_reading(self, listener: Listener) -> Callable[[], None]:
        """Call a function with each new reading, and return what ends that.

        Examples
        --------
        >>> panel.on_reading(view.show)  # doctest: +SKIP
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def show(self, reading: Reading, *, gold: Gold | Iterable[int] | None = None) -> None:
        """Show another reading, of this document or another one.

        Parameters
        ----------
        reading : Reading
        gold : Gold or iterable of int, optional
            Its evidence; what was known before stays for the same document.
        """
        blocks, pieces = (None, None) if gold is None else _gold_of(gold)
        other = reading.document is not self.reading.document
        with self.hold_sync():
            if pieces is not None or other:
                self.evidence = pieces or b""
            self.type_offsets = {**self.type_offsets, **_offset_of(reading)}
            super().show(reading, gold=blocks)
        for listener in [*self._listeners]:
            listener(reading)

    def do_set_cut(self, kind: str, value: float) -> None:
        """Draw the line elsewhere.

        Parameters
        ----------
        kind : str
            "threshold", on the scale that the scores have, or "share" of the tokens.
        value : float
        """
        self.show(self.reading.with_cut(self._cut(kind, value)))

    def do_set_offset(self, document_type: str, value: float) -> None:
        """Move the threshold of a document type; only documents of the type change.

        Raises
        ------
        InvalidOption
            For an unknown type, or an offset beyond ±0.08.
        """
        from ..reading.reading import reading_of

        offsets = checked_offsets({document_type: value})
        reading = self.reading
        self.type_offsets = {**self.type_offsets, **offsets}
        if reading.document.document_type.value == document_type:
            basis = replace(reading.basis, offset=offsets[document_type])
            self.show(reading_of(basis, reading.cut, reading.budget_tokens, reading.focus))

    def do_set_budget(self, tokens: int | None) -> None:
        """Allow the kept text so many tokens at most, or any number of them."""
        self.show(self.reading.with_budget(tokens))

    def answer_measure(self) -> bool:
        """Begin to make the curves over the workload; return whether that begins."""
        if self.begin is None:
            return False
        self.begin()
        return True

    def answer_overheads(self) -> dict[str, dict[str, int]]:
        """Return what a budget spends besides blocks, for each kind of cut: fixed, run, block, in tokens.

        It is asked for when there is a budget: counting loads the tokenizer, which a first look must not wait for.
        """
        basis = self.reading.basis
        known = self.__dict__.get("_counted")
        if known is None or known[0] is not basis:
            known = self.__dict__["_counted"] = (basis, _overheads(basis))
        found: dict[str, dict[str, int]] = known[1]
        return found

    def answers_alone(self) -> Iterator[tuple[str, dict[str, Any], Any, tuple[bytes, ...]]]:
        """Give what a page without a kernel needs for a budget: question, values, answer and bytes."""
        yield "overheads", {}, self.answer_overheads(), ()

    def _cut(self, kind: str, value: float) -> Cut:
        if kind == "threshold":
            return Threshold(value, self.reading.scores.scale)
        if kind == "share":
            return TokenShare(value, self.min_tokens)
        raise InvalidOption(f"The kind of a cut is {kind!r:.40}; choose from threshold, share.")

    def _data(self, reading: Reading, *, text: bool) -> dict[str, Any]:
        found = super()._data(reading, text=text)
        if isinstance(reading.cut, TokenShare):
            found["min_tokens"] = reading.cut.min_tokens
        return found

    def __repr__(self) -> str:
        reading = self.reading
        return f"ThresholdPanel({shortened(reading.document.name, 60)!r}, {reading.cut})"


def _overheads(basis: Basis) -> dict[str, dict[str, int]]:
    counted = {kind: overhead_of(basis, cut or Threshold(0.0, basis.scores.scale)) for kind, cut in _LOOSE}
    return {kind: {"fixed": one.fixed, "run": one.run, "block": one.block} for kind, one in counted.items()}


def evidence_data(gold: Gold) -> bytes:
    """Return the places of the evidence: for each the rank of its piece, the number of its blocks, and they; int32."""
    return _packed((rank, place) for rank, piece in enumerate(gold.pieces) for place in piece.places)


def _packed(places: Iterable[tuple[int, Sequence[int]]]) -> bytes:
    numbers = [number for rank, place in places for number in (rank, len(place), *place)]
    return np.array(numbers, "<i4").tobytes()


def _gold_of(gold: Gold | Iterable[int]) -> tuple[tuple[int, ...], bytes]:
    """Return the blocks of the evidence, and its places."""
    if isinstance(gold, Gold):
        return gold.blocks, evidence_data(gold)
    blocks = tuple(int(block) for block in gold)
    return blocks, _packed((rank, (block,)) for rank, block in enumerate(blocks))


def _offset_of(reading: Reading) -> dict[str, float]:
    """The offset that a reading was made with, by its document's type."""
    offset = reading.basis.offset
    return {reading.document.document_type.value: offset} if offset else {}
