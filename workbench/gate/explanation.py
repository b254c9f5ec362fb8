"""Why a request takes its route, and what would have to be different for it to take another one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from ..documents.surrogates import without_surrogates
from ..printing import printable, shortened
from .margin import ROUTES, Route, margin_of, routes_of
from .margin_words import has_band, routes_in_words, told_apart, way_in_words
from .signal_values import SIGNAL_NAMES

if TYPE_CHECKING:
    import pandas as pd

    from .gate import GateDecision

_SIGNS = {"s": 1, "c": -1, "r": -1}
"""Whether the margin rises or falls with a signal."""
_FEWEST, _MOST = 2, 9
"""Decimals of the numbers in words."""
_NOISE = 12
"""Decimals beyond which a float is noise."""
_TIE = Decimal("1e-9")
_QUESTION_CHARS = 120
_LABEL = 26
_COLUMNS = ("signal", "name", "now", "route", "side", "value", "words")


@dataclass(frozen=True, slots=True)
class GateFlip:
    """Which value of one signal alone would change the route.

    Attributes
    ----------
    signal : {"s", "c", "r"}
    route : Route
        What the request would become.
    value : float
        Where that begins; nan if no value in [0, 1] does it.
    side : {"at least", "above", "at most", "below", ""}
        On which side of ``value`` the signal would have to be; "" if none will do.
    words : str
        One sentence.
    """

    signal: str
    route: Route
    value: float
    side: str
    words: str

    @property
    def possible(self) -> bool:
        """Whether some value in [0, 1] does it."""
        return bool(self.side)


@dataclass(frozen=True, slots=True)
class GateExplanation:
    """A decision in sentences.

    Attributes
    ----------
    decision : GateDecision
    summary : str
        The route, and why, in one or two sentences.
    flips : tuple of GateFlip
        For each other route that its thresholds allow, and each signal; none under a constraint, and none to an
        advisory band that is too narrow to speak of.
    """

    decision: GateDecision
    summary: str
    flips: tuple[GateFlip, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The summary, and what would change the route."""
        return (self.summary, *(flip.words for flip in self.flips))

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """The whole calculation, as pairs of a label and words."""
        return tuple(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON; what no value would change has None."""
        return {
            "route": self.decision.route.value,
            "summary": without_surrogates(self.summary),
            "flips": [
                {
                    "signal": flip.signal,
                    "route": flip.route.value,
                    "value": flip.value if flip.possible else None,
                    "side": flip.side,
                    "words": flip.words,
                }
                for flip in self.flips
            ],
            "lines": [[label, without_surrogates(words)] for label, words in self.lines],
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row a flip: signal, name, now, route, side, value (nan if none does it), words."""
        import pandas as pd

        now = dict(zip(SIGNAL_NAMES, self.decision.signals.as_array().tolist(), strict=True))
        rows = [
            (
                flip.signal,
                SIGNAL_NAMES[flip.signal],
                now[flip.signal],
                flip.route.value,
                flip.side,
                flip.value,
                flip.words,
            )
            for flip in self.flips
        ]
        return pd.DataFrame(rows, columns=list(_COLUMNS))

    def __str__(self) -> str:
        head = f"{printable(self.decision.preview.name)}: {self.decision.route.value}"
        return "\n".join([head, *(f"  {label:<{_LABEL}} {words}" for label, words in self.lines)])

    def __repr__(self) -> str:
        return f"GateExplanation({self.decision.route.value}, {self.summary!r})"

    def _repr_html_(self) -> str:
        from .explanation_page import explanation_page

        return explanation_page(self)


def explanation_of(decision: GateDecision) -> GateExplanation:
    """Explain a decision."""
    flips = () if decision.constraint else tuple(_flips(decision))
    return GateExplanation(decision, _summary(decision), flips)


def _summary(found: GateDecision) -> str:
    if found.constraint is not None:
        return f"Native by a hard constraint, {found.constraint.name}, whatever the signals say: " + shortened(
            found.constraint.reason, 400
        )
    at = found.thresholds
    if found.route is Route.FORCE:
        margin, force = told_apart(found.margin, at.force)
        return f"Force: the margin {margin} reaches {force}, so sparse reading is expected to pay."
    if found.route is Route.NATIVE:
        margin, native = told_apart(found.margin, at.native)
        return f"Native: the margin {margin} is not above {native}, so reading it all is expected to pay."
    margin, native, force = told_apart(found.margin, at.native, at.force)
    return f"Advisory: the margin {margin} lies between {native} and {force}; the agent chooses."


def _flips(found: GateDecision) -> Iterator[GateFlip]:
    """From the nearest other route to the farthest, and for each the three signals."""
    at, here = found.thresholds, found.route.code
    others = [
        route
        for route in ROUTES
        if route is not found.route and (route is not Route.ADVISORY or has_band(at.native, at.force))
    ]
    for route in sorted(others, key=lambda other: (abs(other.code - here), -other.code)):
        rises = route.code > here
        # Advisory begins beyond the threshold that the request is held by.
        threshold = {Route.FORCE: at.force, Route.NATIVE: at.native}.get(route, at.native if rises else at.force)
        if math.isfinite(threshold):
            for signal in SIGNAL_NAMES:
                yield _flip(found, signal, route, threshold)


def _flip(found: GateDecision, signal: str, route: Route, threshold: float) -> GateFlip:
    rises = route.code > found.route.code
    column = list(SIGNAL_NAMES).index(signal)
    now = float(found.signals.as_array()[column])
    up = rises == (_SIGNS[signal] > 0)
    strict = route is Route.ADVISORY
    name = f"{SIGNAL_NAMES[signal]} ({signal})"

    def reaches(value: float) -> bool:
        code = _code_with(found, column, value)
        return code >= route.code if rises else code <= route.code

    if not reaches(1.0 if up else 0.0):
        return GateFlip(signal, route, math.nan, "", f"No {name} from 0 to 1 would alone make it {route.value}.")
    weight = list(found.weights)[column]
    value = min(1.0, max(0.0, now + _SIGNS[signal] * (threshold - found.margin) / weight))
    side = ("above" if strict else "at least") if up else ("below" if strict else "at most")
    shown, is_now = _rounded(value, now, up=up)
    return GateFlip(
        signal, route, value, side, f"{route.value.capitalize()} if {name} were {side} {shown}; it is {is_now}."
    )


def _code_with(found: GateDecision, column: int, value: float) -> int:
    """Return the code of the route that the request would take with another value of one signal."""
    changed = found.signals.as_array()
    changed[column] = value
    return int(routes_of(margin_of(changed[np.newaxis], found.weights), found.thresholds)[0])


def _rounded(value: float, now: float, *, up: bool) -> tuple[str, str]:
    """Return both numbers in words, the first rounded to the side that still flips.

    There are as many decimals as it takes to be off by no more than a quarter of the way.
    """
    # What is left of a sum of floats far behind the point must not round 0.78 up to 0.79.
    exact = Decimal(f"{value:.{_NOISE}f}")
    way = abs(exact - Decimal(now))
    decimals = _FEWEST
    shown = _to_side(exact, decimals, up=up)
    while decimals < _MOST and abs(shown - exact) * 4 > way > _TIE:
        decimals += 1
        shown = _to_side(exact, decimals, up=up)
    return f"{shown:.{decimals}f}", f"{now:.{decimals}f}"


def _to_side(value: Decimal, decimals: int, *, up: bool) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_CEILING if up else ROUND_FLOOR)


