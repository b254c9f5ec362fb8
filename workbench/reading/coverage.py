"""How much of a document was read, in one line: what a reader of the kept text must know first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ..documents.pages import PageStatus
from ..printing import printable
from .decision import Decision
from .selection import Reason, Status

if TYPE_CHECKING:
    from ..documents import Document

MOST_RANGES = 8
"""Ranges of page numbers in one list; a scan with every other page empty must not fill a budget."""

_PAGES = {
    PageStatus.TEXT: "read",
    PageStatus.NO_TEXT: "without text",
    PageStatus.UNREADABLE: "unreadable",
    PageStatus.BLANK: "blank",
}
_SKIPPED = {
    Reason.UNDER_CUT: "by score",
    Reason.TIED: "by score",
    Reason.NO_TEXT: "by score",
    Reason.NO_EVIDENCE: "by score",
    Reason.NOTHING_RELEVANT: "by score",
    Reason.NO_ROOM: "by budget",
    Reason.PINNED_NO_ROOM: "by budget",
    Reason.RUNNING_LINE: "as running lines",
    Reason.OUT_OF_FOCUS: "outside the focus",
}


def coverage_line(document: Document, decision: Decision) -> str:
    """Return pages read and without text, blocks kept and skipped and why, and tokens, with the file's name."""
    parts = [pages_read(document), _kept(decision), *_skipped(decision)]
    tokens = f"{int(decision.costs[decision.kept].sum()):,} of {int(decision.tokens.sum()):,} tokens"
    return f"[{printable(document.name)}: {'; '.join([*parts, tokens])}]"


def longest_coverage_line(document: Document, decision: Decision, *, pinned: bool) -> str:
    """Return a line that no coverage line of the same document exceeds, whatever its cut.

    A budget is checked with it, so that what fits does not depend on what was skipped, and why.

    Parameters
    ----------
    document : Document
    decision : Decision
        Before anything is kept.
    pinned : bool
        Whether any block is pinned.
    """
    count, tokens = f"{len(document):,}", f"{int(decision.tokens.sum()):,}"
    never = {Reason.OUT_OF_FOCUS} if decision.focus is None else set(_SKIPPED) - {Reason.OUT_OF_FOCUS, Reason.NO_ROOM}
    if not (decision.reason == Reason.RUNNING_LINE).any():
        never.add(Reason.RUNNING_LINE)
    skipped = [f"{count} skipped {words}" for words in dict.fromkeys(_SKIPPED[r] for r in _SKIPPED if r not in never)]
    kept = f"{count} of {count} blocks kept{f' ({count} pinned)' if pinned else ''} + {count} for context"
    parts = [pages_read(document), kept, *skipped, f"{tokens} of {tokens} tokens"]
    return f"[{printable(document.name)}: {'; '.join(parts)}]"


def pages_read(document: Document) -> str:
    """Return how many pages have text, and which have none.

    Blank pages hide nothing, so they are counted but not listed.
    """
    numbers: dict[PageStatus, list[int]] = {status: [] for status in _PAGES}
    for page in document.pages:
        numbers[page.status].append(page.number)
    read = len(numbers.pop(PageStatus.TEXT))
    parts = [f"{read:,} page{'s' if read != 1 else ''} read"]
    for status, found in numbers.items():
        if found:
            listed = f" ({page_ranges(found)})" if status is not PageStatus.BLANK else ""
            parts.append(f"{len(found):,} {_PAGES[status]}{listed}")
    return ", ".join(parts)


def pages_not_read(document: Document) -> list[str]:
    """Return a sentence for each kind of page that has something on it and no text."""
    notes = []
    for status, words in ((PageStatus.NO_TEXT, "without a text layer"), (PageStatus.UNREADABLE, "unreadable")):
        found = [page.number for page in document.pages if page.status is status]
        if found:
            were = "were" if len(found) > 1 else "was"
            notes.append(
                f"{len(found):,} of {len(document.pages):,} pages {were} {words}, and not read: {page_ranges(found)}."
            )
    return notes


def page_ranges(numbers: list[int]) -> str:
    """Return rising numbers as ranges.

    Examples
    --------
    >>> page_ranges([3, 7, 8, 9])
    '3, 7-9'
    >>> page_ranges(list(range(1, 40, 2)))
    '1, 3, 5, 7, 9, 11, 13, 15 and 12 more'
    """
    shown, more = first_ranges(numbers)
    return f"{shown} and {more} more" if more else shown


def first_ranges(numbers: list[int]) -> tuple[str, int]:
    """Return the first ``MOST_RANGES`` ranges of rising numbers as text, and how many numbers are left out.

    Examples
    --------
    >>> first_ranges([3, 7, 8, 9])
    ('3, 7-9', 0)
    """
    ranges = list(ranges_of(numbers))
    shown = ", ".join(f"{low}-{high}" if high > low else f"{low}" for low, high in ranges[:MOST_RANGES])
    return shown, sum(high - low + 1 for low, high in ranges[MOST_RANGES:])


def ranges_of(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each unbroken run of numbers.

    Examples
    --------
    >>> list(ranges_of([3, 4, 5, 9]))
    [(3, 5), (9, 9)]
    """
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        yield found[0], found[-1]


def _kept(decision: Decision) -> str:
    counts = np.bincount(decision.status, minlength=len(Status))
    kept = int(counts[Status.KEPT] + counts[Status.PINNED])
    context = int(counts[Status.CONTEXT])
    pinned = f" ({counts[Status.PINNED]:,} pinned)" if counts[Status.PINNED] else ""
    extra = f" + {context:,} for context" if context else ""
    return f"{kept:,} of {len(decision.status):,} blocks kept{pinned}{extra}"


def _skipped(decision: Decision) -> list[str]:
    codes = decision.reason[decision.status == Status.SKIPPED]
    counts: Counter[str] = Counter()
    for reason, words in _SKIPPED.items():
        counts[words] += int((codes == reason).sum())
    return [f"{count:,} skipped {words}" for words, count in counts.items() if count]
