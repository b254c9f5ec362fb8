"""How likely each block holds evidence for a question, with the scale of the number in its type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ..documents import Document

BELOW_BEST = 2.0
"""How far under the document's best logit an uncalibrated relevance is 0.5."""

Logits = npt.NDArray[np.float32]
Relevance = npt.NDArray[np.float64]


class Scale(StrEnum):
    """What a relevance means."""

    CALIBRATED = "calibrated"
    """A probability, by a map that was fitted for this kind of document."""
    UNCALIBRATED = "uncalibrated"
    """An order of the blocks and no more: the number says nothing about another document or question."""


class Scope(StrEnum):
    """How much of a document a question is about."""

    POINT = "point"
    SEVERAL = "several"
    AGGREGATE = "aggregate"
    WHOLE = "whole"


@dataclass(frozen=True, eq=False)
class RelevanceScores:
    """Scores of the n blocks of one document for one question, in the order of the blocks.

    Attributes
    ----------
    logits : ndarray of float32, shape (n,)
        What blocks are ranked by; the sum of ``parts``.
    relevance : ndarray of float64, shape (n,)
        In [0, 1], rising with the logit; what it means says ``scale``.
    scale : Scale
    parts : mapping of str to ndarray of float32, shape (n,)
        What adds up to the logit: "lexical", "semantic", "neighbours", …
    share_read : ndarray of float32, shape (n,)
        Share of each block's text that the scorer has seen, in [0, 1].
    scorer : str
        Fingerprint of everything that decides the logits.
    calibration : str or None
        Fingerprint of the map, for calibrated scores.
    notes : tuple of str
        What a reader of the scores must know, a sentence each.
    formula : str
        How relevance comes from the logit, for people.
    words_alone : bool
        Whether a scorer with a semantic model had to do without it for this document; no map for its scores fits these.
    presence : float or None
        How present evidence is in the document as a whole; comparable between documents of one scorer.
    nothing_relevant : bool or None
        Whether the scorer finds that the document holds no evidence at all; None where it cannot tell.
    """

    logits: Logits
    relevance: Relevance
    scale: Scale
    parts: Mapping[str, Logits]
    share_read: npt.NDArray[np.float32]
    scorer: str
    calibration: str | None = None
    notes: tuple[str, ...] = ()
    formula: str = ""
    words_alone: bool = False
    presence: float | None = None
    nothing_relevant: bool | None = None

    def __post_init__(self) -> None:
        arrays: list[npt.NDArray[Any]] = [self.logits, self.relevance, self.share_read, *self.parts.values()]
        for array in arrays:
            array.flags.writeable = False
        object.__setattr__(self, "parts", MappingProxyType(dict(self.parts)))

    def __len__(self) -> int:
        return len(self.logits)

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        """Ids of the blocks from the most to the least relevant; ties in the order of the document."""
        return np.argsort(-self.logits, kind="stable")

    @cached_property
    def tied_share(self) -> float:
        """Share of the blocks whose logit another block has as well, in [0, 1]."""
        if not len(self):
            return 0.0
        _, counts = np.unique(self.logits, return_counts=True)
        return float(counts[counts > 1].sum() / len(self))

    def __repr__(self) -> str:
        best = f", best {self.relevance.max():.2f}" if len(self) else ""
        return f"RelevanceScores({len(self)} blocks, {self.scale.value}{best})"


def sigmoid(logits: npt.NDArray[np.floating]) -> Relevance:
    """Return 1 / (1 + exp(-x)) in float64, without overflow: half precision would round good blocks to 1.

    Examples
    --------
    >>> sigmoid(np.array([-800.0, 0.0, 800.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    x = np.asarray(logits, np.float64)
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1.0 + small)


def uncalibrated(logits: npt.NDArray[np.floating]) -> Relevance:
    """Return an uncalibrated relevance, measured from the best block of the document.

    So that near the top as well a structure weight moves a block by about the logarithm of the weight: a sigmoid around
    a fixed logit calls all good blocks 1, and weights alone would order them.

    Examples
    --------
    >>> uncalibrated(np.array([7.0, 5.0, 0.0])).round(3).tolist()
    [0.881, 0.5, 0.007]
    """
    x = np.asarray(logits, np.float64)
    return sigmoid(x - x.max() + BELOW_BEST) if len(x) else x


class Scorer(Protocol):
    """What gives every block of a document a score for a question: a model, a rule, or several together."""

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides the logits: weights, options, constants."""

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Do what is needed once a document, so that the first question is quick."""

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        """Score every block."""

    def question_vector(self, question: str) -> npt.NDArray[np.float32] | None:
        """Return the question as a vector of length 1, or None without a semantic model."""
