"""What letters a text is made of."""

from __future__ import annotations

import re

HAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]")
_TWO_LETTERS = re.compile(r"[^\W\d_].*[^\W\d_]", re.S)


def has_letters(text: str) -> bool:
    """Whether a text has at least two letters of any script."""
    return _TWO_LETTERS.search(text) is not None


def is_caps(text: str) -> bool:
    """Whether all letters are capitals, and there are at least three; a code amid letters without case is no emphasis.

    Examples
    --------
    >>> is_caps("RISK FACTORS"), is_caps("Risk FACTORS"), is_caps("II"), is_caps("保单号 ZLS")
    (True, False, False, False)
    """
    if not text.isupper():
        return False
    capitals = sum(character.isupper() for character in text)
    return capitals >= 3 and 2 * capitals > sum(map(str.isalpha, text))


def is_title_case(text: str) -> bool:
    """Whether every longer word begins with a capital, as names do.

    Examples
    --------
    >>> is_title_case("Approval of Advertising"), is_title_case("Approval of advertising")
    (True, False)
    """
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    return bool(words) and all(word[0].isupper() for word in words)
