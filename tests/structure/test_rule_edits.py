"""An edit gives another table or names the cell that is wrong, in the words of the loader."""

# ruff: noqa: E501
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import InvalidRules
from workbench.structure import Match, Rule, RuleTable, load_rules
from workbench.structure.rule_edits import EditProblem, edited, free_name, inherited_rules, match_of, rule_of

TITLES = Rule("titles", Match(features=("h1",)), 2.0, reason="Where one is.")
ROWS = Rule("rows", Match(kinds=("table_row",)), 1.5, reason="Numbers.")
FORCE = Rule("不可抗力", Match(keywords=("不可抗力",)), 5.0, pin=True, reason="Kept.")
TABLE = RuleTable("mine", (TITLES, ROWS, FORCE))


def problem_of(edit: Mapping[str, Any], table: RuleTable = TABLE) -> EditProblem:
    with pytest.raises(EditProblem) as caught:
        edited(table, edit)
    return caught.value


def set_(field: str, value: Any, rule: str = "rows") -> dict[str, Any]:
    return {"do": "set", "rule": rule, "field": field, "value": value}


def test_every_field_can_be_set_and_the_table_before_stays() -> None:
    table = TABLE
    for field, value in (("weight", 2), ("pin", True), ("enabled", False), ("reason", "Why."), ("name", "数字行")):
        table = edited(table, set_(field, value))
    table = edited(table, set_("match", {"kinds": ["code"], "unless": {"levels": [1]}}, rule="数字行"))
    assert table.rule("数字行") == Rule(
        "数字行", Match(kinds=("code",), unless=Match(levels=(1,))), 2.0, pin=True, enabled=False, reason="Why."
    )
    assert table.names == ("titles", "数字行", "不可抗力")
    assert TABLE.rules == (TITLES, ROWS, FORCE)


def test_several_fields_are_set_in_one_step_whatever_their_order() -> None:
    fields = {"name": "数字行", "weight": 2, "match": {"kinds": ["code"]}, "pin": True}
    table = edited(TABLE, {"do": "set", "rule": "rows", "fields": fields})
    rule = table.rule("数字行")
    assert (rule.weight, rule.match, rule.pin) == (2.0, Match(kinds=("code",)), True)
    problem = problem_of({"do": "set", "rule": "rows", "fields": {"pin": True, "weight": 9}})
    assert (problem.rule, problem.field) == ("rows", "weight")


