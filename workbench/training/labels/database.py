"""The SQLite file of labels: how it is made, opened and checked, and what is said when that fails."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from ...errors import LabelStoreFailed

APPLICATION = 0x53524C42
LAYOUT = 1
_ATTEMPTS = 100
_SCHEMA = (
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {LAYOUT}",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE events (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, "
    "annotator TEXT NOT NULL, at TEXT NOT NULL, about TEXT NOT NULL, body BLOB)",
    "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END",
    "CREATE TRIGGER events_remain BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END",
)


def checked_connection(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """Open the file, and make it if it is not there; any thread may use the connection, one at a time.

    Raises
    ------
    LabelStoreFailed
        If it is of another program, or was written by a newer version.
    sqlite3.Error, OSError
        See ``saying``.
    """
    connection = _opened(path, wait_seconds)
    try:
        _check(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def saying(path: Path, wait_seconds: float) -> Iterator[None]:
    """Say what goes wrong inside so that a person knows what to do.

    Raises
    ------
    LabelStoreFailed
        For an error of SQLite or of the file system.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise _failed(path, wait_seconds, error) from error


def _opened(path: Path, wait_seconds: float) -> sqlite3.Connection:
    # An empty file is what a crash between its making and its filling leaves.
    if not path.exists() or not path.stat().st_size:
        _make(path, wait_seconds)
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        return _opened_for_reading(path, wait_seconds)
    connection = _connection(path, wait_seconds)
    try:
        if _is_bare(connection):
            # Another process is just making it, or was killed while it did.
            _make(path, wait_seconds)
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _opened_for_reading(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """Open a file that must stay as it is; without a log beside it, SQLite must be told that nobody writes."""
    log = path.with_name(f"{path.name}-wal")
    alone = not log.exists() or not log.stat().st_size
    address = f"file:{quote(str(path.absolute()))}?mode=ro{'&immutable=1' if alone else ''}"
    return _connection(address, wait_seconds, uri=True)


def _connection(address: str | Path, wait_seconds: float, *, uri: bool = False) -> sqlite3.Connection:
    # Calls come from several threads, one after the other: whoever calls has a lock.
    return sqlite3.connect(address, uri=uri, timeout=wait_seconds, isolation_level=None, check_same_thread=False)


def _make(path: Path, wait_seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Texts of documents are in it: nobody else may read the file, not even for a moment.
    path.touch(mode=0o600, exist_ok=True)
    with contextlib.closing(sqlite3.connect(path, timeout=wait_seconds, isolation_level=None)) as connection:
        _use_write_ahead_log(connection, wait_seconds)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not tables:
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute("INSERT INTO facts VALUES ('identity', ?)", (str(uuid.uuid4()),))
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


def _is_bare(connection: sqlite3.Connection) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not application and not tables


def _use_write_ahead_log(connection: sqlite3.Connection, wait_seconds: float) -> None:
    """Let readers and a writer work at once; SQLite does not wait by itself while two processes switch together."""
    for attempt in range(_ATTEMPTS):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if attempt == _ATTEMPTS - 1:
                raise
            time.sleep(wait_seconds / _ATTEMPTS)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise LabelStoreFailed(f"{path} is the database of another program; give another file for the labels.")
    if layout > LAYOUT:
        raise LabelStoreFailed(
            f"The labels in {path} were written by a newer version (layout {layout}, this one knows {LAYOUT}); update "
            "the workbench or give another file."
        )


def _failed(path: Path, wait_seconds: float, error: Exception) -> LabelStoreFailed:
    said = str(getattr(error, "strerror", None) or error)
    if isinstance(error, sqlite3.OperationalError) and ("locked" in said or "busy" in said):
        return LabelStoreFailed(
            f"The labels in {path} are locked by another program for more than {wait_seconds:g} s; close what else has "
            "the file open and try again."
        )
    if isinstance(error, sqlite3.DatabaseError) and ("not a database" in said or "malformed" in said):
        return LabelStoreFailed(
            f"{path} is damaged or no file of labels ({said}); put back a copy of it, or give another file."
        )
    if "readonly" in said:
        return LabelStoreFailed(
            f"The labels in {path} may only be read; give a file in a folder that may be written to, or change the "
            "rights of this one."
        )
    return LabelStoreFailed(
        f"The labels in {path} cannot be read or written ({said}); give a file in a folder that exists, may be written "
        "to and has space."
    )
