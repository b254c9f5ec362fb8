"""CSV, TSV and other delimited text: one table, one block a row.

The text layer is the decoded file. Cells are verbatim slices without their outer quotes; a doubled quote inside
stays doubled, because the text layer is never changed.
"""

from __future__ import annotations

from collections import Counter

from ...blocks import BlockKind
from ...draft import Draft, Span
from ...registry import Format
from ...source import HEAD_BYTES, ParseContext, Source
from ..decoding import decoded_draft, head_text
from ..emptiness import warn_if_nothing_read
from ..pacing import Pace, warn_if_empty
from .rows import RowScanner, choose_delimiter, consistency, has_header

SUFFIXES = (".csv", ".tsv", ".tab", ".psv")
MOST_COLUMNS = 16_384
"""Fields beyond this one are read as a part of it, as in a spreadsheet's widest sheet."""

_SAMPLE_ROWS = 50


def sniff(source: Source) -> float:
    """Look for a delimiter that cuts every line of the head into the same number of fields."""
    text = head_text(source)
    if text is None:
        return 0.0
    if len(source.head) == HEAD_BYTES and "\n" in text:
        text = text[: text.rfind("\n") + 1]
    delimiter, share, fields, rows = choose_delimiter(text, source.suffix)
    if source.suffix in SUFFIXES:
        return 0.9 if share > 0.9 and fields > 1 else 0.4
    if fields < 2 or rows < 3 or share < 1:
        return 0.0
    # Prose may have one comma in each of its few lines.
    return 0.5 if fields > 2 or delimiter == "\t" else 0.1


def parse(source: Source, context: ParseContext) -> Draft:
    """Read a delimited file.

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
    begin, named = _named_delimiter(draft, text)
    delimiter = named or choose_delimiter(text[begin : begin + 100_000], source.suffix)[0]
    scanner = RowScanner(text, delimiter, begin, most_columns=MOST_COLUMNS)
    sample = [[text[low:high] for low, high in row] for row in _first_rows(text, delimiter, begin)]
    usual = consistency(sample)[1]
    title_rows = next((rank for rank, row in enumerate(sample) if len(row) == usual), 0) if usual > 1 else 0
    pace = Pace(draft, context, source.name, len(text))
    _add_rows(draft, text, scanner, title_rows, has_header(sample[title_rows:]), pace)
    if scanner.overfull:
        rows = "1 row" if scanner.overfull == 1 else f"{scanner.overfull:,} rows"
        draft.warn(
            "columns",
            f"{rows} of {source.name} with more than {MOST_COLUMNS:,} cells "
            f"{'has' if scanner.overfull == 1 else 'have'} all further ones in the last; split the file by columns.",
        )
    if scanner.open_quote:
        draft.warn(
            "quotes",
            f"A quote in line {text.count(chr(10), 0, scanner.open_quote) + 1} of {source.name} is never closed; "
            "from there on quotes were read as text.",
        )
    warn_if_nothing_read(draft, source.name)
    return draft


def _add_rows(draft: Draft, text: str, scanner: RowScanner, title_rows: int, header: bool, pace: Pace) -> None:
    name = pace.name
    table = -1
    widths: Counter[int] = Counter()
    for number, row in enumerate(scanner.rows(), start=1):
        if not pace.goes_on(row[0][0]):
            pace.give_up(Span(scanner.row_start, len(text)))
            break
        locator = f"row {number}"
        if number <= title_rows:
            _exclude_gaps(draft, text, scanner.row_start, row, scanner.row_end)
            for cell in row:
                draft.add(BlockKind.PARAGRAPH, cell, locator=locator)
            continue
        if table < 0:
            table = draft.begin_table()
        widths[len(row)] += 1
        _exclude_gaps(draft, text, scanner.row_start, row, scanner.row_end)
        draft.add_row(
            table,
            [cell if cell.end > cell.start else None for cell in row],
            is_header=header and number == title_rows + 1,
            locator=locator,
        )
    usual = widths.most_common(1)[0][0] if widths else 0
    ragged = widths.total() - widths[usual]
    if ragged:
        draft.warn(
            "ragged", f"{ragged:,} of {widths.total():,} rows of {name} have another number of cells than {usual}."
        )


def _exclude_gaps(draft: Draft, text: str, start: int, cells: list[Span], end: int) -> None:
    """Delimiters and quotes between the cells belong to no block."""
    at = start
    for low, high in cells:
        if high > low:
            if low > at and text[at:low].strip():
                draft.exclude(Span(at, low), "structure")
            at = high
    if end > at and text[at:end].strip():
        draft.exclude(Span(at, end), "structure")


def _first_rows(text: str, delimiter: str, begin: int) -> list[list[Span]]:
    rows = []
    for row in RowScanner(text[: begin + 1_000_000], delimiter, begin, most_columns=MOST_COLUMNS).rows():
        rows.append(row)
        if len(rows) == _SAMPLE_ROWS:
            break
    return rows


def _named_delimiter(draft: Draft, text: str) -> tuple[int, str]:
    """Spreadsheets write "sep=;" as a first line that is not data."""
    end = text.find("\n")
    line = text[: end if end >= 0 else len(text)].rstrip("\r")
    if len(line) == 5 and line.lower().startswith("sep=") and end >= 0:
        draft.exclude(Span(0, len(line)), "structure")
        return end + 1, line[4]
    return 0, ""


FORMAT = Format(name="delimited", suffixes=SUFFIXES, sniff=sniff, parse=parse, version=3, truncatable=True)
