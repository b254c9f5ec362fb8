"""What is taken for a hard negative."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...errors import InvalidOption

WAYS = ("tf-idf", "encoder", "classifier")


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningOptions:
    """What is taken for a hard negative.

    Parameters
    ----------
    ways : sequence of str
        How candidates are found, in this order: "tf-idf", by the words that they share with a positive; "encoder", by
        what the first stage scores highest for the question; "classifier", by what the second stage does, where the
        scorer has one.
    share : float
        Of the other blocks of the document, the share that each way takes as candidates for a positive, in (0, 1].
    per_positive : int
        Most hard negatives of a positive, from 1 on.
    margin : float
        How far under the score of the positive a block must be to be taken, as a share of the range of the document's
        scores, in [-1, 1]. Below 0 it may be above the positive by as much.
    answers : bool
        Whether a block that holds the answer of the question is left to a person.
    borderline : int
        Most blocks of a question that are left to a person, from 0 on.
    unanswered : int
        Most blocks of other documents of the type that are known not to answer the same question, for each question.

    Raises
    ------
    InvalidOption
        For an unknown way, and a value outside its range.
    """

    ways: tuple[str, ...] = WAYS
    share: float = 0.2
    per_positive: int = 8
    margin: float = 0.1
    answers: bool = True
    borderline: int = 8
    unanswered: int = 8

    def __post_init__(self) -> None:
        given = (self.ways,) if isinstance(self.ways, str) else tuple(self.ways)
        for way in given:
            if way not in WAYS:
                raise InvalidOption(f"There is no way {way!r:.40} to mine; choose from {', '.join(WAYS)}.")
        if not given or len(set(given)) < len(given):
            raise InvalidOption(f"ways is {given!r:.80}; name one or more of {', '.join(WAYS)}, each once.")
        object.__setattr__(self, "ways", given)
        if not _is_number(self.share) or not 0 < self.share <= 1:
            raise InvalidOption(f"share is {self.share!r:.40}; give a share of the blocks above 0 and up to 1.")
        if not _is_number(self.margin) or not -1 <= self.margin <= 1:
            raise InvalidOption(f"margin is {self.margin!r:.40}; give a share of the range of scores from -1 to 1.")
        if not isinstance(self.answers, bool):
            raise InvalidOption(f"answers is {self.answers!r:.40}; give True or False.")
        for name, least in (("per_positive", 1), ("borderline", 0), ("unanswered", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidOption(f"{name} is {value!r:.40}; give a whole number of blocks from {least} on.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