def _lines(explained: GateExplanation) -> Iterator[tuple[str, str]]:
    found = explained.decision
    weights, intent = found.weights, found.intent
    yield "question", shortened(intent.question, _QUESTION_CHARS)
    yield "intent", f"scope {intent.scope.value}, to {intent.action.value}"
    for reason in intent.reasons:
        yield "", printable(reason)
    yield "decision", explained.summary
    yield from found.signals.lines
    values = found.signals.as_array().tolist()
    products = " - ".join(f"{weight:.4f} x {value:.4f}" for weight, value in zip(weights, values, strict=True))
    yield "margin", f"{found.free_margin:+.4f} = {products}{', not asked for' if found.constraint else ''}"
    yield "thresholds", thresholds_of(found)
    if not found.constraint:
        yield "distance", distance_of(found)
    for number, flip in enumerate(explained.flips):
        yield "" if number else "otherwise", flip.words


def thresholds_of(found: GateDecision) -> str:
    """Return which margins take which route, for a decision."""
    at = found.thresholds
    return routes_in_words(at.native, at.force, exact=found.route is Route.ADVISORY)


def distance_of(found: GateDecision) -> str:
    """Return how far the margin is from the other routes."""

    def told(route: Route, far: float, verb: str) -> str:
        if not far:
            return f"{route.value} already"
        if math.isinf(far):
            return f"{route.value} is out of reach"
        return f"{way_in_words(far)} to {verb} to {route.value}"

    return f"{told(Route.FORCE, found.to_force, 'rise')}, {told(Route.NATIVE, found.to_native, 'fall')}"
