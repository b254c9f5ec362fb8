"""Weights for every order that a handful of requests can have: the search is exact for small tables.

Two requests change places on a line through the simplex. All these lines cut it into cells, and inside a cell nothing
changes. Around every corner of a cell four points are taken, one a sector; points that put the requests into the same
order lie in the same cell, and cells are convex, so that their mean stands for it.
"""

from __future__ import annotations

import numpy as np

from .outcomes import Floats

_NEAR = 1e-5
_SIGNS = np.array([1.0, -1.0, -1.0])


def cell_weights(signals: Floats, least: float) -> Floats:
    """Return weights inside every cell of the simplex, shape (cells, 3), in a fixed order.

    Parameters
    ----------
    signals : array of float64, shape (m, 3)
        A dozen at most: with m of them there are about m^4 / 8 corners.
    least : float
        No weight is smaller.

    Examples
    --------
    >>> first, second = cell_weights(np.array([[0.5, 0.0, 0.0], [0.9, 0.4, 0.0]]), 0.001)
    >>> bool(first[0] > first[1]), bool(second[0] > second[1])  # exposure weighs more than cost, or less
    (True, False)
    """
    distinct = np.unique(signals, axis=0) * _SIGNS
    first, second = np.triu_indices(len(distinct), 1)
    differences = distinct[first] - distinct[second]
    # w = (a, b, 1 - a - b): a request's line is a (d0 - d2) + b (d1 - d2) + d2 = 0, and the three sides are lines too.
    lines = np.column_stack([differences[:, :2] - differences[:, 2:], differences[:, 2]])
    lines = np.vstack([lines, [[1, 0, -least], [0, 1, -least], [-1, -1, 1 - least]]])
    lines = lines[np.abs(lines[:, :2]).max(axis=1) > 1e-12]
    i, j = np.triu_indices(len(lines), 1)
    across = lines[i, 0] * lines[j, 1] - lines[i, 1] * lines[j, 0]
    i, j, across = (part[np.abs(across) > 1e-12] for part in (i, j, across))
    corner = np.column_stack(
        [
            (lines[i, 1] * lines[j, 2] - lines[j, 1] * lines[i, 2]) / across,
            (lines[j, 0] * lines[i, 2] - lines[i, 0] * lines[j, 2]) / across,
        ]
    )
    along = np.column_stack([-lines[:, 1], lines[:, 0]])
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    sectors = [sign * along[i] + other * along[j] for sign in (1, -1) for other in (1, -1)]
    flat = np.vstack([corner + _NEAR * sector for sector in sectors])
    points = np.column_stack([flat, 1 - flat.sum(axis=1)])
    points = points[(points >= least).all(axis=1)]
    if len(points) == 0:
        return np.empty((0, 3))
    order = np.argsort(points @ distinct.T, axis=1, kind="stable")
    _, cell = np.unique(order, axis=0, return_inverse=True)
    size = np.bincount(cell.ravel())
    return np.column_stack([np.bincount(cell.ravel(), weights=points[:, place]) / size for place in range(3)])
