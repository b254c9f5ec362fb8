"""One training from its pools to its best checkpoint, the same for a classifier and an encoder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from ...caching import key_of
from ...errors import DamagedModel, TrainingRefused
from ...relevance.encoders.model_files import sha256_of
from ..options import TrainingOptions
from .bases import Base
from .candidates import Pool, epoch_lists, facts_of, validation_lists
from .checkpoints import RUN, Checkpoints, Run, read_training
from .computation import Company, Computation, precision_of
from .loop import Learner, Loop
from .models import ADAPTER, ADAPTER_CONFIG
from .pacing import steps_within
from .states import Cancel, Look, Stopped, Told, Trained, TrainingState
from .trainable import Part, TrainableParts, trainable_parts

_TRIAL_LISTS = 2


def train(
    kind: str,
    learner_of: Callable[[Company, str], Learner],
    pools: Sequence[Pool],
    validation: Sequence[Pool],
    *,
    base: Base,
    options: TrainingOptions,
    more: Mapping[str, Any],
    folder: str | Path,
    progress: bool | None,
    resume: bool,
    told: Told,
    cancel: Cancel,
) -> Trained:
    """Train a model, or go on with it; see ``train_classifier``.

    Parameters
    ----------
    kind : str
        "classifier" or "encoder".
    learner_of : callable
        Gives the learner, for the processes that train together and a precision.
    pools, validation : sequence of Pool
    more : mapping
        What else decides the result.
    """
    documents = {
        name: sorted({pool.question.document.sha256 for pool in some})
        for name, some in (("train", pools), ("validation", validation))
    }
    shared = set(documents["train"]).intersection(documents["validation"])
    if shared:
        named = min(pool.question.document_key for pool in pools if pool.question.document.sha256 in shared)
        raise TrainingRefused(
            f"{len(shared):,} documents, such as {named!r:.80}, are both trained on and validated on; split the "
            "questions by document, as split_questions does."
        )
    company = Company(options)
    data = key_of(facts_of(pools), facts_of(validation))
    run = Run(kind=kind, base=base, options=options.as_dict(), data=data, documents=documents, more=dict(more))
    checkpoints = _opened(folder, run, resume, company)
    if checkpoints.stopped and checkpoints.best is not None:
        return _trained(checkpoints, cast(Stopped, checkpoints.stopped))
    learner = learner_of(company, _precision(kind, checkpoints, learner_of, pools, base, options, company))
    looked_at = validation_lists(validation, options)
    steps = checkpoints.steps or steps_within(options, learner, pools, looked_at, company)
    checkpoints.begin(str(learner.computation), steps)
    parts = trainable_parts(learner.model, needs_head=kind == "classifier")
    if told is not None and company.is_first:
        told(TrainingState(phase=kind, parts=str(parts), computation=str(learner.computation)))
    loop = Loop(
        learner,
        pools,
        looked_at,
        steps,
        options,
        checkpoints,
        parts,
        company,
        told=told,
        cancel=cancel,
        progress=progress,
    )
    return _trained(checkpoints, loop.run())


def load_trained(folder: str | Path) -> Trained:
    """Return what lies in the folder of a training, ended or not.

    Raises
    ------
    DamagedModel
        If there is no training with a checkpoint.
    """
    home = Path(folder).expanduser()
    try:
        said = json.loads((home / RUN).read_bytes())
        best = home / said["best"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedModel(f"There is no training in {home}: {RUN} cannot be read; give the folder of one.") from error
    return _of_checkpoint(best, home / said["latest"], said.get("stopped") or "cancelled")


def file_hash(file: Path) -> str:
    """Return the SHA-256 of a file.

    Raises
    ------
    DamagedModel
        If it cannot be read.
    """
    try:
        return sha256_of(file)
    except OSError as error:
        raise DamagedModel(
            f"{file} cannot be read ({error.strerror or error}); give a checkpoint of an encoder."
        ) from error


def _opened(folder: str | Path, run: Run, resume: bool, company: Company) -> Checkpoints:
    """Open the folder of the checkpoints, the first process before the others."""
    if company.is_first:
        found = Checkpoints(folder, run, resume=resume)
        company.wait()
    else:
        company.wait()
        found = Checkpoints(folder, run, resume=True)
    company.wait()
    return found


def _precision(
    kind: str,
    checkpoints: Checkpoints,
    learner_of: Callable[[Company, str], Learner],
    pools: Sequence[Pool],
    base: Base,
    options: TrainingOptions,
    company: Company,
) -> str:
    """Return the precision: that with which this training was begun, or the one to begin with."""
    device = company.device(options)
    before = checkpoints.computation.split(", ")
    if len(before) == 2 and before[0] == device:
        return before[1]
    lists = epoch_lists(pools[:_TRIAL_LISTS], options, 0)
    trial: list[Any] = []

    def work(computation: Computation) -> object:
        if not trial:
            trial.append(learner_of(company, computation.precision))
        learner = trial[0]
        learner.computation = computation
        return learner.learn(lists, float(len(lists)))

    return precision_of(options, device, f"{kind} {base.sha256}", work)


def _trained(checkpoints: Checkpoints, stopped: Stopped) -> Trained:
    best, latest = checkpoints.best, checkpoints.latest
    assert best is not None and latest is not None
    return _of_checkpoint(best, latest, stopped, checkpoints.run.base)


def _of_checkpoint(best: Path, latest: Path, stopped: Stopped, base: Base | None = None) -> Trained:
    said, last = read_training(best), read_training(latest)
    history = tuple(Look(**look) for look in last["progress"]["history"])
    parts = said["parts"]
    return Trained(
        kind=said["kind"],
        folder=best,
        base=base or _base_of(best, said["base"]),
        history=history,
        best=Look(**said["progress"]["history"][-1]),
        parts=TrainableParts(tuple(Part(**part) for part in parts["parts"]), parts["frozen"], parts["needs_head"]),
        options=said["options"],
        data=said["data"],
        computation=said["computation"],
        stopped=stopped,
    )


def _base_of(checkpoint: Path, said: Mapping[str, Any]) -> Base:
    config = json.loads((checkpoint / ADAPTER / ADAPTER_CONFIG).read_bytes())
    return Base(said["name"], Path(config["base_model_name_or_path"]), said["sha256"], said["licence"])
