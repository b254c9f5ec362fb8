"""Steps beside the training itself, such as mining: they are told of as it is, and end as it does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ...documents.progress import Reporter, default_reporter, reporting, wanted
from .states import Cancel, Told, TrainingState

TELL_SECONDS = 0.2
"""Least time between two states that are told of."""


class CancelledStep(Exception):
    """Somebody has cancelled a step that leaves nothing behind."""


def is_cancelled(cancel: Cancel) -> bool:
    """Return whether somebody wants the work to end."""
    if cancel is None:
        return False
    return bool(cancel() if callable(cancel) else cancel.is_set())


@contextmanager
def telling(phase: str, told: Told, cancel: Cancel, progress: bool | None) -> Iterator[None]:
    """Turn what is reported inside into states, and end it when somebody cancels.

    Raises
    ------
    CancelledStep
    """
    if told is None and cancel is None:
        yield
        return
    if told is not None:
        told(TrainingState(phase=phase))
    began = time.monotonic()
    with reporting(lambda label: _Teller(phase, label, told, cancel, progress, began)):
        yield


class _Teller:
    """A reporter that tells of a phase; in a terminal it draws as well, where nobody is told."""

    def __init__(self, phase: str, label: str, told: Told, cancel: Cancel, progress: bool | None, began: float) -> None:
        self._phase, self._told, self._cancel, self._began = phase, told, cancel, began
        self._drawn: Reporter | None = default_reporter(label) if told is None and wanted(progress) else None
        self._last = -TELL_SECONDS

    def update(self, done: int, total: int, seconds: float) -> None:
        """Tell how far it is."""
        if is_cancelled(self._cancel):
            raise CancelledStep
        now = time.monotonic()
        if now - self._last < TELL_SECONDS:
            return
        self._last = now
        if self._drawn is not None:
            self._drawn.update(done, total, seconds)
        if self._told is not None:
            left = seconds / done * (total - done) if done > 0 and total > done else None
            self._told(
                TrainingState(
                    phase=self._phase,
                    step=done,
                    of=total,
                    seconds=round(now - self._began, 3),
                    seconds_left=None if left is None else round(left, 1),
                )
            )

    def close(self) -> None:
        """Take it off the screen."""
        if self._drawn is not None:
            self._drawn.close()
