"""Long work beside the analyst: in threads, with progress, and ended between two steps when somebody cancels it."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from ..errors import InvalidOption
from .job import Job, JobState, JobStatus, Report

__all__ = ["Job", "JobState", "JobStatus", "Jobs", "Report"]

Result = TypeVar("Result")


class Jobs:
    """The jobs of a bench; iterating gives the last state of each kind of job that is shown, oldest first.

    Jobs of one lane run one after the other, so that what somebody waits for is not slowed by more of its like.

    Parameters
    ----------
    tell : callable
        Called, on the thread of the job, when the state of a job has changed.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._lanes: dict[str, threading.Lock] = {}
        self._numbers = itertools.count(1)

    @property
    def states(self) -> tuple[JobState, ...]:
        """The last state of each kind of job that is shown, oldest first."""
        with self._lock:
            return tuple(job.state for job in self._jobs.values() if job.is_shown)

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
        self,
        kind: str,
        work: Callable[[Report], Result],
        arrived: Callable[[Result], None],
        *,
        lane: str = "asked",
        lost: Callable[[], None] = lambda: None,
        instead: bool = False,
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
        lost : callable
            Called where no result arrives, before the job has ended.
        instead : bool
            Whether one of this kind that has not ended is cancelled, and gives its place to this one.

        Raises
        ------
        InvalidOption
            If one of this kind has not ended.
        """
        with self._lock:
            before = self._jobs.pop(kind, None)
            if before is not None and instead:
                before.cancel()
            elif before is not None and not before.state.ended:
                self._jobs[kind] = before
                raise InvalidOption(f"The job {kind} is running already; wait for it, or cancel it first.")
            lock = self._lanes.setdefault(lane, threading.Lock())
            name = f"{kind}-{next(self._numbers)}"
            job = self._jobs[kind] = Job(name, kind, work, arrived, lock, self._tell, lost=lost)
        job.begin()
        return job.state

    def begin_unseen(
        self,
        kind: str,
        work: Callable[[Report], Result],
        arrived: Callable[[Result], None],
        lost: Callable[[], None],
    ) -> Job:
        """Begin a job that nobody is told of until ``Job.show``: most of its kind end before anybody would wonder.

        One of this kind that has not ended is cancelled, and this one takes its place.

        Parameters
        ----------
        kind : str
        work, arrived : callable
            As in ``start``.
        lost : callable
            Called where no result arrives, before the job has ended.
        """
        with self._lock:
            before = self._jobs.pop(kind, None)
            if before is not None:
                before.cancel()
            # It need not wait until the other one has come to its next step.
            lane = threading.Lock()
            name = f"{kind}-{next(self._numbers)}"
            job = self._jobs[kind] = Job(name, kind, work, arrived, lane, self._tell, lost=lost, is_shown=False)
        job.begin()
        return job

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
        if not job.wait(timeout):
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

    def _job(self, job_id: str) -> Job:
        with self._lock:
            for job in self._jobs.values():
                if job_id in (job.state.id, job.state.kind):
                    return job
            known = ", ".join(job.state.id for job in self._jobs.values()) or "none"
        raise InvalidOption(f"There is no job {job_id!r:.40}; there are: {known}.")

    def __repr__(self) -> str:
        return f"Jobs({', '.join(f'{state.id}: {state.status.value}' for state in self.states)})"
