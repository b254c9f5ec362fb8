"""What a calibrated rule is measured against: always force, always native, a rule on size, and the oracle."""

from __future__ import annotations

import numpy as np

from ..gate.margin import Route
from .figures import IN_SAMPLE, OUT_OF_SAMPLE, Policy
from .outcomes import Floats, Mask, Outcomes
from .thresholds import SLACK

SIZE_RULE_BYTES = 4_096
"""Above this size an artifact is read sparsely: the rule that is common in the field."""


def oracle_share(outcomes: Outcomes, tolerance: float, *, constrained: bool = True) -> Floats:
    """Return the share of the sparse path that knows every outcome: the most tokens saved within the tolerance.

    No rule on any signals saves more within the same mean loss. Requests that save tokens and lose nothing are read
    sparsely, then those that save most for what they lose, the last of them in part (Dantzig 1957).

    Parameters
    ----------
    outcomes : Outcomes
    tolerance : float
    constrained : bool
        Whether hard constraints hold for the oracle too.

    Returns
    -------
    array of float64, shape (n,)
    """
    useful = outcomes.gain > 0
    if constrained:
        useful &= outcomes.free
    share = np.where(useful & (outcomes.loss <= 0), 1.0, 0.0)
    costly = np.flatnonzero(useful & (outcomes.loss > 0))
    order = costly[np.argsort(-outcomes.gain[costly] / outcomes.loss[costly], kind="stable")]
    spent = np.cumsum(outcomes.loss[order])
    room = (tolerance + SLACK) * len(outcomes)
    share[order[spent <= room]] = 1.0
    next_one = int(np.searchsorted(spent, room, side="right"))
    if next_one < len(order):
        left = room - (spent[next_one - 1] if next_one else 0.0)
        part = left / outcomes.loss[order[next_one]]
        share[order[next_one]] = part if part > 1e-6 else 0.0
    return share


def baselines_of(outcomes: Outcomes, tolerance: float) -> dict[str, Policy]:
    """Return the baselines by name; the size rule only where the table says how large artifacts are.

    Always force and the size rule know no hard constraints. Nothing is fitted in them, so their figures are out of
    sample as they stand; the oracle looks at the outcomes, so its figures are in sample.
    """
    every = np.ones(len(outcomes), bool)
    found = {
        "always force": _fixed(every, "a rule without anything fitted"),
        "always native": _fixed(~every, "a rule without anything fitted"),
    }
    if outcomes.artifact_bytes is not None:
        large = outcomes.artifact_bytes > SIZE_RULE_BYTES
        found[f"size rule ({SIZE_RULE_BYTES:,} bytes)"] = _fixed(large, "a rule without anything fitted")
    for name, constrained in (("oracle", True), ("oracle without constraints", False)):
        share = oracle_share(outcomes, tolerance, constrained=constrained)
        routes = np.where(share > 0, Route.FORCE.code, Route.NATIVE.code).astype(np.uint8)
        found[name] = Policy(routes, share, IN_SAMPLE, "each request's own outcome")
    return found


def _fixed(sparse: Mask, basis: str) -> Policy:
    routes = np.where(sparse, Route.FORCE.code, Route.NATIVE.code).astype(np.uint8)
    return Policy(routes, sparse.astype(np.float64), OUT_OF_SAMPLE, basis)
