"""A file takes an edited table with as little of its text changed as that needs; what saving would write is shown first."""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.structure.test_rule_files import TEXT, changed_lines, file_of
from workbench.errors import InvalidRules
from workbench.structure import Match, Rule, RuleFile, RuleTable, load_rules
from workbench.structure.rule_edits import edited
from workbench.structure.rule_lines import moves_between
from workbench.structure.rule_saving import prepared_save


def changed(table: RuleTable, *edits: dict[str, Any]) -> RuleTable:
    for edit in edits:
        table = edited(table, edit)
    return table


def set_(rule: str, field: str, value: Any) -> dict[str, Any]:
    return {"do": "set", "rule": rule, "field": field, "value": value}


def test_values_change_in_their_place(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.take(
        changed(
            file.table,
            set_("titles", "weight", 2.5),
            set_("titles", "pin", True),
            set_("rows", "reason", "Rows, and no more."),
            set_("不可抗力", "match", {"keywords": ["force majeure", "不可抗力", "act of god"]}),
        )
    )
    assert changed_lines(file) == [
        "-    weight: 3.00          # was 2",
        "+    weight: 2.5          # was 2",
        "+    pin: true",
        "-    reason: 'Rows: they hold numbers.'",
        "+    reason: Rows, and no more.",
        '-  - {name: 不可抗力, match: {keywords: ["force majeure", 不可抗力]}, weight: 5, pin: true, reason: Kept.}   # pinned',
        '+  - {name: 不可抗力, match: {keywords: ["force majeure", 不可抗力, act of god]}, weight: 5, pin: true, reason: Kept.}   # pinned',
    ]


def test_conditions_change_one_by_one_and_keep_quotes_and_comments(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.take(changed(file.table, set_("titles", "match", {"kinds": ["heading"], "levels": [2], "section": ["附录"]})))
    assert "match: {kinds:   [heading],  levels: [2], section: [附录]}" in file.text
    file.take(
        changed(file.table, set_("rows", "match", {"kinds": ["table_row"], "unless": {"features": ["total_row"]}}))
    )
    assert "      kinds: table_row    # only these\n      unless: {features: [total_row]}\n" in file.text
    file.take(changed(file.table, set_("rows", "match", {"keywords": ["a"]})))
    assert "    match: {keywords: [a]}\n" in file.text


def test_a_renamed_rule_keeps_its_comments(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.take(changed(file.table, set_("titles", "name", "headings"), set_("headings", "weight", 1.0)))
    assert "  - name: headings          # the headings" in file.text
    assert "weight: 1.0          # was 2" in file.text
    assert file.table.names == ("headings", "rows", "不可抗力")


def test_rules_are_moved_with_their_lines(tmp_path: Path) -> None:
    text = TEXT.replace("  # --- rows ---\n", "  # about rows\n").replace("\n\n  # about", "\n\n\n  # about")
    file = file_of(tmp_path, text)
    file.take(changed(file.table, {"do": "move", "rule": "rows", "before": "titles"}))
    assert file.table.names == ("rows", "titles", "不可抗力")
    assert file.text.index("# about rows") < file.text.index("- name: rows") < file.text.index("- name: titles")
    assert sorted(file.text.split()) == sorted(text.split())
    file.take(changed(file.table, {"do": "move", "rule": "rows", "before": None}))
    assert file.table.names == ("titles", "不可抗力", "rows")
    file.save()
    assert load_rules(file.path).names == ("titles", "不可抗力", "rows")


def test_a_rule_that_a_file_has_by_extending_is_switched_off_where_the_table_lacks_it(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(TEXT.replace('name: "mine"', "name: base"), encoding="utf-8")
    file = file_of(tmp_path, "extends: base\nrules: []\n")
    table = file.table.without("rows")
    file.take(table)
    assert file.text == "extends: base\nrules: []\n"
    file.take(table.without("titles"))
    assert file.text.endswith("  - name: titles\n    enabled: false\n")
    assert file.table.sha256 == table.without("titles").sha256


def test_an_order_that_a_file_cannot_say_is_refused_and_the_text_stays(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(TEXT.replace('name: "mine"', "name: base"), encoding="utf-8")
    file = file_of(tmp_path, "extends: base\nrules: []\n")
    table = replace(file.table, rules=file.table.rules[::-1])
    with pytest.raises(InvalidRules) as caught:
        file.take(table.with_weight("rows", 3.0))
    assert str(caught.value) == (
        "mine.yaml extends 'base', whose rules stand first, in their own order; bring them back in this order, or save "
        "the whole table under another name."
    )
    assert file.text == "extends: base\nrules: []\n"


def test_the_fewest_rules_are_moved() -> None:
    assert moves_between("abcd", "abcd") == []
    assert moves_between("abcd", "dabc") == [("d", None)]
    assert moves_between("abcde", "bcdea") == [("a", "e")]
    assert moves_between("", "") == []


def test_a_shipped_table_is_saved_beside_with_its_comments_and_what_it_extends(tmp_path: Path) -> None:
    table = changed(
        load_rules("legal"),
        set_("parties", "weight", 1.5),
        set_("appendix", "weight", 0.5),
        set_("header-footer", "enabled", False),
        {"do": "move", "rule": "recitals", "before": "exception"},
        {
            "do": "add",
            "rule": {"name": "新规则", "match": {"keywords": ["违约"]}, "weight": 1.5, "reason": "违约要看。"},
        },
    )
    save = prepared_save(table, tmp_path / "mine.yaml")
    assert (save.compared_with, save.complete) == ("legal.yaml (shipped)", False)
    assert "-    weight: 2.0\n+    weight: 1.5\n" in save.diff()
    assert not save.path.exists()
    save.write()
    assert "# --- What contracts are read for ---" in save.text
    assert load_rules(save.path).rules == table.rules
    assert load_rules(save.path).name == "mine"
    again = prepared_save(table.with_weight("parties", 1.0), save.path)
    assert again.diff().count("\n-") == again.diff().count("\n+    ") == 1
    assert prepared_save(table, save.path).diff() == ""


def test_an_order_that_the_text_cannot_say_is_saved_whole(tmp_path: Path) -> None:
    legal = load_rules("legal")
    table = replace(legal, rules=legal.rules[::-1])
    save = prepared_save(table, tmp_path / "turned.yaml")
    assert save.complete
    save.write()
    assert load_rules(save.path).rules == table.rules


def test_a_table_of_no_file_is_saved_whole(tmp_path: Path) -> None:
    table = RuleTable("mine", (Rule("titles", Match(features=("h1",)), 2.0, reason="Why."),), "What matters.")
    save = prepared_save(table, tmp_path / "mine.yaml")
    assert (save.before, save.compared_with) == ("", "")
    assert "+  - name: titles\n" in save.diff()
    save.write()
    assert load_rules(save.path) == table


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mine.txt", "is no name of a rule table; let it end in .yaml."),
        ("gone/mine.yaml", "make it, or save to another one."),
    ],
)
def test_a_path_that_nothing_can_be_saved_to_is_said(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(InvalidRules) as caught:
        prepared_save(load_rules("legal"), tmp_path / name)
    assert str(caught.value).endswith(message)


def test_a_file_that_changed_since_it_was_compared_is_not_overwritten(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    save = prepared_save(file.table.with_weight("rows", 3.0), file.path)
    file.path.write_text(TEXT + "# hers\n", encoding="utf-8")
    with pytest.raises(InvalidRules) as caught:
        save.write()
    assert str(caught.value) == "mine.yaml was changed on disk since it was compared; look at the diff again."
    other = tmp_path / "other.yaml"
    other.write_text("no table", encoding="utf-8")
    with pytest.raises(InvalidRules, match="a rule table begins with keys"):
        prepared_save(file.table, other)


names = st.sampled_from(["titles", "rows", "不可抗力", "titles-2", "new"])
edits = st.one_of(
    st.builds(lambda rule, value: set_(rule, "weight", value), names, st.floats(0.05, 5)),
    st.builds(lambda rule, value: set_(rule, "enabled", value), names, st.booleans()),
    st.builds(lambda rule, value: set_(rule, "pin", value), names, st.booleans()),
    st.builds(lambda rule, value: set_(rule, "reason", value), names, st.sampled_from(["", "Why: so.", "很长的理由。" * 30, "a\nb", "'", "# no"])),
    st.builds(lambda rule, value: set_(rule, "name", value), names, st.sampled_from(["new", "改名"])),
    st.builds(
        lambda rule, value: set_(rule, "match", value),
        names,
        st.sampled_from(
            [
                {"kinds": ["heading", "code"], "levels": [1]},
                {"keywords": ["不可抗力", "a, b", "'", "x*", "[", "{", ": "]},
                {"pattern": [r"^\d+: '.*", "#"], "unless": {"levels": [1, 2]}},
            ]
        ),
    ),
    st.builds(lambda rule: {"do": "remove", "rule": rule}, names),
    st.builds(lambda rule: {"do": "duplicate", "rule": rule}, names),
    st.builds(lambda rule, before: {"do": "move", "rule": rule, "before": before}, names, st.one_of(st.none(), names)),
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(edits, max_size=6))
def test_any_edited_table_is_taken_and_read_again(tmp_path: Path, given_edits: list[dict[str, Any]]) -> None:
    file = file_of(tmp_path)
    table = file.table
    for edit in given_edits:
        try:
            table = edited(table, edit)
        except InvalidRules:
            continue
    file.take(table)
    assert file.table.rules == table.rules
    assert "# What matters to me.   Two  spaces stay." in file.text
    file.save()
    assert RuleFile(file.path).table.rules == table.rules
