"""The lines of a whole PDF, put together from its page ranges, as the structure rules see them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ....anchors import JOINT_CELL, JOINT_NONE, JOINT_SPACE, Piece
from ....blocks import BlockKind
from ..page.extraction import PageRange

_BOLD_SHARE = 0.6
_UNDERLINED_SHARE = 0.5  # the number before an underlined name is not underlined


@dataclass(slots=True, eq=False)
class TextLine:
    """One line, in points of the frame in which it reads from left to right.

    Attributes
    ----------
    index : int
        Rank in reading order.
    page : int
        0-based.
    region, grid : int
        Column or spanning part of the page; ruled table of the page or -1.
    direction : int
        Quarter turns clockwise.
    pieces : list of Piece
        Slices of the text layer; ``column`` is the cell.
    cell_edges : list of (float, float)
        Left and right edge of each piece.
    size : float
        Font size of most of its characters.
    font : str
        Name of its font, or "" where it has several.
    underlined : bool
        Whether rules under most of its width stand right below it.
    kind : BlockKind or None
        Set by the rules that recognise it.
    """

    index: int
    page: int
    region: int
    grid: int
    direction: int
    x0: float
    top: float
    x1: float
    bottom: float
    text: str
    pieces: list[Piece]
    cell_edges: list[tuple[float, float]]
    size: float
    bold: bool
    italic: bool
    hyphen: bool
    font: str
    underlined: bool = False
    kind: BlockKind | None = None
    level: int = 0

    @property
    def height(self) -> float:
        """Height in points, at least one."""
        return max(1.0, self.bottom - self.top)

    def underline_share(self, rules: Sequence[tuple[float, float, float]]) -> float:
        """Share of the line's width that level rules (top, x0, x1) right below it underline."""
        if self.direction != 0:
            return 0.0
        covered = 0.0
        for top, x0, x1 in rules:
            near = -0.35 * self.height < top - self.bottom < 0.25 * self.height
            if near and x0 > self.x0 - 4 and x1 < self.x1 + 4:
                covered += x1 - x0
        return covered / max(1.0, self.x1 - self.x0)


@dataclass(slots=True, eq=False)
class PdfText:
    """A whole PDF's text layer, lines, and the boxes of its words.

    Attributes
    ----------
    page_texts : list of str
        The text layer of each page.
    page_start : list of int
        Where each page begins in the text layer.
    lines : list of TextLine
        In reading order.
    excluded : list of (int, int, str)
        Start, end and reason of words in no line.
    rules : dict
        Level rules of each page: (top, x0, x1).
    fields : dict
        Ranges of the text layer that hold the filled form fields of each page.
    """

    page_texts: list[str]
    page_start: list[int]
    page_sizes: list[tuple[float, float]]
    page_status: list[int]
    page_images: list[int]
    page_image_share: list[float]
    lines: list[TextLine]
    excluded: list[tuple[int, int, str]]
    rules: dict[int, list[tuple[float, float, float]]]
    fields: dict[int, list[tuple[int, int]]]
    _word_start: npt.NDArray[np.int64]
    _word_end: npt.NDArray[np.int64]
    _word_box: npt.NDArray[np.float32]

    def boxes_of(self, start: npt.NDArray[np.int32], end: npt.NDArray[np.int32]) -> npt.NDArray[np.float32]:
        """Boxes (n, 4) around the words of each range of the text layer; nan where a range has no word.

        A word that a range cuts gives its share of the width: a Chinese line is one word.
        """
        boxes = np.full((len(start), 4), np.nan, np.float32)
        if not len(self._word_start):
            return boxes
        low = np.searchsorted(self._word_end, start, side="right")
        high = np.searchsorted(self._word_start, end, side="left")
        found = np.flatnonzero(high > low)
        # reduceat takes pairs of bounds; what lies between two pairs is computed too, and dropped.
        bounds = np.stack((low[found], high[found]), axis=1).ravel()
        padded = np.concatenate((self._word_box, self._word_box[-1:]))
        boxes[found, :2] = np.minimum.reduceat(padded[:, :2], bounds, axis=0)[::2]
        boxes[found, 2:] = np.maximum.reduceat(padded[:, 2:], bounds, axis=0)[::2]
        single = found[high[found] == low[found] + 1]
        first, last = self._word_start[low[single]], self._word_end[low[single]]
        width = (boxes[single, 2] - boxes[single, 0]) / np.maximum(1, last - first)
        boxes[single, 0] += width * np.maximum(0, start[single] - first)
        boxes[single, 2] -= width * np.maximum(0, last - end[single])
        return boxes


