"""The outline of a document: its headings with page and size, the widest first where not all of them fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...documents.blocks import KIND_CODE, BlockKind
from .lines import inert, spread, tokens_of, within

if TYPE_CHECKING:
    from ...documents import Document

Ids = npt.NDArray[np.intp]
COLLECTION = "collection"
"""Format of a document that was joined from the files of a folder or archive."""
TITLE_CHARS = 90
SAMPLE_CHARS = 110
_LABEL_CHARS = 30
_LINE = 12
"""Tokens of a usual line: where the search for how many fit begins."""
_SHRINK = 0.9
_RUNNING_TEXT = np.isin(
    np.arange(256),
    [KIND_CODE[kind] for kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CODE, BlockKind.FORM_FIELD)],
)
"""By code of the kind: whether a block shows what a section says."""


def headings_of(document: Document) -> Ids:
    """Return the ids of the headings with text, in order."""
    return np.flatnonzero((document.columns.kind == KIND_CODE[BlockKind.HEADING]) & (document.columns.tokens > 0))


def section_ends(document: Document, headings: Ids) -> Ids:
    """Return for each heading the block before which its section ends: the next heading of its level or above."""
    levels = document.columns.level[headings]
    ends = np.full(len(headings), len(document.columns), np.intp)
    for level in np.unique(levels).tolist():
        own = levels == level
        higher = headings[levels <= level]
        after = np.searchsorted(higher, headings[own], side="right")
        ends[own] = np.append(higher, len(document.columns))[after]
    return ends


class Outline:
    """Headings of a document that can be shown in as many lines as fit.

    Parameters
    ----------
    document : Document
    without : int
        Level that is left out, because an inventory shows it; 0 for none.
    """

    def __init__(self, document: Document, without: int = 0) -> None:
        self._document = document
        columns = document.columns
        headings = headings_of(document)
        before = np.concatenate([[0], np.cumsum(columns.tokens, dtype=np.int64)])
        ends = section_ends(document, headings)
        wanted = columns.level[headings] != without
        self.headings = headings[wanted]
        self._tokens = (before[ends] - before[headings])[wanted]
        self._levels = columns.level[self.headings]
        self._top = int(self._levels.min()) if len(self._levels) else 1

    def __len__(self) -> int:
        return len(self.headings)

    def lines(self, budget: int) -> list[str]:
        """Return as many headings as fit, by level, then with the first words of as many sections as still fit."""
        most = budget // _LINE
        while True:
            chosen = self._chosen(most)
            plain = [within(self._line(rank)) for rank in chosen]
            total = sum(tokens_of(plain))
            if total <= budget or not chosen:
                break
            most = min(len(chosen) - 1, int(len(chosen) * _SHRINK * budget / total))
        return self._with_samples(chosen, plain, budget - total)

    def _with_samples(self, chosen: list[int], plain: list[str], budget: int) -> list[str]:
        most = min(len(chosen), budget // _LINE)
        while most > 0:
            sampled = set(self._chosen(most))
            lines = [
                within(f"{line}: {sample}") if rank in sampled and (sample := self._sample(rank)) else line
                for rank, line in zip(chosen, plain, strict=True)
            ]
            over = sum(tokens_of(lines)) - sum(tokens_of(plain))
            if over <= budget:
                return lines
            most = min(most - 1, int(most * _SHRINK * budget / over))
        return plain

    def _chosen(self, most: int) -> list[int]:
        """Return the ranks of at most ``most`` headings: all of one level before any of the next.

        Of the level that does not fit whole, one half are the longest sections, the other is spread over the rest.
        """
        chosen: list[int] = []
        for level in np.unique(self._levels).tolist():
            ranks = np.flatnonzero(self._levels == level)
            free = max(0, most - len(chosen))
            if len(ranks) >= free:
                longest = ranks[np.argsort(-self._tokens[ranks], kind="stable")[: free // 2]]
                others = np.setdiff1d(ranks, longest)
                chosen.extend([*longest.tolist(), *others[spread(len(others), free - len(longest))].tolist()])
                break
            chosen.extend(ranks.tolist())
        return sorted(chosen)

    def _line(self, rank: int) -> str:
        heading = int(self.headings[rank])
        title = inert(self._document.texts[heading], TITLE_CHARS)
        place = place_of(self._document, heading)
        indent = "  " * (int(self._levels[rank]) - self._top)
        return f"{indent}{title} ({place}{int(self._tokens[rank]):,} tokens)"

    def _sample(self, rank: int) -> str:
        """Return the first words under a heading, before the next one."""
        kinds = self._document.columns.kind
        first = int(self.headings[rank]) + 1
        for block in range(first, min(first + 4, len(kinds))):
            if kinds[block] == KIND_CODE[BlockKind.HEADING]:
                break
            if _RUNNING_TEXT[kinds[block]]:
                return inert(self._document.texts[block], SAMPLE_CHARS)
        return ""


def place_of(document: Document, block: int) -> str:
    """Return the page of a block as "p. 3, ", with the label that the document gives it; "" for a single page.

    In a collection the label is the file's name, which the inventory shows.
    """
    if len(document.pages) < 2:
        return ""
    page = document.pages[int(document.columns.home_page[block])]
    label = "" if document.format == COLLECTION else inert(page.label, _LABEL_CHARS)
    return f"p. {page.number} {label}, " if label and label != str(page.number) else f"p. {page.number}, "


def sample_lines(document: Document, budget: int) -> list[str]:
    """Return the beginnings of blocks spread over a document that has no headings."""
    blocks = np.flatnonzero(_RUNNING_TEXT[document.columns.kind] & (document.columns.tokens > 0))
    most = budget // (2 * _LINE)
    while most > 0:
        shown = blocks[spread(len(blocks), most)].tolist()
        lines = [within(f"{place_of(document, block)}{inert(document.texts[block], SAMPLE_CHARS)}") for block in shown]
        total = sum(tokens_of(lines))
        if total <= budget:
            return lines
        most = min(len(shown) - 1, int(len(shown) * _SHRINK * budget / total))
    return []
