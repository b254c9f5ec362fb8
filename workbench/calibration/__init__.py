"""Weights and thresholds fitted on outcomes, with what can be promised of them."""

from __future__ import annotations

from .baselines import SIZE_RULE_BYTES
from .calibrate import calibrate
from .figures import Figure, Policy
from .flips import Flip, FlipSweep
from .frontier import FrontierPoint
from .hand_set import confusion, judged
from .outcomes import Outcomes, checked_outcomes
from .promise import Promise
from .reliability import ReliabilityBin
from .result import CalibrationResult
from .risk import RiskControl, crc_threshold, documents_needed
from .rules import Rule
from .search import SearchOptions

__all__ = [
    "SIZE_RULE_BYTES",
    "CalibrationResult",
    "Figure",
    "Flip",
    "FlipSweep",
    "FrontierPoint",
    "Outcomes",
    "Policy",
    "Promise",
    "ReliabilityBin",
    "RiskControl",
    "Rule",
    "SearchOptions",
    "calibrate",
    "checked_outcomes",
    "confusion",
    "crc_threshold",
    "documents_needed",
    "judged",
]
