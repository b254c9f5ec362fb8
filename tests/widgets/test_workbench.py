"""The bench as a widget, without a browser: it shows what the bench holds, and does what a click says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.workload.made_depots import depots_in
from tests.workspace.made import house_in, replayed_in, words_alone
from tests.workspace.slow import WAIT, SlowScorer, reader_of
from workbench.errors import InvalidOption
from workbench.gate.margin import Route
from workbench.widgets import Workbench
from workbench.widgets.bench_data import head_data, near, profiles_near, route_data
from workbench.widgets.wording import words_of
from workbench.workload import Workload
from workbench.workspace import Bench, Operation

from .clicks import click

Benches = Callable[..., Workbench]


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Benches]:
    made: list[Workbench] = []

    def bench(workload: Workload | None = None, *, house: bool = True, **others: Any) -> Workbench:
        given = house_in(tmp_path / "house") if workload is None and house else workload
        made.append(Workbench(given, **{"reader": words_alone(), "folder": tmp_path / "space", **others}))
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


@pytest.fixture(scope="module")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=4, paragraphs=60)


@pytest.fixture(scope="module")
def replayed(depots: Workload, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which the workload was replayed."""
    return replayed_in(tmp_path_factory.mktemp("replayed"), depots)


def test_the_bench_is_a_name_of_the_package() -> None:
    assert wb.Workbench is Workbench


def test_the_first_look_has_document_question_and_panel_and_nothing_that_takes_long(benches: Benches) -> None:
    bench = benches()
    assert bench.tab == "read"
    assert sorted(bench.children) == ["document", "threshold"]
    assert bench.head["request"] == "rent"
    assert bench.head["question"] == "How much is the rent a month?"
    assert bench.head["document"]["name"] == "house.md"
    assert bench.foot["workload"] == "house"
    assert bench.foot["requests"] == 6
    assert bench.route == {}
    assert bench.catalogue == {}


def test_the_rest_follows_when_the_page_has_painted(benches: Benches) -> None:
    bench = benches()
    assert bench.answer_rest() is True
    assert bench.route["route"] == "native"
    assert bench.catalogue["ids"] == ["rent", "key", "spare", "租金", "钥匙", "pets"]
    assert bench.catalogue["documents"] == ["house.md", "住房.md"]
    assert bench.catalogue["document"] == [0, 0, 0, 1, 1, 1]
    assert bench.foot["outcomes"] is False


def test_a_click_in_a_child_and_a_call_do_the_same(benches: Benches) -> None:
    bench = benches()
    panel, document = bench.children["threshold"], bench.children["document"]
    answer = click(panel, "set_cut", kind="share", value=0.6)
    assert [(said["kind"], said.get("error")) for said in answer] == [("done", None)]
    assert bench.said[-1] == "bench.set_share(0.6)"
    by_click = bench.reading.status.tolist()
    bench.set_share(0.2)
    assert document.reading is panel.reading is bench.reading
    assert bench.reading.status.tolist() != by_click
    bench.set_share(0.6)
    assert bench.reading.status.tolist() == by_click
    assert bench.history == {"undo": True, "redo": False}
    click(bench, "undo")
    assert bench.history == {"undo": True, "redo": True}


@pytest.mark.parametrize(("request_id", "language"), [("key", "en"), ("租金", "zh")])
def test_a_request_that_is_opened_is_shown_in_every_child(benches: Benches, request_id: str, language: str) -> None:
    bench = benches(language=language)
    bench.open(request_id)
    assert bench.head["request"] == request_id
    document = bench.children["document"]
    assert document.reading is bench.reading
    assert document.words == words_of(("common", "document_view"), language)
    assert sum(document.gold) == len(bench.gold) > 0
    assert bench.tab == "read"


