"""Headings of a whole text: the title that stands alone at its top, and levels without gaps."""

from __future__ import annotations

import re

from ...blocks import BlockKind
from ...draft import Draft
from ..lines import Line, is_wide
from .patterns import (
    has_columns,
    is_contents_entry,
    is_page_number,
    is_rule,
    list_mark,
    looks_like_code,
    numbered_heading_level,
)

TITLE_LEVEL = 0
"""Level of a title before ``close_gaps``: above every other heading."""

_MOST_TITLE_LINES = 3
_LONGEST_LINE = 80
_LONGEST_WIDE_LINE = 40
_MOST_WORDS = 12
_TERMINAL = tuple(".,;:!?。，；：！？、…")
_ABBREVIATED = re.compile(r"\b(?:Inc|Ltd|Corp|Co|Jr|Sr|[A-Z]\.[A-Z])\.$")
_NO_TITLE = re.compile(
    r"(?:dear|hello|hi|hey|to whom)\b|(?:re|fwd?|from|to|cc|date|subject|title|author|by)\s*[:：]|\S+@\S+|\w+://",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]")


def is_title(text: str, lines: list[Line]) -> bool:
    """Say whether the first lines of a text, which a blank line follows, are its title."""
    return len(lines) <= _MOST_TITLE_LINES and all(_fits_title(text[line.start : line.end].strip()) for line in lines)


def _fits_title(line: str) -> bool:
    letters = _LETTERS.findall(line)
    if not letters or (line.endswith(_TERMINAL) and not _ABBREVIATED.search(line)):
        return False
    if is_wide(letters[0]):
        fits = len(letters) >= 2 and len(line) <= _LONGEST_WIDE_LINE
    else:
        words = len(line.split())
        fits = len(letters) >= 4 and letters[0].isupper() and len(line) <= _LONGEST_LINE and words <= _MOST_WORDS
    is_other = list_mark(line) is not None or numbered_heading_level(line) > 0 or _NO_TITLE.match(line) is not None
    return fits and not (is_other or _is_furniture(line) or has_columns(line) or looks_like_code(line))


def _is_furniture(line: str) -> bool:
    return is_rule(line) or is_contents_entry(line) or is_page_number(line)


def close_gaps(draft: Draft) -> None:
    """Let headings begin at level 1 and go down by one at a time; what stood at one level still does.

    A heading stands below the nearest one before it that had a smaller level.
    """
    above: list[int] = []
    for block in draft.blocks:
        if block.kind is not BlockKind.HEADING:
            continue
        while above and above[-1] >= block.level:
            above.pop()
        above.append(block.level)
        block.level = len(above)
