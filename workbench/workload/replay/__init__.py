"""Replay: both paths of every request of a workload, and what they cost and yield.

Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import loaded_when_used

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

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
