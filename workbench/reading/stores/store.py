"""What a store of sessions does."""

from __future__ import annotations

import math
from typing import Protocol

from ...errors import InvalidOption

TTL_SECONDS = 1_800.0
"""Seconds after its last use at which a session is forgotten."""


class SessionStore(Protocol):
    """Keeps values under keys for a time that begins anew with every use, and locks beside them.

    Every method acts at once or not at all, also against other threads, and against other processes where the store is
    shared with them. A store that cannot be reached raises ``SessionStoreFailed``.
    """

    def load(self, key: str) -> bytes | None:
        """Return a value and begin its time anew, or None where there is none."""

    def save(self, key: str, value: bytes, *, replacing: bytes | None) -> bool:
        """Store a value if the present one is ``replacing``, None for none; return whether it was."""

    def drop(self, key: str) -> None:
        """Forget a value; none to forget is no error."""

    def acquire(self, key: str, owner: str, seconds: float) -> bool:
        """Lock a key that nobody has locked, for ``seconds`` at most; return whether this owner has locked it."""

    def release(self, key: str, owner: str) -> None:
        """Unlock a key, if it is still this owner's lock."""


def checked_ttl(ttl_seconds: float) -> float:
    """Return a time to live, or refuse what is none.

    Raises
    ------
    InvalidOption
        If it is no number above 0.
    """
    if isinstance(ttl_seconds, bool) or not isinstance(ttl_seconds, int | float):
        raise InvalidOption(f"ttl_seconds is {ttl_seconds!r:.60}; give a number of seconds above 0.")
    if not (math.isfinite(ttl_seconds) and ttl_seconds >= 0.001):
        raise InvalidOption(f"ttl_seconds is {ttl_seconds!r}; give a number of seconds from 0.001 on.")
    return float(ttl_seconds)
