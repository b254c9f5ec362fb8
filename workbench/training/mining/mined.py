"""What mining found: hard negatives, blocks that a person should decide on, and copies of evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, uuid5

from ...documents.surrogates import without_surrogates
from ...printing import counted
from ..labels.label import Label
from ..labels.values import LabelSource, LabelValue
from .options import MiningOptions

if TYPE_CHECKING:
    import pandas as pd

    from ..question import Questions
    from .report import MiningReport

LABEL_WAY = "label"
"""The way of a negative that a person labelled."""
SUGGESTED_WAYS: tuple[str, ...] = tuple(source.value for source in LabelSource if source is not LabelSource.PERSON)
"""The ways of negatives with a label that no person made: where that label is from."""


class Doubt(StrEnum):
    """Why a block is left to a person."""

    SCORE = "score"
    """It scores as high as a positive, or nearly."""
    ANSWER = "answer"
    """It holds the answer of the question."""


@dataclass(frozen=True, slots=True)
class HardNegative:
    """A block of the question's own document that looks like evidence and is none.

    Attributes
    ----------
    block : int
    way : str
        "label" if a person labelled it; "feedback", "gold" or "mined" if it has a label from there; else the way that
        found it first.
    score : float
        Its logit for the question.
    positive : int
        The block of evidence beside which it was found; where a piece stands in several places, the best of them.
    positive_score : float
        The logit of that.
    similarity : float
        Cosine of the two by TF-IDF, 0 to 1.
    """

    block: int
    way: str
    score: float
    positive: int
    positive_score: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Borderline(HardNegative):
    """A candidate that may be evidence which nobody marked: it is no negative until a person says so."""

    doubt: Doubt = Doubt.SCORE


@dataclass(frozen=True, slots=True)
class CopyOfEvidence:
    """A candidate that says the same as a block of evidence, and so is no negative."""

    block: int
    positive: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A block of *another* document that is known not to answer the question; it scores high there all the same.

    Attributes
    ----------
    document_key : str
    request : str
        Id of the question that the document is known not to answer.
    block : int
        Of that document.
    score : float
        Its logit there; no measure beside scores of another document.
    """

    document_key: str
    request: str
    block: int
    score: float


@dataclass(frozen=True, eq=False)
class Mined:
    """Hard negatives by question, and what a person should look at.

    Attributes
    ----------
    negatives : mapping of str to tuple of HardNegative
        By the id of every question: first those that a person labelled, then those with another label, then from the
        hardest on, ways and positives in turn. Empty where none was found.
    borderline : mapping of str to tuple of Borderline
        By question: those that hold the answer first, then from the highest score on.
    doubtful : mapping of str to frozenset of int
        By question, every block that may be evidence or leads to it, and what says the same; a person is asked about
        those in ``borderline``. None of them is a negative.
    unanswered : mapping of str to tuple of Unanswered
        By question; blocks of other documents.
    copies : mapping of str to tuple of CopyOfEvidence
        By question, in the order of the document.
    report : MiningReport
        How many candidates each way found and each filter dropped.
    notes : tuple of str
        What a person must know, a sentence each.
    """

    negatives: Mapping[str, tuple[HardNegative, ...]]
    borderline: Mapping[str, tuple[Borderline, ...]]
    doubtful: Mapping[str, frozenset[int]]
    unanswered: Mapping[str, tuple[Unanswered, ...]]
    copies: Mapping[str, tuple[CopyOfEvidence, ...]]
    report: MiningReport
    options: MiningOptions
    notes: tuple[str, ...] = ()

    def blocks(self, question_id: str) -> tuple[int, ...]:
        """Return the hard negatives of a question as blocks of its document; none for an unknown question."""
        return tuple(found.block for found in self.negatives.get(question_id, ()))

    def to_frame(self, questions: Questions | None = None) -> pd.DataFrame:
        """Return one row a hard negative, borderline block and near-copy of evidence, by question.

        Parameters
        ----------
        questions : Questions, optional
            Those that were mined, to have the texts as well.

        Returns
        -------
        DataFrame
            Columns question, block, kind ("hard negative", "borderline" or "near-copy"), way, doubt ("" where there is
            none), score, positive, positive_score, similarity (nan for near-copies); with questions also document,
            asked, text and positive_text.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for kind, by_question in self._kinds().items():
            for name, some in by_question.items():
                rows += [{**_row(name, kind, found), **_texts(questions, name, found)} for found in some]
        columns = (*_COLUMNS, *(_TEXTS if questions is not None else ()))
        return pd.DataFrame(rows, columns=list(columns))

    def to_labels(self, questions: Questions, *, annotator: str = "mining") -> list[Label]:
        """Return the hard negatives that have no label yet as labels, for a store or a file; equal ones have equal ids.

        Parameters
        ----------
        questions : Questions
            Those that were mined.
        annotator : str
            Who says so.
        """
        return [
            Label.of(
                (one := questions.question(name)).document,
                one.question,
                found.block,
                LabelValue.HARD_NEGATIVE,
                annotator=annotator,
                source=LabelSource.MINED,
                scores={"logit": found.score},
                reason=found.way,
                request=name,
                id=str(uuid5(NAMESPACE_OID, f"{annotator} {one.document.sha256} {found.block} {one.question}")),
            )
            for name, some in self.negatives.items()
            for found in some
            if found.way not in (LABEL_WAY, *SUGGESTED_WAYS)
        ]

    def _kinds(self) -> dict[str, Mapping[str, tuple[HardNegative | CopyOfEvidence, ...]]]:
        return {"hard negative": self.negatives, "borderline": self.borderline, "near-copy": self.copies}

    def __repr__(self) -> str:
        hard, open_ = (sum(map(len, some.values())) for some in (self.negatives, self.borderline))
        asked = counted(len(self.negatives), "question")
        return f"Mined({counted(hard, 'hard negative')} and {open_:,} borderline for {asked})"


_COLUMNS = ("question", "block", "kind", "way", "doubt", "score", "positive", "positive_score", "similarity")
_NUMBERS = ("score", "positive_score", "similarity")
_TEXTS = ("document", "asked", "text", "positive_text")


def _row(question: str, kind: str, found: HardNegative | CopyOfEvidence) -> dict[str, Any]:
    row = {"question": without_surrogates(question), "block": found.block, "kind": kind, "positive": found.positive}
    if isinstance(found, CopyOfEvidence):
        return {**row, "way": "", "doubt": "", **dict.fromkeys(_NUMBERS, float("nan"))}
    doubt = found.doubt.value if isinstance(found, Borderline) else ""
    return {**row, "way": found.way, "doubt": doubt, **{name: getattr(found, name) for name in _NUMBERS}}


def _texts(questions: Questions | None, name: str, found: HardNegative | CopyOfEvidence) -> dict[str, str]:
    if questions is None:
        return {}
    one = questions.question(name)
    texts = one.document.texts
    said = (one.document_key, one.question, texts[found.block], texts[found.positive])
    return dict(zip(_TEXTS, map(without_surrogates, said), strict=True))
