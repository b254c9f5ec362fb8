"""What a block is, whatever is asked: numbers that a fitted combination weighs beside words and meaning.

Each is a number of the block alone, but for ``number_asked``, which looks at the question as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..documents.blocks import KIND_CODE, BlockKind
from .surroundings import RUNNING, table_shares

if TYPE_CHECKING:
    from ..documents import Document

Floats = npt.NDArray[np.float32]

TYPICAL_TOKENS = 50
"""A block of so many tokens has the length 0."""
LEAST_TOKENS = 5
SHORT_TOKENS = 20
"""Under so many tokens a block is short, the more the fewer."""
BEGINNING_TOKENS = 1_000
"""How far the beginning of a document goes."""

_DIGIT = re.compile(r"\d")
_ASKS_NUMBER = re.compile(
    r"\b(?:how (?:many|much|long|old|large|big|high|low|far|often)|what (?:is|was|were|are) the (?:\w+ ){0,4}?"
    r"(?:number|amount|total|sum|value|percentage|percent|share|rate|ratio|price|cost|size|year|date|average|change)|"
    r"when|what (?:year|date|percentage|percent|amount|number)|which year)\b|多少|几|何时|什么时候|哪一年|比例|金额",
    re.IGNORECASE,
)

Made = Callable[["Document"], Floats]


def block_features(document: Document) -> dict[str, Floats]:
    """Return the features of the n blocks of a document.

    Parameters
    ----------
    document : Document

    Returns
    -------
    dict of str to ndarray of float32, shape (n,)
        One for each name of ``FEATURES``; what a name means says its docstring there.
    """
    return {name: make(document) for name, make in _MADE.items()}


def asked_features(question: str, features: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the features with those that the question decides.

    Parameters
    ----------
    question : str
    features : mapping of str to ndarray of float32, shape (n,)
        As ``block_features`` gives them.
    """
    asks = np.float32(asks_for_a_number(question))
    return {**features, "number_asked": asks * features["digits"]}


def asks_for_a_number(question: str) -> bool:
    """Return whether a question asks for a number or a date.

    Examples
    --------
    >>> asks_for_a_number("How many ships sail?"), asks_for_a_number("Who sails?"), asks_for_a_number("净利润是多少?")
    (True, False, True)
    """
    return _ASKS_NUMBER.search(question) is not None


def _length(document: Document) -> Floats:
    return np.log(_tokens(document) / TYPICAL_TOKENS).astype(np.float32)


def _short(document: Document) -> Floats:
    return np.maximum(0.0, np.log(SHORT_TOKENS / _tokens(document))).astype(np.float32)


def _tokens(document: Document) -> npt.NDArray[np.float64]:
    return np.maximum(document.columns.tokens, LEAST_TOKENS).astype(np.float64)


def _position(document: Document) -> Floats:
    count = len(document.columns)
    return np.linspace(0.0, 1.0, count, dtype=np.float32) if count > 1 else np.zeros(count, np.float32)


def _beginning(document: Document) -> Floats:
    tokens = document.columns.tokens.astype(np.int64)
    before = np.cumsum(tokens) - tokens
    return np.maximum(0.0, 1.0 - before / BEGINNING_TOKENS).astype(np.float32)


def _tables(document: Document) -> Floats:
    on_page: Floats = table_shares(document)[document.columns.home_page]
    return on_page


def _digits(document: Document) -> Floats:
    return np.array([_DIGIT.search(text) is not None for text in document.texts], np.float32)


def _header_row(document: Document) -> Floats:
    return document.columns.is_header.astype(np.float32)


def _running(document: Document) -> Floats:
    return np.isin(document.columns.kind, sorted(RUNNING)).astype(np.float32)


def _of_kind(kind: BlockKind) -> Made:
    def made(document: Document) -> Floats:
        found: Floats = (document.columns.kind == KIND_CODE[kind]).astype(np.float32)
        return found

    return made


_KINDS = (
    BlockKind.HEADING,
    BlockKind.LIST_ITEM,
    BlockKind.TABLE_ROW,
    BlockKind.CODE,
    BlockKind.CAPTION,
    BlockKind.FOOTNOTE,
    BlockKind.REFERENCE,
    BlockKind.TOC_ENTRY,
    BlockKind.FORM_FIELD,
)
_MADE: dict[str, Made] = {
    "length": _length,
    "short": _short,
    "position": _position,
    "beginning": _beginning,
    "table_page": _tables,
    "digits": _digits,
    "header_row": _header_row,
    "running": _running,
    **{kind.value: _of_kind(kind) for kind in _KINDS},
}
FEATURES: tuple[str, ...] = (*_MADE, "number_asked")
"""``length``: logarithm of the tokens, 0 for ``TYPICAL_TOKENS``. ``short``: how far under ``SHORT_TOKENS``, as a
logarithm. ``position``: 0 for the first block, 1 for the last. ``beginning``: 1 at the start, 0 from
``BEGINNING_TOKENS`` on. ``table_page``: share of the page's tokens in table rows. ``digits``: 1 with a digit.
``header_row``, ``running`` and the kinds: 1 for such a block. ``number_asked``: ``digits`` where the question asks for
a number or a date, else 0."""
