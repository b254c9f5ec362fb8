"""What every store does, in memory, in SQLite and in Redis alike."""

from __future__ import annotations

import sqlite3
import stat
import sys
import threading
from pathlib import Path

import pytest

from tests.reading.sessions.conftest import Clock, Kept
from workbench.errors import InvalidOption, MissingDependency, SessionStoreFailed
from workbench.reading.stores import TTL_SECONDS, open_store
from workbench.reading.stores.memory import MOST_SESSIONS, MemoryStore
from workbench.reading.stores.redis import RedisStore
from workbench.reading.stores.sqlite import SqliteStore


def test_what_was_saved_is_loaded_and_dropped(kept: Kept) -> None:
    store = kept.store
    assert store.load("key") is None
    assert store.save("key", b"\x00\xffvalue", replacing=None)
    assert store.load("key") == kept.again().load("key") == b"\x00\xffvalue"
    store.drop("key")
    store.drop("key")
    assert store.load("key") is None


def test_a_value_is_replaced_only_if_it_is_still_the_one_that_was_read(kept: Kept) -> None:
    store = kept.store
    assert not store.save("key", b"two", replacing=b"one")
    assert store.save("key", b"one", replacing=None)
    assert not store.save("key", b"two", replacing=None)
    assert store.save("key", b"two", replacing=b"one")
    assert not store.save("key", b"three", replacing=b"one")
    assert store.load("key") == b"two"
    assert store.load("other") is None


def test_every_use_begins_the_time_anew(kept: Kept) -> None:
    store = kept.store
    store.save("key", b"value", replacing=None)
    for _ in range(3):
        kept.pass_time(TTL_SECONDS * 0.9)
        assert store.load("key") == b"value"
    assert store.save("key", b"new", replacing=b"value")
    kept.pass_time(TTL_SECONDS * 0.9)
    assert store.load("key") == b"new"
    kept.pass_time(TTL_SECONDS * 1.1)
    assert store.load("key") is None
    assert not store.save("key", b"late", replacing=b"new")
    assert store.save("key", b"first", replacing=None)


def test_half_an_hour_is_the_time() -> None:
    assert TTL_SECONDS == 30 * 60


def test_a_lock_is_for_one_owner_and_only_that_one_releases_it(kept: Kept) -> None:
    store, other = kept.store, kept.again()
    assert store.acquire("lock", "ana", 30)
    assert not other.acquire("lock", "bo", 30)
    assert not store.acquire("lock", "ana", 30)
    assert other.acquire("another lock", "bo", 30)
    other.release("lock", "bo")
    assert not other.acquire("lock", "bo", 30)
    store.release("lock", "ana")
    assert other.acquire("lock", "bo", 30)


def test_the_lock_of_a_process_that_died_ends(kept: Kept) -> None:
    assert kept.store.acquire("lock", "ana", 30)
    kept.pass_time(29)
    assert not kept.store.acquire("lock", "bo", 30)
    kept.pass_time(2)
    assert kept.store.acquire("lock", "bo", 30)
    kept.store.release("lock", "ana")
    assert not kept.store.acquire("lock", "cy", 30)


def test_a_lock_and_a_value_of_one_name_do_not_meet(kept: Kept) -> None:
    assert kept.store.acquire("sparse:lock:a:b", "ana", 30)
    assert kept.store.load("sparse:session:a:b") is None


def test_one_of_many_threads_gets_the_lock_and_one_the_save(kept: Kept) -> None:
    gate, locked, saved = threading.Barrier(8), [], []

    def work(number: int) -> None:
        store = kept.again()
        gate.wait(60)
        if store.acquire("lock", str(number), 30):
            locked.append(number)
        if store.save("key", str(number).encode(), replacing=None):
            saved.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(locked) == len(saved) == 1
    assert kept.store.load("key") == str(saved[0]).encode()


@pytest.mark.parametrize("ttl", [0, -1, float("nan"), float("inf"), True, "1800", None])
def test_a_time_to_live_is_a_number_above_zero(ttl: object, tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"ttl_seconds is .*; give a number of seconds"):
        MemoryStore(ttl_seconds=ttl)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=r"ttl_seconds is .*; give a number of seconds"):
        SqliteStore(tmp_path / "s", ttl_seconds=ttl)  # type: ignore[arg-type]


def test_memory_holds_a_bounded_number_of_sessions_and_forgets_those_unused_for_longest() -> None:
    store = MemoryStore(clock=Clock())
    for number in range(MOST_SESSIONS):
        store.save(str(number), b"", replacing=None)
    assert store.load("0") == b""
    store.save("one more", b"", replacing=None)
    assert (store.load("0"), store.load("1"), store.load("2")) == (b"", None, b"")


def test_memory_is_freed_when_the_time_is_over() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    for number in range(50):
        store.save(str(number), b"", replacing=None)
        store.acquire(f"lock {number}", "ana", 30)
    clock.now += 2 * TTL_SECONDS
    store.save("new", b"", replacing=None)
    assert repr(store) == "MemoryStore(1 sessions, 1800 s)"


def test_sessions_in_sqlite_outlive_the_object_and_are_for_this_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    first = SqliteStore(path)
    first.save("key", b"value", replacing=None)
    first.close()
    assert SqliteStore(path).load("key") == b"value"
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_over_is_deleted_from_sqlite(tmp_path: Path) -> None:
    clock, path = Clock(), tmp_path / "sessions.sqlite"
    store = SqliteStore(path, clock=clock)
    store.save("old", b"value", replacing=None)
    clock.now += 2 * TTL_SECONDS
    store.save("new", b"value", replacing=None)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT key FROM sessions").fetchall() == [("new",)]


def test_a_file_that_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    text, foreign, missing = tmp_path / "notes.txt", tmp_path / "other.sqlite", tmp_path / "no" / "folder.sqlite"
    text.write_text("Buy milk, and then some more text so that this is no database at all. " * 20)
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(SessionStoreFailed, match=r"notes.txt cannot be read or written \(file is not a database\)"):
        SqliteStore(text)
    with pytest.raises(SessionStoreFailed, match=r"other.sqlite is the database of another program; give another file"):
        SqliteStore(foreign)
    with pytest.raises(SessionStoreFailed, match=r"folder.sqlite cannot be read or written .* give a file in a folder"):
        SqliteStore(missing)
    assert text.read_text().startswith("Buy milk")


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite"
    SqliteStore(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(SessionStoreFailed, match="were written by a newer version; update the workbench"):
        SqliteStore(path)


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    pytest.importorskip("redis")
    store = RedisStore("redis://ana:secret@127.0.0.1:1/3?socket_timeout=1")
    for use in (
        lambda: store.load("key"),
        lambda: store.save("key", b"", replacing=b""),
        lambda: store.drop("key"),
        lambda: store.acquire("key", "ana", 1),
        lambda: store.release("key", "ana"),
    ):
        with pytest.raises(SessionStoreFailed) as caught:
            use()
        assert "redis://127.0.0.1:1/3 cannot be reached (ConnectionError); start the Redis server" in str(caught.value)
        assert "secret" not in f"{caught.value} {store!r}"


@pytest.mark.parametrize(
    ("where", "kind"),
    [("memory:", "MemoryStore"), ("redis://localhost:6379/1", "RedisStore"), ("sqlite:", "SqliteStore")],
)
def test_a_store_is_opened_by_a_string(where: str, kind: str, tmp_path: Path) -> None:
    if kind == "RedisStore":
        pytest.importorskip("redis")
    store = open_store(where if kind != "SqliteStore" else f"sqlite:{tmp_path / '会话 1.sqlite'}", ttl_seconds=60)
    assert type(store).__name__ == kind
    assert repr(store).endswith("60 s)")


@pytest.mark.parametrize("where", ["", "memory", "sqlite:", "postgres://ana:secret@example.org/", 7, None])
def test_what_names_no_store_is_refused_without_its_password(where: object) -> None:
    with pytest.raises(
        InvalidOption, match=r"There is no store of sessions .*; give memory:, sqlite:PATH, or redis:"
    ) as error:
        open_store(where)  # type: ignore[arg-type]
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    "url", ["http://ana:secret@host", "localhost:6379", "redis://host:99999999/1", "redis://[::1", 7]
)
def test_what_is_no_url_of_a_server_is_refused_without_its_password(url: object) -> None:
    pytest.importorskip("redis")
    with pytest.raises(InvalidOption, match="Redis server") as error:
        RedisStore(url)  # type: ignore[arg-type]
    assert "secret" not in str(error.value)


def test_without_the_package_redis_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(MissingDependency, match=r"need the package redis; pip install 'sparseread-workbench\[redis\]'"):
        RedisStore()
