"""MMLongBench-Doc: PDFs of many kinds, with evidence given as pages.

A page is recalled with one of its blocks that has the answer, if the answer is a text or a list of texts: it holds the
whole answer, or half of the answer's words that are no function words. Where no block of the page does, or the answer
is a number, which may be counted or computed, any block of the page recalls it, running lines excepted.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.workload.places import page_block_places

from .cases import Case, Half, Places, Scope, halves, wanted
from .manuscripts import opened

_SCOPES: dict[str, Scope] = {"List": "several"}


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions that their document answers (``mmlongbench``) or not (``mmlongbench_unanswerable``)."""
    folder = data / "mmlongbench"
    rows = json.loads((folder / "samples.json").read_text("utf-8"))
    sides = halves(row["doc_id"] for row in rows)
    for key in wanted(sides, half, limit):
        document = opened(folder / "documents" / key)
        for rank, row in enumerate(rows):
            answerable = row["answer"] != "Not answerable"
            if row["doc_id"] != key or answerable != (name == "mmlongbench"):
                continue
            pages = ast.literal_eval(row["evidence_pages"]) if answerable else []
            places = Places.of((f"page {page}", page_block_places(document, page, answers_of(row))) for page in pages)
            yield Case(
                set_name=name,
                case_id=f"{key}/{rank}",
                document_key=key,
                document=document,
                question=row["question"],
                language="en",
                scope=_SCOPES.get(row["answer_format"]),
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                answerable=answerable,
                origin=key,
                half=sides[key],
                label=", ".join(ast.literal_eval(row["evidence_sources"])),
            )


def answers_of(row: dict[str, Any]) -> list[str]:
    """Return the texts that an answer consists of; none for a number."""
    if row["answer_format"] == "Str":
        return [row["answer"]]
    if row["answer_format"] != "List":
        return []
    try:
        found = ast.literal_eval(row["answer"])
    except (SyntaxError, ValueError):
        return [row["answer"]]
    return [str(part) for part in found] if isinstance(found, list | tuple) else [row["answer"]]
