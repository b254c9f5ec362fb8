"""What is drawn over the pictures of pages: a rectangle for each block, fewer where a document has too many."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from ...documents import Document
from ...reading.selection import Codes, Status
from ..contents import PageMark
from .places import PagePlaces, PageRectangles

MOST_MARKS = 6_000
"""A mark takes about 32 bytes of the file, so these are 200 KB; a filing of 160 pages has about 4,000."""
NEAR_POINTS = 14.0
"""Largest gap between two blocks under each other that are drawn as one: a blank line."""
NAMES = tuple(status.name.lower() for status in Status)

Mask = npt.NDArray[np.bool_]


def page_marks(
    document: Document, places: PagePlaces, status: Codes, *, most: int = MOST_MARKS
) -> list[tuple[PageMark, ...]]:
    """Return the marks of each page, in the order of the pages, and on a page in reading order.

    Up to ``most`` rectangles every block has its own. Of more, neighbours of one status become one mark with the id of
    the first: at first on pages that are skipped whole, where a veil without seams is what one looks for, then skipped
    ones anywhere, then all. A click on a joined mark leads to the first of its blocks, and the lists of a report are in
    the order of the document, so that the others follow there. No joined mark lies over a mark of another status.

    Parameters
    ----------
    document : Document
    places : PagePlaces
    status : ndarray of uint8, shape (blocks,)
        Codes of ``Status``.
    most : int
        Marks from which neighbours are joined; there may be more, if they are no neighbours.
    """
    found = _visible(places.rectangles(), document)
    codes = status[found.block]
    skipped = codes == Status.SKIPPED
    touched = np.zeros(len(document.pages) + 1, bool)
    touched[found.page[~skipped]] = True
    marks, shown = found, codes
    for joinable in (skipped & ~touched[found.page], skipped, np.ones(len(found), bool)):
        if len(marks) > most:
            marks, shown = _joined(found, codes, joinable)
    return _by_page(marks, shown, len(document.pages))


def _visible(found: PageRectangles, document: Document) -> PageRectangles:
    """Return what lies on the visible page, cut at its edges: a file may place text beyond them."""
    sizes = np.array([(page.width, page.height) for page in document.pages], np.float64).reshape(-1, 2)
    edge = np.tile(sizes[found.page - 1], 2) if len(found) else np.zeros((0, 4))
    boxes = np.clip(found.boxes, 0.0, edge)
    seen = (boxes[:, 0] < boxes[:, 2]) & (boxes[:, 1] < boxes[:, 3])
    return PageRectangles(found.page[seen], found.block[seen], boxes[seen])


def _joined(found: PageRectangles, codes: Codes, joinable: Mask) -> tuple[PageRectangles, Codes]:
    """Join neighbours, and take apart again what would lie over a mark of another status."""
    box = found.boxes
    x0, top, x1, bottom = box.T
    beside = np.minimum(x1[1:], x1[:-1]) - np.maximum(x0[1:], x0[:-1])
    gap = top[1:] - bottom[:-1]
    neighbours = (
        (found.page[1:] == found.page[:-1])
        & (codes[1:] == codes[:-1])
        & joinable[1:]
        & joinable[:-1]
        & (beside >= 0.5 * np.minimum(x1 - x0, np.roll(x1 - x0, -1))[:-1])
        & (gap > -NEAR_POINTS / 2)
        & (gap <= NEAR_POINTS)
    )
    first = np.flatnonzero(np.concatenate([[True], ~neighbours]))
    unions = _unions(box, first)
    group = np.cumsum(np.concatenate([[True], ~neighbours])) - 1
    over = _lies_over_others(unions, first, found, codes)
    # A group that may not stay falls back into its members.
    first = np.flatnonzero(np.concatenate([[True], ~neighbours]) | over[group])
    return PageRectangles(found.page[first], found.block[first], _unions(box, first)), codes[first]


def _unions(box: npt.NDArray[np.float64], first: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    low, high = np.minimum.reduceat(box[:, :2], first), np.maximum.reduceat(box[:, 2:], first)
    return np.concatenate([low, high], axis=1)


def _lies_over_others(
    unions: npt.NDArray[np.float64], first: npt.NDArray[np.intp], found: PageRectangles, codes: Codes
) -> Mask:
    """Return which unions lie over a rectangle of another status, by more than a point."""
    over = np.zeros(len(unions), bool)
    pages, statuses = found.page[first], codes[first]
    for page in np.unique(found.page[codes != Status.SKIPPED]).tolist():
        own, all_of_it = np.flatnonzero(pages == page), np.flatnonzero(found.page == page)
        left, right = unions[own, None], found.boxes[None, all_of_it]
        deep = np.minimum(left[..., 2:], right[..., 2:]) - np.maximum(left[..., :2], right[..., :2])
        other = statuses[own, None] != codes[None, all_of_it]
        over[own] = ((deep > 1.0).all(2) & other).any(1)
    return over


def _by_page(found: PageRectangles, codes: Codes, pages: int) -> list[tuple[PageMark, ...]]:
    edges = np.searchsorted(found.page, np.arange(1, pages + 2)).tolist()
    rows = zip(found.block.tolist(), found.boxes.round(1).tolist(), codes.tolist(), strict=True)
    marks = [PageMark(block, x0, top, x1, bottom, NAMES[code]) for block, (x0, top, x1, bottom), code in rows]
    return [tuple(marks[low:high]) for low, high in itertools.pairwise(edges)]
