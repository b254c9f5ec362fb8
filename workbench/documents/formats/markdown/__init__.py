"""Markdown: ``blocks`` turns line maps into slices."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
