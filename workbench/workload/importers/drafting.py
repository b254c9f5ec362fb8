"""The workload that an importer writes: artifacts first, requests one by one, the file at the end."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...documents.source import Report
from ..checks import MAX_ID_CHARS
from ..requests import Request, RequestProblems
from ..saving import FILE
from .defects import Defects
from .manuscripts import in_hash_order

ARTIFACTS = "artifacts"
NO_REQUEST = "a row that makes no request; left out"
SAME_ID = "an id that is taken; a number was added"
OTHER_NAME = "a file name with characters that not every system takes; written with _ instead"
_LONGEST_NAME = 80
"""Characters; of Chinese, each takes three bytes of the 255 that a name may have."""


@dataclass(slots=True)
class WorkloadDraft:
    """What an importer has written so far.

    Attributes
    ----------
    folder : pathlib.Path
        Where the workload is written.
    defects : Defects
    limit : int or None
        Most documents.
    report : callable
        Shows how far it is.
    requests : list of Request
    made : set of str
        Artifacts that are texts which the importer put together.
    """

    folder: Path
    defects: Defects
    report: Report
    limit: int | None = None
    requests: list[Request] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    _ids: set[str] = field(default_factory=set)
    _names: set[str] = field(default_factory=set)
    _artifacts: dict[str, str] = field(default_factory=dict)

    def first(self, keys: Iterable[str]) -> list[str]:
        """Return the keys of the documents to import, at most ``limit``, in an order that is always the same."""
        return in_hash_order(keys)[: self.limit]

    def chosen(self, keys: Iterable[str]) -> Iterator[str]:
        """Yield the keys of ``first``, and show how far it is."""
        ordered = self.first(keys)
        for rank, key in enumerate(ordered):
            self.report(rank, len(ordered))
            yield key
        self.report(len(ordered), len(ordered))

    def file(self, source: Path) -> str:
        """Copy a file or folder and return its path as an artifact; a second call with the same one copies nothing."""
        known = str(source.absolute())
        if known in self._artifacts:
            return self._artifacts[known]
        safe = self._free_name(source.name)
        if safe != source.name:
            self.defects.add(OTHER_NAME, f"{source.name} -> {safe}")
        target = self._place(safe)
        if source.is_dir():
            # What a link leads to may be no part of the artifact.
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        elif not (target.exists() and target.samefile(source)):
            shutil.copyfile(source, target)
        self._artifacts[known] = f"{ARTIFACTS}/{safe}"
        return self._artifacts[known]

    def text(self, key: str, text: str, suffix: str = ".md") -> str:
        """Write a text and return its path as an artifact."""
        name = self._free_name(key + suffix)
        artifact = f"{ARTIFACTS}/{name}"
        # A lone surrogate becomes one character, so that what stands behind it stays where it was.
        self._place(name).write_bytes(text.encode("utf-8", "replace"))
        self.made.add(artifact)
        return artifact

    def ask(self, where: str, *, identity: str, **values: Any) -> bool:
        """Add a request, or note why its row makes none; whether one was added."""
        try:
            request = Request(id=self._free_id(identity), **values)
        except RequestProblems as error:
            said = "; ".join(f"{name}: {problem}" for name, problem in error.problems)
            self.defects.add(NO_REQUEST, f"{where}: {said}")
            return False
        self._ids.add(request.id)
        if request.id.startswith(f"{identity}#"):
            self.defects.add(SAME_ID, f"{where}: {identity}")
        self.requests.append(request)
        return True

    def _place(self, name: str) -> Path:
        """Return where to write an artifact."""
        # Were the import interrupted, older requests would be about newer artifacts.
        (self.folder / FILE).unlink(missing_ok=True)
        target = self.folder / ARTIFACTS / name
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def _free_id(self, wanted: str) -> str:
        plain = "".join(character if character.isprintable() else "_" for character in wanted)
        if len(plain) > MAX_ID_CHARS - 8:
            plain = (
                plain[: MAX_ID_CHARS - 22] + "-" + hashlib.sha256(wanted.encode("utf-8", "replace")).hexdigest()[:12]
            )
        found, number = plain, 1
        while found in self._ids:
            number += 1
            found = f"{plain}#{number}"
        return found

    def _free_name(self, wanted: str) -> str:
        stem, dot, suffix = wanted.rpartition(".")
        has_suffix = bool(dot) and re.fullmatch(r"\w{1,10}", suffix) is not None
        plain = re.sub(r"[^\w.-]+", "_", stem if has_suffix else wanted).strip("._")[:_LONGEST_NAME] or "artifact"
        ending = f".{suffix.lower()}" if has_suffix else ""
        name, number = plain + ending, 1
        # Some systems take "A.pdf" and "a.pdf" for one file.
        while name.casefold() in self._names:
            number += 1
            name = f"{plain}-{number}{ending}"
        self._names.add(name.casefold())
        return name
