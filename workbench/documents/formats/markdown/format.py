"""Markdown: blocks are verbatim slices, marks such as ``#`` and ``-`` are named exclusions.

The text layer is the decoded file. Block structure comes from markdown-it-py's line maps; inline marks stay in
the text, because they may be part of what it says (``a*b``, ``snake_case``).
"""

from __future__ import annotations

import re

from ...draft import Draft, Span
from ...registry import Format
from ...source import ParseContext, Source
from ..decoding import decoded_draft, head_text
from ..emptiness import warn_if_nothing_read
from ..pacing import Pace, warn_if_empty
from .blocks import MarkdownReader

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd")

_MARKS = (
    re.compile(r"^#{1,6} \S", re.MULTILINE),
    re.compile(r"^[-*+] \S.*\n+[-*+] \S", re.MULTILINE),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^\|?[ ]*:?-{3,}:?[ ]*\|", re.MULTILINE),
    re.compile(r"\[[^\]\n]+\]\([^)\s]+\)"),
    re.compile(r"\*\*\S[^*\n]*\*\*"),
    re.compile(r"\A---\n(?:.*\n)*?---\n"),
)


def sniff(source: Source) -> float:
    """Count the kinds of mark that the first lines use."""
    text = head_text(source)
    if text is None:
        return 0.0
    found = sum(mark.search(text) is not None for mark in _MARKS)
    if source.suffix in SUFFIXES:
        return min(0.9, 0.3 + 0.15 * found)
    return min(0.6, 0.15 * found) if found > 1 else 0.05


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a Markdown file.

    Raises
    ------
    DamagedFile
        If the file holds binary data.
    LimitExceeded
        If it takes longer than ``max_seconds`` and ``partial`` is not set.
    """
    draft, text = decoded_draft(source)
    if warn_if_empty(draft, source.name, text):
        return draft
    reader = MarkdownReader(draft, text, max_code_chars=4 * context.options.max_block_chars)
    pace = Pace(draft, context, source.name, len(text))
    for end in reader.steps():
        if end < len(text) and not pace.goes_on(end):
            pace.give_up(Span(end, len(text)))
            break
    warn_if_nothing_read(draft, source.name)
    return draft


FORMAT = Format(name="markdown", suffixes=SUFFIXES, sniff=sniff, parse=parse, version=3, truncatable=True)
