"""Program text: ``cuts`` says where long code of any language is cut, ``python_cuts`` knows Python's definitions."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
