"""Where blocks stand on the pages of a document, as rectangles to draw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .anchors import Box, union_box
from .columns import NONE
from .document import Document

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]


def parts_on(boxes: Sequence[Box], page: int) -> list[Box]:
    """Return one rectangle for each column of a page that a block stands in.

    The boxes of lines belong together as long as each is below the one before.

    Examples
    --------
    >>> [part[1:] for part in parts_on([Box(1, 0, 0, 9, 10), Box(1, 0, 12, 8, 22), Box(1, 20, 0, 30, 10)], 1)]
    [(0, 0, 9, 22), (20, 0, 30, 10)]
    """
    groups: list[list[Box]] = []
    for box in boxes:
        if box.page != page:
            continue
        last = groups[-1][-1] if groups else None
        if last is not None and box.top >= last.top - 0.5 * (last.bottom - last.top):
            groups[-1].append(box)
        else:
            groups.append([box])
    return [found for group in groups if (found := union_box(group)) is not None]


class PageBoxes:
    """The rectangles of a document's blocks, page by page.

    Attributes
    ----------
    sizes : ndarray of float32, shape (pages, 2)
        Width and height of each page in points; 0 for one without geometry.
    tops : ndarray of float32, shape (blocks,)
        Where a block begins on its first page, in points from the top; nan where that is not known.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        columns = document.columns
        sizes = np.array([(page.width, page.height) for page in document.pages], np.float32).reshape(-1, 2)
        known = (sizes > 0) & (sizes < np.inf)
        self.sizes: Floats = np.where(known[:, :1] & known[:, 1:], sizes, np.float32(0))
        starts = np.array([page.start_char for page in document.pages], np.int64)
        self._page_of_piece = np.maximum(1, np.searchsorted(starts, columns.start, side="right"))
        self._block_of_piece = np.repeat(np.arange(len(columns)), np.diff(columns.first_piece))
        self.tops = self._tops()

    def on(self, page: int) -> tuple[Ints, Floats]:
        """Return the rectangles of one page (1-based).

        Returns
        -------
        blocks : ndarray of int32, shape (k,)
            Their ids, in reading order; a block in two columns has two rectangles. A table comes before its rows.
        boxes : ndarray of float32, shape (k, 4)
            x0, top, x1, bottom in points from the top left corner of the visible page.
        """
        columns = self._document.columns
        ids: list[int] = []
        boxes: list[tuple[float, ...]] = []
        if len(columns.box):
            written = self._block_of_piece[self._page_of_piece == page]
            bare = np.flatnonzero((np.diff(columns.first_piece) == 0) & (columns.home_page == page - 1))
            for block in np.union1d(written, bare).tolist():
                for part in parts_on(self._document.blocks[block].anchor.boxes, page):
                    ids.append(block)
                    boxes.append(part[1:])
        return np.array(ids, np.int32), np.array(boxes, np.float32).reshape(-1, 4)

    def _tops(self) -> Floats:
        columns = self._document.columns
        tops = np.full(len(columns), np.nan, np.float32)
        if not len(columns.box):
            return tops
        some = np.diff(columns.first_piece) > 0
        tops[some] = columns.box[columns.first_piece[:-1][some], 1]
        # A table has no characters of its own; it begins where its first row does.
        for row in np.flatnonzero(columns.table != NONE)[::-1].tolist():
            if not some[columns.table[row]]:
                tops[columns.table[row]] = tops[row]
        return tops
