"""Whether a question goes on with the topic of those before it, and why, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..relevance.terms import question_terms
from .followup_options import FollowUpOptions
from .references import Reference, reference_in

if TYPE_CHECKING:
    from .sessions import SessionState

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Topic:
    """What a question has to do with those before it.

    Attributes
    ----------
    same : bool
        Whether it goes on with their topic.
    reason : str
        Why, as the part of a sentence that follows "because".
    reference : Reference or None
        How it leans on the question before, if it does.
    cosine : float or None
        With the mean of the last questions; None where it was not asked.
    """

    same: bool
    reason: str
    reference: Reference | None = None
    cosine: float | None = None


def topic_of(
    question: str,
    vector: Vector | None,
    state: SessionState,
    *,
    scorer: str,
    language: str,
    best_block: int | None,
    options: FollowUpOptions,
) -> Topic:
    """Decide whether a question goes on with the topic of a session.

    A question that leans on the one before goes on with it. Else the cosine with the mean of the last questions
    decides; without a semantic model words do: that one which names something stood in the last questions, or that the
    block which says most about the question is an anchor.

    Parameters
    ----------
    question : str
    vector : ndarray of float32, shape (d,), or None
        Of length 1; None without a semantic model.
    state : SessionState
        With at least one question.
    scorer : str
        Fingerprint of what made the vector: vectors of two models are never compared.
    language : str
        Of the document.
    best_block : int or None
        The block with the highest score for the question alone; None where nothing has one.
    options : FollowUpOptions
    """
    reference = reference_in(question)
    if reference is not None:
        return Topic(True, reference.reason, reference)
    vectors = state.question_vectors
    if vector is not None and len(vectors) and scorer == state.scorer and vectors.shape[1] == len(vector):
        return _by_cosine(cosine(vector, vectors), len(vectors), options)
    return _by_words(question, state.questions, language, best_block in state.anchor_blocks)


def cosine(vector: Vector, vectors: npt.NDArray[np.float32]) -> float:
    """Return the cosine of a vector with the mean of others, shape (k, d); 0 where one of the two is zero.

    Examples
    --------
    >>> cosine(np.array([1.0, 0.0], np.float32), np.array([[1, 0], [0, 1]], np.float32)).__round__(3)
    0.707
    """
    mean = vectors.astype(np.float64).mean(axis=0)
    one = vector.astype(np.float64)
    size = float(np.linalg.norm(mean) * np.linalg.norm(one))
    return float(one @ mean) / size if size else 0.0


def _by_cosine(found: float, count: int, options: FollowUpOptions) -> Topic:
    cut = options.topic_threshold
    before = "the question before" if count == 1 else f"the mean of the last {count} questions"
    # Two decimals, unless they hide which of the two is greater.
    digits = next((n for n in range(2, 8) if f"{found:.{n}f}" != f"{cut:.{n}f}"), 8)
    compared = f"its cosine with {before} is {found:.{digits}f}"
    if found < cut:
        return Topic(False, f"{compared}, under {cut:.{digits}f}", cosine=found)
    return Topic(True, f"{compared}, not under {cut:.{digits}f}", cosine=found)


def _by_words(question: str, before: Sequence[str], language: str, best_is_anchor: bool) -> Topic:
    asked = _naming(question, language)
    known = {term for text in before for term in _naming(text, language)}
    shared = [term for term in asked if term in known]
    if shared:
        words = ", ".join(f'"{term}"' for term in shared[:3])
        return Topic(True, f"without a semantic model words decide, and it shares {words} with the last questions")
    if best_is_anchor:
        return Topic(
            True, "without a semantic model words decide, and the block that says most about it is one of the anchors"
        )
    return Topic(
        False,
        "without a semantic model words decide: it shares none with the last questions, and the block that says most "
        "about it is no anchor",
    )


def _naming(question: str, language: str) -> list[str]:
    """Return the terms of a question that are more than one Chinese character: one alone says little."""
    return [term for term in question_terms(question, language) if len(term) > 1 or term.isascii()]
