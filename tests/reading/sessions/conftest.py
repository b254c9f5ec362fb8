"""One store of each kind, the Redis one in a real server that a test run starts and stops."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from workbench.reading.stores import TTL_SECONDS, SessionStore
from workbench.reading.stores.memory import MemoryStore
from workbench.reading.stores.redis import RedisStore
from workbench.reading.stores.sqlite import SqliteStore

KINDS = ("memory", "sqlite", "redis")


class Clock:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Kept:
    """A store with a way to let time pass, and with a way to open it anew as another process would.

    Attributes
    ----------
    store : SessionStore
    pass_time : callable
        Let some seconds pass.
    again : callable
        Another object on the same sessions.
    where : str
        For ``open_store`` in another process; "" where no other process sees it.
    """

    store: SessionStore
    pass_time: Callable[[float], None]
    again: Callable[[], SessionStore]
    where: str = ""


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a Redis server of this test run, on a socket in a folder of its own."""
    reason = _missing()
    if reason:
        if os.environ.get("SPARSEREAD_REQUIRE_REDIS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    # A socket's path has at most 107 characters, and pytest's own folders may be longer.
    with tempfile.TemporaryDirectory(prefix="redis-") as folder:
        socket = Path(folder) / "s"
        options = ["--port", "0", "--unixsocket", str(socket), "--save", "", "--appendonly", "no", "--dir", folder]
        with subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL) as server:
            try:
                _wait_for(socket, server)
                yield f"unix://{socket}"
            finally:
                server.terminate()
                server.wait(timeout=30)


def _missing() -> str:
    if shutil.which("redis-server") is None:
        return "redis-server is not installed; on Debian: apt-get install redis-server"
    try:
        import redis  # noqa: F401
    except ImportError:
        return "the package redis is not installed; pip install 'sparseread-workbench[redis]'"
    return ""


def _wait_for(socket: Path, server: subprocess.Popen[bytes]) -> None:
    import redis

    client = redis.Redis(unix_socket_path=str(socket))
    for _ in range(300):
        try:
            client.ping()
        except redis.ConnectionError:
            if server.poll() is not None:
                break
            time.sleep(0.1)
        else:
            client.close()
            return
    raise RuntimeError(f"redis-server did not start; it ended with {server.poll()}")


@pytest.fixture(params=KINDS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    """A store of each kind, empty."""
    return kept_in(request.param, request, tmp_path)


@pytest.fixture(params=("sqlite", "redis"))
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    """A store that other processes see."""
    return kept_in(request.param, request, tmp_path)


def kept_in(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    clock = Clock()

    def pass_time(seconds: float) -> None:
        clock.now += seconds

    if kind == "memory":
        memory = MemoryStore(clock=clock)
        return Kept(memory, pass_time, lambda: memory)
    if kind == "sqlite":
        path = tmp_path / "sessions.sqlite"
        return Kept(
            SqliteStore(path, clock=clock), pass_time, lambda: SqliteStore(path, clock=clock), where=f"sqlite:{path}"
        )
    url: str = request.getfixturevalue("redis_url")
    return _in_redis(url)


def _in_redis(url: str) -> Kept:
    import redis

    client = redis.Redis.from_url(url)
    client.flushall()

    def pass_time(seconds: float) -> None:
        # The server has its own clock: what is left of the time of each key is shortened instead.
        for key in client.scan_iter():
            left = client.pttl(key) - round(1_000 * seconds)
            if left > 0:
                client.pexpire(key, left)
            else:
                client.delete(key)

    return Kept(RedisStore(url), pass_time, lambda: RedisStore(url), where=url)


__all__ = ["TTL_SECONDS", "Clock", "Kept"]
