"""What an agent is shown of an artifact: one text of a bounded number of tokens.

A small artifact has a small preview, for the preview is sent again at every call of the exchange. Each part has a share
of the tokens, and what one part leaves goes to the next; at the end the whole is counted once more and cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...documents.blocks import KIND_CODE, BlockKind
from ...documents.pages import PageStatus
from ...documents.tokens import count_tokens
from ...printing import counted
from .lines import inert, spread, tokens_of, within
from .outline import COLLECTION, Outline, headings_of, place_of, sample_lines, section_ends
from .tables import TableShape, largest_tables, shape_of

if TYPE_CHECKING:
    from ...documents import Document

MOST_TOKENS = 2_000
LEAST_TOKENS = 240
SHARE = 0.04
"""Share of the artifact's tokens that its preview may have, between the two limits."""
FILE_TOKENS, MOST_LISTED = 20, 20
"""What the least preview of a collection has more, for each of so many files: without its inventory it is of no use."""
FILES_SHARE, TABLES_SHARE, TABLES_SHARE_OF_A_TABLE = 0.55, 0.3, 0.75

_NAME_CHARS = 80
_NOTES = 3
_NOTE_CHARS = 160
_RANGES = 6
_SHRINK = 0.9
_FILE_LINE, _TABLE_LINES = 12, 60
_SAMPLED_ROWS = 2
_SHOWN_COLUMNS = 24
_LANGUAGES = {"en": "English", "zh": "Chinese"}
_MISSING = (PageStatus.NO_TEXT, PageStatus.UNREADABLE)


def preview_text(document: Document, size_bytes: int, *, is_table: bool) -> str:
    """Return what an agent is shown of a document: at most ``MOST_TOKENS`` tokens, without anything that acts."""
    lines = _head(document, size_bytes)
    collection = document.format == COLLECTION
    least = LEAST_TOKENS + (FILE_TOKENS * min(MOST_LISTED, len(_files_of(document))) if collection else 0)
    left = int(min(MOST_TOKENS, max(least, SHARE * document.tokens))) - sum(tokens_of(lines))
    outline = Outline(document, without=1 if collection else 0)
    if collection:
        left -= _add(lines, _files(document, int(left * (FILES_SHARE if len(outline) else 1.0))))
    share = TABLES_SHARE_OF_A_TABLE if is_table else TABLES_SHARE
    left -= _add(lines, _tables(document, int(left * share)))
    if len(outline):
        title = f"Outline ({counted(len(outline), 'heading')}):"
        _add(lines, _titled(title, outline.lines(left - _cost(title)), len(outline)))
    else:
        _add(lines, _titled("Beginnings:", sample_lines(document, left - _cost("Beginnings:")), 0))
    return _cut(lines)


def file_names(document: Document) -> tuple[str, ...]:
    """Return the names of the files of a collection, in order; none for a single file."""
    if document.format != COLLECTION:
        return ()
    return tuple(inert(document.texts[heading], 4 * _NAME_CHARS) for heading in _files_of(document).tolist())


def pages_without_text(document: Document) -> list[int]:
    """Return the 1-based pages that are pictures or could not be read."""
    return [page.number for page in document.pages if page.status in _MISSING]


def _head(document: Document, size_bytes: int) -> list[str]:
    language = _LANGUAGES.get(document.language.value, "language unknown")
    counts = ", ".join(
        (
            counted(len(document.pages), "page"),
            counted(len(document), "block"),
            counted(document.tokens, "token"),
            counted(size_bytes, "byte"),
        )
    )
    kind = "collection of files" if document.format == COLLECTION else document.format
    lines = [f"{inert(document.name, _NAME_CHARS)}: {kind}, {document.document_type.value}, {language}; {counts}."]
    missing = pages_without_text(document)
    if missing:
        lines.append(f"Without text: {counted(len(missing), 'page')} ({_ranges(missing)}).")
    codes: dict[str, None] = {}
    for warning in document.warnings:
        codes.setdefault(inert(warning.message, _NOTE_CHARS))
    lines.extend(f"Note: {note}" for note in list(codes)[:_NOTES])
    if len(codes) > _NOTES:
        lines.append(f"… {counted(len(codes) - _NOTES, 'more note')}")
    return [within(line) for line in lines]


