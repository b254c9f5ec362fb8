"""Reading the rows of a set: what is no row is a defect with its line, and never an end."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from ...errors import FileMissing, InvalidWorkload
from ...printing import shortened
from .defects import Defects

ScopeName = Literal["point", "several", "aggregate", "whole"]

NO_ROW = "a row that cannot be read; left out"
BAD_FIELD = "a row without a field that it needs, or with one of another kind; left out"

SAME_ROW = "a row with the id of one before; the later one stays"

_LITERAL_ERRORS = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)


def found_in(source: Path, what: str, names: Iterable[str]) -> Path:
    """Return the folder of a set, once the files that it must have are seen in it.

    Raises
    ------
    FileMissing
        If there is no such folder, or a file is missing.
    """
    wanted = list(names)
    listed = " and ".join(wanted)
    if not source.exists():
        raise FileMissing(f"There is no folder {source}; for {what} give the folder that holds {listed}.")
    folder = source.parent if source.is_file() and source.name in wanted else source
    missing = [name for name in wanted if not (folder / name).exists()]
    if missing:
        raise FileMissing(
            f"{source} is not {what}: looked for {listed}, and {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not there; give the folder that holds them."
        )
    return folder


def read_bytes(path: Path) -> bytes:
    """Return what a file holds.

    Raises
    ------
    FileMissing
        If it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileMissing(f"{path} cannot be read ({reason}); check the path and its permissions.") from error


def json_lines(path: Path, defects: Defects) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSONL file, each with where it stands."""
    for number, line in enumerate(read_bytes(path).removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        where = f"{path.name}, line {number}"
        try:
            row = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            defects.add(NO_ROW, f"{where}: it is no JSON ({shortened(str(error), 60)})")
            continue
        if isinstance(row, dict):
            yield where, row
        else:
            defects.add(NO_ROW, f"{where}: it is no object")


def json_file(path: Path) -> Any:
    """Return what a JSON file holds.

    Raises
    ------
    InvalidWorkload
        If it is no JSON.
    """
    try:
        return json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidWorkload(
            f"{path} is no JSON ({shortened(str(error), 80)}); fetch it again from its source."
        ) from error


def json_rows(path: Path, defects: Defects) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSON file that is a list, each with where it stands.

    Raises
    ------
    InvalidWorkload
        If it is no JSON, or no list.
    """
    found = json_file(path)
    if not isinstance(found, list):
        raise InvalidWorkload(f"{path} is no list of rows; give the file of the set as it is published.")
    for number, row in enumerate(found, start=1):
        if isinstance(row, dict):
            yield f"{path.name}, row {number}", row
        else:
            defects.add(NO_ROW, f"{path.name}, row {number}: it is no object")


def has(row: Any, kinds: Mapping[str, type | tuple[type, ...]], where: str, defects: Defects) -> bool:
    """Say whether a row has the fields that it needs, of the right kinds; note what is wrong."""
    if not isinstance(row, dict):
        defects.add(BAD_FIELD, f"{where}: {shortened(repr(row), 60)} is no object")
        return False
    for name, kind in kinds.items():
        if not isinstance(row.get(name), kind):
            said = f"{name} is {shortened(repr(row[name]), 60)}" if name in row else f"{name} is missing"
            defects.add(BAD_FIELD, f"{where}: {said}")
            return False
    return True


def literal(text: Any) -> Any:
    """Return what a text spells as a Python literal, or None where it is none; nothing is executed."""
    try:
        return ast.literal_eval(text) if isinstance(text, str) else None
    except _LITERAL_ERRORS:
        return None


def texts_of(given: Any) -> list[str]:
    """Return a text, or the texts of a list, without those that say nothing."""
    listed = [given] if isinstance(given, str) else given if isinstance(given, list | tuple) else []
    return [text for text in listed if isinstance(text, str) and text.strip()]
