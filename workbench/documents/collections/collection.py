"""Many documents behind one path: a folder, a ZIP or a TAR, listed first and opened one by one."""

from __future__ import annotations

import contextlib
import html
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import FileMissing, InvalidOption, LimitExceeded, UnsupportedFormat, WorkbenchError
from .. import registry
from ..document import Document
from ..opening import PathLike, as_path, merged_options, open_file
from ..options import ReadOptions
from ..pages import DocumentWarning
from ..progress import showing
from ..recognising import archive_kind, certainty, check_file, recognise
from ..source import ParseContext, Report, Source
from ..surrogates import without_surrogates
from .archives import Archive, CheckTime, Inventory, Member
from .folders import FolderListing
from .tars import TarArchive
from .zips import ZipArchive

if TYPE_CHECKING:
    import pandas as pd

MAX_ITEMS = 10_000
SURE = 0.5
"""How sure a format must be to read a container as one document."""
ARCHIVE = "archive"
"""Format of an item that is an archive itself: it is listed, but not opened."""
_ARCHIVE_SUFFIXES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".7z", ".rar")
_SHOWN_ROWS = 50


@dataclass(frozen=True, slots=True)
class Item:
    """One file of a collection, before it is opened.

    Attributes
    ----------
    name : str
        Its path in the folder or archive, with plain slashes.
    size : int
        Bytes.
    compressed_size : int or None
        Bytes in the archive, where that is known.
    format : str
        Which format its suffix, or in a folder its content, speaks for; "archive" for a nested archive, ""
        when only opening will tell.
    """

    name: str
    size: int
    compressed_size: int | None
    format: str


