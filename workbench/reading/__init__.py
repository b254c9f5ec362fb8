"""One reading: relevance x structure -> which blocks are kept and skipped, with the reasons."""

from __future__ import annotations

from .audit import Audit, load_audit
from .cuts import Cut, Threshold, TokenShare
from .decision import Bound
from .explanation import Explanation
from .feedback import Feedback
from .followup_options import FollowUpOptions
from .reader import AUTO, SparseReader
from .reading import Reading
from .rendering import KeptPiece
from .saving import Saving
from .selection import Status
from .sessions import Session, SessionState
from .skipped import Skipped, SkippedSection
from .stores import open_store

__all__ = [
    "AUTO",
    "Audit",
    "Bound",
    "Cut",
    "Explanation",
    "Feedback",
    "FollowUpOptions",
    "KeptPiece",
    "Reading",
    "Saving",
    "Session",
    "SessionState",
    "Skipped",
    "SkippedSection",
    "SparseReader",
    "Status",
    "Threshold",
    "TokenShare",
    "load_audit",
    "open_store",
]
