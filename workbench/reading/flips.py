"""What would have to be different for a block to be decided otherwise: exact, by the rules of the selection."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np

from .basis import Basis
from .cuts import Cut, Threshold, TokenShare
from .deciding import passing_of
from .decision import Bound, Decision
from .selection import Reason, Status, within_share

_NEGATIVE = 1 << 63
"""The bit of the sign of a number of 64 bits."""
LEAST_WEIGHT, GREATEST_WEIGHT = 0.05, 5.0
"""Between these a rule table can put a block."""


@dataclass(frozen=True, slots=True)
class Flip:
    """One change that would turn the decision on a block.

    Attributes
    ----------
    quantity : str
        "relevance", "weight", "threshold", "token share", "pin", "budget" or "context".
    value : float or None
        Where the decision turns; None where no number does it.
    words : str
    """

    quantity: str
    value: float | None
    words: str

    def __str__(self) -> str:
        return self.words


def flips_of(basis: Basis, cut: Cut, decision: Decision, block_id: int) -> tuple[Flip, ...]:
    """Return the smallest changes that would turn the decision on a block, one a quantity."""
    if decision.focus is not None or not basis.has_text[block_id]:
        return ()
    reason = Reason(int(decision.reason[block_id]))
    if reason in (Reason.NOTHING_RELEVANT, Reason.RUNNING_LINE):
        return (Flip("pin", None, "a rule that pins it would keep it"),)
    if reason in (Reason.PINNED, Reason.PINNED_NO_ROOM, Reason.NO_ROOM):
        return _not_by_score(basis, cut, reason, block_id)
    # A block of the same priority as the last one of a share goes by its place, which none of these numbers changes.
    kept = decision.status[block_id] == Status.KEPT
    line = _line(basis, cut, decision, block_id)
    out = "leave it as context" if kept and _is_context(basis, decision, block_id) else "skip it"
    found = _by_evidence(kept, out) if line is None else _by_factors(basis, block_id, line, kept=kept, out=out)
    found.append(_by_cut(basis, cut, decision, block_id, kept=kept, out=out))
    if decision.bound is Bound.BUDGET and not kept:
        found.append(Flip("budget", None, "and the budget must have room for it"))
    if reason is Reason.CONTEXT:
        found.insert(0, Flip("context", None, "it is skipped once none of the blocks that need it is kept"))
    return tuple(found)


def _not_by_score(basis: Basis, cut: Cut, reason: Reason, block_id: int) -> tuple[Flip, ...]:
    if reason is Reason.NO_ROOM:
        return (Flip("budget", None, "a budget with room for it and for the blocks of higher priority would keep it"),)
    if reason is Reason.PINNED_NO_ROOM:
        return (Flip("budget", None, "a budget with room for all pinned blocks would keep it"),)
    without = "kept" if passes_unpinned(basis, cut, block_id) else "skipped"
    return (Flip("pin", None, f"without the pin it would be {without} by its priority"),)


def passes_unpinned(basis: Basis, cut: Cut, block_id: int) -> bool:
    """Return whether a block passes the cut by its priority alone."""
    return bool((passing_of(basis, cut).order == block_id).any())


def _is_context(basis: Basis, decision: Decision, block_id: int) -> bool:
    """Whether other kept blocks need a block."""
    others = np.flatnonzero((decision.status == Status.KEPT) | (decision.status == Status.PINNED))
    return bool(basis.links.of_all(others[others != block_id])[block_id])


def _line(basis: Basis, cut: Cut, decision: Decision, block_id: int) -> tuple[float, bool] | None:
    """Return the priority at which a block turns, and whether that priority itself keeps it; None where none does."""
    if isinstance(cut, Threshold):
        return cut.value + decision.offset, True
    others = basis.worth_a_share.copy()
    others[block_id] = False
    limit = cut.limit(int(basis.tokens.sum()))
    passing = within_share(
        basis.priority, limit, tokens=basis.tokens, eligible=others, links=basis.links, ties=basis.ties
    )
    if passing.threshold is None or passing.spent < limit:
        return None
    return passing.threshold, bool(basis.ties[block_id] < basis.ties[passing.order[-1]])


def _by_factors(basis: Basis, block_id: int, line: tuple[float, bool], *, kept: bool, out: str) -> list[Flip]:
    """The turns of relevance and weight: a kept block is ``out`` below them, another one in from there."""
    relevance, weight = float(basis.scores.relevance[block_id]), float(basis.structure.weights[block_id])
    flips = []
    for name, fixed, least, most in (
        ("relevance", weight, 0.0, 1.0),
        ("weight", relevance, LEAST_WEIGHT, GREATEST_WEIGHT),
    ):
        turn = least_factor(line, fixed)
        if kept and turn is not None and turn > least:
            flips.append(Flip(name, turn, f"a {name} under {_rounded(turn, up=False)} would {out}"))
        elif not kept and turn is not None and turn <= most:
            flips.append(Flip(name, turn, f"a {name} of {_rounded(turn, up=True)} would keep it"))
        else:
            flips.append(Flip(name, None, f"no {name} from {least:g} to {most:g} would {out if kept else 'keep it'}"))
    return flips


def _by_evidence(kept: bool, out: str) -> list[Flip]:
    """The turn of a block that a share has room for in any case."""
    words = f"only a relevance of 0 would {out}" if kept else "any relevance above 0 would keep it"
    return [Flip("relevance", math.ulp(0.0), words)]


def least_factor(line: tuple[float, bool], fixed: float) -> float | None:
    """Return the smallest number whose product with ``fixed`` is at the line or over it, to the last bit.

    Parameters
    ----------
    line : tuple of float and bool
        The line, and whether the line itself is enough.
    fixed : float
        Not negative.

    Examples
    --------
    >>> least_factor((0.65, True), 2.0), least_factor((0.65, True), 0.0)
    (0.325, None)
    """
    at, enough = line
    if not enough:
        at = math.nextafter(at, math.inf)
    if at <= 0:
        return 0.0
    if fixed <= 0 or not math.isfinite(at / fixed):
        return None
    return first_float(lambda factor: factor * fixed >= at, 0.0, math.inf)


def first_float(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the least number from ``low`` to ``high`` for which something holds that holds from there on.

    Halving the numbers that there are, and not the distance, takes 64 steps at most: near 0 there are so many of them
    that a walk from one to the next would not end.

    Examples
    --------
    >>> first_float(lambda value: value + 1.0 > 1.0, 0.0, 1.0)
    1.1102230246251568e-16
    """
    below, at = _place(low) - 1, _place(high)
    while at - below > 1:
        middle = (below + at) // 2
        if holds(_number(middle)):
            at = middle
        else:
            below = middle
    return _number(at)


