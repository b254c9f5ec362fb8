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

_Key = tuple[str, "ReadOptions | None"]


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
    """Opens artifacts, each once while somebody uses it; several threads may ask.

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
        self._digests: dict[str, tuple[Any, str]] = {}

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
        key = artifact, options
        with self._lock:
            document = self._open.get(key)
            if document is None:
                document = open_artifact(self.path(artifact), options=options, progress=progress)
                self._open[key] = document
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

        A file is read once as long as its size and time of change stay; a folder's files are read each time.

        Raises
        ------
        FileMissing
            If it does not lie in the folder, or cannot be read.
        """
        if artifact in self.documents:
            return self.documents[artifact].sha256
        path = self.path(artifact)
        try:
            if not path.is_file():
                return artifact_sha256(path)
            status = path.stat()
            state = status.st_mtime_ns, status.st_size, status.st_ino
            known = self._digests.get(artifact)
            if known is None or known[0] != state:
                known = self._digests[artifact] = state, artifact_sha256(path)
            return known[1]
        except OSError as error:
            reason = error.strerror or str(error)
            raise FileMissing(f"Artifact {artifact!r} cannot be read ({reason}); check its permissions.") from error

    def __getstate__(self) -> dict[str, Any]:
        return {"folder": self.folder, "documents": self.documents}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.folder, self.documents = state["folder"], state["documents"]
        self._reset()
