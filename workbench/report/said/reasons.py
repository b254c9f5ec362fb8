"""Why each block was kept or skipped, and why a section was skipped as a whole: one plain sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...documents.blocks import KIND_CODE, BlockKind
from ...documents.columns import NONE
from ...reading.selection import Reason, Status, ranked
from ..wording import Say
from .line import is_order, level, line_of
from .names import kinds_of_pages
from .rules import Weighing

if TYPE_CHECKING:
    from ...reading import Reading

_BOTH = 2


class Reasons:
    """The reasons of one reading, in the words of a language; made once, asked for each block.

    Parameters
    ----------
    reading : Reading
    say : callable
        Words of the section "contents".
    """

    def __init__(self, reading: Reading, say: Say) -> None:
        self._reading, self._say = reading, say
        decision, basis = reading.decision, reading.basis
        self._codes = decision.reason.tolist()
        self._relevance = reading.scores.relevance.tolist()
        self._priority = reading.priority.tolist()
        self._pages = reading.document.columns.home_page.tolist()
        self._kinds = kinds_of_pages(reading.document)
        self._weighing = Weighing(reading.structure, say)
        self._needed_by = _needed_by(reading)
        self._line = line_of(reading)
        self._paged = len(reading.document.pages) > 1
        lowered = np.zeros(len(basis.document), bool)
        if self._line is not None:
            lowered = (reading.scores.relevance >= self._line.value) & (reading.priority < self._line.value)
        self._lowered = lowered.tolist()
        self._ranks = ranks_of(reading) if is_order(reading) else {}

    def of(self, block: int) -> str:
        """Return why one block was kept or skipped."""
        reason = Reason(self._codes[block])
        said = self._of(block, reason)
        if block in self._reading.basis.feedback and reason in (Reason.UNDER_CUT, Reason.OVER_CUT, Reason.TIED):
            return self._say("sentences").join((said, self._say("reason.feedback")))
        return said

    def of_part(self, blocks: Sequence[int]) -> str:
        """Return why skipped blocks of one section were: their most frequent reason, and the best of them."""
        counts = Counter(self._codes[block] for block in blocks)
        code, count = counts.most_common(1)[0]
        those = [block for block in blocks if self._codes[block] == code]
        reason, total = Reason(code), len(blocks)
        every = "part.both" if total == _BOTH else "part.all"
        who = self._say(every if count == total else "part.most", n=count, total=total)
        key = f"part.{reason.name.lower()}"
        if reason is Reason.NO_ROOM and self._reading.focus is not None:
            key = "part.no_room.focus"
        if reason is not Reason.UNDER_CUT or self._line is None:
            return self._say(key, n=count, who=who)
        best = max(those, key=self._priority.__getitem__)
        where = self._say("part.on_page", place=self._place(best)) if self._paged else ""
        if self._ranks:
            best_rank = min(self._ranks[block] for block in those)
            said = self._say(f"{key}.rank", n=count, who=who, where=where, rank=best_rank, **self._order)
        else:
            shown, line, short = self._line.short_of(self._priority[best])
            said = self._say(key, n=count, who=who, where=where, best=shown, line=line, short=short)
        lowered = [block for block in those if self._lowered[block]]
        if not lowered:
            return said
        rule = Counter(self._weighing.damping(block) for block in lowered).most_common(1)[0][0]
        return self._say("sentences").join((said, self._say("part.lowered", n=len(lowered), rule=rule)))

    def _place(self, block: int) -> str:
        page = self._pages[block]
        return self._say(f"place.{self._kinds[page]}", n=page + 1)

    def _of(self, block: int, reason: Reason) -> str:
        if reason in (Reason.UNDER_CUT, Reason.OVER_CUT):
            return self._by_line(block, kept=reason is Reason.OVER_CUT)
        if reason is Reason.TIED and not self._ranks:
            return self._say("reason.tied", priority=level(self._priority[block]))
        if reason is Reason.TIED:
            return self._say("reason.under.rank", rank=self._ranks[block], **self._order)
        if reason is Reason.PINNED:
            return self._say("reason.pinned", rule=self._weighing.pin(block))
        if reason in (Reason.NO_ROOM, Reason.PINNED_NO_ROOM):
            return self._without_room(block, reason)
        if reason is Reason.CONTEXT:
            return self._as_context(block)
        if reason is Reason.IN_FOCUS:
            return self._say("reason.in_focus", n=len((self._reading.focus or {})[block]))
        return self._say(f"reason.{reason.name.lower()}")

    def _by_line(self, block: int, *, kept: bool) -> str:
        """Compare with the line; where rules weigh the block, also say what it would have been without them."""
        assert self._line is not None
        relevance, priority, line = self._relevance[block], self._priority[block], self._line.value
        match, shown_line = self._line.against(relevance)
        side = "over" if kept else "under"
        if self._ranks:
            said = self._say(f"reason.{side}.rank", rank=self._ranks[block], **self._order)
            if kept == (relevance >= line):
                return said
            why = self._say(f"reason.{side}.rank.turned", weighing=self._weighing.of(block))
            return self._say("sentences").join((said, why))
        if priority == relevance or priority > relevance >= line:
            return self._say(f"reason.{side}", match=match, line=shown_line)
        if kept == (relevance < line):
            key = f"reason.{side}.turned"
        else:
            key = "reason.under.raised" if priority > relevance else f"reason.{side}.weighed"
        counts, shown_line = self._line.against(priority)
        weighing = self._weighing.of(block)
        return self._say(key, match=match, line=shown_line, weighing=weighing, priority=counts)

    @property
    def _order(self) -> dict[str, int]:
        """How many blocks can be kept by a share, and how many of them pass."""
        return {"total": len(self._ranks), "last": self._reading.decision.passed}

    def _without_room(self, block: int, reason: Reason) -> str:
        needed, left = self._reading.decision.refused[block]
        if reason is Reason.PINNED_NO_ROOM:
            rule = self._weighing.pin(block)
            return self._say("reason.pinned_no_room", rule=rule, needed=needed, left=left)
        if self._reading.focus is not None:
            return self._say("reason.no_room.focus", needed=needed, left=left)
        assert self._line is not None
        if self._ranks:
            return self._say("reason.no_room.rank", rank=self._ranks[block], needed=needed, left=left, **self._order)
        priority, line = self._line.against(self._priority[block])
        return self._say("reason.no_room", priority=priority, line=line, needed=needed, left=left)

    def _as_context(self, block: int) -> str:
        kind = self._reading.document.columns.kind[block]
        needed = f"#{self._needed_by.get(block, block)}"
        if kind == KIND_CODE[BlockKind.HEADING]:
            return self._say("reason.context.heading", block=needed)
        if kind == KIND_CODE[BlockKind.TABLE_ROW]:
            return self._say("reason.context.header", block=needed)
        return self._say("reason.context", block=needed)


def ranks_of(reading: Reading) -> dict[int, int]:
    """Return the rank, from 1, of each block on which a share of the tokens may be spent."""
    order = ranked(reading.priority, reading.basis.ties)
    order = order[reading.basis.worth_a_share[order]]
    return {block: rank for rank, block in enumerate(order.tolist(), 1)}


def _needed_by(reading: Reading) -> dict[int, int]:
    """Return for each context block the first kept block that it is context of."""
    links = reading.basis.links
    parents, tables, headers = links.parents, links.tables, links.headers
    found: dict[int, int] = {}
    chosen = np.flatnonzero((reading.status == Status.KEPT) | (reading.status == Status.PINNED))
    for block in chosen.tolist():
        heading = parents[block]
        while heading != NONE and heading not in found:
            found[heading] = block
            heading = parents[heading]
        table = tables[block]
        if table != NONE:
            for needed in (table, *headers.get(table, ())):
                found.setdefault(needed, block)
    return found
