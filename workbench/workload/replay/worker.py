"""A process of a replay: takes the requests of one document after the other, and tells each outcome as it is there.

It is started by ``running`` and is not meant to be run by hand. It ends when its parent closes the pipe or is gone,
even amid a request; what it has finished is in the cache by then.
"""

from __future__ import annotations

import signal

from ...documents.workers.pipes import frames_of, private_streams
from ...documents.workers.wire import write_frame
from .replaying import Failed, Replayer
from .sending import unpacked


def main() -> None:
    """Serve until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies, requests = private_streams()
    frames = frames_of(requests)
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
