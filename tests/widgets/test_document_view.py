from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.reading.made import CHINESE, ByHand, Made, manual
from workbench.errors import InvalidOption
from workbench.reading import Reading, SparseReader
from workbench.widgets import DocumentView
from workbench.widgets.document_view import MOST_ALONE, cell_data
from workbench.widgets.scripts import modules_of, script_of

RELEVANCE = (0.1, 0.2, 0.93, 0.63, 0.1, 0.05, 0.6, 0.04, 0.03, 0.0)
WORDS = Path(__file__).resolve().parents[2] / "workbench" / "widgets" / "words"


def read(threshold: float = 0.62, name: str = "manual.txt") -> Reading:
    return SparseReader(scorer=ByHand(RELEVANCE), threshold=threshold).read(manual(name=name), "When does it start?")


def test_the_text_crosses_once_and_another_cut_sends_only_what_it_changes() -> None:
    reading = read()
    view = DocumentView(reading)
    sent: list[set[str]] = []
    view.observe(lambda change: sent.append({change["name"]}))
    view.reading = reading.with_threshold(0.5)
    changed = set().union(*sent)
    assert "status" in changed
    assert "sequence" in changed
    assert not changed & {"text", "offsets", "priority", "relevance", "cells", "document_sequence"}


def test_a_block_is_taken_in_hand_and_let_go() -> None:
    view = DocumentView(read())
    view.select(3)
    assert view.selected == 3
    view.select(np.int64(4))  # type: ignore[arg-type]
    assert view.selected == 4
    view.select(None)
    assert view.selected == -1


@pytest.mark.parametrize("block", [-1, 10, 2.5, "3", True])
def test_a_block_that_is_not_there_is_refused(block: object) -> None:
    view = DocumentView(read())
    with pytest.raises(InvalidOption, match=rf"^manual\.txt has no block {block!r}; its blocks are 0 to 9\.$"):
        view.select(block)  # type: ignore[arg-type]
    assert view.selected == -1


def test_an_empty_document_has_no_block_to_take() -> None:
    reading = SparseReader(scorer=ByHand(())).read(Made("empty.txt").document(), "What?")
    view = DocumentView(reading)
    with pytest.raises(InvalidOption, match=r"^empty\.txt has no block 0; it has no blocks\.$"):
        view.select(0)
    assert (view.text, view.cells, view.cell_counts) == (b"", b"", b"")


def test_an_explanation_is_pinned_and_let_go_by_an_action() -> None:
    view = DocumentView(read())
    view.act("pin", block=2)
    assert view.pin == 2
    view.act("pin", block=None)
    assert view.pin == -1
    with pytest.raises(InvalidOption, match="has no block 99"):
        view.act("pin", block=99)


def test_another_document_has_no_block_in_hand() -> None:
    view = DocumentView(read())
    view.select(3)
    view.act("pin", block=3)
    view.reading = read()
    assert (view.selected, view.pin, view.document_sequence) == (-1, -1, 1)


def test_another_reading_of_the_document_leaves_the_block_in_hand() -> None:
    reading = read()
    view = DocumentView(reading)
    view.select(3)
    view.reading = reading.with_threshold(0.9)
    assert (view.selected, view.document_sequence, view.sequence) == (3, 0, 1)


def test_cells_know_their_columns_where_one_is_empty() -> None:
    made = Made().text("Before.").table(("Name", "2018", "2017"), ("Cash", "20", "(3)"))
    table = made.draft.begin_table()
    made.draft.add_row(table, [made.draft.write("left"), None, made.draft.write("right")])
    data = cell_data(made.document())
    counts = np.frombuffer(data["cell_counts"], "<u4").tolist()
    assert counts == [0, 0, 3, 3, 0, 2]
    assert np.frombuffer(data["cells"], "<i4").tolist() == [0, 1, 2, 0, 1, 2, 0, 2]


def test_there_are_as_many_cells_as_tabs_part_in_the_text() -> None:
    document = Made().table(("a b", "c"), ("d", "e f")).document()
    counts = np.frombuffer(cell_data(document)["cell_counts"], "<u4").tolist()
    assert [text.count("\t") + 1 if text else 0 for text in document.texts] == counts


def test_a_question_of_the_browser_gets_the_calculation() -> None:
    view = DocumentView(read())
    answer = view.answer_explain(block=2)
    assert (answer["block"], answer["status"], answer["reason"]) == (2, "kept", "over_cut")


def test_a_page_without_a_kernel_keeps_the_explanations_that_matter_most() -> None:
    texts = [f"Text number {number}." for number in range(150)]
    relevance = np.linspace(0, 1, 150).tolist()
    reading = SparseReader(scorer=ByHand(relevance), threshold=0.5, rules=None).read(
        Made().text(*texts).document(), "Which?"
    )
    view = DocumentView(reading, gold=[3])
    view.select(7)
    kept = [values["block"] for _name, values, _value, _buffers in view.answers_alone()]
    assert kept[:2] == [3, 7]
    assert kept[2:] == list(range(150 - MOST_ALONE, 150))


def test_english_and_chinese_have_the_same_words() -> None:
    english, chinese = (
        json.loads((WORDS / f"document_view.{language}.json").read_text(encoding="utf-8")) for language in ("en", "zh")
    )
    assert list(english) == list(chinese)
    assert {key for key in english if english[key] == chinese[key]} == {"doc.section.counts"}
    for key, text in english.items():
        assert {part.split("}")[0] for part in text.split("{")[1:]} == {
            part.split("}")[0] for part in chinese[key].split("{")[1:]
        }


def test_the_words_of_the_view_are_in_its_language() -> None:
    reading = SparseReader(scorer=ByHand(RELEVANCE), threshold=0.62).read(
        manual(CHINESE, language="zh", name="手册.txt"), "系统何时开始备份？"
    )
    view = DocumentView(reading, language="zh")
    assert view.words["why.weight"] == "结构权重"
    assert view.facts["name"] == "手册.txt"


def test_no_script_of_the_view_sets_markup() -> None:
    script = script_of("document_view")
    assert "document_text" in modules_of("document_view")
    for unsafe in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", "document.write"):
        assert unsafe not in script
