"""Outcomes: what every request of a workload costs and yields on both paths, as a table.

One row a request, in the order of the workload; these columns, in this order:

==================== ======== =========================================================================================
column               dtype    what it is
==================== ======== =========================================================================================
request              str      id of the request
scenario             str      its scenario
artifact             str      its path in the workload's folder
document             str      what requests on the same document have in common: fits never part it
document_type        str      contract, report, …, or general
format               str      what read it: pdf, markdown, collection, …
language             str      of the document
scope                str      point, several, aggregate or whole: as the request says, else as its words do
action               str      read, copy, edit or execute: likewise
answerable           bool     whether the artifact answers it
split                str      dev or test
turn                 int64    1 for a first question, 2 for the first follow-up, …
label                str      the maker's own name for the kind of question
artifact_bytes       int64    of the file or folder
tokens_artifact      int64    of all blocks, by the reader's tokenizer
tokens_preview       int64    of what an agent is shown of the artifact before it reads
s, c, r              float64  gate signals, in [0, 1]
constraint           str      name of the hard constraint that sends it native; "" for none
tokens_native        float64  into the model, over all calls of the native path
tokens_sparse        float64  the same of the sparse path, previews, rounds and a fallback included
tokens_kept          int64    of the blocks that sparse reads have shown
rounds               int64    sparse reads for this question
fell_back            bool     whether the sparse path ended with the whole artifact
recall_native        float64  share of the evidence that was seen, in [0, 1]; nan where there is none to find
recall_sparse        float64  the same on the sparse path
quality_native       float64  in [0, 1]; 1 where there is no evidence to find
quality_sparse       float64  the same on the sparse path
quality_kind         str      what quality is: evidence recall, exact match, F1 or rubric
evidence             int64    pieces of evidence that the request names
evidence_unresolved  int64    those of them that were not found in the document
seconds_native       float64  of the workbench on this path, at the first replay, without opening the artifact
seconds_sparse       float64  the same of the sparse path; scores that are remembered take next to none
advisory_sparse      float64  probability that an advisory request takes the sparse path, in [0, 1]
reasons              str      what was decided and why, in sentences
observations         str      JSON: tokens of the question, and of every observation on both paths
==================== ======== =========================================================================================

Two replays of one workload give equal tables but for the two columns of seconds. ``attrs`` of the table hold "outcomes"
(the version of this schema), "workload" (name and fingerprint), "reader" (fingerprints), "options" (of the signals),
"advisory_share", and "failed": request and reason of each request that is in no row.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...documents.opening import as_path
from ...errors import FileMissing, InvalidOption, InvalidOutcomes, WorkbenchError

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = 1
"""Version of the columns; raised whenever one is renamed or means something else."""

COLUMNS: dict[str, str] = {
    "request": "str",
    "scenario": "str",
    "artifact": "str",
    "document": "str",
    "document_type": "str",
    "format": "str",
    "language": "str",
    "scope": "str",
    "action": "str",
    "answerable": "bool",
    "split": "str",
    "turn": "int64",
    "label": "str",
    "artifact_bytes": "int64",
    "tokens_artifact": "int64",
    "tokens_preview": "int64",
    "s": "float64",
    "c": "float64",
    "r": "float64",
    "constraint": "str",
    "tokens_native": "float64",
    "tokens_sparse": "float64",
    "tokens_kept": "int64",
    "rounds": "int64",
    "fell_back": "bool",
    "recall_native": "float64",
    "recall_sparse": "float64",
    "quality_native": "float64",
    "quality_sparse": "float64",
    "quality_kind": "str",
    "evidence": "int64",
    "evidence_unresolved": "int64",
    "seconds_native": "float64",
    "seconds_sparse": "float64",
    "advisory_sparse": "float64",
    "reasons": "str",
    "observations": "str",
}
"""Every column with its dtype, in order."""

SECONDS = ("seconds_native", "seconds_sparse")
"""The columns in which two replays of one workload differ."""

PARQUET, CSV = ".parquet", ".csv"
SIDECAR = ".json"
"""What is added to the name of a CSV file for the file that holds its attrs: a CSV itself stays a plain table."""


def outcomes_frame(rows: Iterable[Mapping[str, Any]], attrs: Mapping[str, Any]) -> pd.DataFrame:
    """Return rows as a table with every column in its place and dtype.

    Parameters
    ----------
    rows : iterable of mapping
        Each with a value for every column.
    attrs : mapping
        What JSON can hold.
    """
    import pandas as pd

    listed = list(rows)
    frame = pd.DataFrame({name: pd.Series([row[name] for row in listed], dtype=kind) for name, kind in COLUMNS.items()})
    frame.attrs.update(attrs)
    return frame


def save_outcomes(frame: pd.DataFrame, path: str | os.PathLike[str]) -> Path:
    """Write outcomes, with their attrs, as Parquet or CSV by the suffix of the name; at once or not at all.

    A CSV file is a plain table; its attrs lie beside it, in a file with ``.json`` added to the name.

    Parameters
    ----------
    frame : DataFrame
        Made by ``replay``, or any table.
    path : str or path

    Returns
    -------
    pathlib.Path
        Where it was written.

    Raises
    ------
    InvalidOption
        For another suffix, or a folder that cannot be written to.
    """
    file, kind = _file_of(path)
    try:
        if kind == PARQUET:
            with _replacing(file) as part:
                frame.to_parquet(part, engine="pyarrow", index=False)
        else:
            text = json.dumps(frame.attrs, ensure_ascii=False, indent=1, sort_keys=True)
            with _replacing(file) as part, _replacing(_sidecar(file)) as beside:
                frame.to_csv(part, index=False, encoding="utf-8", lineterminator="\n", float_format=None)
                beside.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise InvalidOption(
            f"The outcomes could not be written to {file} ({error.strerror or error}); give a file in a folder that "
            "exists and may be written to."
        ) from error
    return file


@contextmanager
def _replacing(file: Path) -> Iterator[Path]:
    """Give a file to write beside another, which it replaces when it is whole: an interrupt leaves what was there."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(file.resolve())
    finally:
        part.unlink(missing_ok=True)


