"""When the next call may be made: a limit of calls a minute, and the pauses that a server asks for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

Clock = Callable[[], float]
Sleep = Callable[[float], None]

FIRST_PAUSE = 1.0
"""Seconds before the second try; they double with every further one."""
LONGEST_PAUSE = 60.0
LONGEST_ASKED_PAUSE = 600.0
"""Longest pause that a server is granted; one that asks for more has failed."""


class Pacer:
    """Spreads calls evenly over a minute; several threads may wait at once.

    Parameters
    ----------
    per_minute : float or None
        Most calls a minute; None for as many as go.
    clock, sleep : callable
        Seconds that only grow, and how to wait for some of them.
    """

    def __init__(self, per_minute: float | None, *, clock: Clock = time.monotonic, sleep: Sleep = time.sleep) -> None:
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._free = self._held = clock()

    def wait(self) -> None:
        """Return when the next call may be made."""
        while True:
            with self._lock:
                turn = max(self._clock(), self._free, self._held)
                self._free = turn + self._gap
            while (left := turn - self._clock()) > 0:
                self._sleep(left)
            # Somebody may have been told to hold meanwhile.
            if self._held <= turn:
                return

    def hold(self, seconds: float) -> None:
        """Let nobody call before some seconds have passed: a server that is too busy for one is so for all."""
        with self._lock:
            self._held = max(self._held, self._clock() + seconds)


def pause_before(tries_made: int) -> float:
    """Return the seconds to wait after some tries.

    Examples
    --------
    >>> [pause_before(tries) for tries in (1, 2, 3, 10)]
    [1.0, 2.0, 4.0, 60.0]
    """
    return float(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries_made - 1)))


def asked_pause(header: str | None, now: float) -> float | None:
    """Return the seconds that a ``Retry-After`` header asks for: a number, or a date; None for none or nonsense.

    Parameters
    ----------
    header : str or None
    now : float
        Seconds since 1970.

    Examples
    --------
    >>> asked_pause("7", 0.0), asked_pause("Thu, 01 Jan 1970 00:01:00 GMT", 20.0), asked_pause("soon", 0.0)
    (7.0, 40.0, None)
    """
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
