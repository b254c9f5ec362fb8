"""The rules that read a question: a table of words in English and Chinese, each with what it says and an example.

Every rule is asked; the order of the table is only the order of the reasons. Where rules speak for several scopes, the
widest wins (whole, aggregate, several), and of several actions the one that meddles most (execute, edit, copy). No rule
speaks for a point or for reading: those are what remains.

"Total" or "all" alone say nothing: "What was total revenue in 2018?" is one cell of a table. A superlative says
something only where it is chosen from a set ("which of the", "which region had the"): "the largest city" is a fact.

Patterns ignore case and have no unbounded gaps, so that the time is linear in the length of the question.
"""

from __future__ import annotations

from collections.abc import Iterator

from .rule import IntentRule
from .rules_actions import ACTIONS
from .rules_en import ENGLISH
from .rules_zh import CHINESE

__all__ = ["RULES", "IntentRule", "rules_that_speak"]

RULES: tuple[IntentRule, ...] = (*ENGLISH, *CHINESE, *ACTIONS)


def rules_that_speak(question: str) -> Iterator[tuple[IntentRule, str]]:
    """Yield the rules that speak on a question, in the order of the table, with the words that made them."""
    for rule in RULES:
        words = rule.spoken(question)
        if words:
            yield rule, words
