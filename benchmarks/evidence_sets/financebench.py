"""FinanceBench: company filings as PDF, with evidence texts that are often half a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.workload.importers import financebench as importer
from workbench.workload.importers.defects import Defects
from workbench.workload.places import page_places

from .cases import Case, Half, Places, halves, wanted
from .manuscripts import opened


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions on filings; every piece of evidence is looked for on its page alone."""
    folder = data / "financebench"
    questions = list(importer.questions(folder, Defects()))
    sides = halves(question.filing for question in questions)
    for key in wanted(sides, half, limit):
        document = opened(folder / "pdfs" / f"{key}.pdf")
        for question in questions:
            if question.filing != key:
                continue
            places = Places.of((quote, page_places(document, quote, page)) for quote, page in question.quotes)
            yield Case(
                set_name=name,
                case_id=question.id,
                document_key=key,
                document=document,
                question=question.text,
                language="en",
                scope=question.scope,
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                origin=key,
                half=sides[key],
                label=question.kind,
            )
