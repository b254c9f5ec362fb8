"""Widgets inside the bench say what is tuned now: what is of something else is marked, and nothing jumps away."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.workload.made_depots import depots_in
from tests.workspace.made import house_in, made_outcomes, words_alone
from workbench.errors import InvalidRules
from workbench.reading import SparseReader
from workbench.structure import load_rules
from workbench.structure.rule_books import RuleBook
from workbench.widgets import Workbench
from workbench.workload import Workload, load_workload

from .clicks import click

Benches = Callable[..., Workbench]


@pytest.fixture(scope="module")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=3, paragraphs=60)


@pytest.fixture
def benches(depots: Workload, tmp_path: Path) -> Iterator[Benches]:
    made: list[Workbench] = []

    def bench(workload: Workload = depots, **others: Any) -> Workbench:
        given = {"reader": words_alone(min_tokens=200), "folder": tmp_path / "space", **others}
        made.append(Workbench(workload, **given))
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


def test_effects_of_another_cut_or_other_offsets_are_marked_and_offered_again(benches: Benches) -> None:
    bench = benches()
    bench.answer_need("rules")
    rules = bench.children["rules"]
    assert (rules.effects_fresh, rules.measuring["state"]) == (False, "ready")
    rules.answer_measure()
    bench.wait(120)
    assert (rules.effects_fresh, rules.measuring["state"], rules.measuring["in_sample"]) == (True, "done", False)
    bench.set_share(0.05)
    assert (rules.effects_fresh, rules.measuring["state"], rules.measuring["again"]) == (False, "stale", True)
    bench.undo()
    assert rules.effects_fresh
    bench.set_offset("general", 0.03)
    assert not rules.effects_fresh
    rules.answer_measure()
    bench.wait(120)
    assert (rules.effects_fresh, rules.measuring["in_sample"]) == (True, True)


def test_recall_of_other_rules_is_marked_until_it_is_made_of_these(benches: Benches) -> None:
    bench = benches()
    panel = bench.children["threshold"]
    assert not panel.curves_fresh
    bench.answer_curves()
    bench.wait(120)
    assert panel.curves_fresh
    assert panel.curve_data["split"] == "out of sample"
    before = panel.curve_data
    bench.add_rule({"name": "all", "match": {"keywords": ["the"]}, "pin": True, "reason": "For a difference."})
    assert not panel.curves_fresh
    assert panel.curve_data == before
    bench.answer_curves()
    bench.wait(120)
    assert panel.curves_fresh
    assert panel.curve_data["share"] != before["share"]


def test_rules_tuned_by_hand_make_recall_in_sample_and_taken_back_they_do_not(benches: Benches) -> None:
    bench = benches()
    bench.edit_rule("titles", weight=0.1)
    bench.answer_curves()
    bench.wait(120)
    found = bench.curves
    assert found is not None
    assert found.split == "in sample"
    assert found.notes == ("Rules or offsets were tuned by hand on these very requests, so the curves are in sample.",)
    bench.undo()
    bench.answer_curves()
    bench.wait(120)
    assert bench.curves is not None
    assert bench.curves.split == "out of sample"


def test_curves_that_are_being_made_give_way_to_those_of_later_rules(benches: Benches) -> None:
    bench = benches()
    bench.answer_curves()
    bench.edit_rule("titles", weight=0.1)
    bench.answer_curves()
    bench.wait(120)
    assert bench.is_fresh("curves")


def test_a_gate_slider_leaves_the_selected_point_and_another_request_takes_it(
    benches: Benches, depots: Workload
) -> None:
    outcomes = made_outcomes()
    outcomes["request"] = [*[request.id for request in depots], *outcomes["request"][len(depots) :]]
    bench = benches(outcomes=outcomes)
    bench.answer_rest()
    bench.answer_need("gate")
    gate = bench.children["gate"]
    assert gate.selected == bench.head["request"]
    ids = [request.id for request in depots]
    gate.selected = ids[-1]
    bench.set_gate(native=-0.2, force=0.3)
    assert gate.selected == ids[-1]
    bench.open(ids[1])
    assert gate.selected == ids[1]


def test_unsaved_is_said_of_what_differs_from_the_file_also_after_a_restart(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.answer_need("rules")
    rules = bench.children["rules"]
    assert not rules.facts["changed"]
    bench.edit_rule("titles", weight=1.7)
    assert rules.facts["changed"]
    bench.save_rules(tmp_path / "own.yaml")
    assert (rules.facts["changed"], rules.facts["path"]) == (False, str(tmp_path / "own.yaml"))
    assert not any(row["edited"] for row in rules.rows)
    bench.edit_rule("money", weight=1.7)
    bench.close()
    again = benches()
    again.answer_need("rules")
    rules = again.children["rules"]
    assert rules.facts["changed"]
    assert [row["name"] for row in rules.rows if row["edited"]] == ["money"]


@pytest.fixture
def medical(tmp_path: Path) -> Workload:
    """A workload with a document of no type, and a medical one."""
    folder = tmp_path / "two"
    house_in(folder)
    (folder / "study.md").write_text(
        "# Clinical trial\n\nPatients received 20 mg of the drug daily; the dose was halved after adverse events.\n\n"
        "## Adverse events\n\nNausea was seen in 12 of 80 patients of the placebo arm. 患者恶心。\n\n"
        "## Diagnosis\n\nDiagnosis, symptoms, dosage, contraindications and treatment of each patient.\n",
        "utf-8",
    )
    lines = (folder / "workload.jsonl").read_text("utf-8").rstrip("\n").split("\n")
    lines.append(json.dumps({"id": "dose", "artifact": "study.md", "question": "What was the dose?"}))
    (folder / "workload.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return load_workload(folder)


def test_what_is_shown_before_it_is_saved_is_what_the_bench_writes(
    benches: Benches, medical: Workload, tmp_path: Path
) -> None:
    shipped = RuleBook.shipped()
    bench = benches(medical, reader=SparseReader(scorer=None, rules=shipped, min_tokens=0))
    bench.answer_need("rules")
    rules = bench.children["rules"]
    bench.open("dose")
    key = bench.rule_key
    assert key == "medical"
    assert not any(row["edited"] for row in rules.rows)
    name = bench.rule_table.names[-1]
    bench.edit_rule(name, weight=1.37)
    assert [row["name"] for row in rules.rows if row["edited"]] == [name]
    target = tmp_path / "own.yaml"
    shown = rules.answer_diff(str(target))
    assert shown["compared_with"] == f"{load_rules(key).name}.yaml (shipped)"
    assert shown["diff"].count("\n+") + shown["diff"].count("\n-") < 12
    bench.edit_rule(name, weight=1.38)
    answer = click(rules, "save_rules", path=str(target), fingerprint=shown["fingerprint"])
    assert answer[-1]["error"] == (
        "Saving to own.yaml would not write what was shown; look at the diff again, and save then."
    )
    bench.undo()
    click(rules, "save_rules", path=str(target), fingerprint=shown["fingerprint"])
    assert rules.answer_diff(str(target))["diff"] == ""
    assert not rules.facts["changed"]


def test_what_was_asked_of_another_document_is_not_answered_and_not_pinned(benches: Benches, depots: Workload) -> None:
    bench = benches()
    document = bench.children["document"]
    sequence = document.document_sequence
    assert document.answer_explain(1, sequence=sequence)["block"] == 1
    other = next(request.id for request in depots if request.document_key != bench.request.document_key)
    bench.open(other)
    assert document.document_sequence != sequence
    assert document.answer_explain(1, sequence=sequence) is None
    answer = click(document, "pin", block=1, sequence=sequence)
    assert (answer[-1].get("error"), bench.state.pinned, document.pin) == (None, None, -1)
    click(document, "pin", block=1, sequence=document.document_sequence)
    assert (bench.state.pinned, document.pin) == (1, 1)
    click(document, "pin")
    assert bench.state.pinned is None


def test_the_request_at_hand_is_explained_with_the_terms_of_its_signals(benches: Benches, depots: Workload) -> None:
    bench = benches()
    bench.replay()
    bench.answer_rest()
    bench.show("gate")
    bench.set_gate(-0.5, 0.2)
    gate = bench.children["gate"]
    assert gate._decide(bench.request.id) is bench.decision
    ids = [request.id for request in depots]
    other = gate.answer_explain(ids[-1])
    assert other["request"] == ids[-1]


def test_a_second_bench_in_the_folder_closes_the_first(benches: Benches) -> None:
    first = benches()
    document = first.children["document"]
    second = benches()
    assert first.comm is None
    assert document.comm is None
    second.set_budget(500)
    assert second.bench.notes == ()


def test_a_fault_of_a_job_is_told_while_the_bench_changes(benches: Benches) -> None:
    bench = benches()
    held = threading.Event()
    done = threading.Event()

    def tells() -> None:
        held.wait(20)
        bench._changed(frozenset({"jobs"}))
        done.set()

    thread = threading.Thread(target=tells)
    thread.start()
    with bench.bench.lock:
        held.set()
        assert not done.wait(0.3)
    assert done.wait(20)
    thread.join()


def test_a_save_that_cannot_be_is_told(benches: Benches, tmp_path: Path) -> None:
    bench = benches()
    bench.edit_rule("titles", weight=1.7)
    with pytest.raises(InvalidRules, match="There is no folder"):
        bench.save_rules(tmp_path / "none" / "own.yaml")
    assert bench.bench.saved_table.rule("titles").weight == 2.0
