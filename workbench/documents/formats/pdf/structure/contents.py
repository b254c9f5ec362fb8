"""Entries of a table of contents: lines with leaders, or lines of a contents page that end with a page number."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence

from ....blocks import BlockKind
from .letters import has_letters
from .text_lines import TextLine

_CONTENTS_TITLE = re.compile(r"(?:table\s+of\s+contents|contents|index|inhaltsverzeichnis|目\s*录|目\s*次)\W*", re.I)
_LEADERS = re.compile(r"(?:\.\s?|…\s?|·\s?|‧\s?){4,}\s*(?P<page>[A-Z]{0,2}-?\d{1,4}|[ivxlc]{1,6})?\s*$")
_ENDS_WITH_PAGE = re.compile(r"\s(?P<page>[A-Z]{0,2}-?\d{1,4}|[ivxlc]{1,6})$")
_LEAST_ENTRIES, _LONGEST_PART = 4, 160
_LEAST_PAGES = 6  # a form of two pages has dots before its boxes
_BEYOND_LAST_PAGE = 40  # printed page numbers may exceed the count of pages by that of the front matter


def mark_contents(lines: Sequence[TextLine], page_count: int) -> None:
    """Set ``kind`` to toc entry; a page needs several entries, for one line with dots may be a form."""
    pages: dict[int, list[TextLine]] = defaultdict(list)
    for line in lines:
        if line.kind is None:
            pages[line.page].append(line)
    was_contents = False
    for page in sorted(pages):
        found = pages[page]
        titled = any(_CONTENTS_TITLE.fullmatch(line.text.strip()) for line in found)
        dotted = [line for line in found if _LEADERS.search(line.text) and has_letters(line.text)]
        numbered = [line for line in found if _ends_with_page(line, page_count)]
        # A contents page may go on overleaf without its title.
        continued = was_contents and len(numbered) > 0.6 * len(found)
        is_contents = (titled or continued) and len(numbered) >= _LEAST_ENTRIES and _ascending(numbered)
        many = len(dotted) >= _LEAST_ENTRIES and (titled or continued or page_count >= _LEAST_PAGES)
        entries = {id(line) for line in dotted} if many else set()
        if is_contents:
            entries |= {id(line) for line in numbered}
        if titled or continued:
            entries |= _between(found, entries)
        for line in found:
            if id(line) in entries:
                line.kind = BlockKind.TOC_ENTRY
                line.level = 1
        was_contents = is_contents or len(entries) > 0


def _between(lines: Sequence[TextLine], entries: set[int]) -> set[int]:
    """Short lines between two entries of a contents page: names of parts, first lines of long entries."""
    ranks = [rank for rank, line in enumerate(lines) if id(line) in entries]
    if len(ranks) < _LEAST_ENTRIES:
        return set()
    inner = lines[ranks[0] : ranks[-1]]
    between = {id(line) for line in inner if has_letters(line.text) and len(line.text) <= _LONGEST_PART}
    return between if len(between) < 2 * len(ranks) else set()


def _ends_with_page(line: TextLine, page_count: int) -> bool:
    if not has_letters(line.text) or len(line.text) > 250:
        return False
    if _LEADERS.search(line.text):
        return True
    match = _ENDS_WITH_PAGE.search(line.text)
    if match is None or len(line.pieces) < 2:
        return False
    page = match.group("page")
    return not page.isdigit() or int(page) <= page_count + _BEYOND_LAST_PAGE


def _ascending(lines: Sequence[TextLine]) -> bool:
    """Page numbers of a contents page grow; the numbers of a table do not."""
    numbers = []
    for line in lines:
        match = _ENDS_WITH_PAGE.search(line.text)
        if match is not None and match.group("page").isdigit():
            numbers.append(int(match.group("page")))
    falls = sum(b < a for a, b in itertools.pairwise(numbers))
    return falls <= max(1, len(numbers) // 8)
