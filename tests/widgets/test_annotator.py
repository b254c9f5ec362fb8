"""The annotator without a browser: what its actions write down, and what it sends."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.reading.made import ByHand, Made, manual
from tests.training.queue.made import CHINESE_QUESTION, HOSTILE, QUESTION, filing, plant, read, workload
from workbench.documents import Document
from workbench.documents.surrogates import without_surrogates
from workbench.errors import InvalidLabels, InvalidOption, WorkbenchError
from workbench.reading import Reading, SparseReader
from workbench.relevance.scores import RelevanceScores
from workbench.training.labels import Label, LabelStore
from workbench.training.queue import ORDERS, Queue, build_queue
from workbench.widgets.annotating_agreement import agreement_data
from workbench.widgets.annotating_cards import card_of, parts_of, plain
from workbench.widgets.annotator import Annotator
from workbench.widgets.wording import words_of
from workbench.workspace.operations import Operation


class Refusing(ByHand):
    """A scorer that says why it scores nothing."""

    def __init__(self, why: str) -> None:
        super().__init__([])
        self.why = why

    def score(self, document: Document, question: str, **_others: object) -> RelevanceScores:
        del document, question
        raise WorkbenchError(self.why)


class Waiting:
    """A scorer that stops before a question until it is told to go on."""

    def __init__(self, scorer: Any, *, after: int, entered: threading.Event, go_on: threading.Event) -> None:
        self._scorer, self._after, self._entered, self._go_on = scorer, after, entered, go_on

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scorer, name)

    def score(self, *args: Any, **options: Any) -> Any:
        self._after -= 1
        if self._after < 0:
            self._entered.set()
            assert self._go_on.wait(30)
        return self._scorer.score(*args, **options)


def annotator_of(folder: Path, source: Any = None, **options: Any) -> Annotator:
    options = {"store": folder / "labels.sqlite", "annotator": "ada", **options}
    found = Annotator(source if source is not None else plant(), **options)
    found.wait(30)
    return found


def cards(widget: Annotator) -> dict[int, dict[str, Any]]:
    return {int(at): card for at, card in widget.cards.items()}


def test_a_label_is_on_the_disk_with_the_identity_of_the_key_press(tmp_path: Path) -> None:
    widget = annotator_of(tmp_path)
    assert widget.item is not None
    item = list(widget.item.key)
    values = {"item": item, "value": "evidence", "spans": [[0, 8]], "note": "so it says", "then": 1}
    pressed = Operation("label", values, id="press-1", at="2026-11-30T10:00:00+00:00")
    for _ in range(2):
        widget._received(None, {"kind": "act", "operation": pressed.to_dict()}, None)
    (label,) = LabelStore(tmp_path / "labels.sqlite").labels()
    assert (label.id, label.annotator, label.value.value, label.note) == ("press-1", "ada", "evidence", "so it says")
    assert (label.at, label.spans) == ("2026-11-30T10:00:00.000+00:00", ((0, 8),))
    assert label.scores["relevance"] == pytest.approx(0.63)
    assert (widget.at, widget.labelled) == (1, {"0": {"value": "evidence", "spans": [[0, 8]], "note": "so it says"}})


def test_running_the_cell_again_shows_the_same_item_and_reads_nothing(tmp_path: Path) -> None:
    work, reader = workload()
    widget = annotator_of(tmp_path, work, reader=reader, order="random audit")
    widget.label("evidence")
    widget.act("skip", at=widget.at)
    widget.label("unsure")
    widget.act("go", at=1)
    before = [item.key for item in widget.queue]

    again = annotator_of(
        tmp_path, work, reader=SparseReader(scorer=Refusing("Nothing is read again.")), order="random audit"
    )
    assert [item.key for item in again.queue] == before
    assert (again.at, again.skipped, set(again.labelled)) == (1, [1], {"0", "2"})


def test_undo_and_redo_are_done_once_however_often_they_arrive(tmp_path: Path) -> None:
    widget = annotator_of(tmp_path)
    widget.label("evidence")
    widget.label("unsure")
    operation = {"kind": "act", "operation": Operation("undo_label", id="u").to_dict()}
    for _ in range(3):
        widget._received(None, operation, None)
    assert (widget.at, set(widget.labelled)) == (1, {"0"})
    widget.redo()
    assert (widget.at, set(widget.labelled)) == (2, {"0", "1"})
    widget.undo()
    widget.undo()
    assert widget.labelled == {}


def test_whoever_labels_second_does_not_see_the_scores_first(tmp_path: Path) -> None:
    first = annotator_of(tmp_path)
    assert (first.blind, first.others) == (False, 0)
    first.label("evidence")
    second = annotator_of(tmp_path, annotator="bo")
    assert (second.blind, second.others) == (True, 1)
    assert second.at == 0
    assert annotator_of(tmp_path, annotator="bo", blind=False).blind is False
    second.act("blind", on=False)
    assert second.blind is False


def test_agreement_says_kappa_with_its_interval_and_what_is_to_settle(tmp_path: Path) -> None:
    work, reader = workload(manuals=3, questions=1)
    one = annotator_of(tmp_path, work, reader=reader)
    two = annotator_of(tmp_path, work, reader=reader, annotator="bo")
    for rank in range(len(one.queue)):
        one.label("evidence" if rank % 2 else "not relevant")
        two.label("evidence" if rank % 2 or rank == 4 else "not relevant")
    data = two.answer_agreement()
    (pair,) = data["pairs"]
    assert (pair["items"], pair["documents"], data["open"]) == (len(one.queue), 3, 1)
    assert pair["low"] <= pair["kappa"] <= pair["high"]
    (open_one,) = data["disagreements"]
    assert (open_one["first"], open_one["second"]) == (["ada", "not relevant"], ["bo", "evidence"])
    json.dumps(data)
    document, question, block = open_one["key"]
    visit = two.answer_visit(document, question, block)
    assert visit is not None
    assert [(said["annotator"], said["value"]) for said in visit["said"]] == [
        ("ada", "not relevant"),
        ("bo", "evidence"),
    ]
    third = annotator_of(tmp_path, work, reader=reader, annotator="cy")
    before = third.at
    third.act("label", item=open_one["key"], value="hard negative", resolves=True, then=before)
    assert third.answer_agreement()["open"] == 0
    assert third.store.labels(annotator="cy")[0].reason == "resolution"


def test_one_of_the_two_can_settle_a_disagreement_and_stay_with_what_was_said(tmp_path: Path) -> None:
    reading = plant()
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add(Label.of(reading, QUESTION, 2, "evidence", annotator="ada"))
    store.add(Label.of(reading, QUESTION, 2, "unsure", annotator="bo"))
    assert agreement_data(store.labels(), "bo")["open"] == 1
    widget = annotator_of(tmp_path, reading, annotator="bo")
    widget.act("label", item=[reading.document.sha256, QUESTION, 2], value="unsure", resolves=True)
    assert agreement_data(store.labels(), "bo")["open"] == 0
    assert len(store.history()) == 3


def test_another_order_is_another_queue_and_the_first_one_is_kept(tmp_path: Path) -> None:
    widget = annotator_of(tmp_path)
    widget.label("evidence")
    nearest = [item.key for item in widget.queue]
    widget.act("order", name="random audit")
    widget.wait(30)
    assert widget.order == "random audit"
    assert nearest[0] not in [item.key for item in widget.queue]
    widget.act("order", name="nearest to threshold")
    widget.wait(30)
    assert [item.key for item in widget.queue] == nearest
    assert widget.at == 1
    widget.refill()
    widget.wait(30)
    assert [item.key for item in widget.queue] == nearest[1:]
    assert widget.left_out == {"labelled": 1}


def test_a_queue_of_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    reading = plant()
    queue = build_queue(reading, order="hard negatives")
    widget = annotator_of(tmp_path, reading, queue=Queue(queue.items[:2], queue.order))
    assert (widget.order, widget.total) == ("hard negatives", 2)
    widget.label("unsure")
    assert annotator_of(tmp_path, reading, queue=Queue(queue.items[:2], queue.order)).at == 1


def test_a_card_has_the_block_amid_its_surroundings_and_rows_have_their_headers(tmp_path: Path) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading)
    row = next(item for item in widget.queue if item.block_id == 5)
    card = card_of(row, reading.document)
    assert card["path"] == ["Segments"]
    here = card["blocks"][card["here"]]
    assert (here["text"], here["columns"], here["kind"]) == ("Health Care\t8,195\t8,421", [0, 1, 2], "table_row")
    assert [here["text"][start:end] for start, end in card["parts"]] == ["Health Care", "8,195", "8,421"]
    header = next(block for block in card["blocks"] if block.get("header"))
    assert header["columns"] == [1, 2] or header["text"].split("\t")[-2:] == ["2024", "2023"]
    ids = [block["id"] for block in card["blocks"]]
    assert ids == sorted(ids)


def test_header_rows_that_stand_far_above_a_row_are_shown(tmp_path: Path) -> None:
    del tmp_path
    rows = [["", "2024"], *([f"Line {number}", str(1000 + number)] for number in range(60))]
    document = Made().heading("Notes").table(*rows).document()
    reading = read(document, [0.5] * len(document))
    queue = build_queue(reading)
    item = next(one for one in queue if document.texts[one.block_id].startswith("Line 50"))
    card = card_of(item, document)
    assert card["blocks"][0]["text"].endswith("2024")
    assert card["blocks"][0]["header"] is True
    assert card["blocks"][1]["id"] > 20


def test_a_very_long_neighbour_is_cut_towards_the_block_and_the_block_never(tmp_path: Path) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading)
    by_block = {item.block_id: card_of(item, reading.document) for item in widget.queue}
    long = by_block[7]["blocks"][by_block[7]["here"]]
    assert long["text"] == reading.document.texts[7]
    last = by_block[8]["blocks"][by_block[8]["here"] - 1]
    assert (last["id"], last["cut"]) == (7, "start")
    assert reading.document.texts[7].endswith(last["text"])


def test_text_reaches_the_browser_as_it_is_character_by_character(tmp_path: Path) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading)
    card = next(card_of(item, reading.document) for item in widget.queue if item.block_id == 6)
    assert card["blocks"][card["here"]]["text"] == HOSTILE
    assert json.loads(json.dumps(card)) == card
    torn = "a\ud800b"
    assert (plain(torn), len(plain(torn))) == ("a?b", 3)
    assert without_surrogates(plain(torn)) == "a?b"


def test_sentences_are_ranges_of_the_text_in_english_and_chinese() -> None:
    document = Made().text("It starts at night. It ends at 3.5 bar.", "当负载低时开始备份。每份保存90天。").document()
    said = [[block.text[start:end] for start, end in parts_of(block)] for block in document.blocks]
    assert said == [["It starts at night.", "It ends at 3.5 bar."], ["当负载低时开始备份。", "每份保存90天。"]]


def test_what_is_wrong_is_said_and_changes_nothing(tmp_path: Path) -> None:
    widget = annotator_of(tmp_path)
    assert widget.item is not None
    with pytest.raises(InvalidLabels, match=r"^'maybe' is no value of a label; give one of evidence, useful context"):
        widget.label("maybe")
    with pytest.raises(InvalidOption, match=r"^order is 'best'; choose from"):
        widget.act("order", name="best")
    with pytest.raises(InvalidOption, match=r"^The queue has no position 99"):
        widget.act("go", at=99)
    with pytest.raises(InvalidOption, match=r"^annotator is ' '; give the name of who labels\.$"):
        annotator_of(tmp_path, annotator=" ")
    with pytest.raises(
        InvalidOption, match=r"^An annotator needs something to ask about; give a workload, such as Annot"
    ):
        Annotator(store=tmp_path / "labels.sqlite")
    assert (widget.at, len(widget.store)) == (0, 0)


def test_with_nothing_left_there_is_no_item_and_labelling_says_so(tmp_path: Path) -> None:
    document = Made().heading("Only a title").document()
    widget = annotator_of(tmp_path, read(document, [0.5]))
    assert (widget.total, widget.item, widget.cards) == (0, None, {})
    with pytest.raises(InvalidOption, match=r"^No item is at hand; every one of the queue is labelled or skipped\.$"):
        widget.label("evidence")


def test_a_document_that_cannot_be_opened_any_more_is_said_on_its_items(tmp_path: Path) -> None:
    work, reader = _on_disk(tmp_path)
    widget = annotator_of(tmp_path, work, reader=reader)
    assert widget.total > 0
    (tmp_path / "work" / "plant.txt").unlink()
    card = widget.answer_card(0)
    assert card is not None
    assert card["gone"] is True
    assert "plant.txt" in card["problem"]


def test_a_document_that_changed_between_two_sittings_is_asked_anew_without_what_is_labelled(tmp_path: Path) -> None:
    work, reader = _on_disk(tmp_path)
    widget = annotator_of(tmp_path, work, reader=reader)
    assert widget.item is not None
    labelled = work.open(widget.item.document_key).texts[widget.item.block_id]
    widget.label("evidence")
    path = tmp_path / "work" / "plant.txt"
    path.write_text("A first line that is new to it.\n\n" + path.read_text("utf-8"), "utf-8")
    from workbench.workload import Workload

    again = annotator_of(tmp_path, Workload.of(work.requests, name="on disk", folder=tmp_path / "work"), reader=reader)
    texts = [again.walk.document_of(item).texts[item.block_id] for item in again.queue]
    assert labelled not in texts
    assert "A first line that is new to it." in texts


def _on_disk(folder: Path) -> tuple[Any, SparseReader]:
    from workbench.workload import Request, Workload

    made, reader = workload(manuals=1)
    place = folder / "work"
    place.mkdir()
    (place / "plant.txt").write_text("\n\n".join(manual().texts), "utf-8")
    requests = [Request(id="one", artifact="plant.txt", question=made.requests[0].question)]
    return Workload.of(requests, name="on disk", folder=place), reader


def test_a_fault_while_the_queue_is_made_is_shown(tmp_path: Path) -> None:
    work, _ = workload()
    widget = annotator_of(tmp_path, work, reader=SparseReader(scorer=Refusing("The scorer has no model; install one.")))
    assert (widget.fault, widget.building, widget.total) == ("The scorer has no model; install one.", {}, 0)


def test_a_path_of_a_workload_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work, _ = workload(manuals=1, questions=1)
    folder = tmp_path / "plants"
    folder.mkdir()
    (folder / "plant-0.txt").write_text("\n\n".join(work.open("plant-0.txt").texts), "utf-8")
    line = {"id": "a", "artifact": "plant-0.txt", "question": QUESTION}
    (folder / "workload.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    widget = Annotator(str(folder), order="random audit", reader=workload()[1])
    widget.wait(30)
    assert widget.store.path.parent.parent.name == ".sparseread"
    assert widget.store.path.name == "labels.sqlite"
    assert widget.total > 0
    assert widget.annotator


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_order_reason_and_value_has_words(language: str) -> None:
    words = words_of(["annotator"], language)
    from workbench.training.labels import VALUES
    from workbench.training.mining.mined import Doubt

    codes = ["near.over", "near.under", "negative.mined", "negative.high", "negative.unknown", "audit", "chosen"]
    codes += [f"negative.borderline.{doubt.value}" for doubt in Doubt]
    codes += ["disagree.words", "disagree.meaning", "mistake.missed", "mistake.kept"]
    codes += ["mistake.scored.missed", "mistake.scored.kept"]
    wanted = [f"an.reason.{code}" for code in codes] + [f"an.order.{order}" for order in ORDERS]
    wanted += [f"an.value.{value.value}" for value in VALUES] + [f"an.means.{value.value}" for value in VALUES]
    wanted += [f"an.out.{why}" for why in ("labelled", "near-copies", "nothing to read", "questions not looked at")]
    assert [key for key in wanted if key not in words] == []


def test_both_languages_have_the_same_keys_and_the_same_places_for_values() -> None:
    import re

    english, chinese = (words_of(["annotator"], language) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", chinese[key])), key


def test_a_chinese_annotator_walks_through_a_chinese_manual(tmp_path: Path) -> None:
    widget = annotator_of(tmp_path, plant("zh"), language="zh")
    assert cards(widget)[0]["question"] == CHINESE_QUESTION
    widget.label("evidence", spans=[(0, 5)])
    assert widget.store.labels()[0].span_texts == (widget.store.labels()[0].quote[:5],)


def test_a_reading_of_one_question_is_enough(tmp_path: Path) -> None:
    reading: Reading = plant()
    widget = annotator_of(tmp_path, [reading])
    assert repr(widget) == "Annotator('ada', nearest to threshold, 0 of 6 labelled)"
    names = [answer[0] for answer in widget.answers_alone()]
    assert names == ["card"] * 6


def test_what_is_labelled_elsewhere_is_seen_when_the_browser_asks(tmp_path: Path) -> None:
    widget = annotator_of(tmp_path)
    assert widget.item is not None
    item, sequence = widget.item, widget.sequence
    widget.answer_news()
    assert widget.sequence == sequence, "nothing is new"
    elsewhere = LabelStore(widget.store.path)
    document = widget.walk.document_of(item)
    elsewhere.add(Label.of(document, item.question, item.block_id, "unsure", annotator="ada"))
    elsewhere.add(Label.of(document, item.question, item.block_id, "evidence", annotator="bo"))
    widget._received(None, {"kind": "ask", "id": "1", "name": "news"}, None)
    assert widget.labelled == {"0": {"value": "unsure", "spans": [], "note": ""}}
    assert (widget.others, widget.at, widget.fault) == (1, 0, "")


def test_a_label_of_an_earlier_version_is_seen_in_the_one_of_today(tmp_path: Path) -> None:
    earlier = Made("manual.txt").heading("Backup").text("The backup begins at night.").text("Pumps run.").document()
    today = Made("manual.txt").heading("Backup").text("New.").text("The  backup begins at night .").document()
    store = LabelStore(tmp_path / "labels.sqlite")
    store.add(Label.of(earlier, QUESTION, 1, "evidence", annotator="ada", spans=[(4, 10)]))
    reading = read(today, [0.2, 0.5, 0.9])
    queue = build_queue(reading, order="random audit")
    widget = annotator_of(tmp_path, reading, queue=queue)
    (rank,) = widget.labelled
    assert queue[int(rank)].block_id == 2
    assert widget.labelled[rank]["value"] == "evidence"
    fresh = build_queue(reading, order="random audit", store=store, annotator="ada")
    assert [item.block_id for item in fresh] == [1]


def test_without_a_named_order_the_scale_decides_and_it_is_said_why(tmp_path: Path) -> None:
    work, reader = workload(manuals=1)
    widget = annotator_of(tmp_path, work, reader=reader)
    assert (widget.order, widget.order_why) == ("hard negatives", "uncalibrated")
    assert {item.order.value for item in widget.queue} == {"hard negatives"}
    widget.act("order", name="random audit")
    assert (widget.order, widget.order_why) == ("random audit", "")
    named = annotator_of(tmp_path, work, reader=reader, order="nearest to threshold")
    assert (named.order, named.order_why) == ("nearest to threshold", "")
    for why in ("calibrated", "uncalibrated", "mined", "evaluation"):
        assert all(f"an.order.why.{why}" in words_of(["annotator"], language) for language in ("en", "zh"))


def test_another_reader_makes_the_queue_anew_once_somebody_looks(tmp_path: Path) -> None:
    work, reader = workload(manuals=1)
    widget = annotator_of(tmp_path, work, reader=reader)
    widget.label("not relevant")
    first = [item.key for item in widget.queue]
    widget.reader_changed(work, reader)
    assert [item.key for item in widget.queue] == first
    widget.answer_news()
    widget.wait(30)
    assert [item.key for item in widget.queue] == first[1:]
    assert widget.left_out["labelled"] == 1


def test_the_making_of_a_queue_can_be_stopped_and_what_is_there_stays(tmp_path: Path) -> None:
    work, reader = workload(manuals=3, questions=2)
    entered, go_on = threading.Event(), threading.Event()
    slow = Waiting(reader.scorer, after=2, entered=entered, go_on=go_on)
    widget = Annotator(work, store=tmp_path / "l.sqlite", annotator="ada", reader=SparseReader(scorer=slow))
    try:
        assert entered.wait(30)
        assert widget.building["looked"] == 2
        total = widget.total
        assert total > 0
        widget.stop()
        assert (widget.building, widget.total) == ({}, total)
        assert widget.left_out == {"questions not looked at": 4}
    finally:
        go_on.set()
    widget.wait(30)
    assert (widget.total, widget.fault) == (total, "")
    again = annotator_of(tmp_path, work, store=tmp_path / "l.sqlite", reader=SparseReader(scorer=Refusing("No.")))
    assert again.total == total


@pytest.mark.parametrize(("language", "noun"), [("en", "label"), ("zh", "标注")])
def test_one_word_and_one_sign_for_a_label_in_all_widgets(language: str, noun: str) -> None:
    words = words_of(["common", "annotator", "document_view"], language)
    assert noun in words["an.yours"].lower()
    assert noun in words["label.title"].lower()
    assert [key for key, text in words.items() if "标签" in text] == []
    signs = [words[f"label.letter.{value}"] for value in annotated_values()]
    assert len(set(signs)) == 5
    assert all(len(sign) == 1 for sign in signs)


def annotated_values() -> list[str]:
    from workbench.training.labels import VALUES

    return [value.value for value in VALUES]
