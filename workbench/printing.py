"""How text from documents is written to a terminal or a table without being acted upon there, and counts in words."""

from __future__ import annotations

import unicodedata

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""With one of these a spreadsheet takes a cell for a formula (the wide ones in East Asian editions)."""

_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """Return text that cannot steer a terminal, on one line.

    White space becomes a space; control characters, direction overrides and lone surrogates become the replacement
    character.

    Examples
    --------
    >>> printable("total\\tof\\x1b[31m 5\\n")
    'total of�[31m 5'
    """
    return " ".join("".join(map(_printable, text)).split())


def shortened(text: str, limit: int) -> str:
    """Return the beginning of a text on one line, of at most ``limit`` characters.

    Examples
    --------
    >>> shortened("Net sales\\nrose by 3 %.", 15)
    'Net sales rose…'
    """
    line = printable(text[: 2 * limit])
    return line if len(line) <= limit and len(text) <= 2 * limit else line[: limit - 1].rstrip() + "…"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "block"), counted(1_200, "block")
    ('1 block', '1,200 blocks')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _printable(character: str) -> str:
    if character.isspace():
        return " "
    if character in _DIRECTIONS or unicodedata.category(character) in ("Cc", "Cs"):
        return "\ufffd"
    return character


def spreadsheet_safe(text: str) -> str:
    """Return text that a spreadsheet takes for text.

    Examples
    --------
    >>> spreadsheet_safe("=1+1"), spreadsheet_safe("1+1")
    ("'=1+1", '1+1')
    """
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
