"""The store keeps everything that was said, and says what is in force."""

from __future__ import annotations

import sqlite3
import threading
import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.documents import Document
from workbench.errors import InvalidLabels
from workbench.training.labels import Label, LabelSource, LabelStore, LabelValue

from .made_labels import ASKED, label_of


def again(label: Label, **changes: object) -> Label:
    return replace(label, id=str(uuid.uuid4()), **changes)  # type: ignore[arg-type]


def test_what_was_added_is_there_for_another_notebook(store: LabelStore, document: Document) -> None:
    other = LabelStore(store.path)
    version = other.version
    label = label_of(document, spans=[(4, 5)], scores={"relevance": 0.5}, note="why")
    store.add(label)
    assert other.changed_since(version)
    assert other.labels() == (label,)
    assert not other.changed_since(other.version)
    assert LabelStore(store.path).labels() == (label,)


def test_the_same_label_twice_is_one(store: LabelStore, document: Document) -> None:
    label = label_of(document)
    store.add(label, label)
    store.add(label)
    assert len(store.history()) == 1


def test_answers_are_never_overwritten(store: LabelStore, document: Document) -> None:
    first = label_of(document, value="evidence")
    second = again(first, value="unsure")
    other = again(first, annotator="bob", value="not relevant")
    store.add(first)
    store.add(second, other)
    assert store.labels() == (second, other)
    assert [event.label for event in store.history()] == [first, second, other]
    assert {(event.annotator, event.label.at) for event in store.history() if event.label} == {
        ("ann", first.at),
        ("bob", other.at),
    }
    assert store.annotators == ("ann", "bob")


def test_undo_brings_back_what_was_there_and_is_recorded(store: LabelStore, document: Document) -> None:
    first = label_of(document)
    second = again(first, value="unsure")
    store.add(first, second)
    assert store.undo("ann") == second
    assert store.labels() == (first,)
    assert store.undo("ann") == first
    assert store.labels() == ()
    assert store.undo("ann") is None
    assert (store.redo("ann"), store.redo("ann"), store.redo("ann")) == (first, second, None)
    assert store.labels() == (second,)
    kinds = [event.kind.value for event in store.history()]
    assert kinds == ["label", "label", "undo", "undo", "redo", "redo"]


def test_after_another_label_there_is_nothing_to_redo(store: LabelStore, document: Document) -> None:
    store.add(label_of(document, 1), label_of(document, 2))
    store.undo("ann")
    assert store.can_redo("ann")
    store.add(label_of(document, 3))
    assert not store.can_redo("ann")
    assert store.redo("ann") is None
    assert [label.block_id for label in store.labels()] == [1, 3]


def test_undo_is_of_one_annotator(store: LabelStore, document: Document) -> None:
    store.add(label_of(document), label_of(document, annotator="bob"))
    assert store.undo("carol") is None
    assert not store.can_undo("carol")
    store.undo("ann")
    assert [label.annotator for label in store.labels()] == ["bob"]


def test_an_operation_that_arrives_twice_is_done_once(store: LabelStore, document: Document) -> None:
    store.add(label_of(document, 1), label_of(document, 2))
    first = store.undo("ann", operation="op-1")
    assert store.undo("ann", operation="op-1") == first
    assert len(store.labels()) == 1
    assert store.redo("ann", operation="op-2") == store.redo("ann", operation="op-2") == first
    assert len(store.labels()) == 2
    assert first is not None
    assert store.withdraw(first.id, operation="op-3") == store.withdraw(first.id, operation="op-3") == first
    assert len(store.history()) == 5


def test_a_withdrawn_label_leaves_the_block_without_one_and_can_be_undone(
    store: LabelStore, document: Document
) -> None:
    first = label_of(document)
    second = again(first, value="unsure")
    store.add(first, second)
    assert store.withdraw(second.id) == second
    assert store.labels() == ()
    assert store.withdraw(second.id) is None
    assert store.undo("ann") == second
    assert store.labels() == (second,)
    assert store.withdraw(first.id) is None, "a label that another one replaced is not in force"
    with pytest.raises(InvalidLabels, match=r"labels\.sqlite has no label 'x'; give the id of one that it has"):
        store.withdraw("x")


def test_labels_are_found_by_what_they_are(store: LabelStore, document: Document) -> None:
    store.add(
        label_of(document, 1),
        label_of(document, 2, "hard negative", source="mined", annotator="miner"),
        label_of(document, 4, question=ASKED),
    )
    assert [label.block_id for label in store.labels(value="hard negative")] == [2]
    assert [label.block_id for label in store.labels(source=LabelSource.PERSON)] == [1, 4]
    assert [label.block_id for label in store.labels(question=f" {ASKED} ")] == [4]
    assert store.labels(document="0" * 64) == ()
    assert len(store.labels(document=document.sha256, annotator="ann", value=LabelValue.EVIDENCE)) == 2
    with pytest.raises(InvalidLabels, match="'bad' is no value of a label; give one of evidence, useful context"):
        store.labels(value="bad")
    with pytest.raises(InvalidLabels, match="give one of person, gold, mined, feedback"):
        store.labels(source="bad")


