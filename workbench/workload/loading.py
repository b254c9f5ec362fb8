"""Reading a workload: every mistake of its file is told, with its line, in one error."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..documents.opening import PathLike, as_path
from ..errors import FileMissing, InvalidWorkload
from ..printing import counted, shortened
from ..structure.naming import nearest
from .artifacts import OpenArtifacts, place_problem
from .requests import Request, RequestProblems, request_of
from .saving import FILE, VERSION
from .workload import Workload, clashes

SHOWN = 20
"""Most mistakes that a message lists."""
HEADER_FIELDS = ("workload", "version", "description")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def load_workload(path: PathLike) -> Workload:
    """Read a workload.

    Parameters
    ----------
    path : str or path
        A folder with a file ``workload.jsonl``, or a JSONL file; artifacts lie in the folder of the file.

    Returns
    -------
    Workload
        Its requests in the order of the file. Artifacts are not opened yet.

    Raises
    ------
    FileMissing
        If nothing is there that can be read.
    InvalidWorkload
        With every mistake of the file in one message, each with its line, request and field.

    Examples
    --------
    >>> work = load_workload("datasets/dev")  # doctest: +SKIP
    """
    file = as_path(path)
    try:
        if file.is_dir():
            file = file / FILE
        if not file.is_file():
            raise FileMissing(f"There is no file {file}; name a folder that holds {FILE}, or a JSONL file.")
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        raise FileMissing(f"{path!s:.200} cannot be read ({_reason(error)}); check the path.") from error
    if data.startswith(_WIDE):
        raise InvalidWorkload(f"{file.name} is written in UTF-16; save it as UTF-8.")
    found = _Reading(file)
    for number, line in enumerate(_lines(data), start=1):
        found.read(number, line)
    found.check()
    if found.mistakes:
        raise InvalidWorkload(found.message())
    header = found.header
    return Workload(
        name=header.get("workload") or file.parent.name or file.stem,
        requests=tuple(found.requests),
        folder=file.parent,
        description=header.get("description") or "",
        artifacts=OpenArtifacts(file.parent),
    )


@dataclass(slots=True)
class _Reading:
    """What was read so far, and what is wrong with it."""

    file: Path
    header: dict[str, Any] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    lines: dict[int, int] = field(default_factory=dict)
    mistakes: list[tuple[int, str]] = field(default_factory=list)
    entries: int = 0

    def read(self, number: int, line: bytes) -> None:
        """Read one line."""
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"byte {error.start + 1} (0x{line[error.start]:02x}) is no UTF-8; save the file as UTF-8"
            self._note(number, problem)
            self.entries += 1
            return
        if not text.strip():
            return
        self.entries += 1
        try:
            values = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
        except RecursionError:
            self._note(number, "it is nested too deeply; write one request as one flat JSON object")
        except _Twice as error:
            self._note(number, f"{error}; keep one of the two")
        except ValueError as error:
            self._note(number, f"it is no JSON ({_json_reason(error)}); write one request as one object on one line")
        else:
            self._take(number, values)

    def _take(self, number: int, values: Any) -> None:
        if not isinstance(values, dict):
            self._note(number, "it is no object; write one request as one JSON object on one line")
        elif "workload" in values and "question" not in values:
            self._take_header(number, values)
        else:
            try:
                request = request_of(values)
            except RequestProblems as error:
                name = values.get("id")
                who = f" ({shortened(name, 60)})" if isinstance(name, str) and name.strip() else ""
                for where, problem in error.problems:
                    self._note(number, f"{where}: {problem}", who)
            else:
                self.lines[len(self.requests)] = number
                self.requests.append(request)

    def _take_header(self, number: int, values: dict[str, Any]) -> None:
        if self.entries > 1:
            self._note(number, "a header stands here; only the first line can be one")
            return
        for name, value in values.items():
            if name not in HEADER_FIELDS:
                self._note(number, f"{shortened(name, 60)}: the header has no such field{nearest(name, HEADER_FIELDS)}")
            elif name == "version" and (type(value) is not int or value < 1):
                self._note(number, f"version: write {VERSION}, without quotes")
            elif name == "version" and value > VERSION:
                self._note(number, f"version: {value} is newer than {VERSION}; update the workbench to read it")
            elif name != "version" and not (isinstance(value, str) or (value is None and name == "description")):
                self._note(number, f"{name}: it is no text; write it in quotes")
        self.header = values

    def check(self) -> None:
        """Look for what only the whole file shows: clashes of requests, and artifacts that are not there."""
        ranks = {id(request): rank for rank, request in enumerate(self.requests)}
        first_of: dict[str, int] = {}
        for rank, request in enumerate(self.requests):
            first_of.setdefault(request.id, rank)
        for request, name, problem in clashes(self.requests):
            rank = ranks[id(request)]
            before = f" (line {self.lines[first_of[request.id]]})" if name == "id" else ""
            self._note(self.lines[rank], f"{name}: {problem}{before}", f" ({shortened(request.id, 60)})")
        users: dict[str, list[int]] = defaultdict(list)
        for rank, request in enumerate(self.requests):
            users[request.document_key].append(rank)
        present = []
        for key, ranks_of_key in users.items():
            if problem := place_problem(self.file.parent, key):
                more = f" (and so in {counted(len(ranks_of_key) - 1, 'later line')})" if len(ranks_of_key) > 1 else ""
                self._note(self.lines[ranks_of_key[0]], f"artifact: {problem}{more}")
            else:
                present.append(key)
        self._check_copies(present, users)
        if not self.entries or not (self.requests or self.mistakes):
            self._note(1, "there is no request in the file; write one JSON object a line")

    def _check_copies(self, keys: list[str], users: dict[str, list[int]]) -> None:
        """One document under two names must not be in two splits either; only files of one size are compared."""
        artifacts = OpenArtifacts(self.file.parent)
        by_size: dict[int, list[str]] = defaultdict(list)
        for key in keys:
            path = self.file.parent / key
            if path.is_file():
                by_size[path.stat().st_size].append(key)
        for alike in by_size.values():
            splits = {key: self.requests[users[key][0]].split for key in alike}
            if len(set(splits.values())) < 2:
                continue
            first: dict[str, str] = {}
            for key in alike:
                other = first.setdefault(artifacts.sha256(key), key)
                if splits[other] != splits[key]:
                    problem = (
                        f"{key!r} is in {splits[key]!r} here, and {other!r} with the same bytes in {splits[other]!r}; "
                        "a document belongs to one split"
                    )
                    self._note(self.lines[users[key][0]], f"split: {problem}")

    def _note(self, number: int, problem: str, who: str = "") -> None:
        self.mistakes.append((number, f"line {number}{who}: {problem}"))

    def message(self) -> str:
        """Return what is wrong with the file, in the order of its lines."""
        ordered = [text for _, text in sorted(self.mistakes, key=lambda mistake: mistake[0])]
        listed = "".join(f"\n  {text}" for text in ordered[:SHOWN])
        more = len(ordered) - SHOWN
        return (
            f"{self.file.name} has {counted(len(ordered), 'mistake')}; nothing of it is used before they are mended:"
            f"{listed}" + (f"\n  and {more:,} more" if more > 0 else "")
        )


class _Twice(ValueError):
    """A name stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Twice(f"{shortened(twice, 60)} stands twice in one object")
    return values


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _json_reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    return shortened(str(error), 100)


def _lines(data: bytes) -> Iterator[bytes]:
    """Divide bytes at line ends of every system; inside JSON none of these stands in a text."""
    plain = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    yield from plain.split(b"\n")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
