"""A profile beside the workload: the bench begins with it, shows its figures, and exports it as what it is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.workload.made_depots import depots_in
from workbench.calibration.hand_set import SET_BY_HAND, is_set_by_hand
from workbench.gate import GateProfile
from workbench.workload import Workload, load_workload
from workbench.workload.replay import load_outcomes, save_outcomes
from workbench.workspace import Bench, JobStatus

from .made import words_alone

Benches = Callable[..., Bench]
TOLERANCE = 0.03


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workload with a profile that was calibrated on it, and the outcomes that it was calibrated on."""
    folder = tmp_path_factory.mktemp("shipped")
    bench = Bench(depots_in(folder, documents=5, paragraphs=60), reader=words_alone(min_tokens=200),
                  folder=tmp_path_factory.mktemp("space"))  # fmt: skip
    outcomes = bench.replay()
    # Some loss that grows with risk, and gains that differ, so that there is something to weigh.
    drawn = np.random.default_rng(5)
    outcomes["r"] = np.round(drawn.uniform(0, 1, len(outcomes)), 3)
    outcomes["quality_native"] = 1.0
    outcomes["quality_sparse"] = np.where(outcomes["r"] > 0.8, 0.5, 1.0)
    outcomes["constraint"] = ""
    save_outcomes(outcomes, folder / "outcomes.parquet")
    bench.close()
    made = Bench(load_workload(folder), reader=words_alone(min_tokens=200), folder=tmp_path_factory.mktemp("made"))
    made.set_tolerance(TOLERANCE)
    made.calibrate()
    made.export_profile(folder / "gate.json", name="depots", by="ana")
    made.close()
    return folder


@pytest.fixture
def bench(benches: Benches, shipped: Path, tmp_path: Path) -> Bench:
    shutil.copytree(shipped, tmp_path / "depots")
    return benches(load_workload(tmp_path / "depots"), reader=None)


def test_it_begins_with_the_tolerance_of_the_profile(bench: Bench) -> None:
    assert bench.profile is not None
    assert bench.profile.gate.quality_tolerance == TOLERANCE
    assert (bench.state.tuned.tolerance, bench.state.tuned.origin) == (TOLERANCE, "profile")
    assert (bench.stale, bench.notes) == ((), ())


def test_an_older_profile_knows_no_tolerance_and_is_used_as_it_was(
    benches: Benches, shipped: Path, tmp_path: Path
) -> None:
    shutil.copytree(shipped, tmp_path / "old")
    path = tmp_path / "old" / "gate.json"
    values = json.loads(path.read_text("utf-8"))
    del values["gate"]["quality_tolerance"]
    path.write_text(json.dumps(values), "utf-8")
    bench = benches(load_workload(tmp_path / "old"), reader=None)
    assert (bench.state.tuned.tolerance, bench.notes) == (0.01, ())
    bench.need("figures")
    assert list(bench.jobs) == []
    bench.export_profile(tmp_path / "mine.json")
    assert GateProfile.load(tmp_path / "mine.json").gate.quality_tolerance is None


def test_untouched_it_shows_the_figures_that_the_profile_carries(bench: Bench) -> None:
    judged, profile = bench.judged, bench.profile
    assert judged is not None
    assert profile is not None
    assert judged.notes == ("Weights and thresholds are those of the profile depots.",)
    assert not is_set_by_hand(judged)
    carried = {figure.name: figure.value for figure in profile.figures if figure.sample == "out of sample"}
    assert {figure.name: figure.level for figure in judged.out_of_sample} == carried
    assert {figure.basis for figure in judged.out_of_sample} == {"as the profile depots says"}
    assert bench.judged is judged


def test_calibrating_again_beside_the_analyst_gives_the_same_and_what_a_profile_does_not_carry(bench: Bench) -> None:
    before = bench.judged
    assert before is not None
    bench.need("figures")
    bench.wait()
    job = bench.jobs.of("figures")
    assert job is not None
    assert job.status is JobStatus.DONE
    judged = bench.judged
    assert judged is not None
    assert judged.notes[0] == "Weights and thresholds are those of the profile depots."
    assert [figure.level for figure in judged.out_of_sample] == [figure.level for figure in before.out_of_sample]
    assert judged.frontier
    assert (bench.operations, bench.state.tuned.origin) == (0, "profile")
    bench.need("figures")
    assert bench.jobs.of("figures") == job


