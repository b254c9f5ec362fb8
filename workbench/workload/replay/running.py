"""Many requests: grouped by document, in this process or in several, each outcome told as soon as it is there.

Processes are started afresh (not forked) by a command of their own, so that a notebook or a script without a guard
around its main part can start them. They leave Ctrl-C to this process, which ends all of them; and each of them ends by
itself when this process is gone. A process that dies takes one request with it: those after it go to another one.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import IO, Any, Literal

from ...documents.workers.wire import read_frame, write_frame
from .options import environment
from .replaying import Failed, Replayer, Row, Task
from .sending import packed

What = Literal["outcomes", "scores"]
Found = tuple[Task, Row | Failed]

TICK_SECONDS = 0.2
STDERR_BYTES = 300
_COMMAND = (
    "import sys, json; sys.path[:] = json.loads(sys.argv.pop()); "
    "from workbench.workload.replay.worker import main; main()"
)

_log = logging.getLogger("workbench")


def by_document(tasks: Iterable[Task]) -> list[list[Task]]:
    """Return the requests of each document, in their order."""
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        groups.setdefault(task.request.document_key, []).append(task)
    return list(groups.values())


def run(
    replayer: Replayer, groups: Sequence[list[Task]], *, what: What, processes: int, tick: Callable[[], None]
) -> Generator[Found, None, None]:
    """Replay requests and give each one's outcome; in no certain order where there are several processes.

    Parameters
    ----------
    replayer : Replayer
    groups : sequence of list of Task
        The requests of one document each.
    what : {"outcomes", "scores"}
    processes : int
    tick : callable
        Called now and then while nothing is finished.
    """
    data = packed(replayer) if processes > 1 else None
    if processes > 1 and data is None:
        _log.warning("The reader holds what cannot be sent to another process, so one process replays alone.")
    if data is None:
        serve = replayer.remember_scores if what == "scores" else replayer.outcomes
        for group in groups:
            tick()
            yield from serve(group)
        return
    team = _Team(data, groups, what, min(processes, len(groups)))
    try:
        yield from team.outcomes(tick)
    finally:
        team.end()


class _Process:
    """One process of a team, and the requests that it has not answered yet."""

    def __init__(self, data: bytes, frames: queue.SimpleQueue[tuple[_Process, dict[str, Any]]], of: int) -> None:
        self.left: deque[Task] = deque()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in end()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMMAND, json.dumps([str(entry) for entry in sys.path])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            env=environment(of),
            start_new_session=True,  # Ctrl-C in a terminal is for the parent alone
        )
        self._thread = threading.Thread(target=self._read, args=(frames,), daemon=True)
        self._thread.start()
        self._send({"kind": "replayer"}, data)

    def give(self, tasks: Sequence[Task], what: What) -> None:
        """Have the requests of one document replayed."""
        self.left = deque(tasks)
        self._send({"kind": "tasks", "what": what}, packed(list(tasks)) or b"")

    def answered(self, index: int) -> Task:
        """Return the request that an answer is for; requests are answered in their order."""
        task = self.left.popleft()
        assert task.index == index
        return task

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        self._thread.join(2.0)
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def last_words(self) -> str:
        """Return how a process that is gone has ended."""
        code = self._process.wait()
        size = self._errors.seek(0, 2)
        self._errors.seek(max(0, size - STDERR_BYTES))
        said = " ".join(self._errors.read().decode("utf-8", "replace").split())
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"{how}: {said}" if said else how

    def _send(self, header: dict[str, Any], payload: bytes) -> None:
        # That the process is gone is told by the end of its answers, not here.
        with contextlib.suppress(OSError, ValueError):
            write_frame(self._process.stdin, header, payload)  # type: ignore[arg-type]

    def _read(self, frames: queue.SimpleQueue[tuple[_Process, dict[str, Any]]]) -> None:
        with contextlib.suppress(EOFError, OSError, ValueError):
            while True:
                frames.put((self, read_frame(self._process.stdout)[0]))  # type: ignore[arg-type]
        frames.put((self, {"kind": "end"}))


class _Team:
    """Processes that share the documents of a workload."""

    def __init__(self, data: bytes, groups: Sequence[list[Task]], what: What, size: int) -> None:
        self._data = data
        self._what = what
        self._waiting = deque(groups)
        self._left = sum(map(len, groups))
        self._size = size
        self._frames: queue.SimpleQueue[tuple[_Process, dict[str, Any]]] = queue.SimpleQueue()
        self._processes: list[_Process] = []

    def outcomes(self, tick: Callable[[], None]) -> Iterator[Found]:
        """Give every outcome."""
        for _ in range(self._size):
            self._start()
        while self._left:
            try:
                process, frame = self._frames.get(timeout=TICK_SECONDS)
            except queue.Empty:
                tick()
                continue
            for found in self._answer(process, frame):
                self._left -= 1
                yield found

    def end(self) -> None:
        """End every process; none outlives a replay."""
        while self._processes:
            self._processes.pop().end()

    def _start(self) -> None:
        self._processes.append(_Process(self._data, self._frames, self._size))

    def _answer(self, process: _Process, frame: dict[str, Any]) -> Iterator[Found]:
        if frame["kind"] == "ready":
            if self._waiting:
                process.give(self._waiting.popleft(), self._what)
        elif frame["kind"] == "row":
            yield process.answered(frame["index"]), frame["row"]
        elif frame["kind"] == "failed":
            yield process.answered(frame["index"]), Failed(frame["reason"])
        else:
            yield from self._lost(process)

    def _lost(self, process: _Process) -> Iterator[Found]:
        """Go on without a process that has died: the request it was at fails, the rest of its document waits again."""
        words = process.last_words()
        self._processes.remove(process)
        process.end()
        at_work = bool(process.left)
        if at_work:
            yield process.left.popleft(), Failed(f"The process that replayed it ended ({words}).")
            if process.left:
                self._waiting.appendleft(list(process.left))
        elif self._waiting and not self._processes:
            # It ended before it took any request: another one would do the same.
            for task in self._waiting.popleft():
                yield task, Failed(f"A process could not be started ({words}); set processes=1.")
        if self._waiting and (at_work or not self._processes):
            self._start()
