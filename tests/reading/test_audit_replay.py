"""An audit alone gives every decision again, in another process, and tells what does not fit."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.audited import (
    ASKED,
    READINGS,
    SUFFIXES,
    TABLE,
    Words,
    bundled,
    calibrated,
    edited,
    loaded_elsewhere,
    with_feedback,
)
from tests.reading.made import SharedWords, manual
from tests.reading.strategies import Case, cases
from workbench.documents import open_document
from workbench.errors import InvalidOption, MissingModel
from workbench.reading import Reading, SparseReader, Threshold, TokenShare, load_audit
from workbench.reading.audit.making import decided_cells, decided_facts
from workbench.reading.reading import reading_of
from workbench.relevance.scores import Scale


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
