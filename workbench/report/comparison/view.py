"""The document as both sides read it: section by section, what only one of them keeps and why the other does not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from ...documents.blocks import KINDS
from ...reading.coverage import ranges_of
from ...reading.rendering import Run, anchor_of
from ...reading.selection import Mask, Status
from ..said.reasons import Reasons
from ..wording import Say, saying
from .contents import ChangedBlock, LossSaid, SectionBeside, SharedRun
from .sides import RUNNING, Sides

SHOWN = 24
"""Changed blocks of one section that are shown; the others are counted and named."""
LOST = 5
"""Lost blocks of a side that are shown first; marked evidence is always shown."""


class BesideView:
    """Makes what the page shows of the blocks.

    Parameters
    ----------
    sides : Sides
    language : str
    say : Say
        Words of the section "comparison".
    """

    def __init__(self, sides: Sides, language: str, say: Say) -> None:
        self._sides = sides
        self._gold = sides.gold[0] | sides.gold[1]
        self._say = say
        self._reasons = [Reasons(reading, saying("contents", language)) for reading in sides.both_readings]
        self._changed = sides.only_left | sides.only_right

    def losses(self) -> tuple[LossSaid, LossSaid]:
        """Return what the left and what the right side loses against the other."""
        return self._loss(0, self._sides.only_right), self._loss(1, self._sides.only_left)

    def _loss(self, side: int, mask: Mask) -> LossSaid:
        """What a side (0 or 1) skips and the other keeps; what is evidence for the other alone is no loss of it."""
        lost, gold = np.flatnonzero(mask).tolist(), self._sides.gold[side]
        marked = sum(block in gold for block in lost)
        mood = ".would" if self._sides.whole[side] else ""
        words = {"name": self._sides.names[side], "other": self._sides.names[1 - side]}
        if not lost:
            return LossSaid(self._say(f"loss.nothing{mood}", **words), (), "")
        key = "loss.marked" if marked else "loss.unmarked" if gold else "loss.unknown"
        sentence = self._say(f"{key}{mood}", n=marked or len(lost), **words)
        shown = sorted(lost, key=partial(self._rank, gold))[: max(LOST, marked)]
        rest = len(lost) - len(shown)
        return LossSaid(sentence, tuple(map(self._block, shown)), self._say("loss.more", n=rest) if rest else "")

    def sections(self) -> tuple[SectionBeside | SharedRun, ...]:
        """Return the whole document: sections in which something changes, and runs of those in which nothing does."""
        homes = dict.fromkeys(self._sides.home.tolist())
        blocks = {home: np.flatnonzero(self._sides.home == home).tolist() for home in homes}
        parts: list[SectionBeside | SharedRun] = []
        for changes, group in groupby(homes, key=lambda home: bool(self._changed[blocks[home]].any())):
            if changes:
                parts += [self._section(home, blocks[home]) for home in group]
            else:
                quiet = list(group)
                parts.append(self._run([block for home in quiet for block in blocks[home]], sections=len(quiet)))
        return tuple(parts)

    def _section(self, home: int, blocks: list[int]) -> SectionBeside:
        changed = [block for block in blocks if self._changed[block]]
        shown = set(sorted(changed, key=partial(self._rank, self._gold))[:SHOWN])
        hidden = [block for block in changed if block not in shown]
        pages = self._sides.left.document.columns.home_page[blocks] + 1
        first, last = int(pages.min()), int(pages.max())
        return SectionBeside(
            titles=self.titles(home),
            pages=self._say("page", first=first) if first == last else self._say("pages", first=first, last=last),
            summary=self._tally(changed),
            rows=tuple(self._rows(blocks, shown)),
            more=self._say("more", n=len(hidden), tally=self._tally(hidden), ids=_ranges(hidden)) if hidden else "",
            hidden=tuple(hidden),
        )

    def titles(self, home: int) -> tuple[str, ...]:
        """Return the headings of a section, outermost first, or words for what stands under none."""
        if home < 0:
            return (self._say("section.running" if home == RUNNING else "section.none"),)
        document = self._sides.left.document
        return tuple(document.texts[above] for above in (*document.section_of(home), home))

    def _rows(self, blocks: list[int], shown: set[int]) -> Iterator[ChangedBlock | SharedRun]:
        left = (block for block in blocks if block in shown or not self._changed[block])
        for changes, group in groupby(left, key=lambda block: block in shown):
            if changes:
                yield from map(self._block, group)
            else:
                yield self._run(list(group))

    def _block(self, block: int) -> ChangedBlock:
        sides, document = self._sides, self._sides.left.document
        keeper = 0 if sides.only_left[block] else 1
        page = int(document.columns.home_page[block]) + 1
        left, right = (reasons.of(block) for reasons in self._reasons)
        return ChangedBlock(
            block_id=block,
            page=page,
            anchor=anchor_of(Run(page, [block], gap=False)),
            kind=self._say(f"kind.{KINDS[document.columns.kind[block]].value}"),
            text=document.texts[block],
            tokens=int(sides.costs[keeper][block]),
            keeper="right" if keeper else "left",
            reasons=(left, right),
            relevance=float(sides.both_readings[keeper].scores.relevance[block]),
            gold=(block in sides.gold[0], block in sides.gold[1]),
        )

    def _rank(self, gold: Collection[int], block: int) -> tuple[bool, bool, float, int]:
        """Evidence first, then the most relevant to the side that keeps it; context only after what needs it."""
        keeper = self._sides.left if self._sides.only_left[block] else self._sides.right
        context = int(keeper.status[block]) == Status.CONTEXT
        return block not in gold, context, -float(keeper.scores.relevance[block]), block

    def _run(self, blocks: list[int], sections: int = 0) -> SharedRun:
        document, both = self._sides.left.document, self._sides.both
        kept = [block for block in blocks if both[block]]
        tokens = self._sides.tokens_of(np.isin(np.arange(len(both)), kept))
        said = self._tally_shared(len(kept), tokens, int(self._sides.text[blocks].sum()) - len(kept))
        texts = tuple(
            (anchor_of(Run(int(document.columns.home_page[block]) + 1, [block], gap=False)), document.texts[block])
            for block in kept
        )
        return SharedRun(self._say("quiet", n=sections, said=said).strip() if sections else said, texts, tuple(blocks))

    def _tally_shared(self, kept: int, tokens: int, skipped: int) -> str:
        if not kept:
            return self._say("shared.skipped", n=skipped) if skipped else ""
        words = self._say("shared.kept", n=kept, tokens=tokens)
        return words + (self._say("shared.and_skipped", n=skipped) if skipped else self._say("stop"))

    def _tally(self, changed: Sequence[int]) -> str:
        """How many blocks and tokens of some only each side keeps."""
        parts = []
        for side, (mask, name) in enumerate(
            zip((self._sides.only_left, self._sides.only_right), self._sides.names, strict=True)
        ):
            mine = [block for block in changed if mask[block]]
            if mine:
                tokens = int(self._sides.costs[side][mine].sum())
                parts.append(self._say("tally", n=len(mine), name=name, tokens=tokens))
        return self._say("comma").join(parts)


def _ranges(blocks: Sequence[int]) -> str:
    """Ids in a short form.

    Examples
    --------
    >>> _ranges([3, 4, 5, 9])
    '#3-5, #9'
    """
    return ", ".join(f"#{first}-{last}" if last > first else f"#{first}" for first, last in ranges_of(blocks))
