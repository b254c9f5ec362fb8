"""What follow-up questions cost, and whether their evidence is kept all the same.

Run it with ``python -m benchmarks.followups``. Dialogues are played turn by turn through one session:

- ``mtrag``: the conversations of MT-RAG, each on a document put together from the passages of about ten of them. Only
  the last turn has evidence; the turns before it are asked, but not judged.
- the others: the questions on one document in the order of the set, at most 30, as one session. Most are on another
  part of the document than the one before: what happens when a new topic is taken for a follow-up. ``drcd_pooled`` and
  ``cmrc_pooled`` are Chinese; some questions in a row are on one paragraph.

Told of a way of reading, over the judged turns: what share of the tokens of the dialogue's first reading is kept, as
rendered; how many pieces of evidence have text of one of their blocks kept ("evidence"); and what share of the best
block of each piece is kept ("of the block"). "Answer" is the strictest: how often the answer itself stands in what is
kept of those blocks; for MT-RAG, whose answers have words of their own, the sentence that shares most words with it.
The evidence of MT-RAG is passages, and the blocks of one are those that say what the answer says; so "passage" tells
how many gold passages have any text kept, as the set gives evidence.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.dialogues import SETS, Dialogue, Outcome, Way, dialogues, played
from benchmarks.evidence_sets import data_folder
from benchmarks.plain_fusion import ZSum
from benchmarks.retrieval import Estimate
from workbench.reading import Reading, SparseReader
from workbench.reading.focus import Sentences, can_be_in_focus, focus_of
from workbench.reading.followup_options import SEED_TOPIC_THRESHOLD, FollowUpOptions
from workbench.reading.references import reference_in
from workbench.reading.sessions import Session
from workbench.reading.topics import cosine
from workbench.relevance.lexical import LexicalIndex

Vector = npt.NDArray[np.float32]
NEVER_NEW = -1.0
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, SEED_TOPIC_THRESHOLD)
RESAMPLES = 1_000


# Ways of reading a dialogue ----------------------------------------------------------------------


def afresh(reader: SparseReader, dialogue: Dialogue) -> Iterator[Reading]:
    """Read the whole document for every question."""
    for question in dialogue.questions:
        yield reader.read(dialogue.document, question)


def afresh_in(share: float) -> Way:
    """Return the same with a budget: a share of the first reading."""

    def way(reader: SparseReader, dialogue: Dialogue) -> Iterator[Reading]:
        budget = None
        for reading in afresh(reader, dialogue):
            yield reading if budget is None else reading.with_budget(budget)
            budget = budget or max(1, int(share * reading.saving.rendered_tokens))

    return way


def published(threshold: float) -> Way:
    """Return the method as published: three sentences of each anchor by BM25, a new topic under a cosine."""

    def way(reader: SparseReader, dialogue: Dialogue) -> Iterator[Reading]:
        anchors: list[int] = []
        vectors: list[Vector] = []
        for question in dialogue.questions:
            reading, vector = reader.read(dialogue.document, question), reader.scorer.question_vector(question)
            new = not anchors or (vector is not None and cosine(vector, np.array(vectors[-3:])) < threshold)
            if new:
                anchors, vectors = list(reading.kept_ids), []
            yield reading if new else reading.with_focus(_three_each(reading, anchors))
            if vector is not None:
                vectors.append(vector)

    return way


def _three_each(reading: Reading, anchors: Sequence[int]) -> dict[int, tuple[tuple[int, int], ...]]:
    body = can_be_in_focus(reading.document)
    sentences = Sentences.of(reading.document, [block for block in anchors if body[block]])
    scores = LexicalIndex.of(sentences.texts, reading.document.language.value).scores(reading.question)
    taken: list[int] = []
    count: Counter[int] = Counter()
    for rank in np.argsort(-scores, kind="stable").tolist():
        block = int(sentences.block[rank])
        if count[block] < 3 and (scores[rank] > 0 or not scores.any()):
            taken.append(rank)
            count[block] += 1
    return dict(focus_of(reading.document, sentences, taken))


def in_session(options: FollowUpOptions) -> Way:
    """Return the way of a session."""

    def way(reader: SparseReader, dialogue: Dialogue) -> Iterator[Reading]:
        session = Session("benchmark", "1", options=options)
        for question in dialogue.questions:
            yield reader.read(dialogue.document, question, session=session)

    return way


def ways() -> dict[str, Way]:
    """Return every way that is compared, by name."""
    plain = FollowUpOptions()
    found: dict[str, Way] = {"afresh": afresh, "afresh, budget of 15 %": afresh_in(0.15)}
    for threshold, words in ((SEED_TOPIC_THRESHOLD, "0.65"), (plain.topic_threshold, "0.15"), (NEVER_NEW, "never new")):
        found[f"three sentences of each anchor, {words}"] = published(threshold)
    never = replace(plain, topic_threshold=NEVER_NEW)
    found["session, anchors only, never new"] = in_session(replace(never, widen=False))
    found["session, never new"] = in_session(never)
    for threshold in (0.1, 0.15, 0.2, 0.3, 0.4):
        found[f"session, new under {threshold}"] = in_session(replace(plain, topic_threshold=threshold))
    for share in (0.05, 0.1, 0.2, 0.3, 0.5):
        found[f"session, never new, {share:.0%}"] = in_session(replace(never, token_share=share))
    found["session, never new, without the question before"] = in_session(replace(never, previous_weight=0.0))
    for sentences in (1, 2, 3):
        found[f"session, never new, {sentences} sentences a block"] = in_session(
            replace(never, sentences_per_block=sentences)
        )
    for preference in (0.0, 0.5, 2.0):
        found[f"session, never new, anchors {preference:g} ahead"] = in_session(
            replace(never, anchor_preference=preference)
        )
    return found


# Tables ------------------------------------------------------------------------------------------


def estimate(groups: Iterable[tuple[int, float]], *, seed: int = 0) -> Estimate:
    """Return the mean in percent with its 95 % bootstrap interval over dialogues; nan without any value.

    Examples
    --------
    >>> print(estimate([(0, 1.0), (0, 1.0), (1, 1.0)]))
    100.0 [100.0, 100.0]
    """
    pairs = list(groups)
    if not pairs:
        return Estimate(float("nan"))
    owner = np.unique([rank for rank, _ in pairs], return_inverse=True)[1]
    values = np.array([value for _, value in pairs])
    count = int(owner.max()) + 1
    sums, sizes = np.bincount(owner, values, count), np.bincount(owner, minlength=count)
    drawn = np.random.default_rng(seed).integers(count, size=(RESAMPLES, count))
    means = 100.0 * sums[drawn].sum(1) / sizes[drawn].sum(1)
    low, high = np.quantile(means, [0.025, 0.975]) if count > 1 else (np.nan, np.nan)
    return Estimate(100.0 * float(values.mean()), float(low), float(high))


def row(name: str, way: str, found: Sequence[Outcome]) -> str:
    """Return one row of the table."""
    kinds = Counter(outcome.kind for outcome in found)
    narrowed = [outcome for outcome in found if outcome.kind != "whole"]
    cells = [
        name,
        way,
        str(len(found)),
        f"{100 * kinds['whole'] / len(found):.0f}",
        f"{100 * kinds['widened'] / len(found):.0f}",
        f"{100 * np.mean([outcome.tokens for outcome in narrowed]):.1f}" if narrowed else "-",
        str(estimate((outcome.dialogue, outcome.tokens) for outcome in found)),
        str(estimate((outcome.dialogue, value) for outcome in found for value in outcome.passages)),
        str(estimate((outcome.dialogue, value) for outcome in found for value in outcome.evidence)),
        str(estimate((outcome.dialogue, value) for outcome in found for value in outcome.of_block)),
        str(estimate((one.dialogue, one.answer) for one in found if one.answer is not None)),
    ]
    return f"| {' | '.join(cells)} |"


HEADER = (
    "| set | way | turns | read whole % | widened % | tokens of a follow-up % | tokens of a turn % | passage % "
    "| evidence % | of the block % | answer % |"
)


def topic_rows(found: Sequence[Dialogue], vector: Callable[[str], Vector]) -> Iterator[str]:
    """Yield how often a cosine errs: over later turns, and over first questions of other dialogues on the document."""
    draw = np.random.default_rng(0)
    later, strange = [], []
    for dialogue in found:
        others = sorted({other.questions[0] for other in found if other.document is dialogue.document})
        others = [question for question in others if question not in dialogue.questions]
        for turn in range(1, len(dialogue.questions)):
            before = dialogue.questions[max(0, turn - 3) : turn]
            later.append((before, dialogue.questions[turn]))
            if others:
                strange.append((before, others[int(draw.integers(len(others)))]))
    pairs = {"later": later, "strange": strange}
    cosines = {
        name: np.array([cosine(vector(asked), np.array([vector(text) for text in before])) for before, asked in both])
        for name, both in pairs.items()
    }
    leaning = {
        name: np.array([reference_in(asked) is not None for _, asked in both], bool) for name, both in pairs.items()
    }
    quantiles = ", ".join(f"{value:.2f}" for value in np.quantile(cosines["later"], [0.1, 0.25, 0.5, 0.75, 0.9]))
    shares = {name: f"{100 * found.mean():.1f} %" for name, found in leaning.items()}
    yield f"{len(later)} later turns; cosine with those before, quantiles 10, 25, 50, 75, 90: {quantiles}"
    yield f"lean on those before, by a rule: {shares['later']} of them, {shares['strange']} of questions from elsewhere"
    yield ""
    yield "| threshold | false new topic % | missed new topic % | with the rules: false % | missed % |"
    yield "| --- | --- | --- | --- | --- |"
    for threshold in THRESHOLDS:
        under, over = cosines["later"] < threshold, cosines["strange"] >= threshold
        figures = (under, over, under & ~leaning["later"], over | leaning["strange"])
        yield f"| {threshold:g} | {' | '.join(f'{100 * one.mean():.1f}' for one in figures)} |"


def _asked_vector(reader: SparseReader, text: str) -> Vector:
    found = reader.scorer.question_vector(text)
    return np.zeros(1, np.float32) if found is None else found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the evaluation data")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--half", choices=["choose", "report", "all"], default="all")
    parser.add_argument("--limit", type=int, help="most documents of a set")
    parser.add_argument("--ways", help="only ways with this in their name")
    parser.add_argument("--scorer", choices=["default", "z-sum", "words"], default="default")
    options = parser.parse_args()
    readers: dict[str, Callable[[], SparseReader]] = {
        "default": SparseReader,
        "z-sum": partial(SparseReader, scorer=ZSum()),
        "words": partial(SparseReader, scorer=None),
    }
    reader = readers[options.scorer]()
    for name in options.sets:
        found = dialogues(name, options.data, options.half, options.limit)
        if name == "mtrag" and reader.scorer.question_vector("a question") is not None:
            print(*topic_rows(found, partial(_asked_vector, reader)), sep="\n")
        print(f"\n{HEADER}\n|{' --- |' * HEADER.count(' |')}")
        for way, function in ways().items():
            if options.ways and options.ways not in way:
                continue
            started = time.perf_counter()
            print(row(name, way, list(played(reader, found, function))), flush=True)
            turns = sum(len(dialogue.questions) for dialogue in found)
            print(f"{way}: {1_000 * (time.perf_counter() - started) / turns:.0f} ms a turn", file=sys.stderr)


if __name__ == "__main__":
    main()
