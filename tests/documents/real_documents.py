"""The documents of the evaluation data, each parsed once a test run: what one test opened, the next finds cached."""

from __future__ import annotations

import csv
import os
from functools import lru_cache
from pathlib import Path

from tests.conftest import ROOT
from workbench.documents import Document, open_document

NO_DATA = "the evaluation data"
"""Stands for all files where the data is missing, so that a test still says why it did not run."""
REFUSED = ("pdfjs-Brotli-Prototype-FileA.pdf", "pdfjs-bug1020226.pdf", "plumber-empty.pdf")
"""Files of ``nasty_pdfs`` that cannot be read; ``test_nasty`` holds what is said about each."""


def real_files(*folders: str, suffix: str = "") -> list[str]:
    """Return the readable files of some folders of the data, or of all, as paths below it."""
    data = Path(os.environ.get("SPARSEREAD_DATA") or ROOT.parent / "shared" / "data")
    found = [
        path.relative_to(data).as_posix()
        for path in sorted(data.rglob("*"))
        if path.is_file() and path.name not in REFUSED and path.suffix.lower().endswith(suffix)
    ]
    chosen = [name for name in found if not folders or name.startswith(tuple(f"{folder}/" for folder in folders))]
    return chosen or [NO_DATA]


@lru_cache(maxsize=8)
def real_document(data: Path, name: str) -> Document:
    """Open a document of the data as an analyst would."""
    return open_document(data / name, password=passwords(data).get(Path(name).name), progress=False)


@lru_cache(maxsize=1)
def passwords(data: Path) -> dict[str, str]:
    """Return the passwords of ``nasty_pdfs`` by file name."""
    return {row["file"]: row["password"] for row in index_of_nasty_files(data) if row["password"]}


def index_of_nasty_files(data: Path) -> list[dict[str, str]]:
    """Return the rows of the list of ``nasty_pdfs``."""
    with (data / "nasty_pdfs" / "INDEX.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
