"""What a signal is: a number in [0, 1], and the terms that made it."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..documents.surrogates import without_surrogates
from ..errors import InvalidOption
from ..printing import printable

SIGNAL_NAMES = {"s": "avoidable exposure", "c": "protocol cost", "r": "omission risk"}
"""What people are told, in the order of the columns."""
RISK_RULE = "the chance that any of these strikes, if independent: 1 - (1 - a) (1 - b) …"
RISK_OF_ALL = ". All of the artifact is kept at first, so nothing counts that depends on what is left out"
FIRST_READING = "first reading"
"""The term of s that says what share is kept at first."""
_LEAST_CUT = 5e-4
_NOISE = 9
"""Decimals beyond which a float is noise."""
_LENGTH = len(max(SIGNAL_NAMES.values(), key=len))


@dataclass(frozen=True, slots=True)
class SignalTerm:
    """One term of a signal.

    Attributes
    ----------
    name : str
    value : float
        What it adds: for s and c a share of the artifact's tokens, which may be negative; for r a chance in [0, 1].
    reason : str
        Where the value comes from, in one sentence.
    """

    name: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True)
class Signal:
    """A number in [0, 1] with its terms.

    Raises
    ------
    InvalidOption
        For a value that is no number in [0, 1].
    """

    value: float
    terms: tuple[SignalTerm, ...] = ()

    def __post_init__(self) -> None:
        # A comparison with nan is false, so nan is refused as well.
        if not 0.0 <= self.value <= 1.0:
            raise InvalidOption(f"The value of a signal is {self.value!r:.40}; give a number from 0 to 1.")

    def __float__(self) -> float:
        return float(self.value)


@dataclass(frozen=True, slots=True)
class Signals:
    """The three gate signals of one request.

    Attributes
    ----------
    s : Signal
        Avoidable exposure: the share of the artifact that the sparse path is expected not to show.
    c : Signal
        Protocol cost: what the sparse path costs besides, as a share of the artifact's tokens.
    r : Signal
        Omission risk: the chance that what is needed is not in the kept text.
    """

    s: Signal
    c: Signal
    r: Signal

    def as_array(self) -> npt.NDArray[np.float64]:
        """Return (s, c, r) as float64, shape (3,)."""
        return np.array([self.s.value, self.c.value, self.r.value], np.float64)

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """Every number with what it means, as pairs of a label and words."""
        return tuple(_lines(self))

    @property
    def by_letter(self) -> tuple[tuple[str, Signal], ...]:
        """The signals with their letters, in the order of the columns."""
        return (("s", self.s), ("c", self.c), ("r", self.r))

    def rule_of(self, letter: str) -> str:
        """Return in words how the terms make the signal, where a plain sum does not tell it; else ""."""
        if letter == "r":
            return RISK_RULE + (RISK_OF_ALL if self._keeps_all else "") if self.r.terms else ""
        signal = self.s if letter == "s" else self.c
        total = math.fsum(term.value for term in signal.terms)
        # What is left of a sum of floats is no reason for a sentence.
        if not signal.terms or abs(total - signal.value) < _LEAST_CUT:
            return ""
        return f"the terms sum to {total:.3f}, cut at {signal.value:.0f}"

    @property
    def _keeps_all(self) -> bool:
        return any(term.name == FIRST_READING and term.value <= -1.0 for term in self.s.terms)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {
            letter: {
                "value": signal.value,
                "terms": [
                    {"name": term.name, "value": term.value, "reason": without_surrogates(term.reason)}
                    for term in signal.terms
                ],
            }
            for letter, signal in self.by_letter
        }

    def __repr__(self) -> str:
        return f"Signals(s={self.s.value:.3f}, c={self.c.value:.3f}, r={self.r.value:.3f})"

    def __str__(self) -> str:
        return "\n".join(f"{label:<{_LENGTH + 4}} {words}" for label, words in self.lines)

    def _repr_html_(self) -> str:
        from .explanation_page import signals_page

        return signals_page(self)


def table_of(title: str, lines: tuple[tuple[str, str], ...]) -> str:
    """Return labelled lines as an HTML table in which nothing is interpreted."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(printable(label))}</th>"
        f"<td style='text-align:left'>{html.escape(printable(words))}</td></tr>"
        for label, words in lines
    )
    caption = f"<caption style='text-align:left'><b>{html.escape(printable(title))}</b></caption>"
    # Without these classes a notebook turns "$5 to $9" into a formula.
    return without_surrogates(f"<table class='mathjax_ignore tex2jax_ignore'>{caption}{rows}</table>")


def three_decimals(value: float, sign: str = "") -> str:
    """Return the value of a signal or of a term; what is rounded to nothing is not negative."""
    # A sum that is a hair below 0.0135 must not look smaller than its only term, which is 0.0135.
    value = round(value, _NOISE)
    return f"{value if round(value, 3) else 0.0:{sign}.3f}"


def term_value(letter: str, value: float) -> str:
    """Return what a term counts: with a sign where terms are added, without one for the chances of r."""
    return three_decimals(value, "" if letter == "r" else "+")


def _lines(found: Signals) -> Iterator[tuple[str, str]]:
    for letter, signal in found.by_letter:
        rule = found.rule_of(letter)
        yield f"{letter}, {SIGNAL_NAMES[letter]}", f"{three_decimals(signal.value)}{f': {rule}' if rule else ''}"
        for term in signal.terms:
            yield f"  {term.name}", f"{term_value(letter, term.value)}: {printable(term.reason)}"
