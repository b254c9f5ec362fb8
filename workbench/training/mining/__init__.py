"""Hard negatives: blocks that look like evidence and are none, and those that a person should decide on.

Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import loaded_when_used

if TYPE_CHECKING:
    from .mined import Borderline, CopyOfEvidence, HardNegative, Mined, Unanswered
    from .mining import mine_hard_negatives
    from .options import MiningOptions
    from .report import MiningReport
    from .term_vectors import TermVectors

_HOME = {
    "Borderline": "mined",
    "CopyOfEvidence": "mined",
    "HardNegative": "mined",
    "Mined": "mined",
    "MiningOptions": "options",
    "MiningReport": "report",
    "TermVectors": "term_vectors",
    "Unanswered": "mined",
    "mine_hard_negatives": "mining",
}

__all__ = [
    "Borderline",
    "CopyOfEvidence",
    "HardNegative",
    "Mined",
    "MiningOptions",
    "MiningReport",
    "TermVectors",
    "Unanswered",
    "mine_hard_negatives",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
