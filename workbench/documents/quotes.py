"""Where a quote stands in a document, whatever white space, hyphens, ligatures and quotation marks became of it.

Quote and document are compared by their letters and digits alone, in lower case and without accents. That forgives
what copying does to a text, and nothing else: every letter and digit of the quote must stand there, in this order and
without others between them, words and numbers must not be cut, and "1.5" is not "15".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from .blocks import FURNITURE, KIND_CODE

if TYPE_CHECKING:
    from .document import Document

Codes = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int32]

RUN = 20
"""Shortest run of letters and digits that counts as found in ``QuoteIndex.coverage``: shorter ones occur by chance."""

_DECIMAL_MARK = re.compile(r"(?<=\d)(?:\.|,(?!\d{3}(?!\d)))(?=\d)")


class QuoteStatus(StrEnum):
    """What became of a quote that was said to stand on a page."""

    FOUND = "found"
    OTHER_PAGE = "other page"
    NOT_FOUND = "not found"


@dataclass(frozen=True, slots=True)
class QuoteMatch:
    """One place where a quote stands.

    Attributes
    ----------
    start_char, end_char : int
        Smallest range of the text layer that holds it.
    spans : tuple of (int, int)
        The ranges of the text layer that it is made of, in reading order: more than one where it runs on over
        lines, cells or pages with other text between them.
    blocks : tuple of int
        Ids of the blocks that it touches, in reading order.
    pages : tuple of int
        1-based pages that it touches.
    """

    start_char: int
    end_char: int
    spans: tuple[tuple[int, int], ...]
    blocks: tuple[int, ...]
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """Whether a quote stands on the page that was named, and where it does stand."""

    status: QuoteStatus
    matches: tuple[QuoteMatch, ...] = ()

    @property
    def pages(self) -> tuple[int, ...]:
        """1-based pages on which the quote stands."""
        return tuple(sorted({page for match in self.matches for page in match.pages}))


def fold(text: str, *, ascii_only: bool = False) -> str:
    """Return the letters and digits of a text, in lower case and without accents and ligatures.

    ``ascii_only`` drops every character outside ASCII before that, for quotes that have lost them.

    Examples
    --------
    >>> fold("The “ﬁnal” re-\\nsult: 1,5 %")
    'thefinalresult15'
    >>> fold("naïve"), fold("naïve", ascii_only=True)
    ('naive', 'nave')
    """
    codes, _ = _folded(_codes(text), ascii_only)
    return _text(codes)


def find_quote(
    document: Document,
    quote: str,
    *,
    pages: Iterable[int] | None = None,
    ascii_only: bool = False,
    whole_words: bool = True,
) -> list[QuoteMatch]:
    """Return every place where a quote stands in a document; see ``QuoteIndex.find``."""
    return quote_index(document).find(quote, pages=pages, ascii_only=ascii_only, whole_words=whole_words)


def quote_index(document: Document) -> QuoteIndex:
    """Return the document's index, built when first asked for and kept as long as the document."""
    found = _INDEXES.get(document)
    if found is None:
        found = _INDEXES[document] = QuoteIndex(document)
    return found


