"""Two gate profiles side by side."""

from __future__ import annotations

from tests.gate.made_profiles import profile
from workbench.structure import RuleBook


def test_equal_profiles_say_the_same() -> None:
    diff = profile().diff(profile())
    assert len(diff) == 0
    assert str(diff) == "made and made say the same."


def test_a_difference_is_told_in_words_and_as_a_row() -> None:
    diff = profile().diff(profile(gate__thresholds__force=0.25))
    assert diff.sentences == ("the force threshold, θf: 0.2 -> 0.25",)
    (row,) = diff.to_frame().to_dict("records")
    assert (row["field"], row["before"], row["after"], row["decides"]) == ("gate.thresholds.force", "0.2", "0.25", True)
    assert not diff.decides_alike


def test_what_decides_nothing_comes_last_and_is_marked() -> None:
    diff = profile().diff(profile(workbench="0.2.0", models__scorer="a" * 64))
    assert [found.decides for found in diff.differences] == [True, False]
    assert diff.sentences == ("the scorer: 5c0fe -> aaaaaaaaaaaa", "the version of the workbench: 0.1.0 -> 0.2.0")


def test_profiles_that_differ_in_figures_alone_decide_alike() -> None:
    diff = profile().diff(profile(figures=[]))
    assert diff.decides_alike
    assert diff.sentences == ("token reduction (out of sample): 0.61 -> none",)
    assert str(diff).endswith("Both decide alike.")


def test_rules_are_compared_by_name() -> None:
    book = RuleBook.shipped()
    legal = book.tables["legal"]
    name = legal.names[0]
    other = RuleBook({**book.tables, "legal": legal.with_weight(name, 4.0)})
    diff = profile().diff(profile(rules={"sha256": other.sha256, "tables": other.to_dict()}))
    assert diff.sentences == (f"the table for legal documents differs in {name} ({legal.rule(name).weight:g} -> 4)",)
