"""MMLongBench-Doc: PDFs of many kinds, with evidence given as pages, and questions that are not answerable."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..requests import Evidence
from .defects import Defects
from .drafting import WorkloadDraft
from .rows import ScopeName, found_in, has, json_rows, literal, texts_of

FILES = ("samples.json", "documents")
NOT_ANSWERABLE = "Not answerable"
PAGE_LIST = "pages written as a list in a text; read as one, from 1 on"
BAD_PAGES = "pages that are no list of pages; left out"
UNANSWERED = 'the answer "Not answerable"; imported as not answerable'
PAGES_UNANSWERED = "pages of a question that is not answerable; left out"
NO_PAGES = "an answer without pages; imported without evidence"
NO_WORDS = "an answer that is a number, or no text; any block of its page recalls it"
NO_PDF = "a question on a document that is not there; left out"
_SCOPES: dict[str, ScopeName] = {"List": "several"}


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its pages from 1 on; ``answers`` are the texts of the answer, none for a number."""

    where: str
    rank: int
    document: str
    text: str
    answer: str
    answers: tuple[str, ...]
    answerable: bool
    pages: tuple[int, ...]
    sources: tuple[str, ...]
    scope: ScopeName | None


def questions(folder: Path, defects: Defects, only: Collection[str] | None = None) -> Iterator[Question]:
    """Yield the questions of the set, or on some of its documents, in its order."""
    kinds = {"doc_id": str, "question": str, "answer": str, "answer_format": str, "evidence_pages": str}
    for rank, (where, row) in enumerate(json_rows(folder / FILES[0], defects)):
        if not has(row, kinds, where, defects) or (only is not None and row["doc_id"] not in only):
            continue
        name = f"{where} ({row['doc_id']})"
        answerable = row["answer"] != NOT_ANSWERABLE
        if not answerable:
            defects.add(UNANSWERED, name)
        answers = tuple(answers_of(row))
        pages = _pages(row["evidence_pages"], name, answerable, defects)
        if pages and not answers:
            defects.add(NO_WORDS, f"{name}: {row['answer']}")
        yield Question(
            where=where,
            rank=rank,
            document=row["doc_id"],
            text=row["question"],
            answer=row["answer"],
            answers=answers,
            answerable=answerable,
            pages=pages,
            sources=tuple(texts_of(literal(row.get("evidence_sources")))),
            scope=_SCOPES.get(row["answer_format"]),
        )


def _pages(given: str, name: str, answerable: bool, defects: Defects) -> tuple[int, ...]:
    found = literal(given)
    if not isinstance(found, list) or not all(type(page) is int and page >= 1 for page in found):
        defects.add(BAD_PAGES, f"{name}: {given}")
        return ()
    if found and not answerable:
        defects.add(PAGES_UNANSWERED, f"{name}: {given}")
        return ()
    if found:
        defects.add(PAGE_LIST, f"{name}: {given}")
    elif answerable:
        defects.add(NO_PAGES, name)
    return tuple(found)


def answers_of(row: dict[str, Any]) -> list[str]:
    """Return the texts that an answer consists of; none for a number."""
    if row["answer_format"] == "Str":
        return [row["answer"]]
    if row["answer_format"] != "List":
        return []
    found = literal(row["answer"])
    return [str(part) for part in found] if isinstance(found, list | tuple) else [row["answer"]]


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the questions on documents whose PDF is there."""
    folder = found_in(source, "MMLongBench-Doc", FILES)
    documents = draft.first(question.document for question in questions(folder, Defects()))
    asked = list(questions(folder, draft.defects, set(documents)))
    for document in draft.chosen(documents):
        pdf = folder / "documents" / document
        own = [question for question in asked if question.document == document]
        if Path(document).name != document or not pdf.is_file():
            draft.defects.add(NO_PDF, f"{own[0].where}: documents/{document}", count=len(own))
            continue
        artifact = draft.file(pdf)
        for question in own:
            draft.ask(
                question.where,
                identity=f"{pdf.stem}/{question.rank}",
                artifact=artifact,
                question=question.text,
                scope=question.scope,
                evidence=[Evidence(page=page) for page in dict.fromkeys(question.pages)],
                answer=("; ".join(question.answers) or question.answer).strip() or None
                if question.answerable
                else None,
                answerable=question.answerable,
                scenario="pdf_report_qa",
                label=", ".join(question.sources),
            )
