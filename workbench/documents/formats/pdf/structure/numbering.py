"""How headings and list items are numbered, and which number follows another."""

from __future__ import annotations

import re
from typing import NamedTuple

from .letters import is_caps
from .marks import CAPTION

_PART = re.compile(r"(?:part|teil)\s+(?:[IVX]+|one|two|three|four|five)\b|第[一二三四五六七八九十百\d]+[编部篇]", re.I)
_CHAPTER = re.compile(
    r"(?:chapter|kapitel|article|appendix|annex|schedule|exhibit|attachment)\s+(?:[IVXLC]+|\d+|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten)\b|第[一二三四五六七八九十百\d]+[章条]|附录",
    re.I,
)
_ITEM = re.compile(r"item\s+\d+[A-C]?\b\.?|第[一二三四五六七八九十百\d]+节", re.I)
_NOTE = re.compile(r"note\s+\d+\b", re.I)
_SECTION_WORD = re.compile(r"section\s+\d+(?:\.\d+)*\b", re.I)
_DECIMAL = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,4})(?P<mark>[.、．]?)\s*(?=[^\W\d_])|(?P<top>\d{1,2}[.、．])\s+(?=\S)"
)
_ROMAN = re.compile(r"[IVX]{1,5}[.)]\s+(?=\S)")
_LETTER = re.compile(r"[A-Z](?:\.\d{1,2})*[.)]?\s+(?=[A-Z])")
_HAN_NUMBER = re.compile(r"[一二三四五六七八九十]{1,3}[、．.]")
_HAN_BRACKETED = re.compile(r"[（(][一二三四五六七八九十]{1,3}[）)]")
_ARABIC_BRACKETED = re.compile(r"[（(]\d{1,2}[）)]")
_ENUMERATOR = re.compile(
    r"[(（]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlc]{1,5}|[IVXLC]{1,5}|[一二三四五六七八九十]{1,3})[.)）、:]?|§+\s*\d+(?:\.\d+)*|"
    r"(?:item|note|section|article|part|chapter)\s+(?:\d+(?:\.\d+)*[A-C]?|\w{1,4})[.:]?",
    re.I,
)
BARE_NUMBER = re.compile(
    r"(?:part|chapter|article|section|appendix|annex|schedule|exhibit|attachment|item|note|kapitel|teil)\s+"
    r"(?:[IVXLC]+|\d+|[A-Z]|one|two|three|four|five|six|seven|eight|nine|ten)\W*",
    re.I,
)
"""A number that waits for its name on the next line."""
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")
PLAIN = 5
"""The rank of a heading without a number, and of one with plain numbers."""
HAN_RANKS = frozenset({4, 6})
"""Ranks of 一、 and （一）, which make a heading without room above."""


class Numbering(NamedTuple):
    """How a heading is numbered.

    Attributes
    ----------
    rank : int
        0 for a part, growing with depth; headings without a number stand at ``PLAIN``.
    depth : int
        How many numbers a decimal numbering has: 2 for "3.1".
    strong : bool
        Whether the numbering alone, without a larger or bolder font, can make a heading.
    """

    rank: int
    depth: int
    strong: bool


def numbering(text: str) -> Numbering | None:
    """Return how a line is numbered, or None.

    Examples
    --------
    >>> numbering("Item 7A. Quantitative Disclosures").rank, numbering("3.1 Scope").depth, numbering("Scope")
    (2, 2, None)
    """
    text = text.strip()
    for rank, pattern in enumerate((_PART, _CHAPTER, _ITEM, _NOTE)):
        if pattern.match(text):
            return Numbering(rank, 1, True)
    if _SECTION_WORD.match(text):
        return Numbering(3, 1, True)
    if _HAN_NUMBER.match(text):
        return Numbering(4, 1, True)
    if _HAN_BRACKETED.match(text):
        return Numbering(6, 1, True)
    match = _DECIMAL.match(text)
    if match is not None:
        depth = match.group("number").count(".") + 1 if match.group("number") else 1
        mark = match.group("mark") or (match.group("top") or "")[-1:]
        if mark in ("、", "．"):
            return Numbering(7, 1, True)
        return Numbering(PLAIN, depth, depth > 1 or (bool(mark) and is_caps(text)))
    if _ARABIC_BRACKETED.match(text):
        return Numbering(8, 1, False)
    if _ROMAN.match(text):
        return Numbering(3, 1, is_caps(text))
    return Numbering(PLAIN, 1, False) if _LETTER.match(text) else None


def number_of(text: str) -> str | None:
    """Return the Arabic number with which a text begins ("3.1"), or None."""
    match = _DECIMAL.match(text.strip())
    return match.group("number") if match is not None else None


def label_of(text: str) -> str:
    """Return the numbered beginning of a heading or caption, "" where a line has none; "12 Terms" may be a page number.

    Examples
    --------
    >>> label_of("13.2 Parts of MX-65"), label_of("Table 16: Spare parts"), label_of("12 Terms"), label_of("Page 12")
    ('13.2 ', 'Table 16:', '', '')
    """
    decimal = _DECIMAL.match(text)
    if decimal is not None and (decimal["top"] or decimal["mark"] or "." in decimal["number"]):
        return decimal.group()
    for pattern in (CAPTION, _PART, _CHAPTER, _ITEM, _NOTE, _SECTION_WORD, _ARABIC_BRACKETED, _ROMAN):
        if found := pattern.match(text):
            return found.group()
    return ""


def is_decimal(text: str) -> bool:
    """Whether a heading is numbered with Arabic numbers."""
    found = numbering(text)
    return found is not None and found.rank == PLAIN and number_of(text) is not None


def is_enumerator(text: str) -> bool:
    """Whether a text is nothing but a number, letter or name of a part: "(a)", "§ 3", "Article IV"."""
    return BARE_NUMBER.fullmatch(text) is not None or _ENUMERATOR.fullmatch(text) is not None


def is_next(mark: str, following: str) -> bool:
    """Whether one enumerator follows another, as "(b)" follows "(a)"; "(i)" after "(a)" begins a list of its own."""
    shape, value = _enumerator(mark)
    next_shape, next_value = _enumerator(following)
    return shape == next_shape and value != next_value and next_value in _successors(value)


def _enumerator(mark: str) -> tuple[str, str]:
    """The shape of an enumerator, with # for its value, and the value."""
    mark = mark.strip()
    value = "".join(character for character in mark if character.isalnum())
    return mark.replace(value, "#"), value.lower()


def _successors(value: str) -> set[str]:
    """What may follow an enumerator's value in a list.

    Examples
    --------
    >>> sorted(_successors("a")), sorted(_successors("9")), sorted(_successors("iv")), sorted(_successors("i"))
    (['b'], ['10'], ['v'], ['ii', 'j'])
    """
    found = set()
    if value.isdigit():
        found.add(str(int(value) + 1))
    if len(value) == 1 and "a" <= value < "z":
        found.add(chr(ord(value) + 1))
    if value in _ROMANS[:-1]:
        found.add(_ROMANS[_ROMANS.index(value) + 1])
    return found
