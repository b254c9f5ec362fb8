"""Keywords, and the texts of a document in the form in which they are looked for.

Both are brought to one form first: full-width forms and ligatures are resolved (NFKC), upper and lower case are one,
curly apostrophes are straight, dashes are hyphens, and any run of white space is one space. A keyword in letters with
spaces between words (Latin, Greek, Cyrillic, …) matches whole words; in Chinese, Japanese and Korean it matches
anywhere. A ``*`` at the end stands for any ending: ``terminat*`` finds "terminated" and "termination".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]

_END = "\x00"
"""Stands behind every text of the joined ones; no keyword can hold it."""
_SPACE = re.compile(r"\s{2,}|[^\S ]")
_FOLDED = (
    *((quote, "'") for quote in "’‘"),
    *((dash, "-") for dash in "‐‒–—−"),
    *((invisible, "") for invisible in "\u00ad\u200b"),
)
_SPACELESS = ((0x2E80, 0xA4CF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0x20000, 0x323AF))
"""Scripts without spaces between words; in Korean, particles are joined to words."""
_WORD = re.compile(f"[^\\W{''.join(f'{chr(low)}-{chr(high)}' for low, high in _SPACELESS)}]+")


def normalised(text: str) -> str:
    """Return a text in the form in which keywords are looked for.

    Examples
    --------
    >>> normalised("ＡＰＩ  Company’s １２％")
    "api company's 12%"
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    for old, new in _FOLDED:
        text = text.replace(old, new)
    return _SPACE.sub(" ", text)


def words(text: str) -> tuple[str, ...]:
    """Return the keywords of a list with commas.

    Examples
    --------
    >>> words("net sales, 合计")
    ('net sales', '合计')
    """
    return tuple(word.strip() for word in text.split(","))


def words_of(text: str) -> list[str]:
    """Return the words of a normalised text that are written between spaces.

    Examples
    --------
    >>> words_of("api的v2, 10-k")
    ['api', 'v2', '10', 'k']
    """
    return _WORD.findall(text)


@dataclass(frozen=True, slots=True)
class Needle:
    """A keyword, ready to be looked for.

    Attributes
    ----------
    text : str
        Normalised, without ``*``.
    words : tuple of str
        The words in it that are written between spaces.
    open_end : bool
        Whether the last of them may go on.
    """

    text: str
    words: tuple[str, ...]
    open_end: bool

    @property
    def is_word(self) -> bool:
        """Whether it is one word and nothing else."""
        return self.words == (self.text,)


@lru_cache(maxsize=20_000)
def needle_of(keyword: str) -> Needle:
    """Return a keyword ready to be looked for."""
    plain = normalised(keyword).strip()
    text = plain.rstrip("*").rstrip() if len(plain) > 1 else plain
    inside = tuple(words_of(text))
    return Needle(text, inside, bool(inside) and plain.endswith(inside[-1] + "*"))


def keyword_problem(keyword: str) -> str:
    """Return what is wrong with a keyword and what to do, or "" for a good one.

    Examples
    --------
    >>> keyword_problem("terminat*")
    ''
    >>> keyword_problem("*ation")
    "the keyword '*ation' has a '*' before its end, which stands for an ending only; use a pattern for other gaps"
    """
    plain = normalised(keyword).strip()
    if not plain.strip("*").strip():
        return f"the keyword {keyword!r} is empty; write a word or take it out"
    if "*" in plain[:-1]:
        return (
            f"the keyword {keyword!r} has a '*' before its end, which stands for an ending only; "
            "use a pattern for other gaps"
        )
    if _END in plain:
        return f"the keyword {keyword!r} holds a NUL character, which no text has; take it out"
    return ""


class SearchableTexts:
    """Texts in the form in which keywords are looked for.

    Parameters
    ----------
    texts : sequence of str
        In the order of the blocks.

    Attributes
    ----------
    parts : tuple of str
        The texts, normalised.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        joined = normalised(_END.join(text.replace(_END, " ") for text in texts))
        self._joined = joined + _END
        self._chars = frozenset(joined)
        self.parts: tuple[str, ...] = tuple(joined.split(_END)) if texts else ()
        sizes = np.fromiter((len(part) + 1 for part in self.parts), np.int64, len(self.parts))
        self._ends: list[int] = np.cumsum(sizes).tolist()

    def __len__(self) -> int:
        return len(self.parts)

    def holding(self, keywords: Iterable[str]) -> Bools:
        """Return which texts hold one of the keywords.

        Returns
        -------
        ndarray of bool, shape (n,)
        """
        found = np.zeros(len(self.parts), np.bool_)
        for keyword in keywords:
            needle = needle_of(keyword)
            if needle.is_word and not needle.open_end:
                found[self._index.get(needle.text, [])] = True
            elif self._chars.issuperset(needle.text):
                found[list(self._with_words(needle) if needle.words else self._anywhere(needle.text))] = True
        return found

    def with_digits(self) -> Bools:
        """Return which texts hold one of the digits 0 to 9, full-width ones included.

        Returns
        -------
        ndarray of bool, shape (n,)
        """
        if not self.parts:
            return np.zeros(0, np.bool_)
        codes = np.frombuffer(self._joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        digits = (codes >= ord("0")) & (codes <= ord("9"))
        return np.logical_or.reduceat(digits, [0, *self._ends[:-1]])

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        """For every word the texts that hold it, ascending."""
        index: dict[str, list[int]] = {}
        for at, part in enumerate(self.parts):
            for word in set(words_of(part)):
                index.setdefault(word, []).append(at)
        return index

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(self._index)

    def _with_words(self, needle: Needle) -> Iterator[int]:
        """The texts with all words of a keyword, checked for standing as the keyword has them."""
        holders = [self._index.get(word, []) for word in needle.words]
        if needle.open_end:
            holders[-1] = self._beginning(needle.words[-1])
        candidates = set.intersection(*map(set, holders))
        yield from (candidates if needle.is_word else (at for at in candidates if _stands(needle, self.parts[at])))

    def _beginning(self, start: str) -> list[int]:
        vocabulary = self._vocabulary
        low = bisect_left(vocabulary, start)
        found: list[int] = []
        for word in vocabulary[low:]:
            if not word.startswith(start):
                break
            found += self._index[word]
        return found

    def _anywhere(self, text: str) -> Iterator[int]:
        at = self._joined.find(text)
        while at >= 0:
            index = bisect_right(self._ends, at)
            yield index
            at = self._joined.find(text, self._ends[index])


def _stands(needle: Needle, text: str) -> bool:
    """Whether a keyword stands in a text between the bounds of words."""
    size = len(needle.text)
    bound_start = _WORD.match(needle.text) is not None
    bound_end = not needle.open_end and needle.text.endswith(needle.words[-1])
    at = text.find(needle.text)
    while at >= 0:
        before, behind = text[at - 1 : at] if at else "", text[at + size : at + size + 1]
        if not (bound_start and _WORD.match(before)) and not (bound_end and _WORD.match(behind)):
            return True
        at = text.find(needle.text, at + 1)
    return False
