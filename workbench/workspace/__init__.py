"""What an analyst has done and works on: a journal in a folder, the state it adds up to, and long jobs; no widgets.

Names are loaded when first used: a widget alone needs an operation and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import loaded_when_used

if TYPE_CHECKING:
    from .bench import Bench
    from .comparing import Comparison
    from .job import JobState, JobStatus
    from .jobs import Jobs
    from .journal import Journal
    from .operations import Operation
    from .state import BenchState

_HOME = {
    "Bench": "bench",
    "BenchState": "state",
    "Comparison": "comparing",
    "JobState": "job",
    "JobStatus": "job",
    "Jobs": "jobs",
    "Journal": "journal",
    "Operation": "operations",
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
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
