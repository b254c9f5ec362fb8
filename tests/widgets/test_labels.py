"""Labels in a document view, alone and in the bench, without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.reading.made import ByHand, Made, manual
from tests.workspace.made import house_in, words_alone
from workbench.documents import Document
from workbench.errors import InvalidLabels, InvalidOption
from workbench.reading import Reading, SparseReader
from workbench.training.labels import LabelStore, LabelValue
from workbench.widgets import DocumentView, Workbench
from workbench.widgets.label_data import label_data, orphan_data
from workbench.widgets.page_export import to_html

from .clicks import click

RELEVANCE = (0.1, 0.2, 0.93, 0.63, 0.1, 0.05, 0.6, 0.04, 0.03, 0.0)
QUESTION = "When does it start?"


def read(document: Document | None = None, question: str = QUESTION) -> Reading:
    document = document or manual()
    relevance = (*RELEVANCE, *[0.0] * len(document))[: len(document)]
    return SparseReader(scorer=ByHand(relevance), threshold=0.62).read(document, question)


def said(view: DocumentView) -> list[tuple[int, str, str]]:
    return [(label["block"], label["value"], label["annotator"]) for label in view.labelled]


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore(tmp_path / "labels.sqlite")


def test_without_a_store_nothing_is_labelled() -> None:
    view = DocumentView(read())
    assert (view.labelling, view.labelled, view.labels) == (False, [], ())
    with pytest.raises(InvalidOption, match="knows no action 'label'"):
        view.label(2, "evidence")


def test_a_click_and_a_call_set_a_label_with_what_was_shown(store: LabelStore) -> None:
    view = DocumentView(read(), labels=store, annotator="Anna")
    answer = click(view, "label", block=2, value="evidence", document=view.document_key, question=view.question)
    assert [(reply["kind"], reply.get("error")) for reply in answer] == [("done", None)]
    view.label(3, "hard negative", note="Says how long, not when.")
    assert said(view) == [(2, "evidence", "Anna"), (3, "hard negative", "Anna")]
    assert view.labelled[1]["note"] == "Says how long, not when."
    first, second = store.labels()
    assert (first.value, first.question, first.quote) == (LabelValue.EVIDENCE, QUESTION, manual().texts[2])
    assert second.scores["relevance"] == pytest.approx(0.63)
    assert view.labels == (first, second)


def test_undo_redo_and_unlabel_are_of_whoever_sits_here(store: LabelStore) -> None:
    DocumentView(read(), labels=store, annotator="Ben").label(2, "unsure")
    view = DocumentView(read(), labels=store, annotator="Anna")
    view.label(2, "evidence")
    assert said(view) == [(2, "evidence", "Anna"), (2, "unsure", "Ben")]
    view.act("undo")
    assert said(view) == [(2, "unsure", "Ben")]
    view.act("redo")
    view.unlabel(2)
    view.unlabel(2)
    assert said(view) == [(2, "unsure", "Ben")]
    assert [label["mine"] for label in view.labelled] == [False]


def test_another_question_has_its_own_labels_and_another_cut_leaves_them(store: LabelStore) -> None:
    reading = read()
    view = DocumentView(reading, labels=store, annotator="Anna")
    view.label(2, "evidence")
    sent: list[str] = []
    view.observe(lambda change: sent.append(change["name"]))
    view.reading = reading.with_threshold(0.3)
    assert said(view) == [(2, "evidence", "Anna")]
    assert "labelled" not in sent
    view.reading = read(reading.document, "Who answers an alarm?")
    assert said(view) == []
    view.reading = reading
    assert said(view) == [(2, "evidence", "Anna")]


def test_labels_of_an_earlier_version_follow_their_text_or_are_counted(store: LabelStore) -> None:
    old = DocumentView(read(), labels=store, annotator="Anna")
    old.label(2, "evidence")
    old.label(5, "not relevant")
    changed = Made("manual.txt")
    changed.heading("The plant", 1)
    changed.text("Read this first.")
    changed.text(manual().texts[2])
    changed.text("No alarm sounds any more.")
    view = DocumentView(read(changed.document()), labels=store, annotator="Anna")
    assert said(view) == [(2, "evidence", "Anna")]
    assert view.labelled[0]["moved"] is True
    assert view.orphans == {"count": 1, "quotes": [manual().texts[5]]}
    view.unlabel(2)
    assert said(view) == []
    view.label(2, "unsure")
    assert (said(view), view.labelled[0]["moved"]) == ([(2, "unsure", "Anna")], False)


def test_a_label_that_was_meant_for_another_document_is_refused(store: LabelStore) -> None:
    view = DocumentView(read(), labels=store, annotator="Anna")
    (reply,) = click(view, "label", block=2, value="evidence", document="f" * 64)
    assert reply["error"] == (
        "Block 2 of another document than manual.txt was to be labelled, which is not at hand any more; open it, and "
        "label the block again."
    )
    assert view.fault == reply["error"]
    with pytest.raises(InvalidLabels, match="is no value of a label; give one of evidence"):
        view.label(2, "relevant")
    assert store.labels() == ()


def test_chinese_blocks_and_notes_are_kept_as_they_are(store: LabelStore) -> None:
    made = Made("手册.txt")
    made.heading("备份", 1)
    made.text("负载低于 20 % 达十分钟时开始备份。𠮷 🧭")
    view = DocumentView(read(made.document(), "什么时候开始备份？"), labels=store, annotator="李")
    view.label(1, "useful context", note="见 “第二节” 🧭")
    (label,) = store.labels()
    assert (label.annotator, label.note, label.quote) == (
        "李",
        "见 “第二节” 🧭",
        "负载低于 20 % 达十分钟时开始备份。𠮷 🧭",
    )
    assert view.labelled[0]["note"] == label.note


def test_what_is_sent_is_plain_and_a_page_without_a_kernel_has_it(store: LabelStore) -> None:
    view = DocumentView(read(), labels=store, annotator="Anna")
    view.label(2, "evidence", note="</script><b>")
    assert json.loads(json.dumps(view.labelled)) == view.labelled
    page = to_html(view)
    assert "</script><b>" not in page
    assert label_data(None, "Anna") == []
    assert orphan_data(None) == {"count": 0, "quotes": []}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., Workbench]]:
    made: list[Workbench] = []

    def make(**others: object) -> Workbench:
        given = {"reader": words_alone(), "folder": tmp_path / "space", "annotator": "Anna", **others}
        made.append(Workbench(house_in(tmp_path / "house"), **given))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


def test_in_the_bench_a_click_in_the_document_and_a_call_are_one(bench: Callable[..., Workbench]) -> None:
    work = bench()
    document = work.children["document"]
    assert (document.labelling, document.annotator) == (True, "Anna")
    assert click(document, "label", block=1, value="evidence")[-1].get("error") is None
    assert work.said[-1] == "bench.label(1, 'evidence')"
    assert said(document) == [(1, "evidence", "Anna")]
    assert work.history == {"undo": True, "redo": False}
    work.label(3, "unsure")
    assert said(document) == [(1, "evidence", "Anna"), (3, "unsure", "Anna")]
    click(work, "undo")
    assert said(document) == [(1, "evidence", "Anna")]
    assert work.history == {"undo": True, "redo": True}
    work.open("key")
    assert said(document) == []
    work.open("rent")
    assert said(document) == [(1, "evidence", "Anna")]


def test_the_bench_shows_its_labels_again_after_a_restart(bench: Callable[..., Workbench]) -> None:
    bench().label(1, "evidence")
    assert said(bench().children["document"]) == [(1, "evidence", "Anna")]
