"""TAT-QA: a table of an annual report with the paragraphs around it; ten of them make one document.

Evidence is given as table cells and as ranges of paragraphs: the gold blocks are the rows of the cells, and the blocks
that the ranges touch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.documents import Document
from workbench.workload.places import blocks_at

from .cases import Case, Half, Item, Places, Scope, halves, pools, wanted
from .manuscripts import Manuscript, Range

_POOL = 10
_SCOPES: dict[str, Scope] = {"span": "point", "multi-span": "several", "arithmetic": "several", "count": "aggregate"}


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions whose evidence is given, ten contexts a document."""
    rows = json.loads((data / "tatqa" / "tatqa_dataset_test_gold.json").read_text("utf-8"))
    contexts = {row["table"]["uid"]: row for row in rows}
    members = {f"reports-{rank}": keys for rank, keys in enumerate(pools(contexts, _POOL))}
    sides = halves(members)
    for key in wanted(sides, half, limit):
        yield from _cases(name, key, [contexts[member] for member in members[key]], sides[key])


def _cases(name: str, key: str, contexts: list[dict[str, Any]], half: Half) -> Iterator[Case]:
    manuscript = Manuscript()
    parts: list[tuple[dict[str, Any], list[Range], dict[int, Range]]] = []
    for context in contexts:
        paragraphs = sorted(context["paragraphs"], key=lambda paragraph: int(paragraph["order"]))
        ranges = {int(found["order"]): manuscript.paragraph(found["text"]) for found in paragraphs}
        parts.append((context, manuscript.table(context["table"]["table"]), ranges))
    document = manuscript.open(name, key)
    for context, table, ranges in parts:
        for asked in context["questions"]:
            places = Places.of(_evidence(document, asked["mappings"], table, ranges))
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
                origin=context["table"]["uid"],
                half=half,
                label=f"{asked['answer_type']}, {asked['answer_from']}",
            )


def _evidence(
    document: Document, mappings: list[dict[str, list[int]]], table: list[Range], paragraphs: dict[int, Range]
) -> Iterator[tuple[str, list[Item]]]:
    for mapping in mappings:
        for part, (first, second) in mapping.items():
            if part == "table":
                start, end = table[first]
            else:
                start = paragraphs[int(part.removeprefix("paragraph_"))][0] + first
                end = start + max(second - first, 1)
            place = blocks_at(document, start, end)
            yield f"{part} {first} {second}", [place] if place else []
