"""The pipes of a process that another has started: taken away from libraries, and closed when the parent is gone."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from typing import Any

from .wire import RawStream, read_frame

Frame = tuple[dict[str, Any], bytes]


def private_streams() -> tuple[RawStream, RawStream]:
    """Take the pipes away from libraries: what they print goes to stderr, what they read is empty.

    Returns
    -------
    replies, requests : RawStream
        To the parent, and from it.
    """
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    os.dup2(2, 1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    sys.stdout = sys.stderr
    return replies, requests


def frames_of(requests: RawStream) -> queue.SimpleQueue[Frame]:
    """Return a queue that a thread fills; the process ends, even amid a request, when the parent is gone."""
    frames: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, frames), daemon=True).start()
    return frames


def _receive(requests: RawStream, frames: queue.SimpleQueue[Frame]) -> None:
    with contextlib.suppress(EOFError, OSError):
        while True:
            frames.put(read_frame(requests))
    os._exit(0)
