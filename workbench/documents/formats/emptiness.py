"""What a file is told to be that was read without a problem and shows nothing."""

from __future__ import annotations

from ..draft import Draft
from ..pages import OUT_OF_TIME

_REASONS = frozenset({"empty", "truncated", OUT_OF_TIME})
"""Warnings that say already why nothing was read."""


def warn_if_nothing_read(draft: Draft, name: str) -> None:
    """Tell the reader of a file without a block that has text; call once, when all is read."""
    if any(block.pieces for block in draft.blocks) or any(warning.code in _REASONS for warning in draft.warnings):
        return
    pictures = " but pictures" if any(page.images for page in draft.pages) else ""
    draft.warn("empty", f"{name} holds no words or values{pictures}; there is nothing to read in it.")
