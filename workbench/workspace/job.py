"""One piece of long work: its thread, its steps, and how it ends."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ..documents.progress import Reporter, reporting
from ..errors import WorkbenchError

Report = Callable[[int, int], None]

TELL_SECONDS = 0.1
"""Least time between two reports of one job to those who watch."""
_POLL_SECONDS = 0.05
_ESTIMATE_AFTER = 1.0

_log = logging.getLogger("workbench")


class JobStatus(StrEnum):
    """Where a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = (JobStatus.DONE, JobStatus.FAILED, JobStatus.CANCELLED)


class Cancelled(BaseException):
    """Raised inside a job that somebody has cancelled; no handler for errors may keep it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobState:
    """What is known of a job.

    Attributes
    ----------
    id, kind : str
    status : JobStatus
    label : str
        What it is doing, in words; "" while it waits.
    done, total : int
        Steps; ``total`` is 0 while unknown.
    seconds : float
        Since it began.
    left : float or None
        Estimate of the seconds that are left.
    error : str
        Why it failed, a sentence.
    details : str
        The traceback, where the fault is ours.
    """

    id: str
    kind: str
    status: JobStatus = JobStatus.WAITING
    label: str = ""
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    left: float | None = None
    error: str = ""
    details: str = ""

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in ENDED

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        names = ("id", "kind", "label", "done", "total", "seconds", "left", "error", "details")
        return {**{name: getattr(self, name) for name in names}, "status": self.status.value}


class Job:
    """One job with its thread.

    Attributes
    ----------
    state : JobState
    ended : threading.Event
    failure : BaseException or None
        What it failed with.
    """

    def __init__(
        self,
        job_id: str,
        kind: str,
        work: Callable[[Report], Any],
        arrived: Callable[[Any], None],
        lane: threading.Lock,
        tell: Callable[[], None],
        *,
        lost: Callable[[], None] = lambda: None,
        is_shown: bool = True,
    ) -> None:
        self.state = JobState(id=job_id, kind=kind)
        self.ended = threading.Event()
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name=f"workbench {job_id}", daemon=True)
        self._work, self._arrived, self._lane, self._tell, self._lost = work, arrived, lane, tell, lost
        self.is_shown = is_shown
        self._asked_to_end = threading.Event()
        self._tasks: list[_Task] = []
        self._begun = self._told = time.monotonic()
        self._first: tuple[int, float] | None = None

    def begin(self) -> None:
        """Start the thread."""
        self.thread.start()
        self._told_anew()

    def show(self) -> None:
        """Tell of it from now on, if it has not ended."""
        if not self.is_shown and not self.state.ended:
            self.is_shown = True
            self._tell()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended, and return whether it has; an interrupt cancels it."""
        try:
            return self.ended.wait(timeout)
        except KeyboardInterrupt:
            self.cancel()
            raise

    def cancel(self) -> bool:
        """Ask it to end."""
        if self.state.ended:
            return False
        self._asked_to_end.set()
        return True

    def _run(self) -> None:
        try:
            with self._in_lane():
                self._change(status=JobStatus.RUNNING)
                with reporting(self._task):
                    result = self._work(lambda done, total: self.report("", done, total))
                self.check()
                self._arrived(result)
        except Cancelled:
            self._end(JobStatus.CANCELLED)
        except WorkbenchError as error:
            self.failure = error
            self._end(JobStatus.FAILED, error=str(error))
        except BaseException as error:  # a thread has nobody above it who would tell
            _log.exception("The job %s failed", self.state.id)
            self.failure = error
            said = f"Something went wrong here that should not: {type(error).__name__}: {error}"
            self._end(JobStatus.FAILED, error=said, details=traceback.format_exc())
        else:
            self._end(JobStatus.DONE)

    @contextlib.contextmanager
    def _in_lane(self) -> Iterator[None]:
        while not self._lane.acquire(timeout=_POLL_SECONDS):
            self.check()
        try:
            self._begun = time.monotonic()
            self.check()
            yield
        finally:
            self._lane.release()

    def check(self) -> None:
        """Raise ``Cancelled`` if somebody wants it to end."""
        if self._asked_to_end.is_set():
            raise Cancelled

    def report(self, label: str, done: int, total: int) -> None:
        """Take how far it is, and end here if somebody wants it."""
        self.check()
        now = time.monotonic()
        if label != self.state.label or total != self.state.total:
            self._first = None
        elif now - self._told < TELL_SECONDS and done < total:
            return
        self._change(label=label, done=done, total=total, left=self._left(done, total, now))

    def _left(self, done: int, total: int, now: float) -> float | None:
        """Return an estimate of the seconds left; what was remembered from before was done at once."""
        if self._first is None:
            self._first = done, now
        before, since = self._first
        if not before < done < total or now - since < _ESTIMATE_AFTER:
            return None
        return (now - since) * (total - done) / (done - before)

    def _task(self, label: str) -> Reporter:
        return _Task(self, label, self._tasks)

    def _change(self, **values: Any) -> None:
        now = time.monotonic()
        self.state = replace(self.state, seconds=now - self._begun, **values)
        self._told = now
        self._told_anew()

    def _end(self, status: JobStatus, **values: Any) -> None:
        if status is not JobStatus.DONE:
            self._lose()
        done = self.state.total if status is JobStatus.DONE and self.state.total else self.state.done
        seconds = time.monotonic() - self._begun
        self.state = replace(self.state, seconds=seconds, status=status, left=None, done=done, **values)
        self.ended.set()
        self._told_anew()

    def _lose(self) -> None:
        try:
            self._lost()
        except Exception:
            # Whoever waits for its end must not wait for ever.
            _log.exception("The end of the job %s was not taken", self.state.id)

    def _told_anew(self) -> None:
        if self.is_shown:
            self._tell()


class _Task:
    """A task that shows progress inside a job; of tasks inside one another the outermost is told."""

    def __init__(self, job: Job, label: str, tasks: list[_Task]) -> None:
        self._job, self._label, self._tasks = job, label, tasks
        tasks.append(self)

    def update(self, done: int, total: int, seconds: float) -> None:
        """Take how far it is."""
        del seconds
        if self._tasks[0] is self:
            self._job.report(self._label, done, total)
        else:
            self._job.check()

    def close(self) -> None:
        """The task is over."""
        self._tasks.remove(self)
