"""Files of labels as bytes: read with one sentence when that fails, written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....errors import EmptyFile, FileMissing, InvalidLabels
from .reports import Dropped


@dataclass(frozen=True, slots=True)
class Written:
    """What a format makes of labels: the file's text, how many are in it, what had no room, and what must be known."""

    text: str
    count: int
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    encoding: str = "utf-8"


def text_of(path: Path) -> str:
    """Return the text of a file, its line ends as they are.

    Raises
    ------
    FileMissing
        If it cannot be read.
    EmptyFile
        If there is nothing in it.
    InvalidLabels
        If it is not UTF-8.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileMissing(f"The labels in {path} cannot be read ({error.strerror}); check the path.") from error
    if not data.strip():
        raise EmptyFile(f"{path} is empty; give a file with labels.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidLabels(f"{path.name} is not UTF-8 (byte {error.start:,}); save it as UTF-8.") from error


def json_of(text: str, name: str) -> Any:
    """Return what a JSON text says, or the lines of JSONL as a list.

    Raises
    ------
    InvalidLabels
        If it is neither; the message names the line.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = list(lines_of(text))
        if len(lines) < 2 or not lines[0][1].lstrip().startswith("{"):
            raise InvalidLabels(f"{name} is no JSON ({error!s:.80}); mend it, or give another file.") from error
    found = []
    for number, line in lines:
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InvalidLabels(
                f"Line {number:,} of {name} is no JSON ({error!s:.80}); mend the line or take it out."
            ) from error
    return found


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty with their numbers, from 1; only a line feed ends a line of JSONL."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def plain_json(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON that people can read, and that any file can hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        # A lone surrogate of a damaged document; escaped it stays what it is.
        return json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    return text


def array_json(rows: Iterable[Any]) -> str:
    """Return an array as JSON, a row a line."""
    return "[\n" + ",\n".join(map(plain_json, rows)) + "\n]\n"


def write_whole(path: Path, text: str, encoding: str) -> None:
    """Write a file so that a crash leaves the old one or the new one.

    Raises
    ------
    FileMissing
        If the folder does not exist or may not be written to.
    """
    temporary: Path | None = None
    data = text.encode(encoding)
    try:
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=f".{path.name[:40]}-", delete=False) as stream:
            temporary = Path(stream.name)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise FileMissing(
            f"The labels cannot be written to {path} ({error.strerror}); give a file in a folder that exists and may "
            "be written to."
        ) from error
