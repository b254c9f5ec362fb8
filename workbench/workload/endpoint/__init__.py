"""A language model that the caller names: it answers on both paths of a request, and the answers are graded.

Nothing here is used, and nothing is sent, unless an ``Endpoint`` is given. Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazy import loaded_when_used

if TYPE_CHECKING:
    from .asking import ask_workload
    from .ceiling import Ceiling
    from .grading import Grade, grade
    from .options import Endpoint
    from .transcript import read_transcript

_HOME = {
    "Ceiling": "ceiling",
    "Endpoint": "options",
    "Grade": "grading",
    "ask_workload": "asking",
    "grade": "grading",
    "read_transcript": "transcript",
}

__all__ = [
    "Ceiling",
    "Endpoint",
    "Grade",
    "ask_workload",
    "grade",
    "read_transcript",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
