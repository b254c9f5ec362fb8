"""A reader that takes its time where a test wants it to."""

from __future__ import annotations

import threading
from typing import Any

from workbench.documents import Document
from workbench.documents.progress import showing
from workbench.errors import InvalidQuestion
from workbench.reading import SparseReader
from workbench.relevance.hybrid import HybridScorer
from workbench.relevance.scores import RelevanceScores, Scope

from .made import TABLE

WAIT = 30.0


class SlowScorer:
    """Words alone, and for questions with a word in them only once somebody lets it go on."""

    def __init__(self, slow: str) -> None:
        self.words, self.slow = HybridScorer(encoder=None), slow
        self.begun, self.go_on, self.fails = threading.Event(), threading.Event(), False
        self.fingerprint = "slow"

    def prepare(self, document: Document, *, progress: bool | None = None) -> None:
        self.words.prepare(document, progress=progress)

    def question_vector(self, question: str) -> Any:
        return self.words.question_vector(question)

    def score(
        self, document: Document, question: str, *, scope: Scope | None = None, progress: bool | None = None
    ) -> RelevanceScores:
        if self.slow in question:
            with showing(f"Reading {document.name}", progress) as report:
                report(1, 2)
                self.begun.set()
                assert self.go_on.wait(WAIT)
                report(2, 2)
            if self.fails:
                raise InvalidQuestion("The question is too long.")
        return self.words.score(document, question, scope=scope, progress=progress)


def reader_of(scorer: SlowScorer) -> SparseReader:
    """Return a reader that scores so."""
    return SparseReader(scorer=scorer, rules=TABLE, min_tokens=0)
