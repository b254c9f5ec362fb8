"""Which documents are fitted on and which are held out: by a hash of their names, never by the order of rows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from .outcomes import Codes


def shuffled(documents: Sequence[str], seed: int, purpose: str) -> Codes:
    """Return the places of documents in an order that their names, the seed and the purpose decide."""
    start = f"{purpose}\0{seed}\0"
    keys = [
        hashlib.blake2b((start + name).encode("utf-8", "surrogatepass"), digest_size=8).digest() for name in documents
    ]
    return np.array(sorted(range(len(keys)), key=lambda place: (keys[place], documents[place])), np.int64)


def folds_of(documents: Sequence[str], folds: int, seed: int) -> Codes:
    """Return the fold of each document, int64; the folds differ by one document at most.

    With fewer documents than folds each document is a fold of its own; one document is in no fold (-1), for nothing
    is left to fit on.

    Examples
    --------
    >>> sorted(folds_of(["a", "b", "c", "d", "e"], 2, 0).tolist())
    [0, 0, 0, 1, 1]
    >>> folds_of(["a"], 5, 0).tolist()
    [-1]
    """
    fold = np.full(len(documents), -1, np.int64)
    if len(documents) > 1:
        fold[shuffled(documents, seed, "fold")] = np.arange(len(documents)) % min(folds, len(documents))
    return fold


def halves_of(documents: Sequence[str], seed: int) -> Codes:
    """Return 0 for documents to fit on and 1 for those that a promise rests on; of an odd number the promise has more.

    Examples
    --------
    >>> sorted(halves_of(["a", "b", "c"], 0).tolist())
    [0, 1, 1]
    """
    half = np.zeros(len(documents), np.int64)
    order = shuffled(documents, seed, "promise")
    half[order[len(order) // 2 :]] = 1
    return half
