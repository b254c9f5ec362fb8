"""Jobs that misbehave, for the tests of the sandbox; workers may run them by SPARSEREAD_JOB_MODULES."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import sys
import time
from typing import Any

import numpy as np

from workbench.documents.packing import pack_arrays
from workbench.documents.source import ParseContext
from workbench.errors import DamagedFile


def echo(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Answer with what was said, after a while."""
    time.sleep(arguments.get("seconds", 0.0))
    context.report(1, 1)
    return str(arguments["say"]).encode()


def process_id(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Tell which process this is."""
    del arguments, context
    return str(os.getpid()).encode()


def arrays(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Answer with arrays."""
    del context
    return pack_arrays({"numbers": np.arange(arguments["count"])}, {"page": arguments["page"]})


def leave(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """End the process without a word."""
    del context
    os._exit(arguments["code"])


def follow_null(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Read address 0."""
    del arguments, context
    return ctypes.string_at(0)


def abort_for_memory(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Do what a native library does when it gets no memory."""
    del arguments, context
    sys.stderr.write("memory allocation of 8589934592 bytes failed\n")
    sys.stderr.flush()
    os.abort()


def hang(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Never answer, whatever the clock says."""
    del context
    if "flag" in arguments:
        with open(arguments["flag"], "w") as stream:  # noqa: PTH123
            stream.write(str(os.getpid()))
    while True:
        time.sleep(0.05)


def polite(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Look at the clock."""
    while True:
        time.sleep(0.01)
        context.check_time(arguments["name"])


def hand_over_late(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Stop when time is up and hand over what there is."""
    del arguments
    while not context.out_of_time:
        time.sleep(0.01)
    return b"half"


def devour(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Take more and more memory."""
    del context
    held = []
    while True:
        held.append(bytes(arguments["mb"] << 20))


def abort_when_full(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Fill the memory at the pace of a parser, and abort without a word where there is no more."""
    del arguments, context
    held = []
    try:
        while True:
            held.append(bytes(8 << 20))
            time.sleep(0.02)
    except MemoryError:
        os.abort()


def be_refused(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Raise what libraries raise when they get no memory."""
    del context
    how = arguments["how"]
    if how == "ENOMEM":
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
    if how == "wrapped":
        try:
            raise MemoryError
        except MemoryError as error:
            raise DamagedFile("a.pdf is damaged.") from error
    raise (ImportError if "map" in how else RuntimeError)(f"libheavy.so: {how}")


def refuse(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Raise an error that a person can mend."""
    del context
    raise DamagedFile(arguments["message"])


def stumble(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Raise what no parser should."""
    del arguments, context
    raise KeyError("Root")


def say_goodbye(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Call sys.exit amid a parse."""
    del arguments, context
    sys.exit(3)


def print_loudly(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Print, from Python and from below."""
    del arguments, context
    print("{" * 100_000)
    os.write(1, b"\x00" * 50_000)
    return b"clean"


def count_up(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Report progress."""
    for done in range(arguments["total"] + 1):
        context.report(done, arguments["total"])
        time.sleep(0.06)
    return b""


def babble(arguments: dict[str, Any], context: ParseContext) -> bytes:
    """Write garbage to every file that is open, also to the pipe of the answers."""
    del context
    for number in range(3, 12):
        with contextlib.suppress(OSError):
            os.write(number, arguments["garbage"].encode("latin-1"))
    return b""
