"""The candidates of one question: which blocks each way finds, and what becomes of each of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...documents.columns import NONE
from ...relevance.scores import RelevanceScores, Scorer
from ...relevance.surroundings import Surroundings
from ...workload.places import with_content
from ..labels.values import LabelSource
from ..near_copies import CopyIndex, copy_index
from ..question import Question
from .answers import holding_answer
from .mined import LABEL_WAY, Borderline, CopyOfEvidence, Doubt, HardNegative
from .options import MiningOptions
from .report import Fate
from .term_vectors import TermVectors

if TYPE_CHECKING:
    from ...documents import Document

Floats = npt.NDArray[np.float64]


class Ground:
    """What is made once a document: which blocks have content, and how much they have in common."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.texts = document.texts
        self.content = np.zeros(len(document), np.bool_)
        self.content[list(with_content(document, range(len(document))))] = True

    @cached_property
    def vectors(self) -> TermVectors:
        return TermVectors(self.texts, self.document.language.value)

    @cached_property
    def copies(self) -> CopyIndex:
        return copy_index(self.document)

    def above(self, block: int) -> Iterator[int]:
        """Yield the headings above a block, and what names its table and the columns of it."""
        yield from self.document.section_of(block)
        table = int(self.document.columns.table[block])
        if table != NONE:
            yield from self._surroundings.header(table)
            yield from self._surroundings.caption(table)

    @cached_property
    def _surroundings(self) -> Surroundings:
        return Surroundings(self.document, 0)


@dataclass(frozen=True, eq=False)
class Voices:
    """The scores of a document's n blocks for one question, by who gives them.

    Attributes
    ----------
    total : ndarray of float64, shape (n,)
        What blocks are ranked by.
    first : ndarray of float64, shape (n,)
        Without the second stage.
    second : ndarray of float64, shape (n,), or None
        What the second stage adds; nan where it did not look. None without one.
    """

    total: Floats
    first: Floats
    second: Floats | None = None

    @classmethod
    def of(cls, scorer: Scorer, question: Question) -> Voices:
        """Return the scores of a scorer."""
        scores = scorer.score(question.document, question.question, scope=question.scope, progress=False)
        total = scores.logits.astype(np.float64)
        name = second_stage_of(scorer)
        if name is None or name not in scores.parts:
            return cls(total, total)
        part = scores.parts[name].astype(np.float64)
        return cls(total, total - part, _looked_at(scores, part))


def second_stage_of(scorer: Scorer) -> str | None:
    """Return the name of a scorer's second stage, also of one whose scores are remembered; None without one."""
    inner = getattr(scorer, "scorer", scorer)
    name: str | None = getattr(getattr(inner, "second_stage", None), "name", None)
    return name


def _looked_at(scores: RelevanceScores, part: Floats) -> Floats:
    """Blocks that a second stage did not look at have what the worst of the others has, and are no finds of it."""
    lowest = part.min() if len(part) else 0.0
    return np.where(part > lowest, part, np.nan) if len(scores) else part


