"""How much the blocks of a document have in common by their words: TF-IDF and the cosine.

Weights are those of scikit-learn's ``TfidfVectorizer`` with its defaults; a test compares the two. The terms are those
that blocks are searched by, so that Chinese needs no segmenter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...relevance.terms import analyse

Floats = npt.NDArray[np.float64]


class TermVectors:
    """The blocks of one document as vectors of length 1 over their terms.

    Parameters
    ----------
    texts : sequence of str, n of them
        A text without terms has a vector of zeros.
    language : str
        As ISO 639-1 code.

    Examples
    --------
    >>> found = TermVectors(["net sales rose", "net sales fell", "the fire door", ""], "en")
    >>> found.similarity(0).round(2).tolist()
    [1.0, 0.55, 0.0, 0.0]
    """

    def __init__(self, texts: Sequence[str], language: str) -> None:
        place: dict[str, int] = {}
        counts = [Counter(place.setdefault(term, len(place)) for term in analyse(text, language)) for text in texts]
        self._term = np.array([term for count in counts for term in count], np.int64)
        self._block = np.repeat(np.arange(len(counts)), [len(count) for count in counts]).astype(np.int64)
        self._first = np.concatenate([[0], np.cumsum([len(count) for count in counts])]).astype(np.int64)
        found = np.array([number for count in counts for number in count.values()], np.float64)
        self._terms, self._count = len(place), len(counts)
        in_blocks = np.bincount(self._term, minlength=self._terms)
        weight = found * (np.log((1 + self._count) / (1 + in_blocks)) + 1)[self._term]
        size = np.sqrt(np.bincount(self._block, weight**2, minlength=self._count))
        self._weight = weight / size[self._block]

    def similarity(self, block: int) -> Floats:
        """Return the cosine of a block with every block.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1]; 0 where no term is shared, and everywhere for a block without terms.
        """
        low, high = self._first[block], self._first[block + 1]
        asked = np.zeros(self._terms, np.float64)
        asked[self._term[low:high]] = self._weight[low:high]
        shared = np.bincount(self._block, self._weight * asked[self._term], minlength=self._count)
        found: Floats = np.minimum(shared, 1.0)
        return found

    def __len__(self) -> int:
        return self._count
