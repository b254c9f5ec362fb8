"""What a block is: the smallest thing that is kept or skipped."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .anchors import Anchor


class BlockKind(StrEnum):
    """The kinds of block. Their order is part of the cache format: append only."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    TABLE_ROW = "table_row"
    CODE = "code"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    HEADER = "header"
    FOOTER = "footer"
    REFERENCE = "reference"
    TOC_ENTRY = "toc_entry"
    FORM_FIELD = "form_field"


KINDS: tuple[BlockKind, ...] = tuple(BlockKind)
KIND_CODE: dict[BlockKind, int] = {kind: code for code, kind in enumerate(KINDS)}

FURNITURE = frozenset({BlockKind.HEADER, BlockKind.FOOTER})
"""Running lines of a page: kept as blocks, left out of the reading text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table row.

    Attributes
    ----------
    text : str
        What the cell says.
    column : int
        0-based column of the table; ``Document.column_names`` gives its name.
    start_char, end_char : int
        Range of the cell in the document's text layer (code points, end exclusive).
    """

    text: str
    column: int
    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a document.

    Attributes
    ----------
    block_id : int
        The block's identity in its document: its rank in reading order, from 0.
    kind : BlockKind
        What it is.
    level : int
        1 to 6 for headings and toc entries, nesting depth from 1 for list items, else 0.
    section : tuple of int
        Ids of the headings above it, outermost first.
    text : str
        What it says: slices of the text layer, joined as ``anchor.pieces`` tell. A ``table`` has no
        text of its own; its rows do.
    tokens : int
        Length of ``text`` in the document's tokenizer.
    anchor : Anchor
        Where it stands in the original.
    table : int or None
        For a table row, the id of its table.
    header : tuple of int
        For a table row, the ids of the header rows that name its cells (also over a page break).
    is_header : bool
        Whether a table row is itself a header row.
    cells : tuple of Cell
        For a table row, its cells from left to right.
    continues : int or None
        For a table, the id of the table on an earlier page that it continues.
    """

    block_id: int
    kind: BlockKind
    level: int
    section: tuple[int, ...]
    text: str
    tokens: int
    anchor: Anchor
    table: int | None = None
    header: tuple[int, ...] = ()
    is_header: bool = False
    cells: tuple[Cell, ...] = ()
    continues: int | None = None

    @property
    def page(self) -> int:
        """1-based page, sheet, slide or part on which the block begins."""
        return self.anchor.page

    def __repr__(self) -> str:
        shown = self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return f"Block({self.block_id}, {self.kind.value}, page {self.page}, {shown!r})"
