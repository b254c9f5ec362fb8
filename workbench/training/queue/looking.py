"""What a reading makes of the blocks that somebody could be asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...documents.blocks import KIND_CODE, BlockKind

if TYPE_CHECKING:
    from ...documents import Document
    from ...reading import Reading

LEAST_LETTERS = 3
"""A block with fewer letters and digits has nothing to be judged by."""
_TITLES = [KIND_CODE[kind] for kind in (BlockKind.HEADING, BlockKind.TOC_ENTRY, BlockKind.HEADER, BlockKind.FOOTER)]

Ids = npt.NDArray[np.intp]


def has_words(text: str) -> bool:
    """Whether a text has letters or digits enough to be judged.

    Examples
    --------
    >>> has_words("— 7 —"), has_words("$5 to $9")
    (False, True)
    """
    return sum(map(str.isalnum, text)) >= LEAST_LETTERS


def asked_about(document: Document) -> npt.NDArray[np.bool_]:
    """Return which blocks may be asked about, shape (blocks,): no titles, header rows, running lines, wordless ones."""
    readable = np.fromiter(map(has_words, document.texts), np.bool_, len(document))
    titles: npt.NDArray[np.bool_] = np.isin(document.columns.kind, _TITLES) | (document.columns.is_header != 0)
    found: npt.NDArray[np.bool_] = readable & ~titles
    return found


@dataclass(frozen=True, eq=False)
class Look:
    """A reading, and its blocks that somebody may be asked about.

    Attributes
    ----------
    reading : Reading
    """

    reading: Reading

    @cached_property
    def asked(self) -> Ids:
        """Ids of the blocks that may be asked about, in the order of the document."""
        return np.flatnonzero(asked_about(self.reading.document))

    @cached_property
    def rank(self) -> Ids:
        """1-based rank of each block by priority, shape (blocks,)."""
        order = np.lexsort((self.reading.basis.ties, -self.reading.priority))
        return _ranks(order)

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Which blocks the reading keeps, shape (blocks,)."""
        return self.reading.decision.kept

    def part_rank(self, name: str) -> Ids | None:
        """Return the 1-based rank of each block by a part of its logit; None without that part."""
        part = self.reading.scores.parts.get(name)
        return None if part is None else _ranks(np.argsort(-part, kind="stable"))

    def scores(self, block: int) -> Mapping[str, float]:
        """Return the numbers of a block, see ``QueueItem.scores``."""
        reading = self.reading
        found = {
            "relevance": float(reading.scores.relevance[block]),
            "logit": float(reading.scores.logits[block]),
            "weight": float(reading.structure.weights[block]),
            "priority": float(reading.priority[block]),
            "rank": float(self.rank[block]),
            "blocks": float(len(reading)),
        }
        if reading.threshold is not None:
            found |= {"threshold": float(reading.threshold + reading.offset), "margin": float(reading.margin[block])}
        return found


def _ranks(order: npt.NDArray[np.intp]) -> Ids:
    ranks = np.empty(len(order), np.intp)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks
