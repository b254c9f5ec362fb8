"""What decides how a follow-up is read; every default was measured (``docs/benchmarks.md``)."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields

from .cuts import number, whole

SEED_TOPIC_THRESHOLD = 0.65
"""Cosine under which a question is a new topic, for the model that the method was published with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpOptions:
    """How a follow-up is told from a new topic, and how much of the document it keeps.

    Parameters
    ----------
    topic_threshold : float
        -1 to 1. A question whose cosine with the mean of the last three is under it is a new topic. 0.65
        (``SEED_TOPIC_THRESHOLD``) is the published value, for another model; with all-MiniLM-L6-v2 it takes 6 of 7
        follow-ups for new topics. A new topic that is missed costs little with ``widen``, a false one costs a whole
        reading, so the default errs on the side of follow-ups.
    token_share : float
        0.01 to 1. Most tokens of a follow-up's kept text, as a share of those of the topic's first reading.
    least_tokens : int
        Tokens that a follow-up may always have; a first reading with fewer is kept whole.
    sentences_per_block : int
        From 1 on: most sentences of one block. With 3, the published value, as much evidence is found, but of a long
        block the sentence with the answer is sometimes left out (2 to 10 points of answers in Chinese).
    widen : bool
        Whether blocks outside the anchors may be kept where they fit the question better. Without it a question on
        another part of the document that is taken for a follow-up finds nothing there.
    anchor_preference, reference_preference : float
        0 to 100. What an anchor is ahead of other blocks, in standard deviations of the scores: for any follow-up, and
        for a question that refers back.
    previous_weight : float
        0 to 1. Weight of the question before, where the question itself has 1, for one that refers back; a question
        that stands alone gives it a quarter of that.
    """

    topic_threshold: float = 0.15
    token_share: float = 0.15
    least_tokens: int = 256
    sentences_per_block: int = 10
    widen: bool = True
    anchor_preference: float = 1.0
    reference_preference: float = 2.0
    previous_weight: float = 0.5

    def __post_init__(self) -> None:
        for name, least, most in (
            ("topic_threshold", -1.0, 1.0),
            ("token_share", 0.01, 1.0),
            ("anchor_preference", 0.0, 100.0),
            ("reference_preference", 0.0, 100.0),
            ("previous_weight", 0.0, 1.0),
        ):
            object.__setattr__(self, name, number(name, getattr(self, name), least, most))
        for name, fewest in (("least_tokens", 0), ("sentences_per_block", 1)):
            object.__setattr__(self, name, whole(name, getattr(self, name), fewest))
        object.__setattr__(self, "widen", bool(self.widen))

    def key(self) -> str:
        """Return what tells these options from others.

        Examples
        --------
        >>> FollowUpOptions().key() == FollowUpOptions(widen=False).key()
        False
        """
        return " ".join(f"{field.name}={value!r}" for field, value in zip(fields(self), astuple(self), strict=True))
