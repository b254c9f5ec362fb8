"""An audit alone gives every decision again, in another process, and tells what does not fit."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gate.made_profiles import profile
from tests.reading.audited import ASKED, READINGS, SUFFIXES, TABLE, bundled, calibrated, loaded_elsewhere, with_feedback
from tests.reading.made import SharedWords, manual
from tests.reading.strategies import Case, cases
from workbench.documents import open_document
from workbench.errors import InvalidAudit, InvalidOption, MissingModel
from workbench.reading import Audit, Reading, SparseReader, Threshold, TokenShare, load_audit
from workbench.reading.altered import altered
from workbench.reading.audit.making import decided_cells, decided_facts
from workbench.reading.reading import reading_of
from workbench.relevance.calibrated import Calibration, CalibrationMap, Method
from workbench.relevance.scores import Scale


def edited(audit: Audit, column: str, block: int, value: Any) -> Audit:
    """The audit with another value in one place, and the seal that belongs to it."""
    rows = [list(row) for row in audit.rows]
    rows[block][audit.columns.index(column)] = value
    return Audit(audit.facts, audit.columns, tuple(map(tuple, rows)))


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if value is None or isinstance(value, str):
        return f"{value or ''}!"
    return np.nextafter(value, np.inf).item() if isinstance(value, float) else value + 1


def agrees(reading: Reading, told: Sequence[dict[str, Any]]) -> None:
    seal = reading.audit().seal
    for found in told:
        assert found == {
            "wrong": [],
            "status": reading.status.tolist(),
            "reason": reading.decision.reason.tolist(),
            "seal": seal,
            "kept": reading.decision.kept.tolist(),
        }


@pytest.mark.parametrize("name", READINGS)
def test_every_decision_is_reproduced_by_a_process_that_has_only_the_file(name: str, tmp_path: Path) -> None:
    reading = READINGS[name]()
    audit = reading.audit()
    agrees(reading, loaded_elsewhere([audit.save(tmp_path / f"audit{suffix}") for suffix in SUFFIXES]))


@pytest.mark.data
def test_a_filing_of_160_pages_is_reproduced_from_its_file(data_dir: Path, tmp_path: Path) -> None:
    document = open_document(data_dir / "financebench" / "pdfs" / "3M_2018_10K.pdf")
    reading = SparseReader(scorer=None).read(document, "What is the capital expenditure in fiscal year 2018?")
    for found in (reading, reading.with_budget(6_000)):
        paths = [found.audit().save(tmp_path / f"audit{suffix}") for suffix in SUFFIXES]
        agrees(found, loaded_elsewhere(paths))


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Any small reading: either cut, perhaps a budget, perhaps a focus, feedback on a few blocks."""
    case: Case = draw(cases())
    basis = case.basis(offset=draw(st.sampled_from([0.0, 0.05, -0.08])))
    with_text = np.flatnonzero(basis.has_text).tolist()
    threshold = Threshold(draw(st.floats(0, 1)), case.scale)
    share = TokenShare(draw(st.floats(0.01, 1)), draw(st.integers(0, 60)))
    focus = None
    if with_text and draw(st.integers(0, 3)) == 0:
        blocks = draw(st.lists(st.sampled_from(with_text), unique=True, max_size=3))
        focus = {block: ((0, draw(st.integers(1, len(case.document.texts[block])))),) for block in blocks}
    budget = draw(st.none() | st.integers(1, 300))
    return reading_of(basis, draw(st.sampled_from([threshold, share])), budget, focus)


@given(readings())
@settings(max_examples=60)
def test_any_reading_comes_back_whole_from_any_file(reading: Reading) -> None:
    audit = reading.audit()
    with tempfile.TemporaryDirectory() as folder:
        for suffix in SUFFIXES:
            again = load_audit(audit.save(Path(folder) / f"audit{suffix}"))
            assert again == audit and again.seal == audit.seal and repr(again.rows) == repr(audit.rows)
    assert again.check() == ()
    decision = again.decided_again()
    assert decision.status.tolist() == reading.status.tolist()
    assert decision.reason.tolist() == reading.decision.reason.tolist()
    assert decision.margin.tobytes() == reading.margin.tobytes()
    assert decision.refused == reading.decision.refused


