"""One range of pages to arrays: what a worker process does with a PDF.

Nothing here looks at more than one page, so ranges can be read in any order, in parallel, in flat memory.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from .....errors import ParserFailed
from ....packing import pack_arrays, unpack_arrays
from ....pages import STATUSES, PageStatus
from ....source import Source
from .fonts import Font, FontReader
from .form_fields import FormField, read_form_fields, start_forms
from .geometry import page_geometry
from .grids import find_grids, place_tables
from .legibility import LEAST_LEGIBLE, legibility
from .lines import PageLines, build_lines
from .native import native_words, open_native
from .pdfium import open_page
from .strays import REASONS, without_strays
from .strokes import THIN, Strokes, read_strokes
from .words import PageWords, read_words

_MOST_SECOND_LOOKS, _LONGEST_SECOND_LOOK = 3, 10_000  # pages that did not gain; characters of a page
_MOST_RULES = 400
_LOGGER = logging.getLogger("workbench")


@dataclass(slots=True, eq=False)
class PageRange:
    """Pages (p), lines (l) and words (w) of a range of pages; words follow their lines.

    Offsets count code points from the start of ``text``; pages count from the start of the range.

    Attributes
    ----------
    text : str
        The text layer of the range; each page ends with a form feed.
    fonts : list of Font
        What the ids of ``word_font`` mean.
    page_start, page_status, page_images : ndarray of int32, shape (p,)
    page_image_share : ndarray of float32, shape (p,)
        Share of the page that its largest image covers.
    page_size : ndarray of float32, shape (p, 2)
        Width and height in points.
    line_first : ndarray of int32, shape (l + 1,)
        Words of line i are ``line_first[i]:line_first[i + 1]``.
    line_page, line_region, line_grid, line_direction : ndarray of int32, shape (l,)
    line_box : ndarray of float32, shape (l, 4)
        In the frame in which the line reads from left to right.
    word_start, word_end : ndarray of int32, shape (w,)
    word_box : ndarray of float32, shape (w, 4)
        Points of the visible page.
    word_size : ndarray of float32, shape (w,)
    word_font, word_cell : ndarray of int16, shape (w,)
    word_glued, word_hyphen : ndarray of uint8, shape (w,)
    field_start, field_end : ndarray of int32, shape (f,)
        Filled form fields: their text stands behind the page's own.
    field_box : ndarray of float32, shape (f, 4)
    excluded : ndarray of int32, shape (e, 3)
        Start, end and index into the reasons of words that are in no line.
    rule : ndarray of float32, shape (r, 4)
        Page, top, x0, x1 of level rules: they underline, or part footnotes from the body.
    """

    text: str
    fonts: list[Font]
    page_start: npt.NDArray[np.int32]
    page_status: npt.NDArray[np.int32]
    page_images: npt.NDArray[np.int32]
    page_image_share: npt.NDArray[np.float32]
    page_size: npt.NDArray[np.float32]
    line_first: npt.NDArray[np.int32]
    line_page: npt.NDArray[np.int32]
    line_region: npt.NDArray[np.int32]
    line_grid: npt.NDArray[np.int32]
    line_direction: npt.NDArray[np.int32]
    line_box: npt.NDArray[np.float32]
    word_start: npt.NDArray[np.int32]
    word_end: npt.NDArray[np.int32]
    word_box: npt.NDArray[np.float32]
    word_size: npt.NDArray[np.float32]
    word_font: npt.NDArray[np.int16]
    word_cell: npt.NDArray[np.int16]
    word_glued: npt.NDArray[np.uint8]
    word_hyphen: npt.NDArray[np.uint8]
    field_start: npt.NDArray[np.int32]
    field_end: npt.NDArray[np.int32]
    field_box: npt.NDArray[np.float32]
    excluded: npt.NDArray[np.int32]
    rule: npt.NDArray[np.float32]

    @property
    def exclusions(self) -> list[tuple[int, int, str]]:
        """Start, end and reason of the words that are in no line."""
        return [(start, end, REASONS[why]) for start, end, why in self.excluded.tolist()]

    def pack(self) -> bytes:
        """Return the range as bytes, for the way between processes."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("text", "fonts")}
        arrays["text"] = np.frombuffer(self.text.encode("utf-8", "surrogatepass"), np.uint8)
        return pack_arrays(arrays, {"fonts": [[f.name, f.bold, f.italic] for f in self.fonts]})

    @classmethod
    def unpack(cls, data: bytes) -> PageRange:
        """Rebuild a range from ``pack``."""
        arrays, meta = unpack_arrays(data)
        text = arrays.pop("text").tobytes().decode("utf-8", "surrogatepass")
        return cls(text=text, fonts=[Font(*font) for font in meta["fonts"]], **arrays)


