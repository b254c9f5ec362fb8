"""The least value of a smooth function of a few numbers, some of which may not fall below a bound.

Projected BFGS (Bertsekas 1982; Nocedal and Wright 2006, chapter 6). scipy's L-BFGS-B calls a threaded linear algebra
for vectors of thirty numbers, and on a busy machine it waits for its threads ten times as long as it computes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

STEPS = 100
_ENOUGH = 1e-4
"""Share of the fall that the slope promises which a step must bring."""
_LEAST_STEP = 1e-10
_LEAST_GAIN = 1e-11
_LEAST_SLOPE = 1e-8


def least(
    loss: Callable[[Floats], tuple[float, Floats]], start: Floats, lowest: Floats, *, steps: int = STEPS
) -> Floats:
    """Return where a function is least, as far as steps downhill from the start lead.

    Parameters
    ----------
    loss : callable
        Returns the value and the slope, shape (k,), at a point.
    start, lowest : ndarray of float64, shape (k,)
        Where to begin, and what no number falls below; -inf for none.
    steps : int
        Most steps.

    Examples
    --------
    >>> least(lambda x: (float((x + 1) @ (x + 1)), 2 * (x + 1)), np.ones(2), np.array([0.0, -np.inf])).round(6).tolist()
    [0.0, -1.0]
    """
    point = np.maximum(start, lowest)
    value, slope = loss(point)
    inverse = np.eye(len(point))
    fresh = True
    for _ in range(steps):
        free = (point > lowest) | (slope < 0)
        if not free.any() or np.abs(slope[free]).max() < _LEAST_SLOPE:
            break
        # What presses against its bound takes no part, so that the others are not turned by it.
        downhill = np.zeros(len(point))
        downhill[free] = -(inverse[np.ix_(free, free)] @ slope[free])
        there, reached, turned = _searched(loss, point, value, slope, downhill, lowest)
        if value - reached < _LEAST_GAIN * max(abs(value), 1e-3):
            if fresh:
                break
            inverse, fresh = np.eye(len(point)), True
            continue
        inverse, fresh = _updated(inverse, there - point, turned - slope, fresh), False
        point, value, slope = there, reached, turned
    return point


def _searched(
    loss: Callable[[Floats], tuple[float, Floats]],
    point: Floats,
    value: float,
    slope: Floats,
    downhill: Floats,
    lowest: Floats,
) -> tuple[Floats, float, Floats]:
    """Return the first point of a shrinking step that brings enough; the point itself where none does."""
    size = 1.0
    while size > _LEAST_STEP:
        there = np.maximum(point + size * downhill, lowest)
        reached, turned = loss(there)
        if reached <= value + _ENOUGH * float(slope @ (there - point)) and reached < value:
            return there, reached, turned
        size /= 2
    return point, value, slope


def _updated(inverse: Floats, step: Floats, turn: Floats, fresh: bool) -> Floats:
    """Return the approximate inverse of the curvature, with what a step has told of it."""
    along = float(step @ turn)
    if along <= 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(turn)):
        return inverse
    if fresh:
        inverse = np.eye(len(step)) * (along / float(turn @ turn))
    left = np.eye(len(step)) - np.outer(step, turn) / along
    found: Floats = left @ inverse @ left.T + np.outer(step, step) / along
    return found
