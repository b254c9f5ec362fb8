"""A document's blocks as arrays: what is stored, cached and moved between processes."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

NONE = -1
"""Stands for "no block" in the columns that hold block ids."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockColumns:
    """Blocks (n), their pieces (m) and the page starts (p), in reading order.

    Attributes
    ----------
    kind, level : ndarray of uint8, shape (n,)
        Index into ``KINDS``; heading level or list depth.
    parent : ndarray of int32, shape (n,)
        Id of the nearest heading above, or -1.
    table, continues : ndarray of int32, shape (n,)
        Of a row, its table; of a table, the one it continues; else -1.
    is_header : ndarray of uint8, shape (n,)
        1 for a header row.
    tokens : ndarray of int32, shape (n,)
    first_piece : ndarray of int32, shape (n + 1,)
        Pieces of block i are ``first_piece[i]:first_piece[i + 1]``.
    start, end : ndarray of int32, shape (m,)
        Slice of the text layer.
    joint : ndarray of uint8, shape (m,)
        Index into ``JOINTS``.
    column : ndarray of int16, shape (m,)
        Table column or -1.
    box : ndarray of float32, shape (m, 4) or (0, 4)
        x0, top, x1, bottom in points; empty without page geometry, nan where a piece has none.
    home_page : ndarray of int32, shape (n,)
        0-based page on which the block begins; needed for blocks without characters.
    """

    kind: Bytes
    level: Bytes
    parent: Ints
    table: Ints
    continues: Ints
    is_header: Bytes
    tokens: Ints
    first_piece: Ints
    start: Ints
    end: Ints
    joint: Bytes
    column: npt.NDArray[np.int16]
    box: Floats
    home_page: Ints

    def __len__(self) -> int:
        return len(self.kind)

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the arrays, in the order in which they are stored."""
        return [field.name for field in fields(cls)]
