"""What is in a folder: files that can be read, and those refused with the reason."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ...errors import FileMissing, UnsafeFile
from ..options import ReadOptions
from .archives import CheckTime, Inventory, Member, is_hidden, too_large


class FolderListing:
    """A folder and those below it; links are followed only to files inside it."""

    def __init__(self, path: Path, options: ReadOptions, check_time: CheckTime) -> None:
        self._root = path.resolve()
        self._options = options
        self._check_time = check_time

    def inventory(self, max_items: int) -> Inventory:
        """Return at most ``max_items`` files, by name."""
        found = Inventory()
        for entry, name in self._walk(self._root, "", found):
            if found.stop_at(self._root.name, max_items):
                break
            self._judge(entry, name, found)
        return found

    def file(self, member: Member) -> Path:
        """Return a member's path, if it is still a file inside the folder.

        Raises
        ------
        FileMissing, UnsafeFile
        """
        path = self._root / member.name
        try:
            inside = path.resolve(strict=True).is_relative_to(self._root)
        except OSError as error:
            raise FileMissing(f"{member.name} is no longer in {self._root.name}; list the folder again.") from error
        if not inside:
            raise UnsafeFile(f"{member.name} has become a link out of {self._root.name}; it is not followed.")
        return path

    def close(self) -> None:
        """Nothing is held open."""

    def _walk(self, folder: Path, prefix: str, found: Inventory) -> Iterator[tuple[os.DirEntry[str], str]]:
        self._check_time()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            reason = error.strerror or str(error)
            found.refuse(prefix.rstrip("/") or ".", "unreadable", f"{folder} cannot be listed ({reason}).")
            return
        for entry in entries:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False) and not is_hidden(entry.name):
                yield from self._walk(Path(entry.path), name + "/", found)
            else:
                yield entry, name

    def _judge(self, entry: os.DirEntry[str], name: str, found: Inventory) -> None:
        if is_hidden(entry.name):
            found.hidden += 1
            return
        if entry.is_symlink() and (message := self._bad_link(Path(entry.path), name)):
            found.refuse(name, "link", message)
            return
        try:
            size, regular = entry.stat().st_size, entry.is_file()
        except OSError as error:
            found.refuse(name, "unreadable", f"{name} cannot be looked at ({error.strerror or error}).")
            return
        if not regular:
            found.refuse(name, "special", f"{name} is a device or pipe, which holds no document.")
        elif not self._options.partial and (large := too_large(name, size, self._options)):
            found.refuse(name, "too_large", large, size)
        else:
            found.add(Member(name, size, None, None))

    def _bad_link(self, path: Path, name: str) -> str:
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return f"{name} is a link that leads nowhere."
        if not target.is_relative_to(self._root):
            return f"{name} is a link out of {self._root.name}; it is not followed."
        return f"{name} is a link to a folder, which is listed where it stands." if target.is_dir() else ""