def pdf_text(ranges: Sequence[PageRange]) -> PdfText:
    """Join page ranges, given in order, into one PDF."""
    result = PdfText([], [], [], [], [], [], [], [], {}, {}, *_sorted_words(ranges))
    offset = 0
    for part in ranges:
        first_page = len(result.page_texts)
        ends = [*part.page_start[1:].tolist(), len(part.text)]
        for start, end in zip(part.page_start.tolist(), ends, strict=True):
            result.page_texts.append(part.text[start:end])
            result.page_start.append(offset + start)
        result.page_sizes += [(w, h) for w, h in part.page_size.tolist()]
        result.page_status += part.page_status.tolist()
        result.page_images += part.page_images.tolist()
        result.page_image_share += part.page_image_share.tolist()
        result.excluded += [(a + offset, b + offset, why) for a, b, why in part.exclusions]
        for page, top, x0, x1 in part.rule.tolist():
            result.rules.setdefault(first_page + int(page), []).append((top, x0, x1))
        page_of_field = np.searchsorted(part.page_start, part.field_start, side="right") - 1
        for page, start, end in zip(
            page_of_field.tolist(), part.field_start.tolist(), part.field_end.tolist(), strict=True
        ):
            result.fields.setdefault(first_page + page, []).append((start + offset, end + offset))
        result.lines += _lines(part, offset, first_page, len(result.lines))
        offset += len(part.text)
    _mark_underlined(result)
    return result


def _mark_underlined(pdf: PdfText) -> None:
    for rules in pdf.rules.values():
        rules.sort()
    for line in pdf.lines:
        near = pdf.rules.get(line.page, [])
        if near:
            low = bisect_left(near, (line.bottom - line.height,))
            high = bisect_left(near, (line.bottom + line.height,))
            line.underlined = line.underline_share(near[low:high]) > _UNDERLINED_SHARE


def _sorted_words(
    ranges: Sequence[PageRange],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    starts, ends, boxes = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros((0, 4), np.float32)]
    offset = 0
    for part in ranges:
        start = np.concatenate((part.word_start, part.field_start))
        order = np.argsort(start, kind="stable")
        starts.append(start[order].astype(np.int64) + offset)
        ends.append(np.concatenate((part.word_end, part.field_end))[order].astype(np.int64) + offset)
        boxes.append(np.concatenate((part.word_box, part.field_box))[order])
        offset += len(part.text)
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(boxes)


def _lines(part: PageRange, offset: int, first_page: int, first_index: int) -> list[TextLine]:
    count = len(part.line_page)
    if not count:
        return []
    piece_first, joints = _piece_bounds(part)
    starts, ends, cells, lefts, rights = _piece_values(part, piece_first)
    line_piece = np.searchsorted(piece_first, part.line_first)
    size, bold, italic = _line_styles(part)
    fonts = _line_fonts(part)
    hyphen = part.word_hyphen[part.line_first[1:] - 1].astype(bool).tolist()
    boxes = part.line_box.tolist()
    columns = zip(
        part.line_page.tolist(),
        part.line_region.tolist(),
        part.line_grid.tolist(),
        part.line_direction.tolist(),
        line_piece[:-1].tolist(),
        line_piece[1:].tolist(),
        strict=True,
    )
    text = part.text
    lines = []
    for rank, (page, region, grid, direction, low, high) in enumerate(columns):
        pieces = [Piece(starts[i] + offset, ends[i] + offset, joints[i], cells[i]) for i in range(low, high)]
        if high - low == 1:
            words = text[starts[low] : ends[low]]
        else:
            words = text[starts[low] : ends[low]] + "".join(
                ("" if joints[i] == JOINT_NONE else " ") + text[starts[i] : ends[i]] for i in range(low + 1, high)
            )
        x0, top, x1, bottom = boxes[rank]
        lines.append(
            TextLine(
                first_index + rank,
                first_page + page,
                region,
                grid,
                direction,
                x0,
                top,
                x1,
                bottom,
                words,
                pieces,
                list(zip(lefts[low:high], rights[low:high], strict=True)),
                size[rank],
                bold[rank],
                italic[rank],
                hyphen[rank],
                fonts[rank],
            )
        )
    return lines


