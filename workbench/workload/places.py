"""From a quote that is given as evidence to the blocks that hold it.

A place is the blocks of one spot; a quote may stand at several, any of which will do. The ways to it:

exact    the letters and digits of the whole quote, in one run (``workbench.documents.quotes``); of a table row, each
         of its cells in one row;
page     the blocks of a page whose letters stand in the quote, if together they hold ``TOLERANCE`` of it: a page that
         is read in another order;
joined   each of its lines and sentences on its own, if those that are found hold ``TOLERANCE`` of its letters;
similar  the fewest blocks that hold ``TOLERANCE`` of its runs of ``GRAM`` letters, each at least ``SHARE`` of them: a
         quote in an annotator's own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from ..documents import Document
from ..documents.blocks import FURNITURE, KIND_CODE, BlockKind
from ..documents.quotes import fold, quote_index
from .wording import holding_half

Place = tuple[int, ...]
"""Ids of the blocks of one spot, in reading order."""

TOLERANCE = 0.5
GRAM = 8
SHARE = 0.15
LEAST_LETTERS = 15
"""A part of a quote with fewer letters and digits is not looked for on its own: it occurs by chance."""
LEAST_HELD = 4
"""A block with fewer letters and digits is not taken for a part of a quote: they occur in any."""

_PARTS = re.compile(r"\n+|<omitted>|\.{3,}|…|(?<=[.!?;])\s+|(?<=[。！？；])")
_FURNITURE_CODES = frozenset(KIND_CODE[kind] for kind in FURNITURE)
_ROW = KIND_CODE[BlockKind.TABLE_ROW]
_POINT = re.compile(r"(?<=\d)\.(?=\d)")


def with_content(document: Document, blocks: Iterable[int]) -> Place:
    """Return those blocks that can hold evidence: with tokens, and no running headers and footers."""
    columns = document.columns
    return tuple(
        block for block in blocks if columns.tokens[block] > 0 and int(columns.kind[block]) not in _FURNITURE_CODES
    )


def blocks_at(document: Document, start: int, end: int) -> Place:
    """Return the blocks with content that a range of the text layer touches, in reading order."""
    columns = document.columns
    pieces = np.flatnonzero((columns.start < end) & (columns.end > start))
    blocks = np.unique(np.searchsorted(columns.first_piece, pieces, side="right") - 1)
    return with_content(document, blocks.tolist())


def blocks_on(document: Document, page: int) -> Place:
    """Return the blocks with content that begin on a 1-based page, in reading order."""
    return with_content(document, np.flatnonzero(document.columns.home_page == page - 1).tolist())


def exact_places(
    document: Document, quote: str, *, pages: Sequence[int] | None = None, ascii_only: bool = False
) -> list[Place]:
    """Return the blocks of every place where the whole quote stands; quotes may end within a word if none ends so."""
    index = quote_index(document)
    for whole_words in (True, False):
        found = index.find(quote, pages=pages, ascii_only=ascii_only, whole_words=whole_words)
        places = [with_content(document, match.blocks) for match in found]
        if any(places):
            return list(dict.fromkeys(place for place in places if place))
    return []


def row_places(document: Document, quote: str, *, pages: Sequence[int] | None = None) -> list[Place]:
    """Return every table row that has each cell of a quote whose cells are joined by " | ", in any order.

    A cell of the quote is a whole cell of the row, or the words of one in a longer cell if it is no short number.
    Where there are rows of the first kind alone, the others are none.
    """
    cells = {key: fold(cell) for cell in quote.split("|") if (key := _cell_key(cell))}
    if len(cells) < 2:
        return []
    rows = np.flatnonzero(document.columns.kind == _ROW)
    if pages is not None:
        rows = rows[np.isin(document.columns.home_page[rows] + 1, list(pages))]
    texts = folded_texts(document)
    whole, within = [], []
    for row in rows.tolist():
        if not all(letters in texts[row] for letters in cells.values()):
            continue
        own = {_cell_key(cell.text) for cell in document.block(row).cells}
        missed = [key for key in cells if key not in own]
        if not missed:
            whole.append((row,))
        elif all(len(key) >= LEAST_HELD and any(key in cell for cell in own) for key in missed):
            within.append((row,))
    return [place for place in whole or within if with_content(document, place)]


def joined_places(
    document: Document, quote: str, *, pages: Sequence[int] | None = None, ascii_only: bool = False, rows: bool = False
) -> list[Place]:
    """Return one place: the blocks of the quote's lines and sentences, if enough of them are found.

    ``rows``: whether a line may also be the cells of a table row.
    """
    blocks: set[int] = set()
    found = total = 0
    for part in _PARTS.split(quote):
        letters = len(fold(part, ascii_only=ascii_only))
        total += letters
        if letters < LEAST_LETTERS:
            continue
        places = exact_places(document, part, pages=pages, ascii_only=ascii_only)
        if places or (rows and (places := row_places(document, part, pages=pages))):
            found += letters
            blocks.update(places[0])
    return [tuple(sorted(blocks))] if blocks and found >= TOLERANCE * total else []


def similar_places(document: Document, quote: str, *, among: Collection[int] | None = None) -> list[Place]:
    """Return one place: the fewest blocks, of all or ``among`` some, that hold enough of a quote's runs of letters."""
    wanted = _grams(fold(quote))
    if len(wanted) < LEAST_LETTERS:
        return []
    left, blocks = set(wanted), set()
    by_block = _grams_of(document)
    if among is not None:
        allowed = set(among)
        by_block = [grams if block in allowed else set() for block, grams in enumerate(by_block)]
    while True:
        shared = np.array([len(left & grams) for grams in by_block])
        best = int(shared.argmax()) if len(shared) else 0
        if not len(shared) or shared[best] < SHARE * len(wanted):
            break
        blocks.add(best)
        left -= by_block[best]
    place = with_content(document, sorted(blocks))
    return [place] if place and len(left) <= (1 - TOLERANCE) * len(wanted) else []


