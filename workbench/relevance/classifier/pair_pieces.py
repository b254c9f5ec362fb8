"""A question and a text as word pieces, in windows that a classifier can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...documents.surrogates import without_surrogates
from ...errors import DamagedModel
from ..encoders.model_files import ModelFiles
from ..encoders.word_pieces import load_tokenizer, window_starts

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

MAX_WINDOWS = 16
"""Windows of one text that are read at most; what is left unread shows in the share read."""


@dataclass(frozen=True, slots=True, eq=False)
class PairWindows:
    """The w windows of n texts.

    Attributes
    ----------
    pieces : list of ndarray of int64
        Of each window: the question, the text, and the special pieces around them.
    kinds : list of ndarray of int64
        The types of those pieces: of a BERT 0 for the question and 1 for the text.
    text_of : ndarray of int64, shape (w,)
        Which text a window is of; they are in order.
    share_read : ndarray of float32, shape (n,)
        Share of the word pieces of each text that its windows hold.
    """

    pieces: list[Ints]
    kinds: list[Ints]
    text_of: Ints
    share_read: Floats


class PairPieces:
    """The tokenizer of a classifier.

    Parameters
    ----------
    tokenizer : tokenizers.Tokenizer
    max_tokens : int
        Most word pieces of a window, question and special ones included.
    """

    def __init__(self, tokenizer: Any, *, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self.max_tokens = max_tokens
        self._before, self._between, self._after = self._specials()
        self.free = max_tokens - sum(len(pieces) for pieces, _ in (self._before, self._between, self._after))

    @classmethod
    def of(cls, files: ModelFiles, *, max_tokens: int) -> PairPieces:
        """Load the tokenizer of a model; errors are those of ``WordPieces.of``."""
        return cls(load_tokenizer(files), max_tokens=max_tokens)

    def windows(self, question: str, texts: Sequence[str], *, most: int = MAX_WINDOWS) -> PairWindows:
        """Cut texts into windows that overlap, each behind the question; one that fits is one window.

        Of a question that fills more than half of a window, the beginning is read.
        """
        asked = self._pieces(question)[: self.free // 2]
        room = self.free - len(asked)
        pieces: list[Ints] = []
        kinds: list[Ints] = []
        text_of: list[int] = []
        share = np.ones(len(texts), np.float32)
        for index, text in enumerate(texts):
            body = self._pieces(text)
            starts = window_starts(len(body), room)[:most]
            for start in starts:
                row, types = self._window(asked, body[start : start + room])
                pieces.append(row)
                kinds.append(types)
                text_of.append(index)
            if body:
                share[index] = min(len(body), starts[-1] + room) / len(body)
        return PairWindows(pieces, kinds, np.array(text_of, np.int64), share)

    def length(self, text: str) -> int:
        """Return how many word pieces a text has."""
        return len(self._pieces(text))

    def _window(self, asked: Sequence[int], body: Sequence[int]) -> tuple[Ints, Ints]:
        (before, first), (between, middle), (after, last) = self._before, self._between, self._after
        row = np.array([*before, *asked, *between, *body, *after], np.int64)
        types = np.concatenate(
            [first, np.full(len(asked), self._types[0]), middle, np.full(len(body), self._types[1]), last]
        )
        return row, types.astype(np.int64)

    def _pieces(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(without_surrogates(text), add_special_tokens=False).ids
        return found

    def _specials(self) -> tuple[tuple[list[int], list[int]], ...]:
        """Return the special pieces before, between and after the two, with their types."""
        probe = self._tokenizer.encode("a", "a", add_special_tokens=True)
        parts = probe.sequence_ids
        of_question, of_text = ([i for i, part in enumerate(parts) if part == side] for side in (0, 1))
        if not of_question or not of_text:
            raise DamagedModel("The tokenizer of the classifier does not take two texts; export the classifier again.")
        self._types = (probe.type_ids[of_question[0]], probe.type_ids[of_text[0]])
        bounds = ((0, of_question[0]), (of_question[-1] + 1, of_text[0]), (of_text[-1] + 1, len(parts)))
        return tuple((probe.ids[low:high], probe.type_ids[low:high]) for low, high in bounds)
