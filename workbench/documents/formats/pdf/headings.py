"""Which lines are headings, and how deep: by size, weight, numbering, and the file's outline."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .marks import (
    CAPTION,
    CHAPTER,
    DECIMAL,
    HAN,
    ITEM,
    LETTER,
    NOTE,
    PART,
    ROMAN,
    SECTION_WORD,
    TERMINAL,
    has_letters,
    is_caps,
)
from .outline import OutlineEntry
from .styles import Typography
from .text_lines import TextLine

_LARGER = 1.09  # of the body size
_LONGEST, _LONGEST_CJK, _MOST_LINES = 160, 60, 4
_DEEPEST = 6
_APART = 1.25  # of the usual line distance


@dataclass(slots=True)
class Heading:
    """Lines that make one heading."""

    lines: list[TextLine]
    text: str
    level: int = 0
    outline_level: int = 0


class _Style(NamedTuple):
    """Sorts headings from high to low."""

    size: float
    pattern: int
    plain: bool
    light: bool
    italic: bool


def find_headings(
    lines: Sequence[TextLine], typography: Typography, outline: Sequence[OutlineEntry]
) -> list[Heading]:
    """Find the headings among the lines that no other rule has claimed, and give each a level from 1 to 6."""
    titles: dict[int, list[OutlineEntry]] = defaultdict(list)
    for entry in outline:
        titles[entry.page].append(entry)
    headings: list[Heading] = []
    for rank, line in enumerate(lines):
        if line.kind is not None:
            continue
        before = lines[rank - 1] if rank else None
        after = lines[rank + 1] if rank + 1 < len(lines) else None
        listed = _listed(line, titles.get(line.page, ()))
        if listed == 0 and not _looks_like_heading(line, before, after, typography):
            continue
        last = headings[-1] if headings else None
        if last is not None and before is last.lines[-1] and _goes_on(last, line, typography):
            last.lines.append(line)
            last.text = f"{last.text} {line.text}"
            last.outline_level = last.outline_level or listed
        else:
            headings.append(Heading([line], line.text, outline_level=listed))
    headings = [heading for heading in headings if _is_plausible(heading)]
    _set_levels(headings, typography)
    return headings


def _fold(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _listed(line: TextLine, entries: Sequence[OutlineEntry]) -> int:
    """The depth of the outline entry whose title this line is, or 0."""
    folded = _fold(line.text)
    if len(folded) < 2:
        return 0
    for entry in entries:
        title = _fold(entry.title)
        if folded == title or (len(folded) >= 12 and title.startswith(folded)) or (
            len(title) >= 6 and folded.endswith(title) and len(folded) - len(title) <= 8
        ):
            return entry.level
    return 0


def _looks_like_heading(
    line: TextLine, before: TextLine | None, after: TextLine | None, typography: Typography
) -> bool:
    text = line.text.strip()
    limit = _LONGEST_CJK if HAN.search(text) else _LONGEST
    if line.direction != 0 or len(text) > limit or not has_letters(text) or text.endswith((",", ";", "，", "；")):
        return False
    if CAPTION.match(text):
        return False
    numbered = _pattern(text) < _NO_PATTERN
    larger = line.size >= _LARGER * typography.body_size
    bold = line.bold and not typography.body_bold
    if larger and line.size >= 1.04 * typography.body_size:
        return not (text.endswith(".") and len(text) > 90)
    if not (bold or is_caps(text) or numbered or line.italic):
        return False
    if line.size < 0.87 * typography.body_size:
        return False
    apart = _gap_above(line, before, typography)
    if bold:
        return not _runs_on(line, after, typography)
    if is_caps(text):
        return apart and len(text) < 90 and not _runs_on(line, after, typography)
    if numbered:
        return apart and _ends_short(line, after, typography) and not TERMINAL.search(text)
    return apart and line.italic and _is_alone(line, after, typography) and not TERMINAL.search(text)


def _gap_above(line: TextLine, before: TextLine | None, typography: Typography) -> bool:
    if before is None or before.page != line.page or before.region != line.region or before.top > line.top:
        return True
    return line.top - before.top > _APART * typography.pitch(line.size) or before.bold != line.bold


def _runs_on(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    """Whether the line is the beginning of a paragraph: the next line follows closely in small letters."""
    if after is None or after.page != line.page or after.region != line.region:
        return False
    close = 0 < after.top - line.top < _APART * typography.pitch(line.size)
    return close and after.text[:1].islower() and not TERMINAL.search(line.text)


def _ends_short(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    if after is None or after.page != line.page or after.region != line.region:
        return True
    return after.top - line.top > _APART * typography.pitch(line.size) or line.x1 < after.x1 - 0.25 * (after.x1 - after.x0)


def _is_alone(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    if after is None or after.page != line.page or after.region != line.region:
        return False
    return not after.italic and _ends_short(line, after, typography) and len(line.text) < 90


def _goes_on(heading: Heading, line: TextLine, typography: Typography) -> bool:
    """Whether a line is the next line of a heading: same style, close below, and no number of its own."""
    last = heading.lines[-1]
    if len(heading.lines) >= _MOST_LINES or last.page != line.page or last.region != line.region:
        return False
    if abs(last.size - line.size) > 0.4 or last.bold != line.bold or is_caps(last.text) != is_caps(line.text):
        return False
    step = line.top - last.top
    return 0 < step < 1.45 * max(typography.pitch(line.size), 1.1 * line.size) and _pattern(line.text) == _NO_PATTERN


def _is_plausible(heading: Heading) -> bool:
    return len(heading.text) <= 2 * _LONGEST and has_letters(heading.text)


_NO_PATTERN = 9


def _pattern(text: str) -> int:
    """Rank of the numbering that a heading begins with, from high to low; ``_NO_PATTERN`` without one."""
    text = text.strip()
    for rank, pattern in enumerate((PART, CHAPTER, ITEM, NOTE, SECTION_WORD)):
        if pattern.match(text):
            return rank
    if ROMAN.match(text):
        return 5
    if DECIMAL.match(text):
        return 6
    return 7 if LETTER.match(text) else _NO_PATTERN


def _depth(text: str) -> int:
    """How many numbers a decimal numbering has: 2 for "3.1 Scope"; 0 without one."""
    match = DECIMAL.match(text.strip())
    if match is None:
        return 0
    return match.group("number").count(".") + 1 if match.group("number") else 1


def _set_levels(headings: list[Heading], typography: Typography) -> None:
    styles = {id(heading): _style(heading, typography) for heading in headings}
    title = _title(headings, styles)
    ranked = [style for style in sorted(set(styles.values()), key=_order)]
    if title is not None and any(style.pattern == 0 for style in ranked):
        # Where a document has parts, its title stands beside them, not above.
        ranked = [style for style in ranked if style != styles[id(title)]]
    levels = _merged_levels(ranked, Counter(styles.values()))
    for heading in headings:
        heading.level = min(_DEEPEST, levels.get(styles[id(heading)], 1))
    _nest_decimals(headings)
    for heading in headings:
        if heading.outline_level:
            heading.level = min(_DEEPEST, heading.outline_level)


def _style(heading: Heading, typography: Typography) -> _Style:
    line = heading.lines[0]
    pattern = _pattern(heading.text)
    size = max(round(2 * line.size) / 2, typography.body_size if pattern < _NO_PATTERN else 0.0)
    return _Style(size, pattern, not is_caps(heading.text), not line.bold, line.italic)


def _order(style: _Style) -> tuple[float, int, bool, bool, bool]:
    return (-style.size, style.pattern, style.plain, style.light, style.italic)


def _title(headings: list[Heading], styles: dict[int, _Style]) -> Heading | None:
    """The largest heading of the first page, where no other heading has its style."""
    first = [heading for heading in headings if heading.lines[0].page == 0]
    if not first:
        return None
    best = min(first, key=lambda heading: _order(styles[id(heading)]))
    return best if sum(style == styles[id(best)] for style in styles.values()) == 1 else None


def _merged_levels(ranked: list[_Style], counts: Counter[_Style]) -> dict[_Style, int]:
    """Give each style a level; styles of one size that differ only a little share one."""
    levels: dict[_Style, int] = {}
    level = 0
    before: _Style | None = None
    for style in ranked:
        similar = (
            before is not None
            and abs(before.size - style.size) < 0.6
            and before.pattern == style.pattern
            and before.plain == style.plain
            and before.light == style.light
        )
        if not similar:
            level += 1
        levels[style] = level
        before = style
    del counts
    return levels


def _nest_decimals(headings: list[Heading]) -> None:
    """A heading numbered 3.1 stands one level below the one numbered 3."""
    tops = Counter(heading.level for heading in headings if _depth(heading.text) == 1)
    if not tops:
        return
    base = min(level for level, count in tops.items() if count == max(tops.values()))
    for heading in headings:
        depth = _depth(heading.text)
        if depth > 1 and re.match(r"\d", heading.text.strip()):
            heading.level = min(_DEEPEST, base + depth - 1)
