"""Blocks that hold the answer of a question word for word: they may be evidence that nobody marked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ...relevance.terms import UNSPACED_RUN

LEAST_WEIGHT = 5
"""Letters and digits that an answer needs to be looked for, a Chinese character counting two: "yes" is everywhere."""
MOST_BLOCKS, MOST_SHARE = 3, 0.02
"""An answer that stands in more blocks than both of these is too common to say anything."""

_SPACE = re.compile(r"\s+")


def holding_answer(texts: Sequence[str], answers: Iterable[str], question: str = "") -> frozenset[int]:
    """Return the ranks of the texts that hold one of the answers as whole words, whatever their case and spaces.

    An answer that the question names says nothing: what is asked about stands in many blocks.

    Examples
    --------
    >>> sorted(holding_answer(["It pays 12,900.", "It pays 112,900", "Repair: 12,900 net"], ["12,900"]))
    [0, 2]
    >>> sorted(holding_answer(["违约金为合同总价的百分之五。", "逾期付款"], ["百分之五"]))
    [0]
    """
    plain: list[str] | None = None
    found: set[int] = set()
    for answer in answers:
        wanted = _plain(answer)
        if _weight(wanted) < LEAST_WEIGHT or wanted in _plain(question):
            continue
        plain = plain or [_plain(text) for text in texts]
        pattern = re.compile(_before(wanted[0]) + re.escape(wanted) + _after(wanted[-1]))
        held = {rank for rank, text in enumerate(plain) if wanted in text and pattern.search(text)}
        if len(held) <= max(MOST_BLOCKS, MOST_SHARE * len(texts)):
            found |= held
    return frozenset(found)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip().rstrip(".。")


def _weight(text: str) -> int:
    unspaced = sum(map(len, UNSPACED_RUN.findall(text)))
    return sum(map(str.isalnum, text)) + unspaced


def _before(sign: str) -> str:
    if sign.isdecimal():
        return r"(?<![\w])(?<!\d[.,])"
    return r"(?<!\w)" if sign.isascii() and sign.isalnum() else ""


def _after(sign: str) -> str:
    if sign.isdecimal():
        return r"(?![a-z0-9])(?![.,]\d)"
    return r"(?![a-z0-9])" if sign.isascii() and sign.isalnum() else ""
