"""How likely each block of a document holds evidence for a question, and what that number means.

Names are loaded when first used: torch, transformers and bm25s wait until something is scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import loaded_when_used

if TYPE_CHECKING:
    from .calibrated import Calibration, CalibrationMap, Method, fit_map
    from .classifier import Classifier
    from .combination import Combination
    from .context import PassageOptions
    from .cross_encoder import CrossEncoder
    from .encoders import Encoder, TransformerEncoder, default_encoder
    from .fusion import FusionOptions
    from .hybrid import HybridScorer
    from .lexical import LexicalOptions
    from .pair_text import PairTextOptions, pair_texts
    from .scores import RelevanceScores, Scale, Scope, Scorer
    from .second_stage import HandWritten, SecondStage

_HOME = {
    "Calibration": "calibrated",
    "CalibrationMap": "calibrated",
    "CrossEncoder": "cross_encoder",
    "Encoder": "encoders",
    "FusionOptions": "fusion",
    "HandWritten": "second_stage",
    "HybridScorer": "hybrid",
    "LexicalOptions": "lexical",
    "Method": "calibrated",
    "PassageOptions": "context",
    "RelevanceScores": "scores",
    "Scale": "scores",
    "Scope": "scores",
    "Scorer": "scores",
    "SecondStage": "second_stage",
    "TransformerEncoder": "encoders",
    "default_encoder": "encoders",
    "fit_map": "calibrated",
    "Classifier": "classifier",
    "Combination": "combination",
    "PairTextOptions": "pair_text",
    "pair_texts": "pair_text",
}

__all__ = [
    "Calibration",
    "CalibrationMap",
    "Classifier",
    "Combination",
    "CrossEncoder",
    "Encoder",
    "FusionOptions",
    "HandWritten",
    "HybridScorer",
    "LexicalOptions",
    "Method",
    "PairTextOptions",
    "PassageOptions",
    "RelevanceScores",
    "Scale",
    "Scope",
    "Scorer",
    "SecondStage",
    "TransformerEncoder",
    "default_encoder",
    "fit_map",
    "pair_texts",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
