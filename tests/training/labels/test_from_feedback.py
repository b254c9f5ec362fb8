"""What people marked as of no use while reading becomes labels, and stays in line with the marks."""

from __future__ import annotations

from pathlib import Path

import workbench as wb
from workbench.documents import Document
from workbench.reading.feedback import Feedback
from workbench.training.labels import LabelSource, LabelStore, LabelValue, labels_of_feedback, take_feedback

from .made_labels import ASKED, QUESTION


def test_a_mark_is_a_label_not_relevant_of_source_feedback(document: Document) -> None:
    feedback = Feedback()
    feedback.no_use(document, QUESTION, [1, 3])
    feedback.no_use(document, ASKED, [4])
    labels = labels_of_feedback(feedback, document)
    assert [(label.question, label.block_id) for label in labels] == [(QUESTION, 1), (QUESTION, 3), (ASKED, 4)]
    assert {(label.value, label.source) for label in labels} == {(LabelValue.NOT_RELEVANT, LabelSource.FEEDBACK)}
    assert labels[0].quote == document.texts[1]
    assert labels[0].reason == "marked as of no use while reading"
    assert [label.id for label in labels_of_feedback(feedback, document)] == [label.id for label in labels]


def test_marks_of_a_runtime_come_from_its_file(document: Document, tmp_path: Path, store: LabelStore) -> None:
    reader = wb.SparseReader(scorer=None, feedback=tmp_path / "feedback.jsonl")
    reader.feedback.no_use(document, QUESTION, [2])
    taken = take_feedback(store, Feedback(tmp_path / "feedback.jsonl"), document)
    assert [label.block_id for label in taken.added] == [2]
    assert store.labels(source="feedback") == taken.added


def test_a_store_follows_the_marks(document: Document, store: LabelStore) -> None:
    feedback = Feedback()
    feedback.no_use(document, QUESTION, [1, 2])
    assert len(take_feedback(store, feedback, document).added) == 2
    assert take_feedback(store, feedback, document).added == ()
    feedback.withdraw(document, QUESTION, [1])
    taken = take_feedback(store, feedback, document)
    assert [label.block_id for label in taken.withdrawn] == [1]
    assert [label.block_id for label in store.labels()] == [2]
    feedback.no_use(document, QUESTION, [1])
    assert [label.block_id for label in take_feedback(store, feedback, document).added] == [1]
    assert sorted(label.block_id for label in store.labels()) == [1, 2]


def test_labels_of_people_are_left_alone(document: Document, store: LabelStore) -> None:
    from .made_labels import label_of

    store.add(label_of(document, 1))
    take_feedback(store, Feedback(), document)
    assert len(store.labels()) == 1
