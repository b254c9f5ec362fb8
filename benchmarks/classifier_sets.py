"""The evaluation sets as questions that can be trained on, and which half of them is for what."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.evidence_sets import Case, Half, load
from workbench.training.evaluating import Things
from workbench.training.question import Question, Questions

IN_DOMAIN = ("cuad", "policyqa", "covidqa", "tatqa", "financebench")
"""Trained on one half of the documents, and judged on the other."""
BESIDE = ("xquad_pooled", "mtrag")
"""Trained on as well, because they are there; judged, but aimed at nowhere."""
OUT_OF_DOMAIN = ("loogle_short", "loogle_long", "mmlongbench")
"""Never trained on, and judged on all documents."""
TRAINED_ON = (*IN_DOMAIN, *BESIDE)
QUICK = ("tatqa", "covidqa", "loogle_short")

QUESTIONS_ONLY = frozenset({"financebench"})
"""Sets in which a question is recalled by any block of its evidence, as published; elsewhere each piece counts."""


def questions_of_sets(
    names: Iterable[str], half: Half, *, data: Path | None = None, limit: int | None = None, most: int | None = None
) -> Questions:
    """Return the questions with evidence of some sets.

    Parameters
    ----------
    names : iterable of str
    half : {"choose", "report", "all"}
    data : path, optional
    limit, most : int, optional
        Most documents, and most questions, of each set; these from all of its documents alike.
    """
    found = []
    for name in names:
        cases = [case for case in load(name, data=data, half=half, limit=limit) if case.gold]
        step = 1 if most is None else max(1, -(-len(cases) // most))
        found.append(Questions(tuple(question_of(case) for case in cases[::step])))
    return Questions.joined(found)


def question_of(case: Case) -> Question:
    """Return a case as a question, without what the set says of its scope: a reader is not told either."""
    return Question(
        id=case.case_id,
        document=case.document,
        document_key=f"{case.set_name}/{case.document_key}",
        question=case.question,
        scope=None,
        set_name=case.set_name,
        document_type=case.document.document_type.value,
        language=case.language,
        pieces=tuple((first, *others) for first, others in zip(case.gold, case.also, strict=True)),
        positives=case.gold_blocks,
    )


def things_of_set(name: str) -> Things:
    """Return what counts as recalled in a set."""
    return Things.QUESTIONS if name in QUESTIONS_ONLY else Things.PIECES
