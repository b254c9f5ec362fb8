"""What became of a page, and why, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...documents.joining import FORMAT as JOINED
from ...documents.pages import PageStatus
from ...printing import printable
from ...reading.selection import Reason, Status
from ..said.line import is_order, line_of
from ..said.names import kinds_of_pages
from ..said.reasons import ranks_of
from ..wording import Say

if TYPE_CHECKING:
    from ...reading import Reading

_BY_COMPARISON = (Reason.UNDER_CUT, Reason.TIED, Reason.NO_ROOM)


class PageSentences:
    """Says of each page of a reading what became of it.

    Parameters
    ----------
    reading : Reading
    say : callable
        Words of the section "pages".
    """

    def __init__(self, reading: Reading, say: Say) -> None:
        self._reading, self._say = reading, say
        decision = reading.decision
        self._status, self._reason = decision.status, decision.reason
        self._line = line_of(reading)
        self._ranks = ranks_of(reading) if is_order(reading) else {}
        self._kinds = kinds_of_pages(reading.document)

    def of(self, page: int, blocks: Sequence[int]) -> str:
        """Return what became of a page (1-based) with these blocks on it.

        A page that is no text page can have blocks: the name of its file, in a folder.
        """
        names = self._names(page)
        status = self._reading.document.pages[page - 1].status
        if status is PageStatus.NO_TEXT:
            return self._say("no_text", **names)
        if status is PageStatus.UNREADABLE:
            return self._say("unreadable", **names)
        if not blocks:
            return self._say("blank" if status is PageStatus.BLANK else "no_block", **names)
        ids = np.asarray(blocks, np.intp)
        kept = ids[self._status[ids] != Status.SKIPPED]
        if not len(kept):
            return self._say("skipped", n=len(ids), why=self._why_skipped(ids), **names)
        said = (
            self._say("all_kept", n=len(ids), **names)
            if len(kept) == len(ids)
            else self._say("some_kept", n=len(kept), total=len(ids), **names)
        )
        return self._say("sentences").join((said, *self._why_kept(kept)))

    def _why_kept(self, kept: np.ndarray[tuple[int], np.dtype[np.intp]]) -> list[str]:
        status = self._status[kept]
        pinned, context = int((status == Status.PINNED).sum()), int((status == Status.CONTEXT).sum())
        by_match = kept[status == Status.KEPT]
        if not len(by_match):
            first = "kept.pinned" if pinned else "kept.context"
            said = [self._say(first, n=pinned or context)]
            return said + ([self._say("also.context", n=context)] if pinned and context else [])
        if self._reading.focus is not None:
            said = [self._say("kept.in_focus")]
        else:
            said = [self._of_best("kept", int(by_match[self._reading.priority[by_match].argmax()]), len(kept))]
        also = (("also.pinned", pinned), ("also.context", context))
        return said + [self._say(key, n=count) for key, count in also if count]

    def _why_skipped(self, ids: np.ndarray[tuple[int], np.dtype[np.intp]]) -> str:
        reasons, count = self._reason[ids], len(ids)
        if (reasons == Reason.PINNED_NO_ROOM).any():
            return self._say("why.pinned_no_room", n=count)
        judged = ids[np.isin(reasons, _BY_COMPARISON)]
        if not len(judged) or self._line is None:
            # Running lines say nothing of the page; only where there is nothing else, they are the reason.
            body = reasons[reasons != Reason.RUNNING_LINE]
            reason = Reason(int(body[0] if len(body) else Reason.RUNNING_LINE))
            return self._say(f"why.{reason.name.lower()}", n=count)
        block = int(judged[self._reading.priority[judged].argmax()])
        reason = Reason(int(self._reason[block]))
        if self._reading.focus is not None:
            return self._say(f"why.{reason.name.lower()}.focus", n=count)
        if self._ranks:
            return self._say(f"why.{reason.name.lower()}.rank", n=count, **self._rank(block))
        if reason is Reason.UNDER_CUT:
            return self._of_best("why.under_cut", block, count)
        return self._say(f"why.{reason.name.lower()}", n=count)

    def _of_best(self, key: str, block: int, count: int) -> str:
        """Compare the best of some blocks with the line; the rules are named where they put it on its side of that."""
        if self._ranks:
            return self._say(f"{key}.rank", n=count, **self._rank(block))
        assert self._line is not None
        match, counts = float(self._reading.scores.relevance[block]), float(self._reading.priority[block])
        shown_match, line = self._line.against(match)
        if (match >= self._line.value) == (counts >= self._line.value):
            return self._say(key, n=count, best=shown_match, line=line)
        best, line = self._line.against(counts)
        return self._say(f"{key}.weighed", n=count, match=shown_match, best=best, line=line)

    def _rank(self, block: int) -> dict[str, int]:
        return {"rank": self._ranks[block], "total": len(self._ranks), "last": self._reading.decision.passed}

    def _names(self, page: int) -> dict[str, str]:
        """Return what a page is called within a sentence, and at its beginning."""
        document = self._reading.document
        place = self._say(self._kinds[page - 1], n=page)
        label = document.pages[page - 1].label
        if document.format == JOINED and label:
            place = self._say("labelled", place=place, label=printable(label))
        return {"place": place, "Place": place[:1].upper() + place[1:]}
