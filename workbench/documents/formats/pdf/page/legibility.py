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
_CONTROL = re.compile(r"[\x01-\x08\x0b\x0c\x0e-\x1b\x7f-\x84\x86-\x9f]")
_NO_TEXT = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]")
_LATIN, _OTHER = re.compile("[a-z]"), re.compile(r"[^\W\d_\u0000-\u024f]")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[a-z\d]+(?:[-./_][a-z\d]+)*")
# The twelve most frequent letters make 75 to 82 % of the letters of text in the languages of Western Europe.
_FREQUENT = "etaoinshrdlu"
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
    inked = len("".join(text.split()))
    if not inked:
        return 1.0
    bad = sum(map(len, _CID.findall(text))) + len(_NO_TEXT.findall(text))
    bad += _CONTROL_WEIGHT * len(_CONTROL.findall(text))
    score = 1.0 - bad / inked
    if score >= LEAST_LEGIBLE and (_letters_of_no_language(text) or _words_without_spaces(text)):
        return 0.0
    return max(0.0, score)


def _letters_of_no_language(text: str) -> bool:
    """Whether the Latin letters are shifted ones.

    Codes such as "LCWS-240H" have the letters of no language either, and a table repeats them in every row: words with
    a digit do not count, others once. Amid more letters of another script, Latin ones are names and units.
    """
    lowered = text.lower()
    words = "".join(word for word in set(_WORD.findall(lowered)) if not _DIGIT.search(word))
    counts = Counter(_LATIN.findall(words))
    total = sum(counts.values())
    if total < _LEAST_LETTERS or len(_OTHER.findall(lowered)) > len(_LATIN.findall(lowered)):
        return False
    return sum(counts[letter] for letter in _FREQUENT) < _LEAST_FREQUENT_SHARE * total


def _words_without_spaces(text: str) -> bool:
    words = [word for word in text.split() if word.isascii()]
    if len(words) < _LEAST_WORDS:
        return False
    return sum(map(len, words)) / len(words) > _LONGEST_MEAN_WORD
