"""The artifacts of a workload: where they lie, what their bytes are, and the few documents that are kept open."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from ..documents.artifacts import artifact_sha256, open_artifact
from ..errors import FileMissing
from ..printing import shortened

if TYPE_CHECKING:
    from ..documents import Document, ReadOptions

KEPT = 4
"""Documents that are kept open although nobody holds them."""

_State = tuple[tuple[str, int, int, int], ...]
"""Path, time of change, size and number of each file of an artifact."""
_Key = tuple[str, "ReadOptions | None", _State]


def place_problem(folder: Path, artifact: str) -> str:
    """Return why a path that reads well leads to no artifact inside the folder, or ""."""
    name = shortened(artifact, 80)
    try:
        place = (folder / artifact).resolve(strict=True)
        if not place.is_relative_to(folder.resolve()):
            return f"{name!r} leads out of the workload's folder by a link; copy what it leads to into the folder"
        if not (place.is_file() or place.is_dir()):
            return f"{name!r} is a device or pipe; name a file or folder"
        if not os.access(place, os.R_OK):
            return f"{name!r} may not be read; change its permissions"
    except (OSError, RuntimeError, ValueError):
        return f"there is no file or folder {name!r} in the workload's folder; check the path"
    return ""


class OpenArtifacts:
    """Opens artifacts, each once while somebody uses it and its files stay as they are; several threads may ask.

    Parameters
    ----------
    folder : pathlib.Path, optional
        Where they lie.
    documents : mapping of str to Document, optional
        Those that are in memory.
    """

    def __init__(self, folder: Path | None = None, documents: Mapping[str, Document] | None = None) -> None:
        self.folder = folder
        self.documents = dict(documents or {})
        self._reset()

    def _reset(self) -> None:
        self._lock = threading.RLock()
        self._open: WeakValueDictionary[_Key, Document] = WeakValueDictionary()
        self._recent: OrderedDict[_Key, Document] = OrderedDict()
        self._digests: dict[str, tuple[_State, str]] = {}

    def open(self, artifact: str, options: ReadOptions | None = None, *, progress: bool | None = None) -> Document:
        """Return the document of an artifact.

        Raises
        ------
        FileMissing
            If it does not lie in the folder (any more).
        WorkbenchError
            What ``open_artifact`` raises.
        """
        if artifact in self.documents:
            return self.documents[artifact]
        path = self.path(artifact)
        with self._lock:
            key = artifact, options, self._state(artifact, path)
            document = self._open.get(key)
            if document is None:
                document = open_artifact(path, options=options, progress=progress)
                self._open[key] = document
                for outdated in [other for other in self._recent if other[:2] == key[:2]]:
                    del self._recent[outdated]
            self._recent[key] = document
            self._recent.move_to_end(key)
            while len(self._recent) > KEPT:
                self._recent.popitem(last=False)
            return document

    def path(self, artifact: str) -> Path:
        """Return where an artifact lies.

        Raises
        ------
        FileMissing
            If it lies in no folder, or not in this one.
        """
        if self.folder is None:
            raise FileMissing(
                f"Artifact {artifact!r} is in memory and lies in no folder; open it through its workload."
            )
        if problem := place_problem(self.folder, artifact):
            raise FileMissing(f"{problem[0].upper()}{problem[1:]}.")
        return self.folder / artifact

    def sha256(self, artifact: str) -> str:
        """Return the hex digest of an artifact's bytes, or of the document that is in memory for it.

        It looks at every file and folder of the artifact each time; they are read again only where a size, a time of
        change or a number has become another one.

        Raises
        ------
        FileMissing
            If it does not lie in the folder, or cannot be read.
        """
        if artifact in self.documents:
            return self.documents[artifact].sha256
        known = self._digests.get(artifact)
        if known is not None and _is_as_before(known[0]):
            return known[1]
        path = self.path(artifact)
        try:
            # Before the bytes: what changes while they are read is seen the next time.
            seen = _seen(path)
            known = self._digests[artifact] = seen, artifact_sha256(path)
        except OSError as error:
            raise _unreadable(artifact, error) from error
        return known[1]

    def _state(self, artifact: str, path: Path) -> _State:
        try:
            files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if not file.is_dir())
            return tuple((str(file), *_identity(file)) for file in files)
        except OSError as error:
            raise _unreadable(artifact, error) from error

    def __getstate__(self) -> dict[str, Any]:
        return {"folder": self.folder, "documents": self.documents}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.folder, self.documents = state["folder"], state["documents"]
        self._reset()


def _seen(path: Path) -> _State:
    """Return path and identity of a file, or of a folder with all that is in it: a new name changes its folder."""
    inside = sorted(path.rglob("*")) if path.is_dir() else []
    return tuple((str(place), *_identity(place)) for place in (path, *inside))


def _is_as_before(seen: _State) -> bool:
    """Whether nothing has changed since; one call of the system for each file and folder."""
    try:
        return all(_identity_of(Path(place).stat()) == tuple(identity) for place, *identity in seen)
    except OSError:
        return False


def _identity(file: Path) -> tuple[int, int, int]:
    # A link that leads nowhere has a state of its own, too.
    status = file.stat() if file.exists() else file.lstat()
    return _identity_of(status)


def _identity_of(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_mtime_ns, status.st_size, status.st_ino


def _unreadable(artifact: str, error: OSError) -> FileMissing:
    return FileMissing(f"Artifact {artifact!r} cannot be read ({error.strerror or error}); check its permissions.")
