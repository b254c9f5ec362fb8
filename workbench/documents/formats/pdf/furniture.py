"""Running headers, footers and page numbers: lines that repeat from page to page.

A line is furniture because it *repeats* at the same height, or because it counts the pages; never because it
stands in some stripe at the edge. A one-page document loses nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from ...blocks import BlockKind
from .text_lines import TextLine

_EDGE_LINES = 6  # how many lines from each edge can be furniture
_LEAST_PAGES, _SHORT_DOCUMENT, _LEAST_PAGES_SHORT = 3, 4, 2
_SAME_HEIGHT = 6.0  # points
_LONGEST = 200
_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,6}\b", re.I)
_NUMBER_ONLY = re.compile(
    r"[-–—\s|·•]*(?:page|seite|p\.|第)?\s*(?P<prefix>[A-Za-z]{1,2}[-–—.])?\s*(?P<number>\d{1,4}|[ivxlc]{1,6})\s*"
    r"(?:(?:of|/|von|de)\s*\d{1,4}|页(?:\s*共\s*\d+\s*页)?)?[-–—\s|·•]*",
    re.I,
)
_FIRST_NUMBER, _LAST_NUMBER = re.compile(r"(\d{1,4})\s+\D"), re.compile(r"\D\s+(\d{1,4})$")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LEAST_RUN = 3  # pages that count on


def mark_furniture(lines: Sequence[TextLine], page_sizes: Sequence[tuple[float, float]]) -> None:
    """Set ``kind`` to header or footer for every running line; see the module's first lines."""
    pages: dict[int, list[TextLine]] = defaultdict(list)
    for line in lines:
        pages[line.page].append(line)
    for line in [*_page_numbers(pages), *_lines_with_number(pages)]:
        line.kind = _side_kind(line, page_sizes)
    _mark_margins(pages)
    upright = {
        page: sorted((line for line in found if line.direction == 0), key=lambda line: (line.top, line.x0))
        for page, found in pages.items()
    }
    for kind, from_top in ((BlockKind.HEADER, True), (BlockKind.FOOTER, False)):
        edges = {page: _from_edge(found, from_top) for page, found in upright.items()}
        _mark_repeated(edges, kind, len(page_sizes))


def _from_edge(lines: list[TextLine], from_top: bool) -> list[TextLine]:
    ordered = lines if from_top else sorted(lines, key=lambda line: -line.bottom)
    edge: list[TextLine] = []
    for line in ordered:
        # Lines already known, such as a page number, do not use up the edge.
        if sum(other.kind is None for other in edge) >= _EDGE_LINES:
            break
        edge.append(line)
    return edge


def _signature(line: TextLine) -> str:
    return _DIGITS.sub("#", "".join(line.text.lower().split()))


def _mark_repeated(edges: dict[int, list[TextLine]], kind: BlockKind, page_count: int) -> None:
    """Go inward from the edge; what stands behind a line that does not repeat is body."""
    least = _LEAST_PAGES if page_count > _SHORT_DOCUMENT else _LEAST_PAGES_SHORT
    places: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for page, edge in edges.items():
        for line in edge:
            if line.kind is None and len(line.text) <= _LONGEST:
                places[_signature(line)].append((_edge_height(line, kind), page))
    for edge in edges.values():
        body: list[TextLine] = []
        for rank, line in enumerate(edge):
            if line.kind is not None:
                continue
            repeated = len(line.text) <= _LONGEST and _repeats(line, places[_signature(line)], kind, least)
            if repeated and not _behind(line, body) and not _is_table_head(line, edge[rank + 1 :]):
                line.kind = kind
            else:
                body.append(line)


def _behind(line: TextLine, body: Sequence[TextLine]) -> bool:
    """Whether body text stands between a line and the edge; a head in the margin has none above it."""
    return any(min(line.x1, other.x1) > max(line.x0, other.x0) for other in body)


def _edge_height(line: TextLine, kind: BlockKind) -> float:
    return line.top if kind is BlockKind.HEADER else line.bottom


def _repeats(line: TextLine, places: list[tuple[float, int]], kind: BlockKind, least: int) -> bool:
    height = _edge_height(line, kind)
    near = {page for other, page in places if abs(other - height) <= _SAME_HEIGHT}
    return len(near) >= least


def _is_table_head(line: TextLine, inner: Sequence[TextLine]) -> bool:
    """The column heads of a long table repeat on every page too, but rows follow close below."""
    if _cell_count(line) < 3:
        return False
    below = next((other for other in inner if other.kind is None), None)
    return below is not None and _cell_count(below) >= 2 and abs(below.top - line.top) < 2.5 * line.height


