"""Files that the bench writes: what is exported decides as the bench does, and a comparison says what differs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from workbench.calibration.hand_set import SET_BY_HAND
from workbench.errors import CalibrationRefused, FileMissing, InvalidOption, InvalidProfile, InvalidRules, StaleProfile
from workbench.gate import GateProfile, ReadGate
from workbench.reading import SparseReader, Threshold, TokenShare
from workbench.structure import load_rules
from workbench.workload import Workload
from workbench.workspace import Bench

Benches = Callable[..., Bench]


def test_an_exported_profile_reads_and_routes_as_the_bench_does(
    benches: Benches, replayed: Path, tmp_path: Path, depots: Workload
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    bench.calibrate()
    path = tmp_path / "mine.json"
    bench.export_profile(path, name="depots one", by="ana")
    profile = GateProfile.load(path)
    assert (profile.name, profile.created_by, profile.workload.name) == ("depots one", "ana", depots.name)
    assert bench.state.exported == str(path)
    reader = SparseReader.from_profile(profile)
    reading = bench.reading
    assert reading is not None
    np.testing.assert_array_equal(
        reader.read(reading.document, reading.question, scope=reading.scope).status, reading.status
    )
    gate = ReadGate.from_profile(profile)
    outcomes = bench.outcomes
    assert outcomes is not None
    codes = gate.decide_all(outcomes[["s", "c", "r"]].to_numpy(), outcomes["constraint"].tolist())
    frame = bench.requests_frame()
    assert [("native", "advisory", "force")[code] for code in codes] == frame["route"].tolist()
    judged = bench.judged
    assert judged is not None
    recorded = {(figure.name, figure.sample): figure.value for figure in profile.figures}
    assert recorded["token reduction", "out of sample"] == judged.figure("token reduction").level
    assert not any("by hand" in note for note in profile.notes)


def test_outcomes_of_another_reader_are_told_and_refused_in_an_export(
    benches: Benches, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    bench.edit_rule("titles", weight=3)
    bench.set_share(0.1)
    assert bench.stale == (
        "The outcomes do not fit what is tuned: the table for other documents differs in titles (2 -> 3); replay "
        "first.",
        "The outcomes do not fit what is tuned: blocks were cut at the best 30 % of the tokens, at least 200, and are "
        "now at the best 10 % of the tokens, at least 200; replay first.",
    )
    with pytest.raises(StaleProfile, match=r"^The outcomes do not fit what is tuned: .*; replay first\.$"):
        bench.export_profile(tmp_path / "mine.json")
    assert not (tmp_path / "mine.json").exists()
    bench.undo()
    bench.undo()
    assert bench.stale == ()
    bench.export_profile(tmp_path / "mine.json")


def test_what_was_tuned_by_hand_is_said_in_the_profile(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.edit_rule("titles", weight=3)
    bench.set_share(0.2)
    bench.set_gate(-0.2, 0.0)
    bench.replay()
    bench.export_profile(tmp_path / "mine.json")
    notes = GateProfile.load(tmp_path / "mine.json").notes
    assert SET_BY_HAND in notes
    assert (
        "The rules for other documents and the block cut were tuned by hand on this workload, so no figure is out of "
        "sample for that." in notes
    )


def test_a_threshold_on_uncalibrated_relevance_is_in_no_profile(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.set_threshold(0.3)
    bench.replay()
    assert bench.stale == ()
    with pytest.raises(CalibrationRefused, match="a profile holds a threshold on calibrated relevance alone"):
        bench.export_profile(tmp_path / "mine.json")
    bench.set_threshold(0.31)
    assert bench.stale == (
        "The outcomes do not fit what is tuned: blocks are now cut at the threshold 0.31 on uncalibrated scores; "
        "replay first.",
    )


def test_a_place_for_a_profile_that_is_none_is_refused(benches: Benches, replayed: Path, tmp_path: Path) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    (tmp_path / "list.json").write_text("[]", "utf-8")
    with pytest.raises(InvalidOption, match=r"^The profile mine\.txt must end in \.json\.$"):
        bench.export_profile(tmp_path / "mine.txt")
    with pytest.raises(InvalidOption, match=r"^list\.json is there already, and is no gate profile"):
        bench.export_profile(tmp_path / "list.json")
    with pytest.raises(FileMissing, match=r"^There is no folder .*none to write mine\.json into"):
        bench.export_profile(tmp_path / "none" / "mine.json")
    assert (tmp_path / "list.json").read_text("utf-8") == "[]"
    assert bench.operations == 2


def test_a_comparison_says_what_differs_in_words_figures_routes_and_blocks(
    benches: Benches, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    bench.set_weights(0.6, 0.2, 0.2)
    bench.set_gate(-0.5, 0.0)
    bench.export_profile(tmp_path / "before.json")
    same = bench.compare(tmp_path / "before.json")
    assert same is not None
    assert (same.diff.decides_alike, len(same.routes), same.blocks) == (True, 0, ())
    bench.set_gate(0.5, 0.6)
    bench.set_share(0.05)
    found = bench.comparison
    assert found is not None
    assert not found.diff.decides_alike
    assert "the native threshold, θn: -0.5 -> 0.5" in found.diff.sentences
    assert set(found.routes["route_here"]) == {"native"}
    assert len(found.routes) <= (bench.requests_frame()["route"] == "native").sum()
    assert found.kept_here < found.kept_there
    assert found.blocks
    assert all(change.here != change.there for change in found.blocks)
    figures = found.figures().set_index("figure")
    assert figures.loc["token reduction", "here"] == 0.0
    assert figures.loc["routed force", "there"] > 0.0
    assert set(figures["split"]) == {"in sample"}
    assert bench.comparison is found


def test_a_profile_that_is_none_is_refused_and_one_that_is_gone_is_a_note(
    benches: Benches, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches()
    (tmp_path / "list.json").write_text("{}", "utf-8")
    with pytest.raises(InvalidProfile, match=r"list\.json is no gate profile"):
        bench.compare(tmp_path / "list.json")
    with pytest.raises(FileMissing, match="There is no gate profile at"):
        bench.compare(tmp_path / "none.json")
    bench.export_profile(tmp_path / "mine.json")
    bench.compare(tmp_path / "mine.json")
    (tmp_path / "mine.json").unlink()
    assert bench.comparison is None
    assert bench.notes[-1].startswith("There is no gate profile at")


def test_a_calibrated_reader_is_cut_at_its_threshold_and_exported_with_it(
    benches: Benches, calibrated: SparseReader, tmp_path: Path
) -> None:
    bench = benches(reader=calibrated)
    assert bench.reading is not None
    assert (bench.reading.cut, bench.reading.offset) == (Threshold(0.2), 0.01)
    bench.set_threshold(0.1)
    bench.set_offset("general", -0.02)
    bench.replay()
    bench.export_profile(tmp_path / "mine.json")
    profile = GateProfile.load(tmp_path / "mine.json")
    assert (profile.block.cut.model_dump()["value"], profile.block.offsets) == (0.1, {"general": -0.02})
    assert "The block cut and the offsets were tuned by hand on this workload, so no figure is out of sample for " \
        "that." in profile.notes  # fmt: skip
    reading = bench.reading
    fresh = SparseReader.from_profile(profile).read(reading.document, reading.question, scope=reading.scope)
    np.testing.assert_array_equal(fresh.status, reading.status)
    again = benches(reader=calibrated)
    assert again.reading is not None
    np.testing.assert_array_equal(again.reading.status, reading.status)


def test_a_share_on_calibrated_relevance_is_exported_without_its_calibration_and_says_so(
    benches: Benches, calibrated: SparseReader, tmp_path: Path
) -> None:
    bench = benches(reader=calibrated)
    bench.set_share(0.15)
    assert bench.reading is not None
    assert bench.reading.cut == TokenShare(0.15, 200)
    bench.replay()
    bench.export_profile(tmp_path / "mine.json")
    profile = GateProfile.load(tmp_path / "mine.json")
    assert (profile.block.calibration, profile.block.cut.kind) == (None, "token share")
    assert (
        "The cut is a share of the tokens, so a reader of this profile ranks blocks by uncalibrated relevance."
        in profile.notes
    )


def test_saving_the_rules_keeps_the_comments_of_the_file(benches: Benches, tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(
        "version: 1\nname: house\nrules:\n"
        "  # Titles first.\n"
        "  - {name: titles, match: {kinds: [heading]}, weight: 2.0, reason: Titles say what a part is about.}\n",
        "utf-8",
    )
    bench = benches(reader=SparseReader(scorer=None, rules=load_rules(path), min_tokens=0))
    bench.edit_rule("titles", weight=3.5)
    bench.save_rules(path)
    assert "# Titles first." in path.read_text("utf-8")
    assert load_rules(path).rule("titles").weight == 3.5
    with pytest.raises(InvalidRules, match=r"is no name of a rule table; let it end in \.yaml"):
        bench.save_rules(tmp_path / "house.txt")
    assert bench.operations == 3
