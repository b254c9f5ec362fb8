"""Running headers, footers and page numbers: lines that repeat from page to page.

A line is furniture because it *repeats* at the same height, or because it counts the pages; never because it
stands in some stripe at the edge. What repeats and lies across the text is a watermark. A one-page document loses
nothing. Headings and captions that begin page after page are alike but for their numbers, which rise: they are body.
So is the last line of a paragraph, or the first, though paragraphs of other pages end or begin alike: a running line
stands apart from the text or has another style, unless it is a page number.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from ....blocks import BlockKind
from .marks import TERMINAL
from .numbering import label_of
from .paragraphs import Edges, column_edges
from .spacing import is_of_one_text
from .styles import Typography, typography_of
from .text_lines import TextLine

_EDGE_LINES = 6  # how many lines from each edge can be furniture
_LEAST_PAGES, _SHORT_DOCUMENT, _LEAST_PAGES_SHORT = 3, 4, 2
_SAME_HEIGHT = 6.0  # points
_LONGEST = 200
_TALL, _LEAST_COVERED = 2.0, 2  # of the usual height of a line; lines under a watermark
_LEVEL, _MOST_PARTS = 2.0, 4  # points
_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,6}\b", re.I)
_NUMBER_ONLY = re.compile(
    r"[-–—\s|·•]*(?:page|seite|p\.|第)?\s*(?P<prefix>[A-Za-z]{1,2}[-–—.])?\s*(?P<number>\d{1,5}|[ivxlc]{1,6})\s*"
    r"(?:(?:of|/|von|de)\s*\d{1,4}|页(?:\s*共\s*\d+\s*页)?)?[-–—\s|·•]*",
    re.I,
)
_FIRST_NUMBER, _LAST_NUMBER = re.compile(r"(\d{1,5})\s+\S"), re.compile(r"\S\s+(\d{1,5})$")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LEAST_RUN, _RUN_PAGES = 3, 6  # pages that count on, within so many
_LEAST_CHAIN, _LINES_OF_A_PAGE = 4, 12
_RAGGED = 0.15  # of the width of a column, that a full line may end before its edge
_NEIGHBOURS = 3  # a running line stands on some page this near, too


class _Place(NamedTuple):
    """Where a line stands, and the numbers of its heading or caption; none where it is neither."""

    height: float
    page: int
    numbers: tuple[int, ...]
    line: int


def mark_furniture(lines: Sequence[TextLine], page_count: int) -> None:
    """Set ``kind`` to header or footer for every running line; see the module's first lines."""
    pages: dict[int, list[TextLine]] = defaultdict(list)
    for line in lines:
        pages[line.page].append(line)
    least = _LEAST_PAGES if page_count > _SHORT_DOCUMENT else _LEAST_PAGES_SHORT
    _mark_margins(pages)
    _mark_watermarks(pages, least)
    runs = _number_runs(pages)
    typography = typography_of(lines)
    for line in [*_at_stable_places(runs), *_lines_with_number(pages, typography)]:
        line.kind = BlockKind.FOOTER
    upright = {
        page: sorted((line for line in found if line.direction == 0), key=lambda line: (line.top, line.x0))
        for page, found in pages.items()
    }
    for kind, from_top in ((BlockKind.HEADER, True), (BlockKind.FOOTER, False)):
        inward = {page: found if from_top else sorted(found, key=_from_bottom) for page, found in upright.items()}
        _mark_repeated(inward, kind, least, typography)
    for line in [*_at_edges(runs, upright), *_counted_through(lines)]:
        line.kind = BlockKind.FOOTER
    _set_sides(upright)


def _from_bottom(line: TextLine) -> float:
    return -line.bottom


def _edge_of(lines: Sequence[TextLine]) -> list[TextLine]:
    """The first lines, which can be furniture."""
    edge: list[TextLine] = []
    for line in lines:
        # Lines already known, such as a page number, do not use up the edge.
        if sum(other.kind is None for other in edge) >= _EDGE_LINES:
            break
        edge.append(line)
    return edge


