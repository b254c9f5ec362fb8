"""Parsed documents on disk, under a key of everything that decides what blocks come out."""

from __future__ import annotations

from pathlib import Path

from ..caching import MAX_BYTES, CacheFolder, key_of
from .document import Document
from .options import ReadOptions
from .packing import LAYOUT_VERSION, DamagedPack, pack_document, unpack_document
from .pages import OUT_OF_TIME
from .registry import Format
from .tokens import TOKENIZER

SUFFIX = ".blocks"


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
        self.entries = CacheFolder(SUFFIX, folder, max_bytes=max_bytes)

    def load(self, key: str) -> Document | None:
        """Return a stored document, or None; a damaged entry is dropped and logged."""
        data = self.entries.load(key)
        if data is None:
            return None
        try:
            return unpack_document(data)
        except DamagedPack as error:
            self.entries.drop(key, str(error))
            return None

    def store(self, key: str, document: Document) -> None:
        """Store a document, unless chance had a part in it; that it cannot be written is only logged."""
        if not any(warning.code == OUT_OF_TIME for warning in document.warnings):
            self.entries.store(key, pack_document(document))


def cache_key(*, sha256: str, format: Format, options: ReadOptions, suffix: str) -> str:  # noqa: A002
    """Return the key of a document: its bytes, and everything that decides what is made of them.

    The suffix is part of it, because it tells a format module what language a program is written in; the rest of
    a name with a suffix is not.
    """
    return key_of(sha256, format.name, format.version, suffix, LAYOUT_VERSION, TOKENIZER, options.content_key())
