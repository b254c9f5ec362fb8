"""Weights that a small change does not upset: among nearly the best, those under which the fewest requests turn.

The best cell of the simplex may be a sliver that cuts a crowd of like requests in two. Its saving is real for these
requests, and an accident: a weight that is five percent less sends half of them another way. So a small share of the
saving is given up for weights whose thresholds stand in a gap.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..gate.margin import GateThresholds, GateWeights, margin_of, routes_of
from .outcomes import Floats
from .thresholds import Problem, best_cut

CHANGE = 0.05
"""By which share each weight is made less and more, one at a time."""
LOOKED_AT = 48
"""Weights, nearly the best and apart from each other, that are compared."""


def steadiest(problem: Problem, tolerance: float, weights: Floats, values: Floats, given_up: float) -> Floats:
    """Return the weights under which the fewest requests turn; the best ones, of equal ones.

    Parameters
    ----------
    problem : Problem
    tolerance : float
    weights : ndarray of float64, shape (k, 3)
        The best first.
    values : ndarray of float64, shape (k,)
        Tokens that they save.
    given_up : float
        Share of the most that is saved which may be given up, in [0, 1).
    """
    good = np.flatnonzero(values >= (1 - given_up) * values.max())[:LOOKED_AT]
    turned = [turning(problem, tolerance, weights[at]) for at in good]
    return np.asarray(weights[good[int(np.argmin(turned))]])


def turning(problem: Problem, tolerance: float, weights: Floats) -> int:
    """Return how many requests, over all changes of one weight, turn under weights with their best thresholds."""
    own = GateWeights(*weights.tolist())
    margins = margin_of(problem.signals, own)
    cut = best_cut(problem, margins, tolerance)
    thresholds = GateThresholds(native=cut.native, force=cut.force)
    before = routes_of(margins, thresholds)
    turned = 0
    for _, _, moved in changed_weights(own):
        after = routes_of(margin_of(problem.signals, GateWeights(*moved.tolist())), thresholds)
        turned += int((after != before).sum())
    return turned


def changed_weights(weights: GateWeights) -> Iterator[tuple[int, float, Floats]]:
    """Yield the place of a weight, its change, and all weights after it, whose sum is no longer 1."""
    for place in range(3):
        for change in (-CHANGE, CHANGE):
            moved = np.array(list(weights))
            moved[place] *= 1 + change
            yield place, change, moved
