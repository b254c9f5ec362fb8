"""Limits of Office files: how many slides or sheets are read, which are lacking, how long their text may grow."""

from __future__ import annotations

from ....errors import DamagedFile, LimitExceeded, UnsafeFile
from ...draft import Draft
from ...source import ParseContext
from .archive import MOST_EXPANSION


def pages_to_read(draft: Draft, context: ParseContext, name: str, count: int, things: str) -> int:
    """Return how many of ``count`` slides or sheets are read: all, or ``max_pages`` of them with a warning.

    Raises
    ------
    LimitExceeded
        If there are more than ``max_pages`` and ``partial`` is not set.
    """
    limit = context.options.max_pages
    if not count:
        draft.begin_page()
        draft.warn("empty", f"{name} has no {things}; there is nothing to read in it.")
    if count <= limit:
        return count
    if not context.options.partial:
        raise LimitExceeded(
            f"{name} has {count:,} {things}, more than {limit:,}; raise max_pages, or set partial=True to read the "
            "first ones.",
            setting="max_pages",
            limit=limit,
            value=count,
        )
    draft.warn("truncated", f"Only the first {limit:,} of {count:,} {things} of {name} were read (max_pages).")
    return limit


def warn_of_missing(draft: Draft, name: str, listed: int, found: int, things: str) -> None:
    """Tell the reader of slides or sheets that a file lists but does not hold.

    Raises
    ------
    DamagedFile
        If it holds none of them.
    """
    if listed and not found:
        raise DamagedFile(f"{name} lists {listed:,} {things} but holds none of them; get a fresh copy of it.")
    if found < listed:
        draft.warn("missing_parts", f"{name} lacks {listed - found:,} of its {listed:,} {things}; get a fresh copy.")


def check_length(draft: Draft, context: ParseContext, name: str) -> None:
    """Refuse a file that refers to the same long string again and again; call once a row.

    Raises
    ------
    UnsafeFile
    """
    limit = context.options.max_file_mb
    if draft.length > MOST_EXPANSION * limit * 1024 * 1024:
        raise UnsafeFile(
            f"{name} repeats its strings to a text of more than {MOST_EXPANSION} times max_file_mb ({limit:g}); it "
            "looks like a bomb and was not read."
        )
