"""The connection of a label store: one for each call, or one that lingers while somebody labels block after block.

Making and closing a connection costs several writes that wait for the disk, a label on an open one costs one. A
connection lingers only between calls that follow each other: soon after the last one the file is closed, complete and
without a log beside it, so that it can be copied, moved or put back like any other file.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

from ...errors import LabelStoreFailed
from .database import checked_connection, saying

_Seen = tuple[tuple[int, int] | None, ...]
"""Device and number of the database, its log, and the index of the log; None for a file that is not there."""
_HOLDERS: weakref.WeakSet[Holder] = weakref.WeakSet()


class Holder:
    """Gives the calls of one store their connection, one call at a time.

    Parameters
    ----------
    path : pathlib.Path
    wait_seconds : float
        How long a call waits while another process writes.

    Attributes
    ----------
    lock : threading.RLock
        Whoever has it is the only one who uses the connection.
    linger_seconds : float
        How long the connection of a write stays open for the next call; 0 closes it at once.
    """

    def __init__(self, path: Path, wait_seconds: float) -> None:
        self.path, self.wait_seconds, self.linger_seconds = path, wait_seconds, 0.0
        self.lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._seen: _Seen = ()
        self._used = 0.0
        self._timer: threading.Timer | None = None
        self._closing: weakref.finalize[..., Holder] | None = None
        _HOLDERS.add(self)

    @property
    def is_open(self) -> bool:
        """Whether a connection lingers."""
        return self._connection is not None

    @contextlib.contextmanager
    def connected(self, *, writing: bool = False) -> Iterator[sqlite3.Connection]:
        """Give a connection for one call; the file is made if it is not there.

        With ``writing`` all that is executed is one transaction: on the disk at the end, or not done at all.

        Raises
        ------
        LabelStoreFailed
            If the file cannot be opened, read or written.
        """
        with self.lock, saying(self.path, self.wait_seconds):
            self._let_go_if_replaced()
            connection = self._connection or checked_connection(self.path, self.wait_seconds)
            try:
                if writing:
                    with _transaction(connection):
                        yield connection
                    self._check_written()
                else:
                    yield connection
            except BaseException:
                self._drop(connection)
                raise
            if self._connection is None and writing and self.linger_seconds > 0:
                self._hold(connection)
            elif self._connection is None:
                connection.close()
            self._used = time.monotonic()

    def rest(self) -> None:
        """Close the file, as it is closed by itself some time after the last call."""
        with self.lock:
            timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
            if self._connection is not None:
                self._let_go_if_replaced()
                self._drop(self._connection)

    def _hold(self, connection: sqlite3.Connection) -> None:
        self._connection, self._seen = connection, _files_of(self.path)
        # Also for a store that nobody has any more, and at the end of the process.
        self._closing = weakref.finalize(self, connection.close)
        self._rest_later(self.linger_seconds)

    def _rest_later(self, seconds: float) -> None:
        held = weakref.ref(self)

        def rest() -> None:
            if (found := held()) is not None:
                found._rest_if_idle()

        self._timer = threading.Timer(seconds, rest)
        self._timer.name, self._timer.daemon = "label-store-rest", True
        self._timer.start()

    def _rest_if_idle(self) -> None:
        with self.lock:
            if self._timer is None or self._connection is None:
                return
            left = self._used + self.linger_seconds - time.monotonic()
            if left > 0:
                self._rest_later(left)
            else:
                self.rest()

    def _drop(self, connection: sqlite3.Connection) -> None:
        if connection is self._connection:
            self._connection, self._seen = None, ()
            if self._closing is not None:
                self._closing.detach()
        connection.close()

    def _let_go_if_replaced(self) -> None:
        """Let go of a file that is another one by now, whose log must not be taken for that of the new one."""
        if self._connection is None or _files_of(self.path) == self._seen:
            return
        before = self._seen
        self._drop(self._connection)
        if _files_of(self.path)[0] == before[0]:
            return
        for beside, known in zip(_names_of(self.path)[1:], before[1:], strict=True):
            if known is not None and _file_of(beside) == known:
                beside.unlink(missing_ok=True)

    def _check_written(self) -> None:
        """What was written to a file that is not there any more is not kept."""
        if self._connection is not None and _files_of(self.path) != self._seen:
            raise LabelStoreFailed(
                f"{self.path} was replaced while labels were written to it; look at what is in it, and label again "
                "what is missing."
            )


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _names_of(path: Path) -> tuple[Path, ...]:
    return path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def _files_of(path: Path) -> _Seen:
    return tuple(map(_file_of, _names_of(path)))


def _file_of(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


_AT_FORK: list[Holder] = []


def _before_fork() -> None:
    # SQLite in a child would believe that it has the locks of its parent: no connection goes through a fork.
    for holder in list(_HOLDERS):
        holder.lock.acquire()
        _AT_FORK.append(holder)
        with contextlib.suppress(sqlite3.Error):
            holder.rest()


def _after_fork() -> None:
    while _AT_FORK:
        _AT_FORK.pop().lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
