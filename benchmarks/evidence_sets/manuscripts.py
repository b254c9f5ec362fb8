"""Texts of an evaluation set written to files, so that the workbench reads them like any other document."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from functools import lru_cache
from pathlib import Path

from workbench.documents import Document, ReadOptions, open_document
from workbench.workload.importers import manuscripts


def cache_folder() -> Path:
    """Return the folder for texts and embeddings: SPARSEREAD_BENCH_CACHE, else one in the user's cache."""
    if named := os.environ.get("SPARSEREAD_BENCH_CACHE"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("sparseread-bench", appauthor=False))


class Manuscript(manuscripts.Manuscript):
    """A text under construction that can be opened as a document."""

    def open(self, set_name: str, key: str, suffix: str = ".md") -> Document:
        """Open the text as a document; see ``open_text``."""
        return open_text(self.text, set_name, key, suffix)


def open_text(text: str, set_name: str, key: str, suffix: str = ".md") -> Document:
    """Write a text to a file in the cache folder and open it; ranges of the text are those of its text layer.

    Raises
    ------
    ValueError
        If the text layer is not the text that was written, for then no range would be right.
    """
    data = text.encode("utf-8")
    name = re.sub(r"[^\w.-]+", "_", key)[:60] + "-" + hashlib.sha256(data).hexdigest()[:12] + suffix
    path = cache_folder() / "texts" / set_name / name
    if not (path.is_file() and path.read_bytes() == data):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    document = opened(path)
    if document.text_layer != text:
        raise ValueError(f"{path.name} was read as another text than was written; its evidence has no place.")
    return document


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it."""
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()


@lru_cache(maxsize=512)
def opened(path: Path) -> Document:
    """Open a document once a process."""
    return open_document(path, options=ReadOptions(max_seconds=600.0), progress=False)
