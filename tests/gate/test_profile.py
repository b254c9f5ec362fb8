"""A gate profile: what is saved is what decides, and what does not fit is refused by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.gate.made_profiles import profile, values
from workbench.errors import FileMissing, InvalidProfile, WorkbenchError
from workbench.gate.profile import SCHEMA_FILE, GateProfile, schema
from workbench.gate.profile.migrations import SCHEMA_VERSION, migrated
from workbench.relevance.calibrated import Calibration, CalibrationMap, Method
from workbench.structure import RuleBook

CALIBRATION = Calibration("5c0fe", {"*": CalibrationMap(Method.TEMPERATURE, (), (1.2, -4.0), 900, 30)}, "dev")


def test_a_profile_that_is_saved_and_loaded_says_the_same(tmp_path: Path) -> None:
    made = profile()
    again = GateProfile.load(made.save(tmp_path / "gate.json"))
    assert again == made
    assert again.fingerprint == made.fingerprint
    assert again.to_json() == made.to_json()
    assert again.rule_book.sha256 == RuleBook.shipped().sha256


def test_maps_and_offsets_come_back_as_they_were(tmp_path: Path) -> None:
    made = profile(
        block={
            "cut": {"kind": "threshold", "value": 0.41, "recall_floor": 0.95},
            "offsets": {"legal": -0.08},
            "calibration": json.loads(CALIBRATION.to_json()),
        }
    )
    again = GateProfile.load(made.save(tmp_path / "gate.json"))
    assert again.calibration is not None
    assert again.calibration.fingerprint == CALIBRATION.fingerprint
    assert again.block.offsets == {"legal": -0.08}


def test_a_file_that_is_there_is_replaced_at_once(tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    path.write_text("before")
    profile().save(path)
    assert GateProfile.load(path).name == "made"
    assert [file.name for file in tmp_path.iterdir()] == ["gate.json"]


def test_figures_and_dates_do_not_change_what_a_profile_decides() -> None:
    assert profile(figures=[], created_by="somebody else", name="x").fingerprint == profile().fingerprint
    assert profile(gate__thresholds__force=0.21).fingerprint != profile().fingerprint


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gate__weights__risk": 0.3}, "gate.weights: the weights sum to 1.1; they must sum to 1"),
        ({"gate__weights__risk": 0.0}, "gate.weights.risk: Input should be greater than 0"),
        ({"gate__thresholds__native": 0.2}, "gate.thresholds: native is 0.2 and force 0.2; native must be below force"),
        ({"block__offsets": {"legal": 0.09}}, "block.offsets.legal: Input should be less than or equal to 0.08"),
        ({"surprise": 1}, "surprise: Extra inputs are not permitted"),
        ({"workload__splits": {}}, "workload.splits: a profile is fitted on at least one request"),
        ({"block__cut": {"kind": "threshold", "value": 0.4}}, "block: the cut is a threshold on calibrated relevance"),
        ({"block__cut": {"kind": "guess"}}, "block.cut: Input tag 'guess'"),
    ],
)
def test_a_value_outside_its_range_is_named_with_its_field(change: dict[str, object], message: str) -> None:
    text = json.dumps(values(**change), default=str)
    text = json.dumps({"schema_version": 1, **json.loads(text)})
    with pytest.raises(InvalidProfile) as caught:
        GateProfile.from_json(text, name="gate.json")
    assert message in str(caught.value)
    assert str(caught.value).startswith("gate.json is no gate profile of version 1: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x is no JSON"),
        ("{", "x is no JSON"),
        ("[]", "x is no gate profile: it has no schema_version."),
        ("{}", "x is no gate profile: it has no schema_version."),
        ('{"schema_version": "1"}', "x has the schema version '1', which is no number."),
        ('{"schema_version": 7}', "x is a gate profile of version 7, and this workbench reads up to version 1; update"),
        ('{"schema_version": 0}', "x is a gate profile of version 0, which nothing reads; calibrate again."),
        ('{"schema_version": 1}', "x is no gate profile of version 1: name: Field required"),
        ("[" * 100_000, "x is no JSON"),
    ],
)
def test_what_is_no_profile_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(InvalidProfile) as caught:
        GateProfile.from_json(text, name="x")
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_profile_that_is_not_there_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"make one with workbench calibrate\.$"):
        GateProfile.load(tmp_path / "gate.json")


@given(st.binary(max_size=200))
def test_no_bytes_end_in_anything_but_a_sentence(data: bytes) -> None:
    with pytest.raises(WorkbenchError):
        GateProfile.from_json(data)


def test_rules_that_were_edited_inside_a_profile_are_found_out() -> None:
    made = values()
    made["rules"]["tables"]["legal"]["rules"][0]["weight"] = 4.9
    text = json.dumps({"schema_version": 1, **made}, default=str)
    with pytest.raises(InvalidProfile, match=r"are not those that it was calibrated with .*; calibrate again"):
        GateProfile.from_json(text)


def test_a_rule_that_is_none_is_named() -> None:
    made = values()
    made["rules"]["tables"]["legal"]["rules"][0]["weight"] = 99
    text = json.dumps({"schema_version": 1, **made}, default=str)
    with pytest.raises(InvalidProfile, match=r"The table for 'legal', rule 1: weight 99 is outside"):
        GateProfile.from_json(text)


def test_an_older_profile_is_brought_up_step_by_step() -> None:
    old = {"schema_version": SCHEMA_VERSION - 1, "weight": 3}
    steps = {SCHEMA_VERSION - 1: lambda values: {"weights": [values["weight"]]}}
    assert migrated(old, "old.json", steps=steps) == {"schema_version": SCHEMA_VERSION, "weights": [3]}


def test_a_file_without_a_tolerance_is_read_as_before_and_knows_none() -> None:
    old = json.loads(profile().to_json())
    del old["gate"]["quality_tolerance"]
    found = GateProfile.from_json(json.dumps(old))
    assert found == profile()
    assert found.gate.quality_tolerance is None
    assert "tolerance" not in dict(found.facts())


def test_a_tolerance_is_shown_and_decides_nothing() -> None:
    found = profile(gate__quality_tolerance=0.02)
    assert "tolerance mean quality loss of at most 0.02" in str(found)
    assert found.fingerprint == profile().fingerprint
    assert GateProfile.from_json(found.to_json()) == found


def test_the_schema_that_is_shipped_is_that_of_the_model() -> None:
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == schema()


def test_a_profile_shows_what_it_decides_and_on_what() -> None:
    said = str(profile())
    assert "0.500 s - 0.300 c - 0.200 r" in said
    assert "force from +0.2000, native up to -0.1000, advisory between" in said
    assert "the best 20 % of the tokens, at least 3,000" in said
    assert "token reduction" in said and "0.61 [0.5, 0.7]" in said
    assert profile(name="<b>x</b>")._repr_html_().count("<b>") == 0


FIGURES = [
    {"name": "token reduction", "value": 0.4703, "low": 0.3311, "high": 0.5286, "unit": "share"},
    {"name": "quality loss", "value": 0.03952, "low": 0.01282, "high": 0.06742, "unit": "quality"},
    {"name": "regret", "value": 2687.4, "low": -0.2, "high": 12628.2, "unit": "tokens a request"},
]


def figures_of_both() -> list[dict[str, object]]:
    outside = [figure | {"sample": "out of sample"} for figure in FIGURES]
    test = {"name": "quality loss, split test", "value": 0.05, "unit": "quality", "sample": "out of sample"}
    inside = {"name": "token reduction", "value": 0.5, "unit": "share", "sample": "in sample"}
    return [*outside, test, inside]


def test_figures_are_one_table_with_a_column_for_each_sample() -> None:
    lines = str(profile(figures=figures_of_both())).split("\n\n")[1].splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "out of sample split test in sample",
        "token reduction 47.0 % [33.1 %, 52.9 %] 50.0 %",
        "quality loss 0.0395 [0.0128, 0.0674] 0.0500",
        "regret (tokens a request) 2,687 [0, 12,628]",
    ]
    assert len({len(line) for line in lines[:2]}) == 1, "numbers stand on the right of their columns"


def test_a_figure_says_its_unit_in_its_digits() -> None:
    said = [str(figure) for figure in profile(figures=figures_of_both()).figures]
    assert said[0] == "token reduction: 47.0 % [33.1 %, 52.9 %] (out of sample)"
    assert said[2] == "regret: 2,687 [0, 12,628] tokens a request (out of sample)"


def test_a_profile_without_figures_is_shown_without_a_table_of_them() -> None:
    assert "sample" not in str(profile(figures=[])) and "sample" not in profile(figures=[])._repr_html_()


def test_a_profile_interprets_nothing() -> None:
    figure = {"name": "<b>x</b> $5 to $9", "value": 1.0, "sample": "in sample"}
    page = profile(name="<img src=x>", notes=["<script>alert(1)</script>"], figures=[figure])._repr_html_()
    assert "<script" not in page and "<img" not in page and "<b>" not in page and "mathjax_ignore" in page