class Candidates:
    """The candidates of one question.

    Parameters
    ----------
    question : Question
        With evidence.
    ground : Ground
        Of its document.
    voices : Voices
    options : MiningOptions
    """

    def __init__(self, question: Question, ground: Ground, voices: Voices, options: MiningOptions) -> None:
        self.question, self._ground, self._voices, self._options = question, ground, voices, options
        self._positives = self._scored_positives()
        scores = voices.total[ground.content]
        self.size = float(np.ptp(scores)) if len(scores) else 0.0
        """Range of the document's scores: what a margin is a share of."""
        self.found: dict[str, dict[int, list[int]]] = {way: self._found_by(way) for way in options.ways}
        """For each way and positive, the blocks from the best on."""
        self.copied: dict[int, int] = self._copies_of_evidence()
        """Near-copies of evidence, each with the block that it copies."""

    def _scored_positives(self) -> dict[int, float]:
        """The blocks of the best place of each piece, with the best score of the piece."""
        total, found = self._voices.total, dict[int, float]()
        for piece in self.question.pieces:
            best = max(piece, key=lambda place: max(total[list(place)]))
            score = float(max(total[list(best)]))
            for block in best:
                found[block] = max(score, found.get(block, -math.inf))
        return dict(sorted(found.items()))

    def _found_by(self, way: str) -> dict[int, list[int]]:
        most = math.ceil(self._options.share * max(0, len(self._ground.texts) - 1))
        if way == "tf-idf":
            return {
                positive: _best(self._ground.vectors.similarity(positive), positive, most, above=0.0)
                for positive in self._positives
            }
        # Where all scores are equal, nothing was found by them.
        scores = self._voices.first if way == "encoder" else self._voices.second
        if scores is None or not len(scores) or np.isnan(scores).all():
            return {}
        least = float(np.nanmin(scores)) if way == "encoder" else -math.inf
        return {positive: _best(scores, positive, most, above=least) for positive in self._positives}

    def _copies_of_evidence(self) -> dict[int, int]:
        evidence, found = self.question.evidence, dict[int, int]()
        for block in sorted(evidence):
            for copy in self._copies_of(block):
                if copy not in evidence:
                    found.setdefault(copy, block)
        return found

    @cached_property
    def _context(self) -> frozenset[int]:
        return frozenset(above for block in self.question.evidence for above in self._ground.above(block))

    @cached_property
    def _answering(self) -> frozenset[int]:
        if not self._options.answers or not self._positives:
            return frozenset()
        held = holding_answer(self._ground.texts, self.question.answers, self.question.question)
        # What scores in the lower half of the range has the words by chance.
        least = max(self._positives.values()) - self.size / 2
        return frozenset(block for block in held if self._voices.total[block] > least)

    @cached_property
    def labelled(self) -> tuple[int, ...]:
        """The blocks that a person calls negative, without those that say what evidence says."""
        return tuple(block for block in self.question.negatives if block not in self.copied)

    @cached_property
    def suggested(self) -> dict[int, str]:
        """The blocks that a label of no person calls negative, each with its source, as far as no filter stops them.

        Of what was mined the score is held against it as well: the scorer of today may see evidence there. What people
        or a gold set deny scores high more often than not, and is a hard negative for that.
        """
        found = dict[int, str]()
        for block, source in self.question.suggested:
            high = source == LabelSource.MINED and not any(self.is_below(block, one) for one in self._positives)
            if not high and block not in self.question.negatives and self._stopped(block) is None:
                found[block] = source
        return found

    @cached_property
    def _labelled(self) -> frozenset[int]:
        return frozenset(self.labelled)

    def is_below(self, block: int, positive: int) -> bool:
        """Return whether a block scores far enough under a positive."""
        limit = self._positives[positive] - self._options.margin * self.size
        return bool(self._voices.total[block] <= limit)

    def fates(self) -> dict[int, Fate]:
        """Return what becomes of every candidate; ``TAKEN`` for those that may be taken."""
        beside: dict[int, set[int]] = defaultdict(set)
        for by_positive in self.found.values():
            for positive, blocks in by_positive.items():
                for block in blocks:
                    beside[block].add(positive)
        return {block: self._fate(block, beside[block]) for block in sorted(beside)}

    def _fate(self, block: int, positives: set[int]) -> Fate:
        stopped = self._stopped(block)
        if stopped is not None:
            return stopped
        if block in self.suggested:
            return Fate.LABELLED
        return Fate.TAKEN if any(self.is_below(block, positive) for positive in positives) else Fate.TOO_HIGH

    def _stopped(self, block: int) -> Fate | None:
        """Return the filter that stops a block, whatever its score."""
        tests = (
            (Fate.NO_CONTENT, not self._ground.content[block]),
            (Fate.EVIDENCE, block in self.question.evidence),
            (Fate.COPY, block in self.copied),
            (Fate.LABELLED, block in self._labelled),
            (Fate.UNSURE, block in self.question.unsure),
            (Fate.CONTEXT, block in self._context),
            (Fate.ANSWER, block in self._answering),
        )
        return next((fate for fate, holds in tests if holds), None)

    def negatives(self, fates: dict[int, Fate]) -> list[HardNegative]:
        """Return the negatives with a label and those to take, and write into ``fates`` what became of the others."""
        chosen = [self._negative(block, LABEL_WAY, self.nearest(block)) for block in self.labelled]
        said = {copy for block in self.labelled for copy in self._copies_of(block)}
        for block, source in self.suggested.items():
            if block not in said:
                chosen.append(self._negative(block, source, self.nearest(block)))
                said.update(self._copies_of(block))
        waiting = {block for block, fate in fates.items() if fate is Fate.TAKEN}
        lists = {positive: self._in_turn(positive, waiting) for positive in self._positives}
        left = dict.fromkeys(self._positives, self._options.per_positive)
        while lists:
            for positive in list(lists):
                block, way = next(lists[positive], (-1, "")) if left[positive] else (-1, "")
                if block < 0:
                    del lists[positive]
                    continue
                waiting.discard(block)
                if block in said:
                    fates[block] = Fate.REPEATED
                    continue
                left[positive] -= 1
                said.update(self._copies_of(block))
                chosen.append(self._negative(block, way, positive))
        fates.update(dict.fromkeys(waiting, Fate.BEYOND))
        return chosen

    def _in_turn(self, positive: int, waiting: Container[int]) -> Iterator[tuple[int, str]]:
        """Yield the blocks that may be taken beside a positive and still are there, the best of each way in turn."""
        lists = {way: iter(found[positive]) for way, found in self.found.items() if positive in found}
        while lists:
            for way in list(lists):
                fit = (block for block in lists[way] if block in waiting and self.is_below(block, positive))
                block = next(fit, None)
                if block is None:
                    del lists[way]
                else:
                    yield block, way

    def _copies_of(self, block: int) -> tuple[int, ...]:
        return self._ground.copies.copies_of(self._ground.texts[block])

    def borderline(self, fates: dict[int, Fate]) -> list[Borderline]:
        """Return the doubtful candidates, those that hold the answer first; no two say the same.

        What holds the answer is evidence far more often than what merely scores high.
        """
        doubts = {Fate.ANSWER: Doubt.ANSWER, Fate.TOO_HIGH: Doubt.SCORE}
        ways = {block: way for way in reversed(self.found) for blocks in self.found[way].values() for block in blocks}
        doubtful = [block for block, fate in fates.items() if fate in doubts]
        chosen: list[Borderline] = []
        said: set[int] = set()
        urgent = [(fates[block] is not Fate.ANSWER, -self._voices.total[block], block) for block in doubtful]
        for *_, block in sorted(urgent):
            if len(chosen) == self._options.borderline:
                break
            if block in said:
                continue
            said.update(self._copies_of(block))
            plain = self._negative(block, ways[block], self.nearest(block))
            chosen.append(
                Borderline(
                    plain.block,
                    plain.way,
                    plain.score,
                    plain.positive,
                    plain.positive_score,
                    plain.similarity,
                    doubts[fates[block]],
                )
            )
        return chosen

    def doubtful(self, fates: dict[int, Fate]) -> frozenset[int]:
        """Return every candidate that may be evidence or leads to it, and what says the same as one."""
        doubts = (Fate.ANSWER, Fate.TOO_HIGH, Fate.CONTEXT)
        found = [block for block, fate in fates.items() if fate in doubts]
        return frozenset(found).union(*(self._copies_of(block) for block in found))

    def copies(self) -> list[CopyOfEvidence]:
        """Return the near-copies of evidence, in the order of the document."""
        return [CopyOfEvidence(block, positive) for block, positive in sorted(self.copied.items())]

    def nearest(self, block: int) -> int:
        """Return the positive that has most in common with a block, the first of equal ones."""
        return max(self._positives, key=lambda positive: self._similarity(positive)[block])

    def _similarity(self, positive: int) -> Floats:
        if positive not in self._similarities:
            self._similarities[positive] = self._ground.vectors.similarity(positive)
        return self._similarities[positive]

    @cached_property
    def _similarities(self) -> dict[int, Floats]:
        return {}

    def _negative(self, block: int, way: str, positive: int) -> HardNegative:
        return HardNegative(
            block,
            way,
            float(self._voices.total[block]),
            positive,
            self._positives[positive],
            float(self._similarity(positive)[block]),
        )


def _best(scores: Floats, but: int, most: int, *, above: float) -> list[int]:
    """Return the blocks of the best scores that are above a bound, without one; ties in reading order."""
    known = np.where(np.isnan(scores), -np.inf, scores)
    order: Sequence[int] = np.argsort(-known, kind="stable").tolist()
    return [block for block in order if block != but and known[block] > above][:most]
