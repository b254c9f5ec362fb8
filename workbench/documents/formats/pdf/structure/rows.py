"""Lines that are rows of a table, recognised by cells with numbers in them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....blocks import BlockKind
from .text_lines import TextLine

_NUMBER = re.compile(
    r"[(\[]?[-–—+±~<>≤≥]?\s*(?:(?:US|A|C|HK)?[$€£¥])?\s*[(\[]?[-–—+±]?\s*(?:\d[\d,. \u00a0]*|\.\d+)\s*"
    r"[)\]]?\s*(?:%|bps|bp|x|pp|pts?|[万亿]?元?)?\s*[)\]]?[*†‡§]?(?:\s?\(\w{1,2}\))?",
    re.I,
)
_NOTHING = re.compile(r"[-–—−]+\s?%?|N/?[AM]\.?|nm|n\.m\.|\$\s*[-–—]+|\*+", re.I)
_YEARLIKE = re.compile(r"(?:(?:fy|q[1-4])\s?)?(?:19|20)\d\d(?:\s?\(\w\))?|\d{4}年(?:\d{1,2}月)?|q[1-4]", re.I)
_CURRENCY = frozenset({"$", "€", "£", "¥", "US$", "$ (", "(", "$(", "-", "£m", "€m"})
_CLOSING = frozenset({"%", ")", "%)", ")%", "]", "pts", "bps", "x"})
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[a-z]|[ivxlc]{1,5})(?:\.\d{1,2})*[.)\]]?", re.I)
_PROSE_WORDS, _PROSE_GAP = 7, 2.3
_BRIDGE_LINES, _BRIDGE_CHARS, _BRIDGE_PITCH = 3, 95, 4.5
_HEAD_PITCH = 2.2
_LEADS_ON = re.compile(r"\b(?:as follows|the following)\b.*:\s*$|如下[:：]\s*$", re.I)


@dataclass(frozen=True, slots=True)
class RowCell:
    """A cell of a line: its text, edges in points, and the range of the line's pieces that make it."""

    text: str
    x0: float
    x1: float
    first: int
    last: int

    @property
    def numeric(self) -> bool:
        """Whether it holds one number, or a sign that stands for none."""
        return bool(_NUMBER.fullmatch(self.text) or _NOTHING.fullmatch(self.text))

    @property
    def yearlike(self) -> bool:
        """Whether it names a year or quarter, as column heads do."""
        return bool(_YEARLIKE.fullmatch(self.text))


def cells_of(line: TextLine) -> list[RowCell]:
    """Return the cells of a line; a currency sign or closing bracket belongs to its number."""
    cells: list[RowCell] = []
    at = 0
    texts = _piece_texts(line)
    while at < len(line.pieces):
        end = at + 1
        while end < len(line.pieces) and line.pieces[end].column == line.pieces[at].column:
            end += 1
        text = " ".join(texts[at:end])
        x0, x1 = line.cell_edges[at][0], line.cell_edges[end - 1][1]
        if cells and cells[-1].text in _CURRENCY and text[:1] in "0123456789(—–-.":
            cells[-1] = RowCell(f"{cells[-1].text} {text}", cells[-1].x0, x1, cells[-1].first, end)
        elif cells and text in _CLOSING:
            cells[-1] = RowCell(cells[-1].text + text, cells[-1].x0, x1, cells[-1].first, end)
        else:
            cells.append(RowCell(text, x0, x1, at, end))
        at = end
    return cells


def _piece_texts(line: TextLine) -> list[str]:
    """The text of each piece, cut from the line's text: joints are one character wide or none."""
    texts, at = [], 0
    for rank, piece in enumerate(line.pieces):
        if rank and line.text[at : at + 1] == " " and piece.joint != 0:
            at += 1
        width = piece.end_char - piece.start_char
        texts.append(line.text[at : at + width])
        at += width
    return texts


