"""Every constant that the gate signals are made with, in one place, each with its reason; a profile carries them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any

from ..errors import InvalidOption
from ..relevance.scores import Scope
from ..structure.naming import nearest
from .exchange import Exchange

MOST_ROUNDS = 20
"""More rounds than anybody pays for; each one adds to the time that the signals take."""


def _number(name: str, value: object, least: float, most: float) -> float:
    if isinstance(value, Real) and not isinstance(value, bool) and least <= float(value) <= most:
        return float(value)
    raise InvalidOption(f"{name} is {value!r:.40}; give a number from {least:g} to {most:g}.")


@dataclass(frozen=True, slots=True)
class ByScope:
    """One number in [0, 1] a scope, none smaller than that of the scope before.

    That a wider scope never has the smaller number is what makes cost and risk rise from point to whole.

    Raises
    ------
    InvalidOption
        For what is no number from 0 to 1, or for one that is smaller than that of a narrower scope.

    Examples
    --------
    >>> ByScope(0.1, 0.2, 0.6, 1.0).of(Scope.AGGREGATE)
    0.6
    """

    point: float
    several: float
    aggregate: float
    whole: float

    def __post_init__(self) -> None:
        before, narrower = 0.0, ""
        for scope in Scope:
            value = _number(f"The number of scope {scope.value}", getattr(self, scope.value), 0.0, 1.0)
            if value < before:
                raise InvalidOption(
                    f"The number of scope {scope.value} is {value:g}, below the {before:g} of scope {narrower}; "
                    "give a wider scope at least the number of a narrower one."
                )
            object.__setattr__(self, scope.value, value)
            before, narrower = value, scope.value

    def of(self, scope: Scope) -> float:
        """Return the number of a scope."""
        return float(getattr(self, scope.value))

    def to_dict(self) -> dict[str, float]:
        """Return the numbers by scope."""
        return {scope.value: self.of(scope) for scope in Scope}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalOptions:
    """What the signals expect of an exchange, of the reader and of the agent.

    The defaults describe the reader without calibration, and an agent of about ten billion parameters. A calibration
    weighs the signals, so what counts most is how the numbers stand to each other. What is measured stands in
    ``docs/benchmarks.md``, "Gate and calibration": public sets of questions, the half "report".

    Attributes
    ----------
    exchange : Exchange
        What model calls carry; the same as the replay counts with.
    least_tokens, share : int, float
        The first reading keeps ``share`` of the artifact's tokens, at least ``least_tokens``. 3,000 and 0.2 are what
        the reader keeps without calibration; for a threshold, give the share that it keeps on average and 0.
    anchors : float
        Tokens of anchors and coverage line for each token of kept text, 0 to 10. Measured: a median of 0.05, and 0.11
        at the ninetieth hundredth, for documents with many short blocks.
    unclosed : ByScope
        Chance that a round leaves the agent without what it needs, so that it asks again. Point and several: seldom,
        for the reader keeps blocks with the words that were asked for (measured: 0.6 % after one round). Aggregate: of
        the measured readings 90 %, 58 % and 27 % had a table or section with a part left out after one, two and three
        rounds. Whole: nearly always, for all is needed (100 %, 62 % and 31 %). One number a round is right for the
        first and too high for later ones, which keep more.
    missed : ByScope
        Share of what a question needs that is not in the kept text, for each part of the artifact that was left out.
        Least squares give nothing for one piece of evidence (0.02 here, for nothing is certain) and 0.12 for several,
        with an interval from 0.03 to 0.20. Whole: 1, for whatever is left out was asked for. Aggregate: half of that,
        for it asks for all of one thing.
    missing_terms : float
        What is missed besides if no term of the question stands in the artifact, 0 to 1. The same least squares give
        0.50, from 0.13 to 0.73: words find nothing then, and half of what the reader goes by is words.
    reader_cost : float
        What reading one token of an artifact for the first time costs the reader, in tokens of the agent's model, 0 to
        1. 0.002: an encoder of 22 million parameters beside a model of about ten billion; compute goes with
        parameters. Nothing is added for an artifact that is prepared.

    Raises
    ------
    InvalidOption
        For a value of the wrong type or outside its range.
    """

    exchange: Exchange = field(default_factory=Exchange)
    least_tokens: int = 3_000
    share: float = 0.2
    anchors: float = 0.06
    unclosed: ByScope = ByScope(0.05, 0.1, 0.85, 0.95)
    missed: ByScope = ByScope(0.02, 0.12, 0.5, 1.0)
    missing_terms: float = 0.5
    reader_cost: float = 0.002

    def __post_init__(self) -> None:
        for name, kind in (("exchange", Exchange), ("unclosed", ByScope), ("missed", ByScope)):
            if not isinstance(getattr(self, name), kind):
                raise InvalidOption(f"{name} is {getattr(self, name)!r:.40}; give an object of {kind.__name__}.")
        if self.exchange.max_rounds > MOST_ROUNDS:
            raise InvalidOption(f"max_rounds is {self.exchange.max_rounds:,}; the gate foresees at most {MOST_ROUNDS}.")
        least = self.least_tokens
        if not isinstance(least, Integral) or isinstance(least, bool) or least < 0:
            raise InvalidOption(f"least_tokens is {least!r:.40}; give a whole number of at least 0.")
        object.__setattr__(self, "least_tokens", int(least))
        for name, most in (("share", 1.0), ("anchors", 10.0), ("missing_terms", 1.0), ("reader_cost", 1.0)):
            object.__setattr__(self, name, _number(name, getattr(self, name), 0.0, most))
        if not self.share:
            raise InvalidOption("share is 0; give a number above 0 and at most 1.")

    def kept_shares(self, tokens: int) -> tuple[float, ...]:
        """Return what share of an artifact is kept after each round, in [0, 1]; it never falls from round to round.

        Parameters
        ----------
        tokens : int
            Of the artifact; 0 is kept whole.

        Examples
        --------
        >>> SignalOptions().kept_shares(10_000)
        (0.3, 0.6, 1.0)
        """
        first = max(self.share, self.least_tokens / tokens) if tokens else 1.0
        return tuple(min(1.0, first * self.exchange.growth**times) for times in range(self.exchange.max_rounds))

    def expected_rounds(self, scope: Scope) -> float:
        """Return how many sparse rounds are expected for a scope.

        Examples
        --------
        >>> round(SignalOptions(unclosed=ByScope(0.5, 0.5, 0.5, 1)).expected_rounds(Scope.POINT), 2)  # 1 + 1/2 + 1/4
        1.75
        """
        again = self.unclosed.of(scope)
        return math.fsum(again**times for times in range(self.exchange.max_rounds))

    def to_dict(self) -> dict[str, Any]:
        """Return every constant by its name, as plain data for JSON."""
        values = {known.name: getattr(self, known.name) for known in fields(self)}
        return {name: value.to_dict() if hasattr(value, "to_dict") else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SignalOptions:
        """Return the options that ``to_dict`` gave; what is not named has its default.

        Raises
        ------
        InvalidOption
            For an unknown name, or a value of the wrong type or outside its range.

        Examples
        --------
        >>> SignalOptions.from_dict(SignalOptions(share=0.3).to_dict()) == SignalOptions(share=0.3)
        True
        """
        given = _known(values, cls, "The options of the signals")
        for name, kind in (("exchange", Exchange), ("unclosed", ByScope), ("missed", ByScope)):
            if name in given:
                given[name] = _part(given[name], kind, name)
        return cls(**given)


def _part(values: Any, kind: type[Exchange] | type[ByScope], name: str) -> Exchange | ByScope:
    given = _known(values, kind, f"{name} of the signals")
    lacking = [scope.value for scope in Scope if scope.value not in given] if kind is ByScope else []
    if lacking:
        raise InvalidOption(f"{name} of the signals has no {', '.join(lacking)}; give a number for every scope.")
    return kind(**given)


def _known(values: Any, kind: type[SignalOptions] | type[Exchange] | type[ByScope], where: str) -> dict[str, Any]:
    """Return the values as a dict of their own, if every name is one of the fields."""
    if not isinstance(values, Mapping):
        raise InvalidOption(f"{where} is {values!r:.40}; give the values by their names.")
    allowed = [known.name for known in fields(kind)]
    for name in values:
        if name not in allowed:
            raise InvalidOption(f"{where} has no {str(name)!r:.60}{nearest(str(name), allowed)}.")
    return dict(values)
