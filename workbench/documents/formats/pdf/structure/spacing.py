"""Where a line stands: the room above and below it, and its place in its column."""

from __future__ import annotations

from collections.abc import Mapping

from .marks import TERMINAL
from .styles import Typography, family_of
from .text_lines import TextLine

APART, WELL_APART = 1.18, 1.3
"""Of the usual line distance: a line that stands apart, and one that clearly does."""
_ONE_SIZE, _MOST_INDENT = 0.6, 3.0  # points; of the font size


def gap_above(line: TextLine, before: TextLine | None, typography: Typography, apart: float = APART) -> bool:
    """Whether a line stands apart from the one before, or begins its column."""
    if before is None or before.page != line.page or before.region != line.region or before.top > line.top:
        return True
    return line.top - before.top > apart * max(typography.pitch(line.size), before.height)


def stands_alone(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    """Whether the next line stands apart, or this one ends well before the column does."""
    if after is None or after.page != line.page or after.region != line.region:
        return True
    step = after.top - line.top
    return step <= 0 or step > APART * typography.pitch(line.size) or ends_early(line, after)


def ends_early(line: TextLine, after: TextLine | None) -> bool:
    """Whether a line ends well before the next one does."""
    return after is None or line.x1 < after.x1 - 0.3 * (after.x1 - after.x0)


def runs_on(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    """Whether the lines are the beginning of a paragraph: the next line follows closely in small letters."""
    if after is None or after.page != line.page or after.region != line.region:
        return False
    close = 0 < after.top - line.top < APART * typography.pitch(line.size)
    return close and after.text[:1].islower() and abs(after.size - line.size) < 0.6 and not TERMINAL.search(line.text)


def is_of_one_text(upper: TextLine, lower: TextLine, typography: Typography) -> bool:
    """Whether two lines follow each other as those of a paragraph do: in one style, from one left edge, closely."""
    if upper.bold != lower.bold or upper.italic != lower.italic or abs(upper.size - lower.size) > _ONE_SIZE:
        return False
    if upper.font and lower.font and family_of(upper.font) != family_of(lower.font):
        return False
    step = lower.top - upper.top
    near = 0 < step < WELL_APART * max(typography.pitch(upper.size), typography.pitch(lower.size))
    return near and abs(upper.x0 - lower.x0) < _MOST_INDENT * max(lower.size, 4)


def is_aligned(line: TextLine, edges: Mapping[tuple[int, int], tuple[float, float]]) -> bool:
    """Whether a line begins where its column does, or is centred in it; labels in a figure do neither."""
    left, right = edges[(line.page, line.region)]
    return line.x0 - left < 0.1 * (right - left) or is_centred(line, edges)


def is_centred(line: TextLine, edges: Mapping[tuple[int, int], tuple[float, float]]) -> bool:
    """Whether a line stands in the middle of its column."""
    left, right = edges[(line.page, line.region)]
    width = max(1.0, right - left)
    lead, trail = line.x0 - left, right - line.x1
    return lead > 0.1 * width and abs(lead - trail) < 0.08 * width
