"""Whether a ZIP of Office parts may be opened: looked at before any library reads it.

Office Open XML files are ZIP archives of XML parts. They come from outside, so each is checked for what would harm
the machine: contents that unpack to far more than the file, XML with entities or a document type, and names that
leave the archive. Pictures are never decoded here, so their declared size does not matter.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable

from ....errors import DamagedFile, EncryptedFile, UnsafeFile
from ...compound_files import OLE_SIGN, compound_file_error
from ...options import ReadOptions
from ...source import Source

ZIP_SIGN = b"PK\x03\x04"
CONTENT_TYPES = "[Content_Types].xml"

MOST_MEMBERS = 20_000
MOST_EXPANSION = 20
"""Most unpacked bytes of all members together, as a multiple of ``max_file_mb``."""
MOST_RATIO = 200
RATIO_FROM_BYTES = 10 * 1024 * 1024
"""A member of this size or more that is packed more tightly than ``MOST_RATIO`` is a bomb."""

_DECLARATION = re.compile(rb"<!(DOCTYPE|ENTITY)")
_ENCODING = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']*)[\"']")
_ENCODINGS = {b"utf-8", b"utf8", b"utf-16", b"utf-16le", b"utf-16be", b"us-ascii", b"ascii"}
_XML_NAME = re.compile(r"\.(xml|rels|vml)$", re.IGNORECASE)
# Pictures and web pages that are stored, not parsed: a document type is usual in them.
_STORED = re.compile(r"(^|/)(media|embeddings)/[^/]*\.(svg|html?|xhtml|mht)$|(^|/)afchunk[^/]*$", re.IGNORECASE)
_CHUNK = 1 << 20


def office_sniffer(folder: str, suffixes: tuple[str, ...]) -> Callable[[Source], float]:
    """Return a ``sniff`` for the Office format whose parts lie in ``folder`` ("word/", "ppt/", "xl/")."""

    def sniff(source: Source) -> float:
        if not source.head.startswith(ZIP_SIGN):
            return 0.0
        try:
            with zipfile.ZipFile(source.path) as archive:
                names = archive.namelist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            # A truncated archive still has its suffix; reading it tells what is wrong.
            return 0.5 if source.suffix in suffixes else 0.0
        if CONTENT_TYPES not in names:
            return 0.0
        return 0.98 if any(name.startswith(folder) for name in names) else 0.0

    return sniff


def check_archive(source: Source, options: ReadOptions) -> None:
    """Refuse an Office file that is unsafe, damaged, encrypted or of the old kind.

    Raises
    ------
    EncryptedFile, UnsupportedFormat, DamagedFile, UnsafeFile
        Each names the file, the part and the reason.
    """
    if source.head.startswith(OLE_SIGN):
        raise compound_file_error(source)
    try:
        with zipfile.ZipFile(source.path) as archive:
            members = archive.infolist()
            _check_names(source.name, members)
            _check_sizes(source.name, members, options)
            for member in members:
                _check_content(source.name, archive, member)
            names = {member.filename for member in members}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
        raise DamagedFile(
            f"{source.name} is not a complete Office file ({_short(error)}); get a fresh copy of it."
        ) from error
    if CONTENT_TYPES not in names:
        raise DamagedFile(f"{source.name} is a ZIP archive but no Office file ({CONTENT_TYPES} is missing).")


def _check_names(name: str, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > MOST_MEMBERS:
        raise UnsafeFile(
            f"{name} holds {len(members):,} members, more than the {MOST_MEMBERS:,} allowed in an Office file; "
            "it was not opened."
        )
    for member in members:
        path = member.filename.replace("\\", "/")
        if path.startswith("/") or ".." in path.split("/") or re.match(r"[A-Za-z]:", path):
            raise UnsafeFile(f"{name} holds a member whose path leaves the archive ({path!r:.80}); it was not opened.")
        if member.flag_bits & 0x1:
            raise EncryptedFile(
                f"{name} is a ZIP archive with a password ({path!r:.80}); save a copy without a password."
            )


def _check_sizes(name: str, members: list[zipfile.ZipInfo], options: ReadOptions) -> None:
    total = sum(member.file_size for member in members)
    limit = int(MOST_EXPANSION * options.max_file_mb * 1024 * 1024)
    if total > limit:
        raise UnsafeFile(
            f"{name} unpacks to {total / 1048576:,.0f} MiB, more than {MOST_EXPANSION} times max_file_mb "
            f"({options.max_file_mb:g}); it looks like a ZIP bomb and was not opened."
        )
    for member in members:
        if member.file_size > RATIO_FROM_BYTES and member.file_size > MOST_RATIO * max(1, member.compress_size):
            raise UnsafeFile(
                f"{name} holds {member.filename!r:.80}, which unpacks to {member.file_size / 1048576:,.0f} MiB, over "
                f"{MOST_RATIO} times its stored size; it looks like a ZIP bomb and was not opened."
            )


def _check_content(name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """Search a part for a document type or an entity; zero bytes are dropped so that UTF-16 is searched too."""
    with archive.open(member) as stream:
        first = stream.read(1024)
        text = first.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe")
        start = text.removeprefix(b"\xfe\xff").lstrip()
        if not start.startswith(b"<"):
            if start and _XML_NAME.search(member.filename):
                raise DamagedFile(f"{name} holds {member.filename!r:.80}, which is not XML; get a fresh copy of it.")
            return
        if _STORED.search(member.filename):
            return
        encoding = _ENCODING.match(start)
        if encoding and encoding.group(1).lower() not in _ENCODINGS:
            shown = encoding.group(1).decode("ascii", "replace")
            raise UnsafeFile(
                f"{name} holds {member.filename!r:.80} in the encoding {shown!r:.40}, which Office files may not use; "
                "it was not opened."
            )
        tail = b""
        chunk = first
        while chunk:
            window = tail + chunk.replace(b"\0", b"")
            if _DECLARATION.search(window):
                raise UnsafeFile(
                    f"{name} holds {member.filename!r:.80} with a document type or entity declaration, which Office "
                    "files may not have; it was not opened."
                )
            tail = window[-16:]
            chunk = stream.read(_CHUNK)


def _short(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:120].rstrip(".")
