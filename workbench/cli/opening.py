"""One document from a path: a file, or an item of a folder or an archive."""

from __future__ import annotations

import contextlib
import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import printable

if TYPE_CHECKING:
    from ..documents import Document


def one_document(file: Path, item: str | None, limits: dict[str, Any]) -> Document:
    """Open a document that can be read, and print its warnings to standard error.

    Raises
    ------
    click.UsageError
        If a folder or an archive comes without the name of an item.
    WorkbenchError
        If the document cannot be opened, or has no text.
    """
    if limits["password"] == "-":
        limits["password"] = click.prompt("Password", hide_input=True, err=True)
    options = {name: value for name, value in limits.items() if value is not None}
    document = item_of(file, item, options) if item is not None else single(file, options)
    if document is None:
        raise click.UsageError(
            f"{printable(file.name)} is a folder or an archive: give --item with the name of a document; "
            f"workbench blocks {printable(shlex.quote(str(file)))} lists them."
        )
    for warning in document.warnings:
        click.echo(f"warning: {printable(str(warning))}", err=True)
    _check_text(document)
    return document


def _check_text(document: Document) -> None:
    """Refuse a document that has nothing to read: that nothing in it is relevant would be a lie.

    A scan may have a line of text, such as a court's stamp, on pages that have none of their own.
    """
    from ..documents import PageStatus
    from ..errors import WorkbenchError
    from ..reading.notes import without_text

    if not any(document.texts) or all(page.status is not PageStatus.TEXT for page in document.pages):
        raise WorkbenchError(without_text(document).replace("The document", document.name, 1))


def single(file: Path, options: dict[str, Any]) -> Document | None:
    """Open a document; None for a folder or an archive."""
    from ..documents import open_document
    from ..errors import UnsupportedFormat

    try:
        return open_document(file, **options)
    except UnsupportedFormat:
        if not holds_many(file):
            raise
        return None


def item_of(file: Path, item: str, options: dict[str, Any]) -> Document:
    """Open one document of a folder or an archive."""
    from ..documents import open_collection
    from ..errors import FileMissing, UnsupportedFormat
    from . import inventory

    try:
        found = open_collection(file, **options)
    except UnsupportedFormat as error:
        raise click.UsageError(f"{printable(file.name)} is a single file; leave --item out.") from error
    command = f"workbench blocks {shlex.quote(str(file))}"
    with found as collection:
        inventory.write_warnings(collection)
        refused = {refusal.name for refusal in collection.refused}
        if item not in collection and item not in refused:
            raise FileMissing(f"{collection.name} has no item {item!r}; {command} lists those that it has.")
        try:
            return collection.open(item)
        except UnsupportedFormat as error:
            if file.is_dir() and holds_many(file / item):
                itself = shlex.quote(str(file / item))
                raise UnsupportedFormat(f"{item} is an archive itself; see workbench blocks {itself}.") from error
            raise


def holds_many(file: Path) -> bool:
    """Whether this is a folder, or a file that begins as an archive does."""
    from ..documents.recognising import archive_kind
    from ..documents.source import Source

    return file.is_dir() or archive_kind(Source(file).head) is not None or file.suffix.lower() == ".tar"


@contextlib.contextmanager
def cache_chosen(keep: bool | None) -> Iterator[None]:
    """With False, put whatever would be kept into a folder that is gone afterwards: blocks, embeddings, parses."""
    if keep is not False:
        yield
        return
    from ..caching import ENVIRONMENT

    before = os.environ.get(ENVIRONMENT)
    with tempfile.TemporaryDirectory(prefix="sparseread-", ignore_cleanup_errors=True) as folder:
        os.environ[ENVIRONMENT] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[ENVIRONMENT]
            else:
                os.environ[ENVIRONMENT] = before