def _ignore(done: int) -> None:
    del done


@dataclass(slots=True)
class _Page:
    """One page on its way into a range."""

    words: PageWords
    lines: PageLines
    size: tuple[float, float]
    status: PageStatus
    images: int
    image_share: float
    rules: npt.NDArray[np.float32]
    excluded: list[tuple[int, int, int]]
    fields: list[FormField] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The page's part of the text layer: what its glyphs spell, and below it a line for each form field."""
        return self.words.text + "".join(f"\n{found.text}" for found in self.fields)


def read_range(
    document: Any,
    source: Source,
    first: int,
    last: int,
    *,
    each: Callable[[int], None] = _ignore,
    stop: Callable[[], bool] = lambda: False,
) -> PageRange:
    """Read pages ``first`` to ``last`` (0-based, end exclusive) of an open ``pypdfium2.PdfDocument``.

    A page that pdfium cannot load is unreadable; it does not end the range. A page whose text is garbage is
    tried again with pdfplumber. ``each`` is called with the number of pages done; when ``stop`` says so the range
    ends early.
    """
    fonts = FontReader()
    second_look = _SecondLook(source, fonts)
    form = start_forms(document)
    pages = []
    with ExitStack() as stack:
        for index in range(first, last):
            try:
                pages.append(_read_page(document, index, fonts, form, partial(second_look.words, stack)))
            except ParserFailed:
                pages.append(_lost_page())
            each(index - first + 1)
            if stop():
                break
    return _joined(pages, fonts)


def read_native_range(
    document: Any,
    first: int,
    last: int,
    *,
    each: Callable[[int], None] = _ignore,
    stop: Callable[[], bool] = lambda: False,
) -> PageRange:
    """Read pages of an open pdfplumber document, for a file that pdfium refuses; ruled tables are not looked for."""
    fonts = FontReader()
    pages = []
    for index in range(first, last):
        words, (width, height) = native_words(document, index, fonts)
        status = _status(words.text, len(document.pages[index].images))
        nothing = np.zeros((0, 4), np.float32)
        pages.append(_arranged(words, width, height, status, Strokes(nothing, 0)))
        each(index - first + 1)
        if stop():
            break
    return _joined(pages, fonts)


class _SecondLook:
    """pdfplumber's reading of pages that pdfium spells as garbage; given up after some that are no better."""

    def __init__(self, source: Source, fonts: FontReader) -> None:
        self._source = source
        self._fonts = fonts
        self._document: Any = None
        self._failures = 0

    def words(self, stack: ExitStack, index: int) -> PageWords | None:
        if self._failures >= _MOST_SECOND_LOOKS:
            return None
        try:
            if self._document is None:
                self._document = stack.enter_context(open_native(self._source, None))
            words, _ = native_words(self._document, index, self._fonts)
        except Exception as error:  # pdfminer raises whatever its parser met
            _LOGGER.debug("pdfplumber cannot read page %d of %s: %r", index + 1, self._source.name, error)
            self._failures += 1
            return None
        if len(words) and legibility(words.text) >= LEAST_LEGIBLE:
            return words
        self._failures += 1
        return None


def _read_page(
    document: Any, index: int, fonts: FontReader, form: Any, second_look: Callable[[int], PageWords | None]
) -> _Page:
    with open_page(document, index) as (page, text_page):
        geometry = page_geometry(page)
        strokes = read_strokes(page, geometry)
        words = read_words(text_page, geometry, fonts)
        fields = read_form_fields(page, form, geometry) if form is not None else []
    status = _status(words.text, strokes.images)
    if status is PageStatus.UNREADABLE and geometry.rotation == 0 and len(words.text) <= _LONGEST_SECOND_LOOK:
        other = second_look(index)
        if other is not None:
            words, status = other, PageStatus.TEXT
    arranged = _arranged(words, geometry.width, geometry.height, status, strokes)
    arranged.fields = fields
    if fields and arranged.status in (PageStatus.BLANK, PageStatus.NO_TEXT):
        arranged.status = PageStatus.TEXT
    return arranged


def _arranged(words: PageWords, width: float, height: float, status: PageStatus, strokes: Strokes) -> _Page:
    """Put the words of a page into lines; only a page with legible text has any."""
    if status is not PageStatus.TEXT:
        words = _no_words(words.text)
    words, excluded = without_strays(words, width, height)
    if status is PageStatus.TEXT and not len(words):
        status = PageStatus.NO_TEXT if strokes.images else PageStatus.BLANK
    grids = place_tables(find_grids(strokes.box, width, height), words.box, words.direction == 0)
    lines = build_lines(words, grids, width, height)
    rules = _level_rules(strokes.box, width)
    return _Page(words, lines, (width, height), status, strokes.images, strokes.image_share, rules, excluded)


