"""The text of a page and its words: pdfium's characters, asked for a word at a time.

Only the first and last character of a word are asked for their place, so that a page costs some two thousand
calls instead of one for each character and property.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import repeat

import numpy as np
import numpy.typing as npt

from .fonts import FontReader
from .geometry import PageGeometry
from .pdfium import Handle, calls, run_calls

LINE_END_HYPHEN = 0xFFFE  # pdfium's mark for a hyphen at a line end, after which it drops the line break
_START_OF_TEXT_HYPHEN = 0x02
_REPLACEMENT = 0xFFFD
_SPACES = np.zeros(0x3002, bool)
_SPACES[[0, 9, 10, 11, 12, 13, 32, 0xA0, 0x2002, 0x2003, 0x2009, 0x200A, 0x200B, 0x202F, 0x3000]] = True
_LEAST_DOUBLED = 4  # letters
_HEBREW, _AFTER_ARABIC, _ARABIC_FORMS = 0x590, 0x900, 0xFB1D
_SAME_WORD_GAP, _SAME_WORD_OVERLAP, _SAME_LINE = 0.06, -0.3, 0.25  # shares of the word's height


@dataclass(slots=True, eq=False)
class PageWords:
    """The words (w) of one page, in the order in which the page draws them.

    Attributes
    ----------
    text : str
        The page's part of the text layer; hyphens at line ends as "-".
    start, end : ndarray of int32, shape (w,)
        Range of each word in ``text``.
    box : ndarray of float32, shape (w, 4)
        x0, top, x1, bottom in points of the visible page.
    size : ndarray of float32, shape (w,)
        Font size in points as displayed.
    font : ndarray of int16, shape (w,)
        Id given by the ``FontReader``, or -1.
    direction : ndarray of uint8, shape (w,)
        Reading direction in quarter turns clockwise as displayed; 0 is left to right.
    glued : ndarray of bool, shape (w,)
        Whether the word goes on from the one before it without a space.
    hyphen : ndarray of bool, shape (w,)
        Whether it ends with pdfium's line-end hyphen.
    twice : ndarray of int32, shape (d, 2)
        Ranges of letters that are drawn a second time at the place of the letter before; in no word.
    """

    text: str
    start: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    box: npt.NDArray[np.float32]
    size: npt.NDArray[np.float32]
    font: npt.NDArray[np.int16]
    direction: npt.NDArray[np.uint8]
    glued: npt.NDArray[np.bool_]
    hyphen: npt.NDArray[np.bool_]
    twice: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.start)


def read_words(text_page: Handle, geometry: PageGeometry, fonts: FontReader) -> PageWords:
    """Read the text and words of a page whose text handle is ``text_page``."""
    points = _code_points(text_page)
    first, last, hyphen = _word_bounds(points)
    first, last, hyphen, parted, repeated = _without_repeated_letters(text_page, points, first, last, hyphen)
    boxes, tops_known = _boxes(text_page, first, last)
    _bound_right_to_left(text_page, points, first, last, boxes)
    size, font, direction = _styles(text_page, first, fonts)
    direction = (direction + geometry.rotation) % 4
    visible = geometry.to_visible(boxes)
    _mend_flat_boxes(text_page, visible, tops_known, first, geometry)
    glued = _glued(text_page, first, last, visible, direction) | parted
    text, offset = _as_text(points)
    return PageWords(
        text,
        offset[first],
        offset[last + 1],
        visible,
        size,
        font,
        direction.astype(np.uint8),
        glued,
        hyphen,
        np.stack((offset[repeated], offset[repeated + 1]), axis=1),
    )


def _code_points(text_page: Handle) -> npt.NDArray[np.uint32]:
    """The page's characters, one entry for each of pdfium's character indices."""
    pdfium = calls()
    count = int(pdfium.FPDFText_CountChars(text_page))
    if count <= 0:
        return np.zeros(0, np.uint32)
    buffer = np.empty(2 * count + 4, np.uint16)
    written = int(pdfium.FPDFText_GetText(text_page, 0, count, buffer.ctypes.data))
    if written - 1 == count:
        return buffer[:count].astype(np.uint32)
    # The text buffer skips characters without a Unicode value: only asking one by one keeps the indices.
    return np.fromiter(map(pdfium.FPDFText_GetUnicode, repeat(text_page, count), range(count)), np.uint32, count)


def _word_bounds(
    points: npt.NDArray[np.uint32],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """First and last character index of each word, and whether it ends with a line-end hyphen."""
    inked = ~_SPACES[np.minimum(points, len(_SPACES) - 1)]
    edges = np.diff(np.concatenate(([0], inked.astype(np.int8), [0])))
    first, last = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    marks = np.flatnonzero((points == LINE_END_HYPHEN) | (points == _START_OF_TEXT_HYPHEN))
    if len(marks):
        inner = marks[marks + 1 < len(points)]
        inner = inner[inked[inner + 1]]
        first = np.unique(np.concatenate((first, inner + 1)))
        last = np.unique(np.concatenate((last, inner)))
    return first, last, np.isin(last, marks)


def _boxes(
    text_page: Handle, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Boxes left, bottom, right, top in user space, and whether they have a height."""
    ask = calls().FPDFText_GetLooseCharBox
    count = len(first)
    # FS_RECTF holds left, top, right, bottom.
    begin, end = np.zeros((count, 4), np.float32), np.zeros((count, 4), np.float32)
    for indices, target in ((first, begin), (last, end)):
        at = target.ctypes.data
        run_calls(map(ask, repeat(text_page, count), indices.tolist(), range(at, at + 16 * count, 16)))
    low = np.minimum(begin, end)
    high = np.maximum(begin, end)
    box = np.stack((low[:, 0], low[:, 3], high[:, 2], high[:, 1]), axis=1)
    return box, (box[:, 3] - box[:, 1] >= 0.5) | (box[:, 2] - box[:, 0] >= 40)


