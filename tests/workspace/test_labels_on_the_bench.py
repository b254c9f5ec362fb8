"""Labels that are set at the bench: they go to the store, once each, and undo meets what came last."""

from __future__ import annotations

import getpass
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workbench.errors import InvalidLabels, InvalidOption, LabelStoreFailed
from workbench.training.labels import Label, LabelStore, LabelValue
from workbench.workload import Workload
from workbench.workspace import Bench, Operation
from workbench.workspace.labelling import NAME, annotator_of

from .made import house_in, words_alone

Benches = Callable[..., Bench]


@pytest.fixture
def house(tmp_path: Path) -> Workload:
    return house_in(tmp_path / "house")


@pytest.fixture
def benches(house: Workload, tmp_path: Path) -> Iterator[Benches]:
    """Make benches in one folder: the second is what a kernel sees after a restart."""
    made: list[Bench] = []

    def bench(annotator: str | None = "Anna") -> Bench:
        made.append(Bench(house, reader=words_alone(), folder=tmp_path / "space", annotator=annotator))
        return made[-1]

    yield bench
    for one in made:
        one.close()


def values(bench: Bench) -> dict[int, str]:
    return {label.block_id: label.value.value for label in bench.labels}


@pytest.mark.parametrize(("request_id", "block"), [("rent", 1), ("钥匙", 4)])
def test_a_label_has_question_request_and_what_was_shown(benches: Benches, request_id: str, block: int) -> None:
    bench = benches()
    bench.open(request_id)
    bench.label(block, "hard negative", note="旧的 🏠")
    (label,) = bench.labels
    assert (label.block_id, label.value, label.note) == (block, LabelValue.HARD_NEGATIVE, "旧的 🏠")
    assert (label.annotator, label.request, label.question) == ("Anna", request_id, bench.question)
    assert bench.document is not None
    assert bench.reading is not None
    assert label.quote == bench.document.texts[block]
    assert label.document == bench.document.sha256
    assert label.scores["priority"] == pytest.approx(float(bench.reading.priority[block]))
    assert bench.calls[-1] == f"bench.label({block}, 'hard negative', note='旧的 🏠')"


