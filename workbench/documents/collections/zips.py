"""What is in a ZIP, and its members' bytes."""

from __future__ import annotations

import re
import stat
import threading
import zipfile
from pathlib import Path

from ...errors import DamagedFile, EncryptedFile, UnsafeFile
from ..options import ReadOptions
from .archives import (
    ARCHIVE_RATIO_FROM,
    CHUNK,
    DAMAGE,
    MAX_RATIO,
    MEMBER_RATIO_FROM,
    MIB,
    CheckTime,
    Inventory,
    Member,
    Target,
    clean_name,
    copy_counted,
    is_hidden,
    too_large,
    unsafe_path,
)

MAX_DIRECTORY = 64 * MIB
"""Largest central directory; it is read into memory."""
SMALL_CHUNK = 4096
"""Compressed bytes given at once to decompressors whose output ``zipfile`` does not bound (bzip2, LZMA)."""
AES = 99
"""Compression method that stands for encryption with AES."""

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
_CHINESE = re.compile("[\u3000-\u303f\u3400-\u9fff\uff00-\uffef\x20-\x7e]+")


class ZipArchive:
    """A ZIP.

    Raises
    ------
    DamagedFile, UnsafeFile
        If its directory cannot be read, or is made to harm.
    """

    def __init__(self, path: Path, options: ReadOptions, check_time: CheckTime) -> None:
        del check_time  # the directory is bounded
        self._name = path.name
        self._size = path.stat().st_size
        self._options = options
        self._lock = threading.Lock()
        self._check_directory(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except DAMAGE as error:
            raise DamagedFile(f"{self._name} is no complete ZIP ({error}); get it again.") from error

    def inventory(self, max_items: int) -> Inventory:
        """See ``Archive``."""
        found = Inventory()
        entries = [entry for entry in self._zip.infolist() if not entry.is_dir()]
        self._check_whole(entries)
        for entry in entries:
            if found.stop_at(self._name, max_items):
                break
            self._judge(entry, found)
        return found

    def copy(self, member: Member, target: Target, check_time: CheckTime) -> None:
        """See ``Archive``."""
        entry: zipfile.ZipInfo = member.entry
        bounded = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        password = self._options.password.encode() if self._options.password else None
        with self._lock:
            try:
                with self._zip.open(entry, pwd=password) as stream:
                    copy_counted(
                        stream,
                        target,
                        member,
                        self._name,
                        self._options,
                        check_time,
                        chunk=CHUNK if bounded else SMALL_CHUNK,
                    )
            except DAMAGE as error:
                raise DamagedFile(
                    f"{member.name} in {self._name} is damaged ({error}); get the archive again."
                ) from error
            except RuntimeError as error:  # zipfile's word for a wrong password
                raise EncryptedFile(
                    f"The password does not open {member.name} in {self._name}; give another one."
                ) from error

    def close(self) -> None:
        """See ``Archive``."""
        self._zip.close()

    def _judge(self, entry: zipfile.ZipInfo, found: Inventory) -> None:
        raw = zip_name(entry)
        reason = unsafe_path(raw)
        name = clean_name(raw)
        mode = entry.external_attr >> 16
        if reason:
            found.refuse(raw, "unsafe_path", f"{raw!r} in {self._name} is not opened: {reason}.")
        elif stat.S_ISLNK(mode):
            found.refuse(name, "link", f"{name} in {self._name} is a link; links in archives are not followed.")
        elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            found.refuse(name, "special", f"{name} in {self._name} is a device or pipe, which holds no document.")
        elif is_hidden(name):
            found.hidden += 1
        elif message := too_large(name, entry.file_size, self._options):
            found.refuse(name, "too_large", message, entry.file_size)
        elif entry.file_size > MEMBER_RATIO_FROM and entry.file_size > MAX_RATIO * entry.compress_size:
            ratio = entry.file_size // max(1, entry.compress_size)
            found.refuse(name, "bomb", f"{name} in {self._name} unpacks to {ratio:,} times its size and is not opened.")
        elif entry.flag_bits & 0x1 and entry.compress_type == AES:
            found.refuse(
                name, "encrypted", f"{name} in {self._name} is encrypted with AES; unpack it with another program."
            )
        elif entry.flag_bits & 0x1 and self._options.password is None:
            found.refuse(name, "encrypted", f"{name} in {self._name} is encrypted; give its password.")
        elif entry.compress_type not in _METHODS:
            found.refuse(
                name,
                "unsupported",
                f"{name} in {self._name} is compressed by method {entry.compress_type}, which is not supported; "
                "unpack it with another program.",
            )
        else:
            found.add(Member(name, entry.file_size, entry.compress_size, entry))

    def _check_whole(self, entries: list[zipfile.ZipInfo]) -> None:
        """Refuse members that share their bytes, as the densest bombs do, and a total beyond all proportion."""
        ends = 0
        for entry in sorted(entries, key=lambda entry: entry.header_offset):
            if entry.header_offset < ends:
                raise UnsafeFile(
                    f"{self._name} is a bomb: its member {zip_name(entry)!r} overlaps another; do not open it."
                )
            ends = entry.header_offset + entry.compress_size
        total = sum(entry.file_size for entry in entries)
        if total > ARCHIVE_RATIO_FROM and total > MAX_RATIO * self._size:
            largest = max(entries, key=lambda entry: entry.file_size)
            raise UnsafeFile(
                f"{self._name} unpacks to {total // max(1, self._size):,} times its size, most of it "
                f"{zip_name(largest)!r}; it is a bomb, do not open it."
            )

    def _check_directory(self, path: Path) -> None:
        """Read the size of the central directory before ``zipfile`` reads it whole."""
        with path.open("rb") as stream:
            stream.seek(max(0, self._size - 65_600))
            tail = stream.read()
        at = tail.rfind(b"PK\x05\x06")
        size = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
        zip64 = tail.rfind(b"PK\x06\x06")
        if zip64 >= 0 and size == 0xFFFFFFFF:
            size = int.from_bytes(tail[zip64 + 40 : zip64 + 48], "little")
        if min(size, self._size) > MAX_DIRECTORY:
            raise UnsafeFile(f"{self._name} lists too many members to be opened; unpack it with another program.")


def zip_name(entry: zipfile.ZipInfo) -> str:
    """Return a member's name; without its UTF-8 flag it may be UTF-8 all the same, or Chinese from Windows."""
    # ``filename`` stops at a zero byte, which would hide what follows it.
    name = getattr(entry, "orig_filename", entry.filename)
    if entry.flag_bits & 0x800 or name.isascii():
        return name
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    for encoding in ("utf-8", "gb18030"):
        try:
            decoded = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8" or _CHINESE.fullmatch(decoded):
            return decoded
    return name
