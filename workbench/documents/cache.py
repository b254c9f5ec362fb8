"""Parsed documents on disk, under a key of everything that decides what blocks come out."""

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

from .document import Document
from .options import ReadOptions
from .packing import LAYOUT_VERSION, DamagedPack, pack_document, unpack_document
from .pages import OUT_OF_TIME
from .registry import Format
from .tokens import TOKENIZER

ENVIRONMENT = "SPARSEREAD_CACHE"
"""Environment variable that names another folder."""
MAX_BYTES = 2 << 30
"""Size that the folder is kept below: the entries unused for longest go first."""
SUFFIX = ".blocks"
STALE_SECONDS = 3_600.0
"""Age at which another process's unfinished file is litter."""

_log = logging.getLogger("workbench")


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What is in the cache: entries, their bytes, and the folder."""

    entries: int
    bytes: int
    folder: Path


class DocumentCache:
    """A folder of parsed documents; several processes may use it at once.

    Parameters
    ----------
    folder : pathlib.Path, optional
        The user's cache folder by default, or what the environment variable SPARSEREAD_CACHE names.
    max_bytes : int
        Size that it is kept below.
    """

    def __init__(self, folder: Path | None = None, *, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder or default_folder()
        self.max_bytes = max_bytes

    def load(self, key: str) -> Document | None:
        """Return a stored document, or None; a damaged entry is dropped and logged."""
        file = self._file(key)
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            _log.warning("cache entry %s cannot be read: %s", file, error)
            return None
        try:
            document = unpack_document(data)
        except DamagedPack as error:
            _log.warning("cache entry %s is damaged (%s); the document is parsed again", file, error)
            with contextlib.suppress(OSError):
                file.unlink()
            return None
        with contextlib.suppress(OSError):
            os.utime(file)
        return document

    def store(self, key: str, document: Document) -> None:
        """Store a document, unless chance had a part in it; that it cannot be written is only logged."""
        if any(warning.code == OUT_OF_TIME for warning in document.warnings):
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(suffix=".part", dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(pack_document(document))
                Path(name).replace(self._file(key))
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._prune()
        except OSError as error:
            _log.warning("%s could not be stored in the cache %s: %s", document.name, self.folder, error)

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

    def _file(self, key: str) -> Path:
        return self.folder / (key + SUFFIX)

    def _entries(self) -> list[Path]:
        return sorted(self.folder.glob("*" + SUFFIX)) if self.folder.is_dir() else []

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
                    elif entry.name.endswith(SUFFIX):
                        found.append((status.st_mtime_ns, entry.path, status.st_size))
                        total += status.st_size
        for _, path, size in sorted(found):
            if total <= self.max_bytes:
                break
            Path(path).unlink(missing_ok=True)
            total -= size


def cache_key(*, sha256: str, format: Format, options: ReadOptions, suffix: str) -> str:  # noqa: A002
    """Return the key of a document: its bytes, and everything that decides what is made of them.

    The suffix is part of it, because it tells a format module what language a program is written in; the rest of
    a name with a suffix is not.
    """
    parts = [sha256, format.name, format.version, suffix, LAYOUT_VERSION, TOKENIZER, options.content_key()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


def default_folder() -> Path:
    """Return the folder that SPARSEREAD_CACHE names, else the one for caches of this user."""
    chosen = os.environ.get(ENVIRONMENT)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("sparseread-workbench", appauthor=False)) / "documents"
