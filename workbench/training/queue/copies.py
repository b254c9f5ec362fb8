"""What was labelled or queued already for a question, so that nobody is asked twice for the same words."""

from __future__ import annotations

import re
from collections import defaultdict

from ...reading.near_copies import near_copies, plain_letters

_NUMBER = re.compile(r"\d+")


class KnownTexts:
    """Texts of each question; near-copies hold the same numbers, so only those are compared.

    Examples
    --------
    >>> known = KnownTexts()
    >>> known.add("When is it due?", "Due in 30 days.")
    >>> known.holds("When is it due?", "due in 30 days"), known.holds("When is it due?", "Due in 60 days.")
    (True, False)
    """

    def __init__(self) -> None:
        self._texts: defaultdict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)

    def add(self, question: str, text: str) -> None:
        """Remember a text of a question."""
        self._texts[self._key(question, text)].append(text)

    def holds(self, question: str, text: str) -> bool:
        """Whether a text of the question says the same, up to spelling."""
        others = self._texts.get(self._key(question, text), [])
        return len(near_copies([text, *others], 0)) > 1

    @staticmethod
    def _key(question: str, text: str) -> tuple[str, tuple[str, ...]]:
        return question.strip(), tuple(sorted(_NUMBER.findall(plain_letters(text))))
