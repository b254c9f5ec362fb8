"""Plain text: ``patterns`` looks at a line, ``prose`` at a run of lines, ``headings`` at the whole."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
