"""What is in a TAR, plain or compressed, and its members' bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import threading
from pathlib import Path
from typing import Protocol

from ...errors import DamagedFile, UnsafeFile
from ..options import ReadOptions
from .archives import (
    ARCHIVE_RATIO_FROM,
    DAMAGE,
    MAX_RATIO,
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

MAX_READ = 16 * MIB
"""Most that one header may make us read into memory."""


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...

    def seek(self, offset: int, /) -> int: ...

    def tell(self) -> int: ...

    def close(self) -> None: ...


class TarArchive:
    """A TAR, plain or compressed as a whole.

    A compressed one is unpacked from its start up to the member that is read; members read in their order cost
    one pass. How much comes out is bounded by the file's size.
    """

    def __init__(self, path: Path, options: ReadOptions, check_time: CheckTime) -> None:
        self._name = path.name
        self._options = options
        self._lock = threading.Lock()
        size = path.stat().st_size
        stream, compressed = _unpacked(path)
        bound = max(ARCHIVE_RATIO_FROM, MAX_RATIO * size) if compressed else size
        self._reader = BoundedReader(stream, self._name, bound, check_time)
        try:
            self._tar = tarfile.TarFile(fileobj=self._reader)  # type: ignore[arg-type]
        except DAMAGE as error:
            self._reader.close()
            raise DamagedFile(
                f"{self._name} holds no TAR that can be read ({error}); unpack a single compressed file first."
            ) from error

    def inventory(self, max_items: int) -> Inventory:
        """See ``Archive``."""
        found = Inventory()
        try:
            for entry in self._tar:
                if entry.isdir():
                    continue
                if found.stop_at(self._name, max_items):
                    return found
                self._judge(entry, found)
            self._check_end()
        except DAMAGE as error:
            found.cut_short = f"{self._name} is damaged after {found.listed:,} files ({error}); get it again."
        return found

    def copy(self, member: Member, target: Target, check_time: CheckTime) -> None:
        """See ``Archive``."""
        with self._lock:
            self._reader.check_time = check_time
            try:
                stream = self._tar.extractfile(member.entry)
                assert stream is not None
                with stream:
                    copy_counted(stream, target, member, self._name, self._options, check_time)
            except DAMAGE as error:
                raise DamagedFile(
                    f"{member.name} in {self._name} is damaged ({error}); get the archive again."
                ) from error

    def close(self) -> None:
        """See ``Archive``."""
        self._tar.close()
        self._reader.close()

    def _check_end(self) -> None:
        """``tarfile`` takes a damaged header for the end; the end is a block of zeros, or of the file."""
        self._reader.seek(self._tar.offset)
        block = self._reader.read(tarfile.BLOCKSIZE)
        if block.strip(b"\0") or 0 < len(block) < tarfile.BLOCKSIZE:
            raise tarfile.ReadError("its next header is no header")

    def _judge(self, entry: tarfile.TarInfo, found: Inventory) -> None:
        reason = unsafe_path(entry.name)
        name = clean_name(entry.name)
        if reason:
            found.refuse(entry.name, "unsafe_path", f"{entry.name!r} in {self._name} is not opened: {reason}.")
        elif entry.issym() or entry.islnk():
            found.refuse(
                name,
                "link",
                f"{name} in {self._name} is a link to {entry.linkname!r}; links in archives are not followed.",
            )
        elif not entry.isreg():
            found.refuse(name, "special", f"{name} in {self._name} is a device or pipe, which holds no document.")
        elif is_hidden(name):
            found.hidden += 1
        elif message := too_large(name, entry.size, self._options):
            found.refuse(name, "too_large", message, entry.size)
        elif entry.issparse():
            found.refuse(
                name, "unsupported", f"{name} in {self._name} is stored with holes; unpack it with another program."
            )
        else:
            found.add(Member(name, entry.size, None, entry))


def _unpacked(path: Path) -> tuple[_Stream, bool]:
    with path.open("rb") as stream:
        head = stream.read(6)
    if head.startswith(b"\x1f\x8b"):
        return gzip.open(path), True
    if head.startswith(b"BZh"):
        return bz2.open(path), True
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.open(path), True
    return path.open("rb"), False


class BoundedReader:
    """A file of which only so much is read, in reads of a bounded size, until a clock says stop."""

    def __init__(self, stream: _Stream, name: str, bound: int, check_time: CheckTime) -> None:
        self._stream = stream
        self._name = name
        self._bound = bound
        self.check_time = check_time

    def read(self, size: int = -1) -> bytes:
        """Read, or raise ``UnsafeFile``."""
        self.check_time()
        if not 0 <= size <= MAX_READ:
            raise UnsafeFile(f"{self._name} is made to fill the memory: one of its headers claims {size:,} bytes.")
        self._check(self._stream.tell() + size)
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move; in a compressed file this unpacks what lies between, in steps that can be stopped."""
        if whence != 0:
            raise ValueError("only absolute positions")
        self._check(offset)
        while offset - self._stream.tell() > MAX_READ:
            self.check_time()
            before = self._stream.tell()
            if self._stream.seek(before + MAX_READ) == before:
                break
        return self._stream.seek(offset)

    def tell(self) -> int:
        """Position in the unpacked bytes."""
        return self._stream.tell()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _check(self, position: int) -> None:
        # A plain TAR may be asked for a block beyond its end, and answers with nothing.
        if position > self._bound + MAX_READ:
            raise UnsafeFile(
                f"{self._name} unpacks to more than {self._bound / MIB:,.0f} MiB, out of all proportion to its size; "
                "do not open it."
            )