def quote_places(document: Document, quote: str, *, paraphrased: bool = False) -> list[Place]:
    """Return the places of a quote: exact ones, else a joined one, else a similar one if quotes may be paraphrased."""
    places = exact_places(document, quote) or joined_places(document, quote)
    return places or (similar_places(document, quote) if paraphrased else [])


def page_places(document: Document, quote: str, page: int) -> list[Place]:
    """Return the places on a 1-based page of an evidence text that has lost what is outside ASCII.

    The first exact one; else the blocks of a page that is read in another order; else a joined one.
    """
    if exact := exact_places(document, quote, pages=[page], ascii_only=True):
        return exact[:1]
    return held_places(document, quote, page) or joined_places(document, quote, pages=[page], ascii_only=True)


def held_places(document: Document, quote: str, page: int, *, ascii_only: bool = True) -> list[Place]:
    """Return one place: the blocks of a 1-based page whose letters stand in the quote, if they hold enough of it."""
    whole = fold(quote, ascii_only=ascii_only)
    held = []
    for block in blocks_on(document, page):
        letters = fold(document.texts[block], ascii_only=ascii_only)
        if len(letters) >= LEAST_HELD and letters in whole:
            held.append((block, len(letters)))
    enough = sum(length for _, length in held) >= TOLERANCE * len(whole)
    return [tuple(block for block, _ in held)] if held and enough else []


def page_block_places(document: Document, page: int, answers: Iterable[str]) -> list[Place]:
    """Return the blocks that recall evidence given as a 1-based page, each a place of its own.

    They hold a whole answer, or half of its words that are no function words; where none does, they are all blocks
    with content of the page.
    """
    found: set[int] = set()
    on_page = blocks_on(document, page)
    for answer in answers:
        for place in exact_places(document, answer, pages=[page]) if len(fold(answer)) > 1 else []:
            found.update(place)
        found.update(holding_half(document, on_page, answer))
    return [(block,) for block in sorted(found) or on_page]


def folded_texts(document: Document) -> list[str]:
    """Return the letters and digits of every block; kept as long as the document."""
    found = _FOLDED.get(document)
    if found is None:
        found = _FOLDED[document] = [fold(text) for text in document.texts]
    return found


_FOLDED: WeakKeyDictionary[Document, list[str]] = WeakKeyDictionary()
_GRAMS: WeakKeyDictionary[Document, list[set[str]]] = WeakKeyDictionary()


def _grams_of(document: Document) -> list[set[str]]:
    found = _GRAMS.get(document)
    if found is None:
        found = _GRAMS[document] = [_grams(letters) for letters in folded_texts(document)]
    return found


def _grams(letters: str) -> set[str]:
    return {letters[at : at + GRAM] for at in range(len(letters) - GRAM + 1)}


def _cell_key(cell: str) -> str:
    """The letters and digits of a cell, and its points between digits: "1.5" is not "15"."""
    return ".".join(fold(part) for part in _POINT.split(cell)).strip(".")
