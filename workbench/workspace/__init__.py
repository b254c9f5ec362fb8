"""What an analyst has done and works on: a journal in a folder, the state it adds up to, and long jobs; no widgets.

Names are loaded when first used: a widget alone needs an operation and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import loaded_when_used

if TYPE_CHECKING:
    from .bench import Bench
    from .comparing import Comparison
    from .jobs import Jobs, JobState, JobStatus
    from .journal import Journal, WorkspaceFailed
    from .operations import Operation
    from .state import BenchState

_HOME = {
    "Bench": "bench",
    "BenchState": "state",
    "Comparison": "comparing",
    "JobState": "jobs",
    "JobStatus": "jobs",
    "Jobs": "jobs",
    "Journal": "journal",
    "Operation": "operations",
    "WorkspaceFailed": "journal",
}

__all__ = [
    "Bench",
    "BenchState",
    "Comparison",
    "JobState",
    "JobStatus",
    "Jobs",
    "Journal",
    "Operation",
    "WorkspaceFailed",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
