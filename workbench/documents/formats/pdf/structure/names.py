"""Whether words can be the name of what follows: their length, ending and wording, whatever their style."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ....blocks import BlockKind
from .emphasis import is_emphasised
from .letters import HAN, is_title_case
from .marks import BULLET, CAPTION, NUMBERED_ITEM
from .numbering import is_enumerator, is_next, numbering
from .styles import Typography
from .text_lines import TextLine

_MOST_CHARS, _MOST_CHARS_CJK, _MOST_LINES = 230, 70, 4
_LONGEST_NAME = 70
_CELL_GAP = 2.5  # of the font size
_ADMONITION = re.compile(r"(?:warning|caution|note|notice|danger|attention|important|tip)s?\s*[!:.]*", re.I)
_NOT_A_NAME = re.compile(
    r"[=∂∈∑∫√≤≥<>_]|[$€£]\s?\d|^(?:total|totals|subtotal|and|between|by|dated?|signature|page|n/a)\W*$", re.I
)
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NO_NAME = re.compile(r"[\d=∈∩∪⊂→;_]")
_SECOND_SENTENCE = re.compile(r"[a-z\u00df-\u00ff]{3}[.?!]\s+[A-Z(]")
_ADDRESS = re.compile(
    r"@|/s/|^by:|\bwww\.|https?:|\(\d{3}\)\s*\d{3}|\b\d{3}-\d{4}\b|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b|^\d{2,5}\s+(?:\w+\.?\s+){1,4}"
    r"(?:street|st|avenue|ave|road|rd|drive|blvd|boulevard|way|lane|suite)\b|\bp\.?o\.? box\b|D\.C\.\s+\d{5}",
    re.I,
)
_DATE_ONLY = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?(?:(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december)\s+\d{1,2},?\s+\d{4}|\d{1,2}\s+\w{3,9}\s+\d{4})",
    re.I,
)


def may_name(group: Sequence[TextLine], text: str, typography: Typography) -> bool:
    """Whether a text can be a name at all, whatever its style."""
    limit = _MOST_CHARS_CJK if HAN.search(text) else _MOST_CHARS
    if len(group) > _MOST_LINES or len(text) > limit:
        return False
    if text.endswith((",", ";", "，", "；", "：")) or CAPTION.match(text) or BULLET.match(text):
        return False
    if text.endswith(":") and not (is_emphasised(group[0], typography) or NUMBERED_ITEM.match(text)):
        return False
    if _begins_small(text) or _SECOND_SENTENCE.search(text) or _ADMONITION.fullmatch(text):
        return False
    if _BRACKETED.fullmatch(text) or _NOT_A_NAME.search(text) or any(map(_is_row_of_cells, group)):
        return False
    return not (_ADDRESS.search(text) or _DATE_ONLY.fullmatch(text))


def _begins_small(text: str) -> bool:
    letter = next((character for character in text if character.isalnum()), "")
    return letter.islower() and numbering(text) is None and NUMBERED_ITEM.match(text) is None


def _is_row_of_cells(line: TextLine) -> bool:
    """Whether wide gaps part a line; the gap behind a number ("4.   Fees") does not count."""
    for rank in range(1, len(line.pieces)):
        gap = line.cell_edges[rank][0] - line.cell_edges[rank - 1][1]
        if gap > _CELL_GAP * max(line.size, 4) and not (rank == 1 and _is_label(line)):
            return True
    return False


def _is_label(line: TextLine) -> bool:
    return is_enumerator(line.text[: line.pieces[0].end_char - line.pieces[0].start_char])


def names_what_follows(
    text: str, last: TextLine, after: TextLine | None, edges: Mapping[tuple[int, int], tuple[float, float]]
) -> bool:
    """Whether "(a) Development" is the name of a clause: text follows on its own line, not the next item of a list."""
    mark = NUMBERED_ITEM.match(text)
    if mark is None or after is None or after.page != last.page or after.kind is BlockKind.TABLE_ROW:
        return False
    name = text[mark.end() :]
    left, right = edges[(last.page, last.region)]
    short = last.x1 < left + 0.6 * (right - left)
    if not short or len(name) > _LONGEST_NAME or not is_title_case(name) or _NO_NAME.search(name):
        return False
    following = NUMBERED_ITEM.match(after.text)
    if following is not None:
        return not is_next(mark.group(), following.group())
    return after.text[:1].isupper() or after.text[:1] in '“"(['
