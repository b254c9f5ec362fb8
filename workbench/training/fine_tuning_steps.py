"""The steps of a fine-tuning, from mining to the figures."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import TrainingFailed
from ..printing import counted
from .fine_tuned import TRAINED, UNTRAINED
from .learning.states import Cancel, Told, Trained, TrainingState
from .learning.telling import CancelledStep, is_cancelled, telling

if TYPE_CHECKING:
    from ..relevance.classifier import Classifier
    from ..relevance.scores import Scorer
    from .evaluating import Evaluation
    from .fine_tuned import FineTuned
    from .fine_tuning_options import FineTuningOptions
    from .learning.bases import Base
    from .mining.mined import Mined
    from .question import Questions
    from .splitting import Split

_LEAST_DOCUMENTS = 2
"""Documents of validation from which a combination is fitted."""


class Steps:
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

    def classifier(self, split: Split, mined: Mined, encoder: Trained | None, scorer: Scorer) -> Trained:
        """Train the classifier beside the first stage that hard negatives were mined with."""
        from .learning.classifier_training import train_classifier

        return train_classifier(
            split.train,
            split.validation,
            mined,
            base=self._base,
            start_from=None if encoder is None else encoder.folder,
            options=self._options.classifier,
            texts=self._options.texts,
            scorer=scorer,
            folder=self.folder / "classifier",
            progress=self._progress,
            resume=self._resume,
            told=self._told,
            cancel=self._cancel,
        )

    def judged(self, made: FineTuned, untrained: Scorer) -> FineTuned:
        """Learn and fit what stands beside the classifier, and judge all of it on the documents of the test."""
        opened, fitted = made.staged(), made
        try:
            with self._telling("combination"):
                fitted = self._combined(self._with_recurring(made, opened), opened)
            evaluation = self._evaluated(fitted, opened, untrained)
        except CancelledStep:
            return cancelled(fitted)
        if self._told is not None:
            self._told(TrainingState(phase="done"))
        return replace(fitted, evaluation=evaluation)

    def _with_recurring(self, made: FineTuned, opened: Classifier) -> FineTuned:
        """Learn what answers the questions that recur, on the vectors of the encoder that will read."""
        from .recurring_training import train_recurring

        encoder = opened.scorer().encoder
        if self._options.recurring is None or encoder is None:
            return made
        known = train_recurring(made.split.train, encoder, options=self._options.recurring, progress=self._progress)
        return replace(made, recurring=known)

    def _combined(self, made: FineTuned, opened: Classifier) -> FineTuned:
        """Fit the weights on the documents of validation, which nothing was trained on."""
        from .combining import combination_fit, hear

        if not self._options.combine:
            return made
        heard = hear(made.split.validation, made.scorer_of(opened), progress=self._progress)
        documents = len({one.question.document_key for one in heard})
        if documents < _LEAST_DOCUMENTS:
            note = (
                f"The combination was not fitted: validation has {counted(documents, 'document')} that the models "
                f"read, and {_LEAST_DOCUMENTS} are needed."
            )
            return replace(made, notes=(*made.notes, note))
        fitted = combination_fit(heard, seed=self._options.seed)
        return replace(made, combination=fitted.combination, notes=(*made.notes, *fitted.notes))

    def _evaluated(self, made: FineTuned, opened: Classifier, untrained: Scorer) -> Evaluation:
        from .evaluating import evaluate_classifier

        with self._telling("evaluation"):
            return evaluate_classifier(
                made.split.test,
                {UNTRAINED: untrained, TRAINED: made.scorer_of(opened)},
                seed=self._options.seed,
                progress=self._progress,
            )

    def _telling(self, phase: str) -> AbstractContextManager[None]:
        return telling(phase, self._told, self._cancel, self._progress)


def cancelled(made: FineTuned) -> FineTuned:
    """Return what was made until somebody cancelled."""
    note = "Cancelled before the combination was fitted and judged."
    if made.combination is not None:
        note = "Cancelled before it was judged on the documents of the test."
    return replace(made, is_cancelled=True, notes=(*made.notes, note))
