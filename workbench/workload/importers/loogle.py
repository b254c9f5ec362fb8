"""LooGLE: very long texts, with questions whose evidence is one quote (short) or several far apart (long).

The pairs of questions and answers are a Python literal in a text; many quotes are in the annotators' own words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...errors import FileMissing
from ..requests import Evidence
from .defects import Defects
from .drafting import WorkloadDraft
from .rows import BAD_FIELD, ScopeName, found_in, has, json_lines, literal, texts_of

TASKS = {"short": "shortdep_qa.jsonl", "long": "longdep_qa.jsonl"}
OTHER_TASKS = ("shortdep_cloze.jsonl", "longdep_summarization.jsonl")
LITERAL = "questions written as a Python literal in a text; read as one"
NO_PAIRS = "a text without questions; left out"
BAD_PAIRS = "questions that are no Python literal; left out"
NOT_VERBATIM = "a quote that does not stand in its text word for word; the blocks with most of its words are taken"
OTHER_TASK = "a file of a task without quotes (cloze, summaries); not imported"
_SCOPES: dict[str, ScopeName] = {"multiple_information_retrieval": "several", "computation": "aggregate"}


@dataclass(frozen=True, slots=True)
class Pair:
    """A question of a text, by its rank there."""

    rank: int
    question: str
    answer: str
    kind: str
    quotes: tuple[str, ...]
    scope: ScopeName | None


@dataclass(frozen=True, slots=True)
class Text:
    """A text of one task with its questions."""

    where: str
    title: str
    text: str
    pairs: tuple[Pair, ...]


def texts(folder: Path, task: str, defects: Defects) -> Iterator[Text]:
    """Yield the texts of a task, "short" or "long", in the order of the set; one without questions as well."""
    for where, row in json_lines(folder / TASKS[task], defects):
        if has(row, {"title": str, "input": str, "qa_pairs": str}, where, defects):
            pairs = tuple(_pairs(row["qa_pairs"], row["input"], f"{where} ({row['title']})", task, defects))
            yield Text(where, row["title"], row["input"], pairs)


def _pairs(given: str, text: str, where: str, task: str, defects: Defects) -> Iterator[Pair]:
    found = literal(given)
    if found is None and given.strip().lower() in ("none", ""):
        defects.add(NO_PAIRS, where)
        return
    if not isinstance(found, list):
        defects.add(BAD_PAIRS, where)
        return
    defects.add(LITERAL, where)
    plain = "".join(text.split())
    for rank, pair in enumerate(found):
        if not (isinstance(pair, dict) and isinstance(pair.get("Q"), str) and texts_of(pair.get("S"))):
            defects.add(BAD_FIELD, f"{where}, question {rank}: it has no Q or no S")
            continue
        quotes = texts_of(pair["S"])
        for quote in quotes:
            if "".join(quote.split()) not in plain:
                defects.add(NOT_VERBATIM, f"{where}, question {rank}: {quote}")
        kind = str(pair.get("type") or "")
        scope = "point" if task == "short" else _SCOPES.get(kind)
        yield Pair(rank, pair["Q"], str(pair.get("A") or ""), kind, tuple(quotes), scope)


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the questions of both tasks, or of the one that is there; a text of both tasks is one artifact."""
    folder = source.parent if source.is_file() and source.name in TASKS.values() else source
    present = [task for task, name in TASKS.items() if (folder / name).is_file()]
    if not present:
        found_in(source, "LooGLE", TASKS.values())
        raise FileMissing(f"{source} is not LooGLE: looked for {' and '.join(TASKS.values())}.")
    for name in OTHER_TASKS:
        if (folder / name).is_file():
            draft.defects.add(OTHER_TASK, name)
    by_text: dict[tuple[str, str], list[tuple[str, Text]]] = {}
    for task in present:
        for found in texts(folder, task, draft.defects):
            by_text.setdefault((found.title, found.text), []).append((task, found))
    keys = {f"{title}\0{rank}": key for rank, (title, key) in enumerate((key[0], key) for key in by_text)}
    for name in draft.chosen(name for name, key in keys.items() if any(text.pairs for _, text in by_text[key])):
        title, text = keys[name]
        artifact = draft.text(title, text, ".txt")
        for task, found in by_text[title, text]:
            for pair in found.pairs:
                draft.ask(
                    f"{found.where}, question {pair.rank}",
                    identity=f"{title}/{task}-{pair.rank}",
                    artifact=artifact,
                    question=pair.question,
                    scope=pair.scope,
                    evidence=[Evidence(quote=quote) for quote in pair.quotes],
                    answer=pair.answer.strip() or None,
                    scenario="long_document_qa",
                    label=f"{task}, {pair.kind}" if pair.kind else task,
                )
