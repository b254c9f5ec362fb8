"""One question, ranked by one scorer: what its evidence needs, and what went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...relevance.scores import Scale
from ..question import Question
from .ranking import Floats, Ints, Mask, Things, average_precision, needed_shares, shares_of

if TYPE_CHECKING:
    from ...reading import SparseReader
    from ...relevance.scores import Scorer

EDGES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
"""Ends of the bins of probabilities. Evidence is rare: with equal bins nearly every block lies in the first."""
MOST_WRONG = 3
"""Blocks without evidence that are named of one question."""


@dataclass(frozen=True, eq=False)
class Ranked:
    """What a scorer, or a reader, says of the n blocks of a document.

    Attributes
    ----------
    scores : ndarray of float64, shape (n,)
        What blocks are ranked by: the logit of a scorer, the priority of a reader.
    probability : ndarray of float64, shape (n,), or None
        Where it is calibrated.
    kept : ndarray of bool, shape (n,), or None
        What a reader keeps.
    words_alone : bool
        Whether there was no model for the language.
    """

    scores: Floats
    probability: Floats | None
    kept: Mask | None
    words_alone: bool


@dataclass(frozen=True, eq=False)
class Judged:
    """What a ranking is worth for one question.

    Attributes
    ----------
    needed : ndarray of float64, shape (t,)
        Percent of the tokens that must be kept for each thing to recall.
    block : ndarray of int64, shape (t,)
        Its best block.
    scores : ndarray of float64, shape (t,)
        The score of that.
    recalled : ndarray of bool, shape (t,), or None
        Whether a reader keeps it.
    average_precision : float
        In percent.
    wrong : tuple of (int, float, float)
        The best blocks without evidence: block, score, and the share at which it is kept.
    irrelevant, dropped : int
        Blocks with text and without evidence; those of them that a reader skips.
    right : int
        Blocks with text that a reader keeps and skips as it should.
    blocks : int
        Blocks with text.
    kept_share : float
        Percent of the tokens that a reader keeps; nan without one.
    bins : ndarray of float64, shape (3, bins), or None
        Blocks, sum of probabilities, and blocks with evidence, by probability.
    """

    needed: Floats
    block: Ints
    scores: Floats
    recalled: Mask | None
    average_precision: float
    wrong: tuple[tuple[int, float, float], ...]
    irrelevant: int
    dropped: int
    right: int
    blocks: int
    kept_share: float
    bins: Floats | None


def ranked_by(judge: Scorer | SparseReader, question: Question) -> Ranked:
    """Let a scorer or a reader look at a question."""
    from ...reading import SparseReader

    if isinstance(judge, SparseReader):
        reading = judge.read(question.document, question.question, scope=question.scope, progress=False)
        scores = reading.scores
        probability = scores.relevance if scores.scale is Scale.CALIBRATED else None
        priority: Floats = np.asarray(reading.priority, np.float64)
        kept = np.zeros(len(priority), bool)
        kept[list(reading.kept_ids)] = True
        return Ranked(priority, probability, kept, scores.words_alone)
    scores = judge.score(question.document, question.question, scope=question.scope, progress=False)
    probability = scores.relevance if scores.scale is Scale.CALIBRATED else None
    return Ranked(scores.logits.astype(np.float64), probability, None, scores.words_alone)


def judged(question: Question, ranked: Ranked, things: Things) -> Judged:
    """Return what a ranking is worth for a question with evidence."""
    tokens = question.document.columns.tokens
    has_text = np.array([bool(text.strip()) for text in question.document.texts], bool)
    known = has_text.copy()
    known[list(question.unsure)] = False
    shares = shares_of(np.where(has_text, ranked.scores, -np.inf), tokens)
    needed, block = needed_shares(question, shares, things)
    labels = question.labels
    other = known & ~labels
    kept = ranked.kept
    recalled = None
    if kept is not None:
        recalled = needed_shares(question, np.where(kept, 0.0, 100.0), things)[0] < 100.0
    return Judged(
        needed,
        block,
        ranked.scores[block],
        recalled,
        average_precision(ranked.scores[known], labels[known]),
        _wrong(ranked, shares, other, needed),
        int(other.sum()),
        0 if kept is None else int((other & ~kept).sum()),
        0 if kept is None else int((known & (kept == labels)).sum()),
        int(known.sum()),
        float("nan") if kept is None else float(100.0 * tokens[kept].sum() / max(1, tokens.sum())),
        None if ranked.probability is None else _bins(ranked.probability[known], labels[known]),
    )


def _wrong(ranked: Ranked, shares: Floats, other: Mask, needed: Floats) -> tuple[tuple[int, float, float], ...]:
    """Return the best blocks without evidence: those that a reader keeps, else those above the best evidence."""
    best = float(needed.min()) if len(needed) else np.inf
    wrong = other & (ranked.kept if ranked.kept is not None else shares < best)
    order = np.flatnonzero(wrong)[np.argsort(shares[wrong], kind="stable")][:MOST_WRONG]
    return tuple((int(block), float(ranked.scores[block]), float(shares[block])) for block in order)


def _bins(probability: Floats, labels: Mask) -> npt.NDArray[np.float64]:
    at = np.clip(np.searchsorted(EDGES, probability, side="right") - 1, 0, len(EDGES) - 2)
    count = len(EDGES) - 1
    return np.stack(
        [
            np.bincount(at, minlength=count).astype(np.float64),
            np.bincount(at, probability, minlength=count),
            np.bincount(at, labels.astype(np.float64), minlength=count),
        ]
    )
