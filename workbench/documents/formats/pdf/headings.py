"""Which lines are headings: by size, weight, capitals, numbering, room around them, and the file's outline."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from ...blocks import BlockKind
from .heading_levels import HAN_RANKS, Heading, is_decimal, numbering, set_levels
from .marks import (
    ADDRESS,
    ADMONITION,
    BARE_NUMBER,
    BRACKETED,
    BULLET,
    CAPTION,
    DATE_ONLY,
    ENUMERATOR,
    FILING_COVER,
    FORM_NAME,
    GOES_ON,
    HAN,
    NO_NAME,
    NOT_A_NAME,
    NUMBERED_ITEM,
    SECOND_SENTENCE,
    TERMINAL,
    has_letters,
    is_caps,
    is_title_case,
    successors,
)
from .outline import OutlineEntry
from .styles import Typography
from .text_lines import TextLine

_LARGER = 1.09  # of the body size
_SMALLEST = 0.87
_MOST_CHARS, _MOST_CHARS_CJK, _MOST_LINES = 230, 70, 4
_APART, _WELL_APART = 1.18, 1.3  # of the usual line distance
_NEXT_LINE = 1.5
_FEW = 3
_LONGEST_APART, _LONGEST_NAME, _FULL_LINE = 90, 70, 30
_CELL_GAP = 2.5  # of the font size
_OVER_NUMBERS, _LAST_COVER = 40.0, 2  # points; 0-based page


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
    entries: dict[int, list[OutlineEntry]] = defaultdict(list)
    for entry in outline:
        entries[entry.page].append(entry)
    headings: list[Heading] = []
    direction = _page_directions(lines)
    at = 0
    while at < len(lines):
        sideways = lines[at].direction != direction[lines[at].page]
        end = at if sideways else _style_run(lines, at, typography)
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


def _style_run(lines: Sequence[TextLine], at: int, typography: Typography) -> int:
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
        _is_larger(line, typography)
        or _is_bold(line, typography)
        or _is_set_apart(line, typography)
        or line.underlined
        or is_caps(line.text)
        or numbering(line.text) is not None
        or NUMBERED_ITEM.match(line.text) is not None
    )


def _is_larger(line: TextLine, typography: Typography) -> bool:
    return line.size >= _LARGER * typography.body_size and line.size not in typography.prose_sizes


def _is_bold(line: TextLine, typography: Typography) -> bool:
    return line.bold and not typography.body_bold


def _is_set_apart(line: TextLine, typography: Typography) -> bool:
    return line.italic or line.font in typography.rare_fonts


def _is_emphasised(line: TextLine, typography: Typography) -> bool:
    return _is_larger(line, typography) or _is_bold(line, typography) or line.underlined or is_caps(line.text)


def _same_heading(line: TextLine, following: TextLine, typography: Typography) -> bool:
    """Whether a line goes on with a heading: same style, close below, and no number of its own."""
    if following.kind is not None or following.page != line.page or following.region != line.region:
        return False
    if abs(following.size - line.size) > 0.4 or is_caps(following.text) != is_caps(line.text):
        return False
    if _is_bold(line, typography) != _is_bold(following, typography) or line.italic != following.italic:
        return False
    if _is_set_apart(line, typography) != _is_set_apart(following, typography):
        return False
    if line.underlined != following.underlined:
        return False
    if not (_is_emphasised(line, typography) or _is_set_apart(line, typography)):
        return False
    step = following.top - line.top
    near = 0 < step < _NEXT_LINE * max(typography.pitch(line.size), 1.1 * line.size)
    if not near or BULLET.match(following.text):
        return False
    return numbering(following.text) is None or GOES_ON.search(line.text.rstrip()) is not None


def _joined(lines: Sequence[TextLine]) -> str:
    text = lines[0].text.strip()
    for line in lines[1:]:
        glue = "" if HAN.match(text[-1:]) and HAN.match(line.text[:1]) else " "
        text = f"{text}{glue}{line.text.strip()}"
    return text


def _fold(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _listed(text: str, entries: Sequence[OutlineEntry]) -> int:
    """The depth of the outline entry whose title this text is, or 0."""
    folded = _fold(text)
    if len(folded) < 2:
        return 0
    for entry in entries:
        title = _fold(entry.title)
        if folded == title or (len(title) >= 6 and folded.endswith(title) and len(folded) - len(title) <= 8):
            return entry.level
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
    if not _may_name(group, text, typography) or _is_too_small(first, after, typography):
        return False
    if _is_table_head(first, last, after) or _runs_on(last, after, typography):
        return False
    if _is_larger(first, typography):
        return not (TERMINAL.search(text) and len(text) > 60)
    apart = _gap_above(first, before, typography)
    in_line = _is_aligned(first, edges)
    if _is_bold(first, typography) or first.underlined:
        return apart or text.endswith(":") or not TERMINAL.search(text)
    number = numbering(text)
    if after is not None and after.kind is BlockKind.TABLE_ROW and number is None:
        return False
    if _names_what_follows(text, last, after, edges):
        return True
    if number is not None and number.rank in HAN_RANKS:
        return len(text) <= _MOST_CHARS_CJK // 2 and not TERMINAL.search(text) and _ends_early(last, after)
    alone = _stands_alone(last, after, typography)
    if number is not None and number.strong:
        return apart and alone and (is_caps(text) or not TERMINAL.search(text))
    if not in_line or "=" in text:
        return False
    if is_caps(text):
        centred = _is_centred(first, edges)
        return apart and alone and len(text) < 120 and (centred or len(text.split()) > 1)
    if not _is_set_apart(first, typography) or len(text) > _LONGEST_APART or (after and after.italic and first.italic):
        return False
    if not first.italic and not (_gap_above(first, before, typography, _WELL_APART) and _is_text(after, typography)):
        return False
    return apart and alone and (number is not None or not TERMINAL.search(text))


def _is_text(line: TextLine | None, typography: Typography) -> bool:
    """Whether a line is running text; below a label in a figure stands another label."""
    return line is not None and line.font not in typography.rare_fonts and len(line.text) >= _FULL_LINE


def _may_name(group: Sequence[TextLine], text: str, typography: Typography) -> bool:
    """Whether a text can be a name at all, whatever its style."""
    limit = _MOST_CHARS_CJK if HAN.search(text) else _MOST_CHARS
    if len(group) > _MOST_LINES or len(text) > limit:
        return False
    if text.endswith((",", ";", "，", "；", "：")) or CAPTION.match(text) or BULLET.match(text):
        return False
    if text.endswith(":") and not (_is_emphasised(group[0], typography) or NUMBERED_ITEM.match(text)):
        return False
    if _begins_small(text) or SECOND_SENTENCE.search(text) or ADMONITION.fullmatch(text):
        return False
    if BRACKETED.fullmatch(text) or NOT_A_NAME.search(text) or any(map(_is_row_of_cells, group)):
        return False
    return not (ADDRESS.search(text) or DATE_ONLY.fullmatch(text))


def _is_row_of_cells(line: TextLine) -> bool:
    """Whether wide gaps part a line; the gap behind a number ("4.   Fees") does not count."""
    for rank in range(1, len(line.pieces)):
        gap = line.cell_edges[rank][0] - line.cell_edges[rank - 1][1]
        if gap > _CELL_GAP * max(line.size, 4) and not (rank == 1 and _is_label(line)):
            return True
    return False


def _is_label(line: TextLine) -> bool:
    first = line.text[: line.pieces[0].end_char - line.pieces[0].start_char]
    return BARE_NUMBER.fullmatch(first) is not None or ENUMERATOR.fullmatch(first) is not None


def _is_too_small(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    if line.size >= _SMALLEST * typography.body_size:
        return False
    return after is None or after.page != line.page or line.size < after.size - 0.5


def _names_what_follows(
    text: str, last: TextLine, after: TextLine | None, edges: Mapping[tuple[int, int], tuple[float, float]]
) -> bool:
    """Whether "(a) Development" is the name of a clause: text follows on its own line, not the next item of a list."""
    mark = NUMBERED_ITEM.match(text)
    if mark is None or after is None or after.page != last.page or after.kind is BlockKind.TABLE_ROW:
        return False
    name = text[mark.end() :]
    left, right = edges[(last.page, last.region)]
    short = last.x1 < left + 0.6 * (right - left)
    if not short or len(name) > _LONGEST_NAME or not is_title_case(name) or NO_NAME.search(name):
        return False
    following = NUMBERED_ITEM.match(after.text)
    if following is not None:
        return not _is_next(mark.group(), following.group())
    return after.text[:1].isupper() or after.text[:1] in '“"(['


def _is_next(mark: str, following: str) -> bool:
    """Whether one enumerator follows another, as "(b)" follows "(a)"; "(i)" after "(a)" begins a list of its own."""
    shape, value = _enumerator(mark)
    next_shape, next_value = _enumerator(following)
    return shape == next_shape and value != next_value and next_value in successors(value)


def _enumerator(mark: str) -> tuple[str, str]:
    mark = mark.strip()
    value = "".join(character for character in mark if character.isalnum())
    return mark.replace(value, "#"), value.lower()


def _is_aligned(line: TextLine, edges: Mapping[tuple[int, int], tuple[float, float]]) -> bool:
    """Whether a line begins where its column does, or is centred in it; labels in a figure do neither."""
    left, right = edges[(line.page, line.region)]
    return line.x0 - left < 0.1 * (right - left) or _is_centred(line, edges)


def _is_centred(line: TextLine, edges: Mapping[tuple[int, int], tuple[float, float]]) -> bool:
    left, right = edges[(line.page, line.region)]
    width = max(1.0, right - left)
    lead, trail = line.x0 - left, right - line.x1
    return lead > 0.1 * width and abs(lead - trail) < 0.08 * width


def _is_table_head(first: TextLine, last: TextLine, after: TextLine | None) -> bool:
    """Several cells right above a row, or a line over its numbers only, are heads of columns."""
    if after is None or after.kind is not BlockKind.TABLE_ROW or after.page != last.page:
        return False
    if not 0 < after.top - last.top < 3 * last.height:
        return False
    several = len({piece.column for piece in first.pieces}) > 1 or len({piece.column for piece in last.pieces}) > 1
    return several or min(first.x0, last.x0) > after.x0 + _OVER_NUMBERS


def _gap_above(line: TextLine, before: TextLine | None, typography: Typography, apart: float = _APART) -> bool:
    if before is None or before.page != line.page or before.region != line.region or before.top > line.top:
        return True
    return line.top - before.top > apart * max(typography.pitch(line.size), before.height)


def _stands_alone(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    """Whether the next line stands apart, or this one ends well before the column does."""
    if after is None or after.page != line.page or after.region != line.region:
        return True
    step = after.top - line.top
    return step <= 0 or step > _APART * typography.pitch(line.size) or _ends_early(line, after)


def _ends_early(line: TextLine, after: TextLine | None) -> bool:
    return after is None or line.x1 < after.x1 - 0.3 * (after.x1 - after.x0)


def _runs_on(line: TextLine, after: TextLine | None, typography: Typography) -> bool:
    """Whether the lines are the beginning of a paragraph: the next line follows closely in small letters."""
    if after is None or after.page != line.page or after.region != line.region:
        return False
    close = 0 < after.top - line.top < _APART * typography.pitch(line.size)
    return close and after.text[:1].islower() and abs(after.size - line.size) < 0.6 and not TERMINAL.search(line.text)


def _begins_small(text: str) -> bool:
    letter = next((character for character in text if character.isalnum()), "")
    return letter.islower() and numbering(text) is None and NUMBERED_ITEM.match(text) is None


def _with_names(headings: list[Heading]) -> list[Heading]:
    """Join a bare "ARTICLE 3" with the name on the line below it, and leave out the cover of a filing."""
    covers = {heading.lines[0].page for heading in headings if FILING_COVER.search(heading.text)}
    kept: list[Heading] = []
    for heading in headings:
        first = heading.lines[0]
        if first.page in covers and first.page <= _LAST_COVER and not FORM_NAME.fullmatch(heading.text.strip()):
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
    emphasised = [heading for heading in numbered if _is_emphasised(heading.lines[0], typography)]
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
