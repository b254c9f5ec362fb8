"""Weights that a small change does not upset."""

from __future__ import annotations

import numpy as np
import pytest

from tests.calibration.made import table
from workbench.calibration import SearchOptions, calibrate
from workbench.calibration.outcomes import checked_outcomes
from workbench.calibration.steadiness import steadiest, turning
from workbench.calibration.thresholds import problem_of
from workbench.errors import InvalidOption


def crowd() -> tuple[np.ndarray, np.ndarray]:
    """Two clear groups, and a crowd of like requests of which a lucky cut can take some more."""
    random = np.random.default_rng(0)
    clear = np.column_stack([random.uniform(0.8, 0.9, 40), random.uniform(0.05, 0.1, 40), random.uniform(0.0, 0.1, 40)])
    like = np.column_stack(
        [random.normal(0.5, 0.004, 120), random.normal(0.3, 0.004, 120), random.normal(0.3, 0.01, 120)]
    )
    signals = np.clip(np.vstack([clear, like]), 0, 1)
    loss = np.concatenate([np.zeros(40), (random.random(120) < 0.3).astype(float)])
    return signals, loss


def test_a_little_saving_is_given_up_for_weights_under_which_few_requests_turn() -> None:
    signals, loss = crowd()
    native = np.concatenate([np.full(40, 20_000.0), np.full(120, 900.0)])
    outcomes = table(signals, native, native * 0.3, loss, documents=[f"d{row % 16}" for row in range(160)])
    greedy = calibrate(outcomes, quality_tolerance=0.05, search=SearchOptions(given_up=0.0))
    steady = calibrate(outcomes, quality_tolerance=0.05, search=SearchOptions(given_up=0.1))
    turned = [sum(len(flip.requests) for flip in result.flips.flips) for result in (greedy, steady)]
    assert turned[1] < turned[0]
    saved = [result.in_sample[0].level for result in (greedy, steady)]
    assert saved[0] >= saved[1] >= 0.9 * saved[0]


def test_of_equally_steady_weights_the_best_are_taken() -> None:
    signals = np.array([[0.9, 0.1, 0.1]] * 20 + [[0.1, 0.9, 0.9]] * 20)
    outcomes = checked_outcomes(table(signals, [9000] * 40, [900] * 20 + [20_000] * 20, [0] * 40))
    problem = problem_of(outcomes)
    weights = np.array([[0.5, 0.3, 0.2], [0.4, 0.3, 0.3]])
    assert [turning(problem, 0.01, row) for row in weights] == [0, 0]
    assert steadiest(problem, 0.01, weights, np.array([5.0, 4.99]), 0.02).tolist() == [0.5, 0.3, 0.2]


def test_what_may_be_given_up_has_a_range() -> None:
    with pytest.raises(InvalidOption, match=r"^given_up is 0\.7; give a number from 0 to 0\.5\.$"):
        SearchOptions(given_up=0.7)
