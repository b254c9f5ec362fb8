"""A block that holds the answer may be evidence; one that merely holds its letters, or a word of everywhere, is not."""

from __future__ import annotations

import pytest

from workbench.training.mining.answers import holding_answer


@pytest.mark.parametrize(
    ("answer", "held", "not_held"),
    [
        ("12,900", "It costs 12,900.", "It costs 112,900 or 12,900,000."),
        ("640.55", "Up to 640.55 a day", "Up to 640.551"),
        ("Denby Vale", "in DENBY  vale, where", "in Denby Vales"),
        ("two hours.", "within two hours", "within two hourspans"),
        ("百分之五", "违约金为百分之五。", "违约金为百分之四"),
        ("A24-0073", "notify A24-0073 P1", "notify A24-00731"),
    ],
)
def test_an_answer_is_held_as_whole_words(answer: str, held: str, not_held: str) -> None:
    assert holding_answer([held, not_held], [answer]) == {0}


@pytest.mark.parametrize("answer", ["yes", "no", "5", "2019", "不能", "", "…"])
def test_answers_of_a_few_letters_say_nothing(answer: str) -> None:
    assert holding_answer([f"{answer} {answer}", answer], [answer]) == frozenset()


def test_an_answer_that_stands_everywhere_says_nothing() -> None:
    texts = [f"{rank} per cent of 30 days" for rank in range(4)]
    assert holding_answer(texts, ["30 days"]) == frozenset()
    assert holding_answer(texts[:3], ["30 days"]) == {0, 1, 2}


def test_an_answer_that_the_question_names_says_nothing() -> None:
    texts = ["Before the flood.", "It was raised before."]
    assert holding_answer(texts, ["before"], "Was it raised before or after?") == frozenset()
    assert holding_answer(texts, ["before"], "When was it raised?") == {0, 1}
