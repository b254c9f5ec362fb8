"""Any artifact as one document: a file is opened; the files of a folder or archive are opened and joined."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from ..errors import LimitExceeded, UnsupportedFormat
from .collections.collection import Collection, open_collection
from .collections.folders import FolderListing
from .document import Document
from .joining import join_documents
from .opening import PathLike, as_path, file_sha256, open_document
from .options import ReadOptions
from .pages import DocumentWarning

SHOWN_WARNINGS = 100
"""Most files that are not opened and have a warning of their own; the others are counted in one more."""
_EVERY_FILE = ReadOptions(max_file_mb=2.0**40)


def open_artifact(path: PathLike, *, options: ReadOptions | None = None, progress: bool | None = None) -> Document:
    """Open any artifact as one document.

    Parameters
    ----------
    path : str or path
        A file, or a folder, ZIP or TAR, whose files are joined by name.
    options : ReadOptions, optional
        Limits and knobs for each file.
    progress : bool, optional
        Whether to show progress of what takes over a second; by default in terminals and notebooks.

    Returns
    -------
    Document
        Of a folder or archive one of format "collection", see ``join_documents``; each file that cannot be opened
        has a warning that names it.

    Raises
    ------
    WorkbenchError
        What ``open_document`` and ``open_collection`` raise.

    Examples
    --------
    >>> audit = open_artifact("vendor-audit.zip")  # doctest: +SKIP
    """
    place = as_path(path)
    collection = None
    with contextlib.suppress(UnsupportedFormat):
        collection = open_collection(place, options=options, progress=progress)
    if collection is None:
        return open_document(place, options=options, progress=progress)
    with collection:
        documents, cut_short = _opened(collection, progress)
        joined = join_documents(documents, name=collection.name, path=place)
        joined.warnings = (*_warnings(collection), *joined.warnings, *cut_short)
        return joined


def artifact_sha256(path: Path) -> str:
    """Return the hex digest of an artifact's bytes: of a folder, of its files' names and bytes.

    Hidden and system files are passed over, and of links only those to files inside the folder are followed.

    Raises
    ------
    OSError
        If a file cannot be read.
    """
    if not path.is_dir():
        return file_sha256(path)
    listing = FolderListing(path, _EVERY_FILE, _no_clock)
    members = listing.inventory(2**31).members
    found = [(name, file_sha256(listing.file(member))) for name, member in sorted(members.items())]
    return hashlib.sha256(json.dumps(found).encode("ascii")).hexdigest()


def _opened(collection: Collection, progress: bool | None) -> tuple[list[Document], list[DocumentWarning]]:
    """Open the files of a collection, as long as they have no more blocks together than one document may have."""
    documents: list[Document] = []
    blocks, limit = 0, collection.options.max_blocks
    for document in collection.documents(progress=progress):
        blocks += len(document) + 1
        if blocks <= limit:
            documents.append(document)
            continue
        if not collection.options.partial:
            raise LimitExceeded(
                f"{collection.name} has more than {limit:,} blocks in its files together; raise max_blocks, or set "
                "partial=True to read the first files.",
                setting="max_blocks",
                limit=limit,
                value=blocks,
            )
        read = f"Only the first {len(documents):,} of {len(collection):,} files of {collection.name} were read"
        return documents, [DocumentWarning("truncated", f"{read} (max_blocks).")]
    return documents, []


def _warnings(collection: Collection) -> tuple[DocumentWarning, ...]:
    missed = [DocumentWarning(refusal.code, refusal.message) for refusal in collection.refused]
    for name, error in collection.errors.items():
        told = str(error)
        missed.append(DocumentWarning("not_opened", told if name in told else f"{name} was not opened: {told}"))
    kept = missed[:SHOWN_WARNINGS]
    if len(missed) > len(kept):
        message = (
            f"{len(missed) - len(kept):,} more files of {collection.name} were not opened; open_collection says why."
        )
        kept.append(DocumentWarning("not_opened", message))
    return (*collection.warnings, *kept)


def _no_clock() -> None:
    pass
