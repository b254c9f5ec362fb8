"""The line between kept and skipped as a number that is told alike everywhere in a report."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from ...reading.cuts import Threshold, TokenShare
from ...reading.reasons import compared

if TYPE_CHECKING:
    from ...reading import Reading

_LEAST = 1e-6
"""Below it a number is as good as 0."""
_LOWEST = 0.005
"""A line below it cannot be told in two decimals."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a priority must reach to be kept.

    Attributes
    ----------
    value : float
    text : str
        With two decimals at least: as many as somebody has set, or two digits.
    """

    value: float
    text: str

    def against(self, value: float) -> tuple[str, str]:
        """Return a number and the line, with more decimals where they would look alike or the wrong way round.

        Examples
        --------
        >>> Line(0.058, "0.058").against(0.2304), Line(0.5, "0.50").against(0.49999)
        (('0.23', '0.058'), ('0.49999', '0.50000'))
        """
        shown = level(value)
        above = (value > self.value) - (value < self.value)
        if Decimal(shown).compare(Decimal(self.text)) == above:
            return shown, self.text
        return compared(value, self.value)

    def short_of(self, value: float) -> tuple[str, str, str]:
        """Return a number below the line, the line, and the difference between the two as they are shown."""
        shown, line = self.against(value)
        return shown, line, f"{Decimal(line) - Decimal(shown):f}"


def is_order(reading: Reading) -> bool:
    """Whether the line is so low that only the order of the blocks says something: many match a little."""
    return isinstance(reading.cut, TokenShare) and reading.threshold is not None and reading.threshold < _LOWEST


def line_of(reading: Reading) -> Line | None:
    """Return the line of a reading; None where a share of the tokens found nothing to keep."""
    if reading.threshold is None:
        return None
    value = reading.threshold + reading.offset
    return Line(value, exactly(value) if isinstance(reading.cut, Threshold) else level(value))


def level(value: float) -> str:
    """Return a relevance or priority with two decimals, or with two digits where that would say nothing.

    Examples
    --------
    >>> level(0.3127), level(0.5), level(0.00431), level(0.0)
    ('0.31', '0.50', '0.0043', '0.00')
    """
    return f"{value:.2f}" if value >= 0.1 or value < _LEAST else f"{Decimal(f'{value:.2g}'):f}"


def exactly(value: float) -> str:
    """Return a number that somebody has set, with two to four decimals.

    Examples
    --------
    >>> exactly(0.65), exactly(0.655), exactly(0.5)
    ('0.65', '0.655', '0.50')
    """
    whole, _, decimals = f"{value:.4f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"
