"""What may be asked is said once."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.errors import InvalidQuestion
from workbench.gate.intent import intent_of
from workbench.relevance.questions import MAX_QUESTION_CHARS, checked_question


def test_a_question_loses_the_white_space_around_it() -> None:
    assert checked_question("\t 保修期是多久？\n") == "保修期是多久？"
    assert checked_question(" " * 9 + "a" * MAX_QUESTION_CHARS) == "a" * MAX_QUESTION_CHARS


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (7, "The question is of type int; ask it as text."),
        (None, "The question is of type NoneType; ask it as text."),
        ("", "The question is empty; ask what you want to know of the document."),
        ("\u3000\n", "The question is empty; ask what you want to know of the document."),
        (
            "问" * 10_001,
            "The question has 10,001 characters and may have 10,000; shorten it, or open the text as a document.",
        ),
    ],
    ids=["number", "nothing", "empty", "white space", "long"],
)
def test_what_is_no_question_is_refused_by_the_gate_in_the_same_words(question: Any, message: str) -> None:
    for refuse in (checked_question, intent_of):
        with pytest.raises(InvalidQuestion) as caught:
            refuse(question)
        assert str(caught.value) == message