class QuoteIndex:
    """The letters and digits of a document's blocks in reading order, with the way back to its text layer.

    It is built once, in linear time, and holds no reference to the document.
    """

    def __init__(self, document: Document) -> None:
        columns = document.columns
        lengths = (columns.end - columns.start).astype(np.int64)
        self._offsets: Ints = _ranges(columns.start, lengths)
        pieces_of = np.diff(columns.first_piece)
        piece_block = np.repeat(np.arange(len(columns), dtype=np.int32), pieces_of)
        self._piece: Ints = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        self._piece_block: Ints = piece_block
        starts = np.array([page.start_char for page in document.pages], np.int64)
        self._page: Ints = np.searchsorted(starts, self._offsets, side="right").astype(np.int32)
        self._raw: Codes = _codes(document.text_layer)[self._offsets]
        furniture = np.isin(columns.kind, [KIND_CODE[kind] for kind in FURNITURE])
        self._is_furniture = furniture[piece_block][self._piece]
        self._runs: dict[tuple[bool, bool], _Run] = {}

    def find(
        self,
        quote: str,
        *,
        pages: Iterable[int] | None = None,
        ascii_only: bool = False,
        whole_words: bool = True,
    ) -> list[QuoteMatch]:
        """Return every place where the quote stands, in reading order.

        Parameters
        ----------
        quote : str
            A quote without letters and digits is found nowhere.
        pages : iterable of int, optional
            1-based pages to look at; all by default.
        ascii_only : bool
            Whether the quote has lost every character outside ASCII.
        whole_words : bool
            Whether a quote must not begin or end within a word or number.

        Returns
        -------
        list of QuoteMatch
            Running headers and footers may stand inside a quote or be left out of it.
        """
        needle = _run_of(_codes(quote), None, ascii_only)
        if not needle.text:
            return []
        wanted = None if pages is None else sorted(set(pages))
        found: dict[tuple[int, int], QuoteMatch] = {}
        for with_furniture in (True, False):
            if not with_furniture and not self._is_furniture.any():
                break
            run = self._run(ascii_only, with_furniture, wanted)
            for low, high in run.places(needle, whole_words):
                match = self._match(run.source[low:high])
                found.setdefault((match.start_char, match.end_char), match)
        return sorted(found.values(), key=lambda match: match.blocks)

    def coverage(self, quote: str, pages: Iterable[int] | None = None, *, ascii_only: bool = False) -> float:
        """Return which share of the quote's letters and digits stands on the pages in runs of at least ``RUN``.

        For gold evidence that was read in another order. A quote shorter than ``RUN`` counts as a whole.
        """
        folded = fold(quote, ascii_only=ascii_only)
        if not folded:
            return 0.0
        wanted = None if pages is None else sorted(set(pages))
        text = self._run(ascii_only, True, wanted).text
        size = min(RUN, len(folded))
        windows = {text[at : at + size] for at in range(len(text) - size + 1)}
        covered = np.zeros(len(folded), np.bool_)
        for at in range(len(folded) - size + 1):
            if folded[at : at + size] in windows:
                covered[at : at + size] = True
        return float(covered.mean())

    def verify(self, quote: str, page: int, *, ascii_only: bool = False) -> QuoteCheck:
        """Say whether a quote stands on a page, only on others, or nowhere; ``page`` is 1-based.

        A quote that goes on overleaf stands on both pages.
        """
        matches = tuple(self.find(quote, ascii_only=ascii_only))
        if not matches:
            return QuoteCheck(QuoteStatus.NOT_FOUND)
        here = tuple(match for match in matches if page in match.pages)
        return QuoteCheck(QuoteStatus.FOUND, here) if here else QuoteCheck(QuoteStatus.OTHER_PAGE, matches)

    def _run(self, ascii_only: bool, with_furniture: bool, pages: list[int] | None) -> _Run:
        if pages is None and (kept := self._runs.get((ascii_only, with_furniture))) is not None:
            return kept
        chosen = np.ones(len(self._raw), np.bool_) if with_furniture else ~self._is_furniture
        if pages is not None:
            chosen &= np.isin(self._page, pages)
        positions = np.flatnonzero(chosen).astype(np.int32)
        pieces = self._piece[positions]
        run = _run_of(self._raw[positions], pieces, ascii_only)
        run = replace(run, source=positions[run.source])
        if pages is None:
            self._runs[ascii_only, with_furniture] = run
        return run

    def _match(self, positions: Ints) -> QuoteMatch:
        offsets, pieces = self._offsets[positions], self._piece[positions]
        breaks = np.flatnonzero(np.diff(pieces) != 0)
        lows = np.concatenate([[0], breaks + 1])
        highs = np.concatenate([breaks, [len(positions) - 1]])
        spans = tuple(zip(offsets[lows].tolist(), (offsets[highs] + 1).tolist(), strict=True))
        return QuoteMatch(
            start_char=int(offsets.min()),
            end_char=int(offsets.max()) + 1,
            spans=spans,
            blocks=tuple(dict.fromkeys(self._piece_block[pieces[lows]].tolist())),
            pages=tuple(np.unique(self._page[positions]).tolist()),
        )


