"""LooGLE: very long texts, with questions whose evidence is one quote (short) or several far apart (long)."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.workload.places import quote_places

from .cases import Case, Half, Places, Scope, halves, wanted
from .manuscripts import Manuscript

_FILES = {"loogle_short": "shortdep_qa.jsonl", "loogle_long": "longdep_qa.jsonl"}
_SCOPES: dict[str | None, Scope] = {"multiple_information_retrieval": "several", "computation": "aggregate"}


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the questions of one task; a text is in the same half in both."""
    rows = {task: _rows(data / "loogle" / file) for task, file in _FILES.items()}
    sides = halves(row["title"] for task in rows.values() for row in task)
    own = {row["title"]: row for row in rows[name]}
    for title in wanted({title: sides[title] for title in own}, half, limit):
        manuscript = Manuscript()
        manuscript.write(own[title]["input"])
        document = manuscript.open("loogle", title, ".txt")
        for rank, pair in enumerate(ast.literal_eval(own[title]["qa_pairs"])):
            quotes = [pair["S"]] if isinstance(pair["S"], str) else pair["S"]
            places = Places.of((quote, quote_places(document, quote, paraphrased=True)) for quote in quotes)
            yield Case(
                set_name=name,
                case_id=f"{title}/{rank}",
                document_key=title,
                document=document,
                question=pair["Q"],
                language="en",
                scope="point" if name == "loogle_short" else _SCOPES.get(pair.get("type")),
                gold=places.gold,
                also=places.also,
                unresolved=places.unresolved,
                origin=title,
                half=sides[title],
                label=pair.get("type") or "",
            )


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
