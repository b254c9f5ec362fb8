"""Long work beside the analyst: in threads, with progress, and ended between two steps when somebody cancels it."""

from __future__ import annotations

import contextlib
import itertools
import logging
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from ..documents.progress import Reporter, reporting
from ..errors import InvalidOption, WorkbenchError

Result = TypeVar("Result")
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


class Jobs:
    """The jobs of a bench; iterating gives the last state of each kind of job, oldest first.

    Jobs of one lane run one after the other, so that what somebody waits for is not slowed by more of its like.

    Parameters
    ----------
    tell : callable
        Called, on the thread of the job, when the state of a job has changed.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._jobs: dict[str, _Job] = {}
        self._lanes: dict[str, threading.Lock] = {}
        self._numbers = itertools.count(1)

    @property
    def states(self) -> tuple[JobState, ...]:
        """The last state of each kind of job, oldest first."""
        with self._lock:
            return tuple(job.state for job in self._jobs.values())

    def __iter__(self) -> Iterator[JobState]:
        return iter(self.states)

    def __len__(self) -> int:
        return len(self.states)

    def of(self, kind: str) -> JobState | None:
        """Return the state of the last job of a kind, or None."""
        with self._lock:
            job = self._jobs.get(kind)
        return None if job is None else job.state

    def is_running(self, kind: str) -> bool:
        """Whether a job of a kind waits or runs."""
        state = self.of(kind)
        return state is not None and not state.ended

    def start(
        self, kind: str, work: Callable[[Report], Result], arrived: Callable[[Result], None], *, lane: str = "asked"
    ) -> JobState:
        """Begin a job.

        Parameters
        ----------
        kind : str
        work : callable
            Does it, on a thread of its own. What it calls may show progress; it may report steps itself, too.
        arrived : callable
            Takes the result, on the same thread.
        lane : str

        Raises
        ------
        InvalidOption
            If one of this kind has not ended.
        """
        with self._lock:
            before = self._jobs.pop(kind, None)
            if before is not None and not before.state.ended:
                self._jobs[kind] = before
                raise InvalidOption(f"The job {kind} is running already; wait for it, or cancel it first.")
            lock = self._lanes.setdefault(lane, threading.Lock())
            job = self._jobs[kind] = _Job(f"{kind}-{next(self._numbers)}", kind, work, arrived, lock, self._tell)
        job.thread.start()
        self._tell()
        return job.state

    def cancel(self, job_id: str) -> bool:
        """End a job before its next step; return whether there was something to end.

        Raises
        ------
        InvalidOption
            If there is no such job.
        """
        job = self._job(job_id)
        return job.cancel()

    def wait(self, job_id: str, timeout: float | None = None) -> JobState:
        """Wait until a job has ended, and raise what it failed with.

        An interrupt cancels the job.

        Raises
        ------
        InvalidOption
            If there is no such job, or it takes longer than ``timeout`` seconds.
        WorkbenchError
            What ended it.
        """
        job = self._job(job_id)
        try:
            ended = job.ended.wait(timeout)
        except KeyboardInterrupt:
            job.cancel()
            raise
        if not ended:
            raise InvalidOption(
                f"The job {job.state.kind} has not ended after {timeout:g} s; wait longer, or cancel it."
            )
        if job.failure is not None:
            raise job.failure
        return job.state

    def wait_for_all(self, timeout: float | None = None) -> None:
        """Wait until every job has ended, also those that others begin; what failed says so in its state."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            with self._lock:
                running = [job for job in self._jobs.values() if not job.ended.is_set()]
            if not running:
                return
            left = None if until is None else max(0.0, until - time.monotonic())
            if not running[0].ended.wait(left):
                kind = running[0].state.kind
                raise InvalidOption(f"The job {kind} has not ended after {timeout:g} s; wait longer, or cancel it.")

    def cancel_all(self) -> None:
        """End every job before its next step."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            job.cancel()

    def _job(self, job_id: str) -> _Job:
        with self._lock:
            for job in self._jobs.values():
                if job_id in (job.state.id, job.state.kind):
                    return job
            known = ", ".join(job.state.id for job in self._jobs.values()) or "none"
        raise InvalidOption(f"There is no job {job_id!r:.40}; there are: {known}.")

    def __repr__(self) -> str:
        return f"Jobs({', '.join(f'{state.id}: {state.status.value}' for state in self.states)})"


class _Job:
    """One job with its thread."""

    def __init__(
        self,
        job_id: str,
        kind: str,
        work: Callable[[Report], Any],
        arrived: Callable[[Any], None],
        lane: threading.Lock,
        tell: Callable[[], None],
    ) -> None:
        self.state = JobState(id=job_id, kind=kind)
        self.ended = threading.Event()
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name=f"workbench {job_id}", daemon=True)
        self._work, self._arrived, self._lane, self._tell = work, arrived, lane, tell
        self._asked_to_end = threading.Event()
        self._tasks: list[_Task] = []
        self._begun = self._told = time.monotonic()
        self._first: tuple[int, float] | None = None

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
        self._tell()

    def _end(self, status: JobStatus, **values: Any) -> None:
        done = self.state.total if status is JobStatus.DONE and self.state.total else self.state.done
        seconds = time.monotonic() - self._begun
        self.state = replace(self.state, seconds=seconds, status=status, left=None, done=done, **values)
        self.ended.set()
        self._tell()


class _Task:
    """A task that shows progress inside a job; of tasks inside one another the outermost is told."""

    def __init__(self, job: _Job, label: str, tasks: list[_Task]) -> None:
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
