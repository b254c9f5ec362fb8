"""Where long code is cut: between definitions, at blank lines, at line ends, and only then inside a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...draft import Span
from ..lines import Line, split_lines

_INSIDE_LINE = re.compile(r"[;{},>]|\s+")


def cut_code(text: str, span: Span, limit: int) -> Iterator[Span]:
    """Cut a range of code into parts of at most ``limit`` characters, in order and without a gap.

    A part ends before the last blank line that fits, else at the last line end that fits, else (minified code)
    after a mark or space inside the line.
    """
    start = span.start
    lines = split_lines(text, span.start, span.end)
    rank = 0
    while start < span.end:
        fits = rank
        blank = -1
        while fits < len(lines) and lines[fits].end - start <= limit:
            if fits > rank and not text[lines[fits].start : lines[fits].end].strip():
                blank = fits
            fits += 1
        if fits == len(lines):
            yield Span(start, span.end)
            return
        if fits == rank:
            cut = _inside(text, start, limit)
            yield Span(start, cut)
            start = cut
            continue
        stop = blank + 1 if blank >= 0 and lines[blank].end - start > limit // 4 else fits
        yield Span(start, lines[stop].start)
        start, rank = lines[stop].start, stop


def cut_at_margin(text: str, lines: list[Line]) -> Iterator[list[Line]]:
    """Group lines into top-level pieces: a new one begins after a blank line, at a line without indentation."""
    group: list[Line] = []
    after_blank = False
    for line in lines:
        head = text[line.start : line.start + 1] if line.end > line.start else ""
        if not text[line.start : line.end].strip():
            after_blank = True
        elif after_blank and head.strip() and head not in ")]}" and group:
            yield group
            group = []
            after_blank = False
        else:
            after_blank = False
        group.append(line)
    if group:
        yield group


def _inside(text: str, start: int, limit: int) -> int:
    window = text[start : start + limit]
    cut = limit
    for match in _INSIDE_LINE.finditer(window, limit // 2):
        cut = match.end()
    return start + cut
