"""The share of a document's tokens that rank above the evidence, smoothed so that a fit has a slope to follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..relevance.scores import sigmoid

if TYPE_CHECKING:
    from .combining import HeardQuestion

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SHARPNESS = 1.0
"""How much a block counts whose logit is above the evidence's by 1: 1 / (1 + exp(-SHARPNESS))."""


@dataclass(frozen=True, eq=False)
class Stacked:
    """The blocks of q questions, one after the other.

    Attributes
    ----------
    columns : ndarray of float32, shape (n, k)
    first : ndarray of int64, shape (q + 1,)
        Blocks of question i are ``first[i]:first[i + 1]``.
    cost : ndarray of float64, shape (n,)
        Share of its document's tokens; 0 for a block with evidence, without text, or of which nobody is sure.
    piece_block, piece_of : ndarray of int64, shape (m,)
        A block that holds a piece of evidence, and the rank of the piece.
    piece_question : ndarray of int64, shape (p,)
    """

    columns: npt.NDArray[np.float32]
    first: Ints
    cost: Floats
    piece_block: Ints
    piece_of: Ints
    piece_question: Ints

    @cached_property
    def spread(self) -> Floats:
        """Standard deviation of each column, shape (k,); 0 where nothing differs."""
        found: Floats = self.columns.std(axis=0, dtype=np.float64)
        return np.where(found < 1e-6, 0.0, found)


def stacked(heard: Sequence[HeardQuestion]) -> Stacked:
    """Put questions one after the other; each has evidence."""
    first = np.concatenate([[0], np.cumsum([len(one.columns) for one in heard])]).astype(np.int64)
    costs: list[Floats] = []
    blocks: list[int] = []
    of: list[int] = []
    question: list[int] = []
    for rank, one in enumerate(heard):
        asked = one.question
        tokens = asked.document.columns.tokens.astype(np.float64)
        cost = tokens / max(1.0, tokens.sum())
        cost[[block for block, text in enumerate(asked.document.texts) if not text.strip()]] = 0.0
        cost[[*asked.evidence, *asked.unsure]] = 0.0
        costs.append(cost)
        for piece in asked.pieces:
            found = sorted({block for place in piece for block in place})
            blocks += [int(first[rank]) + block for block in found]
            of += [len(question)] * len(found)
            question.append(rank)
    return Stacked(
        np.concatenate([one.columns for one in heard]),
        first,
        np.concatenate(costs),
        np.array(blocks, np.int64),
        np.array(of, np.int64),
        np.array(question, np.int64),
    )


class SmoothShare:
    """The smoothed share as a function of weights.

    Parameters
    ----------
    found : Stacked
    importance : ndarray of float64, shape (q,)
        What each question counts.
    """

    def __init__(self, found: Stacked, importance: Floats) -> None:
        self.stacked = found
        pieces = np.bincount(found.piece_question, minlength=len(importance))
        self._of_piece = 1.0 / pieces[found.piece_question]
        self._weight = importance[found.piece_question] * self._of_piece
        sizes = np.diff(found.first)[found.piece_question]
        # Every block of a question against each of its pieces.
        self._piece = np.repeat(np.arange(len(sizes)), sizes)
        starts = np.repeat(found.first[found.piece_question] - (np.cumsum(sizes) - sizes), sizes)
        self._block = np.arange(int(sizes.sum())) + starts
        self._cost = found.cost[self._block]

    def value(self, weights: Floats) -> tuple[float, Floats]:
        """Return the share, mean over questions by importance, and its slope in the weights, shape (k,)."""
        best, above = self._above(weights)
        held = self._weight[self._piece] * self._cost
        slope = SHARPNESS * held * above * (1 - above)
        of_block = np.bincount(self._block, slope, minlength=len(self.stacked.columns))
        np.subtract.at(of_block, best, np.bincount(self._piece, slope, minlength=len(best)))
        by_weight: Floats = (of_block.astype(np.float32) @ self.stacked.columns).astype(np.float64)
        return float(held @ above), by_weight

    def of_questions(self, weights: Floats) -> Floats:
        """Return the share of each question as it is, not smoothed, mean over its pieces; shape (q,)."""
        best, logits = self._best(weights)
        above = logits[self._block] > logits[best][self._piece]
        of_piece = np.bincount(self._piece, self._cost * above, minlength=len(self._of_piece)) * self._of_piece
        of_question: Floats = np.bincount(
            self.stacked.piece_question, of_piece, minlength=len(self.stacked.first) - 1
        ).astype(np.float64)
        return of_question

    def _above(self, weights: Floats) -> tuple[Ints, Floats]:
        """Return the best block of each piece, and how far each block ranks above each piece, in [0, 1]."""
        best, logits = self._best(weights)
        return best, sigmoid(SHARPNESS * (logits[self._block] - logits[best][self._piece]))

    def _best(self, weights: Floats) -> tuple[Ints, Floats]:
        """Return the best block of each piece, and the logit of each block."""
        found = self.stacked
        logits = (found.columns @ weights.astype(np.float32)).astype(np.float64)
        order = np.lexsort((-logits[found.piece_block], found.piece_of))
        firsts = np.searchsorted(found.piece_of[order], np.arange(len(self._of_piece)))
        return found.piece_block[order][firsts], logits
