"""Whether a hyphen at a line end belongs to the word: decided by the words of the document itself."""

from __future__ import annotations

import re
from collections.abc import Iterable

HYPHENS = ("-", "\u2010", "\u00ad")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_HEAD = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_TAIL = re.compile(r"[^\W\d_]+")
_LEAST_PART = 3


class Vocabulary:
    """The words of a document, as evidence for joining the two halves of a word.

    Parameters
    ----------
    texts : iterable of str
        The document's lines.

    Examples
    --------
    >>> words = Vocabulary(["a compilation of long-term and compiled notes", "the term is long"])
    >>> words.joins("the compi-", "lation"), words.joins("some long-", "term"), words.joins("the Anglo-", "American")
    (True, False, False)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts
        self._words: set[str] | None = None

    def joins(self, line: str, following: str) -> bool:
        """Whether the hyphen at the end of ``line`` vanishes when ``following`` is appended."""
        head, tail = _HEAD.search(line), _TAIL.match(following)
        if head is None or tail is None or not tail.group()[0].islower():
            return False
        if line.endswith("\u00ad"):
            return True
        first, second = head.group(1).lower(), tail.group().lower()
        words = self._all()
        if first + second in words:
            return True
        if f"{first}-{second}" in words:
            return False
        # Two words of their own make a compound ("long-term"); a syllable seldom is a word.
        return not (first in words and second in words and min(len(first), len(second)) >= _LEAST_PART)

    def _all(self) -> set[str]:
        if self._words is None:
            self._words = set()
            for text in self._texts:
                found = _WORD.findall(text.lower().replace("\u2010", "-"))
                # The last word of a hyphenated line is half a word.
                self._words.update(found[:-1] if text.endswith(HYPHENS) else found)
        return self._words
