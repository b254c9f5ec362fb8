"""The search of weights: over the open simplex, coarse to fine; of equal ones the middle of the widest plateau.

The objective is a step function of the weights: it changes only where two requests change places, and the best step
may be narrower than any grid. So there is no slope to follow: a grid first, then draws around many of the best, level
by level closer. Large tables are searched on a sample, and the best of that are judged, and moved again, on all
requests. For a dozen requests every order that they can have is judged, so that the search is exact.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import TypeVar

import numpy as np

from ..errors import InvalidOption
from .cells import cell_weights
from .outcomes import Floats
from .steadiness import LOOKED_AT, steadiest
from .thresholds import EQUAL, TIE, Problem

Answer = TypeVar("Answer")

LEAST_WEIGHT = 1e-3
"""No weight comes closer to zero: the simplex is open, for every signal is to have a say."""
_DIRECTIONS = np.array([[1, -1, 0], [-1, 1, 0], [1, 0, -1], [-1, 0, 1], [0, 1, -1], [0, -1, 1]], np.float64)
_THREADED_FROM = 50_000
_LEAST = {"sample": 100, "steps": 3, "levels": 0, "final_levels": 0}
_EXACT = 12
"""Up to so many requests with signals of their own the search is exact."""
_FEW = 1_000
"""Up to so many requests twice as many weights are drawn: each is judged fast, and one request more or less counts."""
_CLOSEST = 2e-4
"""How far from the best of before weights are drawn at the last level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """How far the search goes.

    Attributes
    ----------
    sample : int
        Requests on which weights are searched; all of them where there are no more.
    steps : int
        The grid has this many steps along an edge of the simplex.
    starts : int
        Places around which weights are drawn at each level.
    tries : int
        Weights that are drawn around each place; twice as many for up to 1,000 requests.
    levels : int
        How often that is done, from the width of a step of the grid down to 0.0002.
    finalists : int
        Weights of the sample that are judged on all requests.
    final_levels : int
        How often the distance is halved on all requests.
    given_up : float
        Share of the saving that is given up for weights under which fewer requests turn (``steadiness``), in [0, 0.5].
        Where weights are searched on a sample, or exactly, none is.

    Raises
    ------
    InvalidOption
        For what is no number of its kind, or outside its range.
    """

    sample: int = 4_000
    steps: int = 24
    starts: int = 16
    tries: int = 10
    levels: int = 12
    finalists: int = 12
    final_levels: int = 3
    given_up: float = 0.02

    def __post_init__(self) -> None:
        if not isinstance(self.given_up, Real) or not 0 <= self.given_up <= 0.5:
            raise InvalidOption(f"given_up is {self.given_up!r:.40}; give a number from 0 to 0.5.")
        for known in fields(self):
            if known.name == "given_up":
                continue
            value, least = getattr(self, known.name), _LEAST.get(known.name, 1)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
                raise InvalidOption(f"{known.name} is {value!r:.40}; give a whole number of at least {least}.")


def simplex_grid(steps: int) -> Floats:
    """Return the inner points of a grid on the simplex, shape (k, 3), in order.

    Examples
    --------
    >>> simplex_grid(4).tolist()
    [[0.25, 0.25, 0.5], [0.25, 0.5, 0.25], [0.5, 0.25, 0.25]]
    """
    a, b = np.meshgrid(np.arange(1, steps - 1), np.arange(1, steps - 1), indexing="ij")
    inner = a + b < steps
    return np.column_stack([a[inner], b[inner], steps - a[inner] - b[inner]]) / steps


def margins_of(signals: Floats, weights: Floats) -> Floats:
    """Return ws s - wc c - wr r; the search needs no more care than ties of ``thresholds.TIE``."""
    ws, wc, wr = (float(weight) for weight in weights)
    return np.asarray(ws * signals[:, 0] - wc * signals[:, 1] - wr * signals[:, 2])


def each(ask: Callable[[Floats], Answer], weights: Sequence[Floats], requests: int) -> list[Answer]:
    """Return the answers for several weights, in order; for many requests on all cores, for sorting frees the lock."""
    if requests < _THREADED_FROM or len(weights) < 2:
        return [ask(row) for row in weights]
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 4)) as pool:
        return list(pool.map(ask, weights))


