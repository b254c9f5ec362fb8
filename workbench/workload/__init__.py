"""Requests with gold evidence, and what becomes of them when they are replayed.

Names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import loaded_when_used

if TYPE_CHECKING:
    from .gold import Gold, GoldPiece, resolve, resolve_all
    from .loading import load_workload
    from .requests import SCENARIOS, CharRange, Evidence, Request
    from .workload import Workload

_HOME = {
    "SCENARIOS": "requests",
    "CharRange": "requests",
    "Evidence": "requests",
    "Gold": "gold",
    "GoldPiece": "gold",
    "Request": "requests",
    "Workload": "workload",
    "load_workload": "loading",
    "resolve": "gold",
    "resolve_all": "gold",
}

__all__ = [
    "SCENARIOS",
    "CharRange",
    "Evidence",
    "Gold",
    "GoldPiece",
    "Request",
    "Workload",
    "load_workload",
    "resolve",
    "resolve_all",
]

__getattr__, __dir__ = loaded_when_used(globals(), _HOME)
