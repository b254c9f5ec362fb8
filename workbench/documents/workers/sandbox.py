"""Run a parser where it can be killed: in worker processes, with a deadline and a memory limit.

A job is named "module:function" and is ``job(arguments, context) -> bytes``: ``arguments`` is what JSON holds,
``context`` a ``ParseContext`` whose clock runs since the document was begun. A crash, a hang or a memory hog
costs a worker, never this process.
"""

from __future__ import annotations

import logging
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from ... import errors
from ...errors import LimitExceeded, ParserFailed, WorkbenchError
from ..options import ReadOptions
from ..source import ParseContext, Report
from .pool import END, MAX_WORKERS, POOL, Worker, WorkerPool, cores

TICK_SECONDS = 0.1
"""How often the clock is looked at while workers are busy."""
PARTIAL_GRACE = 0.25
PARTIAL_GRACE_SECONDS = 2.0
"""What a worker gets on top of ``max_seconds``, when ``partial`` is set, to hand over what it has: the larger of
this share and these seconds."""

_log = logging.getLogger("workbench")
_MEMORY_WORDS = ("out of mem", "bad_alloc", "memory allocation", "cannot allocate", "failed to allocate")
_MEMORY_SIGNALS = ("SIGABRT", "SIGTRAP", "SIGILL", "SIGSEGV", "SIGBUS", "SIGKILL")
"""How native code ends when it gets no memory, and how the system ends what has too much."""
NEAR_SHARE = 0.5
"""Share of ``max_memory_mb`` from which such an end is put down to it: a list that grows asks for twice its size."""


class RunJobs(Protocol):
    """Runs one function over many arguments; results come in order, as soon as they and all before are there.

    Arguments may say in "units" how many units of progress (pages) their job has, so that the total is known
    before the last one has begun.
    """

    def __call__(self, function: str, arguments: Sequence[dict[str, Any]], /) -> Iterator[bytes]: ...


class JobRunner:
    """Runs the jobs of one document: they share its deadline, limits and progress.

    Attributes
    ----------
    context : ParseContext
        Limits, progress and clock of the document, for the part of its parsing that happens in this process.
    """

    def __init__(
        self, options: ReadOptions, *, name: str, report: Report | None = None, pool: WorkerPool = POOL
    ) -> None:
        self.context = ParseContext(options, report) if report else ParseContext(options)
        self.name = name
        self.pool = pool
        self._begun = False

    def __call__(self, function: str, arguments: Sequence[dict[str, Any]], /) -> Iterator[bytes]:
        """Yield the results in order.

        Raises
        ------
        LimitExceeded
            At ``max_seconds`` or ``max_memory_mb``, also when the latter made a parser crash.
        ParserFailed
            If a worker crashes, or the function raises anything that is no ``WorkbenchError``.
        WorkbenchError
            What the function itself raises.
        """
        if not arguments:
            return
        run = _Run(self, function, arguments)
        try:
            self._lease(run)
            yield from run.results()
        finally:
            run.stop()

    def check_time(self) -> None:
        """Raise when the deadline has passed, with its grace."""
        options = self.context.options
        grace = max(options.max_seconds * PARTIAL_GRACE, PARTIAL_GRACE_SECONDS) if options.partial else 0.0
        if self.elapsed > options.max_seconds + grace:
            self.context.check_time(self.name)

    @property
    def elapsed(self) -> float:
        """Seconds since the first worker was there."""
        return time.monotonic() - self.context.started

    def _lease(self, run: _Run) -> None:
        """Wait for one worker and take as many more as are free; waiting for others does not count as time."""
        wanted = min(self.context.options.workers or cores(), len(run.arguments))
        limit = max(MAX_WORKERS, self.context.options.workers)
        while not run.add(self.pool.lease(run.on_frame, limit=limit, timeout=TICK_SECONDS)):
            run.tick()
        if not self._begun:
            self._begun = True
            self.context.started = time.monotonic()
        run.dispatch()
        for _ in range(wanted - 1):
            if not run.pending or not run.add(self.pool.lease(run.on_frame, limit=limit)):
                break
            run.dispatch()


