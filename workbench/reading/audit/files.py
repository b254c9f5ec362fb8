"""The files of audits: which suffix is which format, and writing at once or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ...errors import InvalidAudit, InvalidOption
from ...structure.atomic import write_bytes
from .csv_file import csv_text
from .json_file import json_text
from .parquet_file import parquet_bytes
from .table import Audit

WRITERS: Mapping[str, Callable[[Audit], bytes]] = {
    ".csv": lambda audit: csv_text(audit).encode("utf-8-sig"),
    ".json": lambda audit: json_text(audit).encode(),
    ".parquet": parquet_bytes,
}
"""What makes the bytes of a file, by its suffix."""


def checked_suffix(path: Path) -> str:
    """Return the suffix of an audit's file.

    Raises
    ------
    InvalidOption
        For another one.
    """
    suffix = path.suffix.lower()
    if suffix not in WRITERS:
        *others, last = WRITERS
        raise InvalidOption(
            f"An audit ends in {', '.join(others)} or {last}, not as {path.name!r:.80}; use one of these."
        )
    return suffix


def save(audit: Audit, path: Path) -> Path:
    """Write an audit as the suffix of its file says; see ``Audit.save``."""
    return write(path, WRITERS[checked_suffix(path)](audit))


def write(path: Path, data: bytes) -> Path:
    """Write a file; a reader sees the old one or the new one, never a part.

    Raises
    ------
    InvalidAudit
        If it cannot be written.
    """
    try:
        write_bytes(path.expanduser(), data)
    except OSError as error:
        raise InvalidAudit(
            f"The audit could not be written to {path} ({error.strerror or error}); give a file in a folder that "
            "exists and may be written to."
        ) from error
    return path
