"""The gate on the bench: set by hand, calibrated, replayed, and looked at request by request."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from tests.workload.made_depots import depots_in
from workbench.calibration import CalibrationResult, calibrate
from workbench.calibration.hand_set import SET_BY_HAND
from workbench.errors import InvalidOption
from workbench.reading import SparseReader
from workbench.resources import datasets_dir
from workbench.workload.replay import load_outcomes, save_outcomes
from workbench.workspace import Bench, JobStatus

from .made import made_outcomes

Benches = Callable[..., Bench]


def test_without_outcomes_there_is_nothing_to_judge_calibrate_compare_or_export(
    benches: Benches, tmp_path: Path
) -> None:
    bench = benches()
    assert (bench.outcomes, bench.judged, bench.stale, bench.comparison) == (None, None, (), None)
    assert "every request is native" not in "".join(bench.notes)
    assert bench.decision is not None
    assert bench.decision.route.value == "native"
    said = r"^There are no outcomes yet of what both paths of the requests yield; replay first\.$"
    for act in (bench.calibrate, lambda: bench.compare("x.json"), lambda: bench.export_profile(tmp_path / "x.json")):
        with pytest.raises(InvalidOption, match=said):
            act()
    frame = bench.requests_frame()
    assert len(frame) == 24
    assert set(frame["route"]) == {""}
    assert frame["regret"].isna().all()


def test_a_replay_gives_outcomes_that_stay_in_the_workspace(benches: Benches, tmp_path: Path) -> None:
    workload = depots_in(tmp_path / "new", documents=3, paragraphs=61)
    bench = benches(workload)
    heard: list[frozenset[str]] = []
    bench.watch(heard.append)
    outcomes = bench.replay()
    assert isinstance(outcomes, pd.DataFrame)
    assert len(outcomes) == 24
    assert any("outcomes" in names for names in heard)
    assert bench.stale == ()
    state = bench.jobs.of("replay")
    assert state is not None
    assert (state.status, state.done) == (JobStatus.DONE, 24)
    assert state.label == "Replaying new"
    again = benches(workload)
    assert again.outcomes is not None
    pd.testing.assert_frame_equal(again.outcomes, outcomes)
    assert again.stale == ()


def test_calibrating_fits_as_calibrate_does_and_can_be_undone(benches: Benches) -> None:
    outcomes = made_outcomes()
    bench = benches(outcomes=outcomes)
    before = bench.gate_rule
    result = bench.calibrate()
    alone = calibrate(outcomes)
    assert isinstance(result, CalibrationResult)
    assert result is bench.judged
    assert (result.weights, result.thresholds) == (alone.weights, alone.thresholds)
    assert (bench.gate_rule.weights, bench.gate_rule.thresholds) == (alone.weights, alone.thresholds)
    assert bench.state.tuned.origin == "calibrated"
    assert [str(figure) for figure in result.out_of_sample] == [str(figure) for figure in alone.out_of_sample]
    assert bench.calls == ("bench.calibrate()",)
    bench.undo()
    assert bench.gate_rule == before
    bench.redo()
    assert bench.judged is result


def test_a_rule_set_by_hand_has_figures_in_sample_alone(benches: Benches) -> None:
    bench = benches(outcomes=made_outcomes())
    bench.set_weights(0.6, 0.2, 0.2)
    bench.set_gate(0.0, 0.2)
    judged = bench.judged
    assert judged is not None
    assert judged.out_of_sample == ()
    assert SET_BY_HAND in judged.notes
    assert {figure.split for figure in judged.figures} == {"in sample"}
    assert bench.judged is judged
    bench.set_tolerance(0.05)
    assert bench.judged is not judged


def test_the_figures_of_a_calibration_are_there_again_after_a_restart(benches: Benches) -> None:
    outcomes = made_outcomes()
    bench = benches(outcomes=outcomes)
    result = bench.calibrate()
    assert isinstance(result, CalibrationResult)
    bench.close()
    again = benches(outcomes=outcomes)
    again.wait()
    assert again.judged is not None
    assert [str(figure) for figure in again.judged.figures] == [str(figure) for figure in result.figures]
    other = benches(outcomes=made_outcomes(seed=8))
    other.wait()
    assert other.notes == (
        "Weights and thresholds were calibrated on other outcomes than those at hand, so their figures are in sample; "
        "calibrate again.",
    )
    assert other.judged is not None
    assert other.judged.out_of_sample == ()


def test_a_calibration_that_cannot_be_is_told_by_its_job_and_changes_nothing(benches: Benches) -> None:
    outcomes = made_outcomes().assign(split="test")
    bench = benches(outcomes=outcomes)
    state = bench.calibrate(wait=False)
    bench.wait()
    assert state is not None
    (job,) = bench.jobs
    assert job.status is JobStatus.FAILED
    assert job.error.startswith("Every row of the outcomes is of the split test")
    assert bench.judged is None
    assert any(note.startswith("Every row of the outcomes is of the split test") for note in bench.notes)
    assert bench.state.tuned.origin == "none"


def test_a_calibration_that_is_cancelled_changes_nothing(benches: Benches) -> None:
    bench = benches(outcomes=made_outcomes())
    begun, gone_on = threading.Event(), threading.Event()

    def held(names: frozenset[str]) -> None:
        running = any(job.status is JobStatus.RUNNING for job in bench.jobs)
        if "jobs" in names and running and threading.current_thread() is not threading.main_thread():
            begun.set()
            gone_on.wait(20)

    remove = bench.watch(held)
    bench.calibrate(wait=False)
    assert begun.wait(20)
    with pytest.raises(InvalidOption, match="The job calibrate is running already"):
        bench.calibrate()
    bench.cancel("calibrate")
    remove()
    gone_on.set()
    bench.wait()
    assert [job.status for job in bench.jobs] == [JobStatus.CANCELLED]
    assert bench.state.tuned.origin == "none"
    assert bench.calls == ("bench.calibrate()", "bench.cancel('calibrate')")


def test_curves_and_effects_are_made_when_they_are_needed_and_of_what_is_tuned(benches: Benches) -> None:
    bench = benches()
    heard: set[str] = set()
    bench.watch(heard.update)
    assert (bench.curves, bench.effects) == (None, None)
    bench.need("curves")
    bench.need("effects")
    bench.wait()
    assert [job.error for job in bench.jobs] == ["", ""]
    curves, effects = bench.curves, bench.effects
    assert curves is not None
    assert effects is not None
    assert {"curves", "effects", "jobs"} <= heard
    assert set(effects.rules) == set(bench.rule_table.names)
    assert effects.table_sha256 == bench.rule_table.sha256
    bench.need("curves")
    bench.wait()
    assert bench.curves is curves
    bench.edit_rule("money", weight=5)
    assert (bench.is_fresh("curves"), bench.is_fresh("effects")) == (False, False)
    bench.need("effects")
    bench.wait()
    assert bench.effects is not None
    assert bench.effects.table_sha256 == bench.rule_table.sha256
    with pytest.raises(InvalidOption, match=r"^There is nothing called 'tea' to be made; choose from curves, effects"):
        bench.need("tea")


def test_requests_of_the_split_test_are_in_no_curve(benches: Benches, tmp_path: Path) -> None:
    workload = depots_in(tmp_path / "split", documents=3, paragraphs=40, test=1)
    bench = benches(workload)
    bench.need("curves")
    bench.wait()
    assert bench.curves is not None
    assert bench.curves.share.documents == 2


def test_the_table_of_requests_says_where_the_gate_sends_each_and_what_that_costs(benches: Benches, replayed: Path,
                                                                                  tmp_path: Path) -> None:  # fmt: skip
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    bench.set_weights(0.6, 0.2, 0.2)
    bench.set_gate(-0.9, -0.8)
    frame = bench.requests_frame()
    outcomes = bench.outcomes
    assert outcomes is not None
    assert frame["id"].tolist() == [request.id for request in bench.workload or ()]
    free = outcomes["constraint"] == ""
    assert (frame["route"] == "force").tolist() == free.tolist()
    lost = free & (outcomes["quality_native"] > outcomes["quality_sparse"])
    assert frame["lost_evidence"].tolist() == lost.tolist()
    assert (
        frame["wrong_route"].tolist() == ((frame["route"] == "force") & (frame["route_of_oracle"] == "native")).tolist()
    )
    frame["route"] = "mine"
    assert set(bench.requests_frame()["route"]) <= {"force", "native"}


def test_the_decision_on_the_request_at_hand_is_the_row_of_the_table(
    benches: Benches, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    bench.set_weights(0.5, 0.3, 0.2)
    bench.set_gate(-0.05, 0.1)
    frame = bench.requests_frame().set_index("id")
    for request_id in ("0-pumps", "1-none", "2-all"):
        bench.open(request_id)
        decision = bench.decision
        assert decision is not None
        assert decision.route.value == frame.loc[request_id, "route"]
        if decision.constraint is None:
            assert decision.signals.as_array().tolist() == frame.loc[request_id, ["s", "c", "r"]].tolist()
            assert decision.margin == frame.loc[request_id, "margin"]


def test_outcomes_that_cannot_be_read_are_told_and_a_replay_takes_their_place(benches: Benches, tmp_path: Path) -> None:
    (tmp_path / "space").mkdir()
    (tmp_path / "space" / "outcomes.parquet").write_bytes(b"no table")
    bench = benches()
    assert bench.outcomes is None
    assert bench.notes[-1].startswith("The outcomes cannot be read, so replay the workload again: ")
    bench.replay()
    assert len(load_outcomes(tmp_path / "space" / "outcomes.parquet")) == 24


def test_outcomes_of_nobody_say_so(benches: Benches, tmp_path: Path) -> None:
    (tmp_path / "space").mkdir()
    save_outcomes(made_outcomes(), tmp_path / "space" / "outcomes.parquet")
    assert benches().stale == (
        "The outcomes do not fit what is tuned: they do not say which reader made them; replay first.",
    )


def test_the_bundled_workload_comes_with_a_profile_and_outcomes(tmp_path: Path) -> None:
    folder = datasets_dir() / "dev"
    bench = Bench(folder, reader=SparseReader(scorer=None), folder=tmp_path / "space")
    shipped = json.loads((folder / "gate.json").read_text("utf-8"))
    assert bench.profile is not None
    assert bench.gate_rule.weights.to_dict() == pytest.approx(shipped["gate"]["weights"])
    assert bench.state.tuned.origin == "profile"
    assert bench.notes[0].startswith(
        "Weights and thresholds come from gate.json, which was made with another reader than this: "
    )
    assert (bench.state.tuned.tolerance, bench.profile.gate.quality_tolerance) == (0.02, 0.02)
    assert bench.outcomes is not None
    assert len(bench.requests_frame()) == len(bench.workload or ())
    assert bench.stale[0] == "The outcomes do not fit what is tuned: blocks were scored otherwise; replay first."
    bench.close()
