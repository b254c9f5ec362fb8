"""Edits of a rule file leave everything else as it stands, and the file on disk alone until it is saved."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.errors import FileMissing, InvalidRules
from workbench.structure import Match, Rule, RuleFile, load_rules

TEXT = """\
# What matters to me.   Two  spaces stay.
name: "mine"
rules:

  # --- titles ---
  - name: titles          # the headings
    match: {kinds:   [heading],  levels: [1, 2]}
    weight: 3.00          # was 2
    reason: >
      Headings say
      where one is.

  # --- rows ---
  - name: rows
    weight: 1.5
    match:
      kinds: table_row    # only these
    reason: 'Rows: they hold numbers.'
    enabled: false

  - {name: 不可抗力, match: {keywords: ["force majeure", 不可抗力]}, weight: 5, pin: true, reason: Kept.}   # pinned
"""
PINNED = TEXT.splitlines()[-1].partition("}   #")[0].strip()


def file_of(folder: Path, text: str = TEXT, name: str = "mine.yaml") -> RuleFile:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return RuleFile(path)


def changed_lines(file: RuleFile) -> list[str]:
    return [
        line for line in file.diff().splitlines() if line[:1] in "+-" and not line.startswith(("+++ ", "--- mine.yaml"))
    ]


def test_a_weight_changes_in_its_place_and_nowhere_else(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.set_weight("titles", 2.5)
    assert file.text == TEXT.replace("weight: 3.00 ", "weight: 2.5 ")
    assert file.table.rule("titles").weight == 2.5
    assert changed_lines(file) == ["-    weight: 3.00          # was 2", "+    weight: 2.5          # was 2"]
    file.set_weight("不可抗力", 4.0)
    assert "weight: 4.0, pin: true, reason: Kept.}   # pinned" in file.text


def test_a_switch_is_turned_in_its_place_or_added_at_the_end_of_its_rule(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.set_enabled("rows", True)
    file.set_enabled("titles", False)
    file.set_enabled("不可抗力", False)
    assert changed_lines(file) == [
        "+    enabled: false",
        "-    enabled: false",
        "+    enabled: true",
        f"-  {PINNED}}}   # pinned",
        f"+  {PINNED}, enabled: false}}   # pinned",
    ]
    assert [rule.enabled for rule in file.table.rules] == [False, True, False]


def test_a_rule_is_added_behind_the_others(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    rule = Rule("新", Match(pattern=(r"^\d+: '.*", "第.条"), unless=Match(levels=(1,))), 0.5, reason="Why: because.")
    file.add(rule)
    assert file.table.rules[-1] == rule
    assert file.text.startswith(TEXT)
    assert file.text[len(TEXT) :] == (
        "\n  - name: 新\n    match: {pattern: ['^\\d+: ''.*', 第.条], unless: {levels: [1]}}\n    weight: 0.5\n"
        "    reason: 'Why: because.'\n"
    )
    with pytest.raises(InvalidRules) as caught:
        file.add(rule)
    assert str(caught.value) == "mine.yaml has a rule '新' already; change it, or use another name."


def test_a_removed_rule_takes_its_lines_along_and_the_comments_above_stay(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.remove("rows")
    assert file.table.names == ("titles", "不可抗力")
    assert "# --- rows ---" in file.text
    assert "only these" not in file.text
    file.remove("不可抗力")
    file.remove("titles")
    assert file.table.rules == ()
    assert "rules: []" in file.text
    assert "# --- titles ---" in file.text
    file.add(Rule("titles", Match(kinds=("heading",)), 2.0, reason="Back."))
    assert len(file.table) == 1


@pytest.mark.parametrize(
    "text",
    [
        "name: mine\nrules:\n",
        "name: mine\nrules: []\n",
        "name: mine\nrules: []   # none yet\n",
        "name: mine\nrules:",
        "rules: ~\nname: mine\n",
        "name: mine\nrules: [{name: b, match: {kinds: code}, weight: 2, reason: r}]\n",
        "name: mine\nrules:\n- name: b\n  match: {kinds: code}\n  weight: 2\n  reason: r",
        "name: mine\nrules:\n-\n    name: b\n    match: {kinds: code}\n    weight: 2\n    reason: r\n# end\n",
        "rules:\n  - name: b\n    match: {kinds: code}\n    weight: 2\n    reason: |\n      Two\n\n      lines.\n#",
        "name: mine\r\nrules:\r\n  - name: b\r\n    match: {kinds: code}\r\n    weight: 2\r\n    reason: r\r\n",
    ],
)
def test_every_way_to_write_a_list_can_be_edited(tmp_path: Path, text: str) -> None:
    file = file_of(tmp_path, text)
    before = file.table
    rule = Rule("a", Match(kinds=("heading",)), 2.0, reason="Why.")
    file.add(rule)
    assert file.table == before.with_rule(rule)
    file.set_weight("a", 3.0)
    file.set_enabled("a", False)
    if "b" in before.names:
        file.set_enabled("b", False)
        file.remove("b")
    file.remove("a")
    assert file.table.rules == ()
    assert "\n" not in file.text.replace("\r\n", "") or "\r" not in file.text
    file.save()
    assert load_rules(file.path).rules == ()


def test_an_edit_that_the_loader_would_refuse_leaves_the_text_as_it_was(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    with pytest.raises(InvalidRules, match=r"^Rule 'rows': weight 7 is outside 0\.05 to 5; "):
        file.set_weight("rows", 7)
    with pytest.raises(InvalidRules, match=r"^The table 'mine' has no rule 'row'; the nearest is 'rows'\.$"):
        file.set_weight("row", 1)
    with pytest.raises(InvalidRules, match=r"^The table 'mine' has no rule 'row'; the nearest is 'rows'\.$"):
        file.remove("row")
    assert file.text == TEXT
    assert not file.changed
    assert file.diff() == ""


def test_nothing_is_written_before_save_and_then_the_whole(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.path.chmod(0o640)
    file.set_weight("rows", 2.0)
    assert file.path.read_text(encoding="utf-8") == TEXT
    file.save()
    assert file.path.read_text(encoding="utf-8") == file.text != TEXT
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o640
    assert not file.changed
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yaml"]
    file.set_weight("rows", 2.5)
    file.save()
    assert load_rules(file.path).rule("rows").weight == 2.5


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = file_of(tmp_path)
    file.set_weight("rows", 2.0)
    file.path.write_text(TEXT + "# hers\n", encoding="utf-8")
    with pytest.raises(InvalidRules) as caught:
        file.save()
    assert str(caught.value) == (
        "mine.yaml was changed on disk since it was loaded; load it again and repeat the edits."
    )
    assert file.path.read_text(encoding="utf-8").endswith("# hers\n")
    file.path.unlink()
    with pytest.raises(InvalidRules, match="was changed on disk"):
        file.save()
    assert not file.path.exists()


def test_what_a_link_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = file_of(tmp_path / "real").path
    link = tmp_path / "mine.yaml"
    link.symlink_to(target)
    file = RuleFile(link)
    file.set_weight("rows", 2.0)
    file.save()
    assert link.is_symlink()
    assert load_rules(target).rule("rows").weight == 2.0


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    file = RuleFile(path)
    file.set_weight("rows", 2.0)
    file.save()
    assert path.read_bytes().startswith(b"\xef\xbb\xbf# What")
    assert load_rules(path).rule("rows").weight == 2.0


def test_a_rule_of_the_extended_table_is_overridden_by_what_differs(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(TEXT.replace('name: "mine"', "name: base"), encoding="utf-8")
    file = file_of(tmp_path, "extends: base\nrules: []  # mine\n")
    file.set_weight("titles", 2.0)
    file.set_enabled("rows", True)
    file.set_weight("titles", 1.25)
    assert file.text == (
        "extends: base\nrules: # mine\n  - name: titles\n    weight: 1.25\n  - name: rows\n    enabled: true\n"
    )
    assert file.table.names == ("titles", "rows", "不可抗力")
    with pytest.raises(InvalidRules) as caught:
        file.remove("不可抗力")
    assert str(caught.value) == "mine.yaml has '不可抗力' only because it extends 'base'; disable it instead."
    file.remove("titles")
    assert file.table.rule("titles").weight == 3.0


def test_a_missing_file_is_said() -> None:
    with pytest.raises(FileMissing, match=r"There is no rule table at gone\.yaml"):
        RuleFile("gone.yaml")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["weight", "enabled", "remove", "add"]),
            st.sampled_from(["titles", "rows", "不可抗力", "new"]),
            st.floats(0.05, 5),
        ),
        max_size=6,
    )
)
def test_any_edits_give_the_table_that_was_meant_and_keep_every_comment(
    tmp_path: Path, edits: list[tuple[str, str, float]]
) -> None:
    file = file_of(tmp_path)
    expected = file.table
    for what, name, weight in edits:
        if what == "add" and name not in expected.names:
            rule = Rule(name, Match(section=("附录",)), weight, reason="Added.")
            file.add(rule)
            expected = expected.with_rule(rule)
        elif name in expected.names and what == "weight":
            file.set_weight(name, weight)
            expected = expected.with_weight(name, weight)
        elif name in expected.names and what == "enabled":
            file.set_enabled(name, weight > 2)
            expected = expected.enabled(name, weight > 2)
        elif name in expected.names and what == "remove":
            file.remove(name)
            expected = expected.without(name)
    assert file.table.rules == expected.rules
    for comment in ("# What matters to me.   Two  spaces stay.", "# --- titles ---", "# --- rows ---"):
        assert comment in file.text
    file.save()
    assert load_rules(file.path).rules == expected.rules
