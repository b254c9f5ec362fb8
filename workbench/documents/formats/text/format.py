"""Plain text and logs: paragraphs by blank lines, headings and lists by conservative rules.

The text layer is the decoded file. A form feed begins a new page.
"""

from __future__ import annotations

import re
from collections import Counter

from ....errors import LimitExceeded
from ...blocks import BlockKind
from ...draft import Draft, Span
from ...registry import Format
from ...source import ParseContext, Source
from ..decoding import decoded_file, head_text
from ..emptiness import warn_if_nothing_read
from ..lines import Line, divided, split_lines, trimmed
from ..pacing import Pace, warn_if_empty
from .headings import TITLE_LEVEL, close_gaps, is_title
from .patterns import is_log_entry
from .prose import ProseReader

SUFFIXES = (".txt", ".text", ".log", ".asc", ".out", ".err", ".srt", ".vtt")
_FEWEST_LOG_LINES = 3
_LOG_SAMPLE = 200
_FEWEST_PAGES = 3


def sniff(source: Source) -> float:
    """Accept whatever can be decoded, with little certainty: every other format may know better."""
    return 0.0 if head_text(source) is None else 0.2


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a text file.

    Raises
    ------
    DamagedFile
        If the file holds binary data.
    LimitExceeded
        If it has more pages than ``max_pages`` or takes longer than ``max_seconds``, and ``partial`` is not set.
    """
    draft = Draft(line_based=True)
    text = decoded_file(source, draft)
    pages = _write_pages(draft, text, source.name, context)
    if warn_if_empty(draft, source.name, text):
        return draft
    pace = Pace(draft, context, source.name, len(text))
    end = pages[-1].end
    lines = [split_lines(text, page.start, page.end) for page in pages]
    add = _add_log if _is_log(text, lines) else _add_prose
    at = add(draft, text, lines, pace)
    if at < end:
        pace.give_up(Span(at, end))
    warn_if_nothing_read(draft, source.name)
    return draft


def _write_pages(draft: Draft, text: str, name: str, context: ParseContext) -> list[Span]:
    starts = [0, *(match.end() for match in re.finditer("\f", text) if match.end() < len(text))]
    limit = context.options.max_pages
    ends = [*starts[1:], len(text)]
    if len(starts) > limit:
        if not context.options.partial:
            raise LimitExceeded(
                f"{name} has {len(starts):,} pages; raise max_pages, or set partial=True to keep the first ones.",
                setting="max_pages",
                limit=limit,
                value=len(starts),
            )
        draft.warn("truncated", f"Only the first {limit:,} of {len(starts):,} pages of {name} were read (max_pages).")
        draft.exclude(Span(starts[limit], len(text)), "beyond max_pages")
    for start, end in zip(starts, ends, strict=True):
        if len(draft.pages) < limit:
            draft.begin_page()
        draft.write(text[start:end])
    return [Span(start, end) for start, end in zip(starts[:limit], ends[:limit], strict=True)]


def _is_log(text: str, pages: list[list[Line]]) -> bool:
    sample: list[str] = []
    for line in (line for lines in pages for line in lines):
        if text[line.start : line.end].strip():
            sample.append(text[line.start : min(line.end, line.start + 200)])
        if len(sample) == _LOG_SAMPLE:
            break
    entries = sum(is_log_entry(line) for line in sample)
    return entries >= _FEWEST_LOG_LINES and entries >= 0.5 * len(sample)


def _add_log(draft: Draft, text: str, pages: list[list[Line]], pace: Pace) -> int:
    """One block an entry; the lines that follow an entry (a traceback) are one block of code."""
    for page, lines in enumerate(pages):
        waiting: Span | None = None
        for line in lines:
            if not pace.goes_on(line.start):
                return line.start if waiting is None else waiting.start
            if is_log_entry(text[line.start : min(line.end, line.start + 200)]):
                _add_followers(draft, waiting, page)
                waiting = None
                for part in divided(text, trimmed(text, line.start, line.end)):
                    draft.add(BlockKind.PARAGRAPH, part, page=page)
            elif text[line.start : line.end].strip():
                waiting = Span(line.start if waiting is None else waiting.start, line.end)
        _add_followers(draft, waiting, page)
    return pages[-1][-1].after if pages[-1] else 0


def _add_followers(draft: Draft, lines: Span | None, page: int) -> None:
    if lines is not None:
        draft.add(BlockKind.CODE, lines, page=page)


def _add_prose(draft: Draft, text: str, pages: list[list[Line]], pace: Pace) -> int:
    furniture = _running_lines(text, pages)
    reader = ProseReader(draft, text)
    at = 0
    for page, lines in enumerate(pages):
        reader.page = page
        run: list[Line] = []
        for line in lines:
            if not pace.goes_on(line.start):
                close_gaps(draft)
                return run[0].start if run else line.start
            kind = furniture.get(line.start)
            if kind is None and text[line.start : line.end].strip():
                run.append(line)
                continue
            if run and page == 0 and not draft.blocks and is_title(text, run):
                reader.add_heading(run, TITLE_LEVEL)
            else:
                reader.add_run(run)
            run = []
            if kind is not None:
                draft.add(kind, Span(line.start, line.end), page=page)
        # What a page ends with has no blank line after it: no title.
        reader.add_run(run)
        at = lines[-1].after if lines else at
    close_gaps(draft)
    return at


def _running_lines(text: str, pages: list[list[Line]]) -> dict[int, BlockKind]:
    """First and last lines that recur, but for their numbers, on half of the pages: never a fixed stripe."""
    if len(pages) < _FEWEST_PAGES:
        return {}
    found: dict[int, BlockKind] = {}
    filled = [[line for line in lines if text[line.start : line.end].strip()] for lines in pages]
    for kind, rank in ((BlockKind.HEADER, 0), (BlockKind.FOOTER, -1)):
        edges = [lines[rank] for lines in filled if len(lines) > 1]
        keys = [re.sub(r"\d+|\s+", "#", text[line.start : line.end].strip()) for line in edges]
        counts = Counter(keys)
        for line, key in zip(edges, keys, strict=True):
            if counts[key] >= max(_FEWEST_PAGES, 0.5 * len(pages)):
                found[line.start] = kind
    return found


FORMAT = Format(name="text", suffixes=SUFFIXES, sniff=sniff, parse=parse, version=3, truncatable=True)
