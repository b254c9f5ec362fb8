"""The best pair of thresholds for given margins: exact over all pairs of cuts, by sorting and prefix sums.

Requests are sorted by falling margin. A pair of thresholds is a pair of places (i, j) with i <= j: the first i requests
are forced, those from i to j are advisory, the rest is native. With p the probability that an advisory request takes
the sparse path, what is saved is A(i) + B(j), where A adds up (1 - p) x gain and B adds up p x gain; the loss splits in
the same way, and both of its parts rise. So for every j the i that are allowed are a beginning, the best of them is a
running maximum, and its end is found by bisection: O(n log n) in all, with nothing left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .outcomes import Floats, Outcomes

TIE = 1e-12
"""Margins that differ by no more are the same margin: a cut between them would hang on rounding."""
SLACK = 1e-12
"""Loss a request by which rounding may exceed the tolerance."""
EQUAL = 1e-12
"""Share of all tokens by which savings of equal worth may differ."""
HIGHEST = 1.0
"""No margin reaches it, for every weight is below one: a threshold here means never."""
BELOW_LOWEST = (0.25, 0.01)
"""A cut under every margin lies lower by this share of their spread, but by at least that: what is less promising than
anything that was seen stays native."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What thresholds are chosen on: the requests without a hard constraint.

    Attributes
    ----------
    signals : array of float64, shape (m, 3)
    parts : array of float64, shape (m, 4)
        (1 - p) x gain, p x gain, (1 - p) x loss, p x loss.
    requests : int
        All requests, those under a constraint among them: the loss is a mean over all.
    tokens : float
        Native tokens of all requests.
    """

    signals: Floats
    parts: Floats
    requests: int
    tokens: float

    def allowed(self, tolerance: float) -> float:
        """Return the summed loss that a tolerance allows."""
        return (tolerance + SLACK) * self.requests

    def sample(self, rows: int, seed: int) -> Problem:
        """Return a problem of about so many requests, drawn without replacement."""
        if rows >= len(self.signals):
            return self
        chosen = np.sort(np.random.default_rng(seed).choice(len(self.signals), rows, replace=False))
        share = rows / len(self.signals)
        return Problem(
            self.signals[chosen],
            self.parts[chosen],
            max(1, round(self.requests * share)),
            self.tokens * share,
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """A pair of thresholds, and what it does to the requests it was chosen on.

    Attributes
    ----------
    native, force : float
        Margins: native at or below the first, force at or above the second.
    saved : float
        Expected tokens saved.
    loss : float
        Expected loss, summed over the requests.
    """

    native: float
    force: float
    saved: float
    loss: float


def problem_of(outcomes: Outcomes) -> Problem:
    """Return what thresholds are chosen on."""
    free = outcomes.free
    gain, loss, chance = outcomes.gain[free], outcomes.loss[free], outcomes.chance[free]
    parts = np.column_stack([(1 - chance) * gain, chance * gain, (1 - chance) * loss, chance * loss])
    return Problem(
        np.ascontiguousarray(outcomes.signals[free]), parts, len(outcomes), float(outcomes.tokens_native.sum())
    )


@dataclass(frozen=True, eq=False)
class Ladder:
    """Every place where a cut can fall, from "nothing above" to "all above", and the sums above it.

    Attributes
    ----------
    margins : array of float64, shape (m,)
        Falling.
    ends : array of int64, shape (k + 1,)
        How many requests stand above each place; requests of equal margin stand together.
    sums : array of float64, shape (4, k + 1)
        The parts of a problem, added up above each place.
    """

    margins: Floats
    ends: npt.NDArray[np.int64]
    sums: Floats


def ladder_of(problem: Problem, margins: Floats, *, stable: bool = False) -> Ladder:
    """Sort requests by falling margin and add up."""
    order = np.argsort(-margins, kind="stable" if stable else None)
    falling = margins[order]
    sums = np.zeros((4, len(order) + 1))
    np.cumsum(problem.parts[order].T, axis=1, out=sums[:, 1:])
    split = falling[:-1] - falling[1:] > TIE
    if len(order) and split.all():
        return Ladder(falling, np.arange(len(order) + 1), sums)
    ends = np.concatenate([[0], np.flatnonzero(split) + 1, [len(order)] * (len(order) > 0)]).astype(np.int64)
    return Ladder(falling, ends, sums[:, ends])


def best_values(ladder: Ladder, allowed: npt.ArrayLike) -> Floats:
    """Return the most tokens that any pair of cuts saves, for each summed loss that is allowed."""
    return np.array([_values(ladder, limit)[0].max() for limit in np.atleast_1d(np.asarray(allowed, np.float64))])


def best_cut(problem: Problem, margins: Floats, tolerance: float) -> Cut:
    """Return the pair of thresholds that saves the most tokens within a tolerance for the mean loss.

    Among pairs that save as much the one that loses least is taken, then the one that leaves most requests native.

    Parameters
    ----------
    problem : Problem
    margins : array of float64, shape (m,)
    tolerance : float
        In [0, 1]; the mean is over all requests of the problem.

    Examples
    --------
    >>> parts = np.array([[50.0, 50.0, 0.0, 0.0], [10.0, 10.0, 0.5, 0.5]])  # the second saves, and loses all
    >>> best_cut(Problem(np.zeros((2, 3)), parts, 2, 300.0), np.array([0.4, 0.1]), 0.01)
    Cut(native=0.2, force=0.3, saved=100.0, loss=0.0)
    """
    return cut_on(ladder_of(problem, margins, stable=True), problem, tolerance)


def cut_on(ladder: Ladder, problem: Problem, tolerance: float) -> Cut:
    """Return the best pair of thresholds of requests that are sorted already; see ``best_cut``."""
    if len(ladder.margins) == 0:
        return Cut(HIGHEST, 2 * HIGHEST, 0.0, 0.0)
    values, forced = _values(ladder, problem.allowed(tolerance))
    near = np.flatnonzero(values >= values.max() - EQUAL * max(problem.tokens, 1.0))
    loss = ladder.sums[2][forced[near]] + ladder.sums[3][near]
    best = int(np.argmax(loss <= loss.min() + SLACK * problem.requests))
    i, j = int(forced[near[best]]), int(near[best])
    native, force = _thresholds(ladder, i, j)
    return Cut(native, force, float(values[j]), float(loss[best]))


def _values(ladder: Ladder, allowed: float) -> tuple[Floats, npt.NDArray[np.int64]]:
    """For every place j that the loss allows: what the best i saves with it, and the first such i."""
    forced_gain, advised_gain, forced_loss, advised_loss = ladder.sums
    places = int(np.searchsorted(advised_loss, allowed, side="right"))
    reach = np.arange(places)
    if forced_loss[places - 1] + advised_loss[places - 1] > allowed:
        limit = np.searchsorted(forced_loss, allowed - advised_loss[:places], side="right") - 1
        np.minimum(reach, limit, out=reach)
    best = np.maximum.accumulate(forced_gain[:places])
    risen = np.concatenate([[True], best[1:] > best[:-1]])
    first = np.maximum.accumulate(np.where(risen, np.arange(places), 0))
    return advised_gain[:places] + best[reach], first[reach]


def _thresholds(ladder: Ladder, i: int, j: int) -> tuple[float, float]:
    """Put thresholds into the middle of their gaps, so that they hold for margins nearby."""
    last = len(ladder.ends) - 1
    lowest = float(ladder.margins[-1])
    spread = float(ladder.margins[0]) - lowest
    below = max(BELOW_LOWEST[0] * spread, BELOW_LOWEST[1])
    if i == j:
        if i == 0:
            return HIGHEST, 2 * HIGHEST
        if i == last:
            return lowest - below, lowest - below / 2
        low, high = _gap(ladder, i)
        third = (high - low) / 3
        return low + third, high - third
    force = HIGHEST if i == 0 else sum(_gap(ladder, i)) / 2
    native = lowest - below if j == last else sum(_gap(ladder, j)) / 2
    return native, force


def _gap(ladder: Ladder, place: int) -> tuple[float, float]:
    """Margins just below and just above a place."""
    end = int(ladder.ends[place])
    return float(ladder.margins[end]), float(ladder.margins[end - 1])
