"""What a kept block needs to make sense: the headings above it, and for a table row its table and header rows."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..documents.blocks import KIND_CODE, BlockKind
from ..documents.columns import NONE

if TYPE_CHECKING:
    from ..documents import Document


class ContextLinks:
    """For each of the n blocks of a document, the blocks that are its context.

    Parameters
    ----------
    parent : list of int
        Id of the nearest heading above each block, or -1.
    table : list of int
        Id of each row's table, or -1.
    headers : dict of int to tuple of int
        For each table, the header rows that name the cells of its rows.
    is_header : list of bool
        Whether a row is itself a header row.
    """

    def __init__(
        self, parent: list[int], table: list[int], headers: dict[int, tuple[int, ...]], is_header: list[bool]
    ) -> None:
        self._parent = parent
        self._table = table
        self._headers = headers
        self._is_header = is_header

    @classmethod
    def of(cls, document: Document) -> ContextLinks:
        """Return the links of a document."""
        columns = document.columns
        rows = columns.kind == KIND_CODE[BlockKind.TABLE_ROW]
        table = np.where(rows, columns.table, NONE)
        headers = {found: document.header_of(found) for found in np.unique(table).tolist() if found != NONE}
        return cls(columns.parent.tolist(), table.tolist(), headers, (columns.is_header != 0).tolist())

    def __len__(self) -> int:
        return len(self._parent)

    @property
    def parents(self) -> tuple[int, ...]:
        """Id of the nearest heading above each block, or -1."""
        return tuple(self._parent)

    @property
    def tables(self) -> tuple[int, ...]:
        """Id of each row's table, or -1."""
        return tuple(self._table)

    @property
    def headers(self) -> Mapping[int, tuple[int, ...]]:
        """For each table, the header rows that name the cells of its rows."""
        return MappingProxyType(self._headers)

    def missing(self, block: int, inside: bytearray) -> list[int]:
        """Return the context of a block that is not inside yet, outermost heading first.

        A heading is never inside without those above it, so the walk up ends at the first one inside.
        """
        found: list[int] = []
        heading = self._parent[block]
        while heading != NONE and not inside[heading]:
            found.append(heading)
            heading = self._parent[heading]
        found.reverse()
        table = self._table[block]
        if table != NONE:
            if not inside[table]:
                found.append(table)
            if not self._is_header[block]:
                found.extend(row for row in self._headers.get(table, ()) if not inside[row] and row != block)
        return found

    def of_all(self, blocks: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """Return which of the n blocks are context of any of some blocks, whether they are among them or not."""
        needed = bytearray(len(self))
        for block in blocks.tolist():
            for context in self.missing(block, needed):
                needed[context] = 1
        return np.frombuffer(needed, np.uint8).astype(bool)
