"""A store from one string, as it stands in a configuration or on a command line."""

from __future__ import annotations

from ...errors import InvalidOption
from .store import TTL_SECONDS, SessionStore

_SQLITE = "sqlite:"
_REDIS = ("redis://", "rediss://", "unix://")


def open_store(where: str = "memory:", *, ttl_seconds: float = TTL_SECONDS) -> SessionStore:
    """Return the store that a string names.

    Parameters
    ----------
    where : str
        "memory:", "sqlite:" and the path of a file, or the URL of a Redis server.
    ttl_seconds : float
        Time after its last use at which a session is forgotten.

    Raises
    ------
    InvalidOption
        For any other string.
    SessionStoreFailed
        If a SQLite file cannot be made.
    MissingDependency
        If the package redis is needed and not installed.

    Examples
    --------
    >>> open_store()
    MemoryStore(0 sessions, 1800 s)
    """
    if where == "memory:":
        from .memory import MemoryStore

        return MemoryStore(ttl_seconds=ttl_seconds)
    if isinstance(where, str) and where.startswith(_SQLITE) and where != _SQLITE:
        from .sqlite import SqliteStore

        return SqliteStore(where.removeprefix(_SQLITE), ttl_seconds=ttl_seconds)
    if isinstance(where, str) and where.startswith(_REDIS):
        from .redis import RedisStore

        return RedisStore(where, ttl_seconds=ttl_seconds)
    shown = where.partition(":")[0] if isinstance(where, str) else type(where).__name__
    raise InvalidOption(
        f"There is no store of sessions {shown!r:.40}; give memory:, sqlite:PATH, or redis://host:port/number."
    )