def _signature(text: str) -> str:
    return _DIGITS.sub("#", "".join(text[:_LONGEST].lower().split()))


def _mark_repeated(inward: dict[int, list[TextLine]], kind: BlockKind, least: int, typography: Typography) -> None:
    """Go inward from the edge; what stands behind a line that does not repeat is body."""
    places: dict[str, list[_Place]] = defaultdict(list)
    edges = {page: _edge_of(found) for page, found in inward.items()}
    rows = {page: _printed_rows(edge) for page, edge in edges.items()}
    for page, edge in edges.items():
        for line in edge:
            if line.kind is None:
                numbers = _numbers(label_of(line.text.strip()))
                place = _Place(_edge_height(line, kind), page, numbers, line.index)
                for signature in {_signature(line.text), rows[page][line.index]}:
                    places[signature].append(place)
    likes: dict[int, list[Sequence[_Place]]] = {}
    for page, edge in edges.items():
        for line in edge:
            if line.kind is None:
                alike = (_like(line, places[x], kind, least) for x in (_signature(line.text), rows[page][line.index]))
                likes[line.index] = [found for found in alike if found]
    in_text = {
        index
        for page, found in inward.items()
        for index in _in_text([line for line in edges[page] if likes.get(line.index)], found, typography)
    }
    for edge in edges.values():
        body: list[TextLine] = []
        for rank, line in enumerate(edge):
            if line.kind is not None:
                continue
            repeated = any(2 * sum(place.line in in_text for place in like) < len(like) for like in likes[line.index])
            if repeated and not _behind(line, body) and not _is_table_head(line, edge[rank + 1 :]):
                line.kind = kind
            else:
                body.append(line)


def _in_text(repeated: Sequence[TextLine], inward: Sequence[TextLine], typography: Typography) -> set[int]:
    """Indices of the lines, of those that repeat, from which the text of their page goes on without a break."""
    outer = {line.index for line in repeated}
    edges = column_edges(inward) if repeated else {}
    for line in reversed(repeated):
        inner = _next_inward(line, inward)
        if inner is not None and inner.index not in outer and _goes_on(line, inner, typography, edges):
            outer.remove(line.index)
    return {line.index for line in repeated} - outer


def _next_inward(line: TextLine, inward: Sequence[TextLine]) -> TextLine | None:
    """The nearest line of the same column on the way from the edge."""
    beyond = inward[inward.index(line) + 1 :]
    return next((x for x in beyond if x.kind is None and min(line.x1, x.x1) > max(line.x0, x.x0)), None)


def _goes_on(line: TextLine, inner: TextLine, typography: Typography, edges: Edges) -> bool:
    """Whether two lines are of one text: the upper one is full or ends a sentence, as a name above a title does not."""
    upper, lower = sorted((line, inner), key=lambda x: x.top)
    if _NUMBER_ONLY.fullmatch(line.text.strip()) or not is_of_one_text(upper, lower, typography):
        return False
    left, right = edges[(upper.page, upper.region)]
    return upper.x1 > right - _RAGGED * (right - left) or (upper is inner and TERMINAL.search(upper.text) is not None)


