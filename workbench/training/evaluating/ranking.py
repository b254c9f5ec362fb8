"""What a ranking of blocks reaches, as sums over sorted arrays; shares and recalls in percent.

Blocks are kept from the best score on, equal ones in reading order. A share of p percent is a ceiling: blocks are kept
as long as all of them together have at most p percent of the document's tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ..question import Question

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_ROUNDING = 1e-9
COVERAGE = 95.0
"""Percent of the draws inside an interval."""


class Things(StrEnum):
    """What counts as one thing to recall, and when it is recalled."""

    PIECES = "pieces"
    """A piece of evidence, by any of its blocks."""
    QUESTIONS = "questions"
    """A question, by any block of any piece."""
    HALVES = "halves"
    """A piece, by half of the tokens of one of its places."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval over documents; nan where there is none."""

    value: float
    low: float = float("nan")
    high: float = float("nan")

    def __str__(self) -> str:
        return f"{self.value:.1f}" if np.isnan(self.low) else f"{self.value:.1f} [{self.low:.1f}, {self.high:.1f}]"


def shares_of(scores: npt.ArrayLike, tokens: npt.ArrayLike) -> Floats:
    """Return for each block the percent of all tokens that is kept when it is.

    Parameters
    ----------
    scores : array_like of float, shape (n,)
        Best highest; one that is no number ranks last.
    tokens : array_like of int, shape (n,)

    Examples
    --------
    >>> shares_of([0.1, 0.9, 0.5], [10, 60, 30]).tolist()
    [100.0, 60.0, 90.0]
    """
    values = np.asarray(scores, np.float64)
    order = np.argsort(-np.where(np.isnan(values), -np.inf, values), kind="stable")
    sums = np.cumsum(np.asarray(tokens, np.int64)[order])
    found = np.zeros(len(order))
    if len(sums) and sums[-1] > 0:
        found[order] = 100.0 * sums / sums[-1]
    return found


def needed_shares(question: Question, shares: Floats, things: Things) -> tuple[Floats, Ints]:
    """Return the share that each thing to recall needs, and the block that recalls it.

    Parameters
    ----------
    question : Question
    shares : ndarray of float64, shape (n,)
        As ``shares_of`` gives them.
    things : Things

    Returns
    -------
    needed : ndarray of float64, shape (t,)
    block : ndarray of int64, shape (t,)
        The best block of the thing.
    """
    best = [min((b for place in piece for b in place), key=lambda b: (shares[b], b)) for piece in question.pieces]
    if things is Things.QUESTIONS and best:
        best = [min(best, key=lambda block: (shares[block], block))]
    needed = shares[best] if best else np.zeros(0)
    if things is Things.HALVES:
        needed = -question.gold.needed(-shares)
    return needed.astype(np.float64), np.array(best, np.int64)


def average_precision(scores: npt.ArrayLike, labels: Mask) -> float:
    """Return the mean over blocks with evidence of the precision down to each, in percent; nan without any.

    Examples
    --------
    >>> round(average_precision([0.9, 0.8, 0.7], np.array([True, False, True])), 1)
    83.3
    """
    order = np.argsort(-np.asarray(scores, np.float64), kind="stable")
    hits = np.cumsum(labels[order])
    if not labels.any():
        return float("nan")
    at = np.flatnonzero(labels[order])
    return float(100.0 * (hits[at] / (at + 1)).mean())


def needed_for(share: Floats, recall: float, weights: Floats) -> Floats:
    """Return the smallest share at which a recall is reached, for each row of weights.

    Parameters
    ----------
    share : ndarray of float64, shape (t,)
    recall : float
        0 to 1.
    weights : ndarray of float64, shape (rows, t)
        How often each thing counts.
    """
    order = np.argsort(share, kind="stable")
    sums = np.cumsum(weights[:, order], axis=1)
    if not len(share):
        return np.full(len(weights), np.nan)
    total = sums[:, -1]
    at = (sums < (recall * total - _ROUNDING)[:, None]).sum(axis=1)
    return np.where(total > 0, share[order][np.minimum(at, len(share) - 1)], np.nan)


def recalled_at(share: Floats, percent: float, weights: Floats) -> Floats:
    """Return the recall in percent with a share of the tokens kept, for each row of weights (``needed_for``)."""
    return mean_of(np.where(share <= percent + _ROUNDING, 100.0, 0.0), weights)


def mean_of(values: Floats, weights: Floats) -> Floats:
    """Return the weighted mean, for each row of weights; nan where nothing counts. What is no number does not count."""
    known = np.isfinite(values)
    total = weights[:, known].sum(axis=1)
    found = np.full(len(weights), np.nan)
    np.divide(weights[:, known] @ values[known], total, out=found, where=total > 0)
    return found


class Draws:
    """Documents drawn anew, the same for every figure about them.

    Parameters
    ----------
    documents : int
    seed : int
    draws : int
    """

    def __init__(self, documents: int, seed: int, draws: int) -> None:
        self.documents = documents
        chances = np.full(max(1, documents), 1.0 / max(1, documents))
        drawn = np.random.default_rng(seed).multinomial(documents, chances, size=draws if documents > 1 else 0)
        self._often = drawn.astype(np.float64)

    def estimate(self, figure: Callable[[Floats], Floats], document: Ints) -> Estimate:
        """Return a figure with its interval.

        Parameters
        ----------
        figure : callable
            Takes weights, shape (rows, t), and returns one value a row.
        document : ndarray of int64, shape (t,)
            Rank of the document of each thing.
        """
        value = float(figure(np.ones((1, len(document))))[0])
        if self.documents < 2 or not len(self._often) or not len(document):
            return Estimate(value)
        drawn = figure(self._often[:, document])
        drawn = drawn[np.isfinite(drawn)]
        if not len(drawn):
            return Estimate(value)
        low, high = np.percentile(drawn, [(100 - COVERAGE) / 2, (100 + COVERAGE) / 2]).tolist()
        return Estimate(value, low, high)
