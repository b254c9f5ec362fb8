"""What the first stage says of the blocks of a list, to stand beside a classifier that learns what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...documents.progress import showing
from .candidates import CandidateList, Pool

if TYPE_CHECKING:
    from ...documents import Document
    from ...relevance.scores import Scorer

Floats = npt.NDArray[np.float32]


class FirstStage:
    """Logits of a scorer, for the questions and documents of some pools.

    Parameters
    ----------
    known : mapping
        Logits of all blocks, by question id and hash of the document.
    """

    def __init__(self, known: Mapping[tuple[str, str], Floats]) -> None:
        self._known = known

    @classmethod
    def of(cls, scorer: Scorer, pools: Iterable[Pool], *, progress: bool | None = None) -> FirstStage:
        """Score the documents of some pools, and those that their negatives are from.

        Parameters
        ----------
        scorer : Scorer
            Of which the logits are taken, whatever a calibration makes of them.
        pools : iterable of Pool
        progress : bool, optional
            Whether progress is shown; None where somebody looks.
        """
        wanted: dict[tuple[str, str], tuple[Document, Pool]] = {}
        for pool in pools:
            for document in (pool.question.document, *(one.document for one in pool.hard)):
                wanted.setdefault((pool.question.id, document.sha256), (document, pool))
        found = {}
        with showing("Scoring by the first stage", progress) as report:
            for rank, (key, (document, pool)) in enumerate(wanted.items()):
                report(rank, len(wanted))
                asked = pool.question
                scores = scorer.score(document, asked.question, scope=asked.scope, progress=False)
                found[key] = scores.logits.astype(np.float32)
        return cls(found)

    def logits(self, one: CandidateList) -> Floats:
        """Return the logit of each candidate of a list."""
        name = one.question.id
        return np.array([self._known[name, each.document.sha256][each.block] for each in one.candidates], np.float32)