def _bound_right_to_left(
    text_page: Handle,
    points: npt.NDArray[np.uint32],
    first: npt.NDArray[np.int64],
    last: npt.NDArray[np.int64],
    boxes: npt.NDArray[np.float32],
) -> None:
    """Where letters run from right to left, or both ways, the first and last one need not bound the word."""
    right_to_left = (points >= _HEBREW) & (points < _AFTER_ARABIC) | (points >= _ARABIC_FORMS) & (points < 0xFF00)
    if not right_to_left.any():
        return
    counts = np.concatenate(([0], np.cumsum(right_to_left)))
    ask = calls().FPDFText_GetLooseCharBox
    for rank in np.flatnonzero(counts[last + 1] > counts[first]).tolist():
        indices = range(int(first[rank]), int(last[rank]) + 1)
        letters = np.zeros((len(indices), 4), np.float32)
        at = letters.ctypes.data
        run_calls(map(ask, repeat(text_page, len(indices)), indices, range(at, at + letters.nbytes, 16)))
        boxes[rank] = letters[:, 0].min(), letters[:, 3].min(), letters[:, 2].max(), letters[:, 1].max()


def _mend_flat_boxes(
    text_page: Handle,
    visible: npt.NDArray[np.float32],
    known: npt.NDArray[np.bool_],
    first: npt.NDArray[np.int64],
    geometry: PageGeometry,
) -> None:
    """Some fonts declare no ascent: their loose boxes have no height, the tight box of a glyph has."""
    ask = calls().FPDFText_GetCharBox
    sides = (ctypes.c_double * 4)()
    at = ctypes.addressof(sides)
    for index in np.flatnonzero(~known).tolist():
        if not ask(text_page, int(first[index]), at, at + 8, at + 16, at + 24):
            continue
        left, right, bottom, top = sides
        tight = geometry.to_visible(np.array([[left, bottom, right, max(top, bottom + 1)]], np.float32))[0]
        visible[index, :2] = np.minimum(visible[index, :2], tight[:2])
        visible[index, 2:] = np.maximum(visible[index, 2:], tight[2:])


