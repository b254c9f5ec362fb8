"""What a signal is: a number in [0, 1], and the terms that made it."""

from __future__ import annotations

import html
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
            for letter, signal in (("s", self.s), ("c", self.c), ("r", self.r))
        }

    def __repr__(self) -> str:
        return f"Signals(s={self.s.value:.3f}, c={self.c.value:.3f}, r={self.r.value:.3f})"

    def __str__(self) -> str:
        return "\n".join(f"{label:<{_LENGTH + 4}} {words}" for label, words in self.lines)

    def _repr_html_(self) -> str:
        return table_of("Gate signals", self.lines)


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


def _lines(found: Signals) -> Iterator[tuple[str, str]]:
    for letter, signal in (("s", found.s), ("c", found.c), ("r", found.r)):
        yield f"{letter}, {SIGNAL_NAMES[letter]}", f"{signal.value:.3f}"
        for term in signal.terms:
            yield f"  {term.name}", f"{term.value:+.3f}: {printable(term.reason)}"