def _piece_bounds(part: PageRange) -> tuple[npt.NDArray[np.int64], list[int]]:
    """First word of each piece and what joins it to the piece before.

    Words that the text layer holds side by side, parted by one space, make one piece.
    """
    points = np.frombuffer(part.text.encode("utf-32-le", "surrogatepass"), "<u4")
    gap = part.word_start[1:] - part.word_end[:-1]
    between = points[np.minimum(part.word_end[:-1], len(points) - 1)]
    beside = (gap == 0) | ((gap == 1) & np.isin(between, (0x20, 0xA0, 0x3000)))
    same_cell = part.word_cell[1:] == part.word_cell[:-1]
    glued = part.word_glued[1:].astype(bool)
    opens = np.ones(len(part.word_start), bool)
    opens[1:] = ~(beside & same_cell & ~(glued & (gap > 0)))
    line_starts = np.zeros(len(opens), bool)
    line_starts[part.line_first[:-1]] = True
    opens |= line_starts
    first = np.flatnonzero(opens)
    joint = np.full(len(opens), JOINT_SPACE)
    joint[1:][~same_cell] = JOINT_CELL
    joint[1:][glued] = JOINT_NONE
    joint[line_starts] = JOINT_SPACE
    return first, joint[first].tolist()


def _piece_values(
    part: PageRange, first: npt.NDArray[np.int64]
) -> tuple[list[int], list[int], list[int], list[float], list[float]]:
    last = np.append(first[1:], len(part.word_start)) - 1
    lefts = np.minimum.reduceat(part.word_box[:, 0], first)
    rights = np.maximum.reduceat(part.word_box[:, 2], first)
    return (
        part.word_start[first].tolist(),
        part.word_end[last].tolist(),
        part.word_cell[first].tolist(),
        lefts.tolist(),
        rights.tolist(),
    )


def _line_styles(part: PageRange) -> tuple[list[float], list[bool], list[bool]]:
    """Font size of the middle character of each line by size, and whether most of it is bold or italic."""
    lengths = (part.word_end - part.word_start).astype(np.float64)
    firsts = part.line_first[:-1]
    line = np.repeat(np.arange(len(firsts)), np.diff(part.line_first))
    total = np.add.reduceat(lengths, firsts)
    order = np.lexsort((part.word_size, line))
    running = np.cumsum(lengths[order])
    before = np.concatenate(([0.0], np.cumsum(total)[:-1]))
    middle = np.searchsorted(running, before + total / 2)
    size = np.round(part.word_size[order[np.minimum(middle, len(order) - 1)]], 1)
    bold_font = np.array([*(font.bold for font in part.fonts), False])
    italic_font = np.array([*(font.italic for font in part.fonts), False])
    bold = np.add.reduceat(lengths * bold_font[part.word_font], firsts) > _BOLD_SHARE * total
    italic = np.add.reduceat(lengths * italic_font[part.word_font], firsts) > _BOLD_SHARE * total
    return size.tolist(), bold.tolist(), italic.tolist()


def _line_fonts(part: PageRange) -> list[str]:
    """The name of each line's font, "" where its words are in several."""
    low = np.minimum.reduceat(part.word_font, part.line_first[:-1])
    high = np.maximum.reduceat(part.word_font, part.line_first[:-1])
    names = [*(font.name for font in part.fonts), ""]
    return [names[a] if a == b else "" for a, b in zip(low.tolist(), high.tolist(), strict=True)]