class Collection:
    """The documents of a folder or archive; made by ``open_collection``.

    Iterating gives documents; those that cannot be opened are collected in ``errors``. Use it as a context
    manager, or call ``close``, to let go of an archive.

    Attributes
    ----------
    path : pathlib.Path
        The folder or archive.
    items : tuple of Item
        What can be asked for; nothing is parsed before that.
    refused : tuple of Refusal
        What is not opened, and why.
    hidden : int
        How many hidden and system files were passed over.
    errors : dict of str to WorkbenchError
        By item name: what went wrong in the last iteration.
    warnings : tuple of DocumentWarning
        What a reader must know of the collection as a whole.
    """

    def __init__(
        self, path: Path, archive: Archive | FolderListing, inventory: Inventory, options: ReadOptions
    ) -> None:
        self.path = path
        self.options = options
        self._archive = archive
        self._members = inventory.members
        self._is_folder = isinstance(archive, FolderListing)
        self._closed = False
        guess = {suffix: known.name for known in reversed(registry.formats()) for suffix in known.suffixes}
        self.items = tuple(self._item(member, guess) for member in inventory.members.values())
        self.refused = tuple(inventory.refused)
        self.hidden = inventory.hidden
        self.errors: dict[str, WorkbenchError] = {}
        self.warnings = tuple(_warnings(path.name, inventory))

    @property
    def name(self) -> str:
        """Name of the folder or archive."""
        return self.path.name

    def open(self, item: str | Item, *, progress: bool | None = None) -> Document:
        """Open one item.

        Parameters
        ----------
        item : str or Item
            The item, or its name.
        progress : bool, optional
            As for ``open_document``.

        Raises
        ------
        FileMissing
            If there is no such item.
        UnsafeFile, EncryptedFile, LimitExceeded
            If it was refused.
        WorkbenchError
            What ``open_document`` raises.
        """
        name = item.name if isinstance(item, Item) else item
        with showing(f"Reading {name}", progress) as report:
            return self._open(name, report)

    def _open(self, name: str, report: Report) -> Document:
        member = self._members.get(name)
        if member is None:
            raise self._no_item(name)
        if isinstance(self._archive, FolderListing):
            file = self._archive.file(member)
            self._refuse_nested(file, name)
            return open_file(file, name=name, options=self.options, report=report)
        if self._closed:
            raise FileMissing(f"{self.name} was closed, so {name} cannot be opened; open the archive again.")
        context = ParseContext(self.options)

        def check_time() -> None:
            report(0, 0)
            context.check_time(name)

        with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
            file = Path(folder) / ("member" + Path(name).suffix)
            with file.open("wb") as target:
                self._archive.copy(member, target, check_time)
            self._refuse_nested(file, name)
            return open_file(file, name=name, options=self.options, report=report, keep_path=False)

    def documents(self, on_error: str = "collect", *, progress: bool | None = None) -> Iterator[Document]:
        """Open all items in turn.

        Parameters
        ----------
        on_error : {"collect", "raise"}
            Whether an item that cannot be opened goes to ``errors``, or ends the iteration.

        Raises
        ------
        InvalidOption
            For another value of ``on_error``.
        """
        if on_error not in ("collect", "raise"):
            raise InvalidOption(f"on_error is {on_error!r}; choose collect or raise.")
        return self._documents(on_error, progress)

    def _documents(self, on_error: str, progress: bool | None) -> Iterator[Document]:
        self.errors = {}
        with showing(f"Reading {self.name}", progress) as report:
            for rank, item in enumerate(self.items):
                report(rank, len(self.items))
                try:
                    document = self._open(item.name, lambda *_, rank=rank: report(rank, len(self.items)))
                except WorkbenchError as error:
                    if on_error == "raise":
                        raise
                    self.errors[item.name] = error
                else:
                    yield document

    def to_frame(self) -> pd.DataFrame:
        """Return one row a file, also for those that are refused.

        Returns
        -------
        DataFrame
            Columns name, size and compressed_size (bytes), format, status ("ready", "refused", "failed"),
            reason (a code for refused files, the error for failed ones). Bytes of a name that are no UTF-8 are
            replacement characters here; ``items`` has the names as they are.
        """
        import pandas as pd

        rows: list[tuple[Any, ...]] = [
            (item.name, item.size, item.compressed_size, item.format, *self._status(item.name)) for item in self.items
        ]
        rows += [(refusal.name, refusal.size or None, None, "", "refused", refusal.code) for refusal in self.refused]
        rows = [(without_surrogates(name), *middle, without_surrogates(reason)) for name, *middle, reason in rows]
        frame = pd.DataFrame(rows, columns=["name", "size", "compressed_size", "format", "status", "reason"])
        return frame.astype({"size": "Int64", "compressed_size": "Int64"})

    def close(self) -> None:
        """Let go of the archive; its documents cannot be opened any more."""
        self._closed = not self._is_folder
        self._archive.close()

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Document]:
        return self.documents()

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def __repr__(self) -> str:
        size = sum(item.size for item in self.items)
        notes = f", {len(self.refused)} refused" if self.refused else ""
        return f"Collection({self.name!r}, {len(self)} items, {size:,} bytes{notes})"

    def _repr_html_(self) -> str:
        rows = [(item.name, f"{item.size:,}", item.format or "?", "") for item in self.items[:_SHOWN_ROWS]]
        rows += [(refusal.name, "", "", refusal.message) for refusal in self.refused[:_SHOWN_ROWS]]
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in rows
        )
        head = "".join(f"<th style='text-align:left'>{title}</th>" for title in ("name", "bytes", "format", "refused"))
        caption = html.escape(f"{self.name}: {len(self)} items, {len(self.refused)} refused, {self.hidden} hidden")
        # The classes keep a notebook from typesetting "$5 to $9" as a formula; lone surrogates it cannot send.
        return without_surrogates(
            f"<table class='mathjax_ignore tex2jax_ignore'><caption style='text-align:left'><b>{caption}</b></caption>"
            f"<tr>{head}</tr>{body}</table>"
        )

    def _status(self, name: str) -> tuple[str, str]:
        error = self.errors.get(name)
        return ("failed", str(error)) if error else ("ready", "")

    def _item(self, member: Member, guess: dict[str, str]) -> Item:
        suffix = Path(member.name).suffix.lower()
        format = guess.get(suffix, "")  # noqa: A001 - the field's word
        if not format and suffix in _ARCHIVE_SUFFIXES:
            format = ARCHIVE  # noqa: A001
        if not format and isinstance(self._archive, FolderListing):
            with contextlib.suppress(WorkbenchError):
                format = recognise(Source(self._archive.file(member), member.name))[0].name  # noqa: A001
        return Item(member.name, member.size, member.compressed_size, format)

    def _refuse_nested(self, file: Path, name: str) -> None:
        """An archive in an archive is not opened: how deep it goes, only a bomb knows."""
        source = Source(file, name)
        if archive_kind(source.head) and not _is_document(source):
            how = f"open it with open_collection({str(file)!r})" if self._is_folder else "unpack it first"
            raise UnsupportedFormat(f"{name} in {self.name} is an archive itself; {how}.")

    def _no_item(self, name: str) -> WorkbenchError:
        for refusal in self.refused:
            if refusal.name == name:
                return refusal.error(self.options)
        return FileMissing(f"{self.name} has no item {name!r}; its items are listed by .to_frame().")


