"""Replay: both paths of every request of a workload, and what they cost and yield.

Names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .block_table import BlockScores, block_scores, collect_block_scores
    from .outcomes import load_outcomes, save_outcomes
    from .replays import replay
    from .scores import RememberingScorer

_HOME = {
    "BlockScores": "block_table",
    "RememberingScorer": "scores",
    "block_scores": "block_table",
    "collect_block_scores": "block_table",
    "load_outcomes": "outcomes",
    "replay": "replays",
    "save_outcomes": "outcomes",
}

__all__ = [
    "BlockScores",
    "RememberingScorer",
    "block_scores",
    "collect_block_scores",
    "load_outcomes",
    "replay",
    "save_outcomes",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
