"""``workbench labels``: labels from files into a store, out of it, and how far annotators agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..documents import Document
    from ..training.labels import Agreement, Disagreement, Label

_PATH = click.Path(path_type=Path)
SHOWN = 20
"""Disagreements that are printed."""


@click.group()
def labels() -> None:
    """Import, export and compare what people said of blocks."""


@labels.command("import")
@click.argument("file", type=_PATH)
@click.option("--into", type=_PATH, required=True, metavar="STORE", help="SQLite file of labels; made if not there.")
@click.option("--format", "form", metavar="NAME", help="Format of FILE [the file tells].")
@click.option(
    "--document", "paths", type=_PATH, multiple=True, help="Where its texts stand: a file, folder or archive."
)
@click.option("--value", "values", multiple=True, metavar="WORD=VALUE", help="What a word of the file stands for.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def import_labels(
    file: Path, into: Path, form: str | None, paths: tuple[Path, ...], values: tuple[str, ...], as_json: bool
) -> None:
    """Add the labels of a file to a store; what is in it already is left alone.

    FILE is JSON lines or a CSV that workbench labels export wrote, a JSON export of Argilla 2 or Label Studio, or a set
    in the format of SQuAD. A file of another tool says no blocks: give its documents with --document.

    Exit codes: 0 done, 1 the file cannot be read or gives no label, 2 the command was not understood.
    """
    from ..errors import InvalidLabels
    from ..training.labels import LabelStore, read_labels, take_in

    words = dict(_assigned(values))
    report = read_labels(file, format=form, documents=list(_documents(paths)), values=words)
    if not report.labels:
        raise InvalidLabels(
            f"{file.name} gives no label: {'; '.join(report.report().splitlines()[1:]) or 'it has none'}."
        )
    taken = take_in(LabelStore(into), report.labels)
    if as_json:
        counts = {"added": len(taken.added), "known": taken.known}
        left = {"differing": len(taken.differing), "older": len(taken.older)}
        _print_json({**report.to_dict(), **counts, **left, "store": str(into)})
        return
    click.echo(report.report())
    click.echo(taken.report())


@labels.command("export")
@click.argument("store", type=_PATH)
@click.option("-o", "--out", type=_PATH, required=True, metavar="FILE", help="File to write.")
@click.option(
    "--format", "form", metavar="NAME", help="jsonl, csv, argilla, label-studio, squad or token-spans [by the name]."
)
@click.option("--annotator", metavar="NAME", help="Only labels of this annotator.")
@click.option("--value", metavar="VALUE", help="Only labels of this value.")
@click.option("--source", metavar="SOURCE", help="Only labels of this source: person, gold, mined or feedback.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def export_labels(
    store: Path,
    out: Path,
    form: str | None,
    annotator: str | None,
    value: str | None,
    source: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Write the labels in force to a file.

    STORE is the SQLite file of labels; that of a bench lies in its workspace.

    Exit codes: 0 done, 1 the store cannot be read or the file not written, 2 the command was not understood or the file
    is there already.
    """
    from ..errors import InvalidOption
    from ..training.labels import write_labels

    if out.exists() and not force:
        raise InvalidOption(f"{out} is there already; choose another name, or replace it with --force.")
    found = _opened(store).labels(annotator=annotator, value=value, source=source)
    report = write_labels(found, out, format=form)
    if as_json:
        _print_json(report.to_dict())
        return
    click.echo(report.report())


@labels.command("agreement")
@click.argument("source", type=_PATH)
@click.option("--annotator", "annotators", multiple=True, metavar="NAME", help="Only these; give it twice or more.")
@click.option("--value", "values", multiple=True, metavar="VALUE", help="Only blocks that both gave one of these.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def agreement_of_labels(source: Path, annotators: tuple[str, ...], values: tuple[str, ...], as_json: bool) -> None:
    """Print Cohen's kappa of each two annotators, with its interval over documents, and where they differ.

    SOURCE is a SQLite file of labels, or a file that workbench labels import can read.

    Exit codes: 0 done, 1 the labels cannot be read, 2 the command was not understood.
    """
    from ..training.labels import agreement, read_labels

    found = _opened(source).labels() if _is_store(source) else read_labels(source).labels
    report = agreement(found, annotators=annotators or None, values=values or None)
    if as_json:
        _print_json(_agreement_dict(report))
        return
    click.echo(report.report())
    for line in _differences(report.disagreements):
        click.echo(line)


def _opened(path: Path) -> Any:
    from ..errors import FileMissing
    from ..training.labels import LabelStore

    if not path.expanduser().is_file():
        raise FileMissing(f"There is no file of labels {path}; check the path.")
    return LabelStore(path)


def _is_store(path: Path) -> bool:
    try:
        with path.expanduser().open("rb") as stream:
            return stream.read(15) == b"SQLite format 3"
    except OSError:
        return False


def _documents(paths: Sequence[Path]) -> Iterator[Document]:
    from ..documents import open_collection, open_document
    from .opening import holds_many

    for path in paths:
        if not holds_many(path):
            yield open_document(path)
            continue
        with open_collection(path) as collection:
            yield from collection.documents()


def _assigned(values: Sequence[str]) -> Iterator[tuple[str, str]]:
    for given in values:
        word, mark, value = given.rpartition("=")
        if not mark or not word:
            raise click.UsageError(f"--value {given!r} says not what a word stands for; write it as word=evidence.")
        yield word, value


def _differences(found: Sequence[Disagreement]) -> Iterator[str]:
    from ..printing import printable, shortened

    if found:
        yield ""
    for one in found[:SHOWN]:
        where = f"{printable(one.first.document_name)} #{one.first.block_id}, {shortened(one.first.question, 50)!r}"
        said = "; ".join(_said(label) for label in (one.first, one.second))
        settled = f"; resolved by {printable(one.resolution.annotator)}" if one.resolution is not None else ""
        yield f"{where}: {said}{settled}"
    if len(found) > SHOWN:
        yield f"… and {len(found) - SHOWN:,} more"


def _said(label: Label) -> str:
    from ..printing import printable

    return f"{printable(label.annotator)} {label.value.value}"


def _agreement_dict(report: Agreement) -> dict[str, Any]:
    import math

    pairs = []
    for pair in report.pairs:
        figures = {name: getattr(pair, name) for name in ("observed", "kappa", "low", "high")}
        pairs.append(
            {
                "first": pair.first,
                "second": pair.second,
                "items": pair.items,
                "documents": pair.documents,
                **{name: None if math.isnan(figure) else figure for name, figure in figures.items()},
                "values": [value.value for value in pair.values],
                "confusion": pair.confusion.tolist(),
                "disagreements": [
                    {
                        "document": one.first.document_name,
                        "question": one.first.question,
                        "block_id": one.first.block_id,
                        "first": one.first.value.value,
                        "second": one.second.value.value,
                        "resolution": None if one.resolution is None else one.resolution.value.value,
                    }
                    for one in pair.disagreements
                ],
                "notes": list(pair.notes),
            }
        )
    return {"pairs": pairs}


def _print_json(values: dict[str, Any]) -> None:
    click.echo(json.dumps(values, ensure_ascii=False, indent=1))
