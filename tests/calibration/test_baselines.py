"""The oracle is an upper bound, and intervals behave as intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.calibration.made import table, workload
from workbench.calibration import calibrate, checked_outcomes
from workbench.calibration.baselines import oracle_share
from workbench.calibration.bootstrap import Bootstrap, most_without_loss, totals_of
from workbench.calibration.figures import IN_SAMPLE, measured, policy_of
from workbench.calibration.folds import folds_of, halves_of


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 80), st.integers(0, 4)), min_size=1, max_size=8),
    st.sampled_from([0.0, 0.125, 0.5, 1.0]),
)
def test_no_choice_of_requests_saves_more_than_the_oracle(rows: list[tuple[int, int, int]], tolerance: float) -> None:
    array = np.array(rows, float)
    outcomes = checked_outcomes(table(np.full((len(rows), 3), 0.5), array[:, 0], array[:, 1], array[:, 2] / 4))
    share = oracle_share(outcomes, tolerance)
    assert share @ outcomes.loss <= tolerance * len(rows) + 1e-6
    best = 0.0
    for chosen in range(1 << len(rows)):
        taken = np.array([chosen >> place & 1 for place in range(len(rows))], float)
        if taken @ outcomes.loss <= tolerance * len(rows) + 1e-9:
            best = max(best, float(taken @ outcomes.gain))
    assert share @ outcomes.gain >= best - 1e-6


def test_the_oracle_obeys_constraints_unless_told_otherwise() -> None:
    outcomes = checked_outcomes(table([[0.5] * 3] * 2, [100, 100], [10, 10], [0, 0], constraint=["", "small_file"]))
    assert oracle_share(outcomes, 0.0).tolist() == [1.0, 0.0]
    assert oracle_share(outcomes, 0.0, constrained=False).tolist() == [1.0, 1.0]


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    random, inside = np.random.default_rng(5), 0
    for seed in range(200):
        values = random.exponential(1.0, (60, 1))
        found = Bootstrap(60, seed, 400)
        low, high = found.interval(found.sums(values)[:, 0] / 60) or (0.0, 0.0)
        inside += low <= 1.0 <= high
    assert 0.88 <= inside / 200 <= 0.99


def test_bundles_of_very_many_documents_give_the_interval_of_documents() -> None:
    values = np.random.default_rng(1).exponential(1.0, (20_000, 1))
    found = Bootstrap(20_000, 0, 1_000)
    means = found.sums(np.column_stack([values, np.ones(20_000)]))
    low, high = found.interval(means[:, 0] / means[:, 1]) or (0.0, 0.0)
    assert high - low == pytest.approx(2 * 1.96 * values.std() / np.sqrt(20_000), rel=0.12)


def test_one_document_has_no_interval() -> None:
    assert Bootstrap(1, 0).interval(np.array([0.5, 0.5])) is None


def test_no_loss_seen_is_no_proof_of_none() -> None:
    outcomes = checked_outcomes(table([[0.9, 0.1, 0.1]] * 30, [100] * 30, [10] * 30, [0] * 30))
    forced = policy_of(outcomes, np.full(30, 2, np.uint8), IN_SAMPLE, "")
    loss = next(f for f in measured(outcomes, forced, outcomes.gain, Bootstrap(30, 0)) if f.name == "quality loss")
    assert (loss.level, loss.low) == (0.0, 0.0)
    assert loss.high == pytest.approx(most_without_loss(30))
    native = policy_of(outcomes, np.zeros(30, np.uint8), IN_SAMPLE, "")
    loss = next(f for f in measured(outcomes, native, outcomes.gain, Bootstrap(30, 0)) if f.name == "quality loss")
    assert loss.high == 0.0, "native reads cannot lose"


def test_totals_add_up() -> None:
    totals = totals_of(np.array([0, 1, 0]), 3, [np.array([1.0, 2.0, 3.0]), np.ones(3)])
    assert totals.tolist() == [[4.0, 2.0], [2.0, 1.0], [0.0, 0.0]]


@given(st.sets(st.text(max_size=8), min_size=1, max_size=30), st.integers(2, 7), st.integers(0, 5))
def test_folds_and_halves_hang_on_names_alone_and_are_even(names: set[str], folds: int, seed: int) -> None:
    ordered = sorted(names)
    fold, half = folds_of(ordered, folds, seed), halves_of(ordered, seed)
    turned = folds_of(ordered[::-1], folds, seed)[::-1]
    assert fold.tolist() == turned.tolist()
    if len(names) > 1:
        assert np.ptp(np.bincount(fold, minlength=min(folds, len(names)))) <= 1
    assert half.sum() - (half == 0).sum() in (0, 1)


def test_the_report_fits_the_terminal_and_says_all_parts() -> None:
    found = calibrate(workload(300, 20))
    report = found.report()
    wide = [sum(2 if ord(mark) > 0x2E80 else 1 for mark in line) for line in report.splitlines()]
    assert max(wide) <= 80
    for part in (
        "Calibration on 300 requests about 20 documents",
        "Figures with 95 % intervals over documents",
        "always force",
        "By scenario, out of sample",
        "By document type, out of sample",
        "合同",
        "What more tolerance buys",
        "Tenths of the margin",
        "Requests that change route when a weight changes, in sample",
        "Promise: Nothing is promised beyond the out-of-sample figures.",
    ):
        assert part in report


def test_the_html_escapes_and_says_where_figures_hold() -> None:
    frame = workload(60, 8).assign(scenario="<b>$5 to $9</b>")
    shown = calibrate(frame)._repr_html_()
    assert "<div class='mathjax_ignore tex2jax_ignore'" in shown
    assert shown.index(">out of sample<") < shown.index(">in sample<") < shown.index(">token reduction<")
    assert "<b>$5" not in shown
