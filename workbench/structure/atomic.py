"""Writing a file at once or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from ..errors import InvalidRules, WorkbenchError


def write_text(path: Path, text: str, *, error: type[WorkbenchError] = InvalidRules) -> None:
    """Write a text as UTF-8, line ends as they are; a reader sees the old file or the new one, never a part.

    Raises
    ------
    InvalidRules, or what ``error`` names
        If it cannot be written.
    """
    try:
        write_bytes(path, text.encode("utf-8"))
    except OSError as failure:
        raise error(
            f"{path.name} cannot be written ({failure.strerror}); check the folder and its rights."
        ) from failure


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file; a reader sees the old one or the new one, never a part.

    Raises
    ------
    OSError
        If it cannot be written; then nothing is left of it.
    """
    # What a link leads to is replaced, not the link.
    target = path.resolve()
    # The copy is on the disk of the file, where a rename is never half done.
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, name)
        else:
            Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
