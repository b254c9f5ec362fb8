"""MMLongBench-Doc: PDFs of many kinds, with evidence given as pages.

A page is recalled with one of its blocks that has the answer, if the answer is a text or a list of texts: it holds the
whole answer, or half of the answer's words that are no function words. Where no block of the page does, or the answer
is a number, which may be counted or computed, any block of the page recalls it, running lines excepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.workload.importers import mmlongbench as importer
from workbench.workload.importers.defects import Defects
from workbench.workload.places import page_block_places

from .cases import Case, Half, Places, halves, wanted
from .manuscripts import opened


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions that their document answers (``mmlongbench``) or not (``mmlongbench_unanswerable``)."""
    folder = data / "mmlongbench"
    questions = list(importer.questions(folder, Defects()))
    sides = halves(question.document for question in questions)
    for key in wanted(sides, half, limit):
        document = opened(folder / "documents" / key)
        for question in questions:
            if question.document != key or question.answerable != (name == "mmlongbench"):
                continue
            places = Places.of(
                (f"page {page}", page_block_places(document, page, question.answers)) for page in question.pages
            )
            yield Case(
                set_name=name,
                case_id=f"{key}/{question.rank}",
                document_key=key,
                document=document,
                question=question.text,
                language="en",
                scope=question.scope,
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                answerable=question.answerable,
                origin=key,
                half=sides[key],
                label=", ".join(question.sources),
            )
