from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.made import CHINESE, ENGLISH, ByHand, Made, manual, weights_of
from workbench.errors import AnchorMismatch
from workbench.reading import Feedback, SparseReader
from workbench.reading.cuts import TokenShare
from workbench.reading.reading import Reading, reading_of
from workbench.relevance.scores import Scale
from workbench.widgets.explaining import explanation_data

RELEVANCE = (0.1, 0.2, 0.93, 0.63, 0.1, 0.05, 0.6, 0.04, 0.03, 0.0)
QUESTION = "When does the backup start?"


def read(*, threshold: float | None = 0.62, scale: Scale = Scale.CALIBRATED) -> Reading:
    reader = SparseReader(scorer=ByHand(RELEVANCE, scale), threshold=threshold, rules=None, min_tokens=1)
    return reader.read(manual(), QUESTION)


def weighed(weights: list[float], pinned: list[bool]) -> Reading:
    reading = read()
    basis = reading.basis.weighed(weights_of(reading.document, weights, pinned))
    return reading_of(basis, reading.cut)


def test_the_numbers_are_those_of_the_explanation() -> None:
    reading = read()
    for block in range(len(reading)):
        data, found = explanation_data(reading, block), reading.explain(block)
        assert (data["relevance"], data["weight"], data["priority"]) == (found.relevance, found.weight, found.priority)
        assert (data["logit"], data["rank"], data["blocks"]) == (found.logit, found.rank, 10)
        assert (data["threshold"], data["offset"], data["margin"]) == (0.62, found.offset, found.margin)
        assert data["status"] == found.status.name.lower()
        assert data["parts"] == [{"name": "by hand", "value": found.logit}]


def test_it_is_json_in_both_languages_of_documents_and_holds_no_sentence_of_ours() -> None:
    for chapters, language in ((ENGLISH, "en"), (CHINESE, "zh")):
        reading = SparseReader(scorer=ByHand(RELEVANCE), threshold=0.62).read(
            manual(chapters, language=language), QUESTION
        )
        data = explanation_data(reading, 3)
        assert json.loads(json.dumps(data)) == data
        assert data["reason"] == "over_cut"
        assert {flip["quantity"] for flip in data["flips"]} == {"relevance", "weight", "threshold"}
        assert data["section"] == ["The plant", "Backups"] if language == "en" else ["工厂手册", "备份"]


def test_a_number_of_a_flip_reads_as_in_the_sentence_of_the_explanation() -> None:
    for reading in (read(), read(threshold=None, scale=Scale.UNCALIBRATED)):
        for block in range(len(reading)):
            flips = zip(explanation_data(reading, block)["flips"], reading.explain(block).flips, strict=True)
            for data, flip in flips:
                assert data["shown"] in flip.words
                assert (data["shown"] == "") == (data["value"] is None)


def test_a_kept_block_that_others_need_would_be_left_as_context() -> None:
    relevance = (0.1, 0.9, 0.93, *RELEVANCE[3:])
    reading = SparseReader(scorer=ByHand(relevance), threshold=0.62, rules=None).read(manual(), QUESTION)
    flips = explanation_data(reading, 1)["flips"]
    assert [flip["outcome"] for flip in flips] == ["context"] * 3
    assert {flip["outcome"] for flip in explanation_data(reading, 2)["flips"]} == {"skipped"}
    assert {flip["outcome"] for flip in explanation_data(reading, 5)["flips"]} == {"kept"}


def test_context_says_when_it_is_skipped() -> None:
    first = explanation_data(read(), 1)["flips"][0]
    assert first == {"quantity": "context", "value": None, "shown": "", "outcome": "skipped"}


def test_a_pin_names_its_rule_and_what_would_be_without_it() -> None:
    reading = weighed([1.0] * 10, [number in (2, 5) for number in range(10)])
    over, under = explanation_data(reading, 2), explanation_data(reading, 5)
    assert over["pinned_by"] == under["pinned_by"] == "by-hand"
    assert over["rules"] == [
        {"name": "by-hand", "weight": 1.0, "pin": True, "reason": "Somebody wants it.", "won": True}
    ]
    assert [flip["outcome"] for flip in over["flips"]] == ["kept"]
    assert [flip["outcome"] for flip in under["flips"]] == ["skipped"]


def test_a_block_without_room_says_how_much_it_needed() -> None:
    reading = read().with_budget(60)
    refused = [explanation_data(reading, block) for block in reading.decision.refused]
    assert refused
    for data in refused:
        assert data["reason"] == "no_room"
        assert data["refused"]["needed"] > data["refused"]["left"] >= 0
        assert data["flips"] == [{"quantity": "budget", "value": None, "shown": "", "outcome": "kept"}]


def test_nothing_relevant_has_neither_threshold_nor_margin() -> None:
    reader = SparseReader(scorer=ByHand([0.0] * 10, Scale.UNCALIBRATED))
    data = explanation_data(reader.read(manual(), QUESTION), 2)
    assert (data["threshold"], data["margin"], data["status"]) == (None, None, "skipped")
    assert data["cut"]["kind"] == "share"
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_any_relevance_would_keep_what_a_wide_share_has_room_for() -> None:
    reader = SparseReader(scorer=ByHand(RELEVANCE, Scale.UNCALIBRATED), token_share=1.0, rules=None)
    flips = explanation_data(reader.read(manual(), QUESTION), 9)["flips"]
    assert flips[0] == {"quantity": "evidence", "value": 0.0, "shown": "0", "outcome": "kept"}


def test_feedback_is_a_factor() -> None:
    reading = read()
    feedback = Feedback()
    feedback.no_use(reading.document, QUESTION, [2])
    data = explanation_data(reading.with_feedback(feedback), 2)
    assert data["feedback"] == 0.1
    assert explanation_data(reading, 2)["feedback"] is None


def test_an_anchor_has_pages_lines_and_boxes() -> None:
    data = explanation_data(read(), 3)["anchor"]
    assert data["page"] == 1
    assert data["pages"] == [1]
    assert data["boxes"] == []


def test_lone_surrogates_in_titles_do_not_stop_the_answer() -> None:
    document = Made().heading("a \ud800 title").text("a text").document()
    reading = SparseReader(scorer=ByHand([0.5, 0.9]), threshold=0.6).read(document, QUESTION)
    json.dumps(explanation_data(reading, 1), ensure_ascii=False).encode()


def test_a_block_that_is_not_there_is_refused() -> None:
    with pytest.raises(AnchorMismatch, match="block 10"):
        explanation_data(read(), 10)


@settings(max_examples=40, deadline=None)
@given(
    relevance=st.lists(st.floats(0, 1), min_size=10, max_size=10),
    weights=st.lists(st.sampled_from((0.05, 0.5, 1.0, 1.3, 5.0)), min_size=10, max_size=10),
    share=st.floats(0.05, 1.0),
)
def test_a_flip_is_on_the_side_that_its_number_says(relevance: list[float], weights: list[float], share: float) -> None:
    document = manual()
    basis = SparseReader(scorer=ByHand(relevance), threshold=0.5).read(document, QUESTION).basis
    basis = basis.weighed(weights_of(document, weights, [False] * 10))
    for cut in (read().cut, TokenShare(share, 1)):
        reading = reading_of(basis, cut)
        for block in range(10):
            data = explanation_data(reading, block)
            assert data["margin"] is None or math.isfinite(data["margin"])
            for flip in data["flips"]:
                if flip["quantity"] in ("relevance", "weight") and flip["value"] is not None:
                    low = float(flip["shown"]) <= flip["value"]
                    assert low == (data["status"] == "kept") or float(flip["shown"]) == flip["value"]
