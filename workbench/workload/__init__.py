"""Requests with gold evidence, and what becomes of them when they are replayed.

Names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
