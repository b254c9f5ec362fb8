"""From lines to paragraphs, list items, captions, footnotes and references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ....blocks import BlockKind
from .letters import HAN
from .marks import BULLET, CAPTION, FOOTNOTE, NUMBERED_ITEM, TERMINAL
from .styles import Typography, is_mono
from .text_lines import TextLine

_APART = 1.45  # of the usual line distance
_INDENT, _SHORT = 0.8, 0.12  # of the font size; of the column's width
_SMALL = 0.93  # of the body size
_LOWER_PART = 0.5  # of the page
_MOST_CAPTION_LINES, _LEAST_CODE_LINES = 8, 2
Edges = Mapping[tuple[int, int], tuple[float, float]]


@dataclass(slots=True)
class Paragraph:
    """Lines of one block that is no heading and no table."""

    kind: BlockKind
    lines: list[TextLine] = field(default_factory=list)
    level: int = 0

    @property
    def text(self) -> str:
        """The lines' text, joined by spaces."""
        return " ".join(line.text for line in self.lines)


def column_edges(lines: Sequence[TextLine]) -> dict[tuple[int, int], tuple[float, float]]:
    """Left and right edge of each region (page, region), in points."""
    edges: dict[tuple[int, int], tuple[float, float]] = {}
    for line in lines:
        key = (line.page, line.region)
        low, high = edges.get(key, (line.x0, line.x1))
        edges[key] = (min(low, line.x0), max(high, line.x1))
    return edges


def list_mark(text: str) -> bool:
    """Whether a line begins like a list item."""
    match = BULLET.match(text)
    if match is not None:
        return match.group()[0] not in "-–—*·" or match.group()[-1].isspace()
    return NUMBERED_ITEM.match(text) is not None


def begins_new(paragraph: Paragraph, line: TextLine, typography: Typography, edges: Edges) -> bool:
    """Whether a line begins a paragraph of its own instead of going on with this one."""
    before = paragraph.lines[-1]
    if before.page != line.page or before.region != line.region or before.direction != line.direction:
        return True
    step = line.top - before.top
    pitch = typography.pitch(line.size)
    if not 0 < step <= _APART * max(pitch, typography.pitch(before.size)):
        return True
    if abs(before.size - line.size) > 0.12 * max(before.size, line.size) and min(len(before.text), len(line.text)) > 3:
        return True
    if paragraph.kind is BlockKind.CODE:
        return False
    left, right = edges[(line.page, line.region)]
    ended = before.x1 < right - _SHORT * (right - left)
    finished = TERMINAL.search(before.text) is not None
    if paragraph.kind is BlockKind.REFERENCE:
        return (
            line.text.startswith("[")
            or line.x0 < before.x0 - 4
            or (NUMBERED_ITEM.match(line.text) is not None and (finished or ended))
        )
    if list_mark(line.text) and (
        finished or ended or before.text.rstrip().endswith((";", ",", "；", "and", "or")) or _is_bullet(line)
    ):
        return True
    if finished and ended:
        return True
    if before.bold != line.bold and ended:
        return True
    body = paragraph.lines[1:] or paragraph.lines
    usual = min(other.x0 for other in body)
    return (
        line.x0 > usual + _INDENT * max(line.size, 4)
        and (finished or ended)
        and paragraph.kind is not BlockKind.LIST_ITEM
    )


def _is_bullet(line: TextLine) -> bool:
    return BULLET.match(line.text) is not None and list_mark(line.text)


def kind_of_first(line: TextLine, *, in_references: bool) -> BlockKind:
    """The kind of a paragraph that begins with this line."""
    if line.kind is not None:
        return line.kind
    if in_references:
        return BlockKind.REFERENCE
    if CAPTION.match(line.text):
        return BlockKind.CAPTION
    return BlockKind.LIST_ITEM if list_mark(line.text) else BlockKind.PARAGRAPH


def mark_code(lines: Sequence[TextLine], typography: Typography) -> None:
    """Set ``kind`` to code on runs of at least two lines in a font of one width, where the body has another."""
    if typography.body_mono:
        return
    run: list[TextLine] = []
    for line in [*lines, None]:
        if (
            line is not None
            and line.kind is None
            and is_mono(line.font)
            and (not run or (run[-1].page == line.page and run[-1].region == line.region))
        ):
            run.append(line)
            continue
        if len(run) >= _LEAST_CODE_LINES:
            for member in run:
                member.kind = BlockKind.CODE
        run = [line] if line is not None and line.kind is None and is_mono(line.font) else []


def mark_footnotes(
    lines: Sequence[TextLine],
    rules: Sequence[tuple[float, float, float]],
    page_height: float,
    typography: Typography,
) -> None:
    """Set ``kind`` to footnote on the lines of one page that are smaller than the body at the foot of a column.

    They stand below a short rule, or begin with a mark; nothing but smaller text stands below them.
    """
    small = typography.body_size * _SMALL
    by_region: dict[int, list[TextLine]] = {}
    for line in lines:
        if line.kind is not BlockKind.FOOTER and line.direction == 0:
            by_region.setdefault(line.region, []).append(line)
    for column in by_region.values():
        foot: list[TextLine] = []
        for line in sorted(column, key=lambda other: -other.top):
            if line.kind is not None or line.size > small or line.top < _LOWER_PART * page_height:
                break
            foot.append(line)
        foot.reverse()
        start = _first_note(foot, rules)
        if start is not None:
            for line in foot[start:]:
                line.kind = BlockKind.FOOTNOTE


def _first_note(foot: Sequence[TextLine], rules: Sequence[tuple[float, float, float]]) -> int | None:
    for rank, line in enumerate(foot):
        ruled = any(line.top - 14 < top < line.top + 4 and x0 < line.x1 and x1 > line.x0 for top, x0, x1 in rules)
        marked = FOOTNOTE.match(line.text) is not None and not line.bold
        if ruled or marked:
            return rank
    return None


def goes_on(first: Paragraph, second: Paragraph) -> bool:
    """Whether a sentence of ``first`` continues in ``second``, which stands in the next column or overleaf."""
    if first.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or second.kind is not BlockKind.PARAGRAPH:
        return False
    last, begin = first.lines[-1], second.lines[0]
    if abs(last.size - begin.size) > 0.12 * max(last.size, begin.size) or last.direction != begin.direction:
        return False
    text, following = last.text.rstrip(), begin.text.lstrip()
    if TERMINAL.search(text) and not text.endswith((":", "：")):
        return False
    if text.endswith(("-", "\u2010")) and following[:1].isalpha():
        return True
    if HAN.match(following[:1]) and HAN.match(text[-1:]):
        return len(text) > 8
    return following[:1].islower() or (
        text.endswith((",", " and", " of", " the", " or", " to", " in", " for", " by", " with"))
        and following[:1].isalnum()
    )


def is_short_caption(paragraph: Paragraph) -> bool:
    """A caption is short; a paragraph that begins with "Table 3 shows" is not one."""
    return len(paragraph.lines) <= _MOST_CAPTION_LINES
