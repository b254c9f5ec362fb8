"""The benchmark of calibration judges ours and its rivals alike, and judges promises on what was not drawn."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks import risk_coverage
from benchmarks.calibration import Duel, promise_rows, rival_rows, scale_rows
from benchmarks.made_outcomes import made_outcomes
from benchmarks.risk_coverage import BlockPopulation, Coverage, Draw, covered, needed
from benchmarks.rival_searches import Found, judged, optuna_or_refuse, ours, random_weights, reduction_of
from workbench.calibration import checked_outcomes
from workbench.calibration.search import margins_of
from workbench.calibration.thresholds import Problem, best_cut, problem_of
from workbench.errors import MissingDependency


def problem(requests: int = 300, seed: int = 0) -> Problem:
    return problem_of(checked_outcomes(made_outcomes(requests, seed)))


def test_equal_seeds_make_equal_outcomes_and_others_do_not() -> None:
    first, again, other = made_outcomes(200, 3), made_outcomes(200, 3), made_outcomes(200, 4)
    assert first.equals(again) and not first.equals(other)


def test_made_outcomes_are_a_workload_on_which_something_can_be_gained_and_lost() -> None:
    outcomes = checked_outcomes(made_outcomes(2_000, 1))
    assert outcomes.documents > 100
    assert 0.5 < outcomes.free.mean() < 0.95
    assert (outcomes.gain > 0).any() and (outcomes.gain < 0).any()
    assert outcomes.loss[outcomes.free].mean() > 0.03
    # What the gate expects has to do with what comes, and is not the same.
    free = outcomes.free
    expected = outcomes.signals[free, 0] - outcomes.signals[free, 1]
    real = outcomes.gain[free] / outcomes.tokens_native[free]
    assert 0.5 < np.corrcoef(expected, real)[0, 1] < 0.98


def test_weights_and_thresholds_are_judged_as_the_exact_thresholds_are() -> None:
    made = problem()
    weights = np.array([0.5, 0.3, 0.2])
    cut = best_cut(made, margins_of(made.signals, weights), 0.01)
    found = judged(made, 0.01, weights, cut.native, cut.force)
    assert found == pytest.approx(reduction_of(made, 0.01, weights)) and found > 0


def test_what_loses_too_much_is_worse_than_whatever_does_not() -> None:
    made = problem()
    assert judged(made, 0.0, np.array([0.5, 0.3, 0.2]), -1.0, -0.5) < 0


@pytest.mark.parametrize("seed", [0, 1])
def test_random_weights_find_nothing_better_than_ours(seed: int) -> None:
    made = problem(seed=seed)
    found = random_weights(made, 0.01, 0.3, seed)
    assert found.tried >= 32
    assert ours(made, 0.01).reduction >= found.reduction - 1e-9


def test_without_optuna_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(MissingDependency) as raised:
        optuna_or_refuse()
    assert str(raised.value) == (
        "The comparison with TPE needs Optuna, which is not installed; run pip install optuna."
    )


def test_a_row_counts_who_found_more() -> None:
    def duel(seed: int, own: float, other: float) -> Duel:
        return Duel(500, seed, Found(own, 0, 0.1), {"TPE over weights and thresholds": Found(other, 40, 10.0)})

    rows = list(rival_rows([duel(0, 0.30, 0.25), duel(1, 0.30, 0.30 + 1e-12), duel(2, 0.30, 0.31)]))
    assert rows[-1] == (
        "| 500 | TPE over weights and thresholds | 3 | 100 ms | 100 times | 40 | 1 | 1 | 1 | 1.333 | 5.000 | 1.000 |"
    )


def test_the_scale_is_told_with_its_aim_where_there_is_one() -> None:
    row = list(scale_rows([400]))[-1]
    assert row.startswith("| 400 | 33 | ") and row.endswith(" |  |  |")


def test_coverage_is_the_mean_over_draws() -> None:
    losses = [0.0, 0.04, 0.08, 0.04]
    found = covered(lambda _, seed: Draw(seed > 0, losses[seed], 0.5), 9, 4)
    assert found == Coverage(9, 0.1, 0.75, pytest.approx(0.04), 0.25, 0.5)  # type: ignore[arg-type]


def test_a_promised_block_threshold_holds_on_documents_that_were_not_drawn() -> None:
    population = BlockPopulation()
    few, many = covered(population, needed() - 1, 40), covered(population, 60, 40)
    assert few.kept == 0 and few.loss == 0
    assert many.kept == 1 and many.loss <= 0.05 and many.saved > 0.3


def test_a_table_of_promises_has_a_row_for_each_number_of_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(risk_coverage, "POPULATION", 300)
    rows = list(promise_rows((20,), draws=2))
    assert [row.split("|")[1].strip() for row in rows[1:]] == [
        "gate, promise 0.05",
        "block threshold, promise 0.05",
        "gate, fitted to 0.05 without a promise",
        "gate, fitted to 0.05 without a promise",
        "block threshold, fitted to 0.05 without a promise",
        "block threshold, fitted to 0.05 without a promise",
    ]
