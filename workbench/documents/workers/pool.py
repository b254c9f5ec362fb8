"""Worker processes that are kept for the next document, so that only the first one pays for their start."""

from __future__ import annotations

import atexit
import contextlib
import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...errors import ParserFailed
from .wire import RawStream, read_frame, write_frame

OnFrame = Callable[["Worker", dict[str, Any], bytes], None]

MIB = 1 << 20
MAX_WORKERS = 8
"""Most workers at work at once, unless an option asks for more."""
RECYCLE_MB = 600.0
RECYCLE_JOBS = 500
"""A worker that has grown larger, or served more jobs, is replaced: native libraries do not return all memory."""
STOP_SECONDS = 2.0
"""How long a worker may take to end by itself."""
STDERR_BYTES = 16_384
END = "end"
"""Kind of the frame that stands for a worker's end."""

_log = logging.getLogger("workbench")

# The whole search path goes along, so that the worker finds what this process finds, in the same order.
_COMMAND = (
    "import sys, json; sys.path[:] = json.loads(sys.argv.pop()); "
    "from workbench.documents.workers.worker import main; main()"
)
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


def cores() -> int:
    """Return how many cores this process may use, at most ``MAX_WORKERS``."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:
        count = os.cpu_count() or 1
    return max(1, min(MAX_WORKERS, count))


class Worker:
    """One worker process; a thread reads its frames and hands them to ``on_frame``.

    Attributes
    ----------
    on_frame : callable
        Called in the reading thread with (worker, header, payload).
    ended : bool
        Whether the process has closed its pipe.
    started : bool
        Whether it has come as far as taking jobs.
    """

    def __init__(self) -> None:
        path = [str(entry) for entry in sys.path]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _COMMAND, json.dumps(path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={**os.environ, **_ENVIRONMENT},
                start_new_session=True,  # Ctrl-C in a terminal is for this process alone
            )
        except OSError as error:
            raise ParserFailed(
                f"A worker process could not be started ({error}); set isolate=False to parse in this process."
            ) from error
        self.on_frame: OnFrame = _ignore
        self.ended = False
        self.started = False
        self.jobs = 0
        self.killed = False
        self._stderr = b""
        self._threads = [
            threading.Thread(target=target, name=f"workbench {target.__name__}", daemon=True)
            for target in (self._read_errors, self._read_frames)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    def room_mb(self) -> float | None:
        """Return how many MiB its address space may still grow by; None without a limit, or where /proc is missing."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[0])
            limits = Path(f"/proc/{self.pid}/limits").read_text("ascii")
        except (OSError, ValueError, IndexError):
            return None
        found = re.search(r"^Max address space +(\d+)", limits, re.MULTILINE)
        # A process that has just ended has no pages any more, and tells nothing.
        return (int(found[1]) - pages * os.sysconf("SC_PAGE_SIZE")) / MIB if found and pages else None

    @property
    def alive(self) -> bool:
        """Whether it can take a job."""
        return not self.ended and self._process.poll() is None

    def send(self, header: dict[str, Any]) -> None:
        """Send a job; that the worker is gone is told by its end frame, not here."""
        self.jobs += 1
        with contextlib.suppress(OSError, ValueError):
            write_frame(self._stdin, header)

    def kill(self) -> None:
        """End the process at once and wait for it."""
        self.killed = True
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Let an idle process end."""
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def end(self) -> tuple[int, str]:
        """Return the exit code (negative: a signal) and the last of what an ended process wrote to stderr."""
        try:
            code = self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        if threading.current_thread() not in self._threads:
            for thread in self._threads:
                thread.join(STOP_SECONDS)
        return code, self._stderr.decode("utf-8", "replace")

    def forget(self) -> None:
        """Drop the pipes in a forked child: they belong to the parent."""
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        self._process.returncode = 0

    @property
    def _stdin(self) -> RawStream:
        return self._process.stdin  # type: ignore[return-value]

    def _read_frames(self) -> None:
        stream: RawStream = self._process.stdout  # type: ignore[assignment]
        try:
            while True:
                header, payload = read_frame(stream)
                if header["kind"] == "ready":
                    self.started = True
                else:
                    self.on_frame(self, header, payload)
        except Exception as error:
            # The end of the pipe, or bytes that are no frame: either way nothing more comes from this worker.
            if not isinstance(error, EOFError):
                _log.debug("worker %s sent no frame", self.pid, exc_info=True)
                self._process.kill()
            # ``ended`` first, ``on_frame`` second: a lease sets and reads them in the opposite order.
            self.ended = True
            self.on_frame(self, {"kind": END}, b"")
            self.end()
            self.close()
            self._process.stdout.close()  # type: ignore[union-attr]

    def _read_errors(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        with contextlib.suppress(OSError, ValueError), stream:
            while chunk := stream.read(4096):
                self._stderr = (self._stderr + chunk)[-STDERR_BYTES:]


class WorkerPool:
    """Idle workers, and a bound on those at work; safe to use from several threads."""

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._free = threading.Condition()
        self._idle: list[Worker] = []
        self._leased: set[Worker] = set()
        self._closed = False

    def lease(self, on_frame: OnFrame, *, limit: int = MAX_WORKERS, timeout: float = 0.0) -> Worker | None:
        """Return a worker whose frames go to ``on_frame``, or None if ``limit`` are at work until the timeout."""
        with self._free:
            if not self._free.wait_for(lambda: len(self._leased) < limit, timeout):
                return None
            while self._idle:
                worker = self._idle.pop()
                worker.on_frame = on_frame
                if worker.alive:
                    self._leased.add(worker)
                    return worker
            worker = Worker()
            worker.on_frame = on_frame
            self._leased.add(worker)
            return worker

    def give_back(self, worker: Worker, resident_mb: float = 0.0) -> None:
        """Keep a worker that has answered all its jobs."""
        with self._free:
            self._leased.discard(worker)
            worker.on_frame = _ignore
            tired = resident_mb > RECYCLE_MB or worker.jobs >= RECYCLE_JOBS
            if tired or self._closed or len(self._idle) >= cores() or not worker.alive:
                worker.close()
            else:
                self._idle.append(worker)
            self._free.notify()

    def discard(self, worker: Worker) -> None:
        """Kill a worker that is at work or in doubt."""
        worker.on_frame = _ignore
        worker.kill()
        with self._free:
            self._leased.discard(worker)
            self._free.notify()

    def close(self) -> None:
        """End all workers."""
        with self._free:
            idle, leased = self._idle, list(self._leased)
            self._idle = []
            self._closed = True
        for worker in idle:
            worker.close()
        for worker in leased:
            worker.kill()
        for worker in (*idle, *leased):
            worker.end()

    def forget(self) -> None:
        """Start afresh in a forked child, whose lock may be held by a thread that does not exist there."""
        workers = [*self._idle, *self._leased]
        self._reset()
        for worker in workers:
            worker.forget()


def _ignore(worker: Worker, header: dict[str, Any], payload: bytes) -> None:
    del worker, header, payload


POOL = WorkerPool()
atexit.register(POOL.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=POOL.forget)
