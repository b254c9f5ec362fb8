"""How deep a heading stands: by its place among the styles of the document and its numbering."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .letters import is_caps
from .numbering import PLAIN, number_of, numbering
from .styles import face_of
from .text_lines import TextLine

_DEEPEST = 6
_SAME_SIZE = 0.7  # points
_TITLE_PAGES, _SHORTEST_TITLE = 3, 4
_TITLE_PAGE_LINES = 25
_FEW = 3
_GENERIC_TITLE = re.compile(
    r"(?:table of )?contents|abstract|preface|foreword|introduction|(?:executive )?summary|overview|index|notes?|"
    r"acknowledge?ments?|inhaltsverzeichnis|vorwort|einleitung|目\s*录|摘\s*要|前\s*言|references",
    re.I,
)


@dataclass(slots=True)
class Heading:
    """Lines that make one heading; ``outline_level`` is its depth in the file's bookmarks, or 0."""

    lines: list[TextLine]
    text: str
    level: int = 0
    outline_level: int = 0


class _Rank(NamedTuple):
    """Sorts headings from high to low."""

    size: int
    numbering: int
    plain: bool
    light: bool
    italic: bool
    face: int
    depth: int


def set_levels(headings: Sequence[Heading], lines_of_page: Mapping[int, int], body_size: float) -> None:
    """Set ``level``: one below the nearest earlier heading that ranks higher.

    The title of the document stands above all; parts stand beside it. "3.1" stands one below "3". Where the
    file's own outline lists a heading, its depth there is taken. ``lines_of_page`` counts the lines of each page,
    for a title page has few; a title is not smaller than the body's ``body_size`` in points.
    """
    ranks = _ranks(headings)
    has_parts = any(rank.numbering == 0 for rank in ranks)
    title = None if has_parts else _title(headings, lines_of_page, body_size)
    top = int(title is not None)
    outline_top = top if title is None or not title.outline_level else 0
    counts = Counter(rank[:-1] for rank in ranks)
    stack: list[tuple[_Rank, int]] = []
    numbered: dict[str, int] = {}
    for heading, rank in zip(headings, ranks, strict=True):
        if title is not None and heading.text == title.text:
            heading.level = 1
            stack.clear()
            continue
        if rank.numbering == 0:
            stack.clear()
        number = number_of(heading.text)
        if number is not None and not _counts_on(number, heading.text, numbered):
            number = None
        above = [entry for entry in stack if entry[0] < rank]
        if rank.numbering < PLAIN or (number is not None and "." not in number):
            # "1. Scope" stands below a chapter or a larger heading, not below a name in capitals of its own size.
            above = [(r, depth) for r, depth in above if r.size < rank.size or r.numbering < rank.numbering]
        level = above[-1][1] + 1 if above else top + 1
        if number is not None:
            parent = number.rpartition(".")[0]
            before = f"{parent}.{_last(number) - 1}" if parent else str(_last(number) - 1)
            level = numbered.get(before, numbered[parent] + 1 if parent in numbered else level)
            numbered[number] = level
        if heading.outline_level:
            level = heading.outline_level + outline_top
        heading.level = min(_DEEPEST, level)
        # A style that is hardly used (a line in a figure) does not head what follows.
        stands_out = not rank.plain or not rank.light or rank.numbering < PLAIN or heading.outline_level
        if counts[rank[:-1]] >= _FEW or stands_out or not stack:
            stack = [*above, (rank, level)]


def _counts_on(number: str, text: str, numbered: Mapping[str, int]) -> bool:
    """Whether a number is one of a numbering, and not the beginning of a name such as "14 CFR Part 39"."""
    if "." in number or number == "1" or str(_last(number) - 1) in numbered:
        return True
    return text.strip()[len(number) : len(number) + 1] in (".", "、", "．")


def _last(number: str) -> int:
    return int(number.rpartition(".")[2])


def _size_classes(headings: Sequence[Heading]) -> dict[float, int]:
    """Number the font sizes from the largest; sizes that differ by less than ``_SAME_SIZE`` share a number."""
    classes: dict[float, int] = {}
    number, edge = -1, float("inf")
    for size in sorted({heading.lines[0].size for heading in headings}, reverse=True):
        if edge - size > _SAME_SIZE:
            number, edge = number + 1, size
        classes[size] = number
    return classes


def _ranks(headings: Sequence[Heading]) -> list[_Rank]:
    """The rank of each heading; among equals the font that appears first in the document stands higher."""
    sizes = _size_classes(headings)
    faces: dict[tuple[int, int, bool, bool, bool], dict[str, int]] = defaultdict(dict)
    ranks = []
    for heading in headings:
        line = heading.lines[0]
        found = numbering(heading.text)
        place = found.rank if found is not None else PLAIN
        depth = found.depth if found is not None else 1
        plain = found is not None or not is_caps(heading.text)
        style = (sizes[line.size], place, plain, not line.bold, line.italic)
        known = faces[style]
        face = known.setdefault(face_of(line.font), len(known)) if line.font else 0
        ranks.append(_Rank(*style, face, depth))
    return ranks


def _title(headings: Sequence[Heading], lines_of_page: Mapping[int, int], body_size: float) -> Heading | None:
    """The largest unnumbered heading of the first page that has one, unless it names a part of every document."""
    if not headings or headings[0].lines[0].page >= _TITLE_PAGES:
        return None
    page = headings[0].lines[0].page
    if page > 0 and lines_of_page.get(page, 0) > _TITLE_PAGE_LINES:
        return None
    early = [
        heading
        for heading in headings
        if heading.lines[0].page == page
        and numbering(heading.text) is None
        and len(heading.text) >= _SHORTEST_TITLE
        and heading.lines[0].size >= body_size - 0.5
    ]
    if not early:
        return None
    largest = max(heading.lines[0].size for heading in early)
    title = next(heading for heading in early if heading.lines[0].size > largest - _SAME_SIZE)
    size = title.lines[0].size
    alone = sum(other.lines[0].size > size - _SAME_SIZE and other.text != title.text for other in headings) == 0
    if not (alone or title is headings[0]):
        return None
    return None if _GENERIC_TITLE.fullmatch(title.text.strip()) else title
