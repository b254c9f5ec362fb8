"""What an analyst has done and works on: a journal in a folder, the state it adds up to, and long jobs; no widgets."""

from __future__ import annotations

from .operations import Operation

__all__ = ["Operation"]
