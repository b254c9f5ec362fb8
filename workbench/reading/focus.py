"""Which sentences of which blocks a follow-up keeps.

Every sentence has a voice: its own BM25 and, with half weight, that of the sentences beside it, plus the voice of its
block, both as standard scores. The best sentences are taken while there is room. A table row, a line of code or a form
field counts as one sentence.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..documents.blocks import FURNITURE, KIND_CODE, BlockKind
from ..documents.columns import NONE
from ..documents.sentences import sentence_starts
from .context import ContextLinks
from .decision import Focus
from .rendering import BREAK, GAP
from .tokenizers import Tokenizer

if TYPE_CHECKING:
    from ..documents import Document

BLOCK_WEIGHT = 2.0
"""Weight of a block's standard score, where that of its sentence has 1."""
NEIGHBOUR_WEIGHT = 0.5
"""Share of the BM25 of the sentences beside it that a sentence has as well."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

_WITHOUT_FOCUS = [KIND_CODE[kind] for kind in (*FURNITURE, BlockKind.HEADING, BlockKind.TABLE)]
_CODE = KIND_CODE[BlockKind.CODE]
_WHOLE = frozenset(KIND_CODE[kind] for kind in (BlockKind.TABLE_ROW, BlockKind.FORM_FIELD, BlockKind.TOC_ENTRY))


@dataclass(frozen=True, eq=False)
class Sentences:
    """The m sentences of some blocks, in the order of the document.

    Attributes
    ----------
    block, start, end : ndarray of intp, shape (m,)
        ``document.texts[block][start:end]`` is the sentence, without white space around it.
    texts : tuple of str
    """

    block: Ints
    start: Ints
    end: Ints
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    @classmethod
    def of(cls, document: Document, blocks: Sequence[int]) -> Sentences:
        """Return the sentences of blocks, which are given in the order of the document."""
        rows: list[tuple[int, int, int]] = []
        kinds = document.columns.kind
        for block in blocks:
            text = document.texts[block]
            for low, high in itertools.pairwise([0, *_starts(text, int(kinds[block])), len(text)]):
                said = text[low:high]
                if said.strip():
                    begin = low + len(said) - len(said.lstrip())
                    rows.append((block, begin, low + len(said.rstrip())))
        found = np.array(rows, np.intp).reshape(len(rows), 3)
        texts = tuple(document.texts[block][start:end] for block, start, end in rows)
        return cls(found[:, 0], found[:, 1], found[:, 2], texts)


def _starts(text: str, kind: int) -> list[int]:
    if kind in _WHOLE:
        return []
    if kind == _CODE:
        return [at + 1 for at, char in enumerate(text[:-1]) if char == "\n"]
    return sentence_starts(text)


def can_be_in_focus(document: Document) -> npt.NDArray[np.bool_]:
    """Return which blocks have sentences: no headings and header rows, which come with others, and no running lines."""
    columns = document.columns
    text = (columns.first_piece[1:] > columns.first_piece[:-1]) & (columns.is_header == 0)
    found: npt.NDArray[np.bool_] = text & ~np.isin(columns.kind, _WITHOUT_FOCUS)
    return found


def contexts_of(document: Document, sentences: Sentences) -> list[str]:
    """Return the header rows above each table row; "" for other sentences, because headings count with their blocks."""
    tables = document.columns.table
    above: dict[int, str] = {NONE: ""}
    for table in np.unique(tables[sentences.block]).tolist():
        if table != NONE:
            above[table] = "\n".join(document.texts[row] for row in document.header_of(table))
    return [above[table] for table in tables[sentences.block].tolist()]


def standard(values: npt.NDArray[np.floating], among: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Return values less their mean, in standard deviations, both taken over some of them; zeros where all are equal.

    Examples
    --------
    >>> standard(np.array([1.0, 3.0])).tolist(), standard(np.array([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    wide = np.asarray(values, np.float64)
    base = wide if among is None else wide[among]
    spread = float(base.std()) if len(base) else 0.0
    return (wide - base.mean()) / spread if spread > 0 else np.zeros(len(wide))


def with_neighbours(values: npt.NDArray[np.floating], block: Ints) -> Floats:
    """Return the value of each sentence plus a share of those beside it in the same block."""
    wide = np.asarray(values, np.float64)
    total = wide.copy()
    together = block[1:] == block[:-1]
    total[1:] += NEIGHBOUR_WEIGHT * wide[:-1] * together
    total[:-1] += NEIGHBOUR_WEIGHT * wide[1:] * together
    return total


def ranked_sentences(
    sentences: Sentences, lexical: npt.NDArray[np.floating], block_voices: Floats, *, hits_only: bool
) -> list[int]:
    """Return the ranks of the sentences from the best to the worst, ties in the order of the document.

    Parameters
    ----------
    sentences : Sentences
    lexical : ndarray, shape (m,)
        BM25 of each sentence.
    block_voices : ndarray of float64, shape (n,)
        Of all blocks of the document, in standard deviations.
    hits_only : bool
        Leave out sentences that have no word of the question, nor one beside them, unless that leaves none.
    """
    if not len(sentences):
        return []
    near = with_neighbours(lexical, sentences.block)
    voices = with_neighbours(standard(lexical), sentences.block) + BLOCK_WEIGHT * block_voices[sentences.block]
    order = np.argsort(-voices, kind="stable")
    if hits_only and (near > 0).any():
        order = order[near[order] > 0]
    found: list[int] = order.tolist()
    return found


@dataclass(frozen=True, eq=False)
class Room:
    """What a follow-up may cost.

    Attributes
    ----------
    tokens : int
        Most tokens, with headings and marks.
    fixed : int
        Tokens of the coverage line.
    per_block : int
        Most sentences of one block.
    """

    tokens: int
    fixed: int
    per_block: int


def chosen_sentences(
    sentences: Sentences,
    order: Sequence[int],
    room: Room,
    *,
    tokenizer: Tokenizer,
    links: ContextLinks,
    block_tokens: npt.NDArray[np.int64],
) -> list[int]:
    """Return the ranks of the best sentences that there is room for, the best first.

    A sentence brings the headings of its block with it, and a mark if it stands apart. What does not fit is passed
    over.
    """
    costs = tokenizer.count(sentences.texts).tolist()
    last = len(block_tokens)
    anchor, gap = tokenizer.count([f"{BREAK}{GAP}\n[p{last} #{last}]\n", f" {GAP} "]).tolist()
    inside = bytearray(len(block_tokens))
    taken: list[int] = []
    per_block: Counter[int] = Counter()
    left = room.tokens - room.fixed
    for rank in order:
        block = int(sentences.block[rank])
        if per_block[block] >= room.per_block:
            continue
        above = [other for other in links.missing(block, inside) if not inside[other]]
        cost = costs[rank] + (gap if per_block[block] else anchor)
        cost += sum(int(block_tokens[other]) + 1 for other in above)
        if cost > left:
            continue
        left -= cost
        taken.append(rank)
        per_block[block] += 1
        for other in (*above, block):
            inside[other] = 1
    return taken


def focus_of(document: Document, sentences: Sentences, taken: Sequence[int]) -> Focus:
    """Return the ranges of sentences, by block; those with nothing but white space between them are one range."""
    focus: dict[int, list[tuple[int, int]]] = {}
    for rank in sorted(taken):
        block, start, end = (int(column[rank]) for column in (sentences.block, sentences.start, sentences.end))
        ranges = focus.setdefault(block, [])
        if ranges and not document.texts[block][ranges[-1][1] : start].strip():
            start = ranges.pop()[0]
        ranges.append((start, end))
    return {block: tuple(ranges) for block, ranges in focus.items()}
