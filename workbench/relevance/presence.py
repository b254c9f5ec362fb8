"""Whether a document holds any evidence at all: asked before the best of what is irrelevant is kept.

Nothing but the best block is looked at: its cosine with the question, and how well its words cover those asked for.
Neither is standardised over the document, for in a document about something else the best block is still the best.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

WORDS_WEIGHT = 0.1
"""Weight of BM25 per word asked, where the cosine has 1."""
MOST_PER_WORD = 2.0
"""BM25 per word asked from which on more of it says nothing more."""
EMBEDDED_MODEL = "6d5597771c7d1dd5c66e4e178d6cb674a834193e7cc011331311224c075412eb"
"""Fingerprint of the encoder that the cut was chosen for: a cosine means another thing in every model."""
NOTHING_BELOW = 0.30
"""Presence under which nothing is relevant: one answerable question in fifty is under it (``docs/benchmarks.md``)."""


_WHOLE = re.compile(
    r"\b(?:overview|summar(?:y|ies|i[sz]e[ds]?)|gist|outline|main (?:points?|topics?|ideas?)|about\s*\?)"
    r"|概述|概要|摘要|总结|總結|大意|主要内容|主要內容|[讲講]的?(?:是)?什[么麼]",
    re.IGNORECASE,
)


def asks_for_the_whole(question: str) -> bool:
    """Return whether a question is about the document as a whole, so that all of it is evidence, whatever its words.

    Examples
    --------
    >>> asks_for_the_whole("What is this about?"), asks_for_the_whole("What is said about backups?")
    (True, False)
    """
    return _WHOLE.search(question) is not None


def presence_of(cosine: Floats, lexical: Floats, words_asked: int) -> float:
    """Return how present the evidence is in a document; about 0 to 1.2, comparable between documents of one encoder.

    Parameters
    ----------
    cosine : ndarray of float32, shape (u,)
        Of the question with each unit.
    lexical : ndarray of float32, shape (n,)
        BM25 of each block.
    words_asked : int
        Terms of the question that are searched for.

    Examples
    --------
    >>> presence_of(np.array([0.1, 0.5], np.float32), np.array([3.0, 0.0], np.float32), 3)
    0.6
    """
    best_cosine = float(cosine.max()) if len(cosine) else 0.0
    per_word = float(lexical.max()) / max(1, words_asked) if len(lexical) else 0.0
    return round(best_cosine + WORDS_WEIGHT * min(per_word, MOST_PER_WORD), 6)
