"""Dialogues on documents whose questions have known evidence, and what a reading of one of them comes to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.evidence_sets import Case, Half, load
from workbench.documents import Document
from workbench.documents.quotes import fold
from workbench.reading import Reading, SparseReader
from workbench.reading.focus import Sentences
from workbench.workload.wording import content_words

SETS = ("mtrag", "loogle_short", "covidqa", "drcd_pooled", "cmrc_pooled")
SQUAD = {
    "covidqa": "covidqa/200423_covidQA.json",
    "drcd_pooled": "drcd/DRCD_dev.json",
    "cmrc_pooled": "cmrc2018/cmrc2018_dev.json",
}
"""Sets that give the answers in the document's own words."""
MOST_QUESTIONS = 30
"""Of one document, where a set has more."""

Way = Callable[[SparseReader, "Dialogue"], Iterator[Reading]]
"""Reads every turn of a dialogue in its own way."""


@dataclass(frozen=True, eq=False)
class Dialogue:
    """Questions on one document, of which some have evidence.

    Attributes
    ----------
    document : Document
    questions : tuple of str
    judged : dict of int to Case
        The question of each judged turn, by its rank from 1 on: the first turn is never judged.
    answers : dict of int to tuple of str
        The answers to judged turns, where the set gives them in the document's own words; else one in its own words.
    verbatim : bool
        Whether they are the document's own words.
    passages : dict of int to tuple of frozenset of int
        The blocks of each gold passage of judged turns, where evidence is passages.
    """

    document: Document
    questions: tuple[str, ...]
    judged: dict[int, Case]
    answers: dict[int, tuple[str, ...]]
    passages: dict[int, tuple[frozenset[int], ...]]
    verbatim: bool = True


def dialogues(name: str, data: Path, half: Half, limit: int | None) -> list[Dialogue]:
    """Return the dialogues of a set."""
    cases = load(name, data=data, half=half, limit=limit)
    if name == "mtrag":
        rows = map(json.loads, (data / "mtrag_un" / "reference.jsonl").read_text("utf-8").splitlines())
        by_id = {row["task_id"]: row for row in rows}
        return [_conversation(case, by_id[case.case_id]) for case in cases if case.turns and case.gold]
    known = _answers(data / SQUAD[name]) if name in SQUAD else {}
    by_document: dict[str, list[Case]] = {}
    for case in cases:
        asked = by_document.setdefault(case.document_key, [])
        if case.gold and len(asked) < MOST_QUESTIONS:
            asked.append(case)
    return [
        Dialogue(
            document=found[0].document,
            questions=tuple(case.question for case in found),
            judged=dict(list(enumerate(found))[1:]),
            answers={turn: known[case.case_id] for turn, case in enumerate(found) if case.case_id in known},
            passages={},
        )
        for found in by_document.values()
        if len(found) > 1
    ]


def _conversation(case: Case, row: dict[str, Any]) -> Dialogue:
    asked = [turn.text for turn in case.turns if turn.speaker == "user"]
    questions = tuple(" ".join(text.split()) or "?" for text in (*asked, case.question))
    last = len(questions) - 1
    passages = tuple(_blocks_in(case.document, context["text"]) for context in row["contexts"])
    answers: dict[int, tuple[str, ...]] = {last: (str(row["targets"][0]["text"]),)}
    return Dialogue(case.document, questions, {last: case}, answers, {last: passages}, verbatim=False)


