"""JSON: each key of the outermost object, or element of the outermost array, is a block or several.

The text layer is the decoded file; a block's locator is its JSONPath.
"""

from __future__ import annotations

import re

from ....errors import DamagedFile
from ...draft import Draft, Span
from ...registry import Format
from ...source import HEAD_BYTES, ParseContext, Source
from ..decoding import decoded_draft, head_text
from ..pacing import Pace, warn_if_empty
from .blocks import JsonReader
from .scan import JsonError, line_and_column, scan

SUFFIXES = (".json", ".geojson", ".jsonld", ".webmanifest", ".har")
_BEGINNING = re.compile(r"\s*(?:\{\s*(?:\"|\}|\Z)|\[\s*(?:[\[{\"\]\-0-9tfnNI]|\Z))")
_SCALAR = re.compile(r"\s*(?:\"|-?\d|true|false|null)")


def sniff(source: Source) -> float:
    """Scan the head: it must be the beginning of one JSON value."""
    text = head_text(source)
    if text is None or not text.strip():
        return 0.0 if text is None or source.suffix not in SUFFIXES else 0.2
    is_container = _BEGINNING.match(text) is not None
    if not is_container and not (source.suffix in SUFFIXES and _SCALAR.match(text)):
        return 0.0
    cut_off = len(source.head) == HEAD_BYTES
    try:
        for _ in scan(text, 0, len(text)):
            pass
    except JsonError as error:
        if cut_off and (error.offset >= len(text) - 1 or _inside_last_token(text, error.offset)):
            return _certain(source)
        # A wrong place further on is reported with its line when the file is read.
        return 0.4 if is_container and not str(error).startswith("more text") else 0.0
    return _certain(source) if is_container else 0.3


def _certain(source: Source) -> float:
    """Under another suffix JSON is data that its writer calls text, a program's or a log: no reason to overrule it."""
    return 0.9 if source.suffix in SUFFIXES else 0.85


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a JSON file.

    Raises
    ------
    DamagedFile
        If it is not JSON; the message names line and column.
    LimitExceeded
        If it takes longer than ``max_seconds`` and ``partial`` is not set.
    """
    draft, text = decoded_draft(source)
    if warn_if_empty(draft, source.name, text):
        return draft
    reader = JsonReader(draft, text, limit=context.options.max_block_chars, split_top=True)
    pace = Pace(draft, context, source.name, len(text))
    try:
        end = reader.read(0, len(text), pace=pace)
    except JsonError as error:
        line, column = line_and_column(text, error.offset)
        raise DamagedFile(
            f"{source.name} is not valid JSON: {error} in line {line}, column {column}; mend it, or rename it "
            "to .txt to read it as text."
        ) from error
    if end < len(text):
        pace.give_up(Span(end, len(text)))
    if not draft.blocks:
        draft.warn("empty", f"{source.name} holds no values; there is nothing to read in it.")
    return draft


def _inside_last_token(text: str, offset: int) -> bool:
    """A head may end within a string or a number."""
    rest = text[offset:].lstrip()
    return rest.startswith('"') and re.fullmatch(r'"(?:[^"\\\x00-\x1f]|\\.)*\\?', rest, re.DOTALL) is not None


FORMAT = Format(name="json", suffixes=SUFFIXES, sniff=sniff, parse=parse, version=2)
