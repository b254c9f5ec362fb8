"""A closer look at the best candidates: a cross-encoder, or a rule that a person wrote, behind one interface."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption

Logits = npt.NDArray[np.float32]


class SecondStage(Protocol):
    """Scores the text of a few blocks against the question.

    A cross-encoder (``CrossEncoder``) and a hand-written rule (``HandWritten``) have this interface.
    """

    @property
    def name(self) -> str:
        """What to call it in an explanation."""

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides its scores."""

    def score(self, question: str, texts: Sequence[str]) -> tuple[Logits, npt.NDArray[np.float32]]:
        """Return a logit for each text, and the share of the text that was read, in [0, 1]."""


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
