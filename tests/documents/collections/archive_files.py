"""Archives made for the tests, and what is read from them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

from workbench.documents.collections.archives import Archive, Inventory
from workbench.documents.collections.tars import TarArchive
from workbench.documents.collections.zips import ZipArchive
from workbench.documents.options import ReadOptions

OPTIONS = ReadOptions()


def no_clock() -> None:
    pass


def zipped(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, members: dict[str, bytes | tarfile.TarInfo], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            if isinstance(data, tarfile.TarInfo):
                archive.addfile(data)
            else:
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    return path


def opened(path: Path, options: ReadOptions = OPTIONS) -> Archive:
    kind = ZipArchive if path.suffix == ".zip" else TarArchive
    return kind(path, options, no_clock)


def listed(path: Path, options: ReadOptions = OPTIONS, max_items: int = 100) -> Inventory:
    archive = opened(path, options)
    try:
        return archive.inventory(max_items)
    finally:
        archive.close()


def read(archive: Archive, inventory: Inventory, name: str) -> bytes:
    target = io.BytesIO()
    archive.copy(inventory.members[name], target, no_clock)
    return target.getvalue()


MEMBERS = {"a.txt": b"alpha", "sub/b.txt": b"beta" * 1000, "empty.txt": b""}
