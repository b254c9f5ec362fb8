"""Writing a workload: its JSONL file and the artifacts beside it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..documents.artifacts import artifact_sha256
from ..documents.surrogates import without_surrogates
from ..errors import InvalidWorkload

if TYPE_CHECKING:
    from .workload import Workload

FILE = "workload.jsonl"
VERSION = 1


def save_workload(workload: Workload, folder: Path) -> Path:
    """Write a workload into a folder and return the path of its file; see ``Workload.save``."""
    file = folder / FILE
    places = {key: workload.artifacts.path(key) for key in workload.documents}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        missing = [key for key, source in places.items() if not _is_there(source, folder / key)]
        for key in missing:
            _copy(places[key], folder / key)
        _write(file, lines_of(workload))
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidWorkload(
            f"The workload cannot be saved in {folder} ({reason}); choose a folder that can be written."
        ) from error
    return file


def _is_there(source: Path, target: Path) -> bool:
    """Whether an artifact lies in its place already.

    Raises
    ------
    InvalidWorkload
        If another one does.
    """
    if not target.exists():
        return False
    if not source.samefile(target) and artifact_sha256(source) != artifact_sha256(target):
        raise InvalidWorkload(f"{target} is another artifact already; choose an empty folder.")
    return True


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        # What a link leads to may be no part of the artifact.
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target)


def lines_of(workload: Workload) -> str:
    """Return what the JSONL file of a workload says: a header, then a request a line."""
    header: dict[str, Any] = {"workload": workload.name, "version": VERSION}
    if workload.description:
        header["description"] = workload.description
    return "".join(f"{_line(entry)}\n" for entry in [header, *(request.to_dict() for request in workload.requests)])


def _line(entry: dict[str, Any]) -> str:
    line = json.dumps(entry, ensure_ascii=False)
    # UTF-8 cannot hold a lone surrogate, but JSON can spell one.
    return line if without_surrogates(line) == line else json.dumps(entry)


def _write(file: Path, text: str) -> None:
    """Write a file so that nobody ever sees a part of it."""
    handle, name = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(file)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
