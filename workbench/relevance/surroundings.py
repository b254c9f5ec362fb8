"""Where a block stands: under which headings, in which table, between which other blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..documents.blocks import FURNITURE, KIND_CODE, BlockKind
from ..documents.columns import NONE

if TYPE_CHECKING:
    from ..documents import Document

HEADING, LIST_ITEM, TABLE, ROW, CAPTION, CODE = (
    KIND_CODE[kind]
    for kind in (
        BlockKind.HEADING,
        BlockKind.LIST_ITEM,
        BlockKind.TABLE,
        BlockKind.TABLE_ROW,
        BlockKind.CAPTION,
        BlockKind.CODE,
    )
)
RUNNING = frozenset(KIND_CODE[kind] for kind in FURNITURE)


class Surroundings:
    """Where the blocks of a document stand.

    Parameters
    ----------
    document : Document
    headings : int
        Most headings above a block that are its context, the nearest ones.
    """

    def __init__(self, document: Document, headings: int) -> None:
        columns = document.columns
        self._document = document
        self._headings = headings
        self._texts = document.texts
        self.kind: list[int] = columns.kind.tolist()
        self.parent: list[int] = columns.parent.tolist()
        self.table: list[int] = columns.table.tolist()
        self.is_header: list[int] = columns.is_header.tolist()
        self.rows: dict[int, list[int]] = {}
        for row, table in enumerate(self.table):
            if table != NONE:
                self.rows.setdefault(table, []).append(row)
        # Running lines stand between what belongs together.
        self._running = [block for block, kind in enumerate(self.kind) if kind not in RUNNING]
        self._place = {block: place for place, block in enumerate(self._running)}
        self._tables: list[float] = table_shares(document)[columns.home_page].tolist()
        self._paths: dict[int, tuple[int, ...]] = {NONE: ()}
        self._contexts: dict[tuple[int, int], str] = {}

    def table_share(self, block: int) -> float:
        """Return the share of tables on the block's page."""
        return self._tables[block]

    def path(self, block: int, most: int) -> tuple[int, ...]:
        """Return the nearest headings above a block, outermost first."""
        path = self._path(self.parent[block])
        return path[-most:] if most else ()

    def _path(self, heading: int) -> tuple[int, ...]:
        chain = []
        while heading not in self._paths:
            chain.append(heading)
            heading = self.parent[heading]
        path = self._paths[heading]
        for above in reversed(chain):
            path = self._paths[above] = (*path, above)
        return path

    def context(self, block: int) -> str:
        """Return the headings above a block, and what names the columns of a row."""
        table = NONE if self.is_header[block] else self.table[block]
        key = (self.parent[block], table)
        if key not in self._contexts:
            parts = [self._texts[heading] for heading in self.path(block, self._headings)]
            if table != NONE:
                parts += [self._texts[above] for above in (*self.caption(table), *self.header(table))]
            self._contexts[key] = "\n".join(dict.fromkeys(parts))
        return self._contexts[key]

    def header(self, table: int) -> tuple[int, ...]:
        """Return the header rows of a table, also over a page break."""
        return self._document.header_of(table)

    def caption(self, table: int) -> tuple[int, ...]:
        """Return the captions right above and right below a table."""
        rows = self.rows.get(table, [table])
        around = (self.neighbour(table, -1), self.neighbour(rows[-1], 1))
        return tuple(block for block in around if block is not None and self.kind[block] == CAPTION)

    def neighbour(self, block: int, step: int) -> int | None:
        """Return the block before (-1) or after (1) another one, running lines left out."""
        place = self._place.get(block)
        if place is None or not 0 <= place + step < len(self._running):
            return None
        return self._running[place + step]


def table_shares(document: Document) -> npt.NDArray[np.float32]:
    """Return for each page, by its 0-based number, the share of its tokens that are in table rows."""
    columns = document.columns
    pages = int(columns.home_page.max()) + 1 if len(columns) else 1
    tokens = np.bincount(columns.home_page, columns.tokens, minlength=pages)
    in_rows = np.bincount(columns.home_page, columns.tokens * (columns.kind == ROW), minlength=pages)
    return (in_rows / np.maximum(tokens, 1)).astype(np.float32)