def _place(value: float) -> int:
    """The rank of a number among all: neighbours differ by 1."""
    bits = int.from_bytes(struct.pack(">d", value), "big")
    return bits if bits < _NEGATIVE else _NEGATIVE - bits


def _number(place: int) -> float:
    bits = place if place >= 0 else _NEGATIVE - place
    found: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
    return found


def _by_cut(basis: Basis, cut: Cut, decision: Decision, block_id: int, *, kept: bool, out: str) -> Flip:
    if isinstance(cut, TokenShare):
        return _by_share(basis, cut, block_id, kept=kept, out=out)
    turn = highest_threshold(float(basis.priority[block_id]), decision.offset)
    if kept:
        if turn >= 1:
            return Flip("threshold", None, f"no threshold up to 1 would {out}")
        return Flip("threshold", turn, f"a threshold over {_rounded(turn, up=True)} would {out}")
    if turn < 0:
        return Flip("threshold", None, "no threshold from 0 would keep it")
    return Flip("threshold", turn, f"a threshold of {_rounded(turn, up=False)} would keep it")


def highest_threshold(priority: float, offset: float) -> float:
    """Return the highest threshold that a priority passes, to the last bit.

    Examples
    --------
    >>> highest_threshold(0.75, 0.05) + 0.05 <= 0.75
    True
    """
    near = priority - offset
    over = first_float(lambda threshold: threshold + offset > priority, near - 1.0, near + 1.0)
    return math.nextafter(over, -math.inf)


def _by_share(basis: Basis, cut: TokenShare, block_id: int, *, kept: bool, out: str) -> Flip:
    if not basis.scores.relevance[block_id]:
        return Flip("token share", None, "no token share would keep it, for its relevance is 0")
    total = int(basis.tokens.sum())
    before = _spent_before(basis, block_id)
    turn = before / total if total else 0.0
    if kept:
        if before < cut.min_tokens or not before:
            return Flip("token share", None, f"no token share would {out}: only {before:,} tokens come before it")
        return Flip("token share", turn, f"a token share of {_rounded(100 * turn, up=False)} % would {out}")
    return Flip("token share", turn, f"a token share over {_rounded(100 * turn, up=True)} % would keep it")


def _spent_before(basis: Basis, block_id: int) -> int:
    """Tokens of the blocks of higher priority, with their context."""
    before = basis.worth_a_share & (
        (basis.priority > basis.priority[block_id])
        | ((basis.priority == basis.priority[block_id]) & (basis.ties < basis.ties[block_id]))
    )
    return within_share(
        basis.priority, math.inf, tokens=basis.tokens, eligible=before, links=basis.links, ties=basis.ties
    ).spent


def _rounded(value: float, *, up: bool) -> str:
    """Four decimals, rounded to the side on which the sentence stays true."""
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    shown = Decimal(repr(value)).quantize(Decimal("0.0001"), rounding)
    return f"{shown.normalize():f}"
