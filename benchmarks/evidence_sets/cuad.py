"""CUAD: contracts as PDF, with a question for each of 41 categories of clauses, most of which a contract has not.

A quote is recalled at any of the places where its words stand: the set does not say which one was marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.workload.importers import cuad as importer
from workbench.workload.importers.defects import Defects
from workbench.workload.places import quote_places

from .cases import Case, Half, Places, halves, wanted
from .manuscripts import opened


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the categories that a contract has (``cuad``) or has not (``cuad_unanswerable``)."""
    folder = data / "cuad"
    clauses = list(importer.clauses(folder, Defects()))
    sides = halves(clause.contract for clause in clauses)
    answerable = name == "cuad"
    for key in wanted(sides, half, limit):
        document = opened(folder / key)
        for clause in clauses:
            if clause.contract != key or bool(clause.quotes) != answerable:
                continue
            places = Places.of((quote, quote_places(document, quote)) for quote in clause.quotes)
            yield Case(
                set_name=name,
                case_id=f"{key}/{clause.category}",
                document_key=key,
                document=document,
                question=clause.question,
                language="en",
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                answerable=answerable,
                origin=key,
                half=sides[key],
                label=clause.category,
            )
