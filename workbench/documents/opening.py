"""Open one document: recognise, look in the cache, parse in a worker, keep the result."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from ..errors import DamagedFile, FileMissing, InvalidOption, LimitExceeded, ParserFailed
from .cache import DocumentCache, cache_key
from .document import Document
from .document_types import document_type_of
from .options import ReadOptions
from .packing import DamagedPack, unpack_document
from .pages import DocumentWarning
from .parsing import document_from_draft, parse_document
from .progress import showing
from .recognising import check_file, recognise
from .registry import Format
from .source import ParseContext, Report, Source
from .tokens import count_tokens
from .workers.sandbox import JobRunner

MIB = 1 << 20
CHUNK = 1 << 20
LINE_SEARCH = 1 << 16
"""How far before a cut the end of a line is looked for."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")

PathLike = str | os.PathLike[str]


def open_document(
    path: PathLike, *, options: ReadOptions | None = None, progress: bool | None = None, **overrides: Any
) -> Document:
    """Open one document and turn it into blocks.

    Parameters
    ----------
    path : str or path
        A file; "~" is the home folder. What is in a folder or archive is opened with ``open_collection``.
    options : ReadOptions, optional
        Limits and knobs.
    progress : bool, optional
        Whether to show progress of what takes over a second; by default in terminals and notebooks.
    **overrides
        Single fields of ``ReadOptions``, for this call.

    Returns
    -------
    Document
        An empty one is possible (a scan has pages without text): look at its ``warnings``.

    Raises
    ------
    FileMissing, EmptyFile, UnsupportedFormat, DamagedFile, EncryptedFile, UnsafeFile
        What is wrong with the file.
    LimitExceeded
        The limit reached, its value, and the setting that raises it.
    ParserFailed
        If the parser crashed; this process is not affected.
    InvalidOption
        For an option that does not exist, or is out of range.

    Examples
    --------
    >>> import workbench as wb
    >>> doc = wb.open_document("report.pdf", max_pages=50, partial=True)  # doctest: +SKIP
    """
    chosen = merged_options(options, overrides)
    file = as_path(path)
    with showing(f"Reading {file.name}", progress) as report:
        return open_file(file, name=file.name, options=chosen, report=report)


def merged_options(options: ReadOptions | None, overrides: dict[str, Any]) -> ReadOptions:
    """Return the options with single fields replaced.

    Raises
    ------
    InvalidOption
        For a name that does not exist, with the list of those that do.
    """
    base = options if options is not None else ReadOptions()
    if not isinstance(base, ReadOptions):
        raise InvalidOption(f"options is a {type(base).__name__}; give a ReadOptions, or its fields as keywords.")
    values = {field.name: getattr(base, field.name) for field in fields(ReadOptions)}
    return ReadOptions.from_mapping(values | overrides) if overrides else base


def as_path(path: PathLike) -> Path:
    """Return an absolute path.

    Raises
    ------
    InvalidOption
        For what is no path: bytes, an open file.
    FileMissing
        For an address: nothing is fetched from anywhere.
    """
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise InvalidOption(f"A document is opened by its path, a str or Path, not by {type(path).__name__}.")
    if _ADDRESS.match(os.fspath(path)):
        raise FileMissing(f"{path} is an address; download it and open the file.")
    file = Path(path)
    with contextlib.suppress(RuntimeError):  # no home folder: "~" is then taken as a name
        file = file.expanduser()
    try:
        return Path(os.path.abspath(file))  # noqa: PTH100 - resolve() would follow links
    except OSError as error:
        raise FileMissing(f"{path} is a relative path, but the current folder is gone; give a full path.") from error


def open_file(
    file: Path,
    *,
    name: str,
    options: ReadOptions,
    report: Report,
    keep_path: bool = True,
) -> Document:
    """Open a file under a name of its own: a member of an archive lies in a temporary file.

    Parameters
    ----------
    keep_path : bool
        Whether ``Document.path`` says where the file lies; not for a temporary one.
    """
    check_file(file, name)
    source = Source(file, name)
    before = _state(file)
    format, warnings = recognise(source)  # noqa: A001 - the field's word
    with _within_limit(source, format, options) as (part, more):
        sha256 = file_sha256(file, report)
        store = None
        if options.cache and options.password is None:
            # What a password opened is not written to disk in the clear.
            store = DocumentCache()
        key = cache_key(sha256=sha256, format=format, options=options, suffix=_telling_part(source))
        document = store.load(key) if store else None
        if document is None or _over_limit(document, options):
            document = _parse(format, part, options, report, sha256)
            if _state(file) != before:
                raise DamagedFile(f"{name} changed while it was read; open it again.")
            if store:
                store.store(key, document)
    _rename(document, name)
    document.path = file if keep_path else None
    document.warnings = (*warnings, *more, *document.warnings)
    return document