def test_what_takes_long_to_read_is_named_and_can_be_cancelled_while_the_page_goes_on(
    benches: Benches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.workspace.bench.PATIENCE_SECONDS", 0.01)
    scorer = SlowScorer("lost key")
    bench = benches(reader=reader_of(scorer))
    for ends in ("cancelled", "read"):
        scorer.begun.clear()
        scorer.go_on.clear()
        assert [said["kind"] for said in click(bench, "open", request="key")] == ["done"]
        assert scorer.begun.wait(WAIT)
        (job,) = [job for job in bench.running if job["kind"] == "reading"]
        assert (job["label"], job["status"]) == ("Reading house.md", "running")
        assert (bench.head["request"], bench.head["opening"]) == ("rent", "What does a lost key cost?")
        assert f"job.{job['kind']}" in bench.words
        if ends == "cancelled":
            click(bench, "cancel", job=job["id"])
        scorer.go_on.set()
        bench.wait(WAIT)
        at_hand = "rent" if ends == "cancelled" else "key"
        assert (bench.head["request"], bench.head["opening"], bench.fault) == (at_hand, "", "")
    assert bench.children["document"].reading is bench.reading


def test_a_question_of_ones_own_names_no_request(benches: Benches) -> None:
    bench = benches()
    bench.ask("Who keeps the spare keys?")
    assert bench.head["request"] is None
    assert bench.head["question"] == "Who keeps the spare keys?"
    bench.ask("以前的租金是多少？", "住房.md")
    assert bench.head["document"]["name"] == "住房.md"


def test_children_are_made_when_they_are_first_needed(benches: Benches) -> None:
    bench = benches()
    assert bench.answer_need("page") is True
    assert "page" in bench.children
    click(bench, "show", tab="tune")
    assert "rules" in bench.children
    with pytest.raises(
        InvalidOption,
        match=r"^The bench has no widget 'chart'; it has document, threshold, page, rules, gate, requests, annotate\.$",
    ):
        bench.answer_need("chart")


def test_an_edit_of_a_rule_reaches_table_and_document(benches: Benches) -> None:
    bench = benches()
    bench.show("tune")
    rules = bench.children["rules"]
    edit = {"do": "set", "rule": "money", "field": "weight", "value": 4.0}
    click(rules, "edit_rules", table=bench.rule_key, edit=edit)
    assert bench.rule_table.rule("money").weight == 4.0
    assert rules.table.rule("money").weight == 4.0
    assert bench.children["document"].reading.structure.weights.max() == 4.0
    assert rules.facts["undo"] is True
    assert bench.said[-1] == "bench.edit_rule('money', weight=4.0)"


def test_what_cannot_be_done_is_said_where_it_was_asked_for_and_changes_nothing(benches: Benches) -> None:
    bench = benches()
    before = bench.operations
    answer = click(bench, "set_cut", kind="share", value=7)
    assert bench.fault == "share is 7; give a number from 0 to 1."
    assert answer[-1]["error"] == bench.fault
    assert bench.operations == before
    assert bench.tab == "read"
    click(bench, "close_fault")
    assert bench.fault == ""


def test_running_the_cell_again_brings_everything_back(benches: Benches) -> None:
    bench = benches()
    bench.open("租金")
    bench.set_share(0.45)
    bench.pin(2)
    bench.show("tune")
    status = bench.reading.status.tolist()
    bench.close()
    again = benches()
    assert (again.tab, again.head["request"]) == ("tune", "租金")
    assert again.reading.status.tolist() == status
    assert again.children["document"].pin == 2
    assert "rules" in again.children
    assert again.said == bench.said


def test_an_action_that_arrives_twice_is_done_once(benches: Benches) -> None:
    bench = benches()
    message = {"kind": "act", "operation": Operation("set_cut", {"kind": "share", "value": 0.5}).to_dict()}
    bench._received(bench, message, [])
    bench._received(bench.children["document"], message, [])
    assert bench.operations == 1


def test_every_name_of_the_bench_is_one_of_the_widget(benches: Benches) -> None:
    bench = benches()
    assert bench.rule_book is bench.bench.rule_book
    assert {"set_threshold", "calibrate", "export_profile"} <= set(dir(bench))
    with pytest.raises(AttributeError, match="has no attribute 'set_thresold'"):
        bench.set_thresold(0.4)


def test_a_bench_without_a_workload_says_so_and_reads_files(benches: Benches, tmp_path: Path) -> None:
    house_in(tmp_path / "house")
    bench = benches(house=False)
    bench.answer_rest()
    assert bench.children == {}
    assert bench.head == {"request": None, "question": "", "opening": "", "document": None}
    assert bench.answer_need("document") is False
    assert bench.answer_curves() is False
    bench.ask("How much is the rent?", str(tmp_path / "house" / "house.md"))
    assert sorted(bench.children) == ["document", "threshold"]


def test_a_language_without_words_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"^language is 'fr'; choose from en, zh\.$"):
        Workbench(folder=tmp_path / "space", language="fr")
    assert not (tmp_path / "space").exists()