def _styles(
    text_page: Handle, first: npt.NDArray[np.int64], fonts: FontReader
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Font size, font id and direction of each word, asked once for each text object."""
    pdfium = calls()
    indices = first.tolist()
    handles = list(map(pdfium.FPDFText_GetTextObject, repeat(text_page, len(indices)), indices))
    ranks: dict[int | None, int] = {}
    rank_of = [ranks.setdefault(handle, len(ranks)) for handle in handles]
    example = dict(zip(reversed(handles), reversed(indices), strict=True))
    matrix, declared = (ctypes.c_float * 6)(), (ctypes.c_float * 1)()
    matrix_at, declared_at = ctypes.addressof(matrix), ctypes.addressof(declared)
    fonts_of_page: dict[int | None, int] = {}
    styles: list[tuple[float, int, int]] = []
    for handle in ranks:
        if handle is None:
            styles.append((0.0, -1, 0))
            continue
        pdfium.FPDFTextObj_GetFontSize(handle, declared_at)
        pdfium.FPDFText_GetMatrix(text_page, example[handle], matrix_at)
        a, b, c, d, _, _ = matrix
        owner = pdfium.FPDFTextObj_GetFont(handle)
        if owner not in fonts_of_page:
            fonts_of_page[owner] = fonts.font_id(owner)
        turn = (0 if a >= 0 else 2) if abs(a) >= abs(b) else (3 if b > 0 else 1)
        styles.append((declared[0] * (c * c + d * d) ** 0.5, fonts_of_page[owner], turn))
    table = np.array(styles, np.float64).reshape(-1, 3)[np.array(rank_of, np.int64)]
    return table[:, 0].astype(np.float32), table[:, 1].astype(np.int16), table[:, 2].astype(np.int64)


def _glued(
    text_page: Handle,
    first: npt.NDArray[np.int64],
    last: npt.NDArray[np.int64],
    box: npt.NDArray[np.float32],
    direction: npt.NDArray[np.int64],
) -> npt.NDArray[np.bool_]:
    """pdfium sometimes puts generated spaces between all letters of a word: undo them where there is no gap."""
    glued = np.zeros(len(first), bool)
    if len(first) < 2:
        return glued
    height = np.maximum(box[1:, 3] - box[1:, 1], 1)
    gap = (box[1:, 0] - box[:-1, 2]) / height
    near = (gap < _SAME_WORD_GAP) & (gap > _SAME_WORD_OVERLAP) & (first[1:] > last[:-1] + 1)
    level = np.abs(box[1:, 1] - box[:-1, 1]) < _SAME_LINE * height
    upright = (direction[1:] == 0) & (direction[:-1] == 0)
    generated = calls().FPDFText_IsGenerated
    for rank in np.flatnonzero(near & level & upright).tolist():
        between = range(int(last[rank]) + 1, int(first[rank + 1]))
        glued[rank + 1] = all(generated(text_page, index) == 1 for index in between)
    return glued


def _as_text(points: npt.NDArray[np.uint32]) -> tuple[str, npt.NDArray[np.int32]]:
    """The page's text, and for each of pdfium's character indices (and one beyond) its offset in code points."""
    clean = points.copy()
    clean[(clean == LINE_END_HYPHEN) | (clean == _START_OF_TEXT_HYPHEN)] = ord("-")
    clean[clean > 0x10FFFF] = _REPLACEMENT
    high, low = (clean >= 0xD800) & (clean < 0xDC00), (clean >= 0xDC00) & (clean < 0xE000)
    if not (high.any() or low.any()):
        return clean.astype("<u4").tobytes().decode("utf-32-le"), np.arange(len(points) + 1, dtype=np.int32)
    paired = np.zeros(len(clean), bool)
    paired[:-1] = high[:-1] & low[1:]
    second = np.concatenate(([False], paired[:-1]))
    clean[paired] = 0x10000 + ((clean[paired] - 0xD800) << 10) + (clean[second] - 0xDC00)
    clean[(high | low) & ~paired & ~second] = _REPLACEMENT
    offset = np.concatenate(([0], np.cumsum(~second))).astype(np.int32)
    return clean[~second].astype("<u4").tobytes().decode("utf-32-le"), offset


def _without_repeated_letters(
    text_page: Handle,
    points: npt.NDArray[np.uint32],
    first: npt.NDArray[np.int64],
    last: npt.NDArray[np.int64],
    hyphen: npt.NDArray[np.bool_],
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    npt.NDArray[np.int64],
]:
    """Fake bold draws each letter twice ("NNEEWW"): keep the first of each, as parts of one word.

    Returns first and last index and hyphen of each word, which words go on from the one before, and the indices
    of the letters left out.
    """
    nothing = np.zeros(0, np.int64)
    if len(points) < _LEAST_DOUBLED:
        return first, last, hyphen, np.zeros(len(first), bool), nothing
    equal = np.concatenate(([0], np.cumsum(points[1:] == points[:-1])))
    pairs = equal[last] - equal[first]
    length = last - first + 1
    likely = np.flatnonzero((length >= _LEAST_DOUBLED) & (pairs >= 0.4 * length) & (pairs < length - 1))
    kept: dict[int, list[int]] = {}
    dropped: list[int] = []
    for rank in likely.tolist():
        indices = range(int(first[rank]), int(last[rank]) + 1)
        repeats = _repeats(text_page, points, indices)
        if len(repeats) >= 0.35 * len(indices):
            kept[rank] = [index for index in indices if index not in repeats]
            dropped += sorted(repeats)
    if not kept:
        return first, last, hyphen, np.zeros(len(first), bool), nothing
    counts = np.ones(len(first), np.int64)
    for rank, letters in kept.items():
        counts[rank] = len(letters)
    origin = np.repeat(np.arange(len(first)), counts)
    parted = np.concatenate(([False], origin[1:] == origin[:-1]))
    new_first, new_last = first[origin], last[origin]
    for rank, letters in kept.items():
        at = int(np.searchsorted(origin, rank))
        new_first[at : at + len(letters)] = letters
        new_last[at : at + len(letters)] = letters
    return new_first, new_last, hyphen[origin] & ~np.append(parted[1:], False), parted, np.array(dropped, np.int64)


def _repeats(text_page: Handle, points: npt.NDArray[np.uint32], indices: range) -> set[int]:
    """Indices of letters equal to the letter before them and drawn over it."""
    boxes = np.zeros((len(indices), 4), np.float32)
    ask, at = calls().FPDFText_GetLooseCharBox, boxes.ctypes.data
    for rank, index in enumerate(indices):
        ask(text_page, index, at + 16 * rank)
    width = np.maximum(boxes[:, 2] - boxes[:, 0], 0.1)
    over = np.abs(boxes[1:, 0] - boxes[:-1, 0]) < 0.3 * width[1:]
    same = points[indices.start + 1 : indices.stop] == points[indices.start : indices.stop - 1]
    return {indices.start + 1 + rank for rank in np.flatnonzero(over & same).tolist()}
