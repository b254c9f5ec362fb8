"""What a format module builds: a text layer with marked ranges, finished into a ``Document``'s columns.

A format module writes the text layer page by page and marks ranges of it as blocks. ``finish`` does what is
the same for all formats: it trims white space, cuts long paragraphs at sentence ends, finds the section of
each block, counts tokens, and checks that no character is in two blocks or lost.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from .anchors import JOINT_CELL, JOINT_NONE, Piece, join_pieces
from .blocks import KIND_CODE, BlockKind
from .columns import NONE, BlockColumns
from .exclusions import Exclusion, Exclusions
from .pages import DocumentWarning, Page, PageStatus
from .sentences import cut_points
from .tokens import count_tokens

IntArray = np.ndarray[tuple[int], np.dtype[np.int32]]
BoxesOf = Callable[[IntArray, IntArray], np.ndarray[tuple[int, int], np.dtype[np.float32]]]

SPLITTABLE = frozenset(
    {BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.FOOTNOTE, BlockKind.REFERENCE, BlockKind.CAPTION}
)
BEYOND_LIMIT = "beyond max_blocks"
UNPLACED = "unplaced"
"""Reason of an exclusion that no format module named: a fault, which the tests look for."""


class Span(NamedTuple):
    """A range of the text layer."""

    start: int
    end: int


@dataclass(slots=True)
class DraftBlock:
    """A block before it is finished; ``table`` and ``continues`` are indices of other draft blocks."""

    kind: BlockKind
    pieces: list[Piece]
    page: int
    level: int = 0
    table: int = NONE
    continues: int = NONE
    is_header: bool = False
    locator: str = ""


@dataclass(slots=True)
class DraftPage:
    """A page before it is finished."""

    label: str = ""
    status: PageStatus | None = None
    width: float = math.nan
    height: float = math.nan
    images: int = 0
    start: int = 0


@dataclass(slots=True)
class FinishedDraft:
    """The columns and texts that a ``Document`` is made of."""

    text_layer: str
    columns: BlockColumns
    texts: list[str]
    pages: list[Page]
    exclusions: Exclusions
    warnings: list[DocumentWarning]
    locators: list[str]


@dataclass(slots=True)
class Draft:
    """A document under construction.

    Parameters
    ----------
    line_based : bool
        Whether the text layer is the decoded file itself.
    boxes_of : callable, optional
        ``boxes_of(starts, ends)`` gives the boxes (n, 4: x0, top, x1, bottom) of ranges of the text layer that
        each lie within one line, in points; nan where a range has none.

    Examples
    --------
    >>> draft = Draft()
    >>> _ = draft.begin_page(label="Slide 1")
    >>> _ = draft.add(BlockKind.HEADING, draft.write("Plan\\n"), level=1)
    >>> _ = draft.add(BlockKind.PARAGRAPH, draft.write("Ship it.\\n"))
    >>> draft.finish(max_block_chars=512).texts
    ['Plan', 'Ship it.']
    """

    line_based: bool = False
    boxes_of: BoxesOf | None = None
    pages: list[DraftPage] = field(default_factory=list)
    blocks: list[DraftBlock] = field(default_factory=list)
    exclusions: list[Exclusion] = field(default_factory=list)
    warnings: list[DocumentWarning] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _length: int = 0

    def begin_page(
        self,
        *,
        label: str = "",
        status: PageStatus | None = None,
        width: float = math.nan,
        height: float = math.nan,
        images: int = 0,
    ) -> int:
        """Begin a page, sheet, slide or part and return its 0-based rank; text written next belongs to it.

        Without a ``status`` it becomes ``text`` or ``blank``, by what is written to it.
        """
        self.pages.append(DraftPage(label, status, width, height, images, self._length))
        return len(self.pages) - 1

    def write(self, text: str) -> Span:
        """Append text to the text layer of the current page and return its range."""
        if not self.pages:
            self.begin_page()
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return Span(start, self._length)

    def add(
        self,
        kind: BlockKind,
        content: Span | Sequence[Piece],
        *,
        level: int = 0,
        page: int | None = None,
        locator: str = "",
    ) -> int:
        """Mark a range, or several pieces, as one block and return its index.

        ``page`` (0-based) is needed only for a block that is added after later pages were begun.
        """
        pieces = [Piece(content.start, content.end)] if isinstance(content, Span) else list(content)
        self.blocks.append(DraftBlock(kind, pieces, self._page(page), level, locator=locator))
        return len(self.blocks) - 1

    def begin_table(self, *, continues: int = NONE, page: int | None = None, locator: str = "") -> int:
        """Add a table block, which holds no text itself, and return its index for ``add_row``."""
        self.blocks.append(DraftBlock(BlockKind.TABLE, [], self._page(page), continues=continues, locator=locator))
        return len(self.blocks) - 1

    def add_row(
        self,
        table: int,
        cells: Iterable[Span | Sequence[Piece] | None],
        *,
        is_header: bool = False,
        page: int | None = None,
        locator: str = "",
    ) -> int:
        """Add a row; its cells stand in columns 0, 1, 2, …, and None leaves a column empty."""
        pieces: list[Piece] = []
        for column, cell in enumerate(cells):
            if cell is None:
                continue
            parts = [Piece(cell.start, cell.end)] if isinstance(cell, Span) else list(cell)
            for rank, part in enumerate(parts):
                pieces.append(Piece(part.start_char, part.end_char, part.joint if rank else JOINT_CELL, column))
        self.blocks.append(
            DraftBlock(BlockKind.TABLE_ROW, pieces, self._page(page), table=table, is_header=is_header, locator=locator)
        )
        return len(self.blocks) - 1

    def exclude(self, span: Span, reason: str) -> None:
        """List a range of the text layer as belonging to no block, with the reason in words."""
        if span.end > span.start:
            self.exclusions.append(Exclusion(span.start, span.end, reason))

    def warn(self, code: str, message: str, pages: Iterable[int] = ()) -> None:
        """Tell the reader something: ``pages`` are 1-based."""
        self.warnings.append(DocumentWarning(code, message, tuple(pages)))

    @property
    def length(self) -> int:
        """Characters written so far."""
        return self._length

    def finish(self, *, max_block_chars: int, max_blocks: int | None = None) -> FinishedDraft:
        """Trim, cut, place and count the blocks; see the module's first lines.

        Of more than ``max_blocks`` blocks only the first are kept, with a warning; the text of the others becomes
        a listed exclusion.
        """
        if not self.pages:
            self.begin_page()
        layer = "".join(self._parts)
        rows: list[DraftBlock] = []
        first_part: dict[int, DraftBlock] = {}
        for index, block in enumerate(self.blocks):
            block.pieces = _trim(layer, block)
            if not block.pieces and block.kind is not BlockKind.TABLE:
                continue
            parts = self._cut(layer, block, max_block_chars) if block.kind in SPLITTABLE else [block]
            first_part[index] = parts[0]
            rows.extend(parts)
        rows = self._within_limit(self._in_page_order(rows), max_blocks)
        places = {id(row): rank for rank, row in enumerate(rows)}
        renumbered = {index: places[id(part)] for index, part in first_part.items() if id(part) in places}
        pages = self._finished_pages(layer)
        texts = [join_pieces(layer, block.pieces) for block in rows]
        columns = self._columns(rows, renumbered, texts)
        return FinishedDraft(
            text_layer=layer,
            columns=columns,
            texts=texts,
            pages=pages,
            exclusions=_all_exclusions(layer, columns, self.exclusions),
            warnings=self.warnings,
            locators=[block.locator for block in rows] if any(block.locator for block in rows) else [],
        )

    def _page(self, page: int | None) -> int:
        return max(0, len(self.pages) - 1) if page is None else page

    def _cut(self, layer: str, block: DraftBlock, limit: int) -> list[DraftBlock]:
        text = join_pieces(layer, block.pieces)
        cuts = cut_points(text, limit)
        if not cuts:
            return [block]
        parts: list[DraftBlock] = []
        for pieces in _split_pieces(block.pieces, cuts):
            part = DraftBlock(block.kind, pieces, block.page, block.level, block.table, locator=block.locator)
            part.pieces = _trim(layer, part)
            if part.pieces:
                parts.append(part)
        return parts

    def _within_limit(self, rows: list[DraftBlock], limit: int | None) -> list[DraftBlock]:
        if limit is None or len(rows) <= limit:
            return rows
        for row in rows[limit:]:
            for piece in row.pieces:
                self.exclude(Span(piece.start_char, piece.end_char), BEYOND_LIMIT)
        self.warn("truncated", f"Only the first {limit:,} blocks were kept (max_blocks).")
        return rows[:limit]

    def _in_page_order(self, rows: list[DraftBlock]) -> list[DraftBlock]:
        """Put each block with its page: the part of a paragraph that begins overleaf, behind the footer before it."""
        starts = [page.start for page in self.pages]
        for row in rows:
            if row.pieces:
                row.page = bisect_right(starts, row.pieces[0].start_char) - 1
        return sorted(rows, key=lambda row: row.page)

    def _finished_pages(self, layer: str) -> list[Page]:
        ends = [page.start for page in self.pages[1:]] + [len(layer)]
        pages = []
        for number, (page, end) in enumerate(zip(self.pages, ends, strict=True), start=1):
            status = page.status
            if status is None:
                status = PageStatus.BLANK if not layer[page.start : end].strip() else PageStatus.TEXT
            pages.append(Page(number, page.label, status, page.width, page.height, page.images, page.start, end))
        return pages

    def _columns(self, rows: list[DraftBlock], renumbered: dict[int, int], texts: list[str]) -> BlockColumns:
        pieces = [piece for block in rows for piece in block.pieces]
        counts = [len(block.pieces) for block in rows]
        start = np.fromiter((piece.start_char for piece in pieces), np.int32, len(pieces))
        first_piece = np.concatenate([[0], np.cumsum(counts, dtype=np.int32)]).astype(np.int32)
        home = np.array([block.page for block in rows], np.int32)
        end = np.fromiter((piece.end_char for piece in pieces), np.int32, len(pieces))
        box = np.zeros((0, 4), np.float32) if self.boxes_of is None else self.boxes_of(start, end)
        return BlockColumns(
            kind=np.array([KIND_CODE[block.kind] for block in rows], np.uint8),
            level=np.array([block.level for block in rows], np.uint8),
            parent=_parents(rows),
            table=np.array([renumbered.get(block.table, NONE) for block in rows], np.int32),
            continues=np.array([renumbered.get(block.continues, NONE) for block in rows], np.int32),
            is_header=np.array([block.is_header for block in rows], np.uint8),
            tokens=count_tokens(texts),
            first_piece=first_piece,
            start=start,
            end=end,
            joint=np.fromiter((piece.joint for piece in pieces), np.uint8, len(pieces)),
            column=np.fromiter((piece.column for piece in pieces), np.int16, len(pieces)),
            box=box,
            home_page=home,
        )


def _parents(rows: list[DraftBlock]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """The nearest heading above each block; a heading's parent is the nearest one of a smaller level."""
    parents = np.full(len(rows), NONE, np.int32)
    open_headings: list[tuple[int, int]] = []
    for index, block in enumerate(rows):
        if block.kind in (BlockKind.HEADER, BlockKind.FOOTER):
            continue
        if block.kind is BlockKind.HEADING:
            while open_headings and open_headings[-1][0] >= block.level:
                open_headings.pop()
        if open_headings:
            parents[index] = open_headings[-1][1]
        if block.kind is BlockKind.HEADING:
            open_headings.append((block.level, index))
    return parents


