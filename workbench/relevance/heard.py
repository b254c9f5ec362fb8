"""What is made once a document, and what each voice says of its blocks, before anything is weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .fusion import Layout
from .surroundings import table_shares

if TYPE_CHECKING:
    from ..documents import Document
    from .context import Passages
    from .embeddings import BlockEmbeddings
    from .lexical import LexicalIndex
    from .second_stage import Look

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Prepared:
    """What is made once a document."""

    passages: Passages
    index: LexicalIndex
    layout: Layout
    embeddings: BlockEmbeddings | None
    features: Mapping[str, Floats]
    """Empty where no combination weighs them."""


@dataclass(frozen=True, eq=False)
class EachUnit:
    """Units as blocks of their own: neighbours and pages are unions of units, not of blocks."""

    units: Sequence[str]

    @property
    def first(self) -> npt.NDArray[np.int32]:
        return np.arange(len(self.units) + 1, dtype=np.int32)

    @property
    def unit(self) -> npt.NDArray[np.int32]:
        return np.arange(len(self.units), dtype=np.int32)

    @property
    def own(self) -> Floats:
        return np.ones(len(self.units), np.float32)


@dataclass(frozen=True, eq=False)
class Heard:
    """What each voice says of the n blocks of a document, before a combination weighs it.

    Attributes
    ----------
    parts : mapping of str to ndarray of float32, shape (n,)
        Of the first stage; they add up to its logit.
    features : mapping of str to ndarray of float32, shape (n,)
        What each block is (``block_features``); empty where the scorer has no combination.
    look : Look or None
        What the second stage says of its candidates.
    lexical : ndarray of float32, shape (n,)
        BM25.
    cosines : list of ndarray of float32, shape (u,)
        Of the units, for the question and its parts.
    words_alone : bool
        Whether a scorer with a semantic model had to do without it.
    """

    parts: dict[str, Floats]
    features: Mapping[str, Floats]
    look: Look | None
    lexical: Floats
    cosines: list[Floats]
    words_alone: bool


def candidate_blocks(texts: Sequence[str], logits: Floats, count: int) -> npt.NDArray[np.intp]:
    """Return the blocks with text that score best, at most ``count``, the best first; ties in reading order."""
    has_text = np.array([bool(text.strip()) for text in texts], bool)
    order = np.argsort(-logits, kind="stable")
    chosen: npt.NDArray[np.intp] = order[has_text[order]][:count]
    return chosen


def layout_of(document: Document, known: Passages) -> Layout:
    """Return where the units stand: the page of each one's first block, and the share of tables on it."""
    page = np.zeros(len(known.units), np.int32)
    # Written from the last block to the first, so that a unit's first block has the last word.
    page[known.unit[::-1]] = document.columns.home_page[known.block_of[::-1]]
    return Layout(page, table_shares(document)[page])
