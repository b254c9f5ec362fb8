"""Presentations: ``shapes`` knows where they stand and in which order they are read, ``tables`` their cells."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