class _Run:
    """One call of a ``JobRunner``: which worker has which job, and what has come back."""

    def __init__(self, runner: JobRunner, function: str, arguments: Sequence[dict[str, Any]]) -> None:
        self.runner = runner
        self.function = function
        self.arguments = arguments
        self.pending = deque(range(len(arguments)))
        self._options = asdict(runner.context.options)
        self._lock = threading.Lock()
        self._workers: dict[Worker, int | None] = {}
        self._grown: dict[Worker, float] = {}
        self._room: dict[Worker, float] = {}
        self._looked = 0.0
        self._events: queue.SimpleQueue[tuple[Worker, int | None, dict[str, Any], bytes]] = queue.SimpleQueue()
        self._progress: dict[int, tuple[int, int]] = {}

    def add(self, worker: Worker | None) -> bool:
        """Make a leased worker part of the run."""
        if worker is not None:
            with self._lock:
                self._workers[worker] = None
        return worker is not None

    def dispatch(self) -> None:
        """Give every waiting worker a job."""
        for worker, job in list(self._workers.items()):
            if job is None:
                self._next(worker)

    def on_frame(self, worker: Worker, header: dict[str, Any], payload: bytes) -> None:
        """Take a frame in the worker's thread: it gets its next job at once, however slow the consumer is."""
        job, kind = self._workers.get(worker), header["kind"]
        if kind in ("error", "failed", "memory", END):
            with self._lock:
                self.pending.clear()
        if kind in ("result", "error", "failed"):
            self._grown[worker] = header["resident_mb"]
            self._next(worker)
        self._events.put((worker, job, header, payload))

    def _next(self, worker: Worker) -> None:
        with self._lock:
            job = self._workers[worker] = self.pending.popleft() if self.pending else None
            self._room.pop(worker, None)
        if job is not None:
            worker.send(
                {
                    "function": self.function,
                    "arguments": self.arguments[job],
                    "options": self._options,
                    "elapsed": self.runner.elapsed,
                }
            )

    def results(self) -> Iterator[bytes]:
        """Yield results in the order of the arguments."""
        waiting: dict[int, bytes] = {}
        for rank in range(len(self.arguments)):
            while rank not in waiting:
                self.runner.check_time()
                self._look_at_memory()
                try:
                    worker, job, header, payload = self._events.get(timeout=TICK_SECONDS)
                except queue.Empty:
                    self.tick()
                    continue
                if header["kind"] == "result" and job is not None:
                    waiting[job] = payload
                elif header["kind"] == "progress" and job is not None:
                    self._progress[job] = (header["done"], header["total"])
                    self.tick()
                else:
                    raise self._error(worker, header)
            yield waiting.pop(rank)

    def _look_at_memory(self) -> None:
        """Note how much room the busy workers have: one that crashes cannot say any more that it had none."""
        now = time.monotonic()
        if now - self._looked < TICK_SECONDS:
            return
        self._looked = now
        for worker, job in list(self._workers.items()):
            if job is not None and (room := worker.room_mb()) is not None:
                self._room[worker] = min(room, self._room.get(worker, room))

    def tick(self) -> None:
        """Report the progress of all jobs together; also without news, so that a clock can be shown."""
        known = list(self._progress.values())
        done = sum(done for done, _ in known)
        total = sum(arguments.get("units", 0) for arguments in self.arguments)
        if known and not total:
            total = sum(total for _, total in known) * len(self.arguments) // len(known)
        self.runner.context.report(done, max(done, total))

    def stop(self) -> None:
        """Kill the workers that are at work, keep the others."""
        with self._lock:
            self.pending.clear()
            workers = dict(self._workers)
            self._workers.clear()
        for worker, job in workers.items():
            if job is None and worker.alive:
                self.runner.pool.give_back(worker, self._grown.get(worker, 0.0))
            else:
                self.runner.pool.discard(worker)

    def _error(self, worker: Worker, header: dict[str, Any]) -> WorkbenchError:
        name, options = self.runner.name, self.runner.context.options
        if header["kind"] == END:
            room = self._room.get(worker)
            return crash_error(name, *worker.end(), options=options, started=worker.started, room_mb=room)
        if header["kind"] == "memory":
            return _too_little_memory(name, options, header["resident_mb"])
        if header["kind"] == "failed":
            _log.debug("parser failed on %s\n%s", name, header["traceback"])
            return ParserFailed(
                f"{name} could not be parsed ({header['message']}); the file may be damaged, "
                "or the parser has a fault that is worth a report."
            )
        if header["class"] == "LimitExceeded":
            details = {key: header[key] for key in ("setting", "limit", "value")}
            return LimitExceeded(header["message"], **details)
        kind = getattr(errors, header["class"], ParserFailed)
        error: WorkbenchError = kind(header["message"])
        return error


def crash_error(
    name: str, code: int, stderr: str, *, options: ReadOptions, started: bool = True, room_mb: float | None = None
) -> WorkbenchError:
    """Return the error for a worker that ended without an answer; ``room_mb`` is what it last had left to grow by."""
    _log.debug("worker ended with %s while reading %s\n%s", code, name, stderr)
    last = next((line for line in reversed(stderr.splitlines()) if line.strip()), "")
    if not started:
        return ParserFailed(f"The worker process for {name} could not start ({last or code}); try isolate=False.")
    how = f"signal {_signal_name(-code)}" if code < 0 else f"exit code {code}"
    used = 0.0 if room_mb is None else options.max_memory_mb - room_mb
    if code < 0 and _signal_name(-code) in _MEMORY_SIGNALS:
        told = code == -signal.SIGABRT and any(words in stderr.lower() for words in _MEMORY_WORDS)
        if told or used >= NEAR_SHARE * options.max_memory_mb:
            return _too_little_memory(name, options, used or options.max_memory_mb)
    if code == -getattr(signal, "SIGKILL", 9):
        hint = "the system ended it, most often because the machine's memory ran out"
    else:
        hint = "other documents are not affected, and the file is probably damaged"
    return ParserFailed(f"The parser crashed on {name} ({how}); {hint}.")


def _too_little_memory(name: str, options: ReadOptions, value: float) -> LimitExceeded:
    return LimitExceeded(
        f"{name} needs more than {options.max_memory_mb:g} MiB of memory to read; raise max_memory_mb.",
        setting="max_memory_mb",
        limit=options.max_memory_mb,
        value=round(value, 1),
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def run_jobs(
    function: str,
    arguments: Sequence[dict[str, Any]],
    *,
    options: ReadOptions,
    name: str,
    report: Report | None = None,
) -> Iterator[bytes]:
    """Run one function over many arguments, in parallel, and yield the results in order; see ``JobRunner``."""
    return JobRunner(options, name=name, report=report)(function, arguments)


def run_job(
    function: str, arguments: dict[str, Any], *, options: ReadOptions, name: str, report: Report | None = None
) -> bytes:
    """Run one function in a worker and return its result; see ``JobRunner``."""
    (result,) = run_jobs(function, [arguments], options=options, name=name, report=report)
    return result
