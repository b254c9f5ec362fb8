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

Range = tuple[int, int]


def cache_folder() -> Path:
    """Return the folder for texts and embeddings: SPARSEREAD_BENCH_CACHE, else one in the user's cache."""
    if named := os.environ.get("SPARSEREAD_BENCH_CACHE"):
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("sparseread-bench", appauthor=False))


class Manuscript:
    """A text under construction that knows where each of its parts stands."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def write(self, text: str) -> Range:
        """Append text and return its range of characters."""
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start, self._length

    def paragraph(self, text: str) -> Range:
        """Append a text and a blank line; return the range of the text."""
        found = self.write(text)
        self.write("\n\n")
        return found

    def table(self, rows: list[list[str]]) -> list[Range]:
        """Append a Markdown table whose first row is its header; return the range of each row."""
        width = max(map(len, rows), default=0)
        ranges = []
        for rank, row in enumerate(rows):
            cells = [re.sub(r"\s+", " ", cell).replace("|", "\\|") for cell in row]
            ranges.append(self.write("| " + " | ".join([*cells, *[""] * (width - len(row))]) + " |"))
            self.write("\n" + "|" + " --- |" * width + "\n" if rank == 0 else "\n")
        self.write("\n")
        return ranges

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self._parts)

    def open(self, set_name: str, key: str, suffix: str = ".md") -> Document:
        """Write the text to a file in the cache folder and open it; ranges are those of its text layer.

        Raises
        ------
        ValueError
            If the text layer is not the text that was written, for then no range would be right.
        """
        data = self.text.encode("utf-8")
        name = re.sub(r"[^\w.-]+", "_", key)[:60] + "-" + hashlib.sha256(data).hexdigest()[:12] + suffix
        path = cache_folder() / "texts" / set_name / name
        if not (path.is_file() and path.read_bytes() == data):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)
        document = opened(path)
        if document.text_layer != self.text:
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
