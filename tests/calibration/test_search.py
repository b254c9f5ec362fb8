"""Weights are searched over the whole simplex, and of equal ones the middle is taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.calibration.made import table, workload
from workbench.calibration.outcomes import checked_outcomes
from workbench.calibration.search import Judge, SearchOptions, best_weights, margins_of, simplex_grid
from workbench.calibration.thresholds import best_cut, problem_of
from workbench.errors import InvalidOption

TENTHS = st.integers(0, 10).map(lambda value: value / 10)
ROWS = st.lists(
    st.tuples(TENTHS, TENTHS, TENTHS, st.integers(0, 100), st.integers(0, 200), st.integers(0, 8)),
    min_size=1,
    max_size=12,
)


def test_the_grid_holds_every_inner_point_once() -> None:
    grid = simplex_grid(10)
    assert len(grid) == len(np.unique(grid, axis=0)) == 36
    assert np.allclose(grid.sum(axis=1), 1) and grid.min() > 0


@settings(max_examples=40, deadline=None)
@given(ROWS, st.sampled_from([0.0, 0.05, 0.2, 1.0]))
def test_a_fine_grid_of_weights_finds_nothing_better(
    rows: list[tuple[float, float, float, int, int, int]], tolerance: float
) -> None:
    array = np.array(rows, float)
    problem = problem_of(checked_outcomes(table(array[:, :3], array[:, 3], array[:, 4], array[:, 5] / 8)))
    found = best_weights(problem, tolerance)
    assert found.sum() == pytest.approx(1) and found.min() > 0
    saved = best_cut(problem, margins_of(problem.signals, found), tolerance).saved
    oracle = max(best_cut(problem, margins_of(problem.signals, row), tolerance).saved for row in simplex_grid(40))
    assert saved >= oracle - 1e-9


def test_signals_that_say_nothing_give_equal_weights() -> None:
    problem = problem_of(checked_outcomes(table([[0.5, 0.5, 0.5]] * 4, [10] * 4, [5] * 4, [0] * 4)))
    assert best_weights(problem, 0.01) == pytest.approx(np.full(3, 1 / 3), abs=0.02)


def test_a_sample_first_and_all_requests_last_is_nearly_as_good_as_all_requests_throughout() -> None:
    problem = problem_of(checked_outcomes(workload(3_000, 200)))
    both = [
        best_cut(problem, margins_of(problem.signals, best_weights(problem, 0.01, options=options)), 0.01).saved
        for options in (SearchOptions(sample=600), SearchOptions(sample=3_000))
    ]
    assert both[0] >= 0.995 * both[1]


def test_equal_problems_have_equal_weights() -> None:
    problem = problem_of(checked_outcomes(workload(500, 30)))
    assert best_weights(problem, 0.01).tolist() == best_weights(problem, 0.01).tolist()


@pytest.mark.parametrize(("name", "value", "least"), [("steps", 2, 3), ("sample", 10, 100), ("starts", 1.5, 1)])
def test_options_of_the_search_are_checked(name: str, value: float, least: int) -> None:
    with pytest.raises(InvalidOption) as raised:
        SearchOptions(**{name: value})  # type: ignore[arg-type]
    assert str(raised.value) == f"{name} is {value}; give a whole number of at least {least}."


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.05, 1.0])
def test_weights_are_judged_by_their_exact_thresholds(tied: bool, tolerance: float) -> None:
    made = workload(300, 20)
    made[["s", "c", "r"]] = made[["s", "c", "r"]].round(1 if tied else 6)
    problem = problem_of(checked_outcomes(made))
    weights = np.random.default_rng(0).dirichlet(np.ones(3), 40)
    found = Judge(problem, [tolerance])(weights)[:, 0]
    cuts = [best_cut(problem, margins_of(problem.signals, row), tolerance).saved for row in weights]
    assert found == pytest.approx(np.array(cuts), abs=1e-6)


def test_a_best_step_that_is_narrower_than_the_grid_is_found() -> None:
    random = np.random.default_rng(5)
    signals = random.random((200, 3))
    # Only weights close to these leave the requests that lose below all that save.
    b = signals @ np.array([0.47, -0.31, -0.22])
    saves = b > np.quantile(b, 0.5)
    problem = problem_of(checked_outcomes(table(signals, [100] * 200, [50] * 200, np.where(saves, 0.0, 1.0))))
    best = 50 * saves.sum()
    assert Judge(problem, [0.0])(simplex_grid(48)).max() < best
    weights = best_weights(problem, 0.0, options=SearchOptions(given_up=0.0))
    found = best_cut(problem, margins_of(problem.signals, weights), 0.0)
    assert found.saved == best
