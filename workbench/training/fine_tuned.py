"""What a fine-tuning made: models, what was fitted beside them, and what all of it is worth."""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..printing import counted

if TYPE_CHECKING:
    from ..relevance.classifier import Classifier
    from ..relevance.combination import Combination
    from ..relevance.hybrid import HybridScorer
    from ..relevance.recurring import RecurringQuestions
    from .evaluating import Evaluation
    from .exporting.report import ExportReport
    from .fine_tuning_options import FineTuningOptions
    from .learning.states import Trained
    from .mining.mined import Mined
    from .splitting import Split

UNTRAINED, TRAINED = "untrained", "trained"
"""What the two scorers are called in the evaluation."""
STAGED = "opened"
"""Folder of the classifier as it is opened to fit the combination and to be judged, below that of the fine-tuning."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FineTuned:
    """What a fine-tuning made.

    Attributes
    ----------
    folder : pathlib.Path
    classifier : Trained
    encoder : Trained or None
    recurring : RecurringQuestions or None
        What was learnt of questions that recur; None where none does.
    combination : Combination or None
        Fitted weights of the parts of a logit; None where it was not fitted.
    evaluation : Evaluation or None
        Of the scorers "untrained" and "trained", on the test documents; None after a cancellation.
    mined : Mined
    split : Split
    options : FineTuningOptions
    is_cancelled : bool
        Whether it was ended before all of it was fitted and judged.
    notes : tuple of str
        What a reader of the figures must know, a sentence each.
    """

    folder: Path
    classifier: Trained
    encoder: Trained | None
    recurring: RecurringQuestions | None = None
    combination: Combination | None = None
    evaluation: Evaluation | None = None
    mined: Mined
    split: Split
    options: FineTuningOptions
    is_cancelled: bool = False
    notes: tuple[str, ...] = ()

    @property
    def stopped(self) -> str:
        """How it ended: "done", "cancelled" or "no better"."""
        return "cancelled" if self.is_cancelled else self.classifier.stopped

    def export(self, path: str | Path, **settings: Any) -> ExportReport:
        """Write the classifier as a folder that a runtime loads; the settings are those of ``export_classifier``."""
        from .exporting import export_classifier

        return export_classifier(self, path, **{"candidates": self.options.candidates, "notes": self.notes, **settings})

    def staged(self) -> Classifier:
        """Write the classifier and its encoder below the folder, and open them as a runtime would."""
        from ..relevance.classifier import Classifier
        from .exporting import export_classifier

        plain = replace(self, recurring=None, combination=None, evaluation=None)
        place = self.folder / STAGED
        export_classifier(plain, place, candidates=self.options.candidates, onnx=False, progress=False)
        return Classifier.open(place)

    def scorer_of(self, classifier: Classifier) -> HybridScorer:
        """Return a classifier and its encoder as a scorer, with what was fitted."""
        from ..relevance.hybrid import HybridScorer

        plain = classifier.scorer()
        return HybridScorer(
            plain.encoder, second_stage=plain.second_stage, combination=self.combination, recurring=self.recurring
        )

    def scorer(self) -> HybridScorer:
        """Return the scorer that was judged: the encoder, the classifier and what was fitted."""
        return self.scorer_of(self.staged())

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
