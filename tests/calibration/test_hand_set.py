"""A rule set by hand is judged as a calibration is, and says that all of it is in sample."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.calibration import calibrate, checked_outcomes
from workbench.calibration.hand_set import (
    SET_BY_HAND,
    confusion,
    is_set_by_hand,
    judged,
    judged_on,
    starting_rule,
    tuned_on,
    wrong_routes,
)
from workbench.errors import InvalidOption, InvalidOutcomes
from workbench.gate.margin import GateThresholds, GateWeights

from .made import table, workload

WEIGHTS = GateWeights(0.4, 0.3, 0.3)
THRESHOLDS = GateThresholds(native=0.0, force=0.2)


def test_the_figures_are_those_of_a_calibration_with_the_same_rule() -> None:
    outcomes = workload(200, 20)
    fitted = calibrate(outcomes, quality_tolerance=0.05, draws=200)
    by_hand = judged(outcomes, fitted.weights, fitted.thresholds, tolerance=0.05, draws=200)
    assert [figure.level for figure in by_hand.in_sample if "regret" not in figure.name] == [
        figure.level for figure in fitted.in_sample if "regret" not in figure.name
    ]
    assert [(figure.low, figure.high) for figure in by_hand.in_sample if "regret" not in figure.name] == [
        (figure.low, figure.high) for figure in fitted.in_sample if "regret" not in figure.name
    ]
    np.testing.assert_array_equal(by_hand.inside.routes, fitted.inside.routes)
    assert by_hand.flips.to_dict() == fitted.flips.to_dict()


def test_every_figure_of_the_rule_is_labelled_in_sample() -> None:
    found = judged(workload(100, 10), WEIGHTS, THRESHOLDS, draws=50)
    assert {figure.split for figure in found.figures} == {"in sample"}
    assert found.out_of_sample == found.test == ()
    assert found.figure("quality loss").basis == "the 100 requests it was set on"
    assert {point.split for point in found.reliability} == {"in sample"}
    assert found.notes[0] == SET_BY_HAND == "Weights and thresholds were set by hand, so every figure is in sample."
    assert is_set_by_hand(found)
    assert not is_set_by_hand(calibrate(workload(60, 6), draws=50))


def test_a_rule_from_elsewhere_says_where_it_comes_from() -> None:
    found = judged(workload(100, 10), WEIGHTS, THRESHOLDS, draws=50, said="Weights and thresholds are those of a file.")
    assert found.notes == ("Weights and thresholds are those of a file.",)
    assert not is_set_by_hand(found)
    assert found.out_of_sample == found.frontier == ()


def test_nothing_is_promised_and_the_promise_says_what_could_be() -> None:
    found = judged(workload(100, 10), WEIGHTS, THRESHOLDS, draws=50)
    assert found.promise.alpha is None
    assert str(found.promise).startswith("Nothing is promised beyond the out-of-sample figures.")
    assert found.promise.promise_documents == 5


def test_a_profile_of_it_says_in_a_note_that_it_was_set_by_hand(project_dir: Path) -> None:
    from workbench.calibration.profiles import profile_of
    from workbench.gate.profile import GateProfile

    shipped = GateProfile.load(project_dir / "datasets" / "dev" / "gate.json")
    reader = shipped.model_dump(mode="json", include={"block", "models", "rules"})
    found = judged(workload(100, 10), WEIGHTS, THRESHOLDS, draws=50)
    profile = profile_of(found, reader=reader, created=datetime(2026, 11, 30, tzinfo=UTC))
    assert SET_BY_HAND in profile.notes
    assert is_set_by_hand(profile)
    assert not is_set_by_hand(shipped)
    assert {figure.sample for figure in profile.figures} == {"in sample"}


def test_rows_of_the_split_test_are_in_no_figure() -> None:
    outcomes = workload(100, 10)
    outcomes["split"] = np.where(outcomes["document"].str[-5] < "3", "test", "dev")
    found = judged(outcomes, WEIGHTS, THRESHOLDS, draws=50)
    left = int((outcomes["split"] == "test").sum())
    assert len(found.outcomes) == 100 - left
    assert found.notes[1] == f"{left} requests of the split test are in no figure; calibrate judges them once."
    outcomes["split"] = "test"
    with pytest.raises(InvalidOutcomes, match="Every row of the outcomes is of the split test, so nothing is left"):
        judged(outcomes, WEIGHTS, THRESHOLDS)


def test_requests_whose_evidence_was_not_found_are_in_no_figure() -> None:
    outcomes = workload(20, 4)
    outcomes["evidence"], outcomes["quality_kind"] = 1, "evidence recall"
    outcomes["evidence_unresolved"] = [1, *[0] * 19]
    found = judged(outcomes, WEIGHTS, THRESHOLDS, draws=50)
    assert len(found.outcomes) == 19
    assert found.notes[1] == (
        "1 request names evidence of which none was found, so nothing says what sparse reading loses there: in no "
        "figure."
    )


def test_the_oracle_may_lose_what_the_rule_loses() -> None:
    outcomes = table([[0.9, 0, 0], [0.8, 0, 0]], [1000, 1000], [100, 100], [1.0, 0.0])
    found = judged(outcomes, WEIGHTS, GateThresholds(native=-0.5, force=0.1), tolerance=0.0, draws=50)
    assert found.figure("quality loss").level == 0.5
    assert found.figure("regret").level == 0.0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(0.9, 1000, 100, 0.0)], {"force": [0, 1], "advisory": [0, 0], "native": [0, 0]}),
        ([(0.9, 100, 1000, 0.0)], {"force": [1, 0], "advisory": [0, 0], "native": [0, 0]}),
        ([(0.0, 1000, 100, 0.0)], {"force": [0, 0], "advisory": [0, 0], "native": [0, 1]}),
        ([(0.2, 1000, 100, 0.0)], {"force": [0, 0], "advisory": [0, 1], "native": [0, 0]}),
    ],
)
def test_confusion_counts_routes_against_the_oracles(
    rows: list[tuple[float, float, float, float]], expected: dict[str, list[int]]
) -> None:
    signals, native, sparse, loss = zip(*[((s, 0, 0), n, q, lost) for s, n, q, lost in rows], strict=True)
    found = judged(table(signals, native, sparse, loss), WEIGHTS, THRESHOLDS, draws=50)
    counts = confusion(found)
    assert list(counts.index) == ["force", "advisory", "native"]
    assert list(counts.columns) == ["native", "force"]
    assert {route: counts.loc[route].tolist() for route in counts.index} == expected
    assert bool(wrong_routes(found)[0]) == (expected["force"][0] + expected["native"][1] == 1)


def test_confusion_counts_every_request_once_and_out_of_sample_where_there_is_any() -> None:
    fitted = calibrate(workload(120, 12), draws=50)
    assert fitted.outside is not None
    counts = confusion(fitted)
    assert int(counts.to_numpy().sum()) == 120
    assert counts.sum(axis=1).tolist() == np.bincount(fitted.outside.routes, minlength=3)[::-1].tolist()


def test_the_starting_rule_has_equal_weights_and_keeps_the_tolerance() -> None:
    outcomes = checked_outcomes(workload(200, 20))
    rule = starting_rule(outcomes, 0.01)
    assert rule.weights == GateWeights(1, 1, 1)
    found = judged_on(outcomes, rule.weights, rule.thresholds, draws=50)
    assert found.figure("quality loss").level <= 0.01
    never = starting_rule(checked_outcomes(table([[0.5, 0.5, 0.5]], [100], [900], [0])), 0.01)
    assert never.thresholds.native >= 1.0


def test_one_request_one_document_and_all_native_have_figures() -> None:
    one = judged(workload(1, 1), WEIGHTS, THRESHOLDS, draws=50)
    assert one.figure("token reduction").low is None
    same = judged(workload(30, 1), WEIGHTS, THRESHOLDS, draws=50)
    assert same.figure("token reduction").documents == 1
    native = judged(workload(30, 6), WEIGHTS, GateThresholds(native=1.0, force=2.0), draws=50)
    assert native.figure("token reduction").level == native.figure("quality loss").level == 0.0
    assert confusion(native).loc[["force", "advisory"]].to_numpy().sum() == 0


def test_what_is_no_rule_and_no_table_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"The rule is None and .*; give a GateWeights and a GateThresholds\."):
        judged(workload(10, 2), None, THRESHOLDS)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=r"quality_tolerance is 2; give a number from 0 to 1\."):
        judged(workload(10, 2), WEIGHTS, THRESHOLDS, tolerance=2)
    with pytest.raises(InvalidOutcomes, match="The table of outcomes has no rows"):
        judged(workload(10, 2).iloc[:0], WEIGHTS, THRESHOLDS)
    assert tuned_on(workload(10, 2))[1] == ()


@settings(max_examples=30, deadline=None)
@given(
    weights=st.tuples(*[st.floats(0.01, 1.0)] * 3),
    native=st.floats(-1, 0.99),
    width=st.floats(0.001, 1),
    seed=st.integers(0, 5),
)
def test_what_is_saved_lost_and_counted_adds_up(
    weights: tuple[float, float, float], native: float, width: float, seed: int
) -> None:
    outcomes = workload(60, 7, seed)
    found = judged(outcomes, GateWeights(*weights), GateThresholds(native, native + width), draws=20)
    share, at = found.inside.share, found.outcomes
    assert math.isclose(found.figure("token reduction").level, (share * at.gain).sum() / at.tokens_native.sum())
    assert math.isclose(found.figure("quality loss").level, (share * at.loss).mean(), abs_tol=1e-12)
    assert int(confusion(found).to_numpy().sum()) == 60
    assert not found.inside.share[~at.free].any()
    assert isinstance(found.to_frame(), pd.DataFrame)
