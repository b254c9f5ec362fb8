"""What a reading is decided from: it stays as it is while cuts and budgets are tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..documents.blocks import FURNITURE, KIND_CODE
from ..errors import InvalidOption
from .context import ContextLinks
from .coverage import pages_not_read
from .feedback import FeedbackVoice, with_feedback
from .selection import Mask, Priority
from .tokenizers import Tokenizer

if TYPE_CHECKING:
    from ..documents import Document
    from ..relevance.scores import RelevanceScores, Scope, Scorer
    from ..structure import StructureWeights
    from .profile_used import ProfileUsed

_FURNITURE = [KIND_CODE[kind] for kind in FURNITURE]


@dataclass(frozen=True, eq=False)
class Basis:
    """Everything that a decision about the n blocks of a document needs, and nothing that it changes.

    Attributes
    ----------
    document : Document
    question : str
    scope : Scope or None
    scored : RelevanceScores
        As the scorer gave them, calibrated where there is a calibration.
    feedback : mapping of int to FeedbackVoice
        What people said of blocks, by block id.
    structure : StructureWeights
    scorer : Scorer
        Asked only for the words that a block was found by.
    tokenizer : Tokenizer
    tokens : ndarray of int64, shape (n,)
    offset : float
        What the document's type adds to a threshold.
    remarks : tuple of str
        What the reader has to say, whatever is decided.
    profile : ProfileUsed or None
        The gate profile that the reader was made from.
    """

    document: Document
    question: str
    scope: Scope | None
    scored: RelevanceScores
    structure: StructureWeights
    scorer: Scorer
    tokenizer: Tokenizer
    tokens: npt.NDArray[np.int64]
    offset: float = 0.0
    feedback: Mapping[int, FeedbackVoice] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    profile: ProfileUsed | None = None

    def weighed(self, structure: StructureWeights) -> Basis:
        """Return the same with the weights of another table."""
        return replace(self, structure=structure)

    def remarked(self, remark: str) -> Basis:
        """Return the same with one more remark."""
        return replace(self, remarks=(*self.remarks, remark))

    def heard(self, feedback: Mapping[int, FeedbackVoice]) -> Basis:
        """Return the same with other feedback."""
        return replace(self, feedback=feedback)

    @cached_property
    def scores(self) -> RelevanceScores:
        """The scores after feedback on blocks."""
        return with_feedback(self.scored, self.feedback)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What must be known whatever is decided, a sentence each."""
        said = (*pages_not_read(self.document), *self.remarks, *self.scored.notes, *self.structure.notes)
        count = len(self.feedback)
        if count:
            blocks = f"{count:,} block{'s are' if count > 1 else ' is'}"
            said = (*said, f"{blocks} scored down, because people marked them or near-copies as of no use.")
        return tuple(dict.fromkeys(said))

    @cached_property
    def priority(self) -> Priority:
        """Relevance x structure weight, float64, shape (n,)."""
        found: Priority = self.scores.relevance * self.structure.weights
        found.flags.writeable = False
        return found

    @cached_property
    def ties(self) -> npt.NDArray[np.intp]:
        """Rank of each block that decides between equal priorities: by logit, then by id.

        A map of a few steps gives many blocks one relevance, and their logits still differ.
        """
        rank = np.empty(len(self.scored), np.intp)
        rank[self.scored.order] = np.arange(len(rank))
        return rank

    @property
    def nothing_relevant(self) -> bool:
        """Whether the scorer itself says that no block speaks to the question."""
        return bool(self.scored.nothing_relevant)

    @cached_property
    def links(self) -> ContextLinks:
        """The context of each block."""
        return ContextLinks.of(self.document)

    @cached_property
    def has_text(self) -> Mask:
        """Which blocks have text of their own: a table has not, its rows have."""
        first = self.document.columns.first_piece
        return first[1:] > first[:-1]

    @cached_property
    def running_line(self) -> Mask:
        """Which blocks are headers or footers of a page."""
        return np.isin(self.document.columns.kind, _FURNITURE)

    @cached_property
    def body(self) -> Mask:
        """Which blocks have text and are no running lines; the running lines, if there is nothing else."""
        body = self.has_text & ~self.running_line
        return body if body.any() else self.has_text

    @cached_property
    def worth_a_share(self) -> Mask:
        """Which blocks a share of the tokens may be spent on: a relevance of 0 says that there is no evidence."""
        return self.body & (self.scores.relevance > 0)


def checked_scores(scores: RelevanceScores, document: Document) -> RelevanceScores:
    """Return the scores if they are scores of this document's blocks: a hand-written scorer may err.

    Raises
    ------
    InvalidOption
        If there is not one finite logit, and one relevance in [0, 1], for each block.
    """
    count = len(document)
    for name, array in (("logits", scores.logits), ("relevances", scores.relevance), ("shares", scores.share_read)):
        if np.shape(array) != (count,):
            raise InvalidOption(
                f"The scorer gave {name} of shape {np.shape(array)} for the {count} blocks of {document.name}; "
                "it must give one for each block."
            )
    relevance = scores.relevance
    wrong = np.flatnonzero(~((relevance >= 0) & (relevance <= 1)))
    if wrong.size:
        raise InvalidOption(
            f"The scorer gave block {wrong[0]} of {document.name} the relevance {relevance[wrong[0]]:g}; "
            "it must be a number from 0 to 1."
        )
    wrong = np.flatnonzero(~np.isfinite(scores.logits))
    if wrong.size:
        raise InvalidOption(
            f"The scorer gave block {wrong[0]} of {document.name} the logit {scores.logits[wrong[0]]:g}; "
            "it must be a finite number."
        )
    return scores
