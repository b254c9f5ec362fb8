"""Labels follow the words that they were put on, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.documents import Document
from workbench.training.labels import Label, anchored

from .made_labels import ASKED, QUESTION, TEXT, document_of, label_of


def test_labels_of_the_same_bytes_stay_where_they_are(document: Document) -> None:
    labels = [label_of(document, 1), label_of(document, 4, question=ASKED), label_of(document, 1, annotator="bob")]
    found = anchored(labels, document)
    assert found.at == {1: (labels[0], labels[2]), 4: (labels[1],)}
    assert (found.moved, found.orphans, found.changed, found.elsewhere) == ((), (), False, 0)


def test_in_a_changed_document_a_label_moves_with_its_quote(document: Document, tmp_path: Path) -> None:
    label = label_of(document, 4, question=ASKED, spans=[(5, 9)])
    later = document_of(tmp_path, TEXT.replace("# Report", "# Report\n\nA new paragraph stands first."))
    found = anchored([label], later)
    assert found.changed
    assert list(found.at) == [5]
    (moved,) = found.moved
    assert (moved.old, moved.new.id) == (label, label.id)
    assert (moved.new.document, moved.new.quote) == (later.sha256, label.quote)
    assert later.text_layer[moved.new.start_char : moved.new.end_char] == label.quote
    assert moved.new.span_texts == ("部门经理",)
    assert found.report() == "1 label in place, 1 of them moved with their quote."


def test_spans_survive_other_white_space_and_hyphens(tmp_path: Path) -> None:
    first = document_of(tmp_path, "# T\n\nThe in-\nsurance  covers 😀 cafe\u0301 fires and floods.\n", "a.md")
    quote = first.texts[1]
    start = quote.index("fires")
    label = label_of(first, 1, spans=[(start, start + len("fires and"))])
    second = document_of(tmp_path, "# T\n\nThe in-surance covers\n😀 caf\u00e9 fires   and floods.\n", "a.md")
    found = anchored([label], second)
    (moved,) = found.moved
    assert moved.lost_spans == ()
    assert [" ".join(text.split()) for text in moved.new.span_texts] == ["fires and"]


def test_words_that_are_gone_leave_an_orphan_with_the_reason(document: Document, tmp_path: Path) -> None:
    label = label_of(document, 1)
    later = document_of(tmp_path, TEXT.replace("3 %", "4 %"))
    found = anchored([label], later)
    assert found.at == {}
    (orphan,) = found.orphans
    assert orphan.label == label
    assert orphan.reason == "its text no longer stands in report.md; label the block anew"
    assert "Block 1 (evidence): its text no longer stands in report.md" in found.report()


def test_a_block_that_was_cut_in_two_leaves_an_orphan(tmp_path: Path) -> None:
    label = label_of(document_of(tmp_path, "# T\n\nOne thing is here. Another thing is there.\n"), 1)
    later = document_of(tmp_path, "# T\n\nOne thing is here.\n\nAnother thing is there.\n")
    (orphan,) = anchored([label], later).orphans
    assert orphan.reason == "its text is now in 2 blocks, 1, 2; label them anew"


def test_a_block_that_grew_keeps_its_evidence_and_nothing_else(tmp_path: Path) -> None:
    first = document_of(tmp_path, "# T\n\nNet sales rose by 3 %.\n")
    evidence, negative = label_of(first, 1, spans=[(4, 9)]), label_of(first, 1, "not relevant", "bob")
    later = document_of(tmp_path, "# T\n\nAs was said before in this report. Net sales rose by 3 %. More follows.\n")
    found = anchored([evidence, negative], later)
    assert [move.new.span_texts for move in found.moved] == [("sales",)]
    (orphan,) = found.orphans
    assert (orphan.label, orphan.reason) == (
        negative,
        "its text is now a part of block 1, which says more; label it anew",
    )


def test_of_equal_blocks_the_nearest_is_taken(tmp_path: Path) -> None:
    text = "# T\n\nSame words.\n\nOther words.\n\nSame words.\n"
    label = label_of(document_of(tmp_path, text), 3)
    found = anchored([label], document_of(tmp_path, text + "\nAn end.\n"))
    assert list(found.at) == [3]


def test_labels_of_other_documents_are_counted_and_left_out(document: Document, tmp_path: Path) -> None:
    other = document_of(tmp_path, "# Other\n\nQuite another text.\n", "other.md")
    found = anchored([label_of(document), label_of(other)], document)
    assert found.elsewhere == 1
    assert [label.document for label in found.labels] == [document.sha256]


def test_of_one_annotator_the_latest_label_of_a_question_stands(document: Document, tmp_path: Path) -> None:
    old = label_of(document, 1, at="2026-01-01T00:00:00Z")
    later = document_of(tmp_path, TEXT + "\nMore.\n")
    new = label_of(later, 1, "unsure", at="2026-02-01T00:00:00Z")
    found = anchored([new, old], later)
    assert [label.value for label in found.at[1]] == ["unsure"]


@pytest.mark.parametrize("source", ["mined", "gold", "feedback"])
def test_a_persons_label_stands_whatever_came_later_in_the_same_name(document: Document, source: str) -> None:
    person = label_of(document, 1, at="2026-01-01T00:00:00Z")
    other = label_of(document, 1, "hard negative", source=source, at="2026-02-01T00:00:00Z")
    for given_labels in ([person, other], [other, person]):
        assert anchored(given_labels, document).at == {1: (person,)}


def test_of_those_that_are_no_persons_the_one_believed_most_stands(document: Document) -> None:
    sources = ("feedback", "gold", "mined")
    labels = [label_of(document, 1, source=name, at=f"2026-0{at}-01T00:00:00Z") for at, name in enumerate(sources, 1)]
    assert anchored(labels, document).at == {1: (labels[0],)}
    assert anchored(labels[1:], document).at == {1: (labels[1],)}


def test_blocks_that_are_cut_otherwise_today_are_found_by_what_they_say(document: Document) -> None:
    label = replace(label_of(document, 1), block_id=77)
    found = anchored([label], document)
    assert list(found.at) == [1]
    assert not found.changed


WORDS = st.sampled_from(["alpha", "beta 😀", "gamma", "预算", "cafe\u0301", "delta 5 %", "omega"])


@settings(max_examples=20)
@given(before=st.lists(WORDS, max_size=4), keep=st.booleans())
def test_a_label_never_lands_on_other_words(
    before: list[str], keep: bool, document: Document, tmp_path_factory: object
) -> None:
    labels: list[Label] = [label_of(document, block) for block in (1, 2, 3, 4, 5)]
    kept = TEXT if keep else TEXT.replace("Nothing else happened", "Something happened")
    later = document_of(tmp_path_factory.mktemp("later"), "\n\n".join([*before, kept]))  # type: ignore[attr-defined]
    found = anchored(labels, later)
    assert len(found.labels) + len(found.orphans) == len(labels)
    for block, stand in found.at.items():
        for label in stand:
            assert label.quote == later.texts[block]
            assert label.question == QUESTION
    assert len(found.orphans) == (0 if keep else 1)
