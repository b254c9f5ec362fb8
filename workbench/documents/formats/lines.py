"""Lines of a text layer: where they begin and end, and how wrapped lines join to running text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..anchors import JOINT_LINE, JOINT_NONE, JOINT_SPACE, Piece
from ..draft import Span
from ..sentences import sentence_starts

LONGEST_PARAGRAPH = 8_192
"""A paragraph of more characters (a file in one line) is divided before its sentences are looked at, so that
the work stays linear in the file's length."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_SPACE_RUN = re.compile(r"\s+")
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_WIDE = re.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]")


class Line(NamedTuple):
    """A line of a text layer; ``end`` excludes its line break, ``after`` includes it."""

    start: int
    end: int
    after: int


def split_lines(text: str, start: int = 0, end: int | None = None) -> list[Line]:
    r"""Return the lines of a range of a text, broken at ``\n``, ``\r\n`` and ``\r``.

    Examples
    --------
    >>> [(line.start, line.end) for line in split_lines("a\r\n\r\nb")]
    [(0, 1), (3, 3), (5, 6)]
    """
    stop = len(text) if end is None else end
    lines: list[Line] = []
    at = start
    for match in _LINE_END.finditer(text, start, stop):
        lines.append(Line(at, match.start(), match.end()))
        at = match.end()
    if at < stop:
        lines.append(Line(at, stop, stop))
    return lines


def is_wide(char: str) -> bool:
    """Say whether a character is written without spaces around it (Chinese, kana, full-width signs)."""
    return _WIDE.match(char) is not None


def without_escapes(text: str) -> str:
    """Return a text without the escape codes that colour a terminal: they are no part of what a line says."""
    return _ESCAPES.sub("", text) if "\x1b" in text else text


def wrap_joint(left: str, right: str) -> int:
    """Return the joint between two lines of one paragraph, by the characters that meet.

    Examples
    --------
    >>> wrap_joint("e", "t"), wrap_joint("中", "文"), wrap_joint("-", "t")
    (1, 0, 0)
    """
    if is_wide(left) and is_wide(right):
        return JOINT_NONE
    if left == "-" and right.islower():
        return JOINT_NONE
    return JOINT_SPACE


def trimmed(text: str, start: int, end: int) -> Span:
    """Return the range without white space at its ends; an empty range stands at ``start``."""
    body = text[start:end]
    kept = body.strip()
    if not kept:
        return Span(start, start)
    low = start + len(body) - len(body.lstrip())
    return Span(low, low + len(kept))


def joined_lines(text: str, spans: Sequence[Span], *, keep_lines: bool = False) -> list[Piece]:
    """Return the pieces of one block from the ranges of its lines, in order.

    With ``keep_lines`` the lines stay apart (verse, columns, addresses); else they read as running text.
    """
    pieces: list[Piece] = []
    for span in spans:
        low, high = trimmed(text, span.start, span.end)
        if low == high:
            continue
        joint = JOINT_NONE
        if pieces and pieces[-1].end_char < low:
            joint = JOINT_LINE if keep_lines else wrap_joint(text[pieces[-1].end_char - 1], text[low])
        pieces.append(Piece(low, high, joint))
    return pieces


def divided(text: str, span: Span, limit: int = LONGEST_PARAGRAPH) -> Iterator[Span]:
    """Divide a range that is too long for one paragraph: at a sentence start, else at white space, else anywhere."""
    start = span.start
    while span.end - start > limit:
        window = text[start : start + limit]
        starts = sentence_starts(window)
        cut = starts[-1] if starts else 0
        if cut < limit // 4:
            spaces = [match.end() for match in _SPACE_RUN.finditer(window, limit // 4)]
            cut = spaces[-1] if spaces else limit
        yield Span(start, start + cut)
        start += cut
    if start < span.end:
        yield Span(start, span.end)
