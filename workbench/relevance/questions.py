"""What may be asked."""

from __future__ import annotations

from ..errors import InvalidQuestion

MAX_QUESTION_CHARS = 10_000


def checked_question(question: str) -> str:
    """Return a question without white space around it.

    Raises
    ------
    InvalidQuestion
        If it is no text, empty, or longer than ``MAX_QUESTION_CHARS`` characters.
    """
    if not isinstance(question, str):
        raise InvalidQuestion(f"The question is of type {type(question).__name__}; ask it as text.")
    asked = question.strip()
    if not asked:
        raise InvalidQuestion("The question is empty; ask what you want to know of the document.")
    if len(asked) > MAX_QUESTION_CHARS:
        raise InvalidQuestion(
            f"The question has {len(asked):,} characters and may have {MAX_QUESTION_CHARS:,}; shorten it, or open the "
            "text as a document."
        )
    return asked
