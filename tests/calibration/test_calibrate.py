"""A calibration finds the rule that was built in, holds on held-out documents, and has an answer for odd tables."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.calibration.made import table, workload
from workbench.calibration import CalibrationResult, SearchOptions, calibrate, checked_outcomes
from workbench.calibration.figures import policy_of
from workbench.calibration.promise import fitted_with_promise
from workbench.errors import InvalidOption, InvalidOutcomes, Unreachable
from workbench.gate.margin import GateThresholds, GateWeights, margin_of, routes_of

KNOWN = GateWeights(exposure=0.5, cost=0.2, risk=0.3)


@pytest.fixture(scope="module")
def fitted() -> CalibrationResult:
    return calibrate(workload())


def built(requests: int, seed: int) -> pd.DataFrame:
    """Outcomes that only the known weights tell apart: the sparse path pays at margins of at least 0.1."""
    signals = np.random.default_rng(seed).random((requests, 3))
    pays = margin_of(signals, KNOWN) >= 0.1
    documents = [f"d{place % 50:02d}" for place in range(requests)]
    return table(
        signals, np.full(requests, 1000), np.where(pays, 400, 1600), np.where(pays, 0.0, 0.5), documents=documents
    )


def test_known_weights_are_found() -> None:
    found = calibrate(built(3_000, 1))
    assert list(found.weights) == pytest.approx(list(KNOWN), abs=0.015)
    assert found.thresholds.force == pytest.approx(0.1, abs=0.01)
    assert found.thresholds.native == pytest.approx(0.1, abs=0.01)
    assert found.figure("regret share").level < 0.03


def test_known_weights_decide_new_requests() -> None:
    found, new = calibrate(built(3_000, 1)), built(2_000, 2)
    routes = routes_of(margin_of(new[["s", "c", "r"]].to_numpy(), found.weights), found.thresholds)
    assert ((routes == 2) == (new["tokens_sparse"] == 400)).mean() > 0.985


def test_on_held_out_documents_native_fit_goes_native_and_long_documents_go_force(fitted: CalibrationResult) -> None:
    routes = fitted.frame.groupby("scenario")["route_out_of_sample"]
    share = routes.value_counts(normalize=True)
    assert share["native_fit", "native"] == 1.0
    assert share["structured_analysis", "native"] == 1.0, "they are under a hard constraint"
    assert share["long_document_qa", "force"] > 0.98
    assert (fitted.frame.groupby("document")["fold"].nunique() == 1).all()


def test_figures_say_where_they_hold(fitted: CalibrationResult) -> None:
    assert {figure.split for figure in fitted.out_of_sample} == {"out of sample"}
    assert {figure.split for figure in fitted.in_sample} == {"in sample"}
    assert "(out of sample)" in repr(fitted)
    assert set(fitted.to_frame()["split"]) == {"in sample", "out of sample"}
    assert set(fitted.frame["split"]) == {"out of sample"}
    assert fitted.figure("token reduction").basis == "5 folds by document"
    assert all(figure.low <= figure.level <= figure.high for figure in fitted.figures if figure.low is not None)


def test_the_frame_adds_up_to_the_figures(fitted: CalibrationResult) -> None:
    frame, native = fitted.frame, fitted.outcomes.tokens_native.sum()
    assert frame["saved"].sum() / native == pytest.approx(fitted.figure("token reduction").level)
    assert frame["loss"].mean() == pytest.approx(fitted.figure("quality loss").level)
    assert frame["regret"].mean() == pytest.approx(fitted.figure("regret").level)
    by = fitted.by("scenario")
    saved = by[by["figure"] == "routed force"]
    assert (saved["level"] * saved["requests"]).sum() == (frame["route_out_of_sample"] == "force").sum()


def test_the_loss_in_sample_is_within_the_tolerance_and_no_rule_beats_the_oracle() -> None:
    for tolerance in (0.0, 0.003, 0.05):
        found = calibrate(workload(), quality_tolerance=tolerance)
        levels = {figure.name: figure.level for figure in found.in_sample}
        assert levels["quality loss"] <= tolerance + 1e-9
        assert levels["regret"] >= -1e-6


def test_equal_tables_give_equal_results_in_any_order_of_columns(fitted: CalibrationResult) -> None:
    frame = workload()
    again = calibrate(frame[frame.columns[::-1]])
    assert json.dumps(again.to_dict(), sort_keys=True) == json.dumps(fitted.to_dict(), sort_keys=True)


def test_baselines_are_measured_on_the_same_requests(fitted: CalibrationResult) -> None:
    levels = {name: {figure.name: figure for figure in found} for name, found in fitted.baselines.items()}
    assert list(levels) == [
        "always force",
        "always native",
        "size rule (4,096 bytes)",
        "oracle",
        "oracle without constraints",
    ]
    assert levels["always native"]["token reduction"].level == 0
    assert levels["always force"]["quality loss"].level == pytest.approx(fitted.outcomes.loss.mean())
    assert levels["oracle"]["token reduction"].split == "in sample"
    assert levels["oracle"]["regret"].level == pytest.approx(0)


def test_more_tolerance_never_saves_less_in_sample(fitted: CalibrationResult) -> None:
    saving = [point.saving for point in fitted.frontier]
    assert saving == sorted(saving)
    assert all(point.loss <= point.tolerance + 1e-9 for point in fitted.frontier)
    at = next(point for point in fitted.frontier if point.tolerance == 0.01)
    assert at.saving >= fitted.in_sample[0].level - 1e-12


def test_margins_keep_their_word(fitted: CalibrationResult) -> None:
    bins = fitted.reliability
    assert sum(found.requests for found in bins) == fitted.outcomes.free.sum()
    assert bins[-1].saving > 0.5
    assert bins[0].saving < 0
    assert {found.split for found in bins} == {"out of sample"}


def test_flips_are_what_the_gate_says_with_other_weights(fitted: CalibrationResult) -> None:
    frame = fitted.flips.to_frame()
    assert len(fitted.flips.flips) == 6
    w, at = fitted.weights, fitted.thresholds
    other = GateWeights(exposure=w.exposure * 1.05, cost=w.cost, risk=w.risk)
    signals, free = fitted.outcomes.signals, fitted.outcomes.free
    changed = free & (routes_of(margin_of(signals, w), at) != routes_of(margin_of(signals, other), at))
    flipped = frame[(frame["weight"] == "exposure") & (frame["change"] > 0)]["request"]
    assert flipped.tolist() == fitted.outcomes.request[changed].tolist()


def test_rows_of_the_split_test_are_judged_and_not_fitted_on() -> None:
    frame = workload()
    frame["split"] = np.where(frame["document"] < "document-010.pdf", "test", "dev")
    found, alone = calibrate(frame), calibrate(frame[frame["split"] == "dev"])
    assert found.weights == alone.weights and found.thresholds == alone.thresholds
    assert found.test[0].requests == (frame["split"] == "test").sum()
    assert {(figure.split, figure.basis) for figure in found.test} == {("out of sample", "the split test")}
    with pytest.raises(InvalidOutcomes, match="Every row of the outcomes is of the split test"):
        calibrate(frame[frame["split"] == "test"])


def test_one_document_has_no_figures_out_of_sample_and_says_why() -> None:
    found = calibrate(workload().assign(document="合同.pdf"))
    assert found.out_of_sample == ()
    assert found.notes[0].startswith("All requests are about one document, so none can be held out")
    assert "nothing out of sample" in repr(found)
    assert found.figure("token reduction").split == "in sample"
    assert found.figure("token reduction").low is None
    assert "out of sample" not in found.report().split("Figures")[1].split("Against")[0]
    assert all(point.saving_out is None for point in found.frontier)


def test_with_fewer_documents_than_folds_each_is_left_out_once() -> None:
    found = calibrate(workload(60, 3))
    assert sorted(set(found.fold)) == [0, 1, 2]
    assert found.figure("token reduction").basis == "each document left out once"
    assert found.notes[0] == "There are 3 documents for 5 folds, so each document is left out once."


@pytest.mark.parametrize("tolerance", [0.0, 0.01, 1.0])
def test_one_request_is_decided(tolerance: float) -> None:
    found = calibrate(table([[0.8, 0.1, 0.1]], [1000], [200], [0.5]), quality_tolerance=tolerance)
    assert found.frame["route"].tolist() == ["force" if tolerance == 1.0 else "native"]


def test_constant_signals_are_said() -> None:
    found = calibrate(table([[0.5, 0.5, 0.5]] * 6, [100] * 6, [50] * 6, [0] * 6))
    assert found.frame["route"].unique().tolist() == ["force"]
    assert "The signals of all requests are the same, so the gate cannot tell one from another." in found.notes


def test_no_native_tokens_are_said() -> None:
    found = calibrate(table([[0.5, 0.1, 0.1], [0.2, 0.1, 0.1]], [0, 0], [0, 0], [0, 0]))
    assert found.figure("token reduction").level == 0
    assert "The requests cost no tokens on the native path, so there is nothing to save." in found.notes


def test_requests_that_could_not_be_replayed_are_said() -> None:
    frame = table([[0.9, 0.1, 0.1]] * 3, [100] * 3, [50] * 3, [0] * 3)
    frame.attrs["failed"] = [{"request": "x", "reason": "broken"}]
    assert (
        "1 request could not be replayed and is in no figure; the replay names the reasons." in calibrate(frame).notes
    )


def test_evidence_that_was_not_found_is_no_proof_that_nothing_is_lost() -> None:
    frame = table([[0.9, 0.1, 0.1]] * 4, [100] * 4, [50] * 4, [1, 0, 0, 0])
    frame = frame.assign(evidence=[1, 2, 1, 0], evidence_unresolved=[0, 2, 0, 0], quality_kind="evidence recall")
    found = calibrate(frame)
    assert found.frame["request"].tolist() == frame["request"].drop(1).tolist()
    assert found.notes[0] == (
        "1 request names evidence of which none was found, so nothing says what sparse reading loses there: in no "
        "figure."
    )
    assert len(calibrate(frame.assign(quality_kind="F1")).frame) == 4
    with pytest.raises(InvalidOutcomes, match=r"^None of the evidence of the 4 requests was found"):
        calibrate(frame.assign(evidence=1, evidence_unresolved=1))


def test_nothing_to_save_is_said() -> None:
    found = calibrate(table([[0.5, 0.1, 0.1], [0.2, 0.1, 0.1]], [10, 10], [20, 20], [0, 0]))
    assert found.frame["route"].unique().tolist() == ["native"]
    assert "Every request is native: the sparse path saves tokens on no request." in found.notes
    found = calibrate(table([[0.5, 0.1, 0.1]] * 2, [10, 10], [5, 5], [1, 1]))
    assert "no weights and thresholds save tokens within a mean loss of 0.01" in " ".join(found.notes)


def test_all_under_a_constraint_is_said() -> None:
    found = calibrate(workload().assign(constraint="whole_table"))
    assert set(found.frame["route"]) == {"native"}
    assert "Every request is under a hard constraint and therefore native; nothing could be fitted." in found.notes
    assert found.reliability == ()
    assert max(map(len, found.report().splitlines())) <= 80


def test_where_only_advice_is_within_the_tolerance_all_is_advisory() -> None:
    frame = table([[0.5, 0.1, 0.1]] * 4, [100] * 4, [50] * 4, [0.02] * 4)
    found = calibrate(frame, quality_tolerance=0.01)
    assert set(found.frame["route"]) == {"advisory"}
    assert "No request is forced: those that take the sparse path are advisory." in found.notes


def test_the_chance_of_an_advisory_request_is_its_own() -> None:
    frame = table([[0.5, 0.1, 0.1]] * 2, [100] * 2, [50] * 2, [0.04, 0.0], advisory_sparse=[0.25, 1.0])
    found = calibrate(frame, quality_tolerance=0.005)
    assert found.in_sample[0].level == pytest.approx((0.25 * 50 + 50) / 200)


def test_a_promise_rests_on_documents_that_were_not_fitted_on() -> None:
    found = calibrate(workload(800, 80), promise=0.05)
    assert found.promise.kept and found.promise.fit_documents == found.promise.promise_documents == 40
    assert str(found.promise).startswith("The expected quality loss on a new document of this kind is at most 0.05")
    assert found.figure("token reduction").level > 0.3


def bold(documents: int, random: np.random.Generator) -> pd.DataFrame:
    """Outcomes where a higher exposure means less loss, and every sparse read saves."""
    n = 4 * documents
    s = random.random(n)
    lost = np.where(random.random(n) < 1 - s, 0.5, 0.0)
    names = [f"d{place // 4:04d}-{random.integers(1 << 30)}" for place in range(0, n, 4)]
    signals = np.column_stack([s, np.full(n, 0.2), np.full(n, 0.2)])
    return table(signals, [1000] * n, [100] * n, lost, documents=list(np.repeat(names, 4)))


def test_a_promise_moves_thresholds_up_where_the_fit_is_too_bold() -> None:
    found = calibrate(bold(100, np.random.default_rng(3)), quality_tolerance=0.2, promise=0.05)
    assert found.promise.level > 0
    assert "The thresholds were raised for it." in str(found.promise)
    control = found.promise.control
    assert control is not None and (50 * control.mean_loss + 1) / 51 <= 0.05


def test_over_many_draws_the_loss_on_new_documents_is_what_was_promised() -> None:
    random, losses, quick = np.random.default_rng(11), [], SearchOptions(steps=3, starts=1, levels=1)
    new = checked_outcomes(bold(500, random))
    for _ in range(200):
        part = checked_outcomes(bold(50, random))
        rule, promised = fitted_with_promise(part, 0.2, 0.1, seed=0, options=quick)
        assert promised.kept
        losses.append(policy_of(new, rule.routes(new), "", "").share @ new.loss / len(new))
    error = 3 * np.std(losses) / np.sqrt(len(losses)) + 3 * 0.12 / np.sqrt(200)
    assert 0.02 < np.mean(losses) <= 0.1 + error


def test_a_promise_out_of_reach_names_the_documents_it_needs() -> None:
    with pytest.raises(Unreachable, match=r"the best reachable is 0\.091; 99 documents would do"):
        calibrate(workload(100, 20), promise=0.01)
    with pytest.raises(Unreachable, match=r"cannot be promised from 1 document: the best reachable is 0\.5"):
        calibrate(workload(10, 1), promise=0.05)


def test_without_a_promise_nothing_is_promised(fitted: CalibrationResult) -> None:
    assert not fitted.promise.kept
    assert str(fitted.promise) == (
        "Nothing is promised beyond the out-of-sample figures. With half of these documents set aside (20), the "
        "smallest alpha within reach is 0.048; alpha = 0.05 needs 19 documents set aside, at no loss."
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quality_tolerance": 1.5}, "quality_tolerance is 1.5; give a number from 0 to 1."),
        ({"quality_tolerance": float("nan")}, "quality_tolerance is nan; give a number from 0 to 1."),
        ({"folds": 1}, "folds is 1; give a whole number of at least 2."),
        ({"promise": 0}, "promise is 0; give the loss to promise, a number between 0 and 1."),
        ({"tolerances": [0.1, "x"]}, "tolerances is 'x'; give a number from 0 to 1."),
        ({"draws": 0}, "draws is 0; give a whole number of at least 20."),
        ({"seed": -1}, "seed is -1; give a whole number of at least 0."),
    ],
)
def test_options_outside_their_range_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidOption) as raised:
        calibrate(workload(20, 4), **options)  # type: ignore[arg-type]
    assert str(raised.value) == message


def test_unknown_figures_and_columns_are_refused(fitted: CalibrationResult) -> None:
    with pytest.raises(InvalidOption, match="There is no figure 'savings'; there are: token reduction"):
        fitted.figure("savings")
    with pytest.raises(InvalidOption, match="no column 'colour' to tell figures apart; there are: scenario"):
        fitted.by("colour")


def test_progress_counts_fits() -> None:
    seen: list[tuple[int, int]] = []
    calibrate(workload(60, 10), folds=3, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@settings(max_examples=8, deadline=None)
@given(
    st.lists(
        st.tuples(
            *[st.floats(0, 1)] * 3,
            st.integers(0, 5000),
            st.integers(0, 9000),
            st.floats(0, 1),
            st.sampled_from("甲乙丙丁"),
            st.sampled_from(["", "", "small_file"]),
        ),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([0.0, 0.01, 0.3, 1.0]),
)
def test_any_table_gives_a_result_that_keeps_its_tolerance(
    rows: list[tuple[float, float, float, int, int, float, str, str]], tolerance: float
) -> None:
    array = np.array([row[:6] for row in rows])
    frame = table(
        array[:, :3],
        array[:, 3],
        array[:, 4],
        array[:, 5],
        documents=[row[6] for row in rows],
        constraint=[row[7] for row in rows],
    )
    found = calibrate(frame, quality_tolerance=tolerance, draws=20, tolerances=[0.0])
    levels = {figure.name: figure.level for figure in found.in_sample}
    assert levels["quality loss"] <= tolerance + 1e-9
    assert levels["token reduction"] >= 0
    assert isinstance(found.thresholds, GateThresholds) and abs(found.thresholds.native) <= 2
    assert abs(found.thresholds.force) <= 2
    assert all(len(line) <= 80 for line in found.report().splitlines())
    json.dumps(found.to_dict(), allow_nan=False)