def _cell_count(line: TextLine) -> int:
    return len({piece.column for piece in line.pieces})


def _mark_margins(pages: dict[int, list[TextLine]]) -> None:
    """Sideways lines that repeat in the margin: stamps, archive marks."""
    places: dict[str, set[int]] = defaultdict(set)
    for page, lines in pages.items():
        upright = sum(len(line.text) for line in lines if line.direction == 0)
        for line in lines:
            if line.direction != 0 and len(line.text) < upright:
                places[_signature(line)].add(page)
    for lines in pages.values():
        for line in lines:
            if line.direction != 0 and len(places[_signature(line)]) >= _LEAST_PAGES:
                line.kind = BlockKind.HEADER


def _page_numbers(pages: dict[int, list[TextLine]]) -> list[TextLine]:
    """Lines that hold only a number which grows with the page.

    The printed number minus the page's rank is constant over neighbouring pages. Where several numbers of a
    page fit a run, the one whose place on the page is shared by most of the run wins.
    """
    runs: dict[tuple[int, str], list[TextLine]] = defaultdict(list)
    for page, lines in pages.items():
        for line in lines:
            match = _NUMBER_ONLY.fullmatch(line.text.strip()) if len(line.text) < 30 else None
            if match is None:
                continue
            value, style = _value(match)
            if value is not None:
                runs[(value - page, style)].append(line)
    chosen: list[TextLine] = []
    for run in runs.values():
        chosen += _counting(run)
    return _one_a_page(chosen)


def _lines_with_number(pages: dict[int, list[TextLine]]) -> list[TextLine]:
    """Outermost lines that begin or end with a number which grows with the page: "Chapter 1: Installation 4"."""
    runs: dict[tuple[int, bool, int], list[TextLine]] = defaultdict(list)
    for page, lines in pages.items():
        upright = sorted((line for line in lines if line.direction == 0 and line.kind is None), key=lambda x: x.top)
        for line in {id(line): line for line in (*upright[:2], *upright[-2:])}.values():
            for at_end, match in ((False, _FIRST_NUMBER.match(line.text)), (True, _LAST_NUMBER.search(line.text))):
                if match is not None and len(line.text) <= _LONGEST:
                    runs[(int(match.group(1)) - page, at_end, round(line.top / 12))].append(line)
    return [line for run in runs.values() if len(run) >= _LEAST_RUN and _dense([x.page for x in run]) for line in run]


def _value(match: re.Match[str]) -> tuple[int | None, str]:
    text = match.group("number").lower()
    prefix = (match.group("prefix") or "").lower()
    if text.isdigit():
        return int(text), prefix
    total = 0
    values = [_ROMAN[letter] for letter in text]
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < following else value
    return total, "roman" + prefix


def _counting(run: list[TextLine]) -> list[TextLine]:
    """Members of a run of at least ``_LEAST_RUN`` pages at one of at most two places (left and right pages)."""
    places: dict[tuple[int, int], list[TextLine]] = defaultdict(list)
    for line in run:
        places[(0, round(line.top / 12))].append(line)
    kept: list[TextLine] = []
    for (_, height), members in places.items():
        around = members + places.get((0, height - 1), []) + places.get((0, height + 1), [])
        found = sorted({line.page for line in around})
        if len(found) >= _LEAST_RUN and _dense(found):
            kept += members
    if kept:
        return kept
    # A number may stand below text of varying length: then the heights differ, but every page has one.
    found = sorted({line.page for line in run})
    if len(found) >= 2 * _LEAST_RUN and found[-1] - found[0] < 1.3 * len(found):
        return run
    return []


def _dense(pages: list[int]) -> bool:
    """Whether some three members stand within six pages of each other."""
    return any(c - a <= 6 for a, c in zip(pages, pages[2:], strict=False))


def _one_a_page(lines: list[TextLine]) -> list[TextLine]:
    by_page: dict[int, list[TextLine]] = defaultdict(list)
    heights: dict[int, int] = defaultdict(int)
    for line in lines:
        by_page[line.page].append(line)
        heights[round(line.top / 12)] += 1
    return [max(found, key=lambda line: heights[round(line.top / 12)]) for found in by_page.values()]


def _side_kind(line: TextLine, page_sizes: Sequence[tuple[float, float]]) -> BlockKind:
    return BlockKind.HEADER if line.top < page_sizes[line.page][1] / 2 else BlockKind.FOOTER
