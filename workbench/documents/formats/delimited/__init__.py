"""Delimited text: ``rows`` finds its rows and fields in one pass."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