def _trim(layer: str, block: DraftBlock) -> list[Piece]:
    """Drop white space at the ends of each piece; code keeps its indentation."""
    trimmed: list[Piece] = []
    for piece in block.pieces:
        start, end, joint, column = piece
        if trimmed and start < end and not (layer[start].isspace() or layer[end - 1].isspace()):
            trimmed.append(piece)
            continue
        kept = layer[start:end].rstrip()
        lead = len(kept) - len(kept.lstrip())
        if block.kind is BlockKind.CODE and kept:
            lead = kept.rfind("\n", 0, lead) + 1
        if lead < len(kept):
            trimmed.append(Piece(start + lead, start + len(kept), joint if trimmed else JOINT_NONE, column))
    return trimmed


def _split_pieces(pieces: list[Piece], cuts: list[int]) -> list[list[Piece]]:
    """Divide pieces at offsets of the text that they join to."""
    parts: list[list[Piece]] = [[]]
    waiting = list(cuts)
    at = 0
    for rank, piece in enumerate(pieces):
        if rank:
            at += 0 if piece.joint == JOINT_NONE else 1
        start = piece.start_char
        length = piece.end_char - piece.start_char
        while waiting and waiting[0] < at + length:
            cut = piece.start_char + max(0, waiting.pop(0) - at)
            if cut > start:
                parts[-1].append(piece._replace(start_char=start, end_char=cut))
            parts.append([])
            start = cut
        if start < piece.end_char:
            parts[-1].append(piece._replace(start_char=start))
        at += length
    return [part for part in parts if part]


