"""What a PDF says of itself as a whole: bookmarks, printed page labels, attachments, the kind of its form."""

from __future__ import annotations

import ctypes
import logging
from dataclasses import dataclass, replace
from typing import Any

from .page.pdfium import calls, document_handle

_LOGGER = logging.getLogger("workbench")
_MOST_ENTRIES, _LEAST_BELOW_ROOT = 5_000, 4


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark: its title, depth from 1, and 0-based page."""

    title: str
    level: int
    page: int


def read_outline(document: Any) -> list[OutlineEntry]:
    """Return the bookmarks of an open ``pypdfium2.PdfDocument`` that lead to a page of it."""
    entries: list[OutlineEntry] = []
    try:
        for bookmark in document.get_toc(max_depth=6):
            destination = bookmark.get_dest()
            page = destination.get_index() if destination is not None else None
            title = bookmark.get_title().strip()
            if page is not None and page >= 0 and title:
                entries.append(OutlineEntry(title, bookmark.level + 1, page))
            if len(entries) >= _MOST_ENTRIES:
                break
    except Exception as error:  # a damaged outline must not cost the document
        _LOGGER.debug("the outline cannot be read: %r", error)
    return _without_root(entries)


def _without_root(entries: list[OutlineEntry]) -> list[OutlineEntry]:
    """Leave out a single entry that holds all others: it names the file, not a part of it."""
    tops = [entry for entry in entries if entry.level == 1]
    if len(tops) != 1 or len(entries) < _LEAST_BELOW_ROOT or entries[0] is not tops[0]:
        return entries
    return [replace(entry, level=entry.level - 1) for entry in entries[1:]]


def read_page_labels(document: Any, count: int) -> list[str]:
    """Return the printed label of each page, "" where it has none."""
    ask = calls().FPDF_GetPageLabel
    handle = document_handle(document)
    buffer = ctypes.create_string_buffer(128)
    at = ctypes.addressof(buffer)
    labels = []
    for index in range(count):
        length = int(ask(handle, index, at, 128))
        labels.append(buffer.raw[: max(0, min(length, 128) - 2)].decode("utf-16-le", "replace"))
    return labels


def attachment_names(document: Any) -> list[str]:
    """Return the names of the files that are attached to the document."""
    names: list[str] = []
    try:
        count = min(document.count_attachments(), _MOST_ENTRIES)
        names.extend(document.get_attachment(index).get_name() or "without a name" for index in range(count))
    except Exception as error:  # a damaged attachment must not cost the document
        _LOGGER.debug("the attachments cannot be read: %r", error)
    return names


def has_dynamic_form(document: Any) -> bool:
    """Whether the document is an XFA form, whose pages are made by the viewer (PDF 32000-1, 12.7.8)."""
    import pypdfium2

    return bool(document.get_formtype() == pypdfium2.raw.FORMTYPE_XFA_FULL)
