"""The profile that is shipped fits the rules, the model and the workload that are shipped with it."""

from __future__ import annotations

import pytest

from workbench.gate import GateProfile, ReadGate
from workbench.reading import SparseReader
from workbench.resources import datasets_dir
from workbench.structure import RuleBook
from workbench.workload import load_workload


@pytest.fixture(scope="module")
def shipped() -> GateProfile:
    return GateProfile.load(datasets_dir() / "dev" / "gate.json")


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
