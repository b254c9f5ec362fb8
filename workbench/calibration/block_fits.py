"""The block threshold as a weighted quantile: sums over sorted scores, so that every candidate is looked at.

The evidence that a question misses at a threshold is the share of its pieces that need a lower one. A document's miss
rate is the mean over its questions, and documents count alike, for they are what is exchangeable.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .risk import RiskControl, documents_needed
from .score_tables import Floats, Ints, Mask, ScoreTable

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Evidence:
    """Pieces of evidence in the order of the threshold that they need, each with its part of the mean miss rate.

    Attributes
    ----------
    needed : ndarray of float64, shape (p,)
        Rising; -inf for what no threshold recalls.
    weight : ndarray of float64, shape (p,)
        They sum to one: one document, one question of it and one piece of that are each drawn with equal chances.
    documents : int
        That have evidence.
    """

    needed: Floats
    weight: Floats
    documents: int

    @classmethod
    def of(cls, table: ScoreTable, chosen: Mask | None = None) -> Evidence:
        """Take the evidence of some questions; ``chosen`` has the shape (q,)."""
        pieces = np.ones(len(table.needed), bool) if chosen is None else chosen[table.piece_question]
        question = table.piece_question[pieces]
        if not question.size:
            return cls(np.empty(0), np.empty(0), 0)
        needed = table.needed[pieces]
        in_question = np.bincount(question, minlength=len(table.questions)).astype(np.float64)
        asked = np.flatnonzero(in_question)
        in_document = np.bincount(table.document[asked], minlength=len(table.documents)).astype(np.float64)
        documents = int((in_document > 0).sum())
        weight = 1.0 / (in_question[question] * in_document[table.document[question]] * documents)
        order = np.argsort(needed, kind="stable")
        return cls(needed[order], weight[order], documents)

    @cached_property
    def _below(self) -> Floats:
        return np.concatenate([[0.0], np.cumsum(self.weight)])

    def missed(self, threshold: float | Floats) -> Floats:
        """Return the mean miss rate at thresholds: the weight of what needs a lower one."""
        return self._below[np.searchsorted(self.needed, threshold, side="left")]

    @property
    def never(self) -> float:
        """The part that no threshold recalls."""
        return float(self._below[np.searchsorted(self.needed, -np.inf, side="right")])

    def highest(self, allowed: float) -> float | None:
        """Return the highest threshold at which at most ``allowed`` is missed; None if even the lowest misses more.

        It is infinite where all evidence is recalled at any threshold.
        """
        if allowed + _ROUNDING < self.never or not self.needed.size:
            return None
        finite = np.isfinite(self.needed)
        candidates = np.unique(self.needed[finite])
        if not candidates.size:
            return np.inf
        good = self.missed(candidates) <= allowed + _ROUNDING
        return float(candidates[good].max()) if good.any() else None


def control(evidence: Evidence, alpha: float) -> tuple[float | None, RiskControl]:
    """Return the highest threshold whose expected miss rate on a new document is at most alpha.

    Conformal risk control (``risk``) with the threshold itself as the parameter: n/(n+1) R(θ) + 1/(n+1) <= alpha.
    """
    n = evidence.documents
    allowed = (alpha * (n + 1) - 1) / n if n else -1.0
    found = evidence.highest(allowed) if allowed >= -_ROUNDING else None
    least = evidence.never
    reachable = (n * least + 1) / (n + 1)
    mean = float(evidence.missed(found)) if found is not None else least
    index = None if found is None else 0
    return found, RiskControl(index, alpha, reachable, n, documents_needed(alpha, 1.0, least), mean)


@dataclass(frozen=True, eq=False)
class Kept:
    """Blocks in falling order of their scores, with running sums: what a threshold keeps.

    Attributes
    ----------
    score : ndarray of float64, shape (n,)
        Falling; +inf for pinned blocks.
    tokens, labelled : ndarray of int64, shape (n + 1,)
        Of the blocks above.
    """

    score: Floats
    tokens: Ints
    labelled: Ints

    @classmethod
    def of(cls, table: ScoreTable, chosen: Mask | None = None) -> Kept:
        """Take the blocks of some questions; ``chosen`` has the shape (q,)."""
        rows = slice(None) if chosen is None else chosen[table.row_question]
        score = np.where(table.pinned, np.inf, table.score)[rows]
        order = np.argsort(-score, kind="stable")
        sums = [np.concatenate([[0], np.cumsum(part[rows][order])]) for part in (table.tokens, table.label)]
        return cls(score[order], sums[0].astype(np.int64), sums[1].astype(np.int64))

    def count(self, threshold: float | Floats) -> Ints:
        """Return how many blocks have at least a threshold."""
        return np.searchsorted(-self.score, -np.asarray(threshold), side="right").astype(np.int64)

    def share(self, threshold: float | Floats) -> Floats:
        """Return the share of the tokens that is kept."""
        total = max(1, int(self.tokens[-1]))
        return self.tokens[self.count(threshold)] / total

    def precision(self, threshold: float | Floats) -> Floats:
        """Return the share of the kept blocks that hold evidence; nan where nothing is kept."""
        count = self.count(threshold)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(count > 0, self.labelled[count] / np.maximum(count, 1), np.nan)
