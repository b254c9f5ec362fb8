"""An audit is held against the gate profile that it names, whatever it says of itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.gate.made_profiles import profile
from tests.reading.audited import ASKED, TABLE, Words, bundled, column_edited, edited
from tests.reading.made import SharedWords, manual
from workbench.reading import Audit, SparseReader, TokenShare, load_audit
from workbench.reading.altered import altered
from workbench.reading.profile_used import ProfileUsed
from workbench.relevance.calibrated import Calibration, CalibrationMap, Method


def mapped_profile(scorer: SharedWords, bias: float = 0.0) -> Any:
    maps = Calibration(scorer.fingerprint, {"*": CalibrationMap(Method.TEMPERATURE, (), (3.0, bias), 90, 9)}, "dev")
    block = {"cut": {"kind": "threshold", "value": 0.6}, "calibration": json.loads(maps.to_json())}
    return profile(models__scorer=scorer.fingerprint, block=block)


def test_the_profile_is_named_and_gives_the_relevances_again(tmp_path: Path) -> None:
    scorer = SharedWords()
    made = mapped_profile(scorer)
    audit = SparseReader.from_profile(made, scorer=scorer).read(manual(), ASKED).audit()
    assert (audit.facts["profile"], audit.facts["profile_sha256"]) == (made.name, made.fingerprint)
    assert audit.facts["profile_departures"] == []
    assert audit.check(profile=made) == () == audit.check(profile=made.save(tmp_path / "gate.json"))
    other_profile = mapped_profile(scorer, 0.5)
    assert made.calibration is not None and other_profile.calibration is not None
    assert audit.check(profile=other_profile) == (
        f"profile_sha256: here '{made.fingerprint[:59]}…', in this profile '{other_profile.fingerprint[:59]}…'",
        f"calibration: here '{made.calibration.fingerprint[:59]}…', "
        f"in this profile '{other_profile.calibration.fingerprint[:59]}…'",
        "profile_departures: here [], held against this profile ['calibration']",
    )
    relevance = edited(audit, "scored_relevance", 0, 0.25)
    assert "block 0, scored_relevance: here 0.25, by the map of this profile 0.5" in relevance.check(profile=made)


def test_what_departs_from_the_profile_is_said() -> None:
    scorer = SharedWords()
    made = mapped_profile(scorer)
    reader = SparseReader.from_profile(made, scorer=scorer)
    reading = reader.read(manual(), ASKED)
    moved = reading.with_threshold(0.3).audit()
    assert moved.facts["profile_departures"] == ["cut"]
    assert moved.check(profile=made) == (
        "cut: here {'kind': 'threshold', 'value': 0.3, 'scale': 'calibrated'}, "
        "in this profile {'kind': 'threshold', 'value': 0.6, 'scale': 'calibrated'}",
    )
    assert reading.with_rules(TABLE).audit().facts["profile_departures"] == ["rules"]
    assert reading.with_budget(50).audit().facts["profile_departures"] == []
    uncalibrated = altered(reader, calibration=None, threshold=None).read(manual(), ASKED).audit()
    assert uncalibrated.facts["profile_departures"] == ["calibration"]
    offset = altered(reader, offsets={"technical": 0.02}).read(manual(), ASKED).audit()
    assert offset.facts["profile_departures"] == ["offset"]
    assert SparseReader(scorer=scorer).read(manual(), ASKED).audit().facts["profile_departures"] == []
    used, basis = ProfileUsed.of(made), reading.basis
    assert used.departures(basis, reading.cut) == ()
    other_scorer = replace(basis, scored=replace(basis.scored, scorer="another one"))
    assert used.departures(other_scorer, reading.cut) == ("scorer",)
    assert used.departures(replace(basis, tokenizer=Words()), reading.cut) == ("tokenizer",)


def resealed(audit: Audit, path: Path, **facts: Any) -> Audit:
    """The audit with other facts, sealed again, saved and loaded."""
    return load_audit(replace(audit, facts={**audit.facts, **facts}).save(path))


def decided_anew(audit: Audit, path: Path) -> Audit:
    """The audit with everything that follows from its inputs as it comes out: what a careful forger would write."""
    from workbench.reading.audit.columns import cells_of, rows_of
    from workbench.reading.audit.inputs import cut_of
    from workbench.reading.audit.making import decided_cells, decided_facts
    from workbench.reading.audit.replay import decided_again

    basis, decision = decided_again(audit)
    cut, budget, _ = cut_of(audit)
    cells = {**cells_of(audit.columns, audit.rows), **decided_cells(basis, decision)}
    facts = {**audit.facts, **decided_facts(basis, cut, decision, budget)}
    forged = load_audit(Audit(facts, audit.columns, rows_of(cells, audit.columns)).save(path))
    assert forged.check() == ()
    return forged


def by_profile() -> tuple[Any, Audit]:
    """A profile with a map, and the audit of a reading under it."""
    scorer = SharedWords()
    made = mapped_profile(scorer)
    return made, SparseReader.from_profile(made, scorer=scorer).read(manual(), ASKED).audit()


def test_another_calibration_does_not_talk_the_check_out_of_the_map(tmp_path: Path) -> None:
    made, audit = by_profile()
    nothing = column_edited(replace(audit, facts={**audit.facts, "calibration": "0" * 64}), "scored_relevance", 0.0)
    forged = decided_anew(nothing, tmp_path / "audit.json")
    assert forged.facts["blocks_kept"] == 0
    told = forged.check(profile=made)
    assert [sentence.partition(":")[0] for sentence in told] == ["calibration", "profile_departures"]
    admitted = resealed(forged, tmp_path / "audit.json", profile_departures=["calibration"])
    (told_again,) = admitted.check(profile=made)
    assert told_again == told[0] and f", in this profile '{made.calibration.fingerprint[:50]}" in told_again


def test_a_map_that_has_none_for_these_documents_is_no_calibration_of_them(tmp_path: Path) -> None:
    scorer = SharedWords()
    legal = Calibration(scorer.fingerprint, {"legal": CalibrationMap(Method.TEMPERATURE, (), (3.0, 0.0), 90, 9)}, "dev")
    block = {"cut": {"kind": "threshold", "value": 0.6}, "calibration": json.loads(legal.to_json())}
    made = profile(models__scorer=scorer.fingerprint, block=block)
    audit = SparseReader.from_profile(made, scorer=scorer).read(manual(), ASKED).audit()
    assert audit.facts["calibration"] is None and audit.check(profile=made) == ()
    (told, departs) = resealed(audit, tmp_path / "a.json", calibration=legal.fingerprint).check(profile=made)
    assert told == f"calibration: here '{legal.fingerprint[:59]}…', in this profile None"
    assert departs == "profile_departures: here [], held against this profile ['calibration']"


@pytest.mark.parametrize(
    ("departure", "fact", "value", "words"),
    [
        ("cut", "cut", {"kind": "threshold", "value": 0.99, "scale": "calibrated"}, "'value': 0.6, "),
        ("scorer", "scorer", "a better one", "in this profile 'shared words 1'"),
        ("tokenizer", "tokenizer", "words", "in this profile 'o200k_base'"),
        ("offset", "type_offset", -0.08, "in this profile 0.0"),
        ("rules", "rules_sha256", "0" * 64, "in this profile '"),
    ],
)
def test_a_value_that_is_not_the_profiles_is_told_whether_it_is_admitted_or_not(
    departure: str, fact: str, value: Any, words: str, tmp_path: Path
) -> None:
    made, audit = by_profile()
    changed = replace(audit, facts={**audit.facts, fact: value})
    if fact not in ("tokenizer", "scorer", "rules_sha256"):
        changed = decided_anew(changed, tmp_path / "audit.csv")
    path = tmp_path / "audit.parquet"
    value_told, departs = resealed(changed, path).check(profile=made)
    assert value_told.startswith(f"{fact}: here ") and words in value_told
    assert departs == f"profile_departures: here [], held against this profile [{departure!r}]"
    assert resealed(changed, path, profile_departures=[departure]).check(profile=made) == (value_told,)


def test_a_departure_that_is_none_is_told(tmp_path: Path) -> None:
    made, audit = by_profile()
    admits = resealed(audit, tmp_path / "audit.json", profile_departures=["rules"])
    assert admits.check(profile=made) == ("profile_departures: here ['rules'], held against this profile []",)


def test_relevances_that_are_called_uncalibrated_are_not_cut_otherwise(tmp_path: Path) -> None:
    made, audit = by_profile()
    share = {"kind": "token share", "share": TokenShare().share, "min_tokens": TokenShare().min_tokens}
    uncalibrated = replace(audit, facts={**audit.facts, "scale": "uncalibrated", "cut": share})
    told = decided_anew(uncalibrated, tmp_path / "audit.json").check(profile=made)
    assert told == ("scale: here 'uncalibrated', in this profile 'calibrated'",)


def test_a_rule_that_the_profile_does_not_have_is_told() -> None:
    scorer = SharedWords()
    made = mapped_profile(scorer)
    reader = SparseReader.from_profile(made, scorer=scorer)
    audit = reader.read(bundled("harbor-manual.md"), "What triggers a backup?").audit()
    first, *others = audit.facts["rules_spoken"]
    lighter = replace(audit, facts={**audit.facts, "rules_spoken": [{**first, "weight": 0.0625}, *others]})
    (told,) = (line for line in lighter.check(profile=made) if line.startswith("rules_spoken"))
    assert told == f"rules_spoken, {first['name']}: here x 0.0625, in this profile x {first['weight']:g}"
    invented = {"name": "invented", "weight": 0.1, "pin": False, "reason": ""}
    audit = replace(audit, facts={**audit.facts, "rules_spoken": [*audit.facts["rules_spoken"], invented]})
    assert audit.check(profile=made) == ("rules_spoken: here 'invented', in this profile no such rule",)
