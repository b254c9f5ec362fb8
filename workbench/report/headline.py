"""What a reader must know first: at most four sentences, what the quality is known by, and how much was read."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from ..documents.columns import NONE
from ..documents.pages import OUT_OF_TIME, PageStatus
from ..gate.margin import Route
from ..printing import shortened
from ..reading.coverage import page_ranges
from ..reading.cuts import Threshold
from ..reading.decision import Bound
from ..reading.selection import Reason
from .decisions import is_small
from .gate_said import why_native
from .line import line_of
from .numbers import listed, share
from .profile_said import measured_quality
from .templates import percent
from .wording import Say

if TYPE_CHECKING:
    from ..documents import Document
    from ..gate.gate import GateDecision
    from ..gate.profile import GateProfile
    from ..reading import Reading
    from .contents import AnswersSaid, SavingFacts

_CUT_SHORT = ("truncated", OUT_OF_TIME, "too_many")
"""Warnings of a document that was not read to its end."""
_SECTIONS, _TITLE = 3, 50
"""Skipped sections that are named, and the longest of their titles."""
_PAGED = 2
"""Pages from which on it says something on how many of them a block is kept."""


def headline_of(reading: Reading, saving: SavingFacts, say: Say, *, gate: GateDecision | None) -> tuple[str, ...]:
    """Return what was kept, what was skipped, why, and what that saves; at most four sentences.

    Parameters
    ----------
    reading : Reading
    saving : SavingFacts
    say : callable
        Words of the section "contents".
    gate : GateDecision or None
        Under the route native nothing is saved; the first sentence says so, and the others what would have been.
    """
    if not saving.blocks_total:
        return (_without_text(reading.document, say), say("head.no_text.then"))
    if gate is not None and gate.route is Route.NATIVE:
        native = say("head.native", why=why_native(gate, say))
        return (
            native,
            _kept(saving, say, ".would"),
            _skipped(reading, saving, say, ".would"),
            _why(reading, saving, say),
        )
    said = (_kept(saving, say), _skipped(reading, saving, say), _why(reading, saving, say))
    return (*said, _saves(saving, say, gate))


def quality_of(
    reading: Reading,
    say: Say,
    *,
    answers: AnswersSaid | None = None,
    gold: Collection[int] = (),
    profile: GateProfile | None = None,
) -> str:
    """Return how the quality of a reading is known: the best that there is, or that nobody has measured it."""
    said = []
    if answers is not None and not (answers.whole.failed or answers.kept.failed):
        said.append(say("quality.answers", model=answers.model, verdict=answers.verdict))
    text = reading.basis.has_text
    marked = [block for block in sorted(set(gold)) if 0 <= block < len(reading) and text[block]]
    if marked:
        kept = int(np.count_nonzero(reading.decision.kept[marked]))
        key = "quality.gold.all" if kept == len(marked) else "quality.gold"
        said.append(say(key, n=len(marked), kept=kept))
    if not said and profile is not None:
        said.append(measured_quality(profile, say))
    return say("sentences").join(filter(None, said)) or say("quality.none")


def coverage_of(document: Document, say: Say) -> str:
    """Return how many pages were read, and which have something on them and no text."""
    numbers = {status: [page.number for page in document.pages if page.status is status] for status in PageStatus}
    total, read = len(document.pages), len(numbers[PageStatus.TEXT])
    cut_short = any(warning.code in _CUT_SHORT for warning in document.warnings)
    if not total or total == read:
        return say("coverage.cut_short.all" if cut_short else "coverage.all", n=total)
    parts = [say("coverage.read", n=read)]
    for status, key in ((PageStatus.NO_TEXT, "no_text"), (PageStatus.UNREADABLE, "unreadable")):
        if numbers[status]:
            parts.append(say(f"coverage.{key}", n=len(numbers[status]), pages=_pages(numbers[status], say)))
    if numbers[PageStatus.BLANK]:
        parts.append(say("coverage.blank", n=len(numbers[PageStatus.BLANK])))
    pages = say("coverage", pages=say("pages", n=total), parts=say("list.comma").join(parts))
    return say("sentences").join([say("coverage.cut_short"), pages]) if cut_short else pages


def pages_not_read(document: Document) -> tuple[int, ...]:
    """Return the pages with something on them and no text, 1-based."""
    lost = (PageStatus.NO_TEXT, PageStatus.UNREADABLE)
    return tuple(page.number for page in document.pages if page.status in lost)


def _pages(numbers: list[int], say: Say) -> str:
    shown, _, more = page_ranges(numbers).partition(" and ")
    return say("pages.more", pages=shown, n=int(more.split()[0])) if more else shown


def _without_text(document: Document, say: Say) -> str:
    scans = sum(page.status is PageStatus.NO_TEXT for page in document.pages)
    unreadable = sum(page.status is PageStatus.UNREADABLE for page in document.pages)
    if scans:
        return say("head.scan", pages=say("pages", n=scans), n=scans)
    return say("head.unreadable", pages=say("pages", n=unreadable), n=unreadable) if unreadable else say("head.no_text")


def _kept(saving: SavingFacts, say: Say, mood: str = "") -> str:
    if not saving.blocks_kept:
        return say(f"head.kept.none{mood}", n=saving.blocks_total)
    if saving.blocks_kept == saving.blocks_total:
        return say(f"head.kept.all{mood}", n=saving.blocks_total)
    where = "" if saving.pages_total < _PAGED else say("head.on", n=saving.pages_total, touched=saving.pages_touched)
    return say(
        f"head.kept{mood}", n=saving.blocks_kept, kept=saving.blocks_kept, total=saving.blocks_total, where=where
    )


def _skipped(reading: Reading, saving: SavingFacts, say: Say, mood: str = "") -> str:
    count = saving.blocks_total - saving.blocks_kept
    if not count:
        return say(f"head.skipped.none{mood}")
    if not saving.blocks_kept:
        return say(f"head.skipped.all{mood}", n=count)
    said = say(f"head.skipped{mood}", n=count)
    titles = [] if mood else [say("quoted", text=shortened(title, _TITLE)) for title in _largest(reading)]
    if not titles:
        return say("head.skipped.plain", said=said)
    return say("head.skipped.in", n=len(titles), said=said, sections=listed(titles, say))


def _largest(reading: Reading) -> list[str]:
    """Return the titles of the skipped sections with the most tokens, those under no heading left out."""
    parents, running = reading.document.columns.parent, reading.basis.running_line
    headed = [
        section
        for section in reading.skipped
        if not running[section.block_ids[0]] and (len(section.titles) > 1 or parents[section.block_ids[-1]] != NONE)
    ]
    headed.sort(key=lambda section: -section.tokens)
    return [section.titles[-1] for section in headed[:_SECTIONS]]


def _why(reading: Reading, saving: SavingFacts, say: Say) -> str:
    line = line_of(reading)
    if reading.focus is not None:
        return say("head.why.focus")
    if line is None:
        return say("head.why.nothing")
    pinned = ".pinned" if (reading.decision.reason == Reason.PINNED).any() else ""
    if not reading.decision.passed:
        best, at = line.against(float(reading.priority[reading.basis.has_text].max()))
        return say(f"head.why.none_reaches{pinned}", best=best, line=at)
    if reading.bound is Bound.BUDGET:
        return say(
            "head.why.budget" if saving.blocks_kept else "head.why.no_room", n=reading.budget_tokens, line=line.text
        )
    if is_small(reading):
        every = ".all" if saving.blocks_kept == saving.blocks_total else ""
        return say(f"head.why.small{every}", total=saving.tokens_total)
    if isinstance(reading.cut, Threshold):
        every = ".all" if saving.blocks_kept == saving.blocks_total else pinned
        return say(f"head.why.threshold{every}", line=line.text)
    least = reading.cut.min_tokens > reading.cut.share * saving.tokens_total
    held = (
        say("tokens.held", n=reading.cut.min_tokens)
        if least
        else say("share_of_tokens", share=share(reading.cut.share))
    )
    return say(f"head.why.share{pinned}", held=held)


def _saves(saving: SavingFacts, say: Say, gate: GateDecision | None) -> str:
    if not saving.blocks_kept:
        return say("head.saves.empty", n=saving.rendered)
    saved = saving.tokens_total - saving.rendered
    if saved <= 0:
        return say("head.saves.nothing", rendered=saving.rendered, total=saving.tokens_total)
    key = "head.saves.advisory" if gate is not None and gate.route is Route.ADVISORY else "head.saves"
    return say(key, rendered=saving.rendered, total=saving.tokens_total, share=percent(saving.share_skipped))
