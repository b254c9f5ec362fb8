"""How far a training is, and what came of it."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from .bases import Base
from .trainable import TrainableParts

if TYPE_CHECKING:
    import pandas as pd

Stopped = Literal["done", "cancelled", "no better"]


class Asked(Protocol):
    """What says that somebody wants a training to end, such as a ``threading.Event``."""

    def is_set(self) -> bool:
        """Return whether somebody does."""


Cancel: TypeAlias = "Asked | Callable[[], bool] | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingState:
    """Where a training is: plain values, for a terminal or a picture.

    Attributes
    ----------
    phase : str
        "mining", "encoder", "classifier", "combination", "evaluation" or "done".
    step, of : int
        Steps done, and steps of the phase; ``of`` is 0 where it is not known.
    epoch : int
        The first is 1; 0 outside a training.
    loss : float or None
        Mean of the last steps.
    recall : float or None
        Of the last look at the questions of validation: share of the evidence in the best tenth of its list.
    best_recall : float or None
        Of the best checkpoint.
    seconds : float
        Since the phase began, without what came before a resumption.
    seconds_left : float or None
        Estimate for this phase.
    parts : str
        The table of what is trained; "" outside a training.
    computation : str
        Device and precision, such as "cpu, bf16".
    checkpoint : str
        Folder of the best checkpoint so far.
    note : str
        What else a person should know, a sentence.
    """

    phase: str
    step: int = 0
    of: int = 0
    epoch: int = 0
    loss: float | None = None
    recall: float | None = None
    best_recall: float | None = None
    seconds: float = 0.0
    seconds_left: float | None = None
    parts: str = ""
    computation: str = ""
    checkpoint: str = ""
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as a dict that JSON can hold."""
        return asdict(self)


Told: TypeAlias = "Callable[[TrainingState], None] | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at the questions of validation.

    Attributes
    ----------
    step : int
        Steps done before it.
    loss : float or None
        Mean loss of the steps since the look before; None at the first.
    validation_loss : float
        Mean loss of a list of validation.
    recall : float
        Share of the evidence in the best tenth of its list, mean over questions.
    average_precision : float
        Mean over questions; the checkpoint in which it is highest is the best.
    seconds : float
        Of training before it, over all resumptions.
    """

    step: int
    loss: float | None
    validation_loss: float
    recall: float
    average_precision: float
    seconds: float

    def is_better_than(self, other: Look | None) -> bool:
        """Return whether it ranks the evidence better; of two that rank alike the surer one."""
        if other is None:
            return True
        return (self.average_precision, -self.validation_loss) > (other.average_precision, -other.validation_loss)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """A model that was trained.

    Attributes
    ----------
    kind : str
        "classifier" or "encoder".
    folder : pathlib.Path
        The best checkpoint: at its top the merged model as stock transformers loads it, with its tokenizer; in
        ``adapter/`` what stock peft loads over the base, with the head; in ``training.json`` options and looks.
    base : Base
        What the adapter lies over.
    history : tuple of Look
        All looks, in the order of steps; the first is the model before any step.
    best : Look
    parts : TrainableParts
    options : mapping
    data : str
        Hash of the questions and negatives that it was trained on.
    computation : str
        Device and precision, such as "cpu, bf16".
    stopped : str
        "done", "cancelled", or "no better": the patience was used up.
    """

    kind: str
    folder: Path
    base: Base
    history: tuple[Look, ...]
    best: Look
    parts: TrainableParts
    options: Mapping[str, Any]
    data: str
    computation: str
    stopped: Stopped

    @property
    def adapter(self) -> Path:
        """The adapter of the best checkpoint, which peft loads over the base."""
        return self.folder / "adapter"

    def to_frame(self) -> pd.DataFrame:
        """Return one row a look, with the attributes of ``Look`` as columns."""
        import pandas as pd

        return pd.DataFrame([asdict(look) for look in self.history])

    def __str__(self) -> str:
        first = self.history[0]
        return (
            f"The {self.kind} was trained for {self.history[-1].step:,} steps ({self.stopped}); the best checkpoint is "
            f"that of step {self.best.step:,}: recall {first.recall:.3f} before, {self.best.recall:.3f} now, average "
            f"precision {first.average_precision:.3f} before, {self.best.average_precision:.3f} now."
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"
