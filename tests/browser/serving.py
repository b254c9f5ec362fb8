"""``workbench serve`` as a person starts it, and its page in a browser."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .jupyter import free_port, jupyter_environment

# The page's server is a child of the command: when this run is killed, the whole group ends.
LAUNCH = """
import os, signal, sys, threading
def watch():
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL)
threading.Thread(target=watch, daemon=True).start()
from workbench.cli import main
sys.exit(main())
"""


@dataclass(frozen=True)
class Served:
    """A running ``workbench serve``."""

    address: str
    """With its token."""
    folder: Path
    """Where it was started."""
    log: Path

    @property
    def without_token(self) -> str:
        """The address as somebody else would try it."""
        return self.address.partition("?")[0]


@contextlib.contextmanager
def serving(folder: Path, state: Path, *arguments: str, cache: str | None = None) -> Iterator[Served]:
    """Run ``workbench serve`` in a folder until the block ends; everything that Jupyter writes goes below ``state``."""
    state.mkdir(parents=True, exist_ok=True)
    log = state / "serve.log"
    command = [sys.executable, "-c", LAUNCH, "serve", "--no-browser", f"--port={free_port()}", *arguments]
    project = str(Path(__file__).resolve().parents[2])
    environment = jupyter_environment(state) | {"PYTHONPATH": project, "PYTHONUNBUFFERED": "1"}
    if cache is not None:
        environment["SPARSEREAD_CACHE"] = cache
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        try:
            yield Served(_address_in(log, process), folder, log)
        finally:
            _end(process)


def _address_in(log: Path, process: subprocess.Popen[bytes], seconds: float = 90.0) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        said = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", log.read_text(encoding="utf-8", errors="replace"))
        if said is not None and _answers(said[0]):
            return said[0]
        time.sleep(0.1)
    raise RuntimeError(f"workbench serve did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-4000:]}")


def _answers(address: str) -> bool:
    # The login page starts no kernel, as the page itself would.
    try:
        with urllib.request.urlopen(address.partition("?")[0] + "login", timeout=5):
            return True
    except OSError:
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert process.stdin is not None
    process.stdin.close()
