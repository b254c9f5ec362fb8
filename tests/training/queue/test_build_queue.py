"""Queues: what is asked, in which order, why, and what is left out."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.made import Made, manual
from workbench.errors import InvalidOption
from workbench.reading import SparseReader
from workbench.relevance.scores import Scale
from workbench.training.labels import Label, LabelStore
from workbench.training.mining import MiningOptions
from workbench.training.mining.mined import Borderline, Doubt, HardNegative, Mined
from workbench.training.queue import ORDERS, Order, Queue, QueueItem, build_queue, sources_of
from workbench.training.queue.copies import KnownTexts

from .made import NO_RULES, QUESTION, Parts, filing, plant, read, workload


def blocks(queue: Queue, question: str = QUESTION) -> list[int]:
    return [item.block_id for item in queue if item.question == question]


def test_nearest_to_threshold_begins_with_the_smallest_margin_and_says_on_which_side() -> None:
    queue = build_queue(plant())
    assert blocks(queue) == [3, 6, 2, 5, 8, 9]
    assert [item.reason.code for item in queue][:3] == ["near.over", "near.under", "near.over"]
    assert dict(queue[0].reason.values) == {"rank": 2, "over": 2, "blocks": 10}
    assert queue[0].scores["margin"] == pytest.approx(0.01)
    assert queue[0].scores["threshold"] == pytest.approx(0.62)
    assert (queue[0].scale, queue[0].scorer, queue[0].request) == ("calibrated", "by hand", None)


def test_titles_running_lines_and_what_has_no_words_are_never_asked() -> None:
    from workbench.documents import BlockKind

    made = Made().heading("Backups").text("— 1 —", "***", "A backup starts at night.")
    document = made.text("Plant manual", kind=BlockKind.FOOTER).document()
    queue = build_queue(read(document, [0.6] * len(document)), order="random audit")
    assert [document.texts[item.block_id] for item in queue] == ["A backup starts at night."]


def test_near_copies_come_once_and_numbers_tell_texts_apart() -> None:
    same = "Payment is due thirty days after the goods have been delivered to the plant."
    document = (
        Made()
        .text(same, same.upper(), "Rent for 2023 is due in advance.", "Rent for 2024 is due in advance.")
        .document()
    )
    queue = build_queue(read(document, [0.9, 0.8, 0.7, 0.6]))
    assert sorted(blocks(queue)) == [0, 2, 3] or sorted(blocks(queue)) == [1, 2, 3]
    assert queue.left_out == {"near-copies": 1}
    assert "left out: 1 near-copies" in repr(queue)


def test_what_an_annotator_has_labelled_is_not_asked_again_nor_its_copies(tmp_path: Path) -> None:
    same = "Payment is due thirty days after the goods have been delivered to the plant."
    document = Made().text(same, "A backup starts at night.", f"{same} ").document()
    reading, store = read(document, [0.9, 0.8, 0.7]), LabelStore(tmp_path / "labels.sqlite")
    store.add(Label.of(reading, QUESTION, 0, "evidence", annotator="ada"))
    queue = build_queue(reading, store=store, annotator="ada")
    assert blocks(queue) == [1]
    assert queue.left_out == {"labelled": 1, "near-copies": 1}
    other = build_queue(reading, store=store, annotator="bo")
    assert sorted(blocks(other)) in ([0, 1], [1, 2])
    assert build_queue(reading, store=store).left_out == queue.left_out


def test_a_label_of_another_source_does_not_keep_a_block_out(tmp_path: Path) -> None:
    reading, store = plant(), LabelStore(tmp_path / "labels.sqlite")
    store.add(Label.of(reading, QUESTION, 2, "evidence", annotator="gold", source="gold"))
    assert 2 in blocks(build_queue(reading, store=store))


def test_words_and_meaning_disagree_where_one_alone_has_a_block_on_top() -> None:
    document = manual()
    lexical = [0, 0, 9, 0, 0, 1, 2, 0, 8, 3]
    semantic = [0, 0, 9, 8, 0, 7, 1, 0, 0, 2]
    reading = SparseReader(scorer=Parts(lexical, semantic), rules=NO_RULES).read(document, QUESTION)
    queue = build_queue(reading, order="words and meaning disagree")
    found = {item.block_id: (item.reason.code, dict(item.reason.values)) for item in queue}
    assert found[8] == ("disagree.words", {"words": 2, "meaning": 10, "blocks": 10})
    assert found[3][0] == "disagree.meaning"
    assert 2 not in found


def test_a_scorer_without_meaning_says_that_the_two_cannot_disagree() -> None:
    queue = build_queue(plant(), order=Order.DISAGREEMENT)
    assert len(queue) == 0
    assert queue.notes == ("Words and meaning cannot disagree in 1 document, scored without one of them.",)


def test_a_random_audit_is_the_same_for_a_seed_and_does_not_depend_on_scores() -> None:
    document = manual()
    first = build_queue(read(document), order="random audit", seed=4)
    other = build_queue(read(document, [0.5] * 10), order="random audit", seed=4)
    assert blocks(first) == blocks(other)
    assert blocks(first) != blocks(build_queue(read(document), order="random audit", seed=5))
    assert first[0].reason.code == "audit"


def test_mistakes_are_gold_that_is_skipped_and_then_what_is_kept_for_nothing() -> None:
    work, reader = workload()
    queue = build_queue(work, order="mistakes", reader=reader)
    codes = Counter(item.reason.code for item in queue)
    assert set(codes) <= {"mistake.missed", "mistake.kept"}
    assert codes["mistake.kept"] > 0
    for item in queue:
        gold = next(one for one in sources_of(work, reader).asked if one.request == item.request).gold()
        assert gold is not None
        assert (item.block_id in gold) == (item.reason.code == "mistake.missed")


def test_mistakes_of_an_evaluation_need_no_reader() -> None:
    work, _ = workload()
    rows = [
        {"question": "p0-0", "block": 3, "kind": "missed", "score": 0.2},
        {"question": "p0-0", "block": 2, "kind": "missed", "score": 0.1},
        {"question": "p1-1", "block": 5, "kind": "kept", "score": 0.9},
    ]
    queue = build_queue(work, order="mistakes", evaluation=SimpleNamespace(mistakes=pd.DataFrame(rows)))
    found = {(item.request, item.block_id): item.reason.code for item in queue}
    assert found == {
        ("p0-0", 2): "mistake.scored.missed",
        ("p0-0", 3): "mistake.scored.missed",
        ("p1-1", 5): "mistake.scored.kept",
    }
    assert [item.block_id for item in queue if item.request == "p0-0"] == [2, 3]
    assert all(item.scores == {} for item in queue)


def mined() -> Mined:
    def negative(block: int, way: str = "tf-idf") -> HardNegative:
        return HardNegative(block, way, 1.5, 2, 3.0, 0.4)

    doubtful = Borderline(6, "encoder", 2.9, 2, 3.0, 0.3, Doubt.SCORE)
    report: Any = None
    return Mined(
        doubtful={},
        negatives={"p0-0": (negative(3, "label"), negative(5)), "p1-0": (negative(5),)},
        borderline={"p0-0": (doubtful,)},
        unanswered={},
        copies={},
        report=report,
        options=MiningOptions(),
    )


def test_what_a_mining_leaves_to_a_person_comes_before_what_it_found() -> None:
    work, reader = workload()
    queue = build_queue(work, order="hard negatives", mined=mined(), reader=reader)
    first = [item for item in queue if item.request == "p0-0"]
    assert [(item.block_id, item.reason.code) for item in first] == [
        (6, "negative.borderline.score"),
        (5, "negative.mined"),
    ]
    assert dict(first[0].reason.values) == {
        "way": "encoder",
        "score": 2.9,
        "positive": 2,
        "positive_score": 3.0,
        "similarity": 0.3,
    }
    assert {item.request for item in queue} == {"p0-0", "p1-0"}


def test_without_a_mining_the_best_blocks_that_are_no_gold_are_hard_negatives() -> None:
    work, reader = workload()
    queue = build_queue(work, order="hard negatives", reader=reader)
    gold = {one.request: one.gold() for one in sources_of(work, reader).asked}
    assert all(item.block_id not in (gold[item.request] or ()) for item in queue)
    assert {item.reason.code for item in queue} == {"negative.high"}
    alone = build_queue(plant(), order="hard negatives")
    assert alone[0].block_id == 2
    assert {item.reason.code for item in alone} == {"negative.unknown"}


def test_questions_come_from_all_documents_those_of_one_together() -> None:
    work, reader = workload(manuals=4)
    queue = build_queue(work, reader=reader, limit=16, run=2)
    keys = [item.document_key for item in queue]
    assert len(set(keys)) == 4
    changes = sum(one != other for one, other in itertools.pairwise(keys))
    assert changes == 3
    assert max(Counter((item.document, item.question) for item in queue).values()) == 2


def test_no_more_questions_are_read_than_the_queue_needs() -> None:
    work, reader = workload(manuals=4)
    told: list[tuple[int, int, int]] = []
    queue = build_queue(
        work, reader=reader, limit=4, run=2, told=lambda items, looked, of: told.append((len(items), looked, of))
    )
    assert len(queue) == 4
    assert told == [(2, 1, 8), (4, 2, 8)]
    assert queue.left_out["questions not looked at"] == 6


@settings(max_examples=15)
@given(limit=st.integers(1, 12), run=st.integers(1, 4), seed=st.integers(0, 3), order=st.sampled_from(ORDERS))
def test_a_queue_is_the_same_twice_never_too_long_and_holds_nothing_twice(
    limit: int, run: int, seed: int, order: Order
) -> None:
    work, reader = workload(manuals=2)
    one, two = (build_queue(work, reader=reader, limit=limit, run=run, seed=seed, order=order) for _ in range(2))
    assert one.items == two.items
    assert len(one) <= limit
    assert len({item.key for item in one}) == len(one)
    known = KnownTexts()
    for item in one:
        text = work.open(item.document_key).texts[item.block_id]
        assert not known.holds(item.question, text)
        known.add(item.question, text)


def test_an_item_is_the_same_after_a_trip_through_json() -> None:
    queue = build_queue(plant("zh"))
    assert [QueueItem.from_dict(item.to_dict()) for item in queue] == list(queue)
    frame = queue.to_frame()
    assert list(frame["block_id"]) == [item.block_id for item in queue]
    assert frame["reason"].iloc[0] == "near.over"


def test_what_cannot_be_queued_is_refused_in_one_sentence() -> None:
    work, _ = workload()
    with pytest.raises(
        InvalidOption, match=r"^order is 'best'; choose from nearest to threshold, hard negatives, words"
    ):
        build_queue(plant(), order="best")
    with pytest.raises(InvalidOption, match=r"^limit is 0; give a whole number from 1 on\.$"):
        build_queue(plant(), limit=0)
    with pytest.raises(
        InvalidOption,
        match=r"^A queue of plants in the order 'random audit' needs a reader; give reader=SparseReader\(\)\.$",
    ):
        build_queue(work, order="random audit")
    with pytest.raises(InvalidOption, match=r"^A queue is made of a workload, readings or questions, not of int; "):
        build_queue(7)
    with pytest.raises(InvalidOption, match=r"not of list without any; give one of those\.$"):
        build_queue([])


def test_two_documents_of_one_name_among_readings_are_refused() -> None:
    other = read(Made(name="manual.txt").text("Something else.").document(), [0.5])
    with pytest.raises(InvalidOption, match=r"^Two of the readings are of different documents named 'manual\.txt'; "):
        build_queue([plant(), other])


def test_uncalibrated_readings_have_a_cut_to_be_near_to() -> None:
    reading = SparseReader(scorer=Parts(range(10), range(10)), rules=NO_RULES, min_tokens=10).read(manual(), QUESTION)
    assert reading.scores.scale is Scale.UNCALIBRATED
    assert len(build_queue(reading)) > 0
    assert blocks(build_queue(filing()), "What were net sales of Health Care?") == [4, 5, 6, 7, 8, 1]
