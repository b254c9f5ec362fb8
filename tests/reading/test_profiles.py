"""A reader from a gate profile: the same decisions, or the difference by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gate.made_profiles import profile
from tests.reading.made import SharedWords, manual
from workbench.errors import InvalidOption, InvalidProfile, StaleProfile
from workbench.gate.profile import GateProfile
from workbench.reading import SparseReader, Threshold, TokenShare
from workbench.reading.describing import description_of
from workbench.relevance.calibrated import Calibration, CalibrationMap, Method
from workbench.structure import RuleBook

QUESTION = "Who answers an alarm?"


def of(scorer: Any, **changes: Any) -> GateProfile:
    return profile(models__scorer=scorer.fingerprint, **changes)


def test_a_reader_from_a_profile_reads_as_the_one_that_was_calibrated(tmp_path: Path) -> None:
    scorer = SharedWords()
    path = of(scorer, block={"cut": {"kind": "token share", "share": 0.3, "min_tokens": 10}}).save(tmp_path / "g.json")
    again = SparseReader.from_profile(path, scorer=scorer).read(manual(), QUESTION)
    before = SparseReader(scorer=scorer, token_share=0.3, min_tokens=10).read(manual(), QUESTION)
    assert again.cut == TokenShare(0.3, 10)
    assert again.kept_ids == before.kept_ids
    assert again.kept_text == before.kept_text


def test_threshold_offsets_and_maps_come_from_the_profile() -> None:
    scorer = SharedWords()
    maps = Calibration(scorer.fingerprint, {"*": CalibrationMap(Method.TEMPERATURE, (), (1.0, 0.0), 90, 9)}, "dev")
    made = of(
        scorer,
        block={
            "cut": {"kind": "threshold", "value": 0.41},
            "offsets": {"legal": 0.05},
            "calibration": json.loads(maps.to_json()),
        },
    )
    reading = SparseReader.from_profile(made, scorer=scorer).read(manual(document_type="legal"), QUESTION)
    assert reading.cut == Threshold(0.41)
    assert reading.offset == 0.05
    assert reading.scores.calibration == maps.fingerprint


def test_another_model_is_refused_with_its_name() -> None:
    made = profile(
        models={"scorer": "x", "encoder": {"name": "big-model", "fingerprint": "e" * 64}, "tokenizer": "o200k_base"}
    )
    with pytest.raises(StaleProfile, match=r"the encoder is all-MiniLM-L6-v2 \(\w{12}\), not big-model \(e{12}\)"):
        from workbench.relevance.encoders import default_encoder
        from workbench.relevance.hybrid import HybridScorer

        SparseReader.from_profile(made, scorer=HybridScorer(encoder=default_encoder()))
    with pytest.raises(
        StaleProfile, match=r"the scores are made otherwise .* other options, or another version than 0\.1\.0"
    ):
        SparseReader.from_profile(profile(), scorer=SharedWords())


def test_other_rules_and_another_tokenizer_are_refused_each_by_name() -> None:
    scorer = SharedWords()
    book = RuleBook.shipped()
    legal = book.tables["legal"]
    other = RuleBook({**book.tables, "legal": legal.without(legal.names[0])})
    assert SparseReader.from_profile(of(scorer), scorer=scorer, rules=book).rule_book.sha256 == book.sha256
    with pytest.raises(StaleProfile, match=rf"the table for legal documents differs in {legal.names[0]} \(gone\); use"):
        SparseReader.from_profile(of(scorer), scorer=scorer, rules=other)

    class Words:
        name = "words"

        def count(self, texts: Any) -> Any:
            return [len(text.split()) for text in texts]

    with pytest.raises(StaleProfile, match="tokens are counted by words, not by o200k_base"):
        SparseReader.from_profile(of(scorer), scorer=scorer, tokenizer=Words())


def test_the_cut_cannot_be_given_beside_a_profile() -> None:
    with pytest.raises(InvalidOption, match=r"^threshold cannot be given beside a profile"):
        SparseReader.from_profile(profile(), scorer=SharedWords(), threshold=0.4)


def test_a_profile_of_words_alone_needs_no_model() -> None:
    from workbench.relevance.hybrid import HybridScorer

    made = of(HybridScorer(encoder=None))
    assert not SparseReader.from_profile(made).read(manual(), QUESTION).is_empty


def test_what_is_no_profile_is_told_by_the_reader(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(InvalidProfile, match=r"^x\.json is no gate profile"):
        SparseReader.from_profile(tmp_path / "x.json")


@pytest.mark.parametrize("calibrated", [False, True])
def test_a_reader_describes_itself_so_that_a_profile_of_it_reads_alike(calibrated: bool) -> None:
    scorer = SharedWords()
    maps = Calibration(scorer.fingerprint, {"*": CalibrationMap(Method.TEMPERATURE, (), (1.0, -1.0), 90, 9)}, "dev")
    first = SparseReader(
        scorer=scorer,
        rules="legal",
        token_share=0.4,
        min_tokens=5,
        threshold=0.3 if calibrated else None,
        offsets={"legal": 0.02},
        calibration=maps if calibrated else None,
    )
    again = SparseReader.from_profile(profile(**json.loads(json.dumps(description_of(first)))), scorer=scorer)
    document = manual(document_type="legal")
    told = first.read(document, QUESTION).audit().differences(again.read(document, QUESTION).audit())
    assert [sentence.partition(":")[0] for sentence in told] == ["profile", "profile_sha256"]
