"""The worker process: takes jobs from its standard input, one after the other, until that is closed.

It is started by ``pool`` and is not meant to be run by hand. A job is a function
``job(arguments, context) -> bytes`` of an allowed module; arguments are JSON, the result is bytes.
"""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ... import errors
from .. import registry
from ..options import ReadOptions
from ..packing import pack_document
from ..parsing import parse_document
from ..source import ParseContext, Source
from .pipes import frames_of, private_streams
from .wire import RawStream, write_frame

Job = Callable[[dict[str, Any], ParseContext], bytes]

MIB = 1 << 20
REPORT_SECONDS = 0.05
"""Least time between two progress frames."""
_REFUSALS = (
    "failed to map segment",
    "cannot allocate memory",
    "cannot create shared object descriptor",
    "can't start new thread",
    "failed to launch worker thread",
)
"""How a loader, a library and a thread that got no memory are told of, where it is not by MemoryError."""


def parse(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Parse a whole document: arguments are path, name, format (its name) and sha256."""
    source = Source(Path(arguments["path"]), arguments["name"])
    format = registry.format_named(arguments["format"])  # noqa: A001 - the field's word
    return pack_document(parse_document(format, source, context, sha256=arguments["sha256"]))


def main() -> None:
    """Serve jobs until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.enable()
    replies, requests = private_streams()
    write_frame(replies, {"kind": "ready"})
    frames = frames_of(requests)
    while True:
        request, _ = frames.get()
        header, payload = _serve(request, replies)
        write_frame(replies, header, payload)


def _serve(request: dict[str, Any], replies: RawStream) -> tuple[dict[str, Any], bytes]:
    options = ReadOptions.from_mapping(request["options"])
    context = ParseContext(options, _reporter(replies), time.monotonic() - request["elapsed"])
    payload = b""
    try:
        with limited_memory(options.max_memory_mb):
            payload = find_job(request["function"])(request["arguments"], context)
    except BaseException as error:
        # Also SystemExit: whatever a parser raises is an answer, not the end of the worker.
        answer = _answer(error)
    else:
        answer = {"kind": "result"}
    return {**answer, "resident_mb": resident_mb()}, payload


def _answer(error: BaseException) -> dict[str, Any]:
    if _is_out_of_memory(error):
        return {"kind": "memory"}
    if isinstance(error, errors.WorkbenchError):
        answer = {"kind": "error", "class": type(error).__name__, "message": str(error)}
        if isinstance(error, errors.LimitExceeded):
            answer |= {"setting": error.setting, "limit": error.limit, "value": error.value}
        return answer
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    trace = "".join(traceback.format_exception(error))
    return {"kind": "failed", "message": message[:500], "traceback": trace}


def _is_out_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or one that it was made of, says that the system refused memory."""
    while error is not None:
        if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
            return True
        told = str(error).lower()
        if any(words in told for words in _REFUSALS):
            return True
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return False


def _reporter(replies: RawStream) -> Callable[[int, int], None]:
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_SECONDS or done == total:
            last = now
            write_frame(replies, {"kind": "progress", "done": int(done), "total": int(total)})

    return report


def find_job(function: str) -> Job:
    """Return the function that "module:function" names.

    Raises
    ------
    PermissionError
        If the module is neither part of the workbench nor of a registered format's package.
    """
    module, _, name = function.partition(":")
    if not _allowed(module):
        raise PermissionError(f"{module} may not run in a worker")
    job: Job = getattr(importlib.import_module(module), name)
    return job


def _allowed(module: str) -> bool:
    extra = [name for name in os.environ.get("SPARSEREAD_JOB_MODULES", "").split(",") if name]
    if module.startswith("workbench.") or module in extra:
        return True
    packages = {known.parse.__module__.partition(".")[0] for known in registry.plug_ins()}
    return module.partition(".")[0] in packages


@contextlib.contextmanager
def limited_memory(max_memory_mb: float) -> Iterator[None]:
    """Let this process's address space grow by at most so many MiB, where the system can enforce it."""
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = int(min(address_space() + max_memory_mb * MIB, sys.maxsize))
    with contextlib.suppress(ValueError, OSError):  # refused where a lower hard limit is in force
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    finally:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def address_space() -> int:
    """Return this process's virtual size in bytes; where /proc is missing, a generous guess."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 33


def resident_mb() -> float:
    """Return the resident size in MiB, or 0.0 where it is not known."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / MIB
    except OSError:
        return 0.0