_INDEXES: WeakKeyDictionary[Document, QuoteIndex] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """Folded characters in a row.

    Attributes
    ----------
    text : str
        The folded characters.
    source : ndarray of int32, shape (len(text),)
        Rank of the character that each comes from.
    joined : ndarray of bool, shape (len(text),)
        Whether a character belongs to the same word or number as the one before it, so that no quote begins here.
    decimal : ndarray of bool, shape (len(text),)
        Whether a decimal mark stands before it.
    """

    text: str
    source: Ints
    joined: npt.NDArray[np.bool_]
    decimal: npt.NDArray[np.bool_]

    def places(self, needle: _Run, whole_words: bool) -> Iterator[tuple[int, int]]:
        """Yield the ranges of the run that say the same as the needle."""
        size = len(needle.text)
        at = self.text.find(needle.text)
        while at >= 0:
            end = at + size
            cut = bool(self.joined[at]) or (end < len(self.text) and bool(self.joined[end]))
            if not (cut and whole_words) and np.array_equal(self.decimal[at + 1 : end], needle.decimal[1:]):
                yield at, end
                at = self.text.find(needle.text, end)
            else:
                at = self.text.find(needle.text, at + 1)


def _run_of(raw: Codes, pieces: Ints | None, ascii_only: bool) -> _Run:
    """Fold characters; those of different ``pieces`` stand apart, even without white space between them."""
    codes, source = _folded(raw, ascii_only)
    if not len(codes):
        nothing = np.zeros(0, np.bool_)
        return _Run("", source, nothing, nothing)
    left, right = source[:-1], source[1:]
    gap = right - left
    together = np.ones(len(gap), np.bool_) if pieces is None else pieces[left] == pieces[right]
    is_digit, is_cased = _in_class(raw, str.isdigit), _in_class(raw, _is_cased)
    digits = is_digit[left] & is_digit[right]
    decimal = np.zeros(len(codes), np.bool_)
    decimal[1:] = together & digits & (gap == 2) & _decimal_marks(raw, pieces)[right - 1]
    mark = np.isin(raw[np.minimum(left + 1, len(raw) - 1)], [ord("."), ord(",")])
    joined = np.zeros(len(codes), np.bool_)
    in_word = (gap == 1) & (digits | (is_cased[left] & is_cased[right]))
    joined[1:] = (gap == 0) | (together & (in_word | ((gap == 2) & digits & mark)))
    return _Run(_text(codes), source, joined, decimal)


def _decimal_marks(raw: Codes, pieces: Ints | None) -> npt.NDArray[np.bool_]:
    """Which characters are decimal marks; a number ends with its piece, so "4,086" before "5-10" has none."""
    marks = np.zeros(len(raw), np.bool_)
    breaks = np.zeros(0, np.int64) if pieces is None else np.flatnonzero(np.diff(pieces)) + 1
    spaced = _text(np.insert(raw, breaks, ord("\n")))
    found = np.array([match.start() for match in _DECIMAL_MARK.finditer(spaced)], np.int64)
    marks[found - np.searchsorted(breaks + np.arange(len(breaks)), found)] = True
    return marks


def _folded(raw: Codes, ascii_only: bool) -> tuple[Codes, Ints]:
    """Return the folded characters and, for each, the rank of the character that it comes from."""
    kinds, which = np.unique(raw, return_inverse=True)
    spelled = [_fold_character(code, ascii_only) for code in kinds.tolist()]
    lengths = np.array([len(text) for text in spelled], np.int64)
    firsts = np.cumsum(lengths) - lengths
    letters = _codes("".join(spelled))
    counts = lengths[which]
    source = np.repeat(np.arange(len(raw), dtype=np.int32), counts)
    return letters[_ranges(firsts[which], counts)], source


@lru_cache(maxsize=20_000)
def _fold_character(code: int, ascii_only: bool) -> str:
    if ascii_only and code > 0x7F:
        return ""
    spelled = unicodedata.normalize("NFKD", chr(code)).casefold()
    return "".join(letter for letter in unicodedata.normalize("NFKD", spelled) if letter.isalnum())


def _in_class(raw: Codes, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    kinds, which = np.unique(raw, return_inverse=True)
    return np.array([test(chr(code)) for code in kinds.tolist()], np.bool_)[which]


def _is_cased(letter: str) -> bool:
    """Whether a character belongs to a script with words of several letters and spaces between them."""
    return letter.isalpha() and letter.lower() != letter.upper()


def _ranges(starts: npt.NDArray[Any], lengths: npt.NDArray[Any]) -> Ints:
    """Concatenate ``range(start, start + length)`` of all pairs."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    shifts = np.repeat(starts.astype(np.int64) - (ends - lengths), lengths)
    ranks: Ints = (np.arange(total, dtype=np.int64) + shifts).astype(np.int32)
    return ranks


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _text(codes: Codes) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
