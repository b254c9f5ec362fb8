"""Places in the text of a block: from the text layer, from another spelling of the same words, from UTF-16."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...documents.anchors import JOINTS
from ...documents.quotes import quote_index

if TYPE_CHECKING:
    from ...documents import Document
    from .values import Span


def in_block(document: Document, block_id: int, start_char: int, end_char: int) -> Span | None:
    """Return a range of the text layer as a range of a block's text; None if the block has nothing of it.

    Parameters
    ----------
    document : Document
    block_id : int
    start_char, end_char : int
        Range of the text layer (code points, end exclusive).
    """
    at, start, end = 0, None, 0
    for rank, piece in enumerate(document.block(block_id).anchor.pieces):
        at += len(JOINTS[piece.joint]) if rank else 0
        low, high = max(start_char, piece.start_char), min(end_char, piece.end_char)
        if low < high:
            start = at + low - piece.start_char if start is None else start
            end = at + high - piece.start_char
        at += piece.end_char - piece.start_char
    return None if start is None else (start, end)


def span_in(document: Document, block_id: int, text: str, span: Span) -> Span | None:
    """Return where what a span of some text says stands in a block of a document.

    Of several places the one nearest to the span is taken. Words that are spelled otherwise, in white space or
    hyphens, are found as well.
    """
    start, end = span
    wanted, block_text = text[start:end], document.texts[block_id]
    places = _places(block_text, wanted)
    if not places:
        for match in quote_index(document).find(wanted):
            if match.blocks == (block_id,):
                found = in_block(document, block_id, match.start_char, match.end_char)
                places.extend([found] if found is not None else [])
    return min(places, key=lambda place: (abs(place[0] - start), place), default=None)


def nearest(text: str, wanted: str, start: int) -> Span | None:
    """Return the place of a wanted text that is nearest to a position; None if it stands nowhere."""
    return min(_places(text, wanted), key=lambda place: (abs(place[0] - start), place), default=None)


def from_utf16(text: str, span: Span) -> Span | None:
    """Return a span that was counted in UTF-16, as JavaScript counts, in code points.

    None where it would cut a character in two, or leaves the text.

    Examples
    --------
    >>> from_utf16("a😀b", (3, 4))
    (2, 3)
    >>> from_utf16("a😀b", (2, 4)) is None
    True
    """
    found: list[int] = []
    units, wanted = 0, list(span)
    for place, letter in enumerate(text):
        while wanted and units == wanted[0]:
            found.append(place)
            wanted.pop(0)
        units += 2 if ord(letter) > 0xFFFF else 1
    while wanted and units == wanted[0]:
        found.append(len(text))
        wanted.pop(0)
    return (found[0], found[1]) if len(found) == 2 else None


def has_wide(text: str) -> bool:
    """Whether a text has a character that JavaScript counts as two."""
    return any(ord(letter) > 0xFFFF for letter in text)


def _places(text: str, wanted: str) -> list[Span]:
    places: list[Span] = []
    at = text.find(wanted)
    while wanted and at >= 0:
        places.append((at, at + len(wanted)))
        at = text.find(wanted, at + 1)
    return places
