"""Which blocks stand on which pages, and where, for all pages of a document at once."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...documents import Document

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PageRectangles:
    """Rectangles (r) of blocks, by page, and on a page in reading order.

    Attributes
    ----------
    page, block : ndarray of int64, shape (r,)
        The page is 1-based.
    boxes : ndarray of float64, shape (r, 4)
        x0, top, x1, bottom in points from the page's top left corner.
    """

    page: Ints
    block: Ints
    boxes: Floats

    def __len__(self) -> int:
        return len(self.page)

    def only(self, mask: npt.NDArray[np.bool_]) -> PageRectangles:
        """Return some of them."""
        return PageRectangles(self.page[mask], self.block[mask], self.boxes[mask])


class PagePlaces:
    """The places of a document's blocks, found once for all pages.

    A block over two pages stands on both. One without characters of its own, such as a table, whose rows have them,
    stands on none.

    Attributes
    ----------
    page, block : ndarray of int64, shape (k,)
        Every pair of a page (1-based) and a block on it, by page, and on a page in reading order.
    share : ndarray of float64, shape (k,)
        How much of the block's characters stands on that page, in (0, 1].
    """

    def __init__(self, document: Document) -> None:
        columns = document.columns
        starts = np.array([page.start_char for page in document.pages], np.int64)
        self._count = len(document.pages)
        self._page = np.maximum(1, np.searchsorted(starts, columns.start, side="right")).astype(np.int64)
        self._block = np.repeat(np.arange(len(columns), dtype=np.int64), np.diff(columns.first_piece))
        self._box = columns.box.astype(np.float64)
        lengths = (columns.end - columns.start).astype(np.float64)
        pairs, which = np.unique(self._page * len(columns) + self._block, return_inverse=True)
        self.page, self.block = pairs // max(1, len(columns)), pairs % max(1, len(columns))
        own = np.bincount(which, weights=lengths, minlength=len(pairs))
        whole = np.bincount(self._block, weights=lengths, minlength=len(columns))
        self.share: Floats = own / np.maximum(whole[self.block], 1.0)

    def on(self) -> list[slice]:
        """Return for each page, in order, where its pairs stand in ``page`` and ``block``."""
        edges = np.searchsorted(self.page, np.arange(1, self._count + 2)).tolist()
        return [slice(low, high) for low, high in itertools.pairwise(edges)]

    def touched(self, kept: npt.NDArray[np.bool_]) -> set[int]:
        """Return the pages on which one of the blocks that a mask of shape (blocks,) names stands."""
        return set(np.unique(self.page[kept[self.block]]).tolist())

    def tokens_on(self, tokens: npt.NDArray[np.int64]) -> Ints:
        """Return the tokens of each pair, of those of each block; the parts of a block add up to it.

        Parameters
        ----------
        tokens : ndarray of int64, shape (blocks,)

        Returns
        -------
        ndarray of int64, shape (k,)
        """
        parts: Ints = np.floor(tokens[self.block] * self.share).astype(np.int64)
        rest = tokens - np.bincount(self.block, weights=parts, minlength=len(tokens)).astype(np.int64)
        # Pairs are sorted by page, so the first of a block is on the page where it begins.
        blocks, first = np.unique(self.block, return_index=True)
        parts[first] += rest[blocks]
        return parts

    def rectangles(self) -> PageRectangles:
        """Return one rectangle for each column of a page that a block stands in, as ``PageBoxes`` does for one page."""
        if not len(self._box):
            none = np.zeros(0, np.int64)
            return PageRectangles(none, none, np.zeros((0, 4)))
        known = ~np.isnan(self._box).any(1)
        page, block, box = self._page[known], self._block[known], self._box[known]
        order = np.lexsort((block, page))
        page, block, box = page[order], block[order], box[order]
        if not len(page):
            return PageRectangles(page, block, box)
        top, bottom = box[:, 1], box[:, 3]
        # A line that begins well above the one before it stands in the next column.
        begins = (np.diff(page) != 0) | (np.diff(block) != 0) | (top[1:] < top[:-1] - 0.5 * (bottom - top)[:-1])
        first = np.flatnonzero(np.concatenate([[True], begins]))
        low, high = np.minimum.reduceat(box[:, :2], first), np.maximum.reduceat(box[:, 2:], first)
        return PageRectangles(page[first], block[first], np.concatenate([low, high], axis=1))
