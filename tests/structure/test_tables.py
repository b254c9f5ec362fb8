"""Rule tables as files: every mistake is one sentence with file, line, rule and remedy."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest

from tests.structure.drafts import document_of
from workbench.errors import FileMissing, InvalidRules
from workbench.structure import Match, Rule, RuleTable, load_rules, rules_for, save_rules, table_names

GOOD = """\
# A table of mine.
name: mine
description: What matters to me.
rules:
  - name: force-majeure     # never drop it
    match: {keywords: [force majeure, 不可抗力], kinds: heading}
    weight: 5.0
    pin: true
    reason: It suspends duties.
    author: me
    date: 2026-11-30
  - name: pinned-only
    match:
      section_pattern: '^第一章 > '
      unless: {features: [numeric_row]}
    pin: true
    reason: Kept.
    enabled: false
    seed_weight: 2
"""


def write(folder: Path, text: str | bytes, name: str = "mine.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


def problem(folder: Path, text: str | bytes) -> str:
    with pytest.raises(InvalidRules) as caught:
        load_rules(write(folder, text))
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def one_rule(lines: str) -> str:
    """A table of one rule, whose first line is line 3."""
    return "name: mine\nrules:\n" + "".join(f"  {line}\n" for line in lines.strip("\n").split("\n"))


def test_a_table_is_read(tmp_path: Path) -> None:
    table = load_rules(write(tmp_path, GOOD))
    assert table == RuleTable(
        "mine",
        (
            Rule(
                "force-majeure",
                Match(keywords=("force majeure", "不可抗力"), kinds=("heading",)),
                5.0,
                pin=True,
                reason="It suspends duties.",
                author="me",
                date=datetime.date(2026, 11, 30),
            ),
            Rule(
                "pinned-only",
                Match(section_pattern=("^第一章 > ",), unless=Match(features=("numeric_row",))),
                1.0,
                pin=True,
                reason="Kept.",
                enabled=False,
                seed_weight=2.0,
            ),
        ),
        "What matters to me.",
    )


@pytest.mark.parametrize("nothing", ["name: mine\nrules:\n", "rules: []\n", "rules: ~\nversion: 1\n"])
def test_a_table_may_have_no_rules(tmp_path: Path, nothing: str) -> None:
    assert load_rules(write(tmp_path, nothing)) == RuleTable("mine")


def test_a_byte_order_mark_and_line_ends_of_windows_do_not_matter(tmp_path: Path) -> None:
    plain = load_rules(write(tmp_path, GOOD))
    assert load_rules(write(tmp_path, b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())) == plain


MATCH = "match: {kinds: heading}"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            f"- name: force-majeure\n  {MATCH}\n  reason: r\n  weight: 0",
            "mine.yaml, line 6, rule 'force-majeure': weight 0 is outside 0.05 to 5; to silence the rule set "
            "enabled: false.",
        ),
        (
            f"- name: a\n  {MATCH}\n  weight: 2\n  reason: r\n  weigth: 3",
            "mine.yaml, line 7, rule 'a': there is no key of a rule 'weigth'; the nearest is 'weight'.",
        ),
        (
            "- name: a\n  match:\n    kinds: heading\n    keyword: [x]\n  weight: 2\n  reason: r",
            "mine.yaml, line 6, rule 'a': there is no condition 'keyword'; the nearest is 'keywords'.",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r\n  match:\n    features:\n      - heading\n      - hedaing",
            "mine.yaml, line 9, rule 'a': there is no feature 'hedaing'; the nearest is 'heading'.",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r\n  match: {pattern: '('}",
            "mine.yaml, line 6, rule 'a': the pattern '(' does not compile at position 1: missing ).",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r\n  match: {unless: {unless: {kinds: code}}, kinds: table}",
            "mine.yaml, line 6, rule 'a': unless holds another unless; write the conditions of one only.",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r\n  match: {keywords: []}",
            "mine.yaml, line 6, rule 'a': keywords is empty; give it a value or take it out.",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r\n  match: {keywords: [[x]]}",
            "mine.yaml, line 6, rule 'a': keywords holds a list in a list; write one list of values.",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r\n  match: {languages: [en]}",
            "mine.yaml, line 6, rule 'a': match has no condition on blocks, so that every block would match; give it "
            "features, kinds, keywords or another one.",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r\n  match: heading",
            "mine.yaml, line 6, rule 'a': match is 'heading'; write conditions, as in match: {kinds: [heading]}.",
        ),
        (
            f"- name: a\n  {MATCH}\n  weight: 2",
            "mine.yaml, line 3, rule 'a': the rule has no reason; write reason: and a value.",
        ),
        (
            f"- name: a\n  {MATCH}\n  reason: r",
            "mine.yaml, line 3, rule 'a': the rule has no weight; write weight: and a value.",
        ),
        (
            "- name: a\n  weight: 2\n  reason: r",
            "mine.yaml, line 3, rule 'a': the rule has no match; write match: and a value.",
        ),
        (
            f"- name: a\n  {MATCH}\n  reason:\n  weight: 2",
            "mine.yaml, line 5, rule 'a': reason is empty; give it a value or take it out.",
        ),
        (f"- {MATCH}", "mine.yaml, line 3: a rule needs a name, as in name: force-majeure."),
        ("- heading", "mine.yaml, line 3: 'heading' is no rule; begin each with '- name:'."),
        (
            f"- name: a\n  {MATCH}\n  weight: 2\n  reason: r\n  enabled: yes",
            "mine.yaml, line 7, rule 'a': enabled is 'yes'; write true or false.",
        ),
        (
            f"- name: a\n  {MATCH}\n  weight: 2\n  reason: r\n  date: 2026-13-45",
            "mine.yaml, line 7, rule 'a': date '2026-13-45' is no day; write it as 2026-11-30.",
        ),
        (
            f"- name: 2018\n  {MATCH}\n  weight: 2\n  reason: r",
            "mine.yaml, line 3: name 2018 is no text; put it in quotes.",
        ),
        (
            f"- name: a\n  {MATCH}\n  weight: .inf\n  reason: r",
            "mine.yaml, line 5, rule 'a': weight inf is no number; give one from 0.05 to 5.",
        ),
        (
            f"- {{name: a, {MATCH}, weight: 2, reason: r}}\n- {{name: a, {MATCH}, weight: 2, reason: r}}",
            "mine.yaml, line 4, rule 'a': the name stands already in line 3; rename one of the rules.",
        ),
    ],
)
def test_a_mistake_in_a_rule_names_file_line_rule_and_remedy(tmp_path: Path, rule: str, message: str) -> None:
    assert problem(tmp_path, one_rule(rule)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.yaml is empty; begin it with name: and rules:."),
        ("# nothing\n", "mine.yaml is empty; begin it with name: and rules:."),
        ("- a\n", "mine.yaml, line 1: a rule table begins with keys, as in name: and rules:."),
        ("name: mine\n", "mine.yaml, line 1: the table has no rules; write rules: and a list."),
        ("rules: 5\n", "mine.yaml, line 1: rules is no list; begin each rule with '- name:'."),
        ("rule: []\n", "mine.yaml, line 1: there is no key of a table 'rule'; the nearest is 'rules'."),
        (
            "name: legal\nrules: []\n",
            "mine.yaml, line 1: the table calls itself 'legal', but its file is mine.yaml; make them equal.",
        ),
        ("version: 2\nrules: []\n", "mine.yaml, line 1: version 2 is not known; this workbench reads 1."),
        ("description: 5\nrules: []\n", "mine.yaml, line 1: description 5 is no text; put it in quotes."),
        (
            "rules: []\nname: mine\nrules: []\n",
            "mine.yaml, line 3: the key 'rules' stands already in line 1; keep one of them.",
        ),
        ("rules:\n\t- a\n", "mine.yaml, line 2: a tab stands where YAML allows only spaces; replace it by spaces."),
        (
            "rules: [\n",
            "mine.yaml, line 2: this is no YAML (expected the node content, but found '<stream end>'); mend the line.",
        ),
        ("a: b: c\n", "mine.yaml, line 1: this is no YAML (mapping values are not allowed here); mend the line."),
        (
            "rules: []\n---\nrules: []\n",
            "mine.yaml, line 2: a second document begins with '---'; keep one table in a file.",
        ),
        (
            "rules: \x01\n",
            "mine.yaml is no YAML (unacceptable character #x0001: special characters are not allowed); take out what "
            "is no plain text.",
        ),
        ("? [a]\n: b\n", "mine.yaml, line 1: a key is a word, not a list; write name: value."),
        (
            "rules: !!python/object/apply:os.system ['touch gone']\n",
            "mine.yaml, line 1: the tag '!!python/object/apply:os.system' is not used in rule tables; take it out.",
        ),
        ("rules: !mine []\n", "mine.yaml, line 1: the tag '!mine' is not used in rule tables; take it out."),
        (
            "a: &x [1]\nrules: *x\n",
            "mine.yaml, line 1: anchors and aliases (&, *) are not used in rule tables; write the value out, and put "
            "a text that begins with & or * in quotes.",
        ),
        (
            "rules: *x\n",
            "mine.yaml, line 1: anchors and aliases (&, *) are not used in rule tables; write the value out, and put "
            "a text that begins with & or * in quotes.",
        ),
        (
            "rules: " + "[" * 5_000,
            "mine.yaml, line 1: lists and keys are nested more than 8 deep; no rule needs that.",
        ),
        (b"name: mine\nrules: []\n# caf\xe9\n", "mine.yaml, line 3: the file is not UTF-8; save it as UTF-8 text."),
        (
            "name: mine\nrules: []\n".encode("utf-16"),
            "mine.yaml, line 1: the file is not UTF-8; save it as UTF-8 text.",
        ),
        (
            b"#" * 10_000_000,
            "mine.yaml has 10,000,000 bytes; a rule table has at most 262,144: split it.",
        ),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_one_sentence(tmp_path: Path, text: str | bytes, message: str) -> None:
    assert problem(tmp_path, text) == message


def test_an_expanding_file_is_refused_before_it_is_built(tmp_path: Path) -> None:
    layers = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9) if n else 'x'}]" for n in range(20)]
    assert "line 1: anchors and aliases" in problem(tmp_path, "\n".join(layers))


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "run"
    problem(tmp_path, f"rules: !!python/object/apply:os.mkdir ['{mark}']\n")
    assert not mark.exists()


def test_a_missing_file_and_an_unknown_name_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"There is no rule table at .*gone\.yaml; check the path\."):
        load_rules(tmp_path / "gone.yaml")
    with pytest.raises(InvalidRules) as caught:
        load_rules("defualt")
    assert str(caught.value) == (
        "There is no rule table 'defualt'; the nearest is 'default'; a file needs its path with .yaml."
    )
    with pytest.raises(InvalidRules, match="There is no rule table 'document_types'"):
        load_rules("document_types")


BASE = """\
rules:
  - {name: titles, match: {kinds: heading}, weight: 3.0, reason: Titles., author: seed}
  - {name: rows, match: {kinds: table_row}, weight: 1.5, reason: Rows.}
