"""Operations on disk: a line each, written and forced to the disk before anybody is told that it was done.

Lines are only ever added. A line that a crash has cut is taken away by the next one; a line that cannot be read is
left where it is and reported. Several kernels may write to one journal.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InvalidOption, WorkspaceFailed
from ..printing import counted, shortened
from .operations import Operation

NAME = "journal.jsonl"
_BEGAN = b'{"began":'


@dataclass(frozen=True, slots=True)
class Found:
    """What a journal holds: each operation once, in order, and what could not be read, a sentence each.

    ``began`` is what the first operation that tunes began with, as plain values; None before one.
    """

    operations: tuple[Operation, ...]
    faults: tuple[str, ...]
    began: Mapping[str, Any] | None = None


class Journal:
    """The operations of a workspace.

    Parameters
    ----------
    path : pathlib.Path
        A JSONL file; made, with its folder, by the first operation.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None
        self._seen = 0
        self._lines: list[bytes] = []
        self._foreign = 0

    @property
    def foreign(self) -> int:
        """How many operations others have written here since this journal was loaded."""
        return self._foreign

    def load(self) -> Found:
        """Return what is there.

        Raises
        ------
        WorkspaceFailed
            If the file cannot be read.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            data = b""
        except OSError as error:
            raise _failed(self.path, "read", error) from error
        self._foreign = 0
        return self._parsed(data)

    def _parsed(self, data: bytes) -> Found:
        lines = data.split(b"\n")
        torn = lines.pop()
        operations: dict[str, Operation] = {}
        faults = []
        began: Mapping[str, Any] | None = None
        for place, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            if line.startswith(_BEGAN):
                began = _began(line) if began is None else began
                continue
            operation = _operation(line)
            if operation is None:
                faults.append(
                    f"Line {place:,} of {self.path.name} cannot be read ({_shown(line)}); it stays there, and what it "
                    "did is missing here."
                )
            else:
                operations.setdefault(operation.id, operation)
        last = _operation(torn) if torn else None
        if last is not None:
            # All of it was written but the line's end.
            operations.setdefault(last.id, last)
            lines.append(torn)
        self._lines = [line for line in lines if line.strip()]
        self._seen = len(data) - (len(torn) if last is None else 0)
        return Found(tuple(operations.values()), tuple(faults), began)

    def append(self, line: bytes) -> None:
        """Write one line and wait until it is on the disk.

        Parameters
        ----------
        line : bytes
            Of ``line_of``.

        Raises
        ------
        WorkspaceFailed
            If it cannot be written; the journal is as before then.
        """
        try:
            handle = self._opened()
            with _locked(handle):
                self._write(handle, line)
        except OSError as error:
            raise _failed(self.path, "written", error) from error
        self._lines.append(line)

    def _write(self, handle: int, line: bytes) -> None:
        size = os.fstat(handle).st_size
        end = self._whole_end(handle, size)
        lead = b"" if end == 0 or os.pread(handle, 1, end - 1) == b"\n" else b"\n"
        data = lead + line + b"\n"
        try:
            written = os.write(handle, data)
            if written < len(data):
                raise OSError(28, "no space left for a whole line")
            os.fsync(handle)
        except OSError:
            os.ftruncate(handle, end)
            raise
        self._seen = end + len(data)

    def _whole_end(self, handle: int, size: int) -> int:
        """Return where the whole lines end, take what a crash has cut away, and count what others have written."""
        start = min(self._seen, size)
        added = os.pread(handle, size - start, start) if size > start else b""
        lines = added.split(b"\n")
        torn = lines.pop()
        self._foreign += sum(1 for line in lines if line.strip() and not line.startswith(_BEGAN))
        self._lines += [line for line in lines if line.strip()]
        if torn and _operation(torn) is None:
            size -= len(torn)
            os.ftruncate(handle, size)
        return size

    def _opened(self) -> int:
        if self._handle is not None:
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(self.path.stat(), os.fstat(self._handle)):
                    return self._handle
            self.close()
        missing = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        if missing:
            self._restore(self._handle)
        return self._handle

    def _restore(self, handle: int) -> None:
        """Write again what this journal knows: somebody may have removed the file while the bench was open."""
        self._seen = 0
        with _locked(handle):
            if self._lines and not os.fstat(handle).st_size:
                os.write(handle, b"".join(line + b"\n" for line in self._lines))
                os.fsync(handle)
                self._seen = os.fstat(handle).st_size
        _sync_folder(self.path.parent)

    @property
    def is_open(self) -> bool:
        """Whether it holds its file open: from an operation on until it is closed."""
        return self._handle is not None

    def close(self) -> None:
        """Let go of the file; the next operation opens it again."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __repr__(self) -> str:
        return f"Journal({self.path.name!r}, {counted(self._count(), 'operation')})"

    def _count(self) -> int:
        return sum(1 for line in self._lines if not line.startswith(_BEGAN))


def line_of(operation: Operation) -> bytes:
    """Return an operation as a line, without its end.

    Raises
    ------
    InvalidOption
        If a value is nothing that JSON can hold.
    """
    try:
        return json.dumps(operation.to_dict(), allow_nan=False, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError) as error:
        raise InvalidOption(
            f"The operation {operation.kind} has a value that cannot be written down ({error!s:.80}); give plain "
            "numbers and texts."
        ) from None


def beginning_line(values: Mapping[str, Any]) -> bytes:
    """Return the line that says what the operations behind it began with."""
    return json.dumps({"began": dict(values)}, allow_nan=False, separators=(",", ":")).encode("ascii")


def _began(line: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(line)["began"]
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def operation_of(line: bytes) -> Operation:
    """Return the operation of a line of ``line_of``."""
    return Operation.from_dict(json.loads(line))


def _operation(line: bytes) -> Operation | None:
    try:
        return operation_of(line)
    except (ValueError, RecursionError, InvalidOption):
        return None


def _shown(line: bytes) -> str:
    return shortened(line.decode("utf-8", "replace").replace("\0", "?"), 40)


def _failed(path: Path, what: str, error: OSError) -> WorkspaceFailed:
    return WorkspaceFailed(
        f"The journal {path} cannot be {what} ({error.strerror or error}); check the folder, its rights and the space "
        "on the disk."
    )


@contextlib.contextmanager
def _locked(handle: int) -> Iterator[None]:
    """Keep other kernels from writing; the lock ends with the process that holds it, however that ends."""
    try:
        import fcntl
    except ImportError:
        # Without locks a line is still one write at the end of the file.
        yield
        return
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _sync_folder(folder: Path) -> None:
    """Force the name of a new file to the disk, where the system lets folders be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
