"""From a quote that a set gives as evidence to the blocks that hold it.

The ways, in this order, and each only where the one before found nothing:

1. the letters and digits of the whole quote, in one run (``workbench.documents.quotes``);
2. each of its lines and sentences on its own, if those that are found hold ``TOLERANCE`` of its letters;
3. if the set's annotators wrote quotes in words of their own: the fewest blocks that hold ``TOLERANCE`` of its runs of
   ``GRAM`` letters, each at least ``SHARE`` of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from workbench.documents import Document
from workbench.documents.quotes import fold, quote_index

from .cases import Item
from .manuscripts import with_content

TOLERANCE = 0.5
GRAM = 8
SHARE = 0.15
LEAST_LETTERS = 15
"""A part of a quote with fewer letters and digits is not looked for on its own: it occurs by chance."""

_PARTS = re.compile(r"\n+|<omitted>|\.{3,}|…|(?<=[.!?;])\s+|(?<=[。！？；])")


def exact_places(
    document: Document, quote: str, *, pages: Sequence[int] | None = None, ascii_only: bool = False
) -> list[Item]:
    """Return the blocks of every place where the whole quote stands; quotes may end within a word if none ends so."""
    index = quote_index(document)
    for whole_words in (True, False):
        found = index.find(quote, pages=pages, ascii_only=ascii_only, whole_words=whole_words)
        places = [with_content(document, match.blocks) for match in found]
        if any(places):
            return list(dict.fromkeys(place for place in places if place))
    return []


def joined_places(
    document: Document, quote: str, *, pages: Sequence[int] | None = None, ascii_only: bool = False
) -> list[Item]:
    """Return one place: the blocks of the quote's lines and sentences, if enough of them are found."""
    blocks: set[int] = set()
    found = total = 0
    for part in _PARTS.split(quote):
        letters = len(fold(part, ascii_only=ascii_only))
        total += letters
        if letters < LEAST_LETTERS:
            continue
        if places := exact_places(document, part, pages=pages, ascii_only=ascii_only):
            found += letters
            blocks.update(places[0])
    return [tuple(sorted(blocks))] if blocks and found >= TOLERANCE * total else []


def similar_places(document: Document, quote: str) -> list[Item]:
    """Return one place: the fewest blocks that hold enough of the quote's runs of letters."""
    wanted = _grams(fold(quote))
    if len(wanted) < LEAST_LETTERS:
        return []
    left, blocks = set(wanted), set()
    by_block = _grams_of(document)
    while True:
        shared = np.array([len(left & grams) for grams in by_block])
        best = int(shared.argmax()) if len(shared) else 0
        if not len(shared) or shared[best] < SHARE * len(wanted):
            break
        blocks.add(best)
        left -= by_block[best]
    place = with_content(document, sorted(blocks))
    return [place] if place and len(left) <= (1 - TOLERANCE) * len(wanted) else []


def quote_places(document: Document, quote: str, *, paraphrased: bool = False) -> list[Item]:
    """Return the places of a quote: exact ones, else a joined one, else a similar one if quotes may be paraphrased."""
    places = exact_places(document, quote) or joined_places(document, quote)
    return places or (similar_places(document, quote) if paraphrased else [])


def page_places(document: Document, quote: str, page: int) -> list[Item]:
    """Return the places on a 1-based page of an evidence text that has lost what is outside ASCII.

    Where the page is read in another order, they are the blocks whose letters stand in the text, if together
    they hold ``TOLERANCE`` of it; else the blocks of its lines and sentences.
    """
    if exact := exact_places(document, quote, pages=[page], ascii_only=True):
        return exact[:1]
    whole = fold(quote, ascii_only=True)
    held = []
    for block in blocks_on(document, page):
        letters = fold(document.texts[block], ascii_only=True)
        if len(letters) >= 4 and letters in whole:
            held.append((block, len(letters)))
    enough = sum(length for _, length in held) >= TOLERANCE * len(whole)
    if held and enough:
        return [tuple(block for block, _ in held)]
    return joined_places(document, quote, pages=[page], ascii_only=True)


def blocks_on(document: Document, page: int) -> Item:
    """Return the blocks with content that begin on a 1-based page, in reading order."""
    return with_content(document, np.flatnonzero(document.columns.home_page == page - 1).tolist())


@lru_cache(maxsize=16)
def _grams_of(document: Document) -> list[set[str]]:
    return [_grams(fold(text)) for text in document.texts]


def _grams(letters: str) -> set[str]:
    return {letters[at : at + GRAM] for at in _starts(len(letters))}


def _starts(length: int) -> Iterable[int]:
    return range(length - GRAM + 1)
