"""TAT-QA: a table of an annual report with the paragraphs around it; ten of them make one document.

Evidence is given as table cells and as ranges of paragraphs: the gold blocks are the rows of the cells, and the blocks
that the ranges touch.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.documents import Document
from workbench.workload.importers import tatqa as importer
from workbench.workload.importers.defects import Defects
from workbench.workload.importers.manuscripts import pools
from workbench.workload.places import blocks_at

from .cases import Case, Half, Item, Places, Scope, halves, wanted
from .manuscripts import open_text

_SCOPES: dict[str, Scope] = {"span": "point", "multi-span": "several", "arithmetic": "several", "count": "aggregate"}


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions whose evidence is given, ten contexts a document."""
    contexts = importer.contexts(data / "tatqa" / importer.FILE, Defects())
    members = {f"reports-{rank}": keys for rank, keys in enumerate(pools(contexts, importer.POOL))}
    sides = halves(members)
    for key in wanted(sides, half, limit):
        yield from _cases(name, key, [contexts[member] for member in members[key]], sides[key])


def _cases(name: str, key: str, rows: list[dict[str, Any]], half: Half) -> Iterator[Case]:
    manuscript, contexts = importer.written(rows)
    document = open_text(manuscript.text, name, key)
    for context in contexts:
        for asked in context.row["questions"]:
            places = Places.of(_evidence(document, context, asked))
            yield Case(
                set_name=name,
                case_id=asked["uid"],
                document_key=key,
                document=document,
                question=asked["question"],
                language="en",
                scope=_SCOPES.get(asked["answer_type"]),
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                origin=context.row["table"]["uid"],
                half=half,
                label=f"{asked['answer_type']}, {asked['answer_from']}",
            )


def _evidence(document: Document, context: importer.Context, asked: dict[str, Any]) -> Iterator[tuple[str, list[Item]]]:
    for spot in importer.spots(context, asked, Defects()):
        place = blocks_at(document, *spot.range)
        yield spot.said, [place] if place else []