def file_sha256(file: Path, report: Report | None = None) -> str:
    """Return the hex digest of a file's bytes, read in parts."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
            if report:
                report(0, 0)
    return digest.hexdigest()


def _parse(format: Format, source: Source, options: ReadOptions, report: Report, sha256: str) -> Document:  # noqa: A002
    if not options.isolate:
        return parse_document(format, source, ParseContext(options, report), sha256=sha256)
    run_jobs = JobRunner(options, name=source.name, report=report)
    if format.distribute is not None:
        # The tokenizer takes a third of a second to load: time in which this process would only wait.
        loading = threading.Thread(target=count_tokens, args=(["ready"],), daemon=True)
        loading.start()
        draft = format.distribute(source, run_jobs.context, run_jobs)
        loading.join()
        return document_from_draft(draft, format=format, source=source, context=run_jobs.context, sha256=sha256)
    job = {"path": str(source.path), "name": source.name, "format": format.name, "sha256": sha256}
    (data,) = run_jobs("workbench.documents.workers.worker:parse", [job])
    try:
        return unpack_document(data)
    except DamagedPack as error:
        raise ParserFailed(f"The parser's answer on {source.name} was damaged ({error}); open it again.") from error


@contextlib.contextmanager
def _within_limit(
    source: Source,
    format: Format,  # noqa: A002
    options: ReadOptions,
) -> Iterator[tuple[Source, list[DocumentWarning]]]:
    """Give the source, or where it is too large and ``partial`` is set a copy of its first part."""
    size, limit = source.path.stat().st_size, options.max_file_mb * MIB
    if size <= limit:
        yield source, []
        return
    can_cut = format.truncatable
    if not (options.partial and can_cut):
        hint = ", or set partial=True to read its first part" if can_cut else ""
        raise LimitExceeded(
            f"{source.name} has {size / MIB:,.1f} MiB and the limit is {options.max_file_mb:g} MiB; "
            f"raise max_file_mb{hint}.",
            setting="max_file_mb",
            limit=options.max_file_mb,
            value=round(size / MIB, 1),
        )
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        part = Path(folder) / ("part" + source.suffix)
        kept = _copy_first(source.path, part, int(limit))
        message = f"Only the first {kept / MIB:,.1f} of {size / MIB:,.1f} MiB of {source.name} were read (max_file_mb)."
        yield Source(part, source.name), [DocumentWarning("truncated", message)]


def _copy_first(file: Path, target: Path, limit: int) -> int:
    """Copy the first ``limit`` bytes, back to the end of a line where one is near, and return how many."""
    with file.open("rb") as stream, target.open("wb") as out:
        head = stream.read(2)
        stream.seek(0)
        left = limit
        while left > LINE_SEARCH and (chunk := stream.read(min(CHUNK, left - LINE_SEARCH))):
            out.write(chunk)
            left -= len(chunk)
        tail = stream.read(left)
        if head in (b"\xff\xfe", b"\xfe\xff"):
            # UTF-16: a line feed has two bytes, and the cut must not part them.
            tail = tail[: len(tail) - (out.tell() + len(tail)) % 2]
        else:
            tail = tail[: tail.rfind(b"\n") + 1] or tail
        out.write(tail)
        return out.tell()


def _telling_part(source: Source) -> str:
    """Return what of a name is part of its document's key: the suffix, or where that says nothing all of it.

    "Makefile" says what a file is. And "1" could not be told from a number, if it had to be replaced in a warning.
    """
    return source.suffix if re.search("[a-z]", source.suffix) else Path(source.name).name


def _rename(document: Document, name: str) -> None:
    """Give a document from the cache the name it has here: equal bytes may lie under several names.

    Names with an entry in common end in the same suffix of letters, so that a message holds them as nothing else.
    """
    old = document.name
    if old == name:
        return
    pattern = re.compile(rf"(?<![\w./-]){re.escape(old)}(?![\w/-])")
    document.warnings = tuple(
        DocumentWarning(warning.code, pattern.sub(lambda _: name, warning.message), warning.pages)
        for warning in document.warnings
    )
    document.name = name
    document.document_type = document_type_of(
        document.texts, document.columns.kind, name=name, language=document.language.value
    )


def _over_limit(document: Document, options: ReadOptions) -> bool:
    """Whether a document from the cache must be parsed again, so that a lower limit speaks up."""
    return not options.partial and (len(document.pages) > options.max_pages or len(document) > options.max_blocks)


def _state(file: Path) -> tuple[int, int, int]:
    status = file.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino
