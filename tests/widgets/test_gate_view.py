"""The gate as a widget: what it holds, what its actions do, and what goes to the browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.calibration.made import table, workload
from workbench.calibration import CalibrationResult, Rule, calibrate
from workbench.calibration.bootstrap import Bootstrap
from workbench.calibration.hand_set import judged
from workbench.errors import CalibrationRefused, InvalidOption
from workbench.gate.margin import GateThresholds, GateWeights
from workbench.gate.profile import GateProfile
from workbench.widgets.gate_data import (
    LIVE_DRAWS,
    decision_data,
    decision_of,
    draw_data,
    outcome_data,
    packed,
    rule_data,
)
from workbench.widgets.gate_view import GateView
from workbench.widgets.wording import words_of

RULE = Rule(GateWeights(0.4, 0.3, 0.3), GateThresholds(native=0.0, force=0.2))


@pytest.fixture(scope="module")
def fitted() -> CalibrationResult:
    return calibrate(workload(120, 12), quality_tolerance=0.05, draws=100)


def floats(data: bytes) -> list[float]:
    found: list[float] = np.frombuffer(data, "<f8").tolist()
    return found


def test_signals_go_to_the_browser_to_the_last_bit() -> None:
    outcomes = workload(40, 5)
    view = GateView(outcomes, RULE)
    np.testing.assert_array_equal(
        np.frombuffer(view.signals, "<f8").reshape(3, -1).T, outcomes[["s", "c", "r"]].to_numpy()
    )
    assert floats(view.native_tokens) == outcomes["tokens_native"].tolist()
    assert floats(view.sparse_tokens) == outcomes["tokens_sparse"].tolist()
    assert list(view.free) == [int(name == "") for name in outcomes["constraint"]]
    assert view.names.decode().startswith("r00000r00001")
    assert [view.document_names[code] for code in np.frombuffer(view.documents, "<u4")] == outcomes["document"].tolist()


def test_shapes_tell_scenarios_else_another_column_else_nothing() -> None:
    outcomes = workload(40, 5)
    named = GateView(outcomes, RULE)
    assert named.group_column == "scenario"
    assert [named.group_names[code] for code in named.groups] == outcomes["scenario"].tolist()
    assert GateView(outcomes.drop(columns="scenario"), RULE).group_column == "document_type"
    plain = GateView(table([[0.5, 0.1, 0.1]], [100], [50], [0]), RULE)
    assert (plain.group_column, plain.group_names) == ("", [""])


def test_more_labels_than_a_byte_holds_share_the_last_code() -> None:
    outcomes = workload(300, 5)
    outcomes["scenario"] = [f"kind {place:03d}" for place in range(300)]
    view = GateView(outcomes, RULE)
    assert len(view.group_names) == 255
    assert max(view.groups) == 254


def test_the_browser_has_the_first_of_the_kernels_draws() -> None:
    data = draw_data(7, 3)
    often = np.frombuffer(data["draws"], np.uint8).reshape(LIVE_DRAWS, 7)
    totals = np.arange(7, dtype=float)[:, None]
    np.testing.assert_array_equal(often @ totals, Bootstrap(7, 3).sums(totals)[:LIVE_DRAWS])


def test_many_documents_are_drawn_in_bundles() -> None:
    data = draw_data(1300, 0)
    often = np.frombuffer(data["draws"], np.uint8)
    assert often.size == LIVE_DRAWS * 500
    assert np.bincount(np.frombuffer(data["bundles"], "<u4")).tolist() == [3] * 300 + [2] * 200


def test_a_rule_alone_is_judged_in_sample_and_a_calibration_keeps_its_figures(fitted: CalibrationResult) -> None:
    assert {figure["split"] for figure in GateView(workload(40, 5), RULE).figures} == {"in sample"}
    view = GateView(fitted)
    assert {figure["split"] for figure in view.figures} == {"out of sample"}
    assert view.by_hand is False
    assert view.weights == list(fitted.weights)
    assert view.allowed == max(0.05, fitted.inside.loss(fitted.outcomes), fitted.outside.loss(fitted.outcomes))  # type: ignore[union-attr]
    assert [rival["name"] for rival in view.rivals] == list(fitted.baselines)
    assert GateView(workload(120, 12), fitted).figures == view.figures


def test_without_a_rule_it_begins_with_equal_weights_within_the_tolerance() -> None:
    view = GateView(workload(120, 12), tolerance=0.02)
    assert view.weights == pytest.approx([1 / 3] * 3)
    assert view.tolerance == 0.02
    loss = next(figure for figure in view.figures if figure["name"] == "quality loss")
    assert loss["level"] <= 0.02


def test_a_profile_is_a_rule(project_dir: Path) -> None:
    profile = GateProfile.load(project_dir / "datasets" / "dev" / "gate.json")
    view = GateView(workload(40, 5), profile)
    assert view.native == profile.gate.thresholds.native
    weights = profile.gate.weights
    assert view.weights == pytest.approx([weights.exposure, weights.cost, weights.risk], abs=1e-9)


@pytest.mark.parametrize("outcomes", [None, workload(5, 2).iloc[:0]])
def test_without_outcomes_nothing_is_shown_and_actions_say_why(outcomes: pd.DataFrame | None) -> None:
    view = GateView(outcomes)
    assert (view.signals, view.figures, view.weights) == (b"", [], [])
    with pytest.raises(InvalidOption, match=r"There are no outcomes to set a rule on; replay a workload first\."):
        view.act("set_gate", native=0.0, force=0.1)
    with pytest.raises(InvalidOption, match="There is no table of outcomes to calibrate on"):
        view.act("calibrate")
    view.show(judged(workload(5, 2), RULE.weights, RULE.thresholds, draws=50))
    assert len(view.free) == 5
    assert view.outcomes_sequence == view.sequence == 1
    view.show(None)
    assert view.signals == b""


def test_actions_judge_another_rule_and_the_sequence_changes_last() -> None:
    view = GateView(workload(60, 6), RULE)
    seen: list[tuple[list[float], float]] = []
    view.observe(lambda _change: seen.append((view.weights, view.native)), "sequence")
    view.act("set_weights", exposure=2, cost=1, risk=1)
    assert view.weights == [0.5, 0.25, 0.25]
    view.act("set_gate", native=-0.1, force=0.3)
    assert (view.native, view.force) == (-0.1, 0.3)
    view.act("set_tolerance", value=0.2)
    assert view.tolerance == view.result.quality_tolerance == 0.2  # type: ignore[union-attr]
    assert seen == [([0.5, 0.25, 0.25], 0.0), ([0.5, 0.25, 0.25], -0.1), ([0.5, 0.25, 0.25], -0.1)]
    assert view.by_hand
    assert view.outcomes_sequence == 0


def test_an_invalid_rule_is_refused_and_changes_nothing() -> None:
    view = GateView(workload(60, 6), RULE)
    with pytest.raises(InvalidOption, match=r"native is 0\.5 and force 0\.1; native must be below force\."):
        view.act("set_gate", native=0.5, force=0.1)
    with pytest.raises(InvalidOption, match="The weight cost is 0; give a finite number above 0"):
        view.act("set_weights", exposure=1, cost=0, risk=1)
    assert (view.native, view.force, view.sequence) == (0.0, 0.2, 0)


def test_what_is_said_of_a_rule_is_plain_json_also_with_thresholds_that_mean_never(fitted: CalibrationResult) -> None:
    never = judged(workload(20, 4), GateWeights(1, 1, 1), GateThresholds(-np.inf, np.inf), draws=50)
    data = rule_data(never)
    assert (data["native"], data["force"]) == (-2.0, 2.0)
    for found in (data, rule_data(fitted)):
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_confirmed_move_is_less_than_50_kilobytes() -> None:
    found = rule_data(judged(workload(400, 40), RULE.weights, RULE.thresholds, draws=50))
    assert len(json.dumps(found)) < 50_000


def test_a_calibration_runs_in_a_thread_with_progress_and_is_shown() -> None:
    view = GateView(workload(120, 12), RULE, tolerance=0.05)
    steps: list[dict[str, Any]] = []
    view.observe(lambda change: steps.append(dict(change["new"])), "job")
    view.act("calibrate")
    view.wait(60)
    assert view.fault == ""
    assert view.job == {}
    assert [(step.get("done"), step.get("total")) for step in steps] == [
        (0, 0), *((done, 6) for done in range(1, 7)), (None, None)
    ]  # fmt: skip
    assert {figure["split"] for figure in view.figures} == {"out of sample"}
    assert view.by_hand is False
    assert (view.sequence, view.outcomes_sequence) == (1, 0)


def test_a_cancelled_calibration_leaves_the_rule_and_says_nothing() -> None:
    view = GateView(workload(120, 12), RULE)
    view.observe(lambda change: view.act("cancel") if change["new"].get("done") == 2 else None, "job")
    view.act("calibrate")
    view.wait(60)
    assert (view.job, view.fault, view.native, view.sequence) == ({}, "", 0.0, 0)
    view.act("cancel")
    assert view.fault == ""


def test_two_calibrations_at_once_are_refused() -> None:
    view = GateView(workload(120, 12), RULE)
    view.act("calibrate")
    with pytest.raises(InvalidOption, match=r"A calibration is running; wait for it, or cancel it first\."):
        view.act("calibrate")
    view.act("cancel")
    view.wait(60)


def test_a_profile_is_exported_and_compared(project_dir: Path, tmp_path: Path) -> None:
    from workbench.workload.replay import load_outcomes

    dev = project_dir / "datasets" / "dev"
    view = GateView(load_outcomes(dev / "outcomes.parquet"), RULE)
    view.act("export_profile", path=str(tmp_path / "mine.json"), name="mine", by="A. Nalyst")
    profile = GateProfile.load(tmp_path / "mine.json")
    assert (profile.name, profile.created_by) == ("mine", "A. Nalyst")
    assert view.said == {"kind": "exported", "path": str(tmp_path / "mine.json")}
    view.act("compare", path=str(tmp_path / "mine.json"))
    assert (view.said["alike"], view.said["routes"]) == (True, 0)
    view.act("compare", path=str(dev / "gate.json"))
    assert view.said["alike"] is False
    assert view.said["routes"] > 0
    assert "the native threshold, θn: -0.168157 -> 0.0" in view.said["lines"] or any(
        line.startswith("the native threshold, θn: -0.16") for line in view.said["lines"]
    )
    view.act("close_said")
    assert view.said == {}


def test_an_export_that_cannot_be_done_says_why() -> None:
    view = GateView(workload(20, 4), RULE)
    with pytest.raises(CalibrationRefused, match="The outcomes do not say which reader made them"):
        view.act("export_profile", path="gate.json")
    with pytest.raises(InvalidOption, match=r"The path is empty; give the path of a profile, such as gate\.json\."):
        view.act("compare", path=" ")


def test_an_explanation_is_plain_data_with_the_same_flips_as_the_gate() -> None:
    outcomes = workload(60, 6)
    view = GateView(outcomes, RULE)
    place = int(np.flatnonzero(outcomes["constraint"] == "")[0])
    data = view.answer_explain(outcomes["request"][place])
    assert data["request"] == outcomes["request"][place]
    assert data["document"] == outcomes["document"][place]
    assert data["signals"]["s"]["value"] == outcomes["s"][place]
    decision = decision_of(view.result, place, "")  # type: ignore[arg-type]
    expected = [(flip.signal, flip.side) for flip in decision.explain().flips]
    assert [(flip["signal"], flip["side"]) for flip in data["flips"]] == expected
    json.dumps(data, allow_nan=False)


def test_a_request_under_a_constraint_is_explained_by_its_name() -> None:
    outcomes = workload(60, 6)
    place = int(np.flatnonzero(outcomes["constraint"] == "small_file")[0])
    data = GateView(outcomes, RULE).answer_explain(outcomes["request"][place])
    assert data["constraint"]["name"] == "small_file"
    assert (data["route"], data["margin"], data["flips"]) == ("native", None, [])


def test_a_bench_can_give_the_decision_with_its_terms() -> None:
    view = GateView(workload(20, 4), RULE)
    decision = decision_of(view.result, 3, "Who signs?")  # type: ignore[arg-type]
    other = GateView(workload(20, 4), RULE, decide=lambda _request: decision)
    assert other.answer_explain("r00001")["question"] == "Who signs?"
    assert decision_data(decision)["intent"] == list(decision.intent.reasons)


def test_an_unknown_request_is_refused() -> None:
    view = GateView(workload(20, 4), RULE)
    with pytest.raises(InvalidOption, match=r"There is no request 'nobody' among the outcomes; give the id"):
        view.answer_explain("nobody")
    with pytest.raises(InvalidOption, match="There is no request 'nobody'"):
        view.select("nobody")
    view.select("r00003")
    view.select("")
    assert view.selected == ""


def test_opening_tells_who_asked() -> None:
    view = GateView(workload(20, 4), RULE)
    told: list[str] = []
    view.on_open(told.append)
    view.act("open", request="r00004")
    assert (told, view.opened) == (["r00004"], "r00004")


def test_plotly_is_sent_when_it_is_asked_for() -> None:
    length, (script,) = GateView(None).answer_plotly()
    assert len(script) == length > 1_000_000
    assert b"plotly.js v" in script[:200]


def test_texts_with_lone_surrogates_and_nul_can_be_sent() -> None:
    data, offsets = packed(["a\x00\ud800", "合同", ""])
    assert data == "a\x00\ufffd合同".encode()
    assert np.frombuffer(offsets, "<u4").tolist() == [0, 5, 11, 11]


def test_what_is_no_rule_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"The rule is of type str; give a Rule, a GateProfile or a calibration\."):
        GateView(workload(20, 4), "gate.json")  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=r"A widget of outcomes shows a calibration, not int; make one with"):
        GateView(None).show(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("section", ["gate_view", "workload_table"])
def test_both_languages_have_the_same_words(section: str) -> None:
    english, chinese = (words_of([section], language) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    holes = {key: sorted(set(text.split("{")[1:])) for key, text in english.items()}
    assert [key for key in holes if text_holes(english[key]) != text_holes(chinese[key])] == []


def text_holes(text: str) -> set[str]:
    return {part.split("}")[0] for part in text.split("{")[1:]}


def test_the_same_outcomes_give_the_same_bytes() -> None:
    result = judged(workload(50, 5), RULE.weights, RULE.thresholds, draws=50)
    assert outcome_data(result.outcomes, {}) == outcome_data(result.outcomes, {})
    assert rule_data(result) == rule_data(judged(workload(50, 5), RULE.weights, RULE.thresholds, draws=50))
