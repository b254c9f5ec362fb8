"""Rules and tables as Python objects: checked on creation, edited by name, equal by what they decide."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from workbench.documents import document_types
from workbench.errors import InvalidRules, WorkbenchError
from workbench.structure import Match, Rule, RuleTable
from workbench.structure.checks import DOCUMENT_TYPES, LANGUAGES

TITLES = Match(kinds=("heading",))


def rule(name: str = "a", weight: float = 2.0, **fields: Any) -> Rule:
    return Rule(name, fields.pop("match", TITLES), weight, **fields)


def test_one_entry_may_stand_without_its_list() -> None:
    match = Match(kinds="heading", levels=2, keywords="不可抗力")  # type: ignore[arg-type]
    assert match == Match(kinds=("heading",), levels=(2,), keywords=("不可抗力",))


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"features": ["hedaing"]}, "There is no feature 'hedaing'; the nearest is 'heading'."),
        ({"kinds": ["title"]}, "There is no kind of block 'title'; the nearest is 'table'."),
        ({"levels": [0]}, "Level 0 is none of 1 to 6."),
        ({"levels": [True]}, "Level True is none of 1 to 6."),
        ({"document_types": ["law"]}, "There is no document type 'law'; the nearest is 'legal'."),
        ({"languages": ["fr"]}, "There is no language 'fr'; there are en, zh, other."),
        ({"pattern": ["("]}, "The pattern '(' does not compile at position 1: missing )."),
        ({"pattern": ["x" * 1_001]}, "A pattern of 1,001 characters is too long; at most 1,000 can be."),
        ({"section_pattern": [3]}, "The pattern 3 is no text; put it in single quotes."),
        ({"keywords": [2018]}, "The keyword 2018 is no text; put it in quotes."),
        ({"keywords": ["x" * 201]}, "A keyword of 201 characters is too long; at most 200 can be."),
        ({"section": ["*"]}, "The keyword '*' is empty; write a word or take it out."),
        ({"keywords": ["词"] * 2_001}, "Keywords has 2,001 entries; at most 2,000 can be."),
        ({"keywords": {"a": 1}}, "Keywords is no list; write keywords: [one, another]."),
        ({"kinds": None}, "Kinds is empty; give it a value or take it out."),
        ({"unless": Match()}, "Unless is empty; give it a condition or take it out."),
        (
            {"unless": Match(kinds=("code",), unless=TITLES)},
            "Unless holds another unless; write the conditions of one only.",
        ),
    ],
)
def test_a_condition_with_a_mistake_is_refused(conditions: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        Match(**conditions)
    assert str(caught.value) == message
    assert isinstance(caught.value, WorkbenchError)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"weight": 0},
            "Rule 'a': weight 0 is outside 0.05 to 5; to silence the rule set enabled: false.",
        ),
        ({"weight": 5.5}, "Rule 'a': weight 5.5 is outside 0.05 to 5; to keep a block always set pin: true."),
        ({"weight": float("nan")}, "Rule 'a': weight nan is no number; give one from 0.05 to 5."),
        ({"weight": True}, "Rule 'a': weight True is no number; give one from 0.05 to 5."),
        ({"weight": "2"}, "Rule 'a': weight '2' is no number; give one from 0.05 to 5."),
        (
            {"seed_weight": 9},
            "Rule 'a': seed_weight 9 is outside 0.05 to 5; to keep a block always set pin: true.",
        ),
        ({"pin": "yes"}, "Rule 'a': pin is 'yes'; write true or false."),
        ({"enabled": 1}, "Rule 'a': enabled is 1; write true or false."),
        ({"date": "2026"}, "Rule 'a': date '2026' is no day; write it as 2026-11-30."),
        ({"reason": 5}, "Rule 'a': reason 5 is no text; put it in quotes."),
        ({"name": ""}, "A rule needs a name, as in name: force-majeure."),
        ({"name": 5}, "Name 5 is no text; put it in quotes."),
        (
            {"name": "two words"},
            "Rule 'two words': name may hold letters, digits, '-', '_' and '.' only, at most 80 of them.",
        ),
        (
            {"match": Match()},
            "Rule 'a': match holds no condition, so that every block would match; give it features, kinds, keywords or "
            "another one.",
        ),
        (
            {"match": Match(languages=("zh",))},
            "Rule 'a': match has no condition on blocks, so that every block would match; give it features, kinds, "
            "keywords or another one.",
        ),
    ],
)
def test_a_rule_with_a_mistake_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        rule(**fields)
    assert str(caught.value) == message


def test_a_rule_may_have_a_chinese_name() -> None:
    assert rule("不可抗力").name == "不可抗力"


def test_editing_gives_a_new_table_and_selects_by_name() -> None:
    table = RuleTable("mine", (rule("a"), rule("b", 0.5), rule("c")))
    assert table.with_weight("b", 0.1).rule("b").weight == 0.1
    assert table.enabled("b", False).rule("b").enabled is False
    assert table.without("b").names == ("a", "c")
    assert table.with_rule(rule("d")).names == ("a", "b", "c", "d")
    assert table.with_rule(rule("a", 4.0)).names == ("a", "b", "c")
    assert table.rule("b").weight == 0.5


def test_an_unknown_rule_is_named_with_the_nearest() -> None:
    table = RuleTable("mine", (rule("force-majeure"), rule("claims")))
    for edit in (lambda: table.rule("force-majure"), lambda: table.with_weight("force-majure", 1.0)):
        with pytest.raises(InvalidRules) as caught:
            edit()
        assert str(caught.value) == "The table 'mine' has no rule 'force-majure'; the nearest is 'force-majeure'."


def test_two_rules_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidRules) as caught:
        RuleTable("mine", (rule("a"), rule("a")))
    assert str(caught.value) == "The table 'mine' has two rules named 'a'; rename one."


def test_too_many_rules_are_refused() -> None:
    with pytest.raises(InvalidRules) as caught:
        RuleTable("mine", tuple(rule(f"r{number}") for number in range(2_001)))
    assert str(caught.value) == "The table 'mine' has 2,001 rules; at most 2,000 can be."


def test_the_hash_is_of_what_a_table_decides() -> None:
    table = RuleTable("mine", (rule("a", reason="Why."), rule("b", enabled=False)))
    same = RuleTable("other", (rule("a", reason="Because.", author="me", date=datetime.date(2026, 1, 2)),), "Words.")
    assert table.sha256 == same.sha256
    assert table.sha256 != table.with_weight("a", 2.5).sha256
    assert table.sha256 != table.with_rule(rule("a", pin=True)).sha256
    assert table.sha256 != table.with_rule(rule("a", match=Match(kinds=("table",)))).sha256
    assert table.sha256 != table.enabled("b", True).sha256


def test_the_hash_of_conditions_does_not_depend_on_the_order_of_alternatives() -> None:
    assert Match(kinds=("table", "code")).sha256 == Match(kinds=("code", "table")).sha256
    assert Match(kinds=("table",)).sha256 != Match(kinds=("table",), unless=Match(levels=(1,))).sha256


def test_a_table_shows_its_size_not_its_rules() -> None:
    assert repr(RuleTable("mine", (rule("a"), rule("b", enabled=False)))) == "RuleTable('mine', 2 rules, 1 disabled)"


def test_the_types_and_languages_are_those_that_verdicts_have() -> None:
    assert {*document_types.load_rules().types, document_types.GENERAL} == set(DOCUMENT_TYPES)
    assert set(document_types.LANGUAGES) | {"other"} == set(LANGUAGES)
