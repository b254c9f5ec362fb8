"""Reading and writing files of labels: which format it is, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ....errors import InvalidLabels, InvalidOption
from ..label import Label
from ..values import LabelValue, value_of
from . import argilla, csv_table, jsonl, label_studio, squad, token_spans
from .files import text_of, write_whole
from .placing import Placing
from .reports import ExportReport, ImportReport

if TYPE_CHECKING:
    from ....documents import Document

_MODULES: dict[str, ModuleType] = {module.NAME: module for module in (jsonl, csv_table, argilla, label_studio, squad)}
_WRITERS: dict[str, ModuleType] = {**_MODULES, token_spans.NAME: token_spans}
FORMATS: tuple[str, ...] = tuple(_MODULES)
WRITTEN: tuple[str, ...] = tuple(_WRITERS)
"""The formats that are written; one of them is never read."""


def read_labels(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the field's word
    documents: Iterable[Document] | Document | None = None,
    values: Mapping[str, LabelValue | str] | None = None,
) -> ImportReport:
    """Read labels from a file of the workbench or of another tool.

    Parameters
    ----------
    path : str or pathlib.Path
    format : {"jsonl", "csv", "argilla", "label studio", "squad"}, optional
        By default the file tells.
    documents : Document or iterable of Document, optional
        Where the texts are looked for, if the file does not say which blocks they are. A text over several blocks gives
        a label for each block that its spans stand in, or without spans for each, unless it is evidence.
    values : mapping of str to LabelValue or str, optional
        What the words of the file stand for; "relevant", "yes", "no", "irrelevant" and such are known.

    Returns
    -------
    ImportReport
        The same file always gives the same labels with the same ids, so reading it twice into a store adds nothing.

    Raises
    ------
    InvalidOption
        For a format that is none of these; the message lists them.
    InvalidLabels
        If the file is not in the format.
    FileMissing, EmptyFile
        If there is nothing to read.
    """
    chosen = None if format is None else _checked(format)
    words = {word: value_of(value) for word, value in (values or {}).items()}
    source = Path(path).expanduser()
    text = text_of(source)
    name = chosen or _format_of(text, source)
    at = datetime.fromtimestamp(source.stat().st_mtime, UTC).isoformat(timespec="milliseconds")
    placing = Placing(_listed(documents), at)
    labels, dropped = placing.labels(_MODULES[name].read(text, source.name, words))
    return ImportReport(tuple(labels), name, placing.notes, tuple(dropped))


def write_labels(
    labels: Iterable[Label],
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the field's word
) -> ExportReport:
    """Write labels to a file, whole or not at all.

    Parameters
    ----------
    labels : iterable of Label
    path : str or pathlib.Path
        Replaced if it is there.
    format : {"jsonl", "csv", "argilla", "label studio", "squad", "token spans"}, optional
        By default "jsonl" or "csv", as the name ends.

    Raises
    ------
    InvalidOption
        For a format that is none of these, or a name that tells none; the message lists them.
    FileMissing
        If the file cannot be written.
    """
    target = Path(path).expanduser()
    if format is None:
        name = {".jsonl": jsonl.NAME, ".csv": csv_table.NAME}.get(target.suffix.lower(), "")
        if not name:
            raise InvalidOption(f"The name {target.name} tells no format; give format=, one of {', '.join(WRITTEN)}.")
    else:
        name = _checked(format, WRITTEN)
    written = _WRITERS[name].write(tuple(labels))
    write_whole(target, written.text, written.encoding)
    return ExportReport(target, written.count, name, written.notes, written.dropped)


def _checked(given: str, formats: Sequence[str] = FORMATS) -> str:
    spoken = given.replace("-", " ").replace("_", " ").strip().casefold() if isinstance(given, str) else given
    if spoken not in formats:
        raise InvalidOption(f"{given!r:.60} is no format of labels; give one of {', '.join(formats)}.")
    return spoken


def _format_of(text: str, path: Path) -> str:
    """Tell a format by what is in the file; only a table is told by its name."""
    if not text.lstrip().startswith(("{", "[")):
        if path.suffix.lower() in (".csv", ".tsv", ".txt"):
            return csv_table.NAME
        raise InvalidLabels(
            f"{path.name} is in none of the formats of labels, {', '.join(FORMATS)}; give a file in one of them."
        )
    first = _first_of(text)
    if squad.is_squad(first):
        return squad.NAME
    row = first[0] if isinstance(first, list) and first else first
    if label_studio.is_task(row):
        return label_studio.NAME
    if argilla.is_record(row):
        return argilla.NAME
    if isinstance(row, dict) and not isinstance(first, list):
        return jsonl.NAME
    raise InvalidLabels(
        f"{path.name} is in none of the formats of labels, {', '.join(FORMATS)}; give a file in one of them, or say "
        "with format= which it is."
    )


def _first_of(text: str) -> Any:
    """The whole of a JSON file, or the first line of JSONL."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        line = next((line for line in text.split("\n") if line.strip()), "")
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return {} if line.lstrip().startswith("{") else None


def _listed(documents: Iterable[Document] | Document | None) -> Sequence[Document]:
    from ....documents import Document

    if documents is None:
        return ()
    return (documents,) if isinstance(documents, Document) else tuple(documents)
