"""What must be known of a reading, in the report's language as far as it is made of codes and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...reading.coverage import pages_not_read
from ...reading.cuts import Threshold
from ...reading.decision import Bound
from ...reading.notes import decision_notes, nothing_found
from ...reading.selection import Reason, Status
from ...relevance.scores import Scale
from ..wording import Say
from .coverage import coverage_of

if TYPE_CHECKING:
    from ...reading import Reading

_TOLD_BY_PAGES = ("no_text", "unreadable")
"""Warnings of a document that its coverage tells as well."""


def notes_told(reading: Reading, say: Say) -> tuple[str, ...]:
    """Return what must be known of cut, budget and pages, in the report's language."""
    said = [] if reading.focus is not None else _of_cut(reading, say)
    said += _of_budget(reading, say)
    if pages_not_read(reading.document):
        said.append(coverage_of(reading.document, say))
    return tuple(said)


def notes_verbatim(reading: Reading) -> tuple[str, ...]:
    """Return what must be known beside, in the words of the scorer, the rules and the document, which are English."""
    decided = decision_notes(reading.basis, reading.cut, reading.decision, reading.budget_tokens)
    told = {*decided, *pages_not_read(reading.document)} - {nothing_found(reading.basis, reading.decision)}
    warnings = [str(found) for found in reading.document.warnings if found.code not in _TOLD_BY_PAGES]
    return tuple(dict.fromkeys(note for note in (*reading.notes, *warnings) if note not in told))


def _of_cut(reading: Reading, say: Say) -> list[str]:
    uncalibrated = reading.scores.scale is Scale.UNCALIBRATED
    if isinstance(reading.cut, Threshold):
        return [say("note.position")] if uncalibrated else []
    said = [say("note.share")] if uncalibrated else []
    tied = int(np.count_nonzero(reading.decision.reason == Reason.TIED))
    return [*said, say("note.tied", n=tied)] if tied else said


def _of_budget(reading: Reading, say: Say) -> list[str]:
    if reading.bound is not Bound.BUDGET:
        return []
    reason, skipped = reading.decision.reason, reading.status == Status.SKIPPED
    counts = {
        "note.budget.pinned": int(np.count_nonzero(reason == Reason.PINNED_NO_ROOM)),
        "note.budget": int(np.count_nonzero((reason == Reason.NO_ROOM) & skipped)),
    }
    return [say(key, n=count, budget=reading.budget_tokens) for key, count in counts.items() if count]