def test_untouched_it_is_exported_as_the_profile_that_it_is(bench: Bench, tmp_path: Path) -> None:
    bench.export_profile(tmp_path / "mine.json", name="mine", by="bo")
    mine, profile = GateProfile.load(tmp_path / "mine.json"), bench.profile
    assert profile is not None
    assert profile.diff(mine).sentences == ("who calibrated: ana -> bo",)
    assert mine.figures == profile.figures
    assert mine.notes == ("Weights and thresholds are those of the profile depots.",)
    assert mine.fingerprint == profile.fingerprint


def test_another_tolerance_does_not_change_what_the_profile_was_calibrated_with(bench: Bench, tmp_path: Path) -> None:
    bench.set_tolerance(0.2)
    judged = bench.judged
    assert judged is not None
    assert (judged.quality_tolerance, bool(judged.out_of_sample)) == (0.2, True)
    bench.export_profile(tmp_path / "mine.json")
    assert GateProfile.load(tmp_path / "mine.json").gate.quality_tolerance == TOLERANCE


def test_cut_otherwise_and_replayed_nothing_claims_to_be_set_by_hand(bench: Bench, tmp_path: Path) -> None:
    bench.set_share(0.1)
    bench.replay()
    judged = bench.judged
    assert judged is not None
    assert judged.out_of_sample == ()
    said = (
        "Weights and thresholds are those of the profile depots, whose figures out of sample are of other outcomes "
        "than these, so every figure here is in sample; calibrate again."
    )
    assert judged.notes[0] == said
    bench.need("figures")
    assert bench.jobs.of("figures") is None
    bench.export_profile(tmp_path / "mine.json")
    notes = GateProfile.load(tmp_path / "mine.json").notes
    assert said in notes
    assert SET_BY_HAND not in notes
    assert "The block cut was tuned by hand on this workload, so no figure is out of sample for that." in notes


def test_moved_by_hand_it_says_so_and_undone_it_is_the_profile_again(bench: Bench) -> None:
    bench.set_weights(3, 2, 1)
    assert bench.judged is not None
    assert is_set_by_hand(bench.judged)
    bench.undo()
    assert not is_set_by_hand(bench.judged)
    assert bench.judged.out_of_sample


def test_calibrated_within_another_tolerance_it_says_so_until_it_is_calibrated_again(bench: Bench) -> None:
    bench.set_tolerance(0.2)
    bench.calibrate()
    assert bench.state.tuned.fitted == 0.2
    bench.set_tolerance(0.1)
    judged = bench.judged
    assert judged is not None
    assert judged.notes[0] == (
        "Weights and thresholds were calibrated on other outcomes or within another tolerance, so every figure here is "
        "in sample; calibrate again."
    )
    assert not is_set_by_hand(judged)


def test_a_rule_that_there_is_none_of_was_set_by_nobody(benches: Benches, shipped: Path) -> None:
    bench = benches(outcomes=load_outcomes(shipped / "outcomes.parquet"))
    judged = bench.judged
    assert judged is not None
    assert judged.notes[0] == (
        "No weights and thresholds are set yet, so every request is native; calibrate, or set them by hand."
    )


def test_an_artifact_that_changes_makes_the_outcomes_stale_at_the_next_look(bench: Bench) -> None:
    workload: Workload | None = bench.workload
    assert workload is not None
    assert workload.folder is not None
    assert bench.stale == ()
    path = workload.folder / "depot-0.txt"
    path.write_text(path.read_text("utf-8") + "\n\nThe porter has a new dog.\n", "utf-8")
    assert bench.stale == (
        "The outcomes do not fit what is tuned: requests or artifacts of the workload have changed since; "
        "replay first.",
    )
