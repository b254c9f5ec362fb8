"""The gate margin b = ws s - wc c - wr r, the thresholds, and the route that follows (seed, algorithm 2)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from numbers import Real

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint8]

_SUM_ERROR = 1e-9
"""Weights that sum to one up to rounding stay as they are, so that a saved gate decides as before."""


class Route(StrEnum):
    """Which path a request takes."""

    NATIVE = "native"
    """The artifact is read as it is."""
    ADVISORY = "advisory"
    """Both paths are open, and the agent chooses."""
    FORCE = "force"
    """The sparse path comes first; its fallback stays."""

    @property
    def code(self) -> int:
        """Number of the route in arrays: 0 native, 1 advisory, 2 force."""
        return ROUTES.index(self)


ROUTES = tuple(Route)
"""The routes by their codes."""


@dataclass(frozen=True, slots=True)
class GateWeights:
    """ws, wc, wr of the margin: positive; they are scaled so that they sum to one.

    Raises
    ------
    InvalidOption
        For what is no finite number above 0.

    Examples
    --------
    >>> GateWeights(exposure=2, cost=1, risk=1)
    GateWeights(exposure=0.5, cost=0.25, risk=0.25)
    """

    exposure: float
    cost: float
    risk: float

    def __post_init__(self) -> None:
        values = list(self)
        for known, value in zip(fields(self), values, strict=True):
            if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < value < math.inf:
                raise InvalidOption(f"The weight {known.name} is {value!r:.40}; give a finite number above 0.")
        # By the largest first, so that the sum of huge weights does not overflow.
        largest = max(values)
        total = math.fsum(values) if largest <= 1.0 else math.fsum(value / largest for value in values) * largest
        if abs(total - 1.0) > _SUM_ERROR:
            values = [float(value) / largest for value in values]
            total = math.fsum(values)
            values = [value / total for value in values]
        if not min(values) > 0.0:
            raise InvalidOption(
                f"The weights {self.exposure:g}, {self.cost:g} and {self.risk:g} are too far apart: scaled to sum to "
                "one, the smallest is 0; give weights of more alike size."
            )
        for known, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, known.name, float(value))

    def __iter__(self) -> Iterator[float]:
        return iter((self.exposure, self.cost, self.risk))

    def to_dict(self) -> dict[str, float]:
        """Return the weights by their names."""
        return {"exposure": self.exposure, "cost": self.cost, "risk": self.risk}


@dataclass(frozen=True, slots=True)
class GateThresholds:
    """θn and θf: a margin of at most ``native`` is native, one of at least ``force`` is force, advisory between.

    Margins lie in [-1, 1]. ``native=-inf`` is never native by the margin, ``force=inf`` never force.

    Raises
    ------
    InvalidOption
        For what is no number, and unless native is below force.
    """

    native: float
    force: float

    def __post_init__(self) -> None:
        for known in fields(self):
            value = getattr(self, known.name)
            if not isinstance(value, Real) or isinstance(value, bool) or math.isnan(value):
                raise InvalidOption(f"The threshold {known.name} is {value!r:.40}; give a number.")
            object.__setattr__(self, known.name, float(value))
        if not self.native < self.force:
            raise InvalidOption(
                f"The threshold native is {self.native:g} and force {self.force:g}; native must be below force."
            )

    def to_dict(self) -> dict[str, float]:
        """Return the thresholds by their names."""
        return {"native": self.native, "force": self.force}


def checked_signals(signals: npt.ArrayLike) -> Array:
    """Return signals as float64, shape (n, 3), columns s, c, r.

    Raises
    ------
    InvalidOption
        For another shape, or for a value that is no number in [0, 1]; the message names row and signal.
    """
    try:
        array = np.asarray(signals, np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidOption(f"The signals are no array of numbers ({error!s:.80}); give s, c and r a row.") from None
    if array.ndim != 2 or array.shape[1] != 3:
        raise InvalidOption(f"The signals have the shape {array.shape}; give one row a request, with s, c and r.")
    if array.size and not (array.min() >= 0.0 and array.max() <= 1.0):
        row, column = np.argwhere(~((array >= 0.0) & (array <= 1.0)))[0].tolist()
        raise InvalidOption(
            f"Signal {'scr'[column]} of row {row:,} is {array[row, column]:g}; give numbers from 0 to 1."
        )
    return array


def margin_of(signals: npt.ArrayLike, weights: GateWeights) -> Array:
    """Return the margin of each request.

    Parameters
    ----------
    signals : array_like, shape (n, 3)
        Columns s, c, r, each in [0, 1].
    weights : GateWeights

    Returns
    -------
    ndarray of float64, shape (n,)
        In [-1, 1]. A request has the same margin, to the last bit, alone and among others.

    Raises
    ------
    InvalidOption
        As ``checked_signals``.

    Examples
    --------
    >>> margin_of([[0.8, 0.1, 0.2], [0.0, 1.0, 0.5]], GateWeights(0.5, 0.25, 0.25)).tolist()
    [0.325, -0.375]
    """
    array = checked_signals(signals)
    # No matrix product: how it sums depends on the number of rows.
    return weights.exposure * array[:, 0] - weights.cost * array[:, 1] - weights.risk * array[:, 2]


def routes_of(margins: npt.ArrayLike, thresholds: GateThresholds) -> Codes:
    """Return the code of each route: 0 native, 1 advisory, 2 force.

    Parameters
    ----------
    margins : array_like, shape (n,)
        nan for a request under a constraint, which is native.
    thresholds : GateThresholds

    Returns
    -------
    ndarray of uint8, shape (n,)

    Examples
    --------
    >>> routes_of([0.4, 0.3, 0.1, 0.0, float("nan")], GateThresholds(native=0.0, force=0.3)).tolist()
    [2, 2, 1, 0, 0]
    """
    array = np.asarray(margins, np.float64)
    # Comparisons with nan are false, which leaves it native.
    return (array > thresholds.native).astype(np.uint8) + (array >= thresholds.force).astype(np.uint8)
