"""What a reader of a reading must be told, a sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..documents.pages import PageStatus
from ..printing import counted
from ..relevance.scores import Scale
from .basis import Basis
from .cuts import Cut, TokenShare
from .decision import Bound, Decision
from .selection import Reason, Status

if TYPE_CHECKING:
    from ..documents import Document

MOST_IDS = 20
"""Block ids in one list."""


def nothing_found(basis: Basis, decision: Decision) -> str:
    """Return why no block was kept by its score, or "" where one passes the cut."""
    if decision.passed or decision.focus is not None:
        return ""
    if not basis.has_text.any():
        return without_text(basis.document)
    best = f"the best relevance is {basis.scores.relevance.max():.2f} ({basis.scores.scale.value})"
    if decision.threshold is None:
        # Uncalibrated relevance is measured from the best block, so the best one says nothing about the document.
        if basis.nothing_relevant and basis.scores.presence is not None:
            best = f"the presence of evidence is {basis.scores.presence:.2f}"
        return f"Nothing relevant: the scorer sees no evidence in any block; {best}."
    priority = f"the best priority {basis.priority.max():.2f}"
    cut = f"the threshold {decision.threshold:g}{f' {decision.offset:+g}' if decision.offset else ''}"
    return f"Nothing relevant: {best}, {priority}, and {cut}."


def no_room(decision: Decision, budget_tokens: int | None) -> str:
    """Return that a budget had no room for any block, or "" where it had."""
    if budget_tokens is None or decision.kept.any() or not decision.refused:
        return ""
    blocks = counted(len(decision.refused), "block")
    return f"The budget of {counted(budget_tokens, 'token')} has no room for any of the {blocks} that passed the cut."


def without_text(document: Document) -> str:
    """Return that a document has nothing to read, and why as far as its pages tell."""
    scans = sum(page.status is PageStatus.NO_TEXT for page in document.pages)
    unreadable = sum(page.status is PageStatus.UNREADABLE for page in document.pages)
    if scans:
        pages = counted(scans, "page")
        return f"The document has no text: {pages} without a text layer, as in a scan; it needs OCR first."
    if unreadable:
        return f"The document has no text that can be read: {counted(unreadable, 'page')} with an illegible text layer."
    return "The document has no text."


def decision_notes(basis: Basis, cut: Cut, decision: Decision, budget_tokens: int | None) -> list[str]:
    """Return what must be known of the cut and the budget."""
    notes = [] if decision.focus is not None else _cut_notes(basis, cut, decision)
    return notes + _budget_notes(decision, budget_tokens)


def _cut_notes(basis: Basis, cut: Cut, decision: Decision) -> list[str]:
    notes = []
    nothing = nothing_found(basis, decision)
    if nothing:
        notes.append(nothing)
    if isinstance(cut, TokenShare):
        if basis.scores.scale is Scale.UNCALIBRATED:
            notes.append(f"The scores are uncalibrated, so the cut is a share of the tokens: {cut}.")
        notes += _share_notes(basis, cut, decision)
    elif cut.scale is Scale.UNCALIBRATED:
        notes.append(f"The {cut} is a position in this reading only: it means nothing on another document.")
    return notes


def _share_notes(basis: Basis, cut: TokenShare, decision: Decision) -> list[str]:
    total = int(basis.tokens.sum())
    if 0 < total <= cut.min_tokens and decision.kept[basis.body].all():
        return [
            f"The document has {total:,} tokens, not more than the {cut.min_tokens:,} that are kept in any case, "
            "so all of it is kept."
        ]
    tied = int((decision.reason == Reason.TIED).sum())
    if tied:
        return [
            f"{counted(tied, 'skipped block')} {'have' if tied > 1 else 'has'} the same priority as the last one kept; "
            "those that stand first in the document were kept."
        ]
    return []


def _budget_notes(decision: Decision, budget_tokens: int | None) -> list[str]:
    if budget_tokens is None or decision.bound is not Bound.BUDGET:
        return []
    notes = []
    pins = np.flatnonzero(decision.reason == Reason.PINNED_NO_ROOM).tolist()
    others = int(((decision.reason == Reason.NO_ROOM) & (decision.status == Status.SKIPPED)).sum())
    if pins:
        budget = counted(budget_tokens, "token")
        notes.append(f"The budget of {budget} had no room for {_blocks(pins)}, which a rule pins.")
    if others:
        notes.append(
            f"The budget of {counted(budget_tokens, 'token')} left out {counted(others, 'block')} that passed the cut."
        )
    return notes


def _blocks(ids: list[int]) -> str:
    shown = ", ".join(map(str, ids[:MOST_IDS]))
    more = f" and {len(ids) - MOST_IDS:,} more" if len(ids) > MOST_IDS else ""
    return f"block{'s' if len(ids) > 1 else ''} {shown}{more}"
