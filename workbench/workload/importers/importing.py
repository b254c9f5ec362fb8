"""Importing a set: its importer writes a workload, which is then read back and looked through."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...documents.opening import PathLike, as_path
from ...documents.options import ReadOptions
from ...documents.progress import showing
from ...errors import InvalidOption, InvalidWorkload, WorkbenchError
from ...printing import counted, shortened
from ...structure.naming import nearest
from ..gold import Way, resolve
from ..loading import load_workload
from ..saving import FILE
from ..workload import Workload
from .catalogue import IMPORTERS
from .defects import SHOWN, Defects
from .drafting import ARTIFACTS, WorkloadDraft
from .reports import ImportReport

if TYPE_CHECKING:
    from ...documents.document import Document
    from ..requests import Request

NOT_OPENED = "a document that cannot be opened; its evidence is not found"
OTHER_TEXT = "a text that is read otherwise than it was written; its evidence is looked for by its words"
_PATIENT = ReadOptions(max_seconds=600.0)


def import_workload(
    name: str,
    source: PathLike,
    out: PathLike,
    *,
    limit: int | None = None,
    progress: bool | None = None,
    check: bool = True,
    force: bool = False,
) -> ImportReport:
    """Make a workload of a set that people have.

    Parameters
    ----------
    name : str
        One of ``IMPORTERS``.
    source : str or path
        The folder of the set, or its file.
    out : str or path
        Folder to write: ``workload.jsonl``, and the artifacts in ``artifacts``.
    limit : int, optional
        Most documents, in an order that is always the same.
    progress : bool, optional
        Whether to show progress of what takes over a second; by default in terminals and notebooks.
    check : bool
        Whether every document is opened and its evidence looked for. It takes time, which a replay then saves.
    force : bool
        Whether a workload that is there may be replaced. Files of other names stay.

    Returns
    -------
    ImportReport

    Raises
    ------
    InvalidOption
        For an unknown name, a limit below 1, or a folder that holds a workload already.
    FileMissing
        If the source is not there, or is not this set; the message names the files that were looked for.
    InvalidWorkload
        If no request could be made, or the folder cannot be written.
    """
    importer = IMPORTERS.get(name)
    if importer is None:
        raise InvalidOption(f"There is no importer {name!r:.60}{nearest(str(name), IMPORTERS)}.")
    if limit is not None and limit < 1:
        raise InvalidOption(f"limit is {limit}; give a number of documents from 1.")
    folder, place = as_path(out), as_path(source)
    _refuse_overwriting(folder, force)
    defects = Defects()
    try:
        with showing(f"Importing {name}", progress) as report:
            draft = WorkloadDraft(folder, defects, report, limit)
            importer.read(place, draft)
        if not draft.requests:
            found = "; ".join(f"{defect.count:,} x {defect.kind}" for defect in defects) or "it has no rows"
            raise InvalidWorkload(f"No request could be made of {place} ({shortened(found, 300)}); look at the file.")
        folder.mkdir(parents=True, exist_ok=True)
        description = f"Imported from {importer.title}" + ("" if limit is None else f", {counted(limit, 'document')}")
        Workload(name=name, requests=tuple(draft.requests), folder=folder, description=description).save(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidWorkload(
            f"The workload cannot be written to {folder} ({reason}); choose a folder that can be written."
        ) from error
    return _looked_through(name, load_workload(folder), draft, check=check, progress=progress)


def held_by(folder: Path) -> str:
    """Return what a folder holds that an import would write over, in words; "" if nothing."""
    return " and ".join(name for name in (FILE, ARTIFACTS) if (folder / name).exists())


def _refuse_overwriting(folder: Path, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise InvalidOption(f"{folder} is a file; give a folder to write the workload to.")
    if (there := held_by(folder)) and not force:
        raise InvalidOption(f"{folder} holds {there} already; choose another folder, or replace it with force=True.")


@dataclass(slots=True)
class _Found:
    ways: Counter[str]
    unresolved: int
    lost: list[str]

    def miss(self, request: str, reason: str) -> None:
        self.unresolved += 1
        if len(self.lost) < SHOWN:
            self.lost.append(f"{request}: {reason}")


def _looked_through(
    name: str, work: Workload, draft: WorkloadDraft, *, check: bool, progress: bool | None
) -> ImportReport:
    """Return what was written, with the evidence looked for in every document if ``check`` is set."""
    found = _Found(Counter(), 0, [])
    if check:
        by_document: dict[str, list[Request]] = {key: [] for key in work.documents}
        for request in work.requests:
            by_document[request.document_key].append(request)
        with showing(f"Finding the evidence of {name}", progress) as report:
            for rank, (key, requests) in enumerate(by_document.items()):
                report(rank, len(by_document))
                _look(work, key, requests, draft, found)
    return ImportReport(
        name=name,
        folder=draft.folder,
        requests=len(work),
        unanswerable=sum(not request.answerable for request in work.requests),
        documents=len(work.documents),
        evidence=sum(len(request.evidence) for request in work.requests),
        checked=check,
        ways={way.value: found.ways[way.value] for way in Way if found.ways[way.value]},
        unresolved=found.unresolved,
        lost=tuple(found.lost),
        defects=tuple(draft.defects),
    )


def _look(work: Workload, key: str, requests: list[Request], draft: WorkloadDraft, found: _Found) -> None:
    try:
        document: Document = work.open(key, options=_PATIENT, progress=False)
    except WorkbenchError as error:
        draft.defects.add(NOT_OPENED, f"{key}: {error}")
        for request in requests:
            for _ in request.evidence:
                found.miss(request.id, "its document cannot be opened")
        return
    if key in draft.made and document.text_layer != _text_of(work.path_of(key)):
        draft.defects.add(OTHER_TEXT, key)
    for request in requests:
        gold = resolve(request, document)
        found.ways.update(piece.way.value for piece in gold.pieces)
        for lost in gold.unresolved:
            found.miss(request.id, lost.reason)


def _text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8")
