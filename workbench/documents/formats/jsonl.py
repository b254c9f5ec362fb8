"""JSON lines: each line is a value of its own.

The text layer is the decoded file; a block's locator is "line 3", or "line 3 $.key" in a line that is long.
"""

from __future__ import annotations

from ...errors import DamagedFile
from ..blocks import BlockKind
from ..draft import Draft, Span
from ..registry import Format
from ..source import HEAD_BYTES, ParseContext, Source
from .decoding import decoded_draft, head_text
from .emptiness import warn_if_nothing_read
from .json.blocks import JsonReader
from .json.scan import OPEN, JsonError, scan
from .lines import divided, split_lines, trimmed
from .pacing import Pace, warn_if_empty

SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")
_LINES_NAMED = 10
_MOST_CHARS_AT_ONCE = 65_536


def sniff(source: Source) -> float:
    """Most complete lines of the head must be JSON objects or arrays; one alone may as well be a JSON file."""
    text = head_text(source)
    if text is None:
        return 0.0
    expected = source.suffix in SUFFIXES
    lines = [line for line in split_lines(text) if text[line.start : line.end].strip()]
    if len(source.head) == HEAD_BYTES:
        if len(lines) == 1:
            return 0.3 if expected and text.lstrip().startswith(("{", "[")) else 0.0
        lines = lines[:-1]
    if not lines:
        return 0.2 if expected else 0.0
    sound = sum(_is_value(text, line.start, line.end, any_value=expected) for line in lines)
    if sound == 0:
        return 0.0
    if len(lines) == 1:
        return 0.5 if expected else 0.1
    return _certainty(sound / len(lines), expected)


def _certainty(share: float, expected: bool) -> float:
    if share == 1:
        # A log of JSON lines that its writer calls text stays text.
        return 0.95 if expected else 0.85
    return max(0.2, 0.6 * share) if expected else 0.6 * share * (share > 0.5)


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a file of JSON lines; a line that is not JSON is kept as a paragraph, with a warning.

    Raises
    ------
    DamagedFile
        If no line is JSON.
    LimitExceeded
        If it takes longer than ``max_seconds`` and ``partial`` is not set.
    """
    draft, text = decoded_draft(source)
    if warn_if_empty(draft, source.name, text):
        return draft
    reader = JsonReader(draft, text, limit=context.options.max_block_chars, split_top=False)
    pace = Pace(draft, context, source.name, len(text))
    bad: list[int] = []
    total = 0
    for number, line in enumerate(split_lines(text), start=1):
        if not pace.goes_on(line.start):
            pace.give_up(Span(line.start, len(text)))
            break
        span = trimmed(text, line.start, line.end)
        if span.end > span.start:
            total += 1
            if not _add_line(draft, reader, text, span, f"line {number}"):
                bad.append(number)
    _report_bad(draft, source.name, bad, total)
    warn_if_nothing_read(draft, source.name)
    return draft


def _add_line(draft: Draft, reader: JsonReader, text: str, span: Span, locator: str) -> bool:
    """Add the blocks of one line and say whether it was JSON."""
    blocks, exclusions = len(draft.blocks), len(draft.exclusions)
    try:
        reader.read(span.start, span.end, locator=locator)
    except JsonError:
        del draft.blocks[blocks:], draft.exclusions[exclusions:]
        for part in divided(text, span, _MOST_CHARS_AT_ONCE):
            draft.add(BlockKind.PARAGRAPH, part, locator=locator)
        return False
    if len(draft.blocks) == blocks:
        draft.exclude(span, "structure")
    return True


def _report_bad(draft: Draft, name: str, bad: list[int], total: int) -> None:
    if not bad:
        return
    shown = ", ".join(map(str, bad[:_LINES_NAMED])) + (", …" if len(bad) > _LINES_NAMED else "")
    lines = f"line {shown} is" if len(bad) == 1 else f"lines {shown} are"
    if len(bad) == total:
        raise DamagedFile(f"{name} holds no line of valid JSON ({lines} not); mend it, or rename it to .txt.")
    draft.warn("bad_lines", f"In {name} {lines} not valid JSON and kept as text ({len(bad):,} of {total:,} lines).")


def _is_value(text: str, start: int, end: int, *, any_value: bool) -> bool:
    try:
        events = list(scan(text, start, end))
    except JsonError:
        return False
    return any_value or events[0].kind == OPEN


FORMAT = Format(name="jsonl", suffixes=SUFFIXES, sniff=sniff, parse=parse, version=3, truncatable=True)
