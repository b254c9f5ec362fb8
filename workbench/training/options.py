"""How a classifier or an encoder adapter is trained; every value is checked before any work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from ..errors import InvalidOption

LOSSES = ("listwise", "binary")
DEVICES = ("auto", "cpu", "cuda", "mps")
PRECISIONS = ("auto", "fp32", "bf16")

_WHOLE = {
    "epochs": (1, 1_000),
    "rank": (1, 512),
    "batch": (1, 4_096),
    "negatives": (1, 1_000),
    "max_tokens": (16, 8_192),
    "validations": (1, 1_000),
    "validation_questions": (1, 100_000),
    "validation_candidates": (4, 10_000),
    "patience": (0, 1_000),
    "seed": (0, 2**32 - 1),
}
_NUMBERS = {
    "learning_rate": (0.0, 10.0),
    "head_rate": (0.0, 1_000.0),
    "alpha": (0.0, 4_096.0),
    "scale": (0.0, 1_000.0),
    "clip": (0.0, 1_000_000.0),
}
"""Above the first, and at most the second."""
_FROM_NOTHING = {"beside": 100.0, "pointwise": 100.0, "minutes": 100_000.0}
"""From 0 to this."""
_SHARES = ("hard_share", "warm_up", "weight_decay", "set_balance")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """How one model is trained.

    Parameters
    ----------
    epochs : int
        How often every question is shown, each time with other negatives.
    learning_rate : float
        The highest; it rises to it and falls to zero along a line.
    head_rate : float
        How many times as fast the head learns as the adapter.
    rank : int
        Of the adapter's matrices.
    alpha : float
        The adapter counts ``alpha / rank`` times.
    batch : int
        Questions of a step.
    negatives : int
        Blocks without evidence that stand beside the evidence of a question.
    hard_share : float
        Share of the negatives that are hard ones, 0 to 1, as far as there are so many; the others are drawn from the
        whole document.
    loss : str
        Of the classifier: "listwise" (the evidence against the other candidates of its list), or "binary" (each pair
        by itself).
    beside : float
        Of the classifier, in its lists: how many times the logit of the first stage counts that is added to its own,
        so that it learns what the first stage lacks. 0 trains it alone.
    pointwise : float
        Of the classifier: how much the binary loss counts beside the listwise one; it keeps its logit the logit of a
        probability.
    scale : float
        Of the encoder: what a cosine is multiplied with before it is compared.
    max_tokens : int
        Most word pieces of a pair, or of a passage; the rest of a longer one is not read in training.
    set_balance : float
        0 lets every question count the same, 1 every set.
    warm_up : float
        Share of the steps in which the rate rises, 0 to 1.
    weight_decay : float
        0 to 1.
    clip : float
        Longest gradient.
    minutes : float
        About how long the steps and looks take: as many steps are done as a short trial says, though no more than the
        epochs have. The number is written down, so that a training that goes on keeps it. 0 for all epochs.
    validations : int
        How often the questions of validation are looked at; each time a checkpoint is written.
    validation_questions : int
        Most questions that are looked at then; the same ones each time.
    validation_candidates : int
        Most blocks beside the evidence in a list of validation.
    patience : int
        Looks without a better one after which the training ends; 0 for never.
    seed : int
    device : str
        "cpu", "cuda", "mps", or "auto": the first of "cuda", "mps" and "cpu" that there is.
    precision : str
        "fp32", "bf16" (matrices alone), or "auto": the faster one here, by a short test that is remembered.

    Raises
    ------
    InvalidOption
        For a value that is unknown or outside its range.

    Examples
    --------
    >>> TrainingOptions(loss="pairwise")
    Traceback (most recent call last):
    workbench.errors.InvalidOption: loss is 'pairwise'; it is one of: listwise, binary.
    """

    epochs: int = 3
    learning_rate: float = 1e-3
    head_rate: float = 1.0
    rank: int = 16
    alpha: float = 32.0
    batch: int = 8
    negatives: int = 9
    hard_share: float = 0.9
    loss: str = "listwise"
    beside: float = 0.5
    pointwise: float = 0.2
    scale: float = 20.0
    max_tokens: int = 128
    set_balance: float = 0.5
    warm_up: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    minutes: float = 0.0
    validations: int = 4
    validation_questions: int = 40
    validation_candidates: int = 24
    patience: int = 3
    seed: int = 0
    device: str = "auto"
    precision: str = "auto"

    def __post_init__(self) -> None:
        for name, (least, most) in _WHOLE.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise InvalidOption(f"{name} is {value!r}; give a whole number from {least:,} to {most:,}.")
        for name, (above, top) in _NUMBERS.items():
            if not _is_number(getattr(self, name)) or not above < getattr(self, name) <= top:
                raise InvalidOption(
                    f"{name} is {getattr(self, name)!r}; give a number above {above:g}, at most {top:g}."
                )
        for name, most_of_it in _FROM_NOTHING.items():
            if not _is_number(getattr(self, name)) or not 0 <= getattr(self, name) <= most_of_it:
                raise InvalidOption(f"{name} is {getattr(self, name)!r}; give a number from 0 to {most_of_it:,g}.")
        for name in _SHARES:
            if not _is_number(getattr(self, name)) or not 0 <= getattr(self, name) <= 1:
                raise InvalidOption(f"{name} is {getattr(self, name)!r}; give a number from 0 to 1.")
        for name, allowed in (("loss", LOSSES), ("device", DEVICES), ("precision", PRECISIONS)):
            if getattr(self, name) not in allowed:
                raise InvalidOption(f"{name} is {getattr(self, name)!r}; it is one of: {', '.join(allowed)}.")

    @classmethod
    def for_encoder(cls, **chosen: Any) -> TrainingOptions:
        """Return the defaults of an encoder adapter, with some values chosen."""
        return cls.of({**_ENCODER, **chosen})

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> TrainingOptions:
        """Return the options that a file holds.

        Raises
        ------
        InvalidOption
            If it names an option that there is not.
        """
        known = [field.name for field in fields(cls)]
        if unknown := sorted(said.keys() - set(known)):
            raise InvalidOption(f"A training has no option {unknown[0]!r}; it has: {', '.join(known)}.")
        return cls(**said)

    def as_dict(self) -> dict[str, Any]:
        """Return the options by name."""
        return asdict(self)


_ENCODER: Mapping[str, Any] = {"batch": 24, "negatives": 2, "hard_share": 1.0, "learning_rate": 5e-4}
"""Where the options of an encoder adapter differ."""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
