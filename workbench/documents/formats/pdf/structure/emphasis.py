"""How a line stands out from running text, and runs of lines that stand out alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .letters import has_letters, is_caps
from .marks import BULLET, NUMBERED_ITEM
from .numbering import numbering
from .styles import Typography
from .text_lines import TextLine

_LARGER = 1.09  # of the body size
_NEXT_LINE = 1.5  # of the usual line distance
_GOES_ON = re.compile(r"(?:\b(?:to|of|and|the|for|in|by|with|or|on|from|under)|,)$", re.I)


def style_run(lines: Sequence[TextLine], at: int, typography: Typography) -> int:
    """End of the run of lines in one emphasised style that begins at ``at``; ``at`` itself where none begins."""
    if not _may_begin(lines[at], typography):
        return at
    end = at + 1
    while end < len(lines) and _same_heading(lines[end - 1], lines[end], typography):
        end += 1
    return end


def _may_begin(line: TextLine, typography: Typography) -> bool:
    if line.kind is not None or not has_letters(line.text):
        return False
    return (
        is_larger(line, typography)
        or is_bold(line, typography)
        or is_set_apart(line, typography)
        or line.underlined
        or is_caps(line.text)
        or numbering(line.text) is not None
        or NUMBERED_ITEM.match(line.text) is not None
    )


def is_larger(line: TextLine, typography: Typography) -> bool:
    """Whether a line is larger than the body, in a size that no running text has."""
    return line.size >= _LARGER * typography.body_size and line.size not in typography.prose_sizes


def is_bold(line: TextLine, typography: Typography) -> bool:
    """Whether a line is bold where running text is not."""
    return line.bold and not typography.body_bold


def is_set_apart(line: TextLine, typography: Typography) -> bool:
    """Whether a line is set in italics or in a rare font."""
    return line.italic or line.font in typography.rare_fonts


def is_emphasised(line: TextLine, typography: Typography) -> bool:
    """Whether size, weight, a rule or capitals make a line stand out."""
    return is_larger(line, typography) or is_bold(line, typography) or line.underlined or is_caps(line.text)


def _same_heading(line: TextLine, following: TextLine, typography: Typography) -> bool:
    """Whether a line goes on with a heading: same style, close below, and no number of its own."""
    if following.kind is not None or following.page != line.page or following.region != line.region:
        return False
    if abs(following.size - line.size) > 0.4 or is_caps(following.text) != is_caps(line.text):
        return False
    if is_bold(line, typography) != is_bold(following, typography) or line.italic != following.italic:
        return False
    if is_set_apart(line, typography) != is_set_apart(following, typography):
        return False
    if line.underlined != following.underlined:
        return False
    if not (is_emphasised(line, typography) or is_set_apart(line, typography)):
        return False
    step = following.top - line.top
    near = 0 < step < _NEXT_LINE * max(typography.pitch(line.size), 1.1 * line.size)
    if not near or BULLET.match(following.text):
        return False
    return numbering(following.text) is None or _GOES_ON.search(line.text.rstrip()) is not None
