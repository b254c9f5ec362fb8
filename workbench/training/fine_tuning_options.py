"""How a classifier is made from questions: the options of all steps."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ..errors import InvalidOption
from ..relevance.pair_text import PairTextOptions
from ..relevance.second_stage import CANDIDATES
from .mining.options import MiningOptions
from .options import TrainingOptions
from .recurring_training import RecurringOptions

ENCODER_MINUTES = 0.25
"""Share of the minutes of both trainings that the encoder has: its rows are shorter."""
HARD_PER_POSITIVE = 16
"""More than one list shows, so that every epoch shows others."""
MARGIN = -0.1
"""A negative may score a little above the evidence: who learns what the first stage lacks must see where it errs."""


def _mining() -> MiningOptions:
    return MiningOptions(per_positive=HARD_PER_POSITIVE, margin=MARGIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuningOptions:
    """How a classifier is made from questions.

    Parameters
    ----------
    classifier : TrainingOptions
    encoder : TrainingOptions or None
        Of the encoder adapter, which the first stage uses and the classifier starts from; None leaves it out.
    recurring : RecurringOptions or None
        Of what is learnt of questions that many documents are asked; None leaves it out.
    mining : MiningOptions
    texts : PairTextOptions
        What the classifier reads of a block.
    validation, test : float
        Shares of the documents that the checkpoints and the combination are chosen by, and that the result is judged
        on.
    candidates : int
        Blocks that the classifier looks at for a question.
    combine : bool
        Whether the weights of the parts of a logit are fitted on the documents of validation.
    seed : int
        Of the split and the intervals.

    Raises
    ------
    InvalidOption
        For a value that is of another kind.
    """

    classifier: TrainingOptions = field(default_factory=TrainingOptions)
    encoder: TrainingOptions | None = field(default_factory=TrainingOptions.for_encoder)
    recurring: RecurringOptions | None = field(default_factory=RecurringOptions)
    mining: MiningOptions = field(default_factory=_mining)
    texts: PairTextOptions = field(default_factory=PairTextOptions)
    validation: float = 0.2
    test: float = 0.2
    candidates: int = CANDIDATES
    combine: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        for name, kind in (("classifier", TrainingOptions), ("mining", MiningOptions), ("texts", PairTextOptions)):
            if not isinstance(getattr(self, name), kind):
                raise InvalidOption(f"{name} is {getattr(self, name)!r:.80}; give {kind.__name__}(…).")
        if self.encoder is not None and not isinstance(self.encoder, TrainingOptions):
            raise InvalidOption(f"encoder is {self.encoder!r:.80}; give TrainingOptions.for_encoder(…), or None.")
        if self.recurring is not None and not isinstance(self.recurring, RecurringOptions):
            raise InvalidOption(f"recurring is {self.recurring!r:.80}; give RecurringOptions(…), or None.")
        if not isinstance(self.combine, bool):
            raise InvalidOption(f"combine is {self.combine!r:.80}; give True or False.")
        if isinstance(self.candidates, bool) or not isinstance(self.candidates, int) or self.candidates < 1:
            raise InvalidOption(f"candidates is {self.candidates!r:.80}; give a whole number from 1 on.")

    def within(self, minutes: float) -> FineTuningOptions:
        """Return options with which encoder and classifier are trained for about so many minutes together.

        Mining before them and fitting and judging after them come on top.
        """
        share = 0.0 if self.encoder is None else ENCODER_MINUTES
        encoder = None if self.encoder is None else replace(self.encoder, minutes=share * minutes)
        return replace(self, encoder=encoder, classifier=replace(self.classifier, minutes=(1 - share) * minutes))

    def as_dict(self) -> dict[str, Any]:
        """Return the options by name."""
        return asdict(self)
