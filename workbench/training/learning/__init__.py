"""Adapters and heads that learn from lists: what is trained, the steps, and the checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import loaded_when_used

if TYPE_CHECKING:
    from .bases import Base, find_base
    from .classifier_training import train_classifier
    from .encoder_training import train_encoder
    from .running import load_trained
    from .states import Look, Trained, TrainingState
    from .trainable import TrainableParts, trainable_parts

_HOME = {
    "Base": "bases",
    "Look": "states",
    "TrainableParts": "trainable",
    "Trained": "states",
    "TrainingState": "states",
    "find_base": "bases",
    "load_trained": "running",
    "train_classifier": "classifier_training",
    "train_encoder": "encoder_training",
    "trainable_parts": "trainable",
}

__all__ = [
    "Base",
    "Look",
    "TrainableParts",
    "Trained",
    "TrainingState",
    "find_base",
    "load_trained",
    "train_classifier",
    "train_encoder",
    "trainable_parts",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
