"""One line of the table of rules that read a question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ...relevance.scores import Scope
from .actions import Action


@dataclass(frozen=True, slots=True)
class IntentRule:
    """One line of the table.

    Attributes
    ----------
    name : str
    language : {"en", "zh"}
        Of the words; a question is read with the rules of both.
    says : Scope or Action
    words : tuple of str
        Regular expressions; the rule speaks where one of them is found.
    example : str
        A question in which the rule speaks.
    because : str
        What the words mean, as the end of a sentence.
    unless : tuple of str
        Regular expressions; the rule is silent where one of them is found anywhere in the question.
    """

    name: str
    language: str
    says: Scope | Action
    words: tuple[str, ...]
    example: str
    because: str
    unless: tuple[str, ...] = ()

    def spoken(self, question: str) -> str:
        """Return the words of a question in which the rule speaks; "" where it does not."""
        found = _compiled(self.words).search(question)
        if found is None or (self.unless and _compiled(self.unless).search(question)):
            return ""
        return found.group().strip(" ,.;:?!，。；：？！")


@lru_cache(maxsize=512)
def _compiled(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)