def open_collection(
    path: PathLike,
    *,
    options: ReadOptions | None = None,
    progress: bool | None = None,
    max_items: int = MAX_ITEMS,
    **overrides: Any,
) -> Collection:
    """List the documents of a folder, ZIP or TAR (also gz, bz2, xz); each is opened when asked for.

    Parameters
    ----------
    path : str or path
        A folder or archive.
    options : ReadOptions, optional
        Limits and knobs for each document.
    progress : bool, optional
        Whether to show progress of what takes over a second; by default in terminals and notebooks.
    max_items : int
        Most files to list; with ``partial`` the first ones are listed with a warning.
    **overrides
        Single fields of ``ReadOptions``.

    Raises
    ------
    FileMissing, EmptyFile, DamagedFile
        If the path leads nowhere, or to a broken archive.
    UnsupportedFormat
        For a single document: ``open_document`` opens it.
    UnsafeFile
        For an archive that is made to harm as a whole. Single members that would are listed in ``refused``.
    LimitExceeded
        If it has more than ``max_items`` files.

    Examples
    --------
    >>> import workbench as wb
    >>> with wb.open_collection("filings.zip") as filings:  # doctest: +SKIP
    ...     tokens = {doc.name: doc.tokens for doc in filings}
    """
    chosen = merged_options(options, overrides)
    if max_items < 1:
        raise InvalidOption(f"max_items is {max_items}; give at least 1.")
    place = as_path(path)
    with showing(f"Listing {place.name}", progress) as report:
        context = ParseContext(chosen, report)

        def check_time() -> None:
            report(0, 0)
            context.check_time(place.name)

        archive = _archive(place, chosen, check_time)
        try:
            inventory = archive.inventory(max_items)
            if inventory.too_many and not chosen.partial:
                raise LimitExceeded(
                    f"{place.name} has more than {max_items:,} files; raise max_items, or set partial=True to list "
                    "the first ones.",
                    setting="max_items",
                    limit=max_items,
                    value=max_items + 1,
                )
            return Collection(place, archive, inventory, chosen)
        except BaseException:
            archive.close()
            raise


def _archive(place: Path, options: ReadOptions, check_time: CheckTime) -> Archive | FolderListing:
    if place.is_dir():
        return FolderListing(place, options, check_time)
    check_file(place)
    source = Source(place)
    kind = archive_kind(source.head)
    if kind == "zip" and not _is_document(source):
        return ZipArchive(place, options, check_time)
    if kind in ("tar", "gz", "bz2", "xz") or (kind is None and source.suffix == ".tar"):
        return TarArchive(place, options, check_time)
    raise UnsupportedFormat(f"{place.name} is a single file; open it with open_document.")


def _is_document(source: Source) -> bool:
    """Whether a format claims a container for itself: Office files are ZIPs."""
    return any(certainty(known, source) >= SURE for known in registry.formats())


def _warnings(name: str, inventory: Inventory) -> Iterator[DocumentWarning]:
    if inventory.cut_short:
        yield DocumentWarning("too_many" if inventory.too_many else "damaged", inventory.cut_short)
    if inventory.refused:
        count = len(inventory.refused)
        yield DocumentWarning("refused", f"{count:,} files of {name} are not opened; .refused says which and why.")
    if inventory.hidden:
        yield DocumentWarning("hidden", f"{inventory.hidden:,} hidden or system files of {name} were passed over.")
