"""At which cut each block of a document is kept, for its own sake or as context of another: for all cuts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..documents.blocks import FURNITURE, KIND_CODE
from ..reading.context import ContextLinks
from ..reading.selection import ranked

if TYPE_CHECKING:
    from ..documents import Document
    from .replay.block_table import RequestScores

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


class Places:
    """What each block of a document brings along, as arrays."""

    def __init__(self, document: Document) -> None:
        links = ContextLinks.of(document)
        header = document.columns.is_header != 0
        self.parent = np.array(links.parents, np.int64)
        table = np.array(links.tables, np.int64)
        self.furniture: Mask = np.isin(document.columns.kind, [KIND_CODE[kind] for kind in FURNITURE])
        self.row = np.flatnonzero(table >= 0)
        self.table_of_row = table[self.row]
        pairs = [
            (block, row) for block in self.row.tolist() if not header[block] for row in links.headers[table[block]]
        ]
        self.named, self.header = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))

    def entering(self, own: Floats, always: Mask) -> Floats:
        """Return the highest threshold at which each block is kept, for its own sake or as context of another.

        Parameters
        ----------
        own : ndarray of float64, shape (n,)
            At which it is kept for its own sake; -inf never.
        always : ndarray of bool, shape (n,)
            Whether it is kept in any case.
        """
        own = np.where(always, np.inf, own)
        found: Floats = own.copy()
        child = np.flatnonzero(self.parent >= 0)
        above = np.full(len(own), -np.inf)
        passed = own
        while child.size:
            before = above.copy()
            np.maximum.at(above, self.parent[child], passed[child])
            if (above == before).all():
                break
            passed = np.maximum(own, above)
        np.maximum(found, above, out=found)
        np.maximum.at(found, self.table_of_row, own[self.row])
        np.maximum.at(found, self.header, own[self.named])
        return found


def spent_before(one: RequestScores, places: Places, relevance: Floats, priority: Floats) -> Floats:
    """Return the tokens that a share has spent before it keeps each block: -inf if it is pinned, +inf never."""
    body = one.eligible & ~places.furniture
    worthy = (body if body.any() else one.eligible) & (relevance > 0)
    if one.nothing_relevant:
        worthy = np.zeros_like(worthy)
    ties = np.empty(len(one), np.intp)
    ties[np.argsort(-one.logits, kind="stable")] = np.arange(len(one))
    order = ranked(priority, ties)
    order = order[worthy[order]]
    rank = np.full(len(one), -np.inf)
    rank[order] = -np.arange(len(order), dtype=np.float64)
    entering = -places.entering(rank, np.zeros(len(one), bool))
    inside = np.isfinite(entering)
    ranks = entering[inside].astype(np.int64)
    costs = np.bincount(ranks, weights=one.tokens[inside].astype(np.float64), minlength=len(order))
    spent = np.concatenate([[0.0], np.cumsum(costs)])[:-1] if len(order) else np.zeros(0)
    found = np.full(len(one), np.inf)
    found[inside] = spent[ranks]
    always = places.entering(np.full(len(one), -np.inf), one.pinned)
    found[np.isposinf(always)] = -np.inf
    return found
