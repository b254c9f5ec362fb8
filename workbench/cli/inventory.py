"""What is in a folder or an archive, and how to open a document of it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..printing import printable
from . import export, terminal

if TYPE_CHECKING:
    from ..documents import Collection


def write_table(collection: Collection, path: Path) -> None:
    """Print one row a file, and the command that opens the first one."""
    size = sum(item.size for item in collection.items)
    click.echo(f"{printable(collection.name)}: {len(collection):,} files, {size:,} bytes")
    for start in range(0, len(collection.items), terminal.ROWS_AT_ONCE):
        table = terminal.plain_table(show_header=start == 0)
        table.add_column("format", width=10, no_wrap=True)
        table.add_column("bytes", width=14, justify="right", no_wrap=True)
        table.add_column("name", ratio=1, overflow="fold")
        for item in collection.items[start : start + terminal.ROWS_AT_ONCE]:
            table.add_row(item.format or "?", f"{item.size:,}", printable(item.name))
        terminal.console().print(table)
    for refusal in collection.refused:
        click.echo(f"refused: {printable(refusal.message)}", err=True)
    # Of a name that cannot be shown as it is, no command would find the file.
    if name := next((item.name for item in collection.items if printable(item.name) == item.name), None):
        command = f"workbench blocks {shlex.quote(str(path))} --item {shlex.quote(name)}"
        click.echo(f"Open one with: {printable(command)}")


def write_warnings(collection: Collection) -> None:
    """Print what a reader must know of the whole to standard error."""
    for warning in collection.warnings:
        message = str(warning)
        if warning.code == "refused":
            count = len(collection.refused)
            some = "1 file" if count == 1 else f"{count:,} files"
            message = f"{some} of {collection.name} cannot be opened; its inventory says which and why."
        click.echo(f"warning: {printable(message)}", err=True)


def write_csv(collection: Collection) -> None:
    """Print the inventory as CSV."""
    frame = collection.to_frame().astype(object)
    export.write_rows(list(frame.columns), frame.where(frame.notna(), None).itertuples(index=False))


def write_json(collection: Collection) -> None:
    """Print one object: ``collection``, ``items`` and ``refused``."""
    facts = {
        "collection": collection.name,
        "items": [
            {"name": item.name, "size": item.size, "compressed_size": item.compressed_size, "format": item.format}
            for item in collection.items
        ],
        "refused": [
            {"name": refusal.name, "code": refusal.code, "message": refusal.message} for refusal in collection.refused
        ],
    }
    export.utf8_stdout().write(json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
