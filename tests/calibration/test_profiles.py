"""A calibration as the profile that a runtime reads."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.calibration.made import table, workload
from tests.calibration.test_block_thresholds import drawn
from tests.reading.made import SharedWords
from workbench.calibration import CalibrationResult, calibrate
from workbench.calibration.block_thresholds import fit_threshold
from workbench.calibration.hand_set import judged
from workbench.calibration.profiles import BLOCK_LOSS, GATE_LOSS, profile_of, with_figures_of
from workbench.errors import CalibrationRefused
from workbench.gate import GateProfile, ReadGate, SignalOptions
from workbench.gate.margin import ROUTES, GateThresholds, GateWeights
from workbench.reading import SparseReader
from workbench.reading.describing import description_of

WHEN = datetime(2026, 11, 30, tzinfo=UTC)


def outcomes() -> pd.DataFrame:
    """Outcomes that say which reader and options made them."""
    frame = workload(seed=1)
    frame.attrs = {
        "workload": {"name": "made", "fingerprint": "f" * 64},
        "reader": {"description": json.dumps(description_of(SparseReader(scorer=SharedWords())))},
        "options": SignalOptions(share=0.3).to_dict(),
        "advisory_share": 0.25,
    }
    return frame


def test_a_profile_that_is_saved_and_loaded_routes_every_request_as_the_calibration_did(tmp_path: Path) -> None:
    result = calibrate(outcomes(), quality_tolerance=0.02)
    gate = ReadGate.from_profile(GateProfile.load(result.profile.save(tmp_path / "gate.json")))
    frame = outcomes()
    codes = gate.decide_all(frame[["s", "c", "r"]].to_numpy(), frame["constraint"].to_numpy())
    assert [ROUTES[code].value for code in codes] == result.frame["route"].tolist()
    assert gate.options == SignalOptions(share=0.3)


def test_the_profile_says_what_it_rests_on() -> None:
    profile = profile_of(calibrate(outcomes(), quality_tolerance=0.02), created_by="an analyst", created=WHEN)
    assert (profile.name, profile.created_by, profile.created) == ("made", "an analyst", WHEN)
    assert profile.workload.splits["dev"].requests == 400
    assert (profile.gate.advisory_share, profile.gate.quality_tolerance) == (0.25, 0.02)
    assert ("tolerance", "mean quality loss of at most 0.02") in profile.facts()
    samples = {figure.name: figure.sample for figure in profile.figures if figure.name == "token reduction"}
    assert samples
    assert {figure.sample for figure in profile.figures} == {"in sample", "out of sample"}
    assert profile.promises == ()


def test_promises_are_kept_with_what_they_rest_on() -> None:
    blocks = fit_threshold(drawn(25, seed=1), recall=0.9)
    result = calibrate(outcomes(), quality_tolerance=0.02, promise=0.2)
    gate_promise, block_promise = profile_of(result, blocks=blocks).promises
    assert (gate_promise.what, gate_promise.alpha, gate_promise.kept) == (GATE_LOSS, 0.2, True)
    assert (block_promise.what, block_promise.kept, block_promise.documents) == (BLOCK_LOSS, True, 25)
    assert block_promise.alpha == pytest.approx(0.1)


def test_figures_of_the_split_test_are_told_apart() -> None:
    frame = outcomes()
    split = np.where(frame["document"].isin(sorted(frame["document"].unique())[:8]), "test", "dev")
    attrs = frame.attrs
    frame = frame.assign(split=split)
    frame.attrs = attrs
    profile = profile_of(calibrate(frame, quality_tolerance=0.02))
    assert profile.workload.splits["test"].documents == 8
    assert "token reduction, split test" in [figure.name for figure in profile.figures]


def judged_as(profile: GateProfile, frame: pd.DataFrame) -> CalibrationResult:
    weights, at = profile.gate.weights, profile.gate.thresholds
    return judged(
        frame,
        GateWeights(weights.exposure, weights.cost, weights.risk),
        GateThresholds(native=at.native, force=at.force),
        tolerance=0.02,
        said="As in the profile.",
    )


@pytest.mark.parametrize("splits", [("dev",), ("dev", "test")])
def test_figures_that_a_profile_carries_are_those_of_the_calibration(splits: tuple[str, ...]) -> None:
    frame = outcomes()
    if "test" in splits:
        attrs = frame.attrs
        frame = frame.assign(split=np.where(frame["document"].isin(sorted(frame["document"].unique())[:8]), *splits))
        frame.attrs = attrs
    result = calibrate(frame, quality_tolerance=0.02)
    profile = GateProfile.from_json(profile_of(result).to_json())
    found = with_figures_of(judged_as(profile, frame), profile)
    assert found is not None
    assert found.notes[0] == "As in the profile."
    for mine, theirs in ((found.out_of_sample, result.out_of_sample), (found.test, result.test)):
        assert [replace(figure, basis="") for figure in mine] == [replace(figure, basis="") for figure in theirs]
    again = profile_of(found, created=profile.created)
    assert again.figures == profile.figures
    assert again.workload == profile.workload


def test_a_profile_of_other_outcomes_or_without_figures_has_none_for_these() -> None:
    frame = outcomes()
    profile = profile_of(calibrate(frame, quality_tolerance=0.02))
    other = frame.copy()
    other.loc[other.index[:3], "tokens_sparse"] *= 1.5
    assert with_figures_of(judged_as(profile, other), profile) is None
    bare = profile.model_copy(update={"figures": ()})
    assert with_figures_of(judged_as(bare, frame), bare) is None


def test_where_nothing_pays_the_profile_sends_every_request_the_native_way() -> None:
    frame = table([[0.5, 0.1, 0.1], [0.4, 0.1, 0.1]], [900, 900], [9000, 9000], [0, 0])
    frame.attrs = outcomes().attrs
    profile = calibrate(frame).profile
    assert profile.gate.thresholds.native < profile.gate.thresholds.force <= 2
    gate = ReadGate.from_profile(profile)
    assert gate.decide_all(np.array([[1.0, 0.0, 0.0]])).tolist() == [0]


def test_outcomes_that_name_no_reader_make_no_profile() -> None:
    result = calibrate(workload(seed=1), quality_tolerance=0.02)
    with pytest.raises(CalibrationRefused, match=r"^The outcomes do not say which reader made them"):
        _ = result.profile
