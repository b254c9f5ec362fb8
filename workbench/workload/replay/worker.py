"""A process of a replay: takes the requests of one document after the other, and tells each outcome as it is there.

It is started by ``running`` and is not meant to be run by hand. It ends when its parent closes the pipe or is gone,
even amid a request; what it has finished is in the cache by then.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
from typing import Any

from ...documents.workers.wire import RawStream, read_frame, write_frame
from .replaying import Failed, Replayer
from .sending import unpacked

Frame = tuple[dict[str, Any], bytes]


def main() -> None:
    """Serve until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies, requests = _private_streams()
    frames: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, frames), daemon=True).start()
    replayer: Replayer = unpacked(frames.get()[1])
    write_frame(replies, {"kind": "ready"})
    while True:
        header, payload = frames.get()
        serve = replayer.remember_scores if header["what"] == "scores" else replayer.outcomes
        for task, found in serve(unpacked(payload)):
            if isinstance(found, Failed):
                write_frame(replies, {"kind": "failed", "index": task.index, "reason": found.reason})
            else:
                write_frame(replies, {"kind": "row", "index": task.index, "row": found})
        write_frame(replies, {"kind": "ready"})


def _private_streams() -> tuple[RawStream, RawStream]:
    """Take the pipes away from libraries: what they print goes to stderr, what they read is empty."""
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    os.dup2(2, 1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdout = sys.stderr
    return replies, requests


def _receive(requests: RawStream, frames: queue.SimpleQueue[Frame]) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            frames.put(read_frame(requests))
    os._exit(0)
