"""An encoder adapter for the first stage: questions and passages that belong together get similar vectors."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ...relevance.encoders import TransformerEncoder
from ..options import TrainingOptions
from .bases import Base, find_base
from .batches import tokenizer_of
from .candidates import pools_of
from .computation import Company, Computation
from .models import encoder_of
from .running import train
from .states import Cancel, Told, Trained
from .vector_learner import VectorLearner, has_unit

if TYPE_CHECKING:
    from ..mining.mined import Mined
    from ..question import Question


def train_encoder(
    questions: Iterable[Question],
    validation: Iterable[Question],
    mined: Mined | None = None,
    *,
    base: str | Path | Base | None = None,
    options: TrainingOptions | None = None,
    folder: str | Path,
    progress: bool | None = None,
    resume: bool = True,
    told: Told = None,
    cancel: Cancel = None,
) -> Trained:
    """Train an encoder adapter; the best checkpoint is a folder that ``TransformerEncoder.open`` takes.

    Each question's evidence stands against its own negatives and against all passages of the other questions of a step,
    but for those that may answer it too. Passages are the units that the first stage embeds.

    Parameters
    ----------
    questions, validation, mined, base, options, folder, progress, resume, told, cancel
        As in ``train_classifier``; the default options are ``TrainingOptions.for_encoder()``.

    Raises
    ------
    TrainingRefused, TrainingFailed, MissingModel, DamagedModel, MissingDependency, InvalidOption
        As ``train_classifier``.
    """
    chosen = options or TrainingOptions.for_encoder()
    found = base if isinstance(base, Base) else find_base(base)
    encoder = TransformerEncoder.open(found.folder)

    def learner(company: Company, precision: str) -> VectorLearner:
        model = encoder_of(found, chosen)
        computation = Computation(company.device(chosen), precision)
        return VectorLearner(model.to(computation.device), tokenizer_of(found), chosen, encoder, computation)

    return train(
        "encoder",
        learner,
        pools_of(questions, mined, balance=chosen.set_balance, what="training", base=found, usable=has_unit).pools,
        pools_of(validation, mined, balance=0.0, what="validation", base=found, usable=has_unit).pools,
        base=found,
        options=chosen,
        more={"pooling": encoder.pooling, "prefixes": [encoder.prefixes.question, encoder.prefixes.passage]},
        folder=folder,
        progress=progress,
        resume=resume,
        told=told,
        cancel=cancel,
    )
