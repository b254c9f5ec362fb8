"""Vectors on disk that are used where they lie: a checksum, the shape, and the plain arrays behind it.

A file is mapped into memory. Its checksum is verified once, when it is opened.
"""

from __future__ import annotations

import logging
import mmap
import zlib

import numpy as np
import numpy.typing as npt

from ..caching import CacheFolder
from .encoders import WindowVectors

SUFFIX = ".vectors"
MAGIC = b"SRVEC\x00\x00\x01"
"""Begins every file; its last byte is raised whenever the layout changes."""

_HEAD = 64
"""Bytes before the arrays: magic, checksum of all that follows it, and the three sizes."""
_CHECKED_FROM = len(MAGIC) + 4

_log = logging.getLogger("workbench")


class DamagedVectors(ValueError):
    """The bytes are not what ``pack_vectors`` wrote; the cache handles it, an analyst never sees it."""


def pack_vectors(found: WindowVectors) -> bytes:
    """Return vectors as bytes, in half precision; equal vectors give equal bytes."""
    sizes = np.array([len(found), *found.vectors.shape], "<i8").tobytes()
    body = b"".join(
        [
            sizes.ljust(_HEAD - _CHECKED_FROM, b"\0"),
            found.vectors.astype("<f2").tobytes(),
            # Behind the vectors, so that every array begins where its numbers may.
            bytes(-2 * found.vectors.size % 8),
            found.first.astype("<i8").tobytes(),
            found.share_read.astype("<f4").tobytes(),
        ]
    )
    return MAGIC + zlib.crc32(body).to_bytes(4, "little") + body


def unpack_vectors(data: bytes | mmap.mmap) -> WindowVectors:
    """Return the vectors, as views of the bytes.

    Raises
    ------
    DamagedVectors
        If a byte is missing or changed.
    """
    view = memoryview(data)
    if len(view) < _HEAD or view[: len(MAGIC)] != MAGIC:
        raise DamagedVectors("it does not begin as such a file does")
    if zlib.crc32(view[_CHECKED_FROM:]).to_bytes(4, "little") != view[len(MAGIC) : _CHECKED_FROM]:
        raise DamagedVectors("the checksum differs")
    texts, windows, dimensions = np.frombuffer(view, "<i8", 3, _CHECKED_FROM).tolist()
    vectors = np.frombuffer(view, "<f2", windows * dimensions, _HEAD).reshape(windows, dimensions)
    at = _HEAD + vectors.nbytes + -vectors.nbytes % 8
    first = np.frombuffer(view, "<i8", texts + 1, at)
    share = np.frombuffer(view, "<f4", texts, at + first.nbytes)
    return WindowVectors(vectors, first, share)


def load_vectors(key: str) -> WindowVectors | None:
    """Return stored vectors, mapped into memory, or None; a damaged entry is dropped and logged."""
    cache = CacheFolder(SUFFIX)
    try:
        with cache.file(key).open("rb") as stream:
            data = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return None
    except OSError as error:
        # Of too many open files, say: the entry itself may be sound.
        _log.warning("cache entry %s cannot be read: %s", cache.file(key), error)
        return None
    except ValueError as error:  # an empty file cannot be mapped
        cache.drop(key, str(error))
        return None
    try:
        found = unpack_vectors(data)
    except DamagedVectors as error:
        cache.drop(key, str(error))
        return None
    cache.touch(key)
    return found


def store_vectors(key: str, found: WindowVectors) -> None:
    """Store vectors at once or not at all; that it cannot be done is only logged."""
    CacheFolder(SUFFIX).store(key, pack_vectors(found))


def halved(found: WindowVectors) -> WindowVectors:
    """Return vectors as they are after being stored: a first run and a later one must rank alike."""
    vectors: npt.NDArray[np.float16] = found.vectors.astype(np.float16)
    return WindowVectors(vectors, found.first, found.share_read)
