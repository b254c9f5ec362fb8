"""Near-copies among many blocks: ``reading.near_copies`` for whole sets of documents.

Texts that share enough runs of letters share one of ``BANDS`` short signatures (MinHash), with a probability above
0.9999 at the least likeness that counts. Only those that do are compared letter by letter.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ..reading.near_copies import LEAST_LETTERS, SHINGLE, near_copies, plain_letters

if TYPE_CHECKING:
    from ..documents import Document

BANDS, ROWS = 10, 2
_NUMBER = re.compile(r"\d+")
_INDEXES: WeakKeyDictionary[Document, CopyIndex] = WeakKeyDictionary()


class CopyIndex:
    """Texts among which near-copies are looked for.

    Parameters
    ----------
    texts : sequence of str
        Texts without letters and digits are copies of none.

    Examples
    --------
    >>> CopyIndex(["Due in 30 days.", "Due in 60 days.", "due in 30 days", "。"]).copies_of("DUE IN 30 DAYS")
    (0, 2)
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._same: dict[str, list[int]] = defaultdict(list)
        self._alike: dict[bytes, list[int]] = defaultdict(list)
        self._found: dict[str, tuple[int, ...]] = {}
        for rank, text in enumerate(texts):
            plain = plain_letters(text)
            if plain:
                self._same[plain].append(rank)
        # Texts of equal letters have equal signatures; one of them stands for all.
        for plain, ranks in self._same.items():
            for signature in _signatures(plain):
                self._alike[signature].append(ranks[0])

    def copies_of(self, text: str) -> tuple[int, ...]:
        """Return the ranks of the texts that are near-copies of one, in order."""
        plain = plain_letters(text)
        if not plain:
            return ()
        if plain not in self._found:
            self._found[plain] = self._look(text, plain)
        return self._found[plain]

    def _look(self, text: str, plain: str) -> tuple[int, ...]:
        found = set(self._same.get(plain, ()))
        tried = set(found)
        for signature in _signatures(plain):
            for rank in self._alike.get(signature, ()):
                if rank in tried:
                    continue
                tried.add(rank)
                if len(near_copies([text, self._texts[rank]], 0)) > 1:
                    found.update(self._same[plain_letters(self._texts[rank])])
        return tuple(sorted(found))


def copy_index(document: Document) -> CopyIndex:
    """Return the index of a document's blocks; kept as long as the document."""
    found = _INDEXES.get(document)
    if found is None:
        found = _INDEXES[document] = CopyIndex(document.texts)
    return found


def is_long(text: str) -> bool:
    """Return whether a text has letters enough that another one of the same letters is no chance."""
    return len(plain_letters(text)) >= LEAST_LETTERS


def _signatures(plain: str) -> list[bytes]:
    """Return what two near-copies share one of; nothing for a text that only its equals are copies of."""
    if len(plain) < LEAST_LETTERS:
        return []
    numbers = hashlib.sha256(" ".join(sorted(_NUMBER.findall(plain))).encode()).digest()[:8]
    least = _least(plain)
    return [bytes([band]) + numbers + least[band * ROWS : (band + 1) * ROWS].tobytes() for band in range(BANDS)]


def _least(plain: str) -> npt.NDArray[np.uint64]:
    """Return the least of each permutation of the hashes of the runs of letters, shape (bands x rows,)."""
    letters = np.frombuffer(plain.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    runs = np.lib.stride_tricks.sliding_window_view(letters, SHINGLE)
    hashes = (runs * _PLACES).sum(axis=1, dtype=np.uint64)
    found: npt.NDArray[np.uint64] = (hashes[:, None] * _FACTORS + _SHIFTS).min(axis=0)
    return found


def _odd_numbers(count: int, seed: int) -> npt.NDArray[np.uint64]:
    return np.random.default_rng(seed).integers(0, 2**63, count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)


_PLACES = _odd_numbers(SHINGLE, 0)
_FACTORS, _SHIFTS = _odd_numbers(BANDS * ROWS, 1), _odd_numbers(BANDS * ROWS, 2)