def _status(text: str, images: int) -> PageStatus:
    if not text.strip():
        return PageStatus.NO_TEXT if images else PageStatus.BLANK
    return PageStatus.TEXT if legibility(text) >= LEAST_LEGIBLE else PageStatus.UNREADABLE


def _lost_page() -> _Page:
    words = _no_words("")
    lines = build_lines(words, [], 1.0, 1.0)
    return _Page(words, lines, (1.0, 1.0), PageStatus.UNREADABLE, 0, 0.0, np.zeros((0, 3), np.float32), [])


def _no_words(text: str) -> PageWords:
    return PageWords(
        text,
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
        np.zeros((0, 4), np.float32),
        np.zeros(0, np.float32),
        np.zeros(0, np.int16),
        np.zeros(0, np.uint8),
        np.zeros(0, bool),
        np.zeros(0, bool),
        np.zeros((0, 2), np.int32),
    )


def _level_rules(strokes: npt.NDArray[np.float32], width: float) -> npt.NDArray[np.float32]:
    """Top, x0, x1 of level rules that do not span the page: they underline, or part the footnotes."""
    wide = strokes[:, 2] - strokes[:, 0]
    rules = strokes[(strokes[:, 3] - strokes[:, 1] < THIN) & (wide > 0.02 * width) & (wide < 0.9 * width)]
    return rules[:_MOST_RULES, [1, 0, 2]]


def _field_spans(page: _Page, page_start: int) -> list[tuple[int, int]]:
    spans = []
    at = page_start + len(page.words.text)
    for found in page.fields:
        spans.append((at + 1, at + 1 + len(found.text)))
        at = spans[-1][1]
    return spans


def _joined(pages: list[_Page], fonts: FontReader) -> PageRange:
    starts: list[int] = []
    at = 0
    for page in pages:
        starts.append(at)
        at += len(page.text) + 1

    def stack(parts: list[Any], dtype: Any, width: int = 0) -> Any:
        empty = np.zeros((0, width) if width else 0, dtype)
        return np.concatenate([empty, *parts]).astype(dtype)

    field_spans = [span for page, start in zip(pages, starts, strict=True) for span in _field_spans(page, start)]
    lines_of = [len(page.lines.box) for page in pages]
    word_counts = [np.diff(page.lines.first) for page in pages]
    return PageRange(
        text="".join(page.text + "\f" for page in pages),
        fonts=fonts.fonts,
        page_start=np.array(starts, np.int32),
        page_status=np.array([STATUSES.index(page.status) for page in pages], np.int32),
        page_images=np.array([page.images for page in pages], np.int32),
        page_image_share=np.array([page.image_share for page in pages], np.float32),
        page_size=np.array([page.size for page in pages], np.float32).reshape(-1, 2),
        line_first=np.concatenate(([0], np.cumsum(stack(word_counts, np.int64)))).astype(np.int32),
        line_page=np.repeat(np.arange(len(pages)), lines_of).astype(np.int32),
        line_region=stack([page.lines.region for page in pages], np.int32),
        line_grid=stack([page.lines.grid for page in pages], np.int32),
        line_direction=stack([page.lines.direction for page in pages], np.int32),
        line_box=stack([page.lines.box for page in pages], np.float32, 4),
        word_start=stack([p.words.start[p.lines.order] + s for p, s in zip(pages, starts, strict=True)], np.int32),
        word_end=stack([p.words.end[p.lines.order] + s for p, s in zip(pages, starts, strict=True)], np.int32),
        word_box=stack([page.words.box[page.lines.order] for page in pages], np.float32, 4),
        word_size=stack([page.words.size[page.lines.order] for page in pages], np.float32),
        word_font=stack([page.words.font[page.lines.order] for page in pages], np.int16),
        word_cell=stack([page.lines.cell for page in pages], np.int16),
        word_glued=stack([page.words.glued[page.lines.order] for page in pages], np.uint8),
        word_hyphen=stack([page.words.hyphen[page.lines.order] for page in pages], np.uint8),
        field_start=np.array([start for start, _ in field_spans], np.int32),
        field_end=np.array([end for _, end in field_spans], np.int32),
        field_box=np.array([found.box for page in pages for found in page.fields], np.float32).reshape(-1, 4),
        excluded=stack(
            [
                np.array([(a + s, b + s, why) for a, b, why in p.excluded], np.int32).reshape(-1, 3)
                for p, s in zip(pages, starts, strict=True)
            ],
            np.int32,
            3,
        ),
        rule=stack([np.insert(page.rules, 0, number, axis=1) for number, page in enumerate(pages)], np.float32, 4),
    )
