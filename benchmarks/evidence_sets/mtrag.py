"""MT-RAG: conversations over passages of web pages, with the passages that the last turn needs.

A document is put together from the passages of about ten conversations on one collection: a heading for each page, and
its passages in their order there. Evidence is given as passages of about ten blocks; one is recalled with one of the
blocks that say what the set's answer says: those that hold at least half as many of the answer's words as the best of
them. Earlier turns have no evidence; they are in ``Case.turns``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.workload.importers import mtrag as importer
from workbench.workload.importers.defects import Defects
from workbench.workload.places import blocks_at
from workbench.workload.wording import best_for

from .cases import Case, Half, Item, Places, Turn, halves, wanted
from .manuscripts import open_text


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the last questions of conversations: those that passages answer (``mtrag``) and the others."""
    rows = importer.conversations(data / "mtrag_un" / importer.FILE, Defects())
    members = importer.documents_of(rows)
    sides = halves(members)
    for key in wanted(sides, half, limit):
        yield from _cases(name, key, [rows[member] for member in members[key]], sides[key])


def _cases(name: str, key: str, rows: list[dict[str, Any]], half: Half) -> Iterator[Case]:
    manuscript, ranges = importer.written(rows, Defects())
    document = open_text(manuscript.text, "mtrag", key)
    for row in rows:
        label = row["answerability"][0]
        answerable = importer.is_answered(row)
        if answerable != (name == "mtrag"):
            continue
        found: list[tuple[str, list[Item]]] = []
        for context in row["contexts"] if answerable else []:
            blocks = blocks_at(document, *ranges[context["document_id"]])
            found.append((context["document_id"], best_for(document, blocks, row["targets"][0]["text"])))
        places = Places.of(found)
        turns = tuple(Turn(said["speaker"], said["text"]) for said in row["input"])
        yield Case(
            set_name=name,
            case_id=row["task_id"],
            document_key=key,
            document=document,
            question=turns[-1].text,
            language="en",
            gold=places.gold,
            also=places.also,
            unresolved=places.unresolved,
            answerable=answerable,
            origin=row["conversation_id"],
            half=half,
            label=label,
            turns=turns[:-1],
        )
