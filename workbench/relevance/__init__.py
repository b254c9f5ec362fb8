"""How likely each block of a document holds evidence for a question, and what that number means.

Names are loaded when first used: torch, transformers and bm25s wait until something is scored.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calibrated import Calibration, CalibrationMap, Method, fit_map
    from .context import PassageOptions
    from .cross_encoder import CrossEncoder
    from .encoders import Encoder, TransformerEncoder, default_encoder
    from .fusion import FusionOptions
    from .hybrid import HybridScorer
    from .lexical import LexicalOptions
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
}

__all__ = [
    "Calibration",
    "CalibrationMap",
    "CrossEncoder",
    "Encoder",
    "FusionOptions",
    "HandWritten",
    "HybridScorer",
    "LexicalOptions",
    "Method",
    "PassageOptions",
    "RelevanceScores",
    "Scale",
    "Scope",
    "Scorer",
    "SecondStage",
    "TransformerEncoder",
    "default_encoder",
    "fit_map",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
