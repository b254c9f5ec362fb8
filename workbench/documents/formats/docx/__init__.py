"""Word documents: ``text`` and ``tables`` read what the body holds, ``parts`` what stands outside it, by ``styles``."""

from __future__ import annotations

from .format import FORMAT

__all__ = ["FORMAT"]
