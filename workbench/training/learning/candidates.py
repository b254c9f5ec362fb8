"""The lists that a model learns from: the evidence of a question beside blocks of the same document without any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ...documents.blocks import FURNITURE, KIND_CODE
from ...errors import TrainingRefused
from ...printing import counted
from ...relevance.model_languages import reads, reads_question
from ..near_copies import copy_index
from ..options import TrainingOptions
from ..question import Questions

if TYPE_CHECKING:
    from ...documents import Document
    from ..mining.mined import Mined
    from ..question import Question
    from .bases import Base

Draws = np.random.Generator
MAX_POSITIVES = 8
"""Blocks of evidence of one question that are looked at in validation."""

_RUNNING = [KIND_CODE[kind] for kind in FURNITURE]


class Candidate(NamedTuple):
    """A block of a document: that of the question, but for negatives that were mined in another one."""

    document: Document
    block: int


@dataclass(frozen=True, slots=True, eq=False)
class CandidateList:
    """A question and some blocks, most or all of them of its document.

    Attributes
    ----------
    question : Question
    candidates : tuple of Candidate
        Those with evidence first.
    relevant : int
        How many have evidence.
    weight : float
        How much the list counts; 1 on average.
    """

    question: Question
    candidates: tuple[Candidate, ...]
    relevant: int
    weight: float = 1.0
    barred: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.candidates)

    def named(self, ranks: Iterable[int]) -> str:
        """Return the question and some of the candidates, for a message."""
        chosen = [self.candidates[rank] for rank in ranks]
        blocks = ", ".join(str(one.block) for one in chosen[:6]) + (", …" if len(chosen) > 6 else "")
        return f"question {self.question.id!r} with {'block' if len(chosen) == 1 else 'blocks'} {blocks}"


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """What the lists of one question are drawn from.

    Attributes
    ----------
    question : Question
    positives : tuple of int
    hard : tuple of Candidate
        Negatives that a person named, then mined ones, the hardest first.
    others : ndarray of int64
        Further blocks of the document that are not known to hold evidence, nor doubtful.
    weight : float
    barred : frozenset of int
        Blocks of the document that are no negatives: evidence, what says the same, and what is doubtful.
    """

    question: Question
    positives: tuple[int, ...]
    hard: tuple[Candidate, ...]
    others: npt.NDArray[np.int64]
    weight: float
    barred: frozenset[int] = frozenset()

    def drawn(self, options: TrainingOptions, draws: Draws) -> CandidateList:
        """Return a list of one block of evidence and ``options.negatives`` others."""
        positive = int(draws.choice(self.positives))
        wanted = round(options.hard_share * options.negatives)
        # What one of the two kinds lacks, the other one gives.
        hard = min(len(self.hard), max(wanted, options.negatives - len(self.others)))
        chosen = [self.hard[rank] for rank in draws.permutation(len(self.hard))[:hard]]
        chosen += self._others(options.negatives - hard, draws)
        return CandidateList(self.question, (*self._own([positive]), *chosen), 1, self.weight, self.barred)

    def fixed(self, options: TrainingOptions, draws: Draws) -> CandidateList:
        """Return the list of validation: all evidence, half hard blocks and half others, as far as there are."""
        count = options.validation_candidates
        hard = self.hard[: min(len(self.hard), max(count // 2, count - len(self.others)))]
        positives = self._own(self.positives[:MAX_POSITIVES])
        rest = self._others(count - len(hard), draws)
        return CandidateList(self.question, (*positives, *hard, *rest), len(positives), barred=self.barred)

    def _others(self, count: int, draws: Draws) -> list[Candidate]:
        count = min(len(self.others), count)
        return self._own(draws.choice(self.others, count, replace=False).tolist() if count > 0 else [])

    def _own(self, blocks: Iterable[int]) -> list[Candidate]:
        return [Candidate(self.question.document, block) for block in blocks]


@dataclass(frozen=True, slots=True)
class Pools:
    """The pools of some questions.

    Attributes
    ----------
    pools : tuple of Pool
        In the order of the questions.
    left_out : tuple of tuple of str
        Id and reason of every question that has no pool.
    """

    pools: tuple[Pool, ...]
    left_out: tuple[tuple[str, str], ...]


def pools_of(
    questions: Iterable[Question],
    mined: Mined | None,
    *,
    balance: float,
    what: str,
    base: Base | None = None,
    usable: Usable | None = None,
) -> Pools:
    """Return what the lists of some questions are drawn from.

    Parameters
    ----------
    questions : iterable of Question
    mined : Mined, optional
        Hard negatives by question.
    balance : float
        0 gives every question the same weight, 1 every set.
    what : str
        What the questions are for, in a message.
    base : Base, optional
        Questions in a language that it does not read are left out.
    usable : callable, optional
        Which blocks of a document a model can be shown, as an array of bool; all that are no running lines by default.

    Raises
    ------
    TrainingRefused
        If no question has a pool.
    """
    asked = list(questions)
    found: list[Pool] = []
    left_out: list[tuple[str, str]] = []
    documents = {one.document_key: one.document for one in asked}
    if isinstance(questions, Questions):
        documents |= questions.documents
    shown = {
        key: _shown(document) & (True if usable is None else usable(document)) for key, document in documents.items()
    }
    for one in asked:
        pool = _pool(one, mined, shown, documents) if is_read(one, base) else "in a language that the base cannot read"
        if isinstance(pool, str):
            left_out.append((one.id, pool))
        else:
            found.append(pool)
    if not found:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in Counter(why for _, why in left_out).items())
        raise TrainingRefused(
            f"None of the {counted(len(asked), 'question')} for {what} can be used"
            + (f" ({reasons})" if reasons else "")
            + "; give questions with evidence, on documents with other blocks beside it."
        )
    sizes = Counter(pool.question.set_name for pool in found)
    raw = np.array([sizes[pool.question.set_name] ** -balance for pool in found])
    weights = raw / raw.mean()
    pools = tuple(replace(pool, weight=float(weight)) for pool, weight in zip(found, weights, strict=True))
    return Pools(pools, tuple(left_out))


class Usable(Protocol):
    """Says which blocks of a document a model can be shown."""

    def __call__(self, document: Document) -> npt.NDArray[np.bool_]:
        """Return one value a block."""


def epoch_lists(pools: Sequence[Pool], options: TrainingOptions, epoch: int) -> list[CandidateList]:
    """Return the lists of an epoch in the order in which they are learned; the same for equal seed and epoch."""
    draws = np.random.default_rng([options.seed, epoch])
    return [pools[index].drawn(options, draws) for index in draws.permutation(len(pools))]


def validation_lists(pools: Sequence[Pool], options: TrainingOptions) -> list[CandidateList]:
    """Return the lists of validation: the same at every look, spread over the questions."""
    draws = np.random.default_rng([options.seed, 0, 1])
    chosen = sorted(draws.permutation(len(pools))[: options.validation_questions].tolist())
    return [pools[index].fixed(options, draws) for index in chosen]


def facts_of(pools: Iterable[Pool]) -> list[Any]:
    """Return what decides the lists, as plain values for a hash."""
    return [
        [
            pool.question.id,
            pool.question.document.sha256,
            len(pool.question.document),
            pool.question.question,
            list(pool.positives),
            [[one.document.sha256, one.block] for one in pool.hard],
            int(pool.others.sum()),
            round(pool.weight, 12),
        ]
        for pool in pools
    ]


def is_read(question: Question, base: Base | None) -> bool:
    """Return whether a base reads the language of a question and of its document, as far as that is known."""
    reader: Any = base
    return base is None or (reads(reader, question.document) and reads_question(reader, question.question))


def _pool(
    question: Question,
    mined: Mined | None,
    shown: Mapping[str, npt.NDArray[np.bool_]],
    documents: Mapping[str, Document],
) -> Pool | str:
    """Return the pool of a question, its weight still 1, or why it has none."""
    own = shown[question.document_key]
    positives = tuple(block for block in question.positives if own[block])
    if not question.positives:
        return "without evidence"
    if not positives:
        return "with evidence in running lines alone"
    barred = _barred(question, mined)
    chosen = [block for block in question.negatives if own[block]]
    elsewhere: list[Candidate] = []
    if mined is not None:
        chosen += [block for block in mined.blocks(question.id) if own[block] and block not in barred]
        # A document that is not among those of the questions is not for this model to see.
        elsewhere = [
            Candidate(documents[one.document_key], one.block)
            for one in mined.unanswered.get(question.id, ())
            if one.document_key in documents and shown[one.document_key][one.block]
        ]
    hard = [Candidate(question.document, block) for block in dict.fromkeys(chosen)] + elsewhere
    free = own.copy()
    free[sorted({*barred, *chosen})] = False
    others = np.flatnonzero(free).astype(np.int64)
    if not hard and not len(others):
        return "on documents without any other block"
    return Pool(question, positives, tuple(hard), others, 1.0, frozenset(barred.difference(chosen)))


def _barred(question: Question, mined: Mined | None) -> set[int]:
    """Return the blocks that are no negatives unless a person says so: evidence, its copies, and what is doubtful."""
    barred = {*question.evidence, *question.unsure}
    index = copy_index(question.document)
    for block in sorted(barred):
        barred.update(index.copies_of(question.document.texts[block]))
    if mined is not None:
        barred.update(mined.doubtful.get(question.id, ()))
    return barred


def _shown(document: Document) -> npt.NDArray[np.bool_]:
    """Return which blocks have letters or digits and are no running lines."""
    has_text = np.array([any(map(str.isalnum, text)) for text in document.texts], np.bool_)
    found: npt.NDArray[np.bool_] = has_text & ~np.isin(document.columns.kind, _RUNNING)
    return found
