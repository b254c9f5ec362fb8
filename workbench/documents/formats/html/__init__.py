"""HTML: ``tree`` mends the markup, ``blocks`` walks over it and asks ``forms`` and ``tables``."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
