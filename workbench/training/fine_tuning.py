"""From questions with evidence to a classifier that is judged on documents it has not seen: all steps in a row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ..printing import counted
from ..workload.replay.scores import remembering
from .fine_tuned import STAGED, TRAINED, UNTRAINED, FineTuned
from .fine_tuning_options import FineTuningOptions
from .fine_tuning_steps import Steps, cancelled
from .learning.bases import Base, find_base
from .learning.candidates import is_read
from .learning.states import Cancel, Told
from .learning.telling import is_cancelled
from .question import Question, Questions

if TYPE_CHECKING:
    from ..relevance.scores import Scorer
    from ..workload import Workload
    from .labels.label import Label
    from .labels.store import LabelStore
    from .splitting import Split

__all__ = ["PHASES", "STAGED", "TRAINED", "UNTRAINED", "FineTuned", "FineTuningOptions", "fine_tune"]

PHASES = ("mining", "encoder", "classifier", "combination", "evaluation")


def fine_tune(
    questions: Questions | Workload | Iterable[Question],
    *,
    labels: LabelStore | Iterable[Label] | None = None,
    base: str | Path | None = None,
    options: FineTuningOptions | None = None,
    scorer: Scorer | None = None,
    folder: str | Path,
    progress: bool | None = None,
    resume: bool = True,
    told: Told = None,
    cancel: Cancel = None,
) -> FineTuned:
    """Mine hard negatives, train an encoder adapter and a classifier, fit what combines them, and judge it.

    Everything that is fitted sees only the training and validation documents; the figures are of the others.

    Parameters
    ----------
    questions : Questions, Workload or iterable of Question
    labels : LabelStore or iterable of Label, optional
        Of persons, which win over gold.
    base : str or path, optional
        The model to train further: a folder, or a name on the hub; the packaged all-MiniLM-L6-v2 by default.
    options : FineTuningOptions, optional
    scorer : Scorer, optional
        What finds hard negatives, stands beside the classifier while it learns, and is what the result is compared
        with; that of ``SparseReader()`` by default. Its scores are remembered.
    folder : path
        Where the checkpoints go.
    progress : bool, optional
        True shows progress anywhere, False never, None where somebody looks.
    resume : bool
        Whether to go on with what lies in the folder; False begins anew.
    told : callable, optional
        Is told a ``TrainingState`` now and then.
    cancel : callable or event, optional
        Says whether to end early. What is trained by then stays; nothing is fitted or judged after it.

    Returns
    -------
    FineTuned

    Raises
    ------
    TrainingRefused
        If the questions cannot be split, mined or trained on; before any training.
    TrainingFailed
        If a training breaks off, or is cancelled before there is a classifier.
    MissingModel, DamagedModel, MissingDependency, InvalidOption
    """
    chosen = options or FineTuningOptions()
    found_base = find_base(base)
    asked = _asked(questions, labels, progress)
    steps = Steps(Path(folder).expanduser(), chosen, found_base, told, cancel, progress=progress, resume=resume)
    from .splitting import split_questions

    untrained = remembering(scorer)
    split = split_questions(asked, validation=chosen.validation, test=chosen.test, seed=chosen.seed, progress=progress)
    mined = steps.mined(asked, split, untrained)
    encoder = steps.encoder(split, mined)
    classifier = steps.classifier(split, mined, encoder, untrained)
    made = FineTuned(
        folder=steps.folder,
        classifier=classifier,
        encoder=encoder,
        mined=mined,
        split=split,
        options=chosen,
        notes=_notes(split, asked, found_base),
    )
    if classifier.stopped == "cancelled" or is_cancelled(cancel):
        return cancelled(made)
    return steps.judged(made, untrained)


def _asked(
    questions: Questions | Workload | Iterable[Question],
    labels: LabelStore | Iterable[Label] | None,
    progress: bool | None,
) -> Questions:
    from ..workload import Workload
    from .labelled import with_labels
    from .questions import questions_of

    if isinstance(questions, Workload):
        found = questions_of(questions, progress=progress)
    else:
        found = questions if isinstance(questions, Questions) else Questions(tuple(questions))
    return found if labels is None else with_labels(found, labels)


def _notes(split: Split, asked: Questions, base: Base) -> tuple[str, ...]:
    """Return what a reader of the figures must know of the data."""
    notes = list(asked.notes)
    if asked.left_out:
        notes.append(f"{counted(len(asked.left_out), 'request')} or labels became no question.")
    unread = sum(not is_read(one, base) for one in (*split.train, *split.validation))
    if unread:
        notes.append(
            f"{counted(unread, 'question')} for training and validation are in a language that {base.name} does not "
            "read and were left out; name a base that reads it."
        )
    if split.copies is not None and split.copies.shared:
        notes.append(str(split.copies))
    return tuple(notes)
