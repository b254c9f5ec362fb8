"""What a classifier is worth on documents that it has not seen, beside what was not trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import loaded_when_used

if TYPE_CHECKING:
    from .evaluation import Evaluation, evaluate_classifier
    from .ranking import Estimate, Things

_HOME = {"Estimate": "ranking", "Evaluation": "evaluation", "Things": "ranking", "evaluate_classifier": "evaluation"}

__all__ = ["Estimate", "Evaluation", "Things", "evaluate_classifier"]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