@given(readings(), st.data())
@settings(max_examples=60)
def test_whatever_follows_from_the_rest_is_told_where_it_was_changed(reading: Reading, data: st.DataObject) -> None:
    audit = reading.audit()
    follows = [name for name in decided_cells(reading.basis, reading.decision) if name not in ("rules", "focus")]
    if len(audit):
        block, name = data.draw(st.integers(0, len(audit) - 1)), data.draw(st.sampled_from(follows))
        stored = audit.rows[block][audit.columns.index(name)]
        (told,) = edited(audit, name, block, other(stored)).check()
        assert told.startswith(f"block {block}, {name}: here ") and ", decided again " in told
    fact = data.draw(st.sampled_from(list(decided_facts(reading.basis, reading.cut, reading.decision, None))))
    if fact not in ("focus_blocks", "blocks"):
        facts = {**audit.facts, fact: other(audit.facts[fact])}
        (told,) = replace(audit, facts=facts).check()
        assert told.startswith(f"{fact}: here ")


def test_a_status_that_was_edited_and_sealed_again_is_found(tmp_path: Path) -> None:
    audit = calibrated().audit()
    assert audit.rows[9][audit.columns.index("status")] == "pinned"
    wrong = load_audit(edited(audit, "status", 9, "skipped").save(tmp_path / "audit.csv"))
    assert wrong.check() == ("block 9, status: here 'skipped', decided again 'pinned'",)
    moved = load_audit(edited(audit, "margin", 5, 0.25).save(tmp_path / "audit.parquet"))
    (told,) = moved.check()
    assert told == f"block 5, margin: here 0.25, decided again {audit.rows[5][audit.columns.index('margin')]}"


def test_an_input_that_was_edited_is_found_by_what_follows_from_it() -> None:
    audit = calibrated(threshold=0.4).audit()
    told = edited(audit, "scored_relevance", 5, 0.01).check()
    names = [sentence.partition(":")[0] for sentence in told if sentence.startswith("block 5")]
    assert names == [
        f"block 5, {name}" for name in ("tokens_kept", "relevance", "priority", "margin", "status", "kept", "reason")
    ]
    assert any(sentence.startswith("kept_text_sha256: ") for sentence in told)
    silent = edited(audit, "rules", 5, "").check()
    assert any(sentence.startswith("block 5, weight: ") for sentence in silent)


def test_feedback_lowers_a_block_again() -> None:
    audit = with_feedback().audit()
    assert audit.facts["feedback_blocks"] == 2
    told = edited(audit, "feedback", 5, 0.5).check()
    assert any(sentence.startswith("block 5, relevance: ") for sentence in told)
    assert any(sentence.startswith("block 5, part_feedback: ") for sentence in told)


def test_the_stored_status_is_never_looked_at() -> None:
    audit = calibrated(threshold=0.4).audit()
    decision = audit.decided_again().status.tolist()
    for name in ("status", "kept", "margin", "priority", "weight", "reason", "relevance", "logit", "pinned"):
        for block in range(len(audit)):
            audit = edited(audit, name, block, other(audit.rows[block][audit.columns.index(name)]))
    assert audit.decided_again().status.tolist() == decision


class Words:
    name = "words"

    def count(self, texts: Sequence[str]) -> Any:
        return np.array([len(text.split()) for text in texts], np.int32)


def test_a_budget_in_another_tokenizer_needs_that_tokenizer(tmp_path: Path) -> None:
    reader = SparseReader(scorer=SharedWords(), rules=TABLE, tokenizer=Words(), min_tokens=10)
    path = reader.read(manual(), ASKED, budget_tokens=60).audit().save(tmp_path / "audit.json")
    audit = load_audit(path)
    with pytest.raises(MissingModel, match=r"with the tokenizer 'words'; give it as tokenizer=… to decide again under"):
        audit.check()
    assert audit.check(tokenizer=Words()) == ()
    with pytest.raises(InvalidOption, match=r"the tokenizer 'words', and 'o200k_base' was given; give the former\.$"):
        audit.check(tokenizer="o200k_base")
    free = reader.read(manual(), ASKED).audit()
    assert free.check() == () and free.check(tokenizer=Words()) == ()


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
    (told,) = audit.check(profile=other_profile)
    assert told.startswith(f"profile_sha256: here '{made.fingerprint[:50]}")
    assert f", in this profile '{other_profile.fingerprint[:50]}" in told
    relevance = edited(audit, "scored_relevance", 0, 0.25)
    assert "block 0, scored_relevance: here 0.25, by the map of this profile 0.5" in relevance.check(profile=made)