def test_the_table_has_a_row_a_label(store: LabelStore, document: Document) -> None:
    store.add(label_of(document, 1, spans=[(6, 11)], scores={"relevance": 0.5}), label_of(document, 4, question=ASKED))
    frame = store.to_frame()
    assert frame["question"].tolist() == ["What rose?", ASKED]
    assert frame["relevance"].tolist()[0] == 0.5
    assert frame["relevance"].isna().tolist() == [False, True]
    assert frame["span_texts"].tolist() == [("sales",), ()]
    assert {"annotator", "at", "block_sha256", "document", "threshold", "source"} <= set(frame.columns)
    assert LabelStore(store.path.with_name("none.sqlite")).to_frame().empty


def test_lone_surrogates_of_a_damaged_document_stay_what_they_are(store: LabelStore, document: Document) -> None:
    label = replace(label_of(document), quote="\ud83d\ude00 \udce9", block_sha256="", spans=((1, 2),))
    store.add(label)
    (found,) = LabelStore(store.path).labels()
    assert found == label
    assert len(found.quote) == 4
    assert store.to_frame()["quote"].tolist() == ["😀 \ufffd"]


def test_nothing_can_be_taken_out_of_the_file(store: LabelStore, document: Document) -> None:
    store.add(label_of(document))
    connection = sqlite3.connect(store.path)
    for statement in ("DELETE FROM events", "UPDATE events SET annotator = 'bob'"):
        with pytest.raises(sqlite3.IntegrityError, match="events are only added"):
            connection.execute(statement)
    connection.close()


def test_threads_share_a_store(store: LabelStore, document: Document) -> None:
    base = label_of(document)
    faults: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for block in range(10):
                store.add(again(base, annotator=name, block_id=block))
                store.labels(annotator=name)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(f"thread {rank}",)) for rank in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(store.labels()) == 40


def test_a_batch_is_in_the_store_whole_or_not_at_all(store: LabelStore, document: Document) -> None:
    with pytest.raises(AttributeError):
        store.add(label_of(document, 1), "no label")  # type: ignore[arg-type]
    assert store.labels() == ()
    store.add(label_of(document, 2))
    assert len(store.labels()) == 1


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["label", "label", "label", "undo", "redo", "withdraw"]),
        st.sampled_from(["ann", "bob"]),
        st.integers(1, 2),
        st.sampled_from(list(LabelValue)),
    ),
    max_size=15,
)


@settings(max_examples=15)
@given(actions=ACTIONS)
def test_any_row_of_actions_leaves_what_a_pencil_and_paper_would(
    actions: list[tuple[str, str, int, LabelValue]], document: Document, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = LabelStore(tmp_path_factory.mktemp("actions") / "labels.sqlite")
    done: dict[str, list[tuple[int, LabelValue | None]]] = {"ann": [], "bob": []}
    undone: dict[str, list[tuple[int, LabelValue | None]]] = {"ann": [], "bob": []}

    def in_force(name: str) -> dict[int, LabelValue]:
        last = dict(done[name])
        return {block: value for block, value in last.items() if value is not None}

    for kind, name, block, value in actions:
        if kind == "label":
            store.add(label_of(document, block, value, name))
            done[name].append((block, value))
            undone[name].clear()
        elif kind == "withdraw":
            found = [label for label in store.labels(annotator=name) if label.block_id == block]
            if found:
                store.withdraw(found[0].id)
                done[name].append((block, None))
                undone[name].clear()
        elif kind == "undo":
            assert (store.undo(name) is not None) == bool(done[name])
            undone[name].extend([done[name].pop()] if done[name] else [])
        else:
            assert (store.redo(name) is not None) == bool(undone[name])
            done[name].extend([undone[name].pop()] if undone[name] else [])
    for reader in (store, LabelStore(store.path)):
        for name in ("ann", "bob"):
            assert {label.block_id: label.value for label in reader.labels(annotator=name)} == in_force(name)


def test_many_labels_are_read_back(store: LabelStore, document: Document) -> None:
    base = label_of(document)
    store.add(*(again(base, block_id=block, annotator=f"a{block % 3}") for block in range(3_000)))
    assert len(LabelStore(store.path).labels(annotator="a1")) == 1_000
    assert repr(store).endswith("3,000 labels)")


def test_a_store_says_where_it_is(tmp_path: Path) -> None:
    store = LabelStore(str(tmp_path / "deep" / "er" / "labels.sqlite"))
    assert store.path.is_file()
    assert repr(store) == f"LabelStore({str(store.path)!r}, 0 labels)"
