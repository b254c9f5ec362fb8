"""How much of a document was read, and which pages were not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...documents.pages import OUT_OF_TIME, PageStatus
from ...reading.coverage import first_ranges
from ..wording import Say
from .names import unit_of

if TYPE_CHECKING:
    from ...documents import Document

_CUT_SHORT = ("truncated", OUT_OF_TIME, "too_many")
"""Warnings of a document that was not read to its end."""


def coverage_of(document: Document, say: Say) -> str:
    """Return how many pages were read, and which have something on them and no text."""
    numbers = {status: [page.number for page in document.pages if page.status is status] for status in PageStatus}
    total, read = len(document.pages), len(numbers[PageStatus.TEXT])
    unit = unit_of(document)
    cut_short = any(warning.code in _CUT_SHORT for warning in document.warnings)
    if not total or total == read:
        key = "coverage.cut_short.all" if cut_short else "coverage.all"
        return say(key, n=total, units=say(f"units.{unit}", n=total))
    parts = [say(f"coverage.read.{unit}", n=read)]
    garbled = "unreadable" if numbers[PageStatus.NO_TEXT] else "unreadable.alone"
    for status, key in ((PageStatus.NO_TEXT, "no_text"), (PageStatus.UNREADABLE, garbled)):
        if numbers[status]:
            parts.append(say(f"coverage.{key}", n=len(numbers[status]), pages=_pages(numbers[status], say)))
    if numbers[PageStatus.BLANK]:
        parts.append(say(f"coverage.blank.{unit}", n=len(numbers[PageStatus.BLANK])))
    pages = say("coverage", pages=say(f"units.{unit}", n=total), parts=say("list.comma").join(parts))
    return say("sentences").join([say("coverage.cut_short"), pages]) if cut_short else pages


def pages_not_read(document: Document) -> tuple[int, ...]:
    """Return the pages with something on them and no text, 1-based."""
    lost = (PageStatus.NO_TEXT, PageStatus.UNREADABLE)
    return tuple(page.number for page in document.pages if page.status in lost)


def is_readable(document: Document) -> bool:
    """Whether anything of a document could be read: a stamp on the pages of a scan is no text of theirs."""
    if not any(document.texts):
        return False
    return not document.pages or any(page.status is PageStatus.TEXT for page in document.pages)


def _pages(numbers: list[int], say: Say) -> str:
    shown, more = first_ranges(numbers)
    return say("pages.more", pages=shown, n=more) if more else shown