def test_labels_are_no_lines_of_the_journal_and_outlive_the_kernel(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.label(1, "evidence")
    assert not (tmp_path / "space" / "journal.jsonl").exists()
    assert values(benches()) == {1: "evidence"}
    assert [label.value for label in LabelStore(tmp_path / "space" / NAME).labels()] == [LabelValue.EVIDENCE]


def test_who_only_looks_leaves_no_file(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    assert (bench.labels, bench.can_undo, bench.can_redo) == ((), False, False)
    assert not (tmp_path / "space").exists()


def test_a_label_that_is_sent_again_is_one(benches: Benches) -> None:
    bench = benches()
    operation = Operation("label", {"block": 1, "value": "evidence"})
    bench.take(operation)
    bench.label(1, "unsure")
    bench.take(operation)
    assert values(bench) == {1: "unsure"}
    again = benches()
    again.take(operation)
    assert values(again) == {1: "unsure"}
    assert len(again.label_store.history()) == 2


def test_undo_takes_back_what_came_last_be_it_a_label_or_tuned(benches: Benches) -> None:
    bench = benches()
    bench.set_share(0.2)
    bench.label(1, "evidence")
    bench.label(1, "not relevant")
    bench.set_share(0.5)

    def now() -> tuple[object, dict[int, str]]:
        return bench.state.tuned.cut and bench.state.tuned.cut.value, values(bench)

    seen = [now()]
    for _ in range(4):
        bench.undo()
        seen.append(now())
    assert seen == [
        (0.5, {1: "not relevant"}),
        (0.2, {1: "not relevant"}),
        (0.2, {1: "evidence"}),
        (0.2, {}),
        (None, {}),
    ]
    assert not bench.can_undo
    for expected in reversed(seen[:-1]):
        bench.redo()
        assert now() == expected
    assert not bench.can_redo


def test_an_undo_that_is_sent_again_after_a_restart_takes_nothing_more_back(benches: Benches) -> None:
    bench = benches()
    bench.set_share(0.2)
    bench.label(1, "evidence")
    undo = Operation("undo")
    bench.take(undo)
    again = benches()
    again.take(undo)
    assert values(again) == {}
    assert again.state.tuned.cut is not None
    assert again.can_redo
    again.redo()
    assert values(again) == {1: "evidence"}


def test_a_block_is_left_without_a_label_of_ones_own_alone(benches: Benches) -> None:
    benches("Ben").label(1, "unsure")
    bench = benches("Anna")
    bench.label(1, "evidence")
    assert [label.annotator for label in bench.labels] == ["Ben", "Anna"]
    bench.unlabel(1)
    assert [label.annotator for label in bench.labels] == ["Ben"]
    bench.unlabel(1)
    bench.undo()
    assert [label.annotator for label in bench.labels] == ["Ben", "Anna"]
    assert bench.calls[-2:] == ("bench.unlabel(1)", "bench.undo()")


def test_a_label_for_another_question_of_the_document_keeps_its_question(benches: Benches) -> None:
    bench = benches()
    asked = bench.question
    bench.ask("Who pays?")
    bench.take(Operation("label", {"block": 1, "value": "evidence", "question": asked}))
    assert bench.labels == ()
    (label,) = bench.label_store.labels()
    assert (label.question, label.scores) == (asked, {})
    bench.open("rent")
    assert values(bench) == {1: "evidence"}


@pytest.mark.parametrize(
    ("label", "error", "said"),
    [
        ({"block": 1, "value": "evidence", "document": "0" * 64}, InvalidOption, "Block 1 of another document than "
         "house.md was to be labelled, which is not at hand any more; open it, and label the block again."),
        ({"block": 99, "value": "evidence"}, InvalidOption, "house.md has no block 99; its blocks are 0 to 7."),
        ({"block": True, "value": "evidence"}, InvalidOption, "house.md has no block True; its blocks are 0 to 7."),
        ({"block": 1, "value": "good"}, InvalidLabels, "'good' is no value of a label; give one of evidence, useful "
         "context, not relevant, hard negative, unsure."),
        ({"block": 1}, InvalidOption, "The operation label takes block, value, note, document, question: missing a "
         "required argument: 'value'."),
    ],
)  # fmt: skip
def test_what_cannot_be_labelled_is_refused_in_words(
    benches: Benches, label: dict[str, object], error: type[Exception], said: str
) -> None:
    bench = benches()
    with pytest.raises(error) as raised:
        bench.take(Operation("label", label))
    assert str(raised.value) == said
    assert bench.labels == ()
    assert bench.calls == ()


def test_without_a_document_nothing_can_be_labelled(tmp_path: Path) -> None:
    bench = Bench(reader=words_alone(), folder=tmp_path / "space")
    with pytest.raises(InvalidOption, match=r"^No document is open whose blocks could be labelled; open a request"):
        bench.label(0, "evidence")
    bench.close()


def test_a_damaged_store_is_a_note_and_labelling_is_refused(benches: Benches, tmp_path: Path) -> None:
    (tmp_path / "space").mkdir()
    (tmp_path / "space" / NAME).write_bytes(b"no database" * 100)
    bench = benches()
    assert bench.labels == ()
    assert any(NAME in note for note in bench.notes)
    with pytest.raises(LabelStoreFailed, match=NAME):
        bench.label(1, "evidence")
    bench.set_share(0.2)
    bench.undo()
    assert bench.state.tuned.cut is None


def test_a_busy_store_says_so_and_nothing_is_lost(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.label(1, "evidence")
    bench.label_store.wait_seconds = 0.05
    held = sqlite3.connect(tmp_path / "space" / NAME, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    with pytest.raises(LabelStoreFailed):
        bench.label(3, "evidence")
    held.execute("ROLLBACK")
    held.close()
    bench.label(3, "evidence")
    assert values(bench) == {1: "evidence", 3: "evidence"}


def test_who_watches_is_told_of_labels(benches: Benches) -> None:
    bench = benches()
    told: list[frozenset[str]] = []
    bench.watch(told.append)
    bench.label(1, "evidence")
    bench.unlabel(1)
    bench.labels_changed()
    assert told == [frozenset({"labels"})] * 3


def test_labels_of_another_notebook_are_seen(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.label(1, "evidence")
    assert bench.reading is not None
    other = LabelStore(tmp_path / "space" / NAME)
    other.add(Label.of(bench.reading, None, 3, "unsure", annotator="Ben"))
    assert values(bench) == {1: "evidence", 3: "unsure"}


def test_the_annotator_is_named_or_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPARSEREAD_ANNOTATOR", raising=False)
    assert annotator_of(" Anna ") == "Anna"
    assert annotator_of(None) == getpass.getuser()
    monkeypatch.setenv("SPARSEREAD_ANNOTATOR", "李")
    assert annotator_of(None) == "李"
    with pytest.raises(InvalidOption, match=r"^annotator is ' '; give the name of who labels\.$"):
        annotator_of(" ")
