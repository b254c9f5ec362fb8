"""How a sparse exchange may end, and how likely each end is: known before anything is read."""

from __future__ import annotations

from dataclasses import dataclass

from ..relevance.scores import Scope
from .signal_options import SignalOptions


@dataclass(frozen=True, slots=True)
class Ending:
    """One end of a sparse exchange.

    Attributes
    ----------
    chance : float
        Chances of all ends add up to 1.
    rounds : int
        Sparse rounds that were made.
    falls_back : bool
        Whether the whole artifact was asked for afterwards.
    """

    chance: float
    rounds: int
    falls_back: bool


def endings_of(options: SignalOptions, scope: Scope) -> tuple[Ending, ...]:
    """Return the ends that an exchange may have; those without any chance are left out.

    Every round leaves the agent unsatisfied with the same chance q, so the exchange ends after round t with chance
    q^(t-1) (1 - q), and with the whole artifact with chance q^K, for K rounds at most.

    Examples
    --------
    >>> from workbench.gate.signal_options import ByScope
    >>> for end in endings_of(SignalOptions(unclosed=ByScope(0.5, 0.5, 0.5, 1.0)), Scope.POINT):
    ...     print(end.chance, end.rounds, end.falls_back)
    0.5 1 False
    0.25 2 False
    0.125 3 False
    0.125 3 True
    """
    again, most = options.unclosed.of(scope), options.exchange.max_rounds
    closed = [Ending(again ** (rounds - 1) * (1.0 - again), rounds, False) for rounds in range(1, most + 1)]
    return tuple(end for end in (*closed, Ending(again**most, most, True)) if end.chance)
