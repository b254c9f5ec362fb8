"""MT-RAG: conversations over passages of web pages, with the passages that the last turn needs.

A document is put together from the passages of about ten conversations on one collection: a heading for each page, and
its passages in their order there. Evidence is given as passages of about ten blocks; one is recalled with one of the
blocks that say what the set's answer says: those that hold at least half as many of the answer's words as the best of
them. Earlier turns have no evidence; they are in ``Case.turns``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.workload.places import blocks_at
from workbench.workload.wording import best_for

from .cases import Case, Half, Item, Places, Turn, halves, pools, wanted
from .manuscripts import Manuscript, Range

_POOL = 10
_PASSAGE = re.compile(r"(?P<page>.+?)[-_](?P<start>\d+)-(?P<end>\d+)(?:-(?P<inner>\d+)-\d+)?")
_LONGEST_OVERLAP = 2_000
_UNANSWERED = frozenset({"UNANSWERABLE", "UNDERSPECIFIED"})


@dataclass(frozen=True, slots=True)
class _Passage:
    page: str
    start: int
    title: str
    text: str


def load(name: str, data: Path, half: Half, limit: int | None) -> Iterator[Case]:
    """Yield the last questions of conversations: those that passages answer (``mtrag``) and the others."""
    lines = (data / "mtrag_un" / "reference.jsonl").read_text("utf-8").splitlines()
    rows = {row["conversation_id"]: row for row in map(json.loads, filter(None, lines))}
    members: dict[str, list[str]] = {}
    for collection in sorted({row["Collection"] for row in rows.values()}):
        own = [key for key, row in rows.items() if row["Collection"] == collection]
        members.update({f"{collection}-{rank}": keys for rank, keys in enumerate(pools(own, _POOL))})
    sides = halves(members)
    for key in wanted(sides, half, limit):
        yield from _cases(name, key, [rows[member] for member in members[key]], sides[key])


def _cases(name: str, key: str, rows: list[dict[str, Any]], half: Half) -> Iterator[Case]:
    manuscript = Manuscript()
    ranges = _write(manuscript, (context for row in rows for context in row["contexts"]))
    document = manuscript.open("mtrag", key)
    for row in rows:
        label = row["answerability"][0]
        answerable = label not in _UNANSWERED and bool(row["contexts"])
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


def _write(manuscript: Manuscript, contexts: Iterable[dict[str, Any]]) -> dict[str, Range]:
    """Write each passage once, page by page; what a passage repeats of the one before stands once."""
    passages = {context["document_id"]: _passage(context) for context in contexts}
    ordered = sorted(passages.items(), key=lambda pair: (pair[1].page, pair[1].start, pair[0]))
    ranges: dict[str, Range] = {}
    page, before, end = "", "", 0
    for identity, passage in ordered:
        if passage.page != page:
            page, before = passage.page, ""
            manuscript.paragraph("# " + (passage.title or passage.page))
        shared = _overlap(before, passage.text)
        start, stop = manuscript.write(passage.text[shared:])
        ranges[identity] = (min(start, end - shared) if shared else start, stop)
        manuscript.write("\n\n")
        before, end = passage.text, stop
    return ranges


def _overlap(before: str, text: str) -> int:
    """Return how many characters a text repeats from the end of the one before."""
    for length in range(min(len(before), len(text), _LONGEST_OVERLAP), 20, -1):
        if before.endswith(text[:length]):
            return length
    return 0


def _passage(context: dict[str, Any]) -> _Passage:
    match = _PASSAGE.fullmatch(context["document_id"])
    if match is None:
        return _Passage(context["document_id"], 0, context.get("title") or "", context["text"].strip())
    start = int(match["start"]) + int(match["inner"] or 0)
    title = re.sub(r"\s+", " ", context.get("title") or "").strip()
    return _Passage(match["page"], start, title, context["text"].strip())
