"""A closer look at the best candidates: a cross-encoder, or a rule that a person wrote, behind one interface."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption
from .fusion import standardised

if TYPE_CHECKING:
    from .combination import Combination
    from .recurring import RecurringQuestions

Logits = npt.NDArray[np.float32]

TAKEN_NAMES = (
    "semantic",
    "question_parts",
    "lexical",
    "neighbours",
    "page_tables",
    "own_words",
    "recurring",
    "structure",
    "level",
    "feedback",
)
"""Parts of a logit; a second stage of such a name would take the place of one."""

CANDIDATES = 50
"""Blocks that a second stage looks at which does not say how many."""


class SecondStage(Protocol):
    """Scores the text of a few blocks against the question.

    A cross-encoder (``CrossEncoder``), a hand-written rule (``HandWritten``) and a trained classifier (``Classifier``)
    have this interface. One with the attribute ``reads_context`` gets each block with its headings and table header
    (``pair_text.pair_texts``, with the options in its attribute ``pair_text``), one with ``candidates`` looks at so
    many blocks, and one with ``languages`` is not asked about others.
    """

    @property
    def name(self) -> str:
        """What to call it in an explanation."""

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides its scores."""

    def score(self, question: str, texts: Sequence[str]) -> tuple[Logits, npt.NDArray[np.float32]]:
        """Return a logit for each text, and the share of the text that was read, in [0, 1]."""


class StageScale(StrEnum):
    """On which scale the logits of a second stage are weighed."""

    STANDARDISED = "standardised"
    """Mean 0 and standard deviation 1 over the candidates of a question: an order, and how clear it is."""
    LOGIT = "logit"
    """As the second stage gives them: how sure it is counts."""


@dataclass(frozen=True, eq=False)
class Look:
    """What a second stage says of its candidates.

    Attributes
    ----------
    blocks : ndarray of intp, shape (k,)
        Ids, the best of the first stage first.
    logits : ndarray of float32, shape (k,)
    """

    blocks: npt.NDArray[np.intp]
    logits: Logits

    def part(self, count: int, weight: float, scale: StageScale = StageScale.STANDARDISED) -> Logits:
        """Return what it adds to the logits of ``count`` blocks.

        The others get what the worst candidate got, so that none passes unseen.
        """
        told = standardised(self.logits) if scale is StageScale.STANDARDISED else self.logits
        again = np.float32(weight) * told
        part = np.full(count, again.min() if len(again) else 0.0, np.float32)
        part[self.blocks] = again
        return part


class HandWritten:
    """A rule in Python as a second stage.

    Parameters
    ----------
    rule : callable
        ``rule(question, text)`` returns a number: the higher, the likelier that the text holds the answer.
    name : str
        What to call it.
    version : str
        Raise it when the rule changes: scores are known by name and version.

    Examples
    --------
    >>> stage = HandWritten(lambda question, text: float("backup" in text), name="says backup", version="1")
    >>> stage.score("When is a backup made?", ["A backup is made daily.", "Other text."])[0].tolist()
    [1.0, 0.0]
    """

    def __init__(self, rule: Callable[[str, str], float], *, name: str, version: str) -> None:
        self._rule = rule
        self.name = name
        self.fingerprint = hashlib.sha256(f"hand-written\n{name}\n{version}".encode()).hexdigest()

    def score(self, question: str, texts: Sequence[str]) -> tuple[Logits, npt.NDArray[np.float32]]:
        """Return what the rule says about each text; it reads all of it.

        Raises
        ------
        InvalidOption
            If the rule returns what is no finite number.
        """
        logits = np.array([float(self._rule(question, text)) for text in texts], np.float32)
        if not np.isfinite(logits).all():
            raise InvalidOption(f"The rule {self.name!r} returned {logits.tolist()}; it must return finite numbers.")
        return logits, np.ones(len(texts), np.float32)


def checked_stage(stage: SecondStage | None) -> SecondStage | None:
    """Return the second stage.

    Raises
    ------
    InvalidOption
        If it has the name of another part of the logit.
    """
    if stage is not None and stage.name in TAKEN_NAMES:
        raise InvalidOption(
            f"The second stage is called {stage.name!r}, as a part of the logit is; give it a name that is none of "
            f"{', '.join(TAKEN_NAMES)}."
        )
    return stage


def checked_weight(weight: float) -> float:
    """Return the weight of a second stage.

    Raises
    ------
    InvalidOption
        If it is negative or no number.
    """
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not isfinite(weight) or weight < 0:
        raise InvalidOption(f"second_stage_weight is {weight!r}; give a number from 0 on.")
    return weight


def checked_combination(
    combination: Combination | None, stage: SecondStage | None, recurring: RecurringQuestions | None = None
) -> Combination | None:
    """Return the combination.

    Raises
    ------
    InvalidOption
        If it is none, or was fitted with a second stage, or with recurring questions, and there is none.
    """
    from .combination import Combination

    if combination is not None and not isinstance(combination, Combination):
        raise InvalidOption(f"combination is {combination!r:.60}; give a Combination.")
    if combination is not None and combination.needs_second_stage and stage is None:
        raise InvalidOption("The combination was fitted with a second stage; give the scorer its second_stage as well.")
    if combination is not None and combination.needs_recurring and recurring is None:
        raise InvalidOption("The combination was fitted with recurring questions; give the scorer recurring as well.")
    return combination


def candidates_of(stage: SecondStage | None, candidates: int | None) -> int:
    """Return how many blocks a second stage looks at: what was given, what it says itself, or ``CANDIDATES``.

    Raises
    ------
    InvalidOption
        If that is no whole number from 1 on.
    """
    chosen = getattr(stage, "candidates", CANDIDATES) if candidates is None else candidates
    if isinstance(chosen, bool) or not isinstance(chosen, int) or chosen < 1:
        raise InvalidOption(f"candidates is {chosen!r:.40}; give a whole number from 1 on.")
    return chosen


def reads_context(stage: SecondStage | None) -> bool:
    """Return whether a second stage reads a block with its headings and table header."""
    return bool(getattr(stage, "reads_context", False))


def checked_logits(logits: Logits, stage: SecondStage, count: int) -> Logits:
    """Return what a second stage says of ``count`` texts; one that a person wrote may err.

    Raises
    ------
    InvalidOption
        If it is not one finite number for each.
    """
    if np.shape(logits) != (count,):
        raise InvalidOption(
            f"The second stage {stage.name!r} gave logits of shape {np.shape(logits)} for {count} texts; "
            "it must give one for each."
        )
    found = np.asarray(logits, np.float32)
    if not np.isfinite(found).all():
        wrong = found[~np.isfinite(found)][0]
        raise InvalidOption(f"The second stage {stage.name!r} gave the logit {wrong:g}; it must give finite numbers.")
    return found
