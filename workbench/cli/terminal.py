"""A document's blocks as a table that fits the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..printing import printable

if TYPE_CHECKING:
    from ..documents import Block, Document

PIPED_WIDTH = 120
"""Columns of a table that is not printed to a terminal; COLUMNS in the environment says otherwise."""
SECTION_WIDTH = 24
ROWS_AT_ONCE = 200

_STYLES = {
    "heading": "bold",
    "table": "cyan",
    "table_row": "cyan",
    "code": "green",
    "caption": "magenta",
    "footnote": "dim",
    "header": "dim",
    "footer": "dim",
    "toc_entry": "dim",
}


def write_table(document: Document, chosen: Sequence[Block]) -> None:
    """Print two lines of facts and one row a block, the first rows at once however many there are."""
    click.echo(facts_line(document))
    click.echo(verdict_line(document))
    if not chosen:
        click.echo("No blocks." if len(document) == 0 else f"None of the {len(document):,} blocks was asked for.")
        return
    screen = console()
    sections = {block.section[-1] for block in chosen if block.section}
    titles = {heading: _short(document.texts[heading], SECTION_WIDTH) for heading in sections}
    widths = {
        "id": max(2, len(str(chosen[-1].block_id))),
        "page": max(4, len(str(len(document.pages)))),
        "kind": max(len(_kind(block)) for block in chosen),
        "section": max(7, *(cell_len(title) for title in titles.values()), 0),
        "tokens": 6,
    }
    for start in range(0, len(chosen), ROWS_AT_ONCE):
        table = plain_table(show_header=start == 0)
        for name, width in widths.items():
            right = name in ("id", "page", "tokens")
            table.add_column(name, justify="right" if right else "left", width=width, no_wrap=True)
        table.add_column("text", ratio=1, no_wrap=True, overflow="ellipsis")
        for block in chosen[start : start + ROWS_AT_ONCE]:
            table.add_row(*_row(block, titles), style=_STYLES.get(block.kind.value))
        screen.print(table)


def _row(block: Block, titles: dict[int, str]) -> list[Text]:
    return [
        Text(str(block.block_id)),
        Text(str(block.page)),
        Text(_kind(block)),
        Text(titles[block.section[-1]] if block.section else ""),
        Text(str(block.tokens)),
        Text(_short(block.text, 400)),
    ]


def _kind(block: Block) -> str:
    return f"{block.kind.value} {block.level}" if block.level else block.kind.value


def facts_line(document: Document) -> str:
    """Return name, format, pages by status, blocks and tokens in one line."""
    statuses = Counter(page.status.value for page in document.pages)
    parts = [f"{count:,} {status}" for status, count in statuses.items() if status != "text"]
    pages = _count(len(document.pages), "page") + (f" ({', '.join(parts)})" if parts else "")
    return (
        f"{printable(document.name)}: {document.format}, {pages}, {_count(len(document), 'block')}, "
        f"{_count(document.tokens, 'token')} ({document.tokenizer})"
    )


def verdict_line(document: Document) -> str:
    """Return type and language, each with the first reason."""
    parts = []
    for word, verdict in (("type", document.document_type), ("language", document.language)):
        reason = f": {printable(verdict.reasons[0])}" if verdict.reasons else ""
        parts.append(f"{word} {verdict.value} ({verdict.score:.2f}{reason})")
    return ", ".join(parts)


def plain_table(*, show_header: bool = True) -> Table:
    """Return an empty table in the workbench's style."""
    return Table(box=None, pad_edge=False, header_style="bold underline", expand=True, show_header=show_header)


def console() -> Console:
    """Return a console on standard output that is as wide as the terminal."""
    found = Console(highlight=False, markup=False, emoji=False)
    if not found.is_terminal and "COLUMNS" not in found._environ:
        found.width = PIPED_WIDTH
    return found


def _short(text: str, limit: int) -> str:
    line = printable(text[: limit * 2].replace("\t", " | ").replace("\n", " ↵ "))
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _count(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