"""


def test_a_table_has_the_rules_of_the_one_it_extends_and_may_override_them_in_part(tmp_path: Path) -> None:
    write(tmp_path, BASE, "base.yaml")
    own = "  - {name: rows, weight: 0.5}\n  - {name: mine, match: {kinds: code}, weight: 2, reason: Mine.}\n"
    table = load_rules(write(tmp_path, f"extends: base\nrules:\n{own}"))
    assert table.names == ("titles", "rows", "mine")
    assert table.extends == "base"
    assert table.rule("rows") == Rule("rows", Match(kinds=("table_row",)), 0.5, reason="Rows.")
    assert table.rule("titles").author == "seed"


def test_a_misspelt_override_is_told_which_rule_is_near(tmp_path: Path) -> None:
    write(tmp_path, BASE, "base.yaml")
    assert problem(tmp_path, "extends: base\nrules:\n  - {name: title, weight: 2}\n") == (
        "mine.yaml, line 3, rule 'title': the rule has no match (no rule of this name is extended; the nearest is "
        "'titles'); write match: and a value."
    )


def test_a_mistake_in_the_extended_table_is_named_with_its_file(tmp_path: Path) -> None:
    write(tmp_path, BASE.replace("3.0", "30"), "base.yaml")
    assert problem(tmp_path, "extends: base\nrules: []\n").startswith("base.yaml, line 2, rule 'titles': weight 30 is")


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        ("defualt", "there is no rule table 'defualt'; the nearest is 'default'"),
        ("../secret", "extends '../secret' is no name of a table; write extends: default"),
        ("5", "extends 5 is no name of a table; write extends: default"),
    ],
)
def test_what_cannot_be_extended_is_refused(tmp_path: Path, extends: str, message: str) -> None:
    assert problem(tmp_path, f"extends: {extends}\nrules: []\n") == f"mine.yaml, line 1: {message}."


def test_tables_cannot_extend_each_other_in_a_circle(tmp_path: Path) -> None:
    write(tmp_path, "extends: mine\nrules: []\n", "base.yaml")
    assert problem(tmp_path, "extends: base\nrules: []\n") == (
        "base.yaml, line 1: tables extend each other in a circle (mine extends base extends mine); take one extends "
        "out."
    )


def test_a_changed_file_is_read_again_and_so_is_the_one_it_extends(tmp_path: Path) -> None:
    base = write(tmp_path, BASE, "base.yaml")
    path = write(tmp_path, "extends: base\nrules: []\n")
    first = load_rules(path)
    assert load_rules(path) is first
    base.write_text(BASE.replace("3.0", "2.5"), encoding="utf-8")
    os.utime(base, ns=(1, 1))
    assert load_rules(path).rule("titles").weight == 2.5


def test_what_is_saved_is_loaded_as_it_was_and_needs_no_other_table(tmp_path: Path) -> None:
    write(tmp_path, BASE, "base.yaml")
    table = load_rules(write(tmp_path, f"extends: base\n{GOOD.split('name: mine')[1].lstrip()}"))
    kept = tmp_path / "kept.yaml"
    save_rules(table, kept)
    (tmp_path / "base.yaml").unlink()
    assert load_rules(kept).rules == table.rules
    assert load_rules(kept).sha256 == table.sha256
    assert load_rules(kept).extends is None
    with pytest.raises(InvalidRules) as caught:
        save_rules(table, kept)
    assert str(caught.value) == (
        "kept.yaml exists already; give another path, edit it with RuleFile, or say overwrite=True."
    )
    save_rules(RuleTable("other"), kept, overwrite=True)
    assert load_rules(kept) == RuleTable("kept")


def test_a_table_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidRules, match=r"new\.yaml cannot be written \(.*\); check the folder and its rights\."):
        save_rules(RuleTable("new"), tmp_path / "no folder" / "new.yaml")


@pytest.mark.parametrize("name", table_names())
def test_a_shipped_table_loads_and_survives_a_round_trip(name: str, tmp_path: Path) -> None:
    table = load_rules(name)
    assert len(table)
    save_rules(table, tmp_path / f"{name}.yaml")
    assert load_rules(tmp_path / f"{name}.yaml").rules == table.rules


@pytest.mark.parametrize(("document_type", "table"), [("legal", "legal"), ("patent", "patent"), ("general", "default")])
def test_a_document_gets_the_table_of_its_type(document_type: str, table: str) -> None:
    found = rules_for(document_of("Text.", document_type=document_type))
    assert found.name == table
    assert set(load_rules("default").names) <= set(found.names)