def _printed_rows(lines: Sequence[TextLine]) -> dict[int, str]:
    """The signature of everything printed level with each line: columns may cut one running line in two."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: line.top):
        if rows and abs(rows[-1][0].bottom - line.bottom) < _LEVEL and len(rows[-1]) < _MOST_PARTS:
            rows[-1].append(line)
        else:
            rows.append([line])
    found: dict[int, str] = {}
    for row in rows:
        # Sorted, for the pieces of a cut line are interleaved.
        signature = _signature(" ".join(sorted(_DIGITS.sub("#", " ".join(x.text for x in row)).lower().split())))
        found.update((line.index, signature) for line in row)
    return found


def _behind(line: TextLine, body: Sequence[TextLine]) -> bool:
    """Whether body text stands between a line and the edge; a head in the margin has none above it."""
    return any(min(line.x1, other.x1) > max(line.x0, other.x0) for other in body)


def _edge_height(line: TextLine, kind: BlockKind) -> float:
    return line.top if kind is BlockKind.HEADER else line.bottom


def _like(line: TextLine, places: Sequence[_Place], kind: BlockKind, least: int) -> Sequence[_Place]:
    """The places on near pages at which a line repeats, its own among them; none where it does not repeat."""
    height = _edge_height(line, kind)
    level = [place for place in places if abs(place.height - height) <= _SAME_HEIGHT]
    near = [place for place in level if abs(place.page - line.page) <= _NEIGHBOURS]
    if len({place.page for place in level}) < least or all(place.page == line.page for place in near):
        return []
    return [] if _rises(near) else near


def _rises(places: Sequence[_Place]) -> bool:
    """Whether every line has a number of its own, higher than that of the page before; a running head keeps its own."""
    ordered = sorted(places, key=lambda place: (place.page, place.numbers))
    return all(place.numbers for place in places) and all(a.numbers < b.numbers for a, b in pairwise(ordered))


def _numbers(label: str) -> tuple[int, ...]:
    return tuple(_number(found) for found in _DIGITS.findall(label))


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
                places[_signature(line.text)].add(page)
    for lines in pages.values():
        for line in lines:
            if line.direction != 0 and len(places[_signature(line.text)]) >= _LEAST_PAGES:
                line.kind = BlockKind.HEADER


def _mark_watermarks(pages: dict[int, list[TextLine]], least: int) -> None:
    """Large words that lie across the lines of a page, and stand at the same place on others."""
    places: dict[tuple[str, int], list[TextLine]] = defaultdict(list)
    across: set[tuple[str, int]] = set()
    for lines in pages.values():
        usual = median(line.height for line in lines)
        for line in lines:
            if line.kind is None and line.grid < 0 and line.height > _TALL * usual:
                place = (_signature(line.text), round(line.top / _SAME_HEIGHT))
                places[place].append(line)
                if _covered(line, lines) >= _LEAST_COVERED:
                    across.add(place)
    for place in across:
        if len({line.page for line in places[place]}) >= least:
            for line in places[place]:
                line.kind = BlockKind.HEADER


def _covered(line: TextLine, others: Sequence[TextLine]) -> int:
    """How many other lines have their middle height within a line, and words under its own."""
    return sum(
        line.top < (other.top + other.bottom) / 2 < line.bottom
        and min(line.x1, other.x1) > max(line.x0, other.x0)
        and other.direction == line.direction
        for other in others
        if other is not line
    )


def _number_runs(pages: dict[int, list[TextLine]]) -> list[list[TextLine]]:
    """Lines that hold only a number, grouped by what the number exceeds the page's rank by."""
    runs: dict[tuple[int, str], list[TextLine]] = defaultdict(list)
    for page, lines in pages.items():
        for line in lines:
            match = _NUMBER_ONLY.fullmatch(line.text.strip()) if len(line.text) < 30 and line.kind is None else None
            if match is not None:
                value, style = _value(match)
                runs[(value - page, style)].append(line)
    return [run for run in runs.values() if len(run) >= _LEAST_RUN and _dense([line.page for line in run])]


def _at_stable_places(runs: Sequence[list[TextLine]]) -> list[TextLine]:
    """Numbers that grow with the page and stand at the same height on at least ``_LEAST_RUN`` near pages."""
    chosen: dict[int, TextLine] = {}
    for run in sorted(runs, key=len, reverse=True):
        heights = Counter(round(line.top / 12) for line in run)
        for line in run:
            height = round(line.top / 12)
            around = heights[height] + heights[height - 1] + heights[height + 1]
            if around >= _LEAST_RUN:
                chosen.setdefault(line.page, line)
    return list(chosen.values())


def _at_edges(runs: Sequence[list[TextLine]], upright: dict[int, list[TextLine]]) -> list[TextLine]:
    """Numbers of a run that stand first or last on their page: below a short text they stand mid-page."""
    numbered = {line.page for run in runs for line in run if line.kind is not None}
    chosen: dict[int, TextLine] = {}
    for run in sorted(runs, key=len, reverse=True):
        for line in run:
            body = [other for other in upright.get(line.page, []) if other.kind is None]
            if line.kind is None and line.page not in numbered and body and line in (body[0], body[-1]):
                chosen.setdefault(line.page, line)
    return list(chosen.values())