def mark_rows(page_lines: Sequence[TextLine], pitch: float) -> None:
    """Set ``kind`` to table row on the lines of one page that are rows; ``pitch`` is its line distance in points."""
    for line in page_lines:
        if line.kind is None and (line.grid >= 0 or _is_row(line)):
            line.kind = BlockKind.TABLE_ROW
    _drop_lonely(page_lines, pitch)
    _bridge(page_lines, pitch)
    _add_heads(page_lines, pitch)


def _is_row(line: TextLine) -> bool:
    if len(line.pieces) < 2:
        return False
    cells = cells_of(line)
    if len(cells) < 2:
        return False
    numbers = sum(cell.numeric for cell in cells[1:])
    if _is_prose(line, cells):
        return False
    if numbers:
        return numbers > 1 or not _ENUMERATOR.fullmatch(cells[0].text) or len(cells) > 2
    return len(cells) >= 3 and not _ENUMERATOR.fullmatch(cells[0].text)


def _is_prose(line: TextLine, cells: list[RowCell]) -> bool:
    """Justified text has wide gaps too, but they are all about as wide, and most cells hold words."""
    words = len(line.text.split())
    if words < _PROSE_WORDS:
        return False
    widest = max(b.x0 - a.x1 for a, b in itertools.pairwise(cells))
    return widest < _PROSE_GAP * max(line.size, 4) and sum(cell.numeric for cell in cells) <= 1


def _drop_lonely(lines: Sequence[TextLine], pitch: float) -> None:
    """A row without another row near it is text with a gap, unless it has three cells and numbers."""
    rows = [line for line in lines if line.kind is BlockKind.TABLE_ROW]
    for before, line, after in zip([None, *rows], rows, [*rows[1:], None], strict=False):
        near = any(
            other is not None
            and other.region == line.region
            and abs(other.top - line.top) < _BRIDGE_PITCH * max(pitch, line.height)
            for other in (before, after)
        )
        if not near and line.grid < 0 and sum(cell.numeric for cell in cells_of(line)) < 2:
            line.kind = None


def _bridge(lines: Sequence[TextLine], pitch: float) -> None:
    """Short lines between two rows are labels of the table: section labels, or the first line of a long label."""
    at = 0
    while at < len(lines):
        if not _may_bridge(lines[at]):
            at += 1
            continue
        end = at
        while end < len(lines) and end - at <= _BRIDGE_LINES and _may_bridge(lines[end]):
            end += 1
        before = lines[at - 1] if at else None
        after = lines[end] if end < len(lines) else None
        if (
            before is not None
            and after is not None
            and end - at <= _BRIDGE_LINES
            and before.kind is after.kind is BlockKind.TABLE_ROW
            and before.grid < 0
            and after.grid < 0
            and before.region == after.region == lines[at].region
            and 0 < after.top - before.bottom < (_BRIDGE_PITCH + end - at) * max(pitch, before.height)
        ):
            for line in lines[at:end]:
                line.kind = BlockKind.TABLE_ROW
        at = max(end, at + 1)


def _add_heads(lines: Sequence[TextLine], pitch: float) -> None:
    """Lines of several cells right above the first row are the heads of its columns."""
    for rank in range(len(lines) - 1, 0, -1):
        row, line = lines[rank], lines[rank - 1]
        if row.kind is not BlockKind.TABLE_ROW or row.grid >= 0 or line.kind is not None or line.region != row.region:
            continue
        cells = cells_of(line)
        near = 0 < row.top - line.top < _HEAD_PITCH * max(pitch, line.height)
        if near and len(cells) > 1 and not _is_prose(line, cells) and not _ENUMERATOR.fullmatch(cells[0].text):
            line.kind = BlockKind.TABLE_ROW


def _may_bridge(line: TextLine) -> bool:
    # "A summary is as follows:" leads from one table to the next.
    leads_on = line.text.rstrip()[-1:] in (":", "：") and _LEADS_ON.search(line.text) is not None
    return line.kind is None and line.grid < 0 and len(line.text) < _BRIDGE_CHARS and not leads_on
