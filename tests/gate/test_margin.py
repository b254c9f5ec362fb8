"""The gate margin and the route: exact at the thresholds, equal alone and among others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import InvalidOption
from workbench.gate.margin import ROUTES, GateThresholds, GateWeights, Route, margin_of, routes_of

positive = st.floats(1e-6, 1e6)
weights_drawn = st.builds(GateWeights, positive, positive, positive)
unit = st.floats(0.0, 1.0)
rows = st.lists(st.tuples(unit, unit, unit), min_size=1, max_size=30)


@settings(deadline=None)
@given(positive, positive, positive)
def test_weights_sum_to_one_and_stay_as_they_are(s: float, c: float, r: float) -> None:
    weights = GateWeights(s, c, r)
    assert sum(weights) == pytest.approx(1.0)
    assert GateWeights(*weights) == weights
    assert weights.exposure / weights.cost == pytest.approx(s / c)


def test_huge_and_tiny_weights_are_scaled_too() -> None:
    assert list(GateWeights(1e308, 1e308, 1e308)) == pytest.approx([1 / 3] * 3)
    assert list(GateWeights(1e-300, 1e-300, 2e-300)) == pytest.approx([0.25, 0.25, 0.5])
    with pytest.raises(InvalidOption, match="are too far apart: scaled to sum to one, the smallest is 0"):
        GateWeights(1e308, 1.0, 1e-308)


@pytest.mark.parametrize("value", [0, -1.0, math.nan, math.inf, "1", True, None])
def test_a_weight_that_is_no_positive_number_is_refused(value: object) -> None:
    with pytest.raises(InvalidOption, match=f"The weight cost is {value!r}; give a finite number above 0"):
        GateWeights(0.5, value, 0.5)  # type: ignore[arg-type]


def test_native_must_be_below_force() -> None:
    with pytest.raises(InvalidOption, match=r"The threshold native is 0.2 and force 0.2; native must be below force."):
        GateThresholds(0.2, 0.2)
    with pytest.raises(InvalidOption, match=r"The threshold force is nan; give a number."):
        GateThresholds(0.2, math.nan)


def test_a_tie_with_a_threshold_is_force_or_native() -> None:
    at = GateThresholds(native=0.1, force=0.3)
    margins = [0.3, np.nextafter(0.3, 0), np.nextafter(0.1, 1), 0.1, -1.0, 1.0]
    assert [ROUTES[code].value for code in routes_of(margins, at)] == [
        "force",
        "advisory",
        "advisory",
        "native",
        "native",
        "force",
    ]


def test_infinite_thresholds_mean_never_and_always() -> None:
    margins = [-1.0, 0.0, 1.0]
    assert routes_of(margins, GateThresholds(-math.inf, math.inf)).tolist() == [1, 1, 1]
    assert routes_of(margins, GateThresholds(-math.inf, -1.0)).tolist() == [2, 2, 2]
    assert routes_of(margins, GateThresholds(1.0, math.inf)).tolist() == [0, 0, 0]


def test_a_request_under_a_constraint_has_no_margin_and_is_native() -> None:
    assert routes_of([math.nan], GateThresholds(-math.inf, math.inf)).tolist() == [Route.NATIVE.code]


@settings(deadline=None)
@given(rows, weights_drawn)
def test_a_request_has_the_same_margin_alone_and_among_others(
    signals: list[tuple[float, float, float]], weights: GateWeights
) -> None:
    together = margin_of(signals, weights)
    assert together.tolist() == [margin_of([row], weights)[0] for row in signals]
    assert (np.abs(together) <= 1.0 + 1e-12).all()


@settings(deadline=None)
@given(st.tuples(unit, unit, unit), st.tuples(unit, unit, unit), weights_drawn)
def test_margin_rises_with_exposure_and_falls_with_cost_and_risk(
    one: tuple[float, float, float], other: tuple[float, float, float], weights: GateWeights
) -> None:
    better = [max(one[0], other[0]), min(one[1], other[1]), min(one[2], other[2])]
    assert margin_of([better], weights)[0] >= margin_of([one], weights)[0]


@pytest.mark.parametrize(
    ("signals", "message"),
    [
        ([[0.5, math.nan, 0.5]], "Signal c of row 0 is nan; give numbers from 0 to 1."),
        ([[0.5, 0.5, 0.5], [math.inf, 0.5, 0.5]], "Signal s of row 1 is inf; give numbers from 0 to 1."),
        ([[0.5, 0.5, -0.1]], "Signal r of row 0 is -0.1; give numbers from 0 to 1."),
        ([0.5, 0.5, 0.5], r"The signals have the shape \(3,\); give one row a request, with s, c and r."),
        ([["a", 0, 0]], "The signals are no array of numbers"),
    ],
)
def test_signals_that_are_no_numbers_from_0_to_1_are_refused_by_row(signals: object, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        margin_of(signals, GateWeights(1, 1, 1))  # type: ignore[arg-type]


def test_no_requests_have_no_margins() -> None:
    assert margin_of(np.zeros((0, 3)), GateWeights(1, 1, 1)).shape == (0,)
    assert routes_of([], GateThresholds(0, 1)).dtype == np.uint8
