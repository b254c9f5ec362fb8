"""The widget of a rule table: edits are checked, applied, undone and saved, and the browser is told of each once."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench import SparseReader, open_document
from workbench.errors import InvalidOption, InvalidRules
from workbench.reading import Reading
from workbench.structure import Match, Rule, load_rules
from workbench.structure import RuleTable as Table
from workbench.structure.matching import find_matching
from workbench.widgets import RuleTable
from workbench.widgets.rule_sources import python_call
from workbench.widgets.wording import words_of
from workbench.workload.rule_effects import Progress, WorkloadEffects, rule_effects, workload_effects


@pytest.fixture(scope="module")
def reading(sample_dir: Path) -> Reading:
    document = open_document(sample_dir / "harbor-manual.md")
    return SparseReader(scorer=None, rules="technical").read(document, "How is the backup made?")


def set_(rule: str, field: str, value: Any) -> dict[str, Any]:
    return {"do": "set", "rule": rule, "field": field, "value": value}


def test_each_rule_is_a_row_that_json_can_hold(reading: Reading) -> None:
    rules = RuleTable(reading)
    assert json.loads(json.dumps(rules.rows)) == rules.rows
    assert tuple(row["name"] for row in rules.rows) == load_rules("technical").names
    inherited = [row for row in rules.rows if row["source"]]
    assert {row["source"] for row in inherited} == {"default"}
    assert len(inherited) == len(load_rules("default").rules)
    heading = next(row for row in rules.rows if row["name"] == "h2-heading")
    assert heading["touched"] == int(reading.structure.spoken_for("h2-heading").sum())
    assert rules.facts["document"] == "harbor-manual.md"
    assert all(row["touched"] is None for row in RuleTable("legal").rows)


def test_a_row_says_what_the_extended_table_says_otherwise() -> None:
    rows = {row["name"]: row for row in RuleTable("legal").rows}
    base = load_rules("default").rule("table-data-row")
    assert rows["table-data-row"]["differs"]["weight"] == base.weight
    assert rows["force-majeure"]["differs"] == {}
    assert not any(row["edited"] for row in rows.values())


def test_an_edit_gives_another_reading_and_tells_of_it_once(reading: Reading) -> None:
    rules, told = RuleTable(reading), []
    remove = rules.on_reading(told.append)
    sequence = rules.sequence
    rules.edit_rule("h2-heading", weight=0.5)
    assert rules.sequence == sequence + 1
    assert [found.structure.sha256 for found in told] == [rules.table.sha256]
    assert rules.reading is told[0]
    assert rules.facts["changed"] and rules.facts["undo"] and not rules.facts["redo"]
    assert [row["name"] for row in rules.rows if row["edited"]] == ["h2-heading"]
    assert rules.call == "rules.edit_rule('h2-heading', weight=0.5)"
    remove()
    rules.edit_rule("h2-heading", weight=0.5)
    rules.edit_rule("h2-heading", weight=0.7)
    assert len(told) == 1


def test_a_weight_is_changed_without_looking_for_any_pattern_again(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RuleTable(reading)
    looked = []
    monkeypatch.setattr("workbench.structure.matching._find", lambda *given: looked.append(given))
    rules.edit_rule("h2-heading", weight=0.5)
    rules.undo()
    assert looked == []


def test_edits_are_undone_and_done_again_until_another_one() -> None:
    rules = RuleTable("legal")
    before = rules.table
    rules.edit_rule("parties", weight=1.5, name="who")
    rules.duplicate_rule("who")
    rules.remove_rule("who")
    rules.move_rule("who-2", before=None)
    after = rules.table
    assert after.names[-1] == "who-2"
    for _ in range(9):
        rules.undo()
    assert rules.table == before
    assert not rules.facts["changed"] and not rules.facts["undo"]
    for _ in range(9):
        rules.redo()
    assert rules.table == after
    rules.undo()
    rules.add_rule(name="新", match={"keywords": ["违约"]}, weight=2, reason="要看。")
    rules.redo()
    assert rules.table.names[-1] == "新"


def test_what_is_wrong_is_raised_and_changes_nothing() -> None:
    rules = RuleTable("legal")
    sequence = rules.sequence
    with pytest.raises(InvalidRules) as caught:
        rules.edit_rule("parties", weight=9)
    assert str(caught.value) == ("Rule 'parties': weight 9 is outside 0.05 to 5; to keep a block always set pin: true.")
    with pytest.raises(InvalidOption, match=r"^The table for 'patent' is not shown here; show it first\.$"):
        rules.act("edit_rules", table="patent", edit=set_("parties", "weight", 2))
    assert (rules.sequence, rules.facts["undo"]) == (sequence, False)


def test_a_check_says_the_cell_and_the_remedy_and_how_many_blocks_would_match(reading: Reading) -> None:
    rules = RuleTable(reading)
    assert rules.answer_check(set_("h2-heading", "weight", "abc"))["problem"] == {
        "field": "weight",
        "item": None,
        "message": "Weight 'abc' is no number; give one from 0.05 to 5.",
    }
    answer = rules.answer_check(set_("h2-heading", "match", {"kinds": ["heading"], "unless": {"levels": [9]}}))
    assert answer["problem"] == {
        "field": "match.unless.levels",
        "item": 0,
        "message": "Level 9 is none of 1 to 6.",
    }
    answer = rules.answer_check(set_("h2-heading", "match", {"kinds": ["heading"]}))
    found = find_matching(reading.document, Match(kinds=("heading",))).found
    assert answer == {"problem": None, "touched": int(found.sum()), "slow": None}
    added = {"do": "add", "rule": {"name": "slow", "match": {"pattern": ["(a+)+$"]}, "reason": ""}}
    assert rules.answer_check(added)["problem"] is None
    unknown = rules.answer_check({"do": "remove", "rule": "h2-hedaing"})["problem"]["message"]
    assert unknown == "The table 'technical' has no rule 'h2-hedaing'; the nearest is 'h2-heading'."
    assert rules.table.rules == load_rules("technical").rules


def test_effects_here_are_asked_for_by_name(reading: Reading) -> None:
    rules = RuleTable(reading)
    names = ["h2-heading", "action-verb"]
    found = rule_effects(reading, rules.table, names)
    assert rules.answer_here(names) == {name: [found[name].kept, found[name].tokens] for name in names}
    assert RuleTable("legal").answer_here(names) == {}


def test_a_diff_is_shown_before_a_file_is_written(tmp_path: Path) -> None:
    rules = RuleTable("legal")
    path = tmp_path / "ours.yaml"
    rules.edit_rule("parties", weight=1.5)
    answer = rules.answer_diff(str(path))
    assert (answer["compared_with"], answer["complete"], answer["exists"]) == ("legal.yaml (shipped)", False, False)
    assert "+    weight: 1.5" in answer["diff"]
    assert not path.exists()
    rules.save(path)
    assert load_rules(path).rules == rules.table.rules
    assert not rules.facts["changed"]
    assert rules.facts["path"] == str(path)
    assert rules.diff() == ""
    assert RuleTable(path).table.rule("parties").weight == 1.5
    with pytest.raises(InvalidRules, match=r"let it end in \.yaml\.$"):
        rules.save(tmp_path / "ours.txt")


def effects_of(table: Table, progress: Progress, wait: threading.Event | None = None) -> WorkloadEffects:
    for done in range(3):
        progress(done, 2)
        if wait is not None:
            assert wait.wait(10)
    return WorkloadEffects(table.sha256, documents=2, requests=3)


def settled(rules: RuleTable) -> None:
    for thread in threading.enumerate():
        if thread.name == "rule effects":
            thread.join(10)
    assert rules.measuring["state"] != "running"


def test_effects_are_measured_when_somebody_asks_and_grow_stale_with_an_edit() -> None:
    rules = RuleTable("legal", effects=effects_of)
    assert rules.measuring == {"state": "ready"}
    assert rules.answer_measure()
    settled(rules)
    assert rules.measuring["state"] == "done"
    rules.edit_rule("parties", weight=1.5)
    assert (rules.measuring["state"], rules.measuring["again"]) == ("stale", True)
    rules.undo()
    assert rules.measuring["state"] == "done"
    assert RuleTable("legal").measuring == {"state": "absent"}
    assert not RuleTable("legal").answer_measure()


def test_a_measuring_can_be_ended_and_a_fault_of_it_is_seen() -> None:
    wait = threading.Event()
    rules = RuleTable("legal", effects=lambda table, progress: effects_of(table, progress, wait))
    assert rules.answer_measure()
    assert not rules.answer_measure()
    assert rules.answer_stop()
    wait.set()
    settled(rules)
    assert rules.measuring == {"state": "ready"}

    def refused(_table: Table, _progress: Progress) -> WorkloadEffects:
        raise InvalidRules("There is nothing to measure on.")

    rules.measure = refused
    rules.answer_measure()
    settled(rules)
    assert (rules.fault, rules.measuring) == ("There is nothing to measure on.", {"state": "ready"})


def test_a_bench_measures_itself() -> None:
    rules, done = RuleTable("legal"), []
    rules.begin, rules.cancel = lambda: done.append("begin"), lambda: done.append("cancel")
    assert rules.answer_measure() and rules.answer_stop()
    assert done == ["begin", "cancel"]
    rules.show_progress(1, 4)
    assert rules.measuring == {"state": "running", "done": 1, "total": 4}
    rules.show_effects(WorkloadEffects(rules.table.sha256, documents=4, requests=9, in_sample=True))
    assert rules.measuring["state"] == "done" and rules.measuring["in_sample"]


def test_real_effects_are_plain_values(tmp_path: Path) -> None:
    from tests.workload.made_depots import depots_in
    from workbench.workload.replay import collect_block_scores

    workload = depots_in(tmp_path / "depots", documents=3, paragraphs=40)
    reader = SparseReader(scorer=None, rules="default")
    scores = collect_block_scores(workload, reader, processes=1, progress=False)
    table = load_rules("default")
    rules = RuleTable("default", effects=workload_effects(scores, workload, reader, table))
    assert json.loads(json.dumps(rules.effects)) == rules.effects
    assert set(rules.effects) == {rule.name for rule in table.rules if rule.enabled}
    assert rules.measuring["documents"] == 3


def test_selection_is_by_name_and_ends_with_its_rule() -> None:
    rules = RuleTable("legal")
    rules.select("parties")
    rules.move_rule("parties", before=None)
    assert rules.selected == "parties"
    rules.remove_rule("parties")
    assert rules.selected == ""
    with pytest.raises(InvalidRules, match="has no rule 'parties'"):
        rules.select("parties")


def test_whoever_keeps_the_state_says_what_is_shown(reading: Reading) -> None:
    rules = RuleTable(reading)
    other = load_rules("technical").with_weight("h2-heading", 0.7)
    rules.show(reading.with_rules(other), table=other, key="technical", history={"undo": True, "redo": True})
    assert (rules.facts["key"], rules.facts["undo"], rules.facts["redo"]) == ("technical", True, True)
    assert rules.facts["changed"]
    rules.show(saved=other, path="own.yaml")
    assert (rules.facts["changed"], rules.facts["path"]) == (False, "own.yaml")
    rules.reading = reading
    assert rules.table.rules == load_rules("technical").rules


def test_what_is_no_source_is_refused() -> None:
    with pytest.raises(InvalidOption) as caught:
        RuleTable(3)  # type: ignore[arg-type]
    assert str(caught.value) == "A RuleTable shows a Reading, a table of rules, its name or its file, not int."


@pytest.mark.parametrize(
    ("edit", "call"),
    [
        (set_("甲方", "pin", True), "rules.edit_rule('甲方', pin=True)"),
        ({"do": "remove", "rule": "a"}, "rules.remove_rule('a')"),
        ({"do": "move", "rule": "a", "before": None}, "rules.move_rule('a', before=None)"),
        ({"do": "add", "rule": {"name": "a", "weight": 2}}, "rules.add_rule(name='a', weight=2)"),
    ],
)
def test_every_edit_is_a_call(edit: dict[str, Any], call: str) -> None:
    assert python_call(edit) == call


def test_a_call_does_what_an_edit_does() -> None:
    rules = RuleTable(Table("mine", (Rule("a", Match(levels=(1,)), reason="r"),)))
    run: Callable[[str], Any] = lambda code: eval(code, {"rules": rules})  # noqa: E731
    run(python_call({"do": "add", "rule": {"name": "b", "match": {"kinds": ["code"]}, "weight": 2, "reason": "r"}}))
    run(python_call(set_("b", "match", {"kinds": ["table"], "unless": {"levels": [1]}})))
    run(python_call({"do": "move", "rule": "b", "before": "a"}))
    assert rules.table.names == ("b", "a")
    assert rules.table.rule("b").match.unless == Match(levels=(1,))


def test_words_are_there_in_both_languages() -> None:
    english, chinese = (words_of(["rule_table"], language) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    assert RuleTable("legal", language="zh").words["rules.add"] == "添加规则"


def test_an_edit_while_a_bench_measures_leaves_its_progress() -> None:
    rules = RuleTable("legal")
    rules.begin = lambda: None
    rules.answer_measure()
    rules.show_progress(2, 4)
    rules.edit_rule("parties", weight=1.5)
    assert rules.measuring == {"state": "running", "done": 2, "total": 4}
    rules.show_effects(None)
    assert rules.measuring == {"state": "ready"}
