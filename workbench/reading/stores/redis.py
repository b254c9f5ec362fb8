"""Sessions in Redis, which processes of several machines may share."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from ...errors import InvalidOption, MissingDependency, SessionStoreFailed
from .store import TTL_SECONDS, checked_ttl

_TIMEOUT_SECONDS = 2.0
SCHEMES = ("redis", "rediss", "unix")

_REPLACE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
    return 1
end
return 0
"""
_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class RedisStore:
    """Sessions in a Redis server, version 6.2 or later.

    Parameters
    ----------
    url : str
        "redis://host:6379/1", "rediss://…" for TLS, or "unix:///path/to/socket".
    ttl_seconds : float
        Time after its last use at which a session is forgotten; the server measures it.

    Raises
    ------
    MissingDependency
        If the package redis is not installed.
    InvalidOption
        For what is no URL of a Redis server.
    SessionStoreFailed
        From every method, if the server cannot be reached.
    """

    def __init__(self, url: str = "redis://localhost:6379/0", *, ttl_seconds: float = TTL_SECONDS) -> None:
        try:
            import redis
        except ImportError as error:
            raise MissingDependency(
                "Sessions in Redis need the package redis; pip install 'sparseread-workbench[redis]'."
            ) from error
        self.name = _without_secrets(url)
        self.ttl_seconds = checked_ttl(ttl_seconds)
        self._ttl = max(1, round(1_000 * self.ttl_seconds))
        self._failures: type[Exception] = redis.RedisError
        try:
            self._client: Any = redis.Redis.from_url(
                url,
                socket_timeout=_TIMEOUT_SECONDS,
                **({} if url.startswith("unix:") else {"socket_connect_timeout": _TIMEOUT_SECONDS}),
            )
        except (ValueError, TypeError) as error:
            raise InvalidOption(f"{self.name} is no URL of a Redis server; give redis://host:port/number.") from error

    def load(self, key: str) -> bytes | None:
        """Return a value and begin its time anew, or None where there is none."""
        with self._reached():
            value: bytes | None = self._client.getex(key, px=self._ttl)
            return value

    def save(self, key: str, value: bytes, *, replacing: bytes | None) -> bool:
        """Store a value if the present one is ``replacing``, None for none; return whether it was."""
        with self._reached():
            if replacing is None:
                return bool(self._client.set(key, value, px=self._ttl, nx=True))
            return bool(self._client.eval(_REPLACE, 1, key, replacing, value, self._ttl))

    def drop(self, key: str) -> None:
        """Forget a value."""
        with self._reached():
            self._client.delete(key)

    def acquire(self, key: str, owner: str, seconds: float) -> bool:
        """Lock a key that nobody has locked."""
        with self._reached():
            return bool(self._client.set(key, owner, px=max(1, round(1_000 * seconds)), nx=True))

    def release(self, key: str, owner: str) -> None:
        """Unlock a key, if it is still this owner's lock."""
        with self._reached():
            self._client.eval(_RELEASE, 1, key, owner)

    def close(self) -> None:
        """Close the connections; they are opened again when needed."""
        self._client.close()

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except self._failures as error:
            raise SessionStoreFailed(
                f"The sessions in {self.name} cannot be reached ({type(error).__name__}); start the Redis server, "
                "or give another store."
            ) from error

    def __repr__(self) -> str:
        return f"RedisStore({self.name!r}, {self.ttl_seconds:g} s)"


def _without_secrets(url: str) -> str:
    """Return the URL as it may be shown: without the name and password in it.

    Examples
    --------
    >>> _without_secrets("redis://ana:secret@example.org:6380/1?password=secret")
    'redis://example.org:6380/1'
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except (ValueError, AttributeError, TypeError) as error:
        raise InvalidOption("The URL of the Redis server is none; give redis://host:port/number.") from error
    if parts.scheme not in SCHEMES:
        allowed = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        raise InvalidOption(
            f"The URL of a Redis server begins with {allowed}; {parts.scheme or 'no scheme'!r} was given."
        )
    return f"{parts.scheme}://{host}{parts.path}"
