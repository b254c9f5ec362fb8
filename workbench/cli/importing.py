"""``workbench import``: a workload made of a public set, or of a table of quotes."""

from __future__ import annotations

import json
from pathlib import Path

import click


def _list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from ..workload.importers import IMPORTERS

    width = max(map(len, IMPORTERS))
    for name, importer in IMPORTERS.items():
        click.echo(f"{name:<{width}}  {importer.title}: {importer.looks_for}")
    context.exit()


@click.command("import")
@click.argument("name")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder to write.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Most documents.")
@click.option("--check/--no-check", default=True, help="Open each document and look for its evidence [yes].")
@click.option("--force", is_flag=True, help="Replace a workload that is in the folder.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--progress/--no-progress", default=None, help="Show progress [in a terminal].")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="Show what can be imported."
)
def import_(
    name: str,
    source: Path,
    out: Path,
    limit: int | None,
    check: bool,
    force: bool,
    as_json: bool,
    progress: bool | None,
) -> None:
    """Make a workload of a public set or a CSV, and tell its defects.

    NAME is one of financebench, loogle, squad (also XQuAD, CMRC, DRCD, PolicyQA, COVID-QA), cuad, tatqa, mmlongbench,
    mtrag, beir (also MTEB) and csv (a table of file, question, quote). SOURCE is the folder of the set, or its file.

    Exit codes: 0 done, 1 the source is not this set or gives no request, 2 the command was not understood or the folder
    holds a workload already.
    """
    from ..errors import InvalidOption
    from ..printing import printable
    from ..workload.importers import import_workload
    from ..workload.importers.importing import held_by

    if (there := held_by(out)) and not force:
        raise InvalidOption(f"{out} holds {there} already; choose another folder, or replace it with --force.")
    report = import_workload(name, source, out, limit=limit, progress=progress, check=check, force=force)
    if as_json:
        click.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=1))
        return
    click.echo(report.report())
    click.echo(f"written    {printable(str(out))}")
