"""The walk through a queue: next, back, skip, undo, and coming back after a break."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reading.made import Made
from workbench.errors import InvalidLabels, InvalidOption, WorkspaceFailed
from workbench.reading import Reading
from workbench.training.labels import Label, LabelStore
from workbench.training.queue import KeptQueue, Queue, QueueItem, Walk, build_queue, sources_of

from .made import CHINESE_QUESTION, HOSTILE, QUESTION, filing, plant, read


def walk_of(folder: Path, *readings: Reading, annotator: str = "ada", queue: Queue | None = None) -> Walk:
    found = list(readings or (plant(),))
    store = LabelStore(folder / "labels.sqlite")
    kept = KeptQueue(store.path, annotator, "test")
    return Walk(queue or build_queue(found), kept, store, annotator, sources_of(found))


def at(walk: Walk) -> QueueItem:
    assert walk.item is not None
    return walk.item


def test_a_label_is_written_with_all_that_was_known_and_the_next_item_is_at_hand(tmp_path: Path) -> None:
    walk = walk_of(tmp_path)
    item = at(walk)
    label = walk.label(item.key, "hard negative", note="looks alike", id="one", at="2026-11-30T12:00:00+00:00")
    (found,) = walk.store.labels()
    assert found == label
    assert (found.id, found.annotator, found.value.value, found.note) == ("one", "ada", "hard negative", "looks alike")
    assert found.at == "2026-11-30T12:00:00.000+00:00"
    assert (found.document, found.block_id, found.question) == (item.document, item.block_id, QUESTION)
    assert found.scores["margin"] == pytest.approx(0.01)
    assert set(found.scores) == {"relevance", "logit", "weight", "priority", "margin", "threshold"}
    assert (found.scorer, found.reason, found.quote) == ("by hand", "near.over", walk.document_of(item).texts[3])
    assert walk.at == 1


def test_a_label_that_arrives_twice_is_one(tmp_path: Path) -> None:
    walk = walk_of(tmp_path)
    key = at(walk).key
    for _ in range(2):
        walk.label(key, "evidence", id="same", then=1)
    assert [label.id for label in walk.store.labels()] == ["same"]
    assert len(walk.store.history()) == 1
    assert walk.at == 1


def test_skipped_items_come_again_when_asked_for_and_labelled_ones_stay(tmp_path: Path) -> None:
    walk = walk_of(tmp_path)
    walk.skip(0)
    walk.label(at(walk).key, "unsure")
    assert (walk.at, walk.skipped) == (2, {0})
    walk.back()
    walk.skip(1)
    assert walk.skipped == {0}
    while walk.item is not None:
        walk.label(walk.item.key, "not relevant")
    assert walk.at == len(walk)
    walk.again()
    assert (walk.at, walk.skipped) == (0, set())


def test_who_comes_back_is_at_the_same_item_of_the_same_queue(tmp_path: Path) -> None:
    walk = walk_of(tmp_path)
    walk.kept.keep(walk.queue)
    walk.label(at(walk).key, "evidence", spans=[(0, 4)])
    walk.skip(walk.at)
    walk.back()
    kept = KeptQueue(walk.store.path, "ada", "test").queue()
    assert kept is not None
    assert kept.items == walk.queue.items
    again = walk_of(tmp_path, queue=kept)
    assert (again.at, again.skipped) == (walk.at, walk.skipped)
    assert again.labels[0].spans == ((0, 4),)
    assert KeptQueue(walk.store.path, "bo", "test").queue() is None


def test_undo_takes_the_last_label_back_at_its_item_and_redo_sets_it_again(tmp_path: Path) -> None:
    walk = walk_of(tmp_path)
    assert walk.undo() is None
    walk.label(at(walk).key, "evidence")
    walk.label(at(walk).key, "unsure")
    undone = walk.undo(operation="u1")
    assert undone is not None
    assert (undone.value.value, walk.at, set(walk.labels)) == ("unsure", 1, {0})
    assert walk.undo(operation="u1") == undone
    assert set(walk.labels) == {0}
    walk.redo()
    assert (walk.at, set(walk.labels)) == (2, {0, 1})
    assert [event.kind.value for event in walk.store.history()] == ["label", "label", "undo", "redo"]


def test_a_label_made_elsewhere_under_the_same_name_is_seen(tmp_path: Path) -> None:
    reading = plant()
    walk = walk_of(tmp_path, reading)
    other = LabelStore(walk.store.path)
    other.add(Label.of(reading, QUESTION, at(walk).block_id, "unsure", annotator="ada"))
    assert walk.refresh() is True
    assert walk.labels[0].value.value == "unsure"
    assert walk.refresh() is False
    other.add(Label.of(reading, QUESTION, walk.queue[2].block_id, "evidence", annotator="ada"))
    walk.label(walk.queue[1].key, "evidence")
    assert set(walk.labels) == {0, 1, 2}


def test_spans_are_code_points_of_the_text_as_it_is(tmp_path: Path) -> None:
    walk = walk_of(tmp_path, filing())
    item = next(one for one in walk.queue if one.block_id == 6)
    start = HOSTILE.index("👩")
    label = walk.label(
        item.key, "evidence", spans=[(start, start + 5), (HOSTILE.index("\r\n"), HOSTILE.index("\r\n") + 6)]
    )
    assert label.quote == HOSTILE
    assert label.span_texts == ("\r\nthen", "👩‍👩‍👧")
    assert LabelStore(walk.store.path).labels()[0].quote == HOSTILE


def test_a_block_of_a_document_that_changed_is_found_by_its_text_or_refused(tmp_path: Path) -> None:
    text = "A backup starts when the load falls under 20 %."
    before = read(Made(name="plant.txt").text(text, "It is kept for 90 days.").document(), [0.9, 0.8])
    queue = build_queue(before)
    after = read(Made(name="plant.txt").text("A new first paragraph.", text).document(), [0.1, 0.9])
    walk = walk_of(tmp_path, after, queue=queue)
    kept = next(item for item in queue if item.block_id == 0)
    label = walk.label(kept.key, "evidence")
    assert (label.document, label.block_id, label.quote) == (after.document.sha256, 1, text)
    assert walk.labels[queue.items.index(kept)] == label
    gone = next(item for item in queue if item.block_id == 1)
    with pytest.raises(
        InvalidLabels, match=r"^plant\.txt has changed, and this block is not in it any more; skip it\.$"
    ):
        walk.label(gone.key, "evidence")


def test_a_block_that_is_in_no_queue_can_be_labelled_and_the_place_stays(tmp_path: Path) -> None:
    reading = plant("zh")
    queue = build_queue(reading)
    walk = walk_of(tmp_path, reading, queue=Queue(queue.items[:2], queue.order))
    outside = queue[4]
    label = walk.label(outside.key, "evidence", resolves=True)
    assert (label.question, label.block_id, label.reason) == (CHINESE_QUESTION, outside.block_id, "resolution")
    assert (walk.at, walk.labels) == (0, {})
    stranger = outside.key._replace(question="Who?")
    with pytest.raises(InvalidLabels, match=r"^No question 'Who\?' on that document is asked here; open the annotator"):
        walk.label(stranger, "evidence")


def test_a_position_that_is_none_is_refused(tmp_path: Path) -> None:
    walk = walk_of(tmp_path)
    with pytest.raises(InvalidOption, match=r"^The queue has no position 99; its positions are 0 to 6\.$"):
        walk.go(99)
    with pytest.raises(InvalidOption, match=r"^The queue has no position True"):
        walk.skip(True)


def test_a_damaged_file_of_a_queue_is_made_again(tmp_path: Path) -> None:
    kept = KeptQueue(tmp_path / "labels.sqlite", "ada")
    queue = build_queue(plant())
    kept.keep(queue)
    (file,) = (tmp_path / "queues").glob("*.json")
    data = json.loads(file.read_text("ascii"))
    for body in ("{", "[]", json.dumps({**data, "version": 99}), json.dumps({**data, "items": [{"document": "x"}]})):
        file.write_text(body, "ascii")
        assert kept.queue() is None
    kept.keep(queue)
    kept.keep_place(queue[1].key, [queue[0].key])
    place = next((tmp_path / "queues").glob("*.place.json"))
    assert kept.place().at == queue[1].key
    place.write_text("torn", "ascii")
    assert (kept.place().at, kept.place().skipped) == (None, frozenset())
    assert list((tmp_path / "queues").glob(".queue-*")) == []


def test_a_place_that_cannot_be_written_is_an_error_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "queues").write_text("a file where the folder should be", "utf-8")
    kept = KeptQueue(tmp_path / "labels.sqlite", "ada")
    with pytest.raises(
        WorkspaceFailed, match=r"^The place in the queue cannot be written to .*queues \(.*\); free some"
    ):
        kept.keep_place(None, [])


@settings(max_examples=25)
@given(steps=st.lists(st.sampled_from(["label", "skip", "back", "undo", "redo", "again"]), max_size=14))
def test_whatever_is_pressed_the_place_is_in_the_queue_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    walk = walk_of(tmp_path_factory.mktemp("walk"))
    for step in steps:
        if step == "label" and walk.item is not None:
            walk.label(walk.item.key, "evidence")
        elif step == "skip" and walk.item is not None:
            walk.skip(walk.at)
        elif step not in {"label", "skip"}:
            getattr(walk, step)()
        assert 0 <= walk.at <= len(walk)
        own = {label.block_id for label in walk.store.labels(annotator="ada")}
        assert {walk.queue[rank].block_id for rank in walk.labels} == own
    again = Walk(walk.queue, walk.kept, walk.store, "ada", walk.sources)
    assert again.labels == walk.labels
    if steps and walk.item is not None and walk.kept.place().at is not None:
        assert again.at == walk.at


def test_a_queue_that_grows_keeps_the_place(tmp_path: Path) -> None:
    whole = build_queue(plant())
    walk = walk_of(tmp_path, queue=Queue(whole.items[:1], whole.order))
    walk.label(at(walk).key, "evidence")
    assert walk.item is None
    walk.extend(replace(whole, items=whole.items[:3]))
    assert walk.at == 1
    walk.extend(whole)
    assert walk.at == 1
