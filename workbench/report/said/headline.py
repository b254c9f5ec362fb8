"""What a reader must know first: at most four sentences, and what the quality is known by."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from ...documents.columns import NONE
from ...documents.pages import PageStatus
from ...gate.margin import Route
from ...printing import shortened
from ...reading.cuts import Threshold
from ...reading.decision import Bound
from ...reading.selection import Reason
from ..templates import percent
from ..wording import Say
from .coverage import is_readable, pages_not_read
from .decisions import is_small
from .gate import why_native
from .line import line_of
from .names import unit_of
from .numbers import listed, share
from .profile import measured_quality

if TYPE_CHECKING:
    from ...documents import Document
    from ...gate.gate import GateDecision
    from ...gate.profile import GateProfile
    from ...reading import Reading
    from ..contents import AnswersSaid, SavingFacts

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
    if not is_readable(reading.document):
        then = "head.no_text.then" if pages_not_read(reading.document) else "head.blank.then"
        return _without_text(reading.document, say, stamp=saving.blocks_total > 0), say(then)
    if gate is not None and gate.route is Route.NATIVE:
        native = say("head.native", why=why_native(gate, say, numbers=False))
        return native, _kept(reading, saving, say, ".would"), _skipped(reading, saving, say, ".would")
    said = (_kept(reading, saving, say), _skipped(reading, saving, say), _why(reading, saving, say))
    return (*said, _saves(saving, say, gate))


def quality_of(
    reading: Reading,
    say: Say,
    *,
    answers: AnswersSaid | None = None,
    gold: Collection[int] = (),
    profile: GateProfile | None = None,
    gate: GateDecision | None = None,
) -> str:
    """Return how the quality of a reading is known: the best that there is, or that nobody has measured it."""
    said = []
    if answers is not None and not (answers.whole.failed or answers.kept.failed):
        said.append(say("quality.answers", model=answers.model, verdict=answers.verdict))
    if gate is not None and gate.route is Route.NATIVE:
        whole = "quality.native.unread" if pages_not_read(reading.document) else "quality.native"
        return say("sentences").join(said) or say(whole)
    text = reading.basis.has_text
    marked = [block for block in sorted(set(gold)) if 0 <= block < len(reading) and text[block]]
    if marked:
        kept = int(np.count_nonzero(reading.decision.kept[marked]))
        key = "quality.gold.all" if kept == len(marked) else "quality.gold"
        said.append(say(key, n=len(marked), kept=kept))
    if not said and profile is not None:
        said.append(measured_quality(profile, say))
    return say("sentences").join(filter(None, said)) or say("quality.none")


def _without_text(document: Document, say: Say, *, stamp: bool) -> str:
    scans = sum(page.status is PageStatus.NO_TEXT for page in document.pages)
    unreadable = sum(page.status is PageStatus.UNREADABLE for page in document.pages)
    if scans:
        return say("head.scan.stamp" if stamp else "head.scan", pages=say("units.page", n=scans), n=scans)
    if unreadable:
        return say("head.unreadable", pages=say("units.page", n=unreadable), n=unreadable)
    return say("head.no_text")


def _kept(reading: Reading, saving: SavingFacts, say: Say, mood: str = "") -> str:
    if not saving.blocks_kept:
        return say(f"head.kept.none{mood}", n=saving.blocks_total)
    if saving.blocks_kept == saving.blocks_total:
        return say(f"head.kept.all{mood}", n=saving.blocks_total)
    where = ""
    if saving.pages_total >= _PAGED:
        where = say(f"head.on.{unit_of(reading.document)}", n=saving.pages_total, touched=saving.pages_touched)
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
    titles = [] if mood else [say("quoted", text=_beginning(title)) for title in _largest(reading)]
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


def _beginning(title: str) -> str:
    """Shorten a title behind a word; one without spaces, such as a Chinese one, behind any character."""
    short = shortened(title.rstrip(" .:;,") or title, _TITLE)
    words, _, last = short.rpartition(" ")
    return f"{words}…" if short.endswith("…") and len(words) > _TITLE // 2 and last != "…" else short


def _why(reading: Reading, saving: SavingFacts, say: Say) -> str:
    line = line_of(reading)
    rules = say("head.rules") if (reading.structure.weights != 1.0).any() else ""
    if reading.focus is not None:
        return say("head.why.focus")
    if line is None:
        return say("head.why.nothing")
    pinned = ".pinned" if (reading.decision.reason == Reason.PINNED).any() else ""
    if not reading.decision.passed:
        best, at = line.against(float(reading.priority[reading.basis.has_text].max()))
        return say(f"head.why.none_reaches{pinned}", best=best, line=at)
    if reading.bound is Bound.BUDGET:
        key = f"head.why.budget{pinned}" if saving.blocks_kept else "head.why.no_room"
        return say(key, n=reading.budget_tokens, rules=rules)
    every = ".all" if saving.blocks_kept == saving.blocks_total else pinned
    if is_small(reading):
        return say(f"head.why.small{every}", total=saving.tokens_total)
    if isinstance(reading.cut, Threshold):
        return say(f"head.why.threshold{every}", line=line.text, rules=rules)
    least = reading.cut.min_tokens > reading.cut.share * saving.tokens_total
    held = (
        say("tokens.held", n=reading.cut.min_tokens)
        if least
        else say("share_of_tokens", share=share(reading.cut.share))
    )
    return say(f"head.why.share{every}", held=held, rules=rules)


def _saves(saving: SavingFacts, say: Say, gate: GateDecision | None) -> str:
    if not saving.blocks_kept:
        return say("head.saves.empty", n=saving.rendered)
    saved = saving.tokens_total - saving.rendered
    if saved <= 0:
        return say("head.saves.nothing", rendered=saving.rendered, total=saving.tokens_total)
    key = "head.saves.advisory" if gate is not None and gate.route is Route.ADVISORY else "head.saves"
    return say(key, rendered=saving.rendered, total=saving.tokens_total, share=percent(saving.share_skipped))
