"""Regular expressions: checked before they run, and stopped when they take too long."""

from __future__ import annotations

import pytest

from workbench.structure.patterns import pattern_problem, search_texts


@pytest.mark.parametrize(
    "pattern",
    [
        r"\d{4}-\d{2}-\d{2}",
        r"^第[零一二三四五六七八九十\d]{1,6}[条章]",
        r"(?:[^()]{0,200}\([^()]{0,200}\)){0,20}",
        r"[\]{}()*]{1,1000}",
        r"\{100000\}",
        r"(?<=Section )\d+",
        r"(?-i:ABC)",
        r"\p{Han}{2,}",
    ],
)
def test_a_good_pattern_has_no_problem(pattern: str) -> None:
    assert pattern_problem(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("", "a pattern is empty; write an expression or take it out"),
        ("(days|", "the pattern '(days|' does not compile at position 6: missing )"),
        ("*a", "the pattern '*a' does not compile at position 0: nothing to repeat"),
        ("[a", "the pattern '[a' does not compile at position 2: unterminated character set"),
        ("第(", "the pattern '第(' does not compile at position 2: missing )"),
        (
            "a{1000000000}",
            "the pattern 'a{1000000000}' repeats too often; counts of repetitions multiply to 20,000 at most",
        ),
        (
            "(?:(?:ab|c){1000}){1000}",
            "the pattern '(?:(?:ab|c){1000}){1000}' repeats too often; counts of repetitions multiply to 20,000 at "
            "most",
        ),
        ("a(?R)?b", "the pattern 'a(?R)?b' calls itself with '(?R)'; write it without"),
        ("(?P<x>a)(?&x)", "the pattern '(?P<x>a)(?&x)' calls itself with '(?&'; write it without"),
    ],
)
def test_what_is_wrong_with_a_pattern_is_said(pattern: str, problem: str) -> None:
    assert pattern_problem(pattern) == problem


def test_upper_and_lower_case_are_one_unless_the_pattern_says_otherwise() -> None:
    texts = ["SHALL", "shall", "应当"]
    assert search_texts(["shall|应当"], texts, range(3)).found.tolist() == [True, True, True]
    assert search_texts(["(?-i:SHALL)"], texts, range(3)).found.tolist() == [True, False, False]


def test_patterns_are_alternatives_and_only_candidates_are_looked_at() -> None:
    result = search_texts(["a", "b"], ["a", "b", "a", "c"], [0, 1, 3])
    assert result.found.tolist() == [True, True, False, False]
    assert result.out_of_time is None


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(?:a?){500}a{500}$"])
def test_a_catastrophic_pattern_is_stopped_and_named(pattern: str) -> None:
    result = search_texts([pattern], ["fine", "a" * 5_000 + "!"], range(2))
    assert result.out_of_time == pattern
    assert not result.found.any()


def test_many_slow_texts_are_stopped_together() -> None:
    result = search_texts(["(a|aa)+$"], ["a" * 22 + "!"] * 1_000, range(1_000), seconds=0.1)
    assert result.out_of_time == "(a|aa)+$"
    assert not result.found.any()


def test_nothing_to_look_at_is_nothing_found() -> None:
    result = search_texts(["a"], [], [])
    assert result.found.tolist() == []
    assert result.out_of_time is None
