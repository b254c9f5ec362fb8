"""What costs time to make, kept on disk under a key of everything that decides what comes out.

One folder holds all of it; each kind of entry has a suffix and a size of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ENVIRONMENT = "SPARSEREAD_CACHE"
"""Environment variable that names another folder."""
MAX_BYTES = 2 << 30
"""Size that the entries of one suffix are kept below: those unused for longest go first."""
PART_BETWEEN = 64
"""So many entries, or such a part of the size, are stored before a look at what must go: it lists the whole folder."""
STALE_SECONDS = 3_600.0
"""Age at which another process's unfinished file is litter."""

_log = logging.getLogger("workbench")


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What is in the cache: entries, their bytes, and the folder."""

    entries: int
    bytes: int
    folder: Path


class CacheFolder:
    """The entries of one suffix in a folder; several processes may use it at once.

    Parameters
    ----------
    suffix : str
        Ends the name of every entry, with its dot.
    folder : pathlib.Path, optional
        The user's cache folder by default, or what the environment variable SPARSEREAD_CACHE names.
    max_bytes : int
        Size that the entries are kept below.
    """

    def __init__(self, suffix: str, folder: Path | None = None, *, max_bytes: int = MAX_BYTES) -> None:
        self.suffix = suffix
        self.folder = folder or default_folder()
        self.max_bytes = max_bytes
        self._stored = 0
        self._bytes = max_bytes

    def file(self, key: str) -> Path:
        """Return where the entry of a key lies, if there is one."""
        return self.folder / (key + self.suffix)

    def load(self, key: str) -> bytes | None:
        """Return the bytes of an entry, or None; that it cannot be read is only logged."""
        file = self.file(key)
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("cache entry %s cannot be read: %s", file, error)
            return None
        self.touch(key)
        return data

    def touch(self, key: str) -> None:
        """Note that an entry was used."""
        with contextlib.suppress(OSError):
            os.utime(self.file(key))

    def drop(self, key: str, why: str) -> None:
        """Remove a damaged entry, and log why."""
        file = self.file(key)
        _log.warning("cache entry %s is damaged (%s); it is made again", file, why)
        with contextlib.suppress(OSError):
            file.unlink()

    def store(self, key: str, data: bytes) -> None:
        """Store an entry at once or not at all; that it cannot be written is only logged."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(suffix=".part", dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(data)
                Path(name).replace(self.file(key))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._stored += 1
            self._bytes += len(data)
            if self._stored >= PART_BETWEEN or self._bytes >= self.max_bytes // PART_BETWEEN:
                self._stored = self._bytes = 0
                self._prune()
        except OSError as error:
            _log.warning("%s could not be stored in the cache: %s", self.file(key), error)

    def info(self) -> CacheInfo:
        """Return how much is stored, and where."""
        sizes = [entry.stat().st_size for entry in self._entries()]
        return CacheInfo(len(sizes), sum(sizes), self.folder)

    def clear(self) -> int:
        """Remove every entry and return how many there were."""
        entries = self._entries()
        for entry in entries:
            entry.unlink(missing_ok=True)
        return len(entries)

    def _entries(self) -> list[Path]:
        return sorted(self.folder.glob("*" + self.suffix)) if self.folder.is_dir() else []

    def _prune(self) -> None:
        """Drop the entries unused for longest, and what crashed processes left behind."""
        found = []
        total = 0
        with os.scandir(self.folder) as listing:
            for entry in listing:
                with contextlib.suppress(FileNotFoundError):  # another process prunes too
                    status = entry.stat()
                    if entry.name.endswith(".part") and status.st_mtime < time.time() - STALE_SECONDS:
                        Path(entry.path).unlink()
                    elif entry.name.endswith(self.suffix):
                        found.append((status.st_mtime_ns, entry.path, status.st_size))
                        total += status.st_size
        for _, path, size in sorted(found):
            if total <= self.max_bytes:
                break
            Path(path).unlink(missing_ok=True)
            total -= size


def key_of(*parts: Any) -> str:
    """Return the key for parts that JSON can hold; equal parts give equal keys, on every machine.

    Examples
    --------
    >>> key_of("ab", 1) == key_of("ab", 1), key_of("ab", 1) == key_of("ab", 2)
    (True, False)
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


def default_folder() -> Path:
    """Return the folder that SPARSEREAD_CACHE names, else the one for caches of this user."""
    chosen = os.environ.get(ENVIRONMENT)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("sparseread-workbench", appauthor=False)) / "documents"