def _all_exclusions(layer: str, columns: BlockColumns, named: list[Exclusion]) -> Exclusions:
    """Return the named exclusions and, as ``UNPLACED``, every other stretch of text in no block.

    Raises
    ------
    AssertionError
        If a character is claimed twice: a fault of the format module.
    """
    claims = _coverage(len(layer), columns.start, columns.end)
    if claims.size and claims.max() > 1:
        at = int(np.argmax(claims > 1))
        raise AssertionError(f"character {at} is in two blocks: {layer[max(0, at - 20) : at + 20]!r}")
    found = Exclusions.of(named)
    claims += _coverage(len(layer), found.start, found.end)
    free = np.flatnonzero(claims == 0)
    if not free.size:
        return found
    breaks = np.flatnonzero(np.diff(free) > 1)
    lows = free[np.concatenate([[0], breaks + 1])].tolist()
    highs = (free[np.concatenate([breaks, [free.size - 1]])] + 1).tolist()
    unplaced = [
        Exclusion(low, high, UNPLACED) for low, high in zip(lows, highs, strict=True) if not layer[low:high].isspace()
    ]
    return Exclusions.of([*named, *unplaced]) if unplaced else found


def _coverage(
    length: int, start: np.ndarray[tuple[int], np.dtype[np.int32]], end: np.ndarray[tuple[int], np.dtype[np.int32]]
) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """How many of the ranges hold each character."""
    change = np.zeros(length + 1, np.int32)
    np.add.at(change, start, 1)
    np.subtract.at(change, end, 1)
    return np.cumsum(change, out=change)[:-1]
