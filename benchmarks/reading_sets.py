"""What the reading is asked to reach on each set, and the readings of its questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.evidence_sets import Case
from benchmarks.retrieval import Floats, Notion
from workbench.reading import Reading, SparseReader
from workbench.relevance.scores import Scope


@dataclass(frozen=True, slots=True)
class Aim:
    """One row of the table.

    Attributes
    ----------
    set_name : str
    notion : Notion
        What is recalled.
    most : float or None
        Percent of the tokens that 95 % recall may need; None where the aim is less than the best baseline needs.
    main : bool
        Whether it is the row that stands for its set, where one is needed.
    scope : Scope or None
        What the reader is told of the questions.
    """

    set_name: str
    notion: Notion = Notion.ANY
    most: float | None = None
    main: bool = True
    scope: Scope | None = None

    @property
    def name(self) -> str:
        """The set, and the scope where one is told."""
        return self.set_name if self.scope is None else f"{self.set_name}, scope {self.scope.value}"


AIMS = (
    Aim("loogle_short", most=9.0),
    Aim("loogle_long", most=48.0),
    Aim("loogle_long", most=48.0, main=False, scope=Scope.SEVERAL),
    Aim("loogle_long", Notion.EVERY, main=False),
    Aim("loogle_long", Notion.EVERY, main=False, scope=Scope.SEVERAL),
    Aim("financebench", Notion.FIRST, most=18.0),
    Aim("financebench", Notion.HALF, main=False),
    Aim("financebench", Notion.BLOCKS, most=40.0, main=False),
    Aim("xquad_pooled", most=1.5),
    Aim("xquad"),
    Aim("cuad"),
    Aim("cuad", Notion.FIRST, main=False),
    Aim("policyqa"),
    Aim("policyqa", Notion.FIRST, main=False),
    Aim("covidqa"),
    Aim("tatqa"),
    Aim("tatqa", Notion.EVERY, main=False),
    Aim("mmlongbench"),
    Aim("mtrag"),
    Aim("cmrc_pooled"),
    Aim("drcd_pooled"),
    Aim("xquad_zh_pooled"),
    Aim("xquad_zh"),
)
JUDGED = tuple(dict.fromkeys(aim.set_name for aim in AIMS))
SHORT = ("xquad", "xquad_zh")
"""Sets of documents so short that a reading keeps them whole."""
ABSTAINING = ("mmlongbench", "cuad", "mtrag")
"""Sets with questions that their document does not answer; these are in the set of the same name + ``UNANSWERABLE``."""
UNANSWERABLE = "_unanswerable"
SEED_SKIPPED = (76.0, 92.0)
"""Mean and greatest percent of the tokens skipped that the seed tells."""


class Readings:
    """The readings of questions by the workbench as it is shipped, each made once.

    Parameters
    ----------
    reader : SparseReader, optional
    scope : Scope, optional
        What the reader is told of every question.
    """

    def __init__(self, reader: SparseReader | None = None, scope: Scope | None = None) -> None:
        self.reader = reader or SparseReader()
        self._scope = scope
        self._made: dict[Case, Reading] = {}

    def __call__(self, case: Case) -> Reading:
        found = self._made.get(case)
        if found is None:
            found = self.reader.read(case.document, case.question, scope=self._scope, progress=False)
            self._made[case] = found
        return found

    def relevance(self, case: Case) -> Floats:
        """Score the blocks of a case by relevance alone."""
        return self(case).scores.logits.astype(np.float64)

    def priority(self, case: Case) -> Floats:
        """Score the blocks of a case by relevance x structure weight."""
        return self(case).priority
