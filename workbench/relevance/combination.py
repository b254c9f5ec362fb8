"""Fitted weights of what makes a logit: how much each part counts, and what a block is whatever is asked.

The parts still add up to the logit, so an explanation stays arithmetic.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption
from .block_features import FEATURES
from .fusion import summed
from .recurring import RECURRING
from .second_stage import StageScale

if TYPE_CHECKING:
    from .second_stage import Look

Floats = npt.NDArray[np.float32]

STRUCTURE = "structure"
"""The part that the features of a block add."""
LEVEL = "level"
"""The part that is the same for all blocks of a document."""
SECOND_STAGE = "second_stage"
"""Stands for the part of the second stage, whatever that is called."""
PARTS = ("semantic", "question_parts", "lexical", "neighbours", "page_tables", "own_words", RECURRING, SECOND_STAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """How the parts of a logit are weighed.

    Parameters
    ----------
    weights : mapping of str to float
        By part (``PARTS``), a factor from 0 on; a part without one counts as the fusion counts it. "second_stage" is
        the weight of the second stage, in the place of the scorer's ``second_stage_weight``.
    features : mapping of str to float
        By feature of a block (``block_features.FEATURES``), what one unit of it adds to the logit.
    stage_scale : StageScale or its name
    level : float
        Share of the best block's logit that is taken away from every block of the document, 0 to 1. It leaves the order
        of the blocks alone and makes logits of two documents comparable: where much speaks for a question's best block,
        much speaks for its neighbours as well.

    Raises
    ------
    InvalidOption
        For a name that is none, or a value that is no number; for a negative weight, or a level outside its range.

    Examples
    --------
    >>> combination = Combination(weights={"lexical": 0.5}, features={"length": -0.25})
    >>> Combination.of(combination.as_dict()) == combination
    True
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    features: Mapping[str, float] = field(default_factory=dict)
    stage_scale: StageScale = StageScale.STANDARDISED
    level: float = 0.0

    def __post_init__(self) -> None:
        weights = {name: _checked("weight", name, self.weights[name], PARTS, 0.0) for name in sorted(self.weights)}
        features = {name: _checked("feature", name, self.features[name], FEATURES) for name in sorted(self.features)}
        if self.stage_scale not in set(StageScale):
            raise InvalidOption(
                f"stage_scale is {self.stage_scale!r:.40}; choose from {', '.join(map(repr, map(str, StageScale)))}."
            )
        level = _number("level", self.level)
        if not 0 <= level <= 1:
            raise InvalidOption(f"level is {self.level!r:.40}; give a number from 0 to 1.")
        object.__setattr__(self, "level", level)
        object.__setattr__(self, "weights", MappingProxyType(weights))
        object.__setattr__(self, "features", MappingProxyType(features))
        object.__setattr__(self, "stage_scale", StageScale(self.stage_scale))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Combination) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be pickled.
        return _unpickled, (self.as_dict(),)

    @property
    def needs_second_stage(self) -> bool:
        """Whether it was fitted with a second stage."""
        return SECOND_STAGE in self.weights

    @property
    def needs_recurring(self) -> bool:
        """Whether it was fitted with what was learnt of recurring questions."""
        return RECURRING in self.weights

    def key(self) -> str:
        """Return what tells it from others, for fingerprints."""
        return "combination 1 " + json.dumps(self.as_dict(), sort_keys=True)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values, as a manifest holds them."""
        return {
            "weights": dict(self.weights),
            "features": dict(self.features),
            "stage_scale": self.stage_scale.value,
            "level": self.level,
        }

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Combination:
        """Return the combination of ``as_dict``.

        Raises
        ------
        InvalidOption
            If it holds what no combination of this version has.
        """
        known = ("weights", "features", "stage_scale", "level")
        if unknown := sorted(set(said) - set(known)):
            raise InvalidOption(f"A combination has no {unknown[0]!r}; it has: {', '.join(known)}.")
        return cls(**said)

    def combined(
        self,
        parts: Mapping[str, Floats],
        features: Mapping[str, Floats],
        count: int,
        *,
        look: Look | None = None,
        stage: str = SECOND_STAGE,
        stage_weight: float = 1.0,
    ) -> dict[str, Floats]:
        """Return the parts of the logit as they are weighed; they add up to it.

        Parameters
        ----------
        parts, features : mapping of str to ndarray of float32, shape (n,)
            Of the first stage, and of the blocks.
        count : int
            n.
        look : Look, optional
            What the second stage says.
        stage : str
            What the second stage is called.
        stage_weight : float
            Its weight, where none was fitted.

        Returns
        -------
        dict of str to ndarray of float32, shape (n,)
            The names of ``parts``, then "structure" where features have weights, the second stage, and "level".
        """
        found = {name: np.float32(self.weights.get(name, 1.0)) * values for name, values in parts.items()}
        if self.features:
            added = np.zeros(count, np.float32)
            for name, weight in self.features.items():
                added += np.float32(weight) * features[name]
            found[STRUCTURE] = added
        if look is not None:
            found[stage] = look.part(count, self.weights.get(SECOND_STAGE, stage_weight), self.stage_scale)
        if self.level and count:
            best = summed(found, count).max()
            found[LEVEL] = np.full(count, -np.float32(self.level) * best, np.float32)
        return found


def _checked(what: str, name: str, value: object, known: tuple[str, ...], least: float | None = None) -> float:
    if name not in known:
        raise InvalidOption(f"A combination has no {what} {name!r}; choose from {', '.join(known)}.")
    number = _number(f"The {what} {name!r} of a combination", value)
    if least is not None and number < least:
        raise InvalidOption(f"The {what} {name!r} of a combination is {number!r}; give a number from {least:g} on.")
    return number


def _number(called: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise InvalidOption(f"{called} is {value!r:.40}; give a number.")
    return float(value)


def _unpickled(said: dict[str, Any]) -> Combination:
    return Combination.of(said)
