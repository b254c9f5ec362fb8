"""FinanceBench: company filings as PDF, with evidence texts that are often half a page.

Its pages count from 0, and its texts have lost every character outside ASCII.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..requests import Evidence
from .defects import Defects
from .drafting import WorkloadDraft
from .rows import BAD_FIELD, ScopeName, found_in, has, json_lines

FILES = ("questions.jsonl", "pdfs")
FROM_ZERO = "a page that is counted from 0; one was added"
ASCII_ONLY = "an evidence text that has lost what is outside ASCII; looked for in the ASCII of its page"
NO_PDF = "a question on a filing that is not there; left out"
OTHER_FILING = "evidence from another filing than the question's; left out"
_EXTRACTION = "Information extraction"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its evidence texts, each with its page from 1 on."""

    where: str
    id: str
    filing: str
    text: str
    answer: str
    quotes: tuple[tuple[str, int], ...]
    kind: str
    scope: ScopeName | None


def questions(folder: Path, defects: Defects, only: Collection[str] | None = None) -> Iterator[Question]:
    """Yield the questions of the set, or on some of its filings, in its order."""
    kinds = {"financebench_id": str, "doc_name": str, "question": str, "evidence": list}
    for where, row in json_lines(folder / FILES[0], defects):
        if not has(row, kinds, where, defects) or (only is not None and row["doc_name"] not in only):
            continue
        quotes = []
        for item in row["evidence"]:
            try:
                text, page = str(item["evidence_text"]), int(item["evidence_page_num"])
                if page < 0:
                    raise ValueError
            except (KeyError, TypeError, ValueError):
                defects.add(BAD_FIELD, f"{where}: evidence without a text or a page")
                continue
            if item.get("doc_name", row["doc_name"]) != row["doc_name"]:
                defects.add(OTHER_FILING, f"{row['financebench_id']}: {item['doc_name']}")
                continue
            defects.add(FROM_ZERO, f"{row['financebench_id']}: page {page} -> {page + 1}")
            if text.isascii():
                defects.add(ASCII_ONLY, row["financebench_id"])
            quotes.append((text, page + 1))
        yield Question(
            where=where,
            id=row["financebench_id"],
            filing=row["doc_name"],
            text=row["question"],
            answer=str(row.get("answer") or ""),
            quotes=tuple(quotes),
            kind=str(row.get("question_type") or ""),
            scope="point" if row.get("question_reasoning") == _EXTRACTION else None,
        )


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the questions on filings whose PDF is there."""
    folder = found_in(source, "FinanceBench", FILES)
    filings = draft.first(question.filing for question in questions(folder, Defects()))
    asked = list(questions(folder, draft.defects, set(filings)))
    for filing in draft.chosen(filings):
        pdf = folder / "pdfs" / f"{filing}.pdf"
        own = [question for question in asked if question.filing == filing]
        if Path(filing).name != filing or not pdf.is_file():
            draft.defects.add(NO_PDF, f"{own[0].id}: pdfs/{filing}.pdf", count=len(own))
            continue
        artifact = draft.file(pdf)
        for question in own:
            draft.ask(
                question.where,
                identity=question.id,
                artifact=artifact,
                question=question.text,
                scope=question.scope,
                evidence=[Evidence(quote=text, page=page) for text, page in question.quotes if text.strip()],
                answer=question.answer.strip() or None,
                scenario="pdf_report_qa",
                label=question.kind,
            )