def _ranges(pages: Sequence[int]) -> str:
    """Return pages as ranges: "3, 7-9, …"."""
    numbers = np.asarray(pages)
    cuts = np.flatnonzero(np.diff(numbers) != 1)
    lows = numbers[np.concatenate([[0], cuts + 1])].tolist()
    highs = numbers[np.concatenate([cuts, [len(numbers) - 1]])].tolist()
    shown = [f"{low}-{high}" if high > low else f"{low}" for low, high in zip(lows, highs, strict=True)]
    return ", ".join([*shown[:_RANGES], *(["…"] if len(shown) > _RANGES else [])])


def _files_of(document: Document) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    headings = headings_of(document)
    files: np.ndarray[tuple[int], np.dtype[np.intp]] = headings[document.columns.level[headings] == 1]
    return files


def _files(document: Document, budget: int) -> list[str]:
    files = _files_of(document)
    before = np.concatenate([[0], np.cumsum(document.columns.tokens, dtype=np.int64)])
    tokens = before[section_ends(document, files)] - before[files]
    title = f"Files ({len(files):,}):"
    most = max(0, budget - _cost(title)) // _FILE_LINE
    while most > 0:
        chosen = spread(len(files), most)
        lines = [
            within(
                f"- {inert(document.texts[files[rank]], _NAME_CHARS)} "
                f"({place_of(document, int(files[rank]))}{int(tokens[rank]):,} tokens)"
            )
            for rank in chosen
        ]
        total = sum(tokens_of(lines)) + _cost(title)
        if total <= budget:
            return _titled(title, lines, len(files))
        most = min(len(chosen) - 1, int(len(chosen) * _SHRINK * budget / total))
    return []


def _tables(document: Document, budget: int) -> list[str]:
    """Return schema and first rows of the largest tables, as many as fit; rather fewer rows than half the tables."""
    total = int(np.count_nonzero(document.columns.kind == KIND_CODE[BlockKind.TABLE]))
    title = f"Tables ({total:,}):"
    most = min(total, max(1, budget // _TABLE_LINES))
    shapes = {table: shape_of(document, table, _SAMPLED_ROWS) for table in largest_tables(document, most)}
    for samples in range(_SAMPLED_ROWS, -1, -1):
        fewest = 1 if samples == 0 else (most + 1) // 2
        for count in range(most, fewest - 1, -1):
            shown = largest_tables(document, count)
            lines = [line for table in shown for line in _table_lines(shapes[table], samples)]
            if _cost(title) + sum(tokens_of(lines)) <= budget:
                return _titled(title, lines, 0)
    return []


def _table_lines(shape: TableShape, samples: int) -> list[str]:
    columns = [
        f"{name or '?'} [{kind}]" if kind else name or "?"
        for name, kind in zip(shape.columns[:_SHOWN_COLUMNS], shape.kinds[:_SHOWN_COLUMNS], strict=True)
    ]
    more = shape.all_columns - len(columns)
    schema = "; ".join([*columns, *([f"… {more:,} more columns"] if more > 0 else [])])
    title = f"{shape.place}{shape.name}: " if shape.name else shape.place
    head = within(f"- {title}{counted(shape.rows, 'row')}")
    return [head, within(f"  columns: {schema}", 160), *(within(f"  e.g. {row}") for row in shape.samples[:samples])]


def _titled(title: str, lines: list[str], count: int) -> list[str]:
    if not lines:
        return []
    left = count - len(lines)
    return [title, *lines, *([f"… {left:,} more"] if left > 0 else [])]


def _cost(title: str) -> int:
    """Tokens of a title, and of the line that tells how many are left out."""
    return sum(tokens_of([title, "… 1,000,000 more"]))


def _add(lines: list[str], part: list[str]) -> int:
    lines.extend(part)
    return sum(tokens_of(part))


def _cut(lines: list[str]) -> str:
    """Join the lines; a line more or less where the joined text has more tokens than its lines."""
    while lines:
        text = "\n".join(lines)
        if int(count_tokens([text])[0]) <= MOST_TOKENS:
            return text
        lines = lines[:-1]
    return ""
