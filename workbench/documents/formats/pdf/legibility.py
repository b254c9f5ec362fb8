"""Whether a page's text layer says what the page shows.

A font without a Unicode map yields control characters, private codes, ``(cid:12)`` or letters shifted by a
constant. Such text is confident garbage: it must not be scored, searched or quoted.
"""

from __future__ import annotations

import re
from collections import Counter

LEAST_LEGIBLE = 0.6
"""A page with a lower score is unreadable."""

_CID = re.compile(r"\(cid:\d+\)")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u017f]{2,}")
# The twelve most frequent letters make 75 to 82 % of the letters of text in the languages of Western Europe.
_FREQUENT = frozenset("etaoinshrdlu")
_LEAST_FREQUENT_SHARE, _LEAST_LETTERS = 0.56, 150
_CONTROL_WEIGHT = 4  # a bullet may have a private code, but no text holds control characters
_LONGEST_MEAN_WORD = 22.0
_LEAST_WORDS = 12


def legibility(text: str) -> float:
    """Score a page's text from 0 (garbage) to 1 (text).

    Parameters
    ----------
    text : str
        The page's text layer.

    Returns
    -------
    float
        The share of characters that can be text, set to 0 where the letters or word lengths are those of no
        language. 1.0 for a page without text.

    Examples
    --------
    >>> legibility("The committee agreed on the annual report.")
    1.0
    >>> legibility("(cid:12)(cid:8)(cid:30) (cid:7)") < LEAST_LEGIBLE
    True
    """
    inked = "".join(text.split())
    if not inked:
        return 1.0
    bad = sum(len(match) for match in _CID.findall(text)) + sum(map(_badness, inked))
    score = 1.0 - bad / len(inked)
    if score >= LEAST_LEGIBLE and (_letters_of_no_language(text) or _words_without_spaces(text)):
        return 0.0
    return max(0.0, score)


def _badness(character: str) -> int:
    code = ord(character)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return _CONTROL_WEIGHT
    return int(0xE000 <= code < 0xF900 or code == 0xFFFD or code >= 0xF0000)


def _letters_of_no_language(text: str) -> bool:
    letters = Counter("".join(_LATIN_WORD.findall(text)).lower())
    total = sum(letters.values())
    if total < _LEAST_LETTERS:
        return False
    return sum(letters[letter] for letter in _FREQUENT) < _LEAST_FREQUENT_SHARE * total


def _words_without_spaces(text: str) -> bool:
    words = [word for word in text.split() if word.isascii()]
    if len(words) < _LEAST_WORDS:
        return False
    return sum(map(len, words)) / len(words) > _LONGEST_MEAN_WORD
