"""Which lines are headings: by emphasis, wording, numbering, the room around them, and the file's outline."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ....blocks import BlockKind
from ..outline import OutlineEntry
from .emphasis import is_bold, is_emphasised, is_larger, is_set_apart, style_run
from .heading_levels import Heading, set_levels
from .letters import HAN, is_caps
from .marks import HAN_CLAUSE, TERMINAL
from .names import may_name, names_what_follows
from .numbering import BARE_NUMBER, HAN_RANKS, is_decimal, numbering
from .spacing import WELL_APART, ends_early, gap_above, is_aligned, is_centred, runs_on, stands_alone
from .styles import Typography
from .text_lines import TextLine

_SMALLEST = 0.87  # of the body size
_FEW = 3
_LONGEST, _LONGEST_APART, _LONGEST_HAN = 60, 90, 35  # characters
_LONGEST_CAPS, _FULL_LINE = 120, 30
_OVER_NUMBERS, _LAST_COVER = 40.0, 2  # points; 0-based page
_FILING_COVER = re.compile(r"securities and exchange commission", re.I)
_FORM_NAME = re.compile(r"form\s+\d{1,2}-?[A-Z]{1,2}\W*", re.I)


def find_headings(
    lines: Sequence[TextLine],
    typography: Typography,
    outline: Sequence[OutlineEntry],
    edges: Mapping[tuple[int, int], tuple[float, float]],
) -> list[Heading]:
    """Find the headings among the lines that no other rule has claimed, and give each a level from 1 to 6.

    Parameters
    ----------
    lines : sequence of TextLine
        All lines without running headers and footers, in reading order.
    edges : mapping
        Left and right edge of each column (page, region), in points.
    """
    entries: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for entry in outline:
        entries[entry.page].append((_fold(entry.title), entry.level))
    headings: list[Heading] = []
    direction = _page_directions(lines)
    at = 0
    while at < len(lines):
        sideways = lines[at].direction != direction[lines[at].page]
        end = at if sideways else style_run(lines, at, typography)
        if end == at and not sideways and lines[at].kind is None:
            end += bool(_listed(lines[at].text, entries.get(lines[at].page, ())))
        if end == at:
            at += 1
            continue
        group = list(lines[at:end])
        before = lines[at - 1] if at else None
        after = lines[end] if end < len(lines) else None
        text = _joined(group)
        listed = _listed(text, entries.get(group[0].page, ()))
        if listed or _is_heading(group, text, before, after, typography, edges):
            headings.append(Heading(group, text, outline_level=listed))
        at = end
    headings = _without_authors(_consistent(_with_names(headings), typography))
    set_levels(headings, Counter(line.page for line in lines), typography.body_size)
    return headings


def _page_directions(lines: Sequence[TextLine]) -> dict[int, int]:
    """The direction in which most of each page reads: a stamp in the margin is no heading, a sideways page has some."""
    letters: dict[int, Counter[int]] = defaultdict(Counter)
    for line in lines:
        letters[line.page][line.direction] += len(line.text)
    return {page: counts.most_common(1)[0][0] for page, counts in letters.items()}


def _joined(lines: Sequence[TextLine]) -> str:
    text = lines[0].text.strip()
    for line in lines[1:]:
        glue = "" if HAN.match(text[-1:]) and HAN.match(line.text[:1]) else " "
        text = f"{text}{glue}{line.text.strip()}"
    return text


def _fold(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _listed(text: str, entries: Sequence[tuple[str, int]]) -> int:
    """The depth of the outline entry (folded title, depth) whose title this text is, or 0."""
    folded = _fold(text) if entries else ""
    if len(folded) < 2:
        return 0
    for title, level in entries:
        if folded == title or (len(title) >= 6 and folded.endswith(title) and len(folded) - len(title) <= 8):
            return level
    return 0


def _is_heading(
    group: Sequence[TextLine],
    text: str,
    before: TextLine | None,
    after: TextLine | None,
    typography: Typography,
    edges: Mapping[tuple[int, int], tuple[float, float]],
) -> bool:
    first, last = group[0], group[-1]
    if not may_name(group, text, typography) or _is_too_small(first, after, typography):
        return False
    if _is_table_head(first, last, after) or runs_on(last, after, typography):
        return False
    larger = is_larger(first, typography)
    if larger or HAN_CLAUSE.search(text):
        return larger and not _is_long_sentence(text)
    apart = gap_above(first, before, typography)
    in_line = is_aligned(first, edges)
    if is_bold(first, typography) or first.underlined:
        return apart or text.endswith(":") or not TERMINAL.search(text)
    number = numbering(text)
    if after is not None and after.kind is BlockKind.TABLE_ROW and number is None:
        return False
    if names_what_follows(text, last, after, edges):
        return True
    if number is not None and number.rank in HAN_RANKS:
        return len(text) <= _LONGEST_HAN and not TERMINAL.search(text) and ends_early(last, after)
    alone = stands_alone(last, after, typography)
    if number is not None and number.strong:
        return apart and alone and (is_caps(text) or not TERMINAL.search(text))
    if not in_line or "=" in text:
        return False
    if is_caps(text):
        centred = is_centred(first, edges)
        several = len(text.split()) > 1 and not _is_long_sentence(text)
        return apart and alone and len(text) < _LONGEST_CAPS and (centred or several)
    if not is_set_apart(first, typography) or len(text) > _LONGEST_APART or (after and after.italic and first.italic):
        return False
    if not first.italic and not (gap_above(first, before, typography, WELL_APART) and _is_text(after, typography)):
        return False
    return apart and alone and (number is not None or not TERMINAL.search(text))


def _is_long_sentence(text: str) -> bool:
    return TERMINAL.search(text) is not None and len(text) > (_LONGEST_HAN if HAN.search(text) else _LONGEST)


def _is_text(line: TextLine | None, typography: Typography) -> bool:
    """Whether a line is running text; below a label in a figure stands another label."""
    return line is not None and line.font not in typography.rare_fonts and len(line.text) >= _FULL_LINE


def _is_too_small(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    if line.size >= _SMALLEST * typography.body_size:
        return False
    return after is None or after.page != line.page or line.size < after.size - 0.5


def _is_table_head(first: TextLine, last: TextLine, after: TextLine | None) -> bool:
    """Several cells right above a row, or a line over its numbers only, are heads of columns."""
    if after is None or after.kind is not BlockKind.TABLE_ROW or after.page != last.page:
        return False
    if not 0 < after.top - last.top < 3 * last.height:
        return False
    several = len({piece.column for piece in first.pieces}) > 1 or len({piece.column for piece in last.pieces}) > 1
    return several or min(first.x0, last.x0) > after.x0 + _OVER_NUMBERS


def _with_names(headings: list[Heading]) -> list[Heading]:
    """Join a bare "ARTICLE 3" with the name on the line below it, and leave out the cover of a filing."""
    covers = {heading.lines[0].page for heading in headings if _FILING_COVER.search(heading.text)}
    kept: list[Heading] = []
    for heading in headings:
        first = heading.lines[0]
        if first.page in covers and first.page <= _LAST_COVER and not _FORM_NAME.fullmatch(heading.text.strip()):
            continue
        last = kept[-1] if kept else None
        if last is not None and BARE_NUMBER.fullmatch(last.text) and numbering(heading.text) is None:
            above = last.lines[-1]
            step = first.top - above.top
            if above.page == first.page and above.region == first.region and 0 < step < 3 * above.height:
                last.lines.extend(heading.lines)
                last.text = f"{last.text} {heading.text}"
                continue
        kept.append(heading)
    return kept


def _consistent(headings: list[Heading], typography: Typography) -> list[Heading]:
    """Where numbered headings are set in bold, capitals or a larger font, numbered body text is a list."""
    numbered = [heading for heading in headings if is_decimal(heading.text)]
    emphasised = [heading for heading in numbered if is_emphasised(heading.lines[0], typography)]
    if len(emphasised) < max(_FEW, len(numbered) // 4):
        return headings
    plain = {id(heading) for heading in numbered} - {id(heading) for heading in emphasised}
    return [
        heading
        for heading in headings
        if id(heading) not in plain or heading.outline_level or heading.text.endswith(":")
    ]


def _without_authors(headings: list[Heading]) -> list[Heading]:
    """Between the title of a paper and its abstract stand authors and their institutions."""
    for rank, heading in enumerate(headings[:30]):
        if _fold(heading.text) in ("abstract", "摘要", "zusammenfassung", "résumé") and heading.lines[0].page == 0:
            title = max(headings[:rank], key=lambda other: other.lines[0].size, default=None)
            return headings[rank:] if title is None else [title, *headings[rank:]]
    return headings
