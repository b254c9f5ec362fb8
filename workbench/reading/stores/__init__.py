"""Where sessions are kept: in memory, in a SQLite file, or in Redis; all three behave alike."""

from __future__ import annotations

from .opening import open_store
from .store import TTL_SECONDS, SessionStore

__all__ = ["TTL_SECONDS", "SessionStore", "open_store"]
