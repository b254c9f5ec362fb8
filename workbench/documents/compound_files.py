"""Compound files, the container of Office programs before 2007 and of encrypted Office files since."""

from __future__ import annotations

import mmap

from ..errors import EncryptedFile, UnsupportedFormat
from .source import Source

OLE_SIGN = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
# By the first letters of a suffix, which new and old files, templates and shows share.
_MODERN = {
    ".doc": ".docx", ".dot": ".docx", ".xls": ".xlsx", ".xlt": ".xlsx", ".ppt": ".pptx", ".pps": ".pptx",
    ".pot": ".pptx",
}  # fmt: skip


def compound_file_error(source: Source) -> EncryptedFile | UnsupportedFormat:
    """Return what to tell of a compound file: old Office files and encrypted new ones share this container."""
    # The name of the stream stands in a directory that may lie anywhere in the file.
    with source.path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        is_encrypted = data.find(_ENCRYPTED_STREAM) >= 0
    if is_encrypted:
        return EncryptedFile(
            f"{source.name} is protected by a password; save a copy without one in its Office program."
        )
    modern = _MODERN.get(source.suffix[:4], ".docx, .xlsx or .pptx")
    return UnsupportedFormat(
        f"{source.name} is in an Office format from before 2007; save it as {modern} and open that."
    )
