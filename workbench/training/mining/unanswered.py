"""Negatives from other documents: blocks that score high where a question is known to have no answer.

Only a document that is *known* not to answer the very same question gives any. Where another document answers it too,
what scores high may say the same, and where nobody knows, it may be evidence that nobody marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...reading.near_copies import plain_letters
from ..near_copies import copy_index
from ..question import Question, Questions
from .candidates import Ground
from .mined import Unanswered
from .options import MiningOptions

if TYPE_CHECKING:
    from ...relevance.scores import Scorer

FROM_ONE = 2
"""Blocks of one document that serve one question, so that several documents give some."""

Group = tuple[str, str, str]


def unanswered(questions: Questions, scorer: Scorer, options: MiningOptions) -> dict[str, tuple[Unanswered, ...]]:
    """Return for each question the blocks that score highest for it where it is known to be unanswerable.

    Parameters
    ----------
    questions : Questions
        Two questions are the same if their letters and digits are, and set and document type as well.
    scorer : Scorer
    options : MiningOptions

    Returns
    -------
    dict of str to tuple of Unanswered
        By the ids of all questions.
    """
    hopeless: dict[Group, list[Question]] = defaultdict(list)
    for one in questions.unanswerable:
        hopeless[_group(one)].append(one)
    ranks: dict[Group, int] = defaultdict(int)
    best: dict[str, Sequence[tuple[int, float]]] = {}
    found: dict[str, tuple[Unanswered, ...]] = {}
    for question in questions:
        group = _group(question)
        known = hopeless.get(group, ())
        # Each question begins at another document, so that not all of a group learn from the same few.
        start = ranks[group] * max(1, options.unanswered // FROM_ONE)
        ranks[group] += 1
        turned = [known[(start + step) % len(known)] for step in range(len(known))]
        found[question.id] = tuple(_of(question, turned, scorer, options, best))
    return found


def _of(
    question: Question,
    hopeless: Sequence[Question],
    scorer: Scorer,
    options: MiningOptions,
    best: dict[str, Sequence[tuple[int, float]]],
) -> Iterator[Unanswered]:
    left = options.unanswered
    texts = question.document.texts
    for other in hopeless:
        if left <= 0:
            return
        if other.document.sha256 == question.document.sha256:
            continue
        if other.id not in best:
            best[other.id] = _highest(other, scorer, options)
        index = copy_index(other.document)
        copies = {copy for block in question.evidence for copy in index.copies_of(texts[block])}
        chosen = [entry for entry in best[other.id] if entry[0] not in copies][: min(left, FROM_ONE)]
        left -= len(chosen)
        for block, score in chosen:
            yield Unanswered(other.document_key, other.id, block, score)


def _highest(question: Question, scorer: Scorer, options: MiningOptions) -> list[tuple[int, float]]:
    scores = scorer.score(question.document, question.question, scope=question.scope, progress=False)
    if not len(scores) or scores.logits.min() == scores.logits.max():
        return []
    content = Ground(question.document).content.copy()
    content[list(question.unsure)] = False
    order = np.argsort(-scores.logits, kind="stable")
    chosen = order[content[order]][: options.unanswered + FROM_ONE]
    return [(int(block), float(scores.logits[block])) for block in chosen]


def _group(question: Question) -> Group:
    return question.set_name, question.document_type, plain_letters(question.question)
