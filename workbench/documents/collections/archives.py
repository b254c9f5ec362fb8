"""What is in an archive, without unpacking it: members that can be read, and those refused with the reason.

An archive is hostile until shown otherwise. Names never become paths here; a member is copied, counted byte by
byte, to a file whose name is ours.
"""

from __future__ import annotations

import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

from ...errors import DamagedFile, EncryptedFile, LimitExceeded, UnsafeFile, WorkbenchError
from ..options import ReadOptions

MIB = 1 << 20
MAX_RATIO = 250
"""Most bytes that a compressed byte may become, for members and archives that are large when unpacked."""
MEMBER_RATIO_FROM = 16 * MIB
ARCHIVE_RATIO_FROM = 1024 * MIB
CHUNK = MIB

DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    KeyError,
    OverflowError,
    NotImplementedError,
)
"""What the archive modules raise for bytes that are not as they should be."""

_SYSTEM_NAMES = frozenset({"__MACOSX", "Thumbs.db", "desktop.ini", "$RECYCLE.BIN"})
_DRIVE = re.compile(r"[A-Za-z]:")

CheckTime = Callable[[], None]
Target = IO[bytes]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something in a folder or archive that is not opened.

    Attributes
    ----------
    name : str
        As it stands in the archive.
    code : str
        Stable name of the reason, for programs: unsafe_path, link, special, too_large, bomb, encrypted,
        unsupported, duplicate, unreadable.
    message : str
        One sentence for people.
    size : int
        Bytes, as the archive says.
    """

    name: str
    code: str
    message: str
    size: int = 0

    def error(self, options: ReadOptions) -> WorkbenchError:
        """Return the error for somebody who asks for it all the same."""
        if self.code == "too_large":
            value = round(self.size / MIB, 1)
            return LimitExceeded(self.message, setting="max_file_mb", limit=options.max_file_mb, value=value)
        return EncryptedFile(self.message) if self.code == "encrypted" else UnsafeFile(self.message)


@dataclass(frozen=True, slots=True)
class Member:
    """A readable member: its name, size, compressed size (None in a TAR), and its entry in the archive."""

    name: str
    size: int
    compressed_size: int | None
    entry: Any


@dataclass(slots=True)
class Inventory:
    """What is in a folder or archive; ``cut_short`` says why the list does not hold everything."""

    members: dict[str, Member] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    hidden: int = 0
    cut_short: str = ""
    too_many: bool = False

    @property
    def listed(self) -> int:
        """How many files were looked at."""
        return len(self.members) + len(self.refused) + self.hidden

    def stop_at(self, name: str, max_items: int) -> bool:
        """Return whether there is no room for one more file, and note it."""
        if self.listed >= max_items:
            self.too_many = True
            self.cut_short = f"{name} has more than {max_items:,} files; only the first ones are listed."
        return self.too_many

    def refuse(self, name: str, code: str, message: str, size: int = 0) -> None:
        """List a member as not opened."""
        self.refused.append(Refusal(name, code, message, size))

    def add(self, member: Member) -> None:
        """List a member; as in unpacking, a later one of the same name takes the place of an earlier one."""
        if self.members.pop(member.name, None):
            self.refuse(
                member.name, "duplicate", f"{member.name} stands in the archive twice; only the last one is read."
            )
        self.members[member.name] = member


class Archive(Protocol):
    """An open archive."""

    def inventory(self, max_items: int) -> Inventory:
        """Return at most ``max_items`` members, ``cut_short`` where there are more."""

    def copy(self, member: Member, target: Target, check_time: CheckTime) -> None:
        """Write a member's bytes."""

    def close(self) -> None:
        """Close the file."""


def unsafe_path(name: str) -> str | None:
    """Return why a member's name would lead out of its archive, or None.

    Examples
    --------
    >>> unsafe_path("../../etc/passwd"), unsafe_path("a/b.txt")
    ("its path leads out of the archive with '..'", None)
    """
    if "\0" in name:
        return "its name holds a zero byte"
    if name.startswith(("/", "\\")):
        return "its path is absolute"
    if _DRIVE.match(name):
        return "its path names a drive"
    if ".." in name.replace("\\", "/").split("/"):
        return "its path leads out of the archive with '..'"
    return None


def is_hidden(name: str) -> bool:
    """Return whether a path is of the system's making: hidden, a lock file, a resource fork."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    return any(part.startswith((".", "~$")) or part in _SYSTEM_NAMES for part in parts)


def clean_name(name: str) -> str:
    """Return a safe member's path with plain slashes and no empty or "." parts."""
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def too_large(name: str, size: int, options: ReadOptions) -> str | None:
    """Return the sentence for a member above ``max_file_mb``, or None."""
    if size <= options.max_file_mb * MIB:
        return None
    return f"{name} has {size / MIB:,.1f} MiB and the limit is {options.max_file_mb:g} MiB; raise max_file_mb."


def copy_counted(
    stream: IO[bytes],
    target: Target,
    member: Member,
    archive: str,
    options: ReadOptions,
    check_time: CheckTime,
    *,
    chunk: int = CHUNK,
) -> None:
    """Copy a member and count what really comes out.

    Raises
    ------
    UnsafeFile
        If it is more than the archive's directory says.
    DamagedFile
        If it is less.
    LimitExceeded
        If it is more than ``max_file_mb``.
    """
    count = 0
    for data in _chunks(stream, chunk):
        check_time()
        count += len(data)
        if count > member.size:
            raise UnsafeFile(f"{member.name} in {archive} is larger than the archive says; do not open it.")
        if message := too_large(member.name, count, options):
            value = round(count / MIB, 1)
            raise LimitExceeded(message, setting="max_file_mb", limit=options.max_file_mb, value=value)
        target.write(data)
    if count < member.size:
        raise DamagedFile(f"{member.name} in {archive} ends after {count:,} of {member.size:,} bytes; get it again.")


def _chunks(stream: IO[bytes], size: int) -> Iterator[bytes]:
    while data := stream.read(size):
        yield data
