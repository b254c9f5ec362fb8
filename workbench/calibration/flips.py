"""How firmly requests stand: which of them change route when one weight is 5 % more or less."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..gate.margin import ROUTES
from .outcomes import Floats, Outcomes
from .rules import Rule, gate_weights
from .steadiness import CHANGE, changed_weights

if TYPE_CHECKING:
    import pandas as pd

WEIGHTS = ("exposure", "cost", "risk")


@dataclass(frozen=True, eq=False)
class Flip:
    """What one change of one weight does; the weights are scaled to sum to one again.

    Attributes
    ----------
    weight : str
    change : float
        -0.05 or 0.05.
    requests : array of str
        Those that change route, in the order of the table.
    before, after : array of uint8
        Their routes, as the gate's codes.
    margin_before, margin_after : array of float64
    share : float
        Of all requests.
    """

    weight: str
    change: float
    requests: npt.NDArray[np.object_]
    before: npt.NDArray[np.uint8]
    after: npt.NDArray[np.uint8]
    margin_before: Floats
    margin_after: Floats
    share: float


@dataclass(frozen=True, eq=False)
class FlipSweep:
    """Every change of every weight; the thresholds stay."""

    flips: tuple[Flip, ...]
    requests: int

    def __repr__(self) -> str:
        return f"FlipSweep({len(self.changed):,} of {self.requests:,} requests change route within ±{CHANGE:.0%})"

    @property
    def changed(self) -> tuple[str, ...]:
        """Requests that change route at any change, each once, in the order of their ids."""
        return tuple(sorted({str(name) for flip in self.flips for name in flip.requests}))

    def to_frame(self) -> pd.DataFrame:
        """Return one row a request and change: weight, change, request, route, new_route, margin, new_margin."""
        import pandas as pd

        names = np.array([route.value for route in ROUTES], object)
        parts = [
            pd.DataFrame(
                {
                    "weight": flip.weight,
                    "change": flip.change,
                    "request": flip.requests,
                    "route": names[flip.before],
                    "new_route": names[flip.after],
                    "margin": flip.margin_before,
                    "new_margin": flip.margin_after,
                }
            )
            for flip in self.flips
        ]
        return pd.concat(parts, ignore_index=True)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts of every change, and the requests that change route at any."""
        return {
            "requests": self.requests,
            "changed": len(self.changed),
            "changes": [
                {"weight": flip.weight, "change": flip.change, "requests": len(flip.requests), "share": flip.share}
                for flip in self.flips
            ],
        }


def flips_of(outcomes: Outcomes, rule: Rule) -> FlipSweep:
    """Return which requests change route when one weight is 5 % less or more."""
    margins = rule.margins(outcomes)
    before = rule.routes(outcomes, margins)
    flips = []
    for place, change, moved in changed_weights(rule.weights):
        other = Rule(gate_weights(moved / moved.sum()), rule.thresholds)
        margins_after = other.margins(outcomes)
        after = other.routes(outcomes, margins_after)
        at = np.flatnonzero(before != after)
        flips.append(
            Flip(
                WEIGHTS[place],
                change,
                outcomes.request[at],
                before[at],
                after[at],
                margins[at],
                margins_after[at],
                len(at) / len(outcomes),
            )
        )
    return FlipSweep(tuple(flips), len(outcomes))
