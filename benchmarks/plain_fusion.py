"""A scorer without anything of the workbench but its words: what stands on it owes nothing to the fusion that ships."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.baselines import block_vectors, embedded
from workbench.documents import Document
from workbench.relevance.lexical import LexicalIndex
from workbench.relevance.scores import RelevanceScores, Scale, Scope, sigmoid

Vector = npt.NDArray[np.float32]


class ZSum:
    """z(BM25) + z(cosine of MiniLM) + 0.2 x the neighbours: the plain fusion, without anything else."""

    fingerprint = "z-sum"

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        """Embed the blocks, if they are not in the cache."""
        del progress
        block_vectors(document)

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        """Score every block."""
        del scope, progress
        return _zsum(document, question)

    def question_vector(self, question: str) -> Vector:
        """Return the question as MiniLM sees it."""
        return _vector(question)


@lru_cache(maxsize=4_096)
def _zsum(document: Document, question: str) -> RelevanceScores:
    words = _z(_index(document).scores(question)) + _z(block_vectors(document) @ _vector(question))
    near = np.zeros(len(words))
    near[1:] += words[:-1]
    near[:-1] += words[1:]
    logits = (words + 0.2 * near).astype(np.float32)
    return RelevanceScores(
        logits=logits,
        relevance=sigmoid(logits),
        scale=Scale.UNCALIBRATED,
        parts={"all": logits.copy()},
        share_read=np.ones(len(logits), np.float32),
        scorer=ZSum.fingerprint,
    )


@lru_cache(maxsize=64)
def _index(document: Document) -> LexicalIndex:
    return LexicalIndex.of(document.texts, document.language.value)


@lru_cache(maxsize=4_096)
def _vector(text: str) -> Vector:
    found: Vector = embedded([text], "questions")[0]
    return found


def _z(values: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    spread = float(values.std())
    return (values - values.mean()) / spread if spread else np.zeros(len(values))
