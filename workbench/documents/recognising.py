"""Which format a file has: by its suffix where the content agrees, else by the content."""

from __future__ import annotations

import logging
from pathlib import Path

from ..errors import EmptyFile, EncryptedFile, FileMissing, UnsupportedFormat
from . import registry
from .compound_files import OLE_SIGN, compound_file_error
from .formats.decoding import looks_binary
from .pages import DocumentWarning
from .registry import Format
from .source import Source

AGREES = 0.2
"""How sure a format must be of the content when the suffix names it."""
DOUBTS = 0.5
OVERRULES = 0.9
"""A format that the suffix names and that is less sure than ``DOUBTS`` gives way to one of at least ``OVERRULES``:
plain text would accept a web page."""

ARCHIVE_SIGNS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"PK\x03\x04", "zip"),
    (0, b"PK\x05\x06", "zip"),
    (257, b"ustar", "tar"),
    (0, b"\x1f\x8b", "gz"),
    (0, b"BZh", "bz2"),
    (0, b"\xfd7zXZ\x00", "xz"),
)
"""Offset, bytes and name of the containers that ``open_collection`` reads."""

_SIGNS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG", "an image"),
    (0, b"\xff\xd8\xff", "an image"),
    (0, b"GIF8", "an image"),
    (0, b"II*\x00", "an image"),
    (0, b"MM\x00*", "an image"),
    (8, b"WEBP", "an image"),
    (4, b"ftypheic", "an image"),
    (4, b"ftypavif", "an image"),
    (0, b"ID3", "an audio file"),
    (0, b"\xff\xfb", "an audio file"),
    (0, b"fLaC", "an audio file"),
    (0, b"OggS", "an audio file"),
    (8, b"WAVE", "an audio file"),
    (8, b"AVI ", "a video"),
    (4, b"ftyp", "a video"),
    (0, b"\x1a\x45\xdf\xa3", "a video"),
    (0, b"\x7fELF", "a program"),
    (0, b"MZ", "a program"),
    (0, b"\xcf\xfa\xed\xfe", "a program"),
    (0, b"\xca\xfe\xba\xbe", "a program"),
    (0, b"SQLite format 3\x00", "a database"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it and open the folder with open_collection"),
    (0, b"Rar!\x1a\x07", "a RAR archive; unpack it and open the folder with open_collection"),
)

_log = logging.getLogger("workbench")


def check_file(path: Path, name: str | None = None) -> None:
    """Refuse what is not a file that can be read.

    Raises
    ------
    FileMissing
        If nothing is there, or reading is not permitted.
    UnsupportedFormat
        For a folder or a device.
    EmptyFile
    """
    name = name or path.name or str(path)
    try:
        if path.is_dir():
            raise UnsupportedFormat(f"{name} is a folder; open what is in it with open_collection.")
        if not path.exists():
            raise FileMissing(f"There is no file {path}; check the path.")
        if not path.is_file():
            raise UnsupportedFormat(f"{name} is a device or pipe, not a file; save its content as a file first.")
        with path.open("rb") as stream:
            if not stream.read(1):
                raise EmptyFile(f"{name} holds no bytes; check whether it was saved or downloaded completely.")
    except PermissionError as error:
        raise FileMissing(f"{path} may not be read; change its permissions.") from error
    except (OSError, ValueError) as error:
        raise FileMissing(f"{path!s:.200} cannot be read ({_reason(error)}); check the path.") from error


def recognise(source: Source) -> tuple[Format, list[DocumentWarning]]:
    """Return the format that reads a file, and a warning where the suffix says something else.

    Raises
    ------
    FileMissing, EmptyFile, UnsupportedFormat
        The last one says what the content looks like, and which suffixes can be read.
    """
    check_file(source.path, source.name)
    known = registry.formats()
    named = [candidate for candidate in known if source.suffix in candidate.suffixes]
    scores = {candidate.name: certainty(candidate, source) for candidate in named}
    best = max(named, key=lambda candidate: scores[candidate.name], default=None)
    if best is not None and scores[best.name] >= DOUBTS:
        return best, []
    scores |= {other.name: certainty(other, source) for other in known if other.name not in scores}
    strongest = max(known, key=lambda candidate: scores[candidate.name], default=None)
    agrees = best is not None and scores[best.name] >= AGREES
    if best is not None and agrees and not (strongest and scores[strongest.name] >= OVERRULES):
        return best, []
    best = strongest
    if best is None or scores[best.name] <= 0:
        raise _unsupported(source, known)
    if not named or source.suffix in best.suffixes:
        return best, []
    message = f"{source.name} is {best.name} by content and was read as such, whatever its suffix says."
    return best, [DocumentWarning("wrong_suffix", message)]


def certainty(format: Format, source: Source) -> float:  # noqa: A002 - the field's word
    """Return a format's certainty of a file, 0 when its sniffing fails; a plug-in may break its promise."""
    try:
        return float(format.sniff(source))
    except Exception:
        _log.warning("format %s could not look at %s", format.name, source.name, exc_info=True)
        return 0.0


def archive_kind(head: bytes) -> str | None:
    """Return "zip", "tar", "gz", "bz2" or "xz" for a container that ``open_collection`` may read, else None."""
    for offset, sign, kind in ARCHIVE_SIGNS:
        if head.startswith(sign, offset):
            return kind
    return None


def _unsupported(source: Source, known: tuple[Format, ...]) -> UnsupportedFormat | EncryptedFile:
    head = source.head
    if head.startswith(OLE_SIGN):
        return compound_file_error(source)
    if archive_kind(head):
        return UnsupportedFormat(f"{source.name} is an archive; open the documents in it with open_collection.")
    looks = next((what for offset, sign, what in _SIGNS if head.startswith(sign, offset)), "")
    if ";" in looks:
        return UnsupportedFormat(f"{source.name} is {looks}.")
    seems, advice = f"; it looks like {looks}" if looks else "", "choose a file"
    if not looks and looks_binary(head):
        seems = "; it holds binary data (control characters such as NUL), not text"
        advice = "save it from its own program as a file"
    suffixes = " ".join(sorted({suffix for candidate in known for suffix in candidate.suffixes[:3]}))
    return UnsupportedFormat(f"No format reads {source.name}{seems}; {advice} of one of these: {suffixes}.")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