@pytest.mark.parametrize(
    ("edit", "field", "item", "message"),
    [
        (set_("weight", 9), "weight", None, "Rule 'rows': weight 9 is outside 0.05 to 5; to keep a block always set pin: true."),
        (set_("weight", "abc"), "weight", None, "Rule 'rows': weight 'abc' is no number; give one from 0.05 to 5."),
        (set_("pin", "yes"), "pin", None, "Rule 'rows': pin is 'yes'; write true or false."),
        (set_("name", "two words"), "name", None, "Rule 'rows': name may hold letters, digits, '-', '_' and '.' only, at most 80 of them."),
        (set_("name", "titles"), "name", None, "Rule 'titles': the table 'mine' has a rule of this name; use another one."),
        (set_("match", {}), "match", None, "Rule 'rows': match holds no condition, so that every block would match; give it features, kinds, keywords or another one."),
        (set_("match", {"kinds": ["code", "tabel"]}), "match.kinds", 1, "Rule 'rows': there is no kind of block 'tabel'; the nearest is 'table'."),
        (set_("match", {"kinds": ["code"], "unless": {"pattern": ["ok", "(a"]}}), "match.unless.pattern", 1, "Rule 'rows': the pattern '(a' does not compile at position 2: missing )."),
        (set_("match", {"kinds": ["code"], "unless": {}}), "match", None, "Rule 'rows': unless is empty; give it a condition or take it out."),
        (set_("match", {"kind": ["code"]}), "match", None, "Rule 'rows': there is no condition 'kind'; the nearest is 'kinds'."),
        (set_("match", {"languages": ["zh"]}), "match", None, "Rule 'rows': match has no condition on blocks, so that every block would match; give it features, kinds, keywords or another one."),
        ({"do": "add", "rule": {"name": "rows", "match": {"kinds": ["code"]}}}, "name", None, "Rule 'rows': the table 'mine' has a rule of this name; use another one."),
        ({"do": "add", "rule": {"match": {"kinds": ["code"]}}}, "name", None, "A rule needs a name, as in name: force-majeure."),
        ({"do": "add", "rule": {"name": "a", "wieght": 2}}, "", None, "Rule 'a': there is no key of a rule 'wieght'; the nearest is 'weight'."),
    ],
)  # fmt: skip
def test_an_edit_that_the_loader_would_refuse_names_rule_field_and_remedy(
    edit: dict[str, Any], field: str, item: int | None, message: str
) -> None:
    problem = problem_of(edit)
    assert str(problem) == message
    assert (problem.field, problem.item) == (field, item)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"do": "sort"}, "There is no edit 'sort' of a rule table; choose from set, add, duplicate, remove, move."),
        ({"do": "move", "rule": "rows"}, "The edit 'move' of a rule table has no 'before'; give it."),
        ({"do": ["set"]}, "There is no edit \"['set']\" of a rule table; choose from set, add, duplicate, remove, move."),
        ({"do": "set", "rule": "rows", "fields": {}}, "The fields of an edit are {}; give at least one field and its value."),
        (set_("author", "me"), "A cell of a rule table is one of name, weight, pin, enabled, reason, match, not 'author'."),
        (set_("weight", 2, rule="row"), "The table 'mine' has no rule 'row'; the nearest is 'rows'."),
        ({"do": "move", "rule": "rows", "before": "gone"}, "The table 'mine' has no rule 'gone'; there are titles, 不可抗力."),
    ],
)  # fmt: skip
def test_what_is_no_edit_is_refused(edit: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        edited(TABLE, edit)
    assert str(caught.value).startswith(message[:40])


def test_a_rule_is_added_at_the_end_or_before_another() -> None:
    rule = {"name": "new", "match": {"kinds": ["code"]}, "weight": 1.5, "reason": "Code."}
    assert edited(TABLE, {"do": "add", "rule": rule}).names[-1] == "new"
    assert edited(TABLE, {"do": "add", "rule": rule, "before": "rows"}).names == ("titles", "new", "rows", "不可抗力")
    assert rule_of(rule) == Rule("new", Match(kinds=("code",)), 1.5, reason="Code.")


def test_a_copy_stands_behind_its_rule_under_a_name_of_its_own() -> None:
    table = edited(TABLE, {"do": "duplicate", "rule": "titles"})
    table = edited(table, {"do": "duplicate", "rule": "titles-2"})
    assert table.names == ("titles", "titles-2", "titles-3", "rows", "不可抗力")
    assert table.rule("titles-3").match == TITLES.match
    assert free_name(TABLE, "不可抗力") == "不可抗力-2"


def test_rules_are_moved_and_removed_by_name() -> None:
    table = edited(TABLE, {"do": "move", "rule": "titles", "before": None})
    assert table.names == ("rows", "不可抗力", "titles")
    assert edited(table, {"do": "move", "rule": "titles", "before": "rows"}) == TABLE
    assert edited(TABLE, {"do": "move", "rule": "rows", "before": "rows"}) == TABLE
    assert edited(TABLE, {"do": "remove", "rule": "rows"}).names == ("titles", "不可抗力")


def test_rules_of_the_extended_table_are_changed_but_not_removed_renamed_or_moved() -> None:
    legal = load_rules("legal")
    assert "table-data-row" in inherited_rules(legal)
    assert "parties" not in inherited_rules(legal)
    assert edited(legal, set_("weight", 2, rule="table-data-row")).rule("table-data-row").weight == 2.0
    said = "it is in 'legal' because that table extends 'default'; "
    for edit, advice, field in (
        ({"do": "remove", "rule": "appendix"}, "switch it off instead", ""),
        (set_("name", "annex", rule="appendix"), "it keeps its name here; duplicate it and rename the copy", "name"),
        (
            {"do": "move", "rule": "appendix", "before": None},
            "the rules of 'default' stand first, in their own order",
            "",
        ),
    ):
        problem = problem_of(edit, legal)
        assert str(problem) == f"Rule 'appendix': {said}{advice}."
        assert problem.field == field
    assert problem_of({"do": "move", "rule": "parties", "before": "appendix"}, legal).problem == (
        "it cannot stand before 'appendix', because the rules of 'default' stand first; put it behind them"
    )
    copied = edited(legal, {"do": "duplicate", "rule": "appendix"}).names
    assert copied.index("appendix-2") == len(inherited_rules(legal))
    assert inherited_rules(RuleTable("mine", (TITLES,), extends="a table that is nowhere")) == {}


def test_every_shipped_rule_survives_the_way_through_plain_values() -> None:
    for rule in load_rules("legal").rules:
        assert match_of(rule.match.to_dict()) == rule.match
        assert rule_of(rule.to_dict()) == rule


values = st.one_of(
    st.none(), st.booleans(), st.floats(), st.text(max_size=5), st.lists(st.text(max_size=3), max_size=2)
)
edits = st.fixed_dictionaries(
    {"do": st.sampled_from(["set", "add", "duplicate", "remove", "move", "no"])},
    optional={
        "rule": st.one_of(st.sampled_from(TABLE.names), values, st.dictionaries(st.sampled_from(["name", "match", "x"]), values)),
        "field": st.sampled_from(["name", "weight", "pin", "enabled", "reason", "match", "date"]),
        "value": st.one_of(values, st.dictionaries(st.sampled_from(["kinds", "levels", "unless", "pattern", "y"]), values)),
        "before": st.one_of(st.none(), st.sampled_from(TABLE.names)),
    },
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(edits, max_size=4))
def test_any_edit_gives_a_table_that_stands_or_a_sentence(given_edits: list[dict[str, Any]]) -> None:
    table = TABLE
    for edit in given_edits:
        try:
            table = edited(table, edit)
        except InvalidRules as error:
            assert str(error).endswith(".")
    assert len(set(table.names)) == len(table.rules)
    assert all(isinstance(rule.match, Match) for rule in table.rules)
