"""JSON: ``scan`` finds every value, ``blocks`` turns values into blocks; JSON lines are made of both."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