def load_outcomes(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Return the outcomes of ``save_outcomes``: equal values, dtypes and attrs.

    Another table is read as well, with the columns that it has; what is known of a column of outcomes is its dtype.

    Raises
    ------
    FileMissing
        If there is no such file.
    InvalidOption
        For another suffix.
    InvalidOutcomes
        If the file is no table, or a column holds what its dtype cannot.
    """
    import pandas as pd

    file, kind = _file_of(path)
    if not file.is_file():
        raise FileMissing(f"There is no file {file}; give the file that save_outcomes wrote.")
    try:
        if kind == PARQUET:
            frame = pd.read_parquet(file, engine="pyarrow")
        else:
            # Nothing but an empty number is missing: "NA" may be somebody's label.
            frame = pd.read_csv(file, encoding="utf-8", dtype=str, keep_default_na=False, na_filter=False)
            frame.attrs = _attrs_of(file)
        for name in frame.columns.intersection(list(COLUMNS)):
            frame[name] = _typed(frame[name], COLUMNS[name])
    except WorkbenchError:
        raise
    except (OSError, ValueError, TypeError) as error:  # what the readers raise for what is no table
        raise InvalidOutcomes(
            f"{file} is no table of outcomes ({error!s:.200}); save them with save_outcomes."
        ) from error
    return frame


def _typed(column: pd.Series[Any], kind: str) -> pd.Series[Any]:
    import pandas as pd

    if str(column.dtype) == kind:
        return column
    make = _MAKERS[kind]
    cells = column.tolist()
    made = []
    for row, cell in enumerate(cells, start=1):
        try:
            made.append(make(cell))
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"row {row}, column {column.name}: {cell!r:.40} is no {_NOUNS[kind]}") from error
    return pd.Series(made, index=column.index, name=column.name, dtype=kind)


def _whole(cell: Any) -> int:
    # A number without a fraction is whole however it is written; one with a fraction is not cut.
    if isinstance(cell, str) and cell.strip().lstrip("+-").isdigit():
        return int(cell)
    if not float(cell).is_integer():
        raise ValueError
    return int(float(cell))


_SWITCHES = {"true": True, "false": False, "1": True, "0": False}
_MAKERS: dict[str, Callable[[Any], Any]] = {
    "str": str,
    "bool": lambda cell: _SWITCHES[str(cell).lower()],
    "int64": _whole,
    "float64": lambda cell: math.nan if cell == "" else float(cell),
}
_NOUNS = {"str": "text", "bool": "True or False", "int64": "whole number", "float64": "number"}


def _attrs_of(file: Path) -> dict[Hashable | None, Any]:
    beside = _sidecar(file)
    if not beside.is_file():
        return {}
    found = json.loads(beside.read_text("utf-8"))
    if not isinstance(found, dict):
        raise ValueError(f"{beside.name} beside it holds no object")
    return found


def _sidecar(file: Path) -> Path:
    return file.with_name(file.name + SIDECAR)


def _file_of(path: str | os.PathLike[str]) -> tuple[Path, str]:
    file = as_path(path)
    if file.suffix.lower() not in (PARQUET, CSV):
        raise InvalidOption(
            f"Outcomes are kept as Parquet or CSV, and {file.name} ends in neither; name it .parquet or .csv."
        )
    return file, file.suffix.lower()