class Judge:
    """Judges weights on one problem, each once, for one or several tolerances.

    Parameters
    ----------
    problem : Problem
    tolerances : sequence of float
    """

    def __init__(self, problem: Problem, tolerances: Iterable[float]) -> None:
        self._problem = problem
        self._allowed = np.array([problem.allowed(tolerance) for tolerance in tolerances])
        self._most = float(self._allowed.max())
        self._signals, self._columns = _merged(problem)
        self._known: dict[bytes, Floats] = {}

    @property
    def distinct(self) -> int:
        """How many signals of their own the requests have."""
        return len(self._signals)

    @property
    def near(self) -> float:
        """Savings that differ by no more are equal."""
        return EQUAL * max(self._problem.tokens, 1.0)

    def __call__(self, weights: Floats) -> Floats:
        """Return the most tokens saved, shape (k, tolerances), for weights of shape (k, 3)."""
        keys = [np.round(row, 12).tobytes() for row in weights]
        new = {key: row for key, row in zip(keys, weights, strict=True) if key not in self._known}
        found = each(self._judge, list(new.values()), len(self._problem.signals))
        self._known.update(zip(new, found, strict=True))
        found_all = [self._known[key] for key in keys]
        return np.asarray(found_all, np.float64).reshape(len(weights), len(self._allowed))

    def _judge(self, weights: Floats) -> Floats:
        if len(self._problem.signals) == 0:
            return np.zeros(len(self._allowed))
        sums = self._sums(margins_of(self._signals, weights))
        return np.array([_most_saved(sums, allowed) for allowed in self._allowed])

    def _sums(self, margins: Floats) -> Floats:
        """Return the sums of a ladder, down to where advisory requests alone lose all that is allowed."""
        order = (-margins).argsort()
        lost = self._columns[3][order].cumsum()
        # One more, for whether it shares its margin with the last that is allowed.
        order = order[: int(lost.searchsorted(self._most, side="right")) + 1]
        falling = margins[order]
        sums = np.zeros((4, len(order) + 1))
        self._columns[:, order].cumsum(axis=1, out=sums[:, 1:])
        apart = falling[:-1] - falling[1:] > TIE
        if apart.all():
            return sums
        return np.asarray(sums[:, np.concatenate([[True], apart, [True]])])


def _most_saved(sums: Floats, allowed: float) -> float:
    """Return the most that any pair of cuts saves: what ``thresholds.best_values`` gives, without the pair."""
    forced_gain, advised_gain, forced_loss, advised_loss = sums
    places = int(advised_loss.searchsorted(allowed, side="right"))
    best = np.maximum.accumulate(forced_gain[:places])
    if forced_loss[places - 1] + advised_loss[places - 1] > allowed:
        limit = forced_loss.searchsorted(allowed - advised_loss[:places], side="right") - 1
        best = best[np.minimum(np.arange(places), limit)]
    return float((advised_gain[:places] + best).max())


def best_weights(problem: Problem, tolerance: float, *, seed: int = 0, options: SearchOptions | None = None) -> Floats:
    """Return the weights that save the most tokens within a tolerance, float64 of shape (3,), summing to one.

    Of equal ones the middle of the widest plateau is taken, and of nearly equal ones (``given_up``) the steadiest.
    """
    chosen = options or SearchOptions()
    if len(problem.signals) <= _FEW:
        chosen = replace(chosen, tries=2 * chosen.tries)
    sample = problem.sample(chosen.sample, seed)
    judge = Judge(sample, [tolerance])
    points, values = _on_grid(judge, chosen)
    if judge.distinct <= _EXACT:
        cells = cell_weights(sample.signals, LEAST_WEIGHT)
        points, values = np.vstack([points, cells]), np.concatenate([values, judge(cells)[:, 0]])
    else:
        points, values = _drawn_around(judge, points, values, chosen, seed)
    if sample is not problem:
        judge = Judge(problem, [tolerance])
        points = _apart(points, values, chosen.finalists, 0.5 / chosen.steps, judge.near)
        points, values = _finer(judge, points, 1 / (2 * chosen.steps), chosen.final_levels, 1)
        return _normal(points[int(np.argmax(values))])
    middle = _middle(judge, points, values, chosen.steps)
    if not chosen.given_up or judge.distinct <= _EXACT or values.max() <= 0:
        return middle
    points, values = np.vstack([middle, points]), np.concatenate([judge(middle[None])[:, 0], values])
    good = values >= (1 - chosen.given_up) * values.max()
    some = _apart(points[good], values[good], LOOKED_AT, 0.25 / chosen.steps, judge.near)
    return steadiest(sample, tolerance, some, judge(some)[:, 0], chosen.given_up)


def candidate_weights(problem: Problem, tolerances: Iterable[float], *, seed: int, steps: int, sample: int) -> Floats:
    """Return for each of several tolerances the best weights of one coarse grid, shape (k, 3), none twice."""
    grid = simplex_grid(steps)
    values = Judge(problem.sample(sample, seed), tolerances)(grid)
    return np.asarray(grid[np.unique(values.argmax(axis=0))], np.float64)


def _merged(problem: Problem) -> tuple[Floats, Floats]:
    """Return the distinct signals, shape (k, 3), and the summed parts of their requests, shape (4, k).

    Requests of equal signals, as those of one scope about one document, stand together whatever the weights are.
    """
    if len(problem.signals) == 0:
        return problem.signals, np.zeros((4, 0))
    order = np.lexsort(problem.signals.T)
    ordered = problem.signals[order]
    starts = np.flatnonzero(np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)]))
    return np.ascontiguousarray(ordered[starts]), np.ascontiguousarray(
        np.add.reduceat(problem.parts[order], starts, axis=0).T
    )


