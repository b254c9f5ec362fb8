"""Where a block stands in the original, in terms that always lead back to the same text.

The *text layer* of a document is the text that its bytes spell, before anybody cuts it into blocks: the
decoded file for plain text, what the pages' glyphs say for a PDF, the runs in document order for an office
file. It is never normalised. Characters of all pages are counted through, in Python code points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

JOINTS: tuple[str, ...] = ("", " ", "\t", "\n")
"""What may stand between two pieces of a block: nothing (words cut in two, CJK lines), a space (lines), a tab
(cells), a line feed (lines of code). A piece stores the index."""

JOINT_NONE, JOINT_SPACE, JOINT_CELL, JOINT_LINE = range(4)


class Box(NamedTuple):
    """A rectangle on a page, in points from the visible page's top left corner; ``page`` is 1-based."""

    page: int
    x0: float
    top: float
    x1: float
    bottom: float


class Piece(NamedTuple):
    """One slice of the text layer that belongs to a block.

    Attributes
    ----------
    start_char, end_char : int
        Slice of the text layer (code points, end exclusive).
    joint : int
        Index into ``JOINTS``: what stands between the piece before it and this one.
    column : int
        0-based table column, or -1 outside tables.
    """

    start_char: int
    end_char: int
    joint: int = JOINT_NONE
    column: int = -1


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a block stands.

    Attributes
    ----------
    page : int
        1-based number of the page, sheet, slide or part on which it begins.
    pages : tuple of int
        All pages it stands on: a sentence may continue overleaf.
    start_char, end_char : int
        Smallest range of the text layer that holds every piece.
    pieces : tuple of Piece
        The slices that make its text, in reading order.
    boxes : tuple of Box
        One rectangle per piece where the format has a page geometry, else empty.
    start_line, end_line : int or None
        1-based lines of the file, where the text layer is the file itself.
    locator : str
        The place in the format's own terms ("Sheet1!A2:D2", "$.items[3]", "cell 4"), or "".
    """

    page: int
    pages: tuple[int, ...]
    start_char: int
    end_char: int
    pieces: tuple[Piece, ...]
    boxes: tuple[Box, ...] = ()
    start_line: int | None = None
    end_line: int | None = None
    locator: str = ""

    @property
    def box(self) -> Box | None:
        """Bounding box of the part that stands on the first page, or None without geometry."""
        return union_box(box for box in self.boxes if box.page == self.page)

    def read(self, text_layer: str) -> str:
        """Return the block's text from a text layer, however that was obtained.

        Examples
        --------
        >>> layer = "Net sales rose\\r\\nby 3 %."
        >>> anchor = Anchor(1, (1,), 0, 23, (Piece(0, 14), Piece(16, 23, JOINT_SPACE)))
        >>> anchor.read(layer)
        'Net sales rose by 3 %.'
        """
        return join_pieces(text_layer, self.pieces)


def join_pieces(text_layer: str, pieces: Iterable[Piece]) -> str:
    """Join slices of the text layer by their joints; the first joint is not used."""
    parts: list[str] = []
    for piece in pieces:
        if parts:
            parts.append(JOINTS[piece.joint])
        parts.append(text_layer[piece.start_char : piece.end_char])
    return "".join(parts)


def union_box(boxes: Iterable[Box]) -> Box | None:
    """Return the smallest box around all boxes (of one page), or None when there is none."""
    found = list(boxes)
    if not found:
        return None
    return Box(
        found[0].page,
        min(box.x0 for box in found),
        min(box.top for box in found),
        max(box.x1 for box in found),
        max(box.bottom for box in found),
    )
