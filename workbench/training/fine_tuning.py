"""From questions with evidence to a classifier that is judged on documents it has not seen: all steps in a row."""

from __future__ import annotations

import html
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption, TrainingFailed
from ..printing import counted
from ..relevance.pair_text import PairTextOptions
from ..relevance.second_stage import CANDIDATES
from .learning.bases import Base, find_base
from .learning.states import Cancel, Told, Trained, TrainingState
from .learning.telling import CancelledStep, is_cancelled, telling
from .mining.options import MiningOptions
from .options import TrainingOptions
from .question import Question, Questions

if TYPE_CHECKING:
    from ..relevance.classifier import Classifier
    from ..relevance.combination import Combination
    from ..relevance.hybrid import HybridScorer
    from ..relevance.scores import Scorer
    from ..workload import Workload
    from .evaluating import Evaluation
    from .exporting.report import ExportReport
    from .labels.label import Label
    from .labels.store import LabelStore
    from .mining.mined import Mined
    from .splitting import Split

_LEAST_DOCUMENTS = 2
"""Documents of validation from which a combination is fitted."""
PHASES = ("mining", "encoder", "classifier", "combination", "evaluation")
UNTRAINED, TRAINED = "untrained", "trained"
"""What the two scorers are called in the evaluation."""
STAGED = "opened"
"""Folder of the classifier as it is opened to fit the combination and to be judged, below that of the fine-tuning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuningOptions:
    """How a classifier is made from questions.

    Parameters
    ----------
    classifier : TrainingOptions
    encoder : TrainingOptions or None
        Of the encoder adapter, which the first stage uses and the classifier starts from; None leaves it out.
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
    mining: MiningOptions = field(default_factory=MiningOptions)
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
        if not isinstance(self.combine, bool):
            raise InvalidOption(f"combine is {self.combine!r:.80}; give True or False.")
        if isinstance(self.candidates, bool) or not isinstance(self.candidates, int) or self.candidates < 1:
            raise InvalidOption(f"candidates is {self.candidates!r:.80}; give a whole number from 1 on.")

    def as_dict(self) -> dict[str, Any]:
        """Return the options by name."""
        return asdict(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class FineTuned:
    """What a fine-tuning made.

    Attributes
    ----------
    folder : pathlib.Path
    classifier : Trained
    encoder : Trained or None
    combination : Combination or None
        Fitted weights of the parts of a logit; None where it was not fitted.
    evaluation : Evaluation or None
        Of the scorers "untrained" and "trained", on the test documents; None after a cancellation.
    mined : Mined
    split : Split
    options : FineTuningOptions
    notes : tuple of str
        What a reader of the figures must know, a sentence each.
    """

    folder: Path
    classifier: Trained
    encoder: Trained | None
    combination: Combination | None
    evaluation: Evaluation | None
    mined: Mined
    split: Split
    options: FineTuningOptions
    notes: tuple[str, ...] = ()

    @property
    def stopped(self) -> str:
        """How the training of the classifier ended: "done", "cancelled" or "no better"."""
        return self.classifier.stopped

    def export(self, path: str | Path, **settings: Any) -> ExportReport:
        """Write the classifier as a folder that a runtime loads; the settings are those of ``export_classifier``."""
        from .exporting import export_classifier

        return export_classifier(self, path, **{"candidates": self.options.candidates, "notes": self.notes, **settings})

    def scorer(self) -> HybridScorer:
        """Return the scorer that was judged: the encoder, the classifier and the combination."""
        return _combined_scorer(_opened(self), self.combination)

    def __str__(self) -> str:
        said = [str(one) for one in (self.encoder, self.classifier) if one is not None]
        if self.evaluation is not None:
            before, after = (self.evaluation.figure(name, "tokens_95").value for name in (UNTRAINED, TRAINED))
            said.append(
                f"On {counted(self.evaluation.documents, 'document')} never seen, 95 % of the evidence takes "
                f"{after:.1f} % of the tokens; untrained it took {before:.1f} %."
            )
        return "\n".join([*said, *self.notes])

    def _repr_html_(self) -> str:
        return "".join(f"<p>{html.escape(line)}</p>" for line in str(self).split("\n"))


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
    """Mine hard negatives, train an encoder adapter and a classifier, fit their combination, and judge it.

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
        What finds hard negatives, and what the result is compared with; that of ``SparseReader()`` by default.
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
    steps = _Steps(Path(folder).expanduser(), chosen, found_base, told, cancel, progress=progress, resume=resume)
    from ..reading import SparseReader
    from .splitting import split_questions

    untrained = scorer if scorer is not None else SparseReader().scorer
    split = split_questions(asked, validation=chosen.validation, test=chosen.test, seed=chosen.seed, progress=progress)
    mined = steps.mined(asked, split, untrained)
    encoder = steps.encoder(split, mined)
    classifier = steps.classifier(split, mined, encoder)
    made = FineTuned(
        folder=steps.folder,
        classifier=classifier,
        encoder=encoder,
        combination=None,
        evaluation=None,
        mined=mined,
        split=split,
        options=chosen,
        notes=_notes(split, asked),
    )
    if classifier.stopped == "cancelled" or is_cancelled(cancel):
        return made
    return steps.judged(made, untrained)


class _Steps:
    """The steps of a fine-tuning, each of which tells of itself."""

    def __init__(
        self,
        folder: Path,
        options: FineTuningOptions,
        base: Base,
        told: Told,
        cancel: Cancel,
        *,
        progress: bool | None,
        resume: bool,
    ) -> None:
        self.folder = folder
        self._options, self._base = options, base
        self._told, self._cancel, self._progress, self._resume = told, cancel, progress, resume

    def mined(self, asked: Questions, split: Split, scorer: Scorer) -> Mined:
        """Find hard negatives for training and validation; the test documents are not looked at."""
        from .mining import mine_hard_negatives

        known = asked.of_documents([*split.train.documents, *split.validation.documents])
        try:
            with self._telling("mining"):
                found = mine_hard_negatives(known, scorer=scorer, options=self._options.mining, progress=self._progress)
                if is_cancelled(self._cancel):
                    raise CancelledStep
                return found
        except CancelledStep as error:
            raise TrainingFailed(
                "The training was cancelled while hard negatives were mined, so nothing is trained; start it again."
            ) from error

    def encoder(self, split: Split, mined: Mined) -> Trained | None:
        """Train the encoder adapter."""
        from .learning.encoder_training import train_encoder

        if self._options.encoder is None:
            return None
        found = train_encoder(
            split.train,
            split.validation,
            mined,
            base=self._base,
            options=self._options.encoder,
            folder=self.folder / "encoder",
            progress=self._progress,
            resume=self._resume,
            told=self._told,
            cancel=self._cancel,
        )
        if found.stopped == "cancelled":
            raise TrainingFailed(
                "The training was cancelled before there was a classifier; the best encoder so far is in "
                f"{found.folder}, so start again with the same folder to go on."
            )
        return found

    def classifier(self, split: Split, mined: Mined, encoder: Trained | None) -> Trained:
        """Train the classifier."""
        from .learning.classifier_training import train_classifier

        return train_classifier(
            split.train,
            split.validation,
            mined,
            base=self._base,
            start_from=None if encoder is None else encoder.folder,
            options=self._options.classifier,
            texts=self._options.texts,
            folder=self.folder / "classifier",
            progress=self._progress,
            resume=self._resume,
            told=self._told,
            cancel=self._cancel,
        )

    def judged(self, made: FineTuned, untrained: Scorer) -> FineTuned:
        """Fit the combination on the documents of validation, and judge it on those of the test."""
        opened = _opened(made)
        try:
            combined = self._combined(made, opened) if self._options.combine else made
            evaluation = self._evaluated(combined, _combined_scorer(opened, combined.combination), untrained)
        except CancelledStep:
            note = "Cancelled before the combination was fitted and judged."
            return replace(made, notes=(*made.notes, note))
        if self._told is not None:
            self._told(TrainingState(phase="done"))
        return replace(combined, evaluation=evaluation)

    def _combined(self, made: FineTuned, opened: Classifier) -> FineTuned:
        from .combining import combination_fit, hear

        documents = len({one.document_key for one in made.split.validation})
        if documents < _LEAST_DOCUMENTS:
            note = (
                f"The combination was not fitted: validation has {counted(documents, 'document')}, and "
                f"{_LEAST_DOCUMENTS} are needed."
            )
            return replace(made, notes=(*made.notes, note))
        with self._telling("combination"):
            heard = hear(made.split.validation, opened.scorer(), progress=self._progress)
            if not heard:
                return made
            fitted = combination_fit(heard, seed=self._options.seed)
        return replace(made, combination=fitted.combination, notes=(*made.notes, *fitted.notes))

    def _evaluated(self, made: FineTuned, trained: Scorer, untrained: Scorer) -> Evaluation:
        from .evaluating import evaluate_classifier

        with self._telling("evaluation"):
            return evaluate_classifier(
                made.split.test,
                {UNTRAINED: untrained, TRAINED: trained},
                seed=self._options.seed,
                progress=self._progress,
            )

    def _telling(self, phase: str) -> AbstractContextManager[None]:
        return telling(phase, self._told, self._cancel, self._progress)


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


def _opened(made: FineTuned) -> Classifier:
    """Return the classifier as a runtime would open it, without a combination."""
    from ..relevance.classifier import Classifier
    from .exporting import export_classifier

    plain = replace(made, combination=None, evaluation=None)
    place = made.folder / STAGED
    export_classifier(plain, place, candidates=made.options.candidates, onnx=False, progress=False)
    return Classifier.open(place)


def _combined_scorer(classifier: Classifier, combination: Combination | None) -> HybridScorer:
    """Return the encoder, the classifier and a combination as one scorer."""
    from ..relevance.hybrid import HybridScorer

    plain = classifier.scorer()
    return HybridScorer(plain.encoder, second_stage=plain.second_stage, combination=combination)


def _notes(split: Split, asked: Questions) -> tuple[str, ...]:
    """Return what a reader of the figures must know of the data."""
    notes = list(asked.notes)
    if asked.left_out:
        notes.append(f"{counted(len(asked.left_out), 'request or label')} became no question.")
    if split.copies is not None and split.copies.shared:
        notes.append(str(split.copies))
    return tuple(notes)
