"""The gate's decision in the words of a report, made of codes and values, so that every language says the same."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from ...gate.constraints import EDIT_OR_EXECUTE, SMALL_FILE, UNSUPPORTED, WHOLE_TABLE
from ...gate.intent import Action
from ...gate.margin import Route
from ...relevance.scores import Scope
from ..contents import GateSaid
from ..wording import Say
from .numbers import with_minus

if TYPE_CHECKING:
    from ...gate.explanation import GateExplanation, GateFlip
    from ...gate.gate import GateDecision

_NUMBERS = re.compile(r" (\d\.\d+); it is (\d\.\d+)\.$")
"""End of the words of a flip: both numbers, rounded to the side on which the sentence stays true."""
_LEAST, _MOST = 2, 12
"""Decimals of a margin."""


def gate_said(decision: GateDecision, say: Say) -> GateSaid:
    """Return what the gate decided, why, and what would change it."""
    explained = decision.explain()
    letters = zip(decision.signals.by_letter, decision.weights, strict=True)
    return GateSaid(
        route=decision.route.value,
        summary=gate_summary(decision, say),
        sentences=tuple(_flips(explained, say)),
        signals=tuple(
            (letter, say(f"signal.{letter}.what"), float(signal), weight) for (letter, signal), weight in letters
        ),
        margin=None if math.isnan(decision.margin) else decision.margin,
    )


def gate_summary(decision: GateDecision, say: Say) -> str:
    """Return the route, and why, in one sentence."""
    at, route = decision.thresholds, decision.route
    if route is Route.NATIVE:
        return say("gate.native", why=why_native(decision, say))
    if route is Route.ADVISORY:
        margin, native, force = _told_apart(decision.margin, at.native, at.force)
        return say("gate.advisory", margin=margin, native=native, force=force)
    margin, force = _told_apart(decision.margin, at.force)
    return say("gate.force", margin=margin, force=force)


def why_native(decision: GateDecision, say: Say, *, numbers: bool = True) -> str:
    """Return why a request is read whole: the end of a sentence; ``numbers``: whether the margin is told as well."""
    if decision.constraint is not None:
        return _constraint(decision, say)
    chiefly = say(f"gate.chiefly.{_chief(decision)}")
    if not numbers:
        return chiefly
    margin, native = _told_apart(decision.margin, decision.thresholds.native)
    return say("gate.margin.native", chiefly=chiefly, margin=margin, native=native)


def _chief(decision: GateDecision) -> str:
    """Return the letter of the signal that speaks loudest for reading the whole."""
    exposure, cost, risk = decision.weights
    signals = {letter: float(signal) for letter, signal in decision.signals.by_letter}
    against = {"s": exposure * (1 - signals["s"]), "c": cost * signals["c"], "r": risk * signals["r"]}
    return max(against, key=against.__getitem__)


def _told_apart(*numbers: float) -> tuple[str, ...]:
    """Return numbers with the fewest decimals, from two on, at which different numbers look different.

    Examples
    --------
    >>> _told_apart(-0.0623, -0.1525), _told_apart(0.3067, 0.3075)
    (('−0.06', '−0.15'), ('+0.3067', '+0.3075'))
    """
    different = len(set(numbers))
    for decimals in range(_LEAST, _MOST + 1):
        # Adding zero takes the sign off a number that is rounded to nothing.
        shown = tuple(with_minus(f"{round(number, decimals) + 0.0:+.{decimals}f}") for number in numbers)
        if len(set(shown)) == different:
            break
    return shown


def _constraint(decision: GateDecision, say: Say) -> str:
    found = decision.constraint
    assert found is not None
    if found.name == SMALL_FILE:
        tokens, native, sparse = (round(value) for value in found.tokens)
        return say("constraint.small_file", tokens=tokens, native=native, sparse=sparse)
    if found.name == WHOLE_TABLE:
        wide = decision.intent.scope is Scope.WHOLE
        return say("constraint.whole_table.all" if wide else "constraint.whole_table.rows")
    if found.name == EDIT_OR_EXECUTE:
        return say("constraint.edit" if decision.intent.action is Action.EDIT else "constraint.execute")
    if found.name == UNSUPPORTED and decision.preview.why_not:
        return say("constraint.unsupported.why", why=decision.preview.why_not)
    return say(f"constraint.{found.name}")


def _flips(explained: GateExplanation, say: Say) -> list[str]:
    """For each other route what would lead to it; one sentence where no signal alone does."""
    said: list[str] = []
    for route in dict.fromkeys(flip.route for flip in explained.flips):
        ways = [flip for flip in explained.flips if flip.route is route and flip.possible]
        said += [_flip(flip, say) for flip in ways] or [say(f"flip.none.{route.value}")]
    return said


def _flip(flip: GateFlip, say: Say) -> str:
    numbers = _NUMBERS.search(flip.words)
    assert numbers is not None, flip.words
    side = say(f"flip.{flip.side}", value=numbers[1])
    return say(f"flip.to.{flip.route.value}", signal=say(f"signal.{flip.signal}"), side=side, now=numbers[2])
