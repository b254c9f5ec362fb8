"""CUAD: contracts as PDF, with a question for each of 41 categories of clauses, most of which a contract has not.

A quote is recalled at any of the places where its words stand: the set does not say which one was marked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from workbench.workload.places import quote_places

from .cases import Case, Half, Places, halves, wanted
from .manuscripts import opened


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the categories that a contract has (``cuad``) or has not (``cuad_unanswerable``)."""
    folder = data / "cuad"
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line]
    sides = halves(row["contract_pdf"] for row in rows)
    answerable = name == "cuad"
    for key in wanted(sides, half, limit):
        document = opened(folder / key)
        for row in rows:
            if row["contract_pdf"] != key or bool(row["evidence"]) != answerable:
                continue
            places = Places.of((quote, quote_places(document, quote)) for quote in row["evidence"])
            yield Case(
                set_name=name,
                case_id=f"{key}/{row['category']}",
                document_key=key,
                document=document,
                question=f"{row['category']}: {row['question']}",
                language="en",
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                answerable=answerable,
                origin=key,
                half=sides[key],
                label=row["category"],
            )
