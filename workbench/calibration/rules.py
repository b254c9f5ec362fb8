"""A rule: weights and thresholds, what it says of requests, and how it is fitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..gate.margin import GateThresholds, GateWeights, margin_of, routes_of
from .outcomes import Floats, Outcomes
from .search import SearchOptions, best_weights
from .thresholds import HIGHEST, Cut, best_cut, problem_of


@dataclass(frozen=True, slots=True)
class Rule:
    """Weights and thresholds of a gate, as they are chosen."""

    weights: GateWeights
    thresholds: GateThresholds

    def margins(self, outcomes: Outcomes) -> Floats:
        """Return the margin of every request, whether a hard constraint holds or not; shape (n,)."""
        return margin_of(outcomes.signals, self.weights)

    def routes(self, outcomes: Outcomes, margins: Floats | None = None) -> npt.NDArray[np.uint8]:
        """Return the route of every request, as the gate's codes; native under a hard constraint."""
        b = self.margins(outcomes) if margins is None else margins
        return routes_of(np.where(outcomes.free, b, np.nan), self.thresholds)


ALL_NATIVE = (HIGHEST, 2 * HIGHEST)
"""Thresholds that leave every request native, for no margin reaches the first."""


def rule_of(weights: GateWeights, native: float, force: float) -> Rule:
    """Return a rule from weights and two margins."""
    return Rule(weights, GateThresholds(native=native, force=force))


def fitted(outcomes: Outcomes, tolerance: float, *, seed: int, options: SearchOptions) -> tuple[Rule, Cut]:
    """Return the rule that saves the most tokens within a tolerance for the mean loss, and what it does there."""
    problem = problem_of(outcomes)
    weights = gate_weights(best_weights(problem, tolerance, seed=seed, options=options))
    cut = best_cut(problem, margin_of(problem.signals, weights), tolerance)
    return rule_of(weights, cut.native, cut.force), cut


def gate_weights(weights: Floats) -> GateWeights:
    """Return weights of the search as the gate's."""
    exposure, cost, risk = (float(weight) for weight in weights)
    return GateWeights(exposure=exposure, cost=cost, risk=risk)