def test_what_departs_from_the_profile_is_said() -> None:
    scorer = SharedWords()
    reader = SparseReader.from_profile(mapped_profile(scorer), scorer=scorer)
    reading = reader.read(manual(), ASKED)
    assert reading.with_threshold(0.3).audit().facts["profile_departures"] == ["cut"]
    assert reading.with_rules(TABLE).audit().facts["profile_departures"] == ["rules"]
    assert reading.with_budget(50).audit().facts["profile_departures"] == []
    uncalibrated = altered(reader, calibration=None, threshold=None).read(manual(), ASKED).audit()
    assert uncalibrated.facts["profile_departures"] == ["calibration"]
    offset = altered(reader, offsets={"technical": 0.02}).read(manual(), ASKED).audit()
    assert offset.facts["profile_departures"] == ["offset"]
    assert SparseReader(scorer=scorer).read(manual(), ASKED).audit().facts["profile_departures"] == []


def test_two_audits_are_compared_value_by_value() -> None:
    reader = SparseReader(scorer=None, min_tokens=100)
    reading = reader.read(bundled("harbor-manual.md"), "What triggers a backup?")
    again = reader.read(bundled("harbor-manual.md"), "What triggers a backup?").audit()
    assert reading.audit().differences(again) == () and reading.audit() == again
    told = reading.audit().differences(reading.with_token_share(TokenShare(0.5, 0)).audit())
    assert any(sentence.startswith("cut: here {'kind'") for sentence in told)
    assert any(", status: here 'skipped', there 'kept'" in sentence for sentence in told)
    other_document = reader.read(manual(), "What triggers a backup?").audit()
    assert reading.audit().differences(other_document)[-1] == f"here are {len(reading)} blocks, there are 10"
    scale = SparseReader(scorer=SharedWords(Scale.CALIBRATED)).read(manual(), ASKED).audit()
    assert "the column 'part_by hand' is only there" in other_document.differences(scale)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("parent", 7, "block 5 stands under heading 7, which comes later"),
        ("table", 99, "table names a block that is none of the 10"),
        ("continues", -2, "continues names a block that is none of the 10"),
        ("page", 0, "a block is on a page that is none of the 1"),
        ("kind", "poem", "'poem' is not a valid BlockKind"),
        ("scored_relevance", 1.5, "the relevance 1.5; it must be a number from 0 to 1"),
        ("rules", "unheard x 2*", "'unheard'"),
        ("tokens", 2**40, "out of bounds"),
    ],
)
def test_impossible_inputs_are_refused_though_they_are_sealed(
    column: str, value: Any, words: str, tmp_path: Path
) -> None:
    path = edited(calibrated().audit(), column, 5, value).save(tmp_path / "audit.json")
    with pytest.raises(
        InvalidAudit, match=r"because its inputs are impossible .*; it was not made by a reading\.$"
    ) as told:
        load_audit(path)
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("cut", {"kind": "threshold", "value": 7.0, "scale": "calibrated"}),
        ("cut", {}),
        ("budget_tokens", 0),
        ("scope", "everything"),
        ("scale", "kilograms"),
        ("pages", {"count": 1}),
        ("pages", {"count": 10**12, "no text layer": [], "blank": [], "unreadable": []}),
        ("rules_spoken", [{"name": "alarms"}]),
    ],
)
def test_an_impossible_fact_is_refused_though_it_is_sealed(fact: str, value: Any, tmp_path: Path) -> None:
    audit = calibrated().audit()
    path = replace(audit, facts={**audit.facts, fact: value}).save(tmp_path / "audit.json")
    with pytest.raises(InvalidAudit, match=r"because its inputs are impossible"):
        load_audit(path)


@pytest.mark.parametrize("ranges", ["5-2", "0-9999", "0-5 3-8", "x"])
def test_an_impossible_focus_is_refused(ranges: str) -> None:
    audit = edited(calibrated().with_focus({5: ((3, 8),)}).audit(), "focus", 5, ranges)
    with pytest.raises(InvalidAudit, match="cannot be decided again"):
        audit.check()
