"""Profile and outcomes that are shipped fit the rules, the model and the workload that are shipped with them."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from workbench.calibration import calibrate
from workbench.gate import GateProfile, ReadGate
from workbench.reading import SparseReader
from workbench.resources import datasets_dir
from workbench.structure import RuleBook
from workbench.workload import load_workload
from workbench.workload.replay import load_outcomes, replay


@pytest.fixture(scope="module")
def shipped() -> GateProfile:
    return GateProfile.load(datasets_dir() / "dev" / "gate.json")


@pytest.fixture(scope="module")
def outcomes() -> pd.DataFrame:
    return load_outcomes(datasets_dir() / "dev" / "outcomes.parquet")


def test_it_was_calibrated_on_the_shipped_workload_with_the_shipped_rules(shipped: GateProfile) -> None:
    assert shipped.workload.fingerprint == load_workload(datasets_dir() / "dev").fingerprint
    assert list(shipped.rule_book.differences(RuleBook.shipped())) == []


def test_a_reader_with_the_embedded_model_is_made_from_it(shipped: GateProfile) -> None:
    reader = SparseReader.from_profile(shipped)
    assert reader.scorer.fingerprint == shipped.models.scorer


def test_its_headline_is_out_of_sample_and_has_an_interval(shipped: GateProfile) -> None:
    (headline,) = [
        figure for figure in shipped.figures if figure.name == "token reduction" and figure.sample == "out of sample"
    ]
    assert headline.low is not None
    assert headline.low > 0


@pytest.mark.parametrize(
    ("artifact", "question", "route"),
    [
        ("pump-manual.pdf", "Which seal oil does the MX-125 need?", "force"),
        ("meter-readings.csv", "What is the sum of all readings of the year?", "native"),
        ("lease-portfolio.pdf", "Summarise the whole document.", "native"),
        ("field-bulletin.md", "Which bolt is affected?", "native"),
    ],
)
def test_it_forces_what_is_long_and_leaves_the_native_fit_alone(
    shipped: GateProfile, artifact: str, question: str, route: str
) -> None:
    decision = ReadGate.from_profile(shipped).decide(datasets_dir() / "dev" / "artifacts" / artifact, question)
    assert decision.route.value == route


def test_the_shipped_outcomes_are_those_of_the_shipped_workload_and_reader(
    shipped: GateProfile, outcomes: pd.DataFrame
) -> None:
    workload = load_workload(datasets_dir() / "dev")
    assert outcomes["request"].tolist() == [request.id for request in workload]
    assert outcomes.attrs["workload"]["fingerprint"] == workload.fingerprint
    said = json.loads(outcomes.attrs["reader"]["description"])
    assert said["models"] == shipped.models.model_dump(mode="json")
    assert outcomes.attrs["failed"] == []


def test_the_shipped_profile_is_the_calibration_of_the_shipped_outcomes(
    shipped: GateProfile, outcomes: pd.DataFrame
) -> None:
    assert shipped.gate.quality_tolerance == 0.02
    result = calibrate(outcomes, quality_tolerance=shipped.gate.quality_tolerance)
    assert result.weights.to_dict() == shipped.gate.weights.model_dump()
    assert {"native": result.thresholds.native, "force": result.thresholds.force} == pytest.approx(
        shipped.gate.thresholds.model_dump(), abs=1e-12
    )


def test_every_document_of_the_shipped_outcomes_is_read_as_it_was_then(outcomes: pd.DataFrame) -> None:
    workload, tokenizer = load_workload(datasets_dir() / "dev"), SparseReader(scorer=None).tokenizer
    first = {request.document_key: request for request in reversed(list(workload))}
    then = outcomes.set_index("request")["tokens_artifact"]
    now = {
        request.id: int(tokenizer.count(workload.open(request, progress=False).texts).sum())
        for request in first.values()
    }
    assert now == {request: int(then[request]) for request in now}


def test_the_shipped_outcomes_are_what_a_replay_makes(shipped: GateProfile, outcomes: pd.DataFrame) -> None:
    chosen = ["documents/harbor-manual.md", "documents/差旅制度.txt", "artifacts/field-bulletin.md"]
    some = load_workload(datasets_dir() / "dev").of_documents(chosen)
    again = replay(some, SparseReader.from_profile(shipped), processes=1)
    exact = [
        name for name in again.columns if name not in ("seconds_native", "seconds_sparse", "reasons", "observations")
    ]
    before = outcomes.set_index("request").loc[again["request"]].reset_index()[exact]
    pd.testing.assert_frame_equal(again[exact], before, check_dtype=False, rtol=1e-3, check_categorical=False)
