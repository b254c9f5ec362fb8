"""One folder of sources to one artifact."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from ruamel.yaml import YAML

from .archives import zip_of
from .nodes import Source
from .pdf import pdf_of
from .plain import markdown_of, text_of, verbatim_of
from .sheets import csv_of, xlsx_of
from .slides import pptx_of
from .source import SourceError, read_source
from .web import html_of
from .word import docx_of

RENDERERS: dict[str, Callable[[Source], bytes]] = {
    "pdf": pdf_of,
    "docx": docx_of,
    "html": html_of,
    "md": markdown_of,
    "txt": text_of,
    "log": verbatim_of,
    "raw": verbatim_of,
    "csv": csv_of,
    "xlsx": xlsx_of,
    "pptx": pptx_of,
}


def slugs_in(sources: Path) -> list[str]:
    """Return the names of the folders of which an artifact is made, in order."""
    marks = ("source.md", "collection.yaml")
    return sorted(folder.name for folder in sources.iterdir() if any((folder / mark).is_file() for mark in marks))


def description_of(folder: Path) -> dict[str, Any]:
    """Return what a folder of sources says about its artifact."""
    collection = folder / "collection.yaml"
    if collection.is_file():
        said: dict[str, Any] = YAML(typ="safe").load(collection.read_text(encoding="utf-8"))
        return said
    return read_source(folder / "source.md").meta


def rendered(source: Source) -> bytes:
    """Return the bytes of a source in its format."""
    kind = str(source.meta["format"])
    if kind not in RENDERERS:
        raise SourceError(f"{source.meta['file']} asks for format {kind}; known are {', '.join(RENDERERS)}")
    return RENDERERS[kind](source)


def build_artifact(folder: Path, out: Path) -> Path:
    """Build the artifact of one folder of sources into ``out`` and return its path."""
    out.mkdir(parents=True, exist_ok=True)
    if not (folder / "collection.yaml").is_file():
        source = read_source(folder / "source.md")
        path = out / str(source.meta["file"])
        path.write_bytes(rendered(source))
        return path
    said = description_of(folder)
    path = out / str(said["file"])
    members = members_of(folder)
    if said["format"] == "zip":
        path.write_bytes(zip_of(members))
        return path
    if path.is_dir():
        shutil.rmtree(path)
    for name, data in members.items():
        inside = path / PurePosixPath(name)
        inside.parent.mkdir(parents=True, exist_ok=True)
        inside.write_bytes(data)
    return path


def members_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a collection by their paths inside it, in the order of those."""
    sources = [read_source(path, folder / "made.py") for path in sorted((folder / "members").rglob("*.md"))]
    files = {str(source.meta["file"]): rendered(source) for source in sources}
    if len(files) < len(sources):
        raise SourceError(f"two members of {folder.name} have the same file name")
    return dict(sorted(files.items()))