def _counted_through(lines: Sequence[TextLine]) -> list[TextLine]:
    """Page numbers of a document that was printed on other pages before: they count 1, 2, 3 in mid-text.

    A chain of lines that hold only a number, each one more than the one before, with text of about a page between
    them, is the old numbering.
    """
    chains: dict[tuple[int, str], list[TextLine]] = {}
    best: list[TextLine] = []
    for line in lines:
        match = _NUMBER_ONLY.fullmatch(line.text.strip()) if len(line.text) < 30 and line.direction == 0 else None
        if match is None:
            continue
        value, style = _value(match)
        before = chains.get((value - 1, style), [])
        far = not before or line.index - before[-1].index >= _LINES_OF_A_PAGE
        chain = [*before, line] if far else [line]
        if len(chain) >= len(chains.get((value, style), [])):
            chains[(value, style)] = chain
        best = max(best, chain, key=len)
    return [line for line in best if line.kind is None] if len(best) >= _LEAST_CHAIN else []


def _set_sides(upright: dict[int, list[TextLine]]) -> None:
    """A running line with body text only below it is a header, with body text only above it a footer."""
    for lines in upright.values():
        body = [line for line in lines if line.kind is None]
        if not body:
            continue
        first, last = min(line.top for line in body), max(line.bottom for line in body)
        for line in lines:
            middle = (line.top + line.bottom) / 2
            if line.kind is not None and (middle < first or middle > last):
                line.kind = BlockKind.HEADER if middle < first else BlockKind.FOOTER


def _lines_with_number(pages: dict[int, list[TextLine]], typography: Typography) -> list[TextLine]:
    """Outermost lines that begin or end with a number which grows with the page: "Chapter 1: Installation 4"."""
    runs: dict[tuple[int, bool, int], list[TextLine]] = defaultdict(list)
    in_text: set[int] = set()
    for page, lines in pages.items():
        upright = sorted((line for line in lines if line.direction == 0 and line.kind is None), key=lambda x: x.top)
        numbers = {line: found for line in (*upright[:2], *upright[-2:]) if (found := _outer_numbers(line))}
        for line, found in numbers.items():
            for number, at_end in found:
                runs[(number - page, at_end, round(line.top / 12))].append(line)
        for inward in (upright, upright[::-1]):
            in_text |= _in_text([line for line in inward[:2] if line in numbers], inward, typography)
    return [
        line
        for run in runs.values()
        if len(run) >= _LEAST_RUN
        and _dense([x.page for x in run])
        and 2 * sum(x.index in in_text for x in run) < len(run)
        for line in run
    ]


def _outer_numbers(line: TextLine) -> list[tuple[int, bool]]:
    """The number that a line begins with and the one that it ends with, each with whether it ends the line."""
    label = len(label_of(line.text))
    matches = ((_FIRST_NUMBER.match(line.text), False), (_LAST_NUMBER.search(line.text), True))
    return [
        (int(match.group(1)), at_end)
        for match, at_end in matches
        if match is not None and label <= match.start(1) and len(line.text) <= _LONGEST
    ]


def _value(match: re.Match[str]) -> tuple[int, str]:
    text = match.group("number").lower()
    prefix = (match.group("prefix") or "").lower()
    return _number(text), prefix if text.isdigit() else "roman" + prefix


def _number(text: str) -> int:
    """Return the value of Arabic or Roman digits."""
    if text.isdigit():
        return int(text)
    total = 0
    values = [_ROMAN[letter] for letter in text.lower()]
    for value, following in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < following else value
    return total


def _dense(pages: Sequence[int]) -> bool:
    """Whether some three pages stand within six pages of each other."""
    found = sorted(set(pages))
    return any(c - a <= _RUN_PAGES for a, c in zip(found, found[2:], strict=False))
