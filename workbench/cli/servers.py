"""Servers that a command starts and stands for: what ends the command ends the server."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence


def run(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None, started: Callable[[], None] | None = None
) -> int:
    """Run a server until it ends or somebody ends this command, and return its exit code.

    Parameters
    ----------
    command : sequence of str
    environment : mapping, optional
        Variables beside those of this process.
    started : callable, optional
        Called once the server's process runs; it need not answer yet.
    """
    with subprocess.Popen(command, env=os.environ | (environment or {})) as server:
        # Whoever ends this command means the server: without it nobody would know its port.
        signal.signal(signal.SIGTERM, lambda *_: server.terminate())
        try:
            if started is not None:
                started()
            return server.wait()
        except KeyboardInterrupt:
            # The terminal sends the interrupt to the server as well, which shuts its kernels down.
            return server.wait()