def test_the_gate_opens_what_is_chosen_in_the_read_tab(
    benches: Benches, depots: Workload, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches(depots, reader=words_alone(min_tokens=200))
    bench.answer_rest()
    bench.show("gate")
    requests = bench.children["requests"]
    other = depots.requests[-1].id
    click(requests, "open", request=other)
    assert (bench.tab, bench.head["request"]) == ("read", other)
    assert requests.selected == bench.children["gate"].selected == other
    assert len(bench.routes) == len(depots)
    before = bench.catalogue
    bench.set_gate(-2.0, -1.5)
    assert set(bench.routes) == {Route.FORCE.code}
    assert bench.catalogue is before
    assert bench.route["route"] == "force"


def test_a_profile_is_shown_before_it_is_written_and_compared_afterwards(
    benches: Benches, depots: Workload, replayed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    monkeypatch.chdir(tmp_path)
    bench = benches(depots, reader=words_alone(min_tokens=200))
    shown = bench.answer_export_preview()
    assert shown["problems"] == []
    assert shown["path"] == "space/gate.json"
    lines = {line["line"]: line for line in shown["lines"]}
    assert [*lines] == ["margin", "routes", "blocks", "model", "workload"]
    assert lines["margin"]["weights"] == list(bench.gate_rule.weights)
    assert (lines["blocks"]["kind"], lines["blocks"]["min_tokens"]) == ("share", 200)
    assert lines["model"]["encoder"] == ""
    assert lines["workload"]["splits"] == [{"name": "dev", "requests": len(depots), "documents": 4}]
    assert {figure["split"] for figure in shown["figures"]} == {"in sample"}
    bench.export_profile("space/gate.json", name="by hand", by="A. Analyst")
    assert bench.answer_profiles() == [{"path": "space/gate.json", "name": "gate.json"}]
    bench.set_gate(-2.0, -1.5)
    bench.show("compare")
    bench.compare("space/gate.json")
    found = bench.compared
    assert found["before"] == "by hand"
    assert found["decides_alike"] is False
    assert len(found["routes"]) == found["routes_changed"] == found["requests"] == len(depots)
    assert {route["after"] for route in found["routes"]} == {"force"}
    assert found["blocks"] == []
    assert [figure["name"] for figure in found["figures"]][:2] == ["token reduction", "quality loss"]
    assert json.loads(json.dumps(found)) == found


def test_outcomes_of_another_reader_are_named_before_the_export(
    benches: Benches, depots: Workload, replayed: Path, tmp_path: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches(depots, reader=words_alone(min_tokens=200))
    bench.set_share(0.5)
    shown = bench.answer_export_preview()
    assert shown["can_replay"] is True
    assert "and are now at the best 50 % of the tokens" in shown["problems"][0]
    answer = click(bench, "export_profile", path=str(tmp_path / "gate.json"))
    assert "replay" in answer[-1]["error"]
    assert not (tmp_path / "gate.json").exists()


def test_a_job_that_fails_says_why_on_the_page(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    (tmp_path / "house" / "house.md").unlink()
    (tmp_path / "house" / "住房.md").unlink()
    bench.replay(wait=False)
    bench.bench.jobs.wait_for_all(60)
    assert [job["status"] for job in bench.running if job["kind"] == "replay"] == ["failed"]
    assert bench.fault != ""


def test_the_head_without_a_document_is_empty(tmp_path: Path) -> None:
    bench = Bench(folder=tmp_path / "space")
    assert head_data(bench) == {"request": None, "question": "", "opening": "", "document": None}
    assert route_data(bench.decision) == {}
    assert profiles_near(bench) == []


def test_a_path_is_called_as_the_current_folder_calls_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert near(tmp_path / "a" / "gate.json") == "a/gate.json"
    assert near(tmp_path.parent / "gate.json") == str(tmp_path.parent / "gate.json")


def test_both_languages_have_the_same_words() -> None:
    english, chinese = (words_of(("workbench",), language) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert chinese[key].count("{") == text.count("{"), key
