"""Sessions in the memory of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from .store import TTL_SECONDS, checked_ttl

MOST_SESSIONS = 10_000
"""Sessions that are kept; the one unused for longest makes room for a new one."""


class MemoryStore:
    """Sessions that all threads of this process share and that end with it.

    Parameters
    ----------
    ttl_seconds : float
        Time after its last use at which a session is forgotten.
    clock : callable
        Gives the time in seconds; it must never go back.

    Examples
    --------
    >>> store = MemoryStore()
    >>> store.save("key", b"value", replacing=None), store.load("key")
    (True, b'value')
    """

    def __init__(self, *, ttl_seconds: float = TTL_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.ttl_seconds = checked_ttl(ttl_seconds)
        self._clock = clock
        self._guard = threading.Lock()
        # The one unused for longest stands first: every use moves a key to the end.
        self._values: dict[str, tuple[bytes, float]] = {}
        self._locks: dict[str, tuple[str, float]] = {}

    def load(self, key: str) -> bytes | None:
        """Return a value and begin its time anew, or None where there is none."""
        with self._guard:
            value = self._live(key)
            if value is not None:
                self._put(key, value)
            return value

    def save(self, key: str, value: bytes, *, replacing: bytes | None) -> bool:
        """Store a value if the present one is ``replacing``, None for none; return whether it was."""
        with self._guard:
            if self._live(key) != replacing:
                return False
            self._put(key, value)
            self._forget()
            return True

    def drop(self, key: str) -> None:
        """Forget a value."""
        with self._guard:
            self._values.pop(key, None)

    def acquire(self, key: str, owner: str, seconds: float) -> bool:
        """Lock a key that nobody has locked."""
        with self._guard:
            now = self._clock()
            if key in self._locks and self._locks[key][1] > now:
                return False
            self._locks[key] = (owner, now + seconds)
            return True

    def release(self, key: str, owner: str) -> None:
        """Unlock a key, if it is still this owner's lock."""
        with self._guard:
            if key in self._locks and self._locks[key][0] == owner:
                del self._locks[key]

    def _live(self, key: str) -> bytes | None:
        value, ends = self._values.get(key, (None, 0.0))
        return value if ends > self._clock() else None

    def _put(self, key: str, value: bytes) -> None:
        self._values.pop(key, None)
        self._values[key] = (value, self._clock() + self.ttl_seconds)

    def _forget(self) -> None:
        now = self._clock()
        while self._values:
            oldest = next(iter(self._values))
            if self._values[oldest][1] > now and len(self._values) <= MOST_SESSIONS:
                break
            del self._values[oldest]
        for key, (_, ends) in list(self._locks.items()):
            if ends <= now:
                del self._locks[key]

    def __repr__(self) -> str:
        return f"MemoryStore({len(self._values):,} sessions, {self.ttl_seconds:g} s)"