def _on_grid(judge: Judge, options: SearchOptions) -> tuple[Floats, Floats]:
    """Return the middle of the widest plateau of a grid, and the grid: what comes first wins among equals."""
    grid = simplex_grid(options.steps)
    values = judge(grid)[:, 0]
    plateau = _widest(grid, values, judge.near, options.steps)[None]
    return np.vstack([plateau, grid]), np.concatenate([judge(plateau)[:, 0], values])


def _drawn_around(
    judge: Judge, points: Floats, values: Floats, options: SearchOptions, seed: int
) -> tuple[Floats, Floats]:
    """Draw weights around the best ones, level by level closer, and add them."""
    random = np.random.default_rng(seed)
    for distance in np.geomspace(1 / options.steps, _CLOSEST, options.levels):
        best = _apart(points, values, options.starts, distance, judge.near)
        drawn = best[:, None] + random.normal(0.0, distance, (len(best), options.tries, 3))
        inner = _normal(np.abs(drawn.reshape(-1, 3)))
        around = LEAST_WEIGHT + (1 - 3 * LEAST_WEIGHT) * inner
        points = np.vstack([points, around])
        values = np.concatenate([values, judge(around)[:, 0]])
    return points, values


def _finer(judge: Judge, starts: Floats, step: float, levels: int, kept: int) -> tuple[Floats, Floats]:
    """Look around the best points at ever smaller distances; points found so far come back in the order they came."""
    points = _normal(np.maximum(starts, LEAST_WEIGHT))
    values = judge(points)[:, 0]
    for level in range(levels):
        distance = step / 2**level
        best = _apart(points, values, kept, distance, judge.near)
        around = _inside((best[:, None] + distance * _DIRECTIONS[None]).reshape(-1, 3))
        if len(around):
            points = np.vstack([points, around])
            values = np.concatenate([values, judge(around)[:, 0]])
    return points, values


def _apart(points: Floats, values: Floats, count: int, distance: float, near: float) -> Floats:
    """Return the best points that lie at least a distance from better ones; equals in the order they came."""
    chosen: list[int] = []
    rank = np.round(values / near) if near else values
    order = np.argsort(-rank, kind="stable")
    while len(order) and len(chosen) < count:
        chosen.append(int(order[0]))
        order = order[1:][np.abs(points[order[1:]] - points[order[0]]).max(axis=1) >= distance]
    return points[chosen]


def _inside(points: Floats) -> Floats:
    return points[(points >= LEAST_WEIGHT).all(axis=1)]


def _normal(points: Floats) -> Floats:
    return np.asarray(points / points.sum(axis=-1, keepdims=True))


def _widest(grid: Floats, values: Floats, near: float, steps: int) -> Floats:
    """Return the middle of the largest connected set of best grid points."""
    best = {(int(a), int(b)) for a, b in np.rint(grid[values >= values.max() - near][:, :2] * steps)}
    parts: list[list[tuple[int, int]]] = []
    for start in sorted(best):
        if start not in best:
            continue
        best.discard(start)
        part, waiting = [start], [start]
        while waiting:
            a, b = waiting.pop()
            for neighbour in ((a + 1, b), (a - 1, b), (a, b + 1), (a, b - 1), (a + 1, b - 1), (a - 1, b + 1)):
                if neighbour in best:
                    best.discard(neighbour)
                    part.append(neighbour)
                    waiting.append(neighbour)
        parts.append(part)
    a, b = np.mean(max(parts, key=len), axis=0) / steps
    return np.array([a, b, 1 - a - b])


def _middle(judge: Judge, points: Floats, values: Floats, steps: int) -> Floats:
    """Move from the best weights to the middle of the plateau they lie on, twice, along rays."""
    best = float(values.max())
    centre = _normal(points[int(np.argmax(values >= best - judge.near))])
    radii = np.geomspace(1 / (64 * steps), 0.5, 12)
    rays = np.vstack([_DIRECTIONS, _DIRECTIONS[[0, 2, 4]] + _DIRECTIONS[[2, 4, 1]]])
    rays = np.unique(np.vstack([rays, -rays]), axis=0)
    rays = rays / np.abs(rays).max(axis=1, keepdims=True)
    for _ in range(2):
        reached = np.zeros(len(rays))
        going = np.ones(len(rays), bool)
        for radius in radii:
            probes = centre + radius * rays
            going &= (probes >= LEAST_WEIGHT).all(axis=1)
            if going.any():
                going[going] = judge(_normal(probes[going]))[:, 0] >= best - judge.near
            reached[going] = radius
        moved = _normal(np.mean(centre + reached[:, None] * rays, axis=0))
        if float(judge(moved[None])[0, 0]) < best - judge.near:
            break
        centre = moved
    return centre
