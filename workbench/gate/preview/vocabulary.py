"""Which terms stand in an artifact: sorted hashes, so that a question is looked up in microseconds.

Words, numbers and identifiers are terms of their own. A run of Chinese is searched by pairs of characters, some of
which lie across two words ("司净" in "公司净利润") and stand in no document; so a character counts as found when any
pair with it is, and two characters count as much as one word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from ...relevance.terms import UNSPACED_RUN, analyse

Hashes = npt.NDArray[np.uint64]
NO_TERMS: Hashes = np.zeros(0, np.uint64)
NO_TERMS.flags.writeable = False

CHARACTER_WEIGHT = 0.5
"""What a character of a script without spaces counts, where a word counts 1."""
_LEAST_PART = 2


def vocabulary_of(texts: Iterable[str], language: str) -> Hashes:
    """Return the sorted hashes of all terms of texts, shape (v,), each once; not writeable.

    Parameters
    ----------
    texts : iterable of str
    language : str
        Of the texts, as ``workbench.relevance.terms.analyse`` takes it.

    Examples
    --------
    >>> len(vocabulary_of(["Net sales rose.", "Net sales fell."], "en"))
    4
    """
    terms: set[str] = set()
    for text in dict.fromkeys(texts):
        terms.update(analyse(text, language))
    found = np.unique(_hashes(tuple(terms)))
    found.flags.writeable = False
    return found


def covered(vocabulary: Hashes, terms: Sequence[str]) -> tuple[float, tuple[str, ...]]:
    """Return the share of terms that stand in a vocabulary, and those that do not, in the order of the terms.

    Parameters
    ----------
    vocabulary : ndarray of uint64
        As ``vocabulary_of`` gives it.
    terms : sequence of str
        As ``workbench.relevance.terms.question_terms`` gives them.

    Returns
    -------
    share : float
        In [0, 1]; 1 for no terms.
    missing : tuple of str
        A run of missing Chinese characters is one term.

    Examples
    --------
    >>> known = vocabulary_of(["Long-term debt was repaid in 2019."], "en")
    >>> covered(known, ["debt", "2019", "widget", "2021"])
    (0.5, ('widget', '2021'))
    """
    asked = tuple(dict.fromkeys(terms))
    if not asked:
        return 1.0, ()
    known = dict(zip(asked, _known(vocabulary, asked), strict=True))
    words = [term for term in asked if not UNSPACED_RUN.fullmatch(term)]
    found_words = [known[word] or _joined_of_found(rank, words, known) for rank, word in enumerate(words)]
    characters = _characters({term: found for term, found in known.items() if term not in set(words)})
    weight = len(words) + CHARACTER_WEIGHT * len(characters)
    found = sum(found_words) + CHARACTER_WEIGHT * sum(characters.values())
    missing_words = {word for word, is_found in zip(words, found_words, strict=True) if not is_found}
    missing = _in_order(asked, missing_words, {sign for sign, is_found in characters.items() if not is_found})
    return found / weight, missing


def _known(vocabulary: Hashes, terms: Sequence[str]) -> list[bool]:
    if not len(vocabulary):
        return [False] * len(terms)
    asked = _hashes(terms)
    at = np.minimum(np.searchsorted(vocabulary, asked), len(vocabulary) - 1)
    found: list[bool] = (vocabulary[at] == asked).tolist()
    return found


def _hashes(terms: Sequence[str]) -> Hashes:
    digests = (blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest() for term in terms)
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


def _joined_of_found(rank: int, words: Sequence[str], known: dict[str, bool]) -> bool:
    """Whether a compound ("longterm") is followed by parts that are all found ("long", "term"): it is not missing."""
    whole, at = words[rank], 0
    for part in words[rank + 1 :]:
        # Parts are stemmed one by one, so that the whole is compared by their beginnings.
        if len(part) < _LEAST_PART or not known[part] or not whole.startswith(part[:-1], at):
            break
        at += len(part)
        if at >= len(whole) - 1:
            return True
    return False


def _characters(pairs: dict[str, bool]) -> dict[str, bool]:
    """Return for each character of the pairs whether any pair with it is found; one without pairs stands for itself."""
    found: dict[str, bool] = {}
    for term, is_found in pairs.items():
        if len(term) > 1:
            for sign in term:
                found[sign] = found.get(sign, False) or is_found
    for term, is_found in pairs.items():
        if len(term) == 1:
            found.setdefault(term, is_found)
    return found


def _in_order(asked: Sequence[str], words: set[str], characters: set[str]) -> tuple[str, ...]:
    """Return what is missing in the order of the terms, with pairs that overlap joined to runs."""
    missing: list[str] = []
    shown: set[str] = set()
    for term in asked:
        if term in words:
            missing.append(term)
        elif len(term) > 1 and characters.issuperset(term):
            if missing and missing[-1][-1] == term[0] and set(missing[-1]) <= characters:
                missing[-1] += term[1:]
            else:
                missing.append(term)
            shown.update(term)
    missing.extend(term for term in asked if len(term) == 1 and term in characters and term not in shown)
    return tuple(missing)