def _answers(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the answers of a set in the format of SQuAD, by the question's identity."""
    articles = json.loads(path.read_text("utf-8"))["data"]
    questions = [asked for article in articles for part in article["paragraphs"] for asked in part["qas"]]
    return {str(asked["id"]): tuple(answer["text"] for answer in asked["answers"]) for asked in questions}


def _blocks_in(document: Document, passage: str) -> frozenset[int]:
    """Return the blocks that a passage says, by their letters and digits."""
    said = fold(passage)
    return frozenset(block for block, text in enumerate(_folded(document)) if len(text) >= 12 and text in said)


@lru_cache(maxsize=8)
def _folded(document: Document) -> tuple[str, ...]:
    return tuple(fold(text) for text in document.texts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one judged turn came to; shares are 0 to 1.

    Attributes
    ----------
    dialogue : int
    kind : {"whole", "follow-up", "widened"}
    tokens : float
        Rendered tokens over those of the dialogue's first reading.
    evidence : tuple of float
        For each piece, 1 where text of one of its blocks is kept.
    of_block : tuple of float
        For each piece, the share of its best block that is kept.
    passages : tuple of float
        For each gold passage, 1 where any text of it is kept.
    answer : float or None
        1 where an answer, or the sentence that says it, is kept whole.
    """

    dialogue: int
    kind: str
    tokens: float
    evidence: tuple[float, ...]
    of_block: tuple[float, ...]
    passages: tuple[float, ...]
    answer: float | None


def played(reader: SparseReader, found: Sequence[Dialogue], way: Way) -> Iterator[Outcome]:
    """Play dialogues one way and judge their turns."""
    for rank, dialogue in enumerate(found):
        first = 0
        for turn, reading in enumerate(way(reader, dialogue)):
            # A first question that nothing answers is no measure of what a first reading costs.
            first = first or (0 if reading.is_empty else reading.saving.rendered_tokens)
            if turn in dialogue.judged:
                yield judged(rank, reading, dialogue, turn, first or reading.saving.rendered_tokens)


def judged(rank: int, reading: Reading, dialogue: Dialogue, turn: int, first: int) -> Outcome:
    """Judge the reading of one turn."""
    case, answers = dialogue.judged[turn], dialogue.answers.get(turn, ())
    kept = kept_parts(reading)
    pieces = [
        [max(_share(reading, kept, block) for block in item) for item in (gold, *also)]
        for gold, also in zip(case.gold, case.also, strict=True)
    ]
    if reading.focus is None:
        kind = "whole"
    else:
        kind = "widened" if any(note.startswith("Widened") for note in reading.notes) else "follow-up"
    return Outcome(
        rank,
        kind,
        reading.saving.rendered_tokens / first,
        tuple(float(max(places) > 0) for places in pieces),
        tuple(max(places) for places in pieces),
        tuple(float(bool(blocks & kept.keys())) for blocks in dialogue.passages.get(turn, ()) if blocks),
        _has_answer(reading, kept, case, answers)
        if dialogue.verbatim
        else _has_sentence(reading, kept, case, answers[0]),
    )


def kept_parts(reading: Reading) -> dict[int, list[tuple[int, int]]]:
    """Return the ranges of each block's text that the kept text has."""
    parts: dict[int, list[tuple[int, int]]] = {}
    for piece in reading.pieces:
        parts.setdefault(piece.block_id, []).append((piece.start, piece.end))
    return parts


def _share(reading: Reading, kept: dict[int, list[tuple[int, int]]], block: int) -> float:
    length = len(reading.document.texts[block])
    return sum(end - start for start, end in kept.get(block, [])) / length if length else 0.0


def _has_answer(
    reading: Reading, kept: dict[int, list[tuple[int, int]]], case: Case, answers: Sequence[str]
) -> float | None:
    """Whether an answer stands in what is kept of the gold blocks; None where it does not stand in them at all."""
    blocks = _gold(case)
    texts = reading.document.texts
    whole = "\n".join(fold(texts[block]) for block in blocks)
    held = "\n".join(fold(texts[block][start:end]) for block in blocks for start, end in kept.get(block, []))
    said = [fold(answer) for answer in answers]
    if not any(answer and answer in whole for answer in said):
        return None
    return float(any(answer and answer in held for answer in said))


def _gold(case: Case) -> list[int]:
    pieces = zip(case.gold, case.also, strict=True)
    return sorted({block for gold, also in pieces for item in (gold, *also) for block in item})


def _has_sentence(reading: Reading, kept: dict[int, list[tuple[int, int]]], case: Case, answer: str) -> float | None:
    blocks = _gold(case)
    sentences = Sentences.of(reading.document, blocks)
    words = content_words(answer)
    shared = [len(words & content_words(text)) for text in sentences.texts]
    if not any(shared):
        return None
    # The one with most words of the answer; of two, the shorter.
    best = min(range(len(shared)), key=lambda rank: (-shared[rank], len(sentences.texts[rank]), rank))
    block, start, end = (int(column[best]) for column in (sentences.block, sentences.start, sentences.end))
    return float(any(low <= start and end <= high for low, high in kept.get(block, [])))
