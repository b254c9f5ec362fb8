"""How a reading was decided, in sentences: where the line was drawn, on which scale, by which rules, and how near."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ...documents.blocks import KINDS
from ...printing import shortened
from ...reading.cuts import Threshold, TokenShare
from ...reading.decision import Bound
from ...reading.selection import Reason, Status
from ...relevance.scores import Scale
from ..contents import DecisionSaid
from ..wording import Say
from .coverage import is_readable
from .gate import gate_said
from .line import Line, exactly, is_order, level, line_of
from .names import kinds_of_pages, type_name
from .notes import notes_told, notes_verbatim
from .numbers import listed, share, with_minus
from .profile import block_promise
from .reasons import ranks_of
from .rules import rules_said

if TYPE_CHECKING:
    from ...gate.gate import GateDecision
    from ...gate.profile import GateProfile
    from ...reading import Reading

NEAR = 5
"""Skipped blocks that are marked as near."""
_TOLD = 3
"""Of those, so many are told."""
_EXCERPT = 60
_NOT_BY_CUT = (Reason.RUNNING_LINE, Reason.NO_TEXT, Reason.NO_EVIDENCE, Reason.NOTHING_RELEVANT, Reason.OUT_OF_FOCUS)
"""What no looser cut would keep."""


def decision_said(
    reading: Reading, say: Say, *, profile: GateProfile | None = None, gate: GateDecision | None = None
) -> DecisionSaid:
    """Return how a reading was decided.

    Parameters
    ----------
    reading : Reading
    say : callable
        Words of the section "contents".
    profile : GateProfile, optional
        The profile that the reader came from.
    gate : GateDecision, optional
    """
    return DecisionSaid(
        cut=say("sentences").join(_cut(reading, say, profile)),
        scale=_scale(reading, say, profile),
        rules=rules_said(reading, say),
        rule_table=reading.structure.table if reading.structure.rules else "",
        follow_up=reading.focus is not None,
        gate=None if gate is None else gate_said(gate, say),
        near=_near(reading, say),
        told=notes_told(reading, say),
        notes=notes_verbatim(reading),
    )


def near_ids(reading: Reading) -> tuple[int, ...]:
    """Return the skipped blocks that a looser cut, or a larger budget, would keep first; at most five."""
    codes, text = reading.decision.reason, reading.basis.has_text
    possible = text & ~np.isin(codes, _NOT_BY_CUT)
    order = reading.skipped.top(len(reading))
    return tuple(islice((block for block in order if possible[block]), NEAR))


def _cut(reading: Reading, say: Say, profile: GateProfile | None) -> list[str]:
    if not is_readable(reading.document):
        return [say("cut.no_text")]
    if reading.focus is not None:
        return [say("cut.focus"), *_budget(reading, say)]
    drawn = _threshold(reading, say) if isinstance(reading.cut, Threshold) else _share(reading, say)
    return [*drawn, _origin(reading, say, profile), *_budget(reading, say)]


def _threshold(reading: Reading, say: Say) -> list[str]:
    found, offset = reading.decision.threshold or 0.0, reading.offset
    line = line_of(reading)
    said = [say("cut.threshold", line="" if line is None else line.text)]
    if offset:
        kind = type_name(reading.document.document_type.value, say)
        said.append(say("cut.offset", threshold=exactly(found), offset=with_minus(f"{offset:+.3g}"), kind=kind))
    if reading.scores.scale is Scale.UNCALIBRATED:
        said.append(say("cut.threshold.uncalibrated"))
    return said


def _share(reading: Reading, say: Say) -> list[str]:
    cut = reading.cut
    assert isinstance(cut, TokenShare)
    total, line = int(reading.decision.tokens.sum()), line_of(reading)
    would = _mood(reading)
    if is_small(reading):
        return [say("cut.share.none" if line is None else f"cut.share.all{would}", total=total, least=cut.min_tokens)]
    limit = say("tokens", n=int(cut.limit(total)))
    by_least = cut.min_tokens > cut.share * total
    key = "cut.share.least" if by_least else "cut.share"
    said = [say(f"{key}{would}", share=share(cut.share), limit=limit, total=total)]
    return [*said, say("cut.share.none") if line is None else _line_words(reading, line, say)]


def _line_words(reading: Reading, line: Line, say: Say) -> str:
    would = _mood(reading)
    if is_order(reading):
        return say(f"cut.share.rank{would}", last=reading.decision.passed, total=len(ranks_of(reading)))
    return say(f"cut.share.line{would}", line=line.text)


def _mood(reading: Reading) -> str:
    """What a budget cut short did not happen; it would have."""
    return ".would" if reading.bound is Bound.BUDGET else ""


def is_small(reading: Reading) -> bool:
    """Whether a document has no more tokens than a cut by their share keeps in any case."""
    return isinstance(reading.cut, TokenShare) and int(reading.decision.tokens.sum()) <= reading.cut.min_tokens


def _origin(reading: Reading, say: Say, profile: GateProfile | None) -> str:
    """Who drew the line, and what stands behind it."""
    cut = reading.cut
    if profile is None:
        return say("cut.by_nobody" if isinstance(cut, Threshold) else "cut.share.by_nobody")
    given = profile.block.cut
    if isinstance(cut, TokenShare):
        if given.kind == "token share" and (given.share, given.min_tokens) == (cut.share, cut.min_tokens):
            return say("cut.share.by_profile", profile=profile.name)
        return say("cut.by_hand", profile=profile.name)
    if given.kind != "threshold" or given.value != cut.value:
        return say("cut.by_hand", profile=profile.name)
    if given.recall_floor is None:
        fitted = say("cut.by_profile", profile=profile.name)
    else:
        fitted = say("cut.by_profile.recall", profile=profile.name, recall=share(given.recall_floor))
    return say("sentences").join((fitted, block_promise(profile, say)))


def _budget(reading: Reading, say: Say) -> list[str]:
    if reading.budget_tokens is None:
        return []
    said = [say("cut.budget", n=reading.budget_tokens)]
    left_out = len(reading.decision.refused)
    if reading.bound is not Bound.BUDGET:
        return [*said, say("cut.budget.enough")]
    return [*said, say("cut.budget.ended", n=left_out)]


def _scale(reading: Reading, say: Say, profile: GateProfile | None) -> str:
    scores = reading.scores
    if scores.scale is Scale.UNCALIBRATED:
        return say("scale.uncalibrated")
    maps = profile.calibration if profile is not None else None
    if maps is None or maps.fingerprint != scores.calibration:
        return say("scale.calibrated")
    found = maps.map_for(reading.document.document_type.value, words_alone=scores.words_alone)
    if found is None or not found.documents:
        return say("scale.calibrated")
    return say("scale.calibrated.on", blocks=found.blocks, n=found.documents)


def _near(reading: Reading, say: Say) -> str:
    found = near_ids(reading)[:_TOLD]
    if not found:
        text = reading.basis.has_text
        skipped = bool((text & (reading.status == Status.SKIPPED)).any())
        return say("near.none" if skipped else "near.nothing_skipped")
    columns, texts = reading.document.columns, reading.document.texts
    ranks = ranks_of(reading) if is_order(reading) else {}
    paged = len(reading.document.pages) > 1
    key = "near.block" if paged else "near.block.here"
    kinds = enumerate(kinds_of_pages(reading.document), 1)
    places = [say(f"place.{kind}", n=number) if paged else "" for number, kind in kinds]
    told = [
        say(
            key,
            text=shortened(texts[block], _EXCERPT),
            kind=say(f"kind.{KINDS[columns.kind[block]].value}"),
            place=places[columns.home_page[block]],
            priority=say("near.rank", rank=ranks[block]) if ranks else level(float(reading.priority[block])),
        )
        for block in found
    ]
    budget = reading.bound is Bound.BUDGET
    return say("near.budget" if budget else "near.cut", blocks=listed(told, say))
