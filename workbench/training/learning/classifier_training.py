"""A relevance classifier: a cross-encoder that learns which block of a list has the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...relevance.pair_text import PairTextOptions
from ...workload.replay.scores import remembering
from ..options import TrainingOptions
from .bases import Base, find_base
from .batches import tokenizer_of
from .candidates import pools_of
from .computation import Company, Computation
from .first_stage import FirstStage
from .models import ADAPTER, ADAPTER_WEIGHTS, classifier_of
from .pair_learner import PairLearner
from .running import file_hash, train
from .states import Cancel, Told, Trained

if TYPE_CHECKING:
    from ...relevance.scores import Scorer
    from ..mining.mined import Mined
    from ..question import Question


def train_classifier(
    questions: Iterable[Question],
    validation: Iterable[Question],
    mined: Mined | None = None,
    *,
    base: str | Path | Base | None = None,
    start_from: Path | None = None,
    options: TrainingOptions | None = None,
    texts: PairTextOptions | None = None,
    scorer: Scorer | None = None,
    folder: str | Path,
    progress: bool | None = None,
    resume: bool = True,
    told: Told = None,
    cancel: Cancel = None,
) -> Trained:
    """Train a classifier.

    Parameters
    ----------
    questions : iterable of Question
        What it learns from; those without evidence are left out.
    validation : iterable of Question
        On other documents; by these the best checkpoint is found.
    mined : Mined, optional
        Hard negatives of both; without, negatives are drawn from the document alone.
    base : str, path or Base, optional
        As ``find_base`` takes it.
    start_from : path, optional
        A checkpoint of ``train_encoder`` over the same base, whose adapter the classifier's begins as.
    options : TrainingOptions, optional
    texts : PairTextOptions, optional
        What is read of a block.
    scorer : Scorer, optional
        The first stage, of which the logits stand beside the classifier's own (``TrainingOptions.beside``); that of
        ``SparseReader()`` by default. The scores are remembered.
    folder : path
        Where the checkpoints go.
    progress : bool, optional
        True shows progress anywhere, False never, None where somebody looks.
    resume : bool
        Whether to go on with this training where it lies in the folder; False removes it first.
    told : callable, optional
        Is told a ``TrainingState`` now and then.
    cancel : callable or event, optional
        Says whether to end early; the best checkpoint stays.

    Raises
    ------
    TrainingRefused
        If the questions cannot be trained on, or another training lies in the folder.
    TrainingFailed
        If a loss is no finite number, memory runs out, or a checkpoint cannot be written.
    MissingModel, DamagedModel, MissingDependency, InvalidOption
    """
    chosen = options or TrainingOptions()
    reading = texts or PairTextOptions()
    found = base if isinstance(base, Base) else find_base(base)

    pools = pools_of(questions, mined, balance=chosen.set_balance, what="training", base=found).pools
    looked_at = pools_of(validation, mined, balance=0.0, what="validation", base=found).pools
    first = remembering(scorer) if chosen.beside else None

    @cache
    def beside() -> FirstStage | None:
        return None if first is None else FirstStage.of(first, (*pools, *looked_at), progress=progress)

    def learner(company: Company, precision: str) -> PairLearner:
        model = classifier_of(found, chosen, start_from)
        computation = Computation(company.device(chosen), precision)
        return PairLearner(model.to(computation.device), tokenizer_of(found), chosen, reading, computation, beside())

    return train(
        "classifier",
        learner,
        pools,
        looked_at,
        base=found,
        options=chosen,
        more={
            "texts": reading.as_dict(),
            "beside": "" if first is None else first.fingerprint,
            "start_from": "" if start_from is None else file_hash(start_from / ADAPTER / ADAPTER_WEIGHTS),
        },
        folder=folder,
        progress=progress,
        resume=resume,
        told=told,
        cancel=cancel,
    )
