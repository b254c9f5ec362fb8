"""MT-RAG: conversations over passages of web pages, with the passages that the last turn needs.

A document is put together from the passages of about ten conversations on one collection: a heading for each page, and
its passages in their order there. Evidence is given as passages; of each, the line that shares most words with the
set's answer is the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..requests import Evidence
from ..wording import content_words
from .defects import Defects
from .drafting import WorkloadDraft
from .manuscripts import Manuscript, Range, pools
from .rows import SAME_ROW, found_in, has, json_lines

FILE = "reference.jsonl"
POOL = 10
UNANSWERED = frozenset({"UNANSWERABLE", "UNDERSPECIFIED"})
NO_PASSAGE = "a conversation without passages; its question is asked of the document of the others"
NOT_ANSWERED = "a question that the set calls unanswerable or underspecified; imported as not answerable"
HAS_PASSAGES = "passages of a question that is not answerable; they are in the document, and no evidence"
EXCERPT = "a passage that repeats the end of the one before; what is repeated stands once"
NO_WORD = "a passage without a word of the answer; the whole passage is the evidence"
AGENT = "turns of the agent; left out, for earlier turns are questions"
_PASSAGE = re.compile(r"(?P<page>.+?)[-_](?P<start>\d+)-(?P<end>\d+)(?:-(?P<inner>\d+)-\d+)?")
_LONGEST_OVERLAP = 2_000
_KINDS: dict[str, type | tuple[type, ...]] = {
    "conversation_id": str,
    "task_id": str,
    "Collection": str,
    "answerability": list,
    "contexts": list,
    "input": list,
    "targets": list,
}
_CONTEXT: dict[str, type | tuple[type, ...]] = {"document_id": str, "text": str}


@dataclass(frozen=True, slots=True)
class _Passage:
    page: str
    start: int
    title: str
    text: str


def conversations(path: Path, defects: Defects) -> dict[str, dict[str, Any]]:
    """Return the conversations by their id, in the order of the set."""
    found = {}
    for where, row in json_lines(path, defects):
        if (
            has(row, _KINDS, where, defects)
            and all(has(said, {"speaker": str, "text": str}, where, defects) for said in row["input"])
            and all(has(said, {"text": str}, where, defects) for said in row["targets"])
            and all(has(context, _CONTEXT, where, defects) for context in row["contexts"])
            and row["input"]
            and row["answerability"]
        ):
            if row["conversation_id"] in found:
                defects.add(SAME_ROW, f"{where}: {row['conversation_id']}")
            found[row["conversation_id"]] = row
    return found


def documents_of(rows: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Return the conversations of each document: about ten on one collection."""
    members: dict[str, list[str]] = {}
    for collection in sorted({row["Collection"] for row in rows.values()}):
        own = [key for key, row in rows.items() if row["Collection"] == collection]
        members.update({f"{collection}-{rank}": keys for rank, keys in enumerate(pools(own, POOL))})
    return members


def is_answered(row: dict[str, Any]) -> bool:
    """Say whether passages answer the last question of a conversation."""
    return row["answerability"][0] not in UNANSWERED and bool(row["contexts"])


def written(rows: Iterable[dict[str, Any]], defects: Defects) -> tuple[Manuscript, dict[str, Range]]:
    """Return the text of a document and the range of each passage.

    Each passage stands once, page by page; what it repeats of the one before stands once as well.
    """
    manuscript = Manuscript()
    passages = {context["document_id"]: _passage(context) for row in rows for context in row["contexts"]}
    ordered = sorted(passages.items(), key=lambda pair: (pair[1].page, pair[1].start, pair[0]))
    ranges: dict[str, Range] = {}
    page, before, end = "", "", 0
    for identity, passage in ordered:
        if passage.page != page:
            page, before = passage.page, ""
            manuscript.paragraph("# " + (passage.title or passage.page))
        shared = _overlap(before, passage.text)
        if shared:
            defects.add(EXCERPT, identity)
        start, stop = manuscript.write(passage.text[shared:])
        ranges[identity] = (min(start, end - shared) if shared else start, stop)
        manuscript.write("\n\n")
        before, end = passage.text, stop
    return manuscript, ranges


def _overlap(before: str, text: str) -> int:
    """Return how many characters a text repeats from the end of the one before."""
    for length in range(min(len(before), len(text), _LONGEST_OVERLAP), 20, -1):
        if before.endswith(text[:length]):
            return length
    return 0


def _passage(context: dict[str, Any]) -> _Passage:
    given = context.get("title")
    title = " ".join(given.split()) if isinstance(given, str) else ""
    match = _PASSAGE.fullmatch(context["document_id"])
    if match is None:
        return _Passage(context["document_id"], 0, title, context["text"].strip())
    start = int(match["start"]) + int(match["inner"] or 0)
    return _Passage(match["page"], start, title, context["text"].strip())


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the last question of every conversation, with the earlier ones as turns."""
    folder = found_in(source, "MT-RAG", [FILE])
    rows = conversations(folder / FILE, draft.defects)
    members = documents_of(rows)
    for name in draft.chosen(members):
        own = [rows[key] for key in members[name]]
        manuscript, ranges = written(own, draft.defects)
        if not ranges:
            draft.defects.add("a document without a passage; left out with its conversations", name, count=len(own))
            continue
        artifact = draft.text(name, manuscript.text)
        for row in own:
            _ask(draft, artifact, manuscript.text, ranges, row)


def _ask(draft: WorkloadDraft, artifact: str, text: str, ranges: dict[str, Range], row: dict[str, Any]) -> None:
    task, answered = row["task_id"], is_answered(row)
    if not row["contexts"]:
        draft.defects.add(NO_PASSAGE, task)
    if not answered:
        draft.defects.add(NOT_ANSWERED, f"{task}: {row['answerability'][0]}")
        if row["contexts"]:
            draft.defects.add(HAS_PASSAGES, task)
    if spoken := sum(said["speaker"] != "user" for said in row["input"][:-1]):
        draft.defects.add(AGENT, task, count=spoken)
    target = row["targets"][0]["text"].strip() if row["targets"] else ""
    passages = list(dict.fromkeys(context["document_id"] for context in row["contexts"])) if answered else []
    evidence = {}
    for passage in passages:
        anchor = _best_line(text, ranges[passage], target)
        if anchor is None:
            anchor = ranges[passage]
            draft.defects.add(NO_WORD, f"{task}: {passage}")
        evidence[anchor] = Evidence(quote=text[slice(*anchor)], anchor=anchor)  # type: ignore[arg-type]
    pages = {_passage({"document_id": passage, "text": ""}).page for passage in passages}
    draft.ask(
        f"conversation {row['conversation_id']}",
        identity=task,
        artifact=artifact,
        question=row["input"][-1]["text"],
        evidence=list(evidence.values()),
        answerable=answered,
        scenario="multi_file_audit" if len(pages) > 1 else "long_document_qa",
        turns=[said["text"] for said in row["input"][:-1] if said["speaker"] == "user" and said["text"].strip()],
        label=row["answerability"][0],
        rubric=f"A good answer says what this one says: {target}" if answered and target else None,
    )


def _best_line(text: str, within: Range, answer: str) -> Range | None:
    """Return the line of a range that shares most words with an answer, the first of equal ones; None if none does."""
    words = content_words(answer)
    best, most = None, 0
    for line in re.finditer(r"[^\n]+", text[slice(*within)]):
        shared = len(words & content_words(line[0]))
        if shared > most:
            best, most = (within[0] + line.start(), within[0] + line.end()), shared
    return best
