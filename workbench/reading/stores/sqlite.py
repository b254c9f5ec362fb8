"""Sessions in a SQLite file, which several processes of one machine may share."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ...errors import SessionStoreFailed
from .store import TTL_SECONDS, checked_ttl

_BUSY_SECONDS = 5.0
_APPLICATION = 0x53525357
_LAYOUT = 1
_ATTEMPTS = 50
_SCHEMA = (
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_LAYOUT}",
    "CREATE TABLE IF NOT EXISTS sessions (key TEXT PRIMARY KEY, value BLOB NOT NULL, ends REAL NOT NULL) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS sessions_by_end ON sessions (ends)",
    "CREATE TABLE IF NOT EXISTS locks (key TEXT PRIMARY KEY, owner TEXT NOT NULL, ends REAL NOT NULL) WITHOUT ROWID",
)


class SqliteStore:
    """Sessions that outlive this process and that other processes of the machine see.

    Parameters
    ----------
    path : str or pathlib.Path
        The file; it is made, for this user alone, if it is not there. Not on a network drive: SQLite's locks
        do not hold there.
    ttl_seconds : float
        Time after its last use at which a session is forgotten.
    clock : callable
        Gives the time in seconds, the same in all processes.

    Raises
    ------
    SessionStoreFailed
        If the file cannot be made, or is none of these stores.
    """

    def __init__(
        self, path: str | Path, *, ttl_seconds: float = TTL_SECONDS, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = Path(path).expanduser()
        self.ttl_seconds = checked_ttl(ttl_seconds)
        self._clock = clock
        self._local = threading.local()
        with self._connected() as connection:
            self._prepare(connection)

    def load(self, key: str) -> bytes | None:
        """Return a value and begin its time anew, or None where there is none."""
        now = self._clock()
        statement = "UPDATE sessions SET ends = ? WHERE key = ? AND ends > ? RETURNING value"
        with self._connected() as connection:
            rows = connection.execute(statement, (now + self.ttl_seconds, key, now)).fetchall()
        return bytes(rows[0][0]) if rows else None

    def save(self, key: str, value: bytes, *, replacing: bytes | None) -> bool:
        """Store a value if the present one is ``replacing``, None for none; return whether it was."""
        now = self._clock()
        ends = now + self.ttl_seconds
        with self._connected() as connection:
            if replacing is None:
                statement = (
                    "INSERT INTO sessions (key, value, ends) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE "
                    "SET value = excluded.value, ends = excluded.ends WHERE sessions.ends <= ?"
                )
                done = connection.execute(statement, (key, value, ends, now)).rowcount
            else:
                statement = "UPDATE sessions SET value = ?, ends = ? WHERE key = ? AND value = ? AND ends > ?"
                done = connection.execute(statement, (value, ends, key, replacing, now)).rowcount
            connection.execute("DELETE FROM sessions WHERE ends <= ?", (now,))
        return done == 1

    def drop(self, key: str) -> None:
        """Forget a value."""
        with self._connected() as connection:
            connection.execute("DELETE FROM sessions WHERE key = ?", (key,))

    def acquire(self, key: str, owner: str, seconds: float) -> bool:
        """Lock a key that nobody has locked."""
        now = self._clock()
        statement = (
            "INSERT INTO locks (key, owner, ends) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE "
            "SET owner = excluded.owner, ends = excluded.ends WHERE locks.ends <= ?"
        )
        with self._connected() as connection:
            return connection.execute(statement, (key, owner, now + seconds, now)).rowcount == 1

    def release(self, key: str, owner: str) -> None:
        """Unlock a key, if it is still this owner's lock."""
        with self._connected() as connection:
            connection.execute("DELETE FROM locks WHERE key = ? AND owner = ?", (key, owner))

    def close(self) -> None:
        """Close this thread's connection; it is opened again when needed."""
        connection = getattr(self._local, "connection", None)
        if connection is not None and self._local.process == os.getpid():
            connection.close()
        self._local.connection = None

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection()
        except sqlite3.Error as error:
            raise SessionStoreFailed(
                f"The sessions in {self.path} cannot be read or written ({error}); give a file in a folder that exists "
                "and may be written to, or another store."
            ) from error

    def _connection(self) -> sqlite3.Connection:
        """Return the connection of this thread: none is shared with another thread, or with a process before a fork."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None or self._local.process != os.getpid():
            if not self.path.exists():
                # Question texts are in it: nobody else may read the file, not even for a moment.
                with contextlib.suppress(OSError):
                    self.path.touch(mode=0o600, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            self._local.connection, self._local.process = connection, os.getpid()
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        _use_write_ahead_log(connection)
        connection.execute("BEGIN IMMEDIATE")
        try:
            self._check(connection)
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def _check(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application not in (0, _APPLICATION) or (not application and tables):
            raise SessionStoreFailed(
                f"{self.path} is the database of another program; give another file for the sessions."
            )
        if layout > _LAYOUT:
            raise SessionStoreFailed(
                f"The sessions in {self.path} were written by a newer version; update the workbench or "
                "give another file."
            )

    def __repr__(self) -> str:
        return f"SqliteStore({str(self.path)!r}, {self.ttl_seconds:g} s)"


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Let readers and a writer work at once; two processes that switch together do not wait for each other."""
    for attempt in range(_ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if attempt == _ATTEMPTS - 1:
                raise
            time.sleep(_BUSY_SECONDS / _ATTEMPTS)
