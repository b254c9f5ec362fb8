"""From numbers to a decision about every block: first the cut, then the budget, both re-done without scoring again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from ..errors import InvalidOption
from ..relevance.scores import Scale
from .basis import Basis
from .coverage import coverage_line, longest_coverage_line
from .cuts import Cut, Threshold, check_scale
from .decision import Bound, Decision, Focus
from .notes import no_room, nothing_found
from .rendering import BREAK, GAP, Rendering, Run, anchor_of, render
from .selection import (
    Overhead,
    Passing,
    Reason,
    Status,
    over_threshold,
    ranked,
    statuses,
    take,
    within_share,
)


def decide(basis: Basis, cut: Cut, *, budget_tokens: int | None = None, focus: Focus | None = None) -> Decision:
    """Decide which blocks are kept.

    Parameters
    ----------
    basis : Basis
    cut : Threshold or TokenShare
    budget_tokens : int, optional
        Most tokens of the kept text as rendered.
    focus : mapping, optional
        Keep these ranges of these blocks and their context, and nothing else: neither score nor pin speaks.

    Raises
    ------
    ScaleMismatch
        If a threshold is meant for another scale than the scores have.
    """
    check_scale(cut, basis.scores.scale)
    checked = None if focus is None else _checked_focus(basis, focus)
    passing = passing_of(basis, cut)
    wanted = _wanted(basis, passing, checked)
    draft = _draft(basis, cut, passing, checked)
    if budget_tokens is None:
        return _decided(basis, draft, wanted, {})
    return _within_budget(basis, draft, wanted, budget_tokens)


def rendered(basis: Basis, decision: Decision, budget_tokens: int | None) -> Rendering:
    """Render a decision; the words that nothing was kept give way to a budget, the last of them the coverage line."""
    head = _head(basis, decision, budget_tokens)
    if budget_tokens is None or decision.kept.any():
        return render(basis.document, decision, head)
    for words in (head, coverage_line(basis.document, decision)):
        if _count(basis, words) <= budget_tokens:
            return Rendering(words)
    return Rendering("")


def _head(basis: Basis, decision: Decision, budget_tokens: int | None) -> str:
    """What stands above the kept blocks."""
    sentence = nothing_found(basis, decision) or no_room(decision, budget_tokens)
    return "\n".join(filter(None, (coverage_line(basis.document, decision), sentence)))


def passing_of(basis: Basis, cut: Cut) -> Passing:
    """Return the blocks that pass a cut by their priority."""
    if isinstance(cut, Threshold):
        return over_threshold(basis.priority, cut.value + _offset(basis, cut), basis.has_text, ties=basis.ties)
    if basis.nothing_relevant:
        return Passing(np.zeros(0, np.intp), None)
    limit = cut.limit(int(basis.tokens.sum()))
    return within_share(
        basis.priority,
        limit,
        tokens=basis.tokens,
        eligible=basis.worth_a_share,
        links=basis.links,
        ties=basis.ties,
    )


def _offset(basis: Basis, cut: Cut) -> float:
    """An offset belongs to calibrated scores: what has no scale cannot be moved by a type."""
    return basis.offset if isinstance(cut, Threshold) and basis.scores.scale is Scale.CALIBRATED else 0.0


def _wanted(basis: Basis, passing: Passing, focus: Focus | None) -> list[int]:
    """Ids of what would be kept if there were room for all, the most wanted first."""
    order = ranked(basis.priority, basis.ties)
    if focus is not None:
        return [block for block in order.tolist() if block in focus]
    pinned = order[basis.structure.pinned[order]]
    return [*pinned.tolist(), *passing.order[~basis.structure.pinned[passing.order]].tolist()]


def _draft(basis: Basis, cut: Cut, passing: Passing, focus: Focus | None) -> Decision:
    """The decision before anything is kept: why each block is skipped unless it is."""
    count = len(basis.document)
    reason = np.full(count, Reason.UNDER_CUT, np.uint8)
    if not isinstance(cut, Threshold):
        over = np.zeros(count, bool)
        over[passing.order] = True
        if passing.threshold is not None:
            reason[~over & (basis.priority >= passing.threshold)] = Reason.TIED
            reason[basis.scores.relevance == 0] = Reason.NO_EVIDENCE
        else:
            reason[:] = Reason.NOTHING_RELEVANT
        reason[basis.running_line & ~basis.body] = Reason.RUNNING_LINE
    reason[~basis.has_text] = Reason.NO_TEXT
    costs = basis.tokens
    bound = Bound.THRESHOLD if isinstance(cut, Threshold) else Bound.TOKEN_SHARE
    if focus is not None:
        reason[:] = Reason.OUT_OF_FOCUS
        costs, bound = _focus_costs(basis, focus), Bound.FOCUS
    offset = _offset(basis, cut)
    threshold = cut.value if isinstance(cut, Threshold) else passing.threshold
    margin = basis.priority - (np.nan if threshold is None else threshold + offset)
    status = np.full(count, Status.SKIPPED, np.uint8)
    passed = len(passing.order) if focus is None else len(focus)
    return Decision(threshold, offset, passed, margin, status, reason, bound, basis.tokens, costs, focus, {})


def _decided(basis: Basis, draft: Decision, taken: list[int], refused: Mapping[int, tuple[int, int]]) -> Decision:
    chosen = np.array(taken, np.intp)
    pinned = chosen[basis.structure.pinned[chosen]] if draft.focus is None else chosen[:0]
    status = statuses(len(basis.document), chosen, pinned, basis.links.of_all(chosen))
    reason = draft.reason.copy()
    for block in refused:
        pin = draft.focus is None and basis.structure.pinned[block]
        reason[block] = Reason.PINNED_NO_ROOM if pin else Reason.NO_ROOM
    reason[status == Status.KEPT] = Reason.OVER_CUT if draft.focus is None else Reason.IN_FOCUS
    reason[status == Status.PINNED] = Reason.PINNED
    reason[status == Status.CONTEXT] = Reason.CONTEXT
    bound = Bound.BUDGET if refused else draft.bound
    return replace(draft, status=status, reason=reason, bound=bound, refused=refused)


def _within_budget(basis: Basis, draft: Decision, wanted: list[int], budget: int) -> Decision:
    """Take what fits by the counts of the single blocks, then drop the weakest until the text as a whole fits.

    Counts of parts add up to more than the count of the whole in nearly every case, so the loop is short. It ends at
    the longest beginning of what was taken that fits; a looser cut therefore never ends with less.
    """
    document = basis.document
    head = _longest_head(basis, draft)
    found = take(
        wanted,
        budget,
        tokens=draft.costs,
        pages=document.columns.home_page,
        has_text=basis.has_text,
        links=basis.links,
        overhead=_overhead(basis, head),
    )
    taken, refused = list(found.order), dict(found.refused)
    while taken:
        decision = _decided(basis, draft, taken, refused)
        body = render(document, decision).text
        over = max(_count(basis, lines + body) for lines in (head, _head(basis, decision, budget))) - budget
        if over <= 0:
            return decision
        weakest = taken.pop()
        needed = int(draft.costs[weakest])
        refused[weakest] = (needed, max(0, needed - over))
    return _decided(basis, draft, taken, refused)


def overhead_of(basis: Basis, cut: Cut) -> Overhead:
    """Return what a budget spends on other things than blocks; it hardly depends on where the cut is."""
    return _overhead(basis, _longest_head(basis, _draft(basis, cut, passing_of(basis, cut), None)))


def _longest_head(basis: Basis, draft: Decision) -> str:
    """What stands above the kept blocks at most."""
    pinned = draft.focus is None and bool(basis.structure.pinned.any())
    line = longest_coverage_line(basis.document, draft, pinned=pinned)
    return "\n".join(filter(None, (line, nothing_found(basis, draft))))


def _overhead(basis: Basis, head: str) -> Overhead:
    last = max(0, len(basis.document) - 1)
    anchor = anchor_of(Run(len(basis.document.pages), [max(0, last - 1), last], gap=True))
    return Overhead(
        fixed=_count(basis, head), run=_count(basis, f"{BREAK}{GAP}\n{anchor}\n"), block=_count(basis, BREAK)
    )


def _count(basis: Basis, text: str) -> int:
    return int(basis.tokenizer.count([text])[0]) if text else 0


def _focus_costs(basis: Basis, focus: Focus) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    costs = basis.tokens.copy()
    texts = basis.document.texts
    count: Callable[[list[str]], int] = lambda parts: int(basis.tokenizer.count(parts).sum())  # noqa: E731
    for block, ranges in focus.items():
        costs[block] = count([texts[block][start:end] for start, end in ranges])
    return costs


def _checked_focus(basis: Basis, focus: Focus) -> Focus:
    """Return the focus with plain numbers, or refuse ranges that are none of the block's text."""
    checked: dict[int, tuple[tuple[int, int], ...]] = {}
    for block, ranges in sorted(focus.items()):
        length = len(basis.document.block(block).text)
        bounds = [0, *(int(at) for pair in ranges for at in pair), length]
        apart = all(start < end for start, end in ranges) and bounds == sorted(bounds)
        if not ranges or not apart:
            raise InvalidOption(
                f"The focus on block {block} has the ranges {list(ranges)!r:.80}; give rising ranges that do not "
                f"overlap, from 0 to {length}."
            )
        checked[int(block)] = tuple((int(start), int(end)) for start, end in ranges)
    return checked
