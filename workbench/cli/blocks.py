"""``workbench blocks``: a document as a table of blocks, as JSON, as CSV or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..printing import printable
from .opening import item_of, single

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..documents import Block, Document


class KindChoice(click.ParamType[str]):
    """A kind of block; the kinds are looked up when a value is given, so that help needs no numpy."""

    name = "kind"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the kind's name, or fail with the list of those that exist."""
        from ..documents.blocks import KINDS

        known = [kind.value for kind in KINDS]
        if value not in known:
            self.fail(f"{value!r} is no kind of block; choose from {', '.join(known)}.", param, ctx)
        return str(value)


READING_OPTIONS = (
    click.option(
        "--password",
        metavar="TEXT",
        envvar="SPARSEREAD_PASSWORD",
        help="Opens an encrypted file; - asks for it. SPARSEREAD_PASSWORD in the environment does the same.",
    ),
    click.option("--max-block-chars", type=int, metavar="N", help="Longest paragraph block, in characters [512]."),
    click.option("--max-file-mb", type=float, metavar="MB", help="Largest file, in MiB [50]."),
    click.option("--max-pages", type=int, metavar="N", help="Most pages, sheets or slides [2000]."),
    click.option("--max-seconds", type=float, metavar="S", help="Longest time for one document [60]."),
    click.option("--max-memory-mb", type=float, metavar="MB", help="Most memory of a worker, in MiB [2048]."),
    click.option("--max-blocks", type=int, metavar="N", help="Most blocks of one document [500000]."),
    click.option("--partial", is_flag=True, default=None, help="At a limit, keep what was read so far."),
    click.option("--workers", type=int, metavar="N", help="Worker processes; 0 takes one a core [0]."),
    click.option("--cache/--no-cache", default=None, help="Keep and use parsed documents [yes]."),
)


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the limits and knobs of ``ReadOptions``; those not given keep their defaults there."""
    for option in reversed(READING_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: the document's facts and its blocks.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the block table as CSV that a spreadsheet may open.")
@click.option(
    "--overlay",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    metavar="PNG",
    help="Draw a page of a PDF or a slide with its blocks, coloured by kind, into this file.",
)
@click.option("--page", type=click.IntRange(min=1), metavar="N", help="Only this page (with --overlay: page 1).")
@click.option("--kind", "kinds", type=KindChoice(), multiple=True, help="Only blocks of this kind; may be repeated.")
@click.option("--item", metavar="NAME", help="The document to open in a folder or archive, as its inventory names it.")
@reading_options
def blocks(
    file: Path,
    as_json: bool,
    as_csv: bool,
    overlay: Path | None,
    page: int | None,
    kinds: tuple[str, ...],
    item: str | None,
    **limits: Any,
) -> None:
    """Print the blocks of FILE, or the inventory of a folder or archive."""
    if as_json + as_csv + (overlay is not None) > 1:
        raise click.UsageError("Give one of --json, --csv and --overlay.")
    if overlay is not None and kinds:
        raise click.UsageError("--overlay draws the blocks of every kind; leave --kind out.")
    if limits["password"] == "-":
        limits["password"] = click.prompt("Password", hide_input=True, err=True)
    options = {name: value for name, value in limits.items() if value is not None}
    document = item_of(file, item, options) if item is not None else single(file, options)
    if document is None:
        used = {"--overlay": overlay is not None, "--page": page is not None, "--kind": bool(kinds)}
        if names := [name for name, is_used in used.items() if is_used]:
            verb = "needs" if len(names) == 1 else "need"
            raise click.UsageError(
                f"{' and '.join(names)} {verb} --item: {printable(file.name)} is a folder or an archive."
            )
        _write_inventory(file, options, as_json=as_json, as_csv=as_csv)
        return
    for warning in document.warnings:
        click.echo(f"warning: {printable(str(warning))}", err=True)
    if page is not None and page > len(document.pages):
        raise click.BadParameter(
            f"{printable(document.name)} has pages 1 to {len(document.pages)}.", param_hint="--page"
        )
    if overlay is not None:
        _draw(document, page or 1, overlay, options)
        return
    chosen = [
        block
        for block in document.blocks
        if (page is None or page in block.anchor.pages) and (not kinds or block.kind.value in kinds)
    ]
    _write(document, chosen, as_json=as_json, as_csv=as_csv)


def _write_inventory(file: Path, options: dict[str, Any], *, as_json: bool, as_csv: bool) -> None:
    from ..documents import open_collection
    from . import inventory

    with open_collection(file, **options) as collection:
        inventory.write_warnings(collection)
        if as_json:
            inventory.write_json(collection)
        elif as_csv:
            inventory.write_csv(collection)
        else:
            inventory.write_table(collection, file)


def _draw(document: Document, page: int, picture: Path, options: dict[str, Any]) -> None:
    from ..documents.options import ReadOptions
    from ..documents.overlay import draw_overlay

    draw_overlay(document, page, picture, options=ReadOptions(**options))
    click.echo(f"Drew page {page} of {printable(document.name)} to {printable(str(picture))}.")


def _write(document: Document, chosen: Sequence[Block], *, as_json: bool, as_csv: bool) -> None:
    from . import export, terminal

    if as_json:
        export.write_json(document, chosen)
    elif as_csv:
        export.write_csv(document, chosen)
    else:
        terminal.write_table(document, chosen)
