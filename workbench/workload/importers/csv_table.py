"""A plain table: file, question, quote; one row a quote, and rows with the same file and question are one request.

Columns file and question are needed, and quote or page. What may be there as well: page (from 1), answer, scope,
scenario, split, answerable, id. Files are named relative to the table and lie in its folder.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...documents.formats.decoding import decode
from ...errors import FileMissing, InvalidWorkload
from ...printing import shortened
from ...structure.naming import nearest
from ..artifacts import place_problem
from ..checks import path_problem
from ..requests import Evidence, RequestProblems
from .defects import Defects
from .drafting import NO_REQUEST, WorkloadDraft
from .rows import BAD_FIELD, NO_ROW, read_bytes

NEEDED = ("file", "question")
OPTIONAL = ("quote", "page", "answer", "scope", "scenario", "split", "answerable", "id")
NO_FILE = "a row whose file cannot be used; left out"
NO_QUOTE = "a question without quote and page; imported as not answerable"
OTHER_COLUMN = "a column that is not known; left out"
OTHER_SPLIT = "a row that puts its file in a second split; the first one stays"
OTHER_VALUE = (
    "a row that says another answer, scope, scenario or id than the first of its question; the first one stays"
)
_DELIMITERS = (",", ";", "\t")
_SCENARIOS = {
    ".pdf": "pdf_report_qa",
    ".csv": "structured_analysis",
    ".tsv": "structured_analysis",
    ".xlsx": "structured_analysis",
    ".parquet": "structured_analysis",
    ".zip": "multi_file_audit",
    ".tar": "multi_file_audit",
    ".gz": "multi_file_audit",
    ".tgz": "multi_file_audit",
}
_SAID_ONCE = ("answer", "scope", "scenario", "id")

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Line:
    where: str
    row: Row


def read(source: Path, draft: WorkloadDraft) -> None:
    """Write the requests of a table."""
    table = _table_of(source)
    by_file: dict[str, list[_Line]] = {}
    for where, row in rows(table, draft.defects):
        by_file.setdefault(row["file"], []).append(_Line(where, row))
    for file in draft.chosen(by_file):
        lines = by_file[file]
        if problem := path_problem(file) or place_problem(table.parent, file):
            draft.defects.add(NO_FILE, f"{lines[0].where}: {problem}", count=len(lines))
            continue
        artifact = draft.file(table.parent / file)
        split = next((line.row["split"] for line in lines if line.row["split"]), "") or "dev"
        questions: dict[str, list[_Line]] = {}
        for line in lines:
            questions.setdefault(line.row["question"], []).append(line)
            if line.row["split"] not in ("", split):
                draft.defects.add(OTHER_SPLIT, f"{line.where}: {line.row['split']}")
        for group in questions.values():
            _ask(draft, artifact, split, group)


def _table_of(source: Path) -> Path:
    if source.is_file():
        return source
    if not source.is_dir():
        raise FileMissing(f"There is no file {source}; give a CSV file with the columns file, question and quote.")
    tables = sorted(path for path in source.iterdir() if path.suffix.lower() == ".csv")
    if len(tables) != 1:
        found = f"there are {len(tables)}" if tables else "there is none"
        raise FileMissing(f"{source} is a folder: looked for one *.csv in it, and {found}; name the CSV file.")
    return tables[0]


def rows(table: Path, defects: Defects) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a table by the names of its columns, each with its line.

    Raises
    ------
    InvalidWorkload
        If it has not the columns that are needed.
    """
    text = decode(read_bytes(table)).text
    lines = text.splitlines(keepends=True)
    head = next((line for line in lines if line.strip()), "")
    reader = csv.reader(lines, delimiter=max(_DELIMITERS, key=head.count), strict=True)
    names: list[str] = []
    while True:
        first = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            defects.add(NO_ROW, f"{table.name}, line {first}: {shortened(str(error), 60)}")
            continue
        if not any(cell.strip() for cell in cells):
            continue
        where = f"{table.name}, line {first}"
        if not names:
            names = _names(table, cells, defects)
            continue
        if any(cell.strip() for cell in cells[len(names) :]):
            defects.add(NO_ROW, f"{where}: it has {len(cells)} cells, and there are {len(names)} columns")
            continue
        given = dict(zip(names, cells, strict=False))
        row = {name: given.get(name, "").strip() for name in (*NEEDED, *OPTIONAL)}
        if missing := [name for name in NEEDED if not row[name]]:
            defects.add(BAD_FIELD, f"{where}: {missing[0]} is empty")
            continue
        yield where, row
    if not names:
        raise InvalidWorkload(f"{table} is empty; write a table with the columns file, question and quote.")


def _names(table: Path, cells: list[str], defects: Defects) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    known = (*NEEDED, *OPTIONAL)
    missing = [name for name in NEEDED if name not in names]
    if not missing and not {"quote", "page"} & set(names):
        missing = ["quote"]
    if missing:
        raise InvalidWorkload(
            f"{table} has no column {missing[0]!r}: its first line says {shortened(', '.join(names), 100)}; name the "
            "columns file, question and quote there."
        )
    for name in names:
        if name not in known:
            defects.add(OTHER_COLUMN, f"{name!r}{nearest(name, known)}")
    return names


def _ask(draft: WorkloadDraft, artifact: str, split: str, lines: list[_Line]) -> None:
    first = lines[0]
    said = {name: next((line.row[name] for line in lines if line.row[name]), "") for name in _SAID_ONCE}
    evidence: dict[Evidence, None] = {}
    for line in lines:
        if any(line.row[name] not in ("", said[name]) for name in _SAID_ONCE):
            draft.defects.add(OTHER_VALUE, line.where)
        if (piece := _evidence(line, draft.defects)) is not None:
            evidence[piece] = None
    denied = any(line.row["answerable"].lower() in ("false", "no", "0") for line in lines)
    silent = not any(line.row["quote"] or line.row["page"] for line in lines)
    if silent and not denied:
        draft.defects.add(NO_QUOTE, f"{first.where}: {first.row['question']}")
    if denied and evidence:
        draft.defects.add(
            NO_REQUEST, f"{first.where}: it has a quote, but answerable is false; take out one of the two"
        )
        return
    suffix = Path(artifact).suffix.lower()
    default = "multi_file_audit" if (draft.folder / artifact).is_dir() else _SCENARIOS.get(suffix, "long_document_qa")
    draft.ask(
        first.where,
        identity=said["id"] or f"{Path(first.row['file']).stem}-{len(draft.requests) + 1:03d}",
        artifact=artifact,
        question=first.row["question"],
        scope=said["scope"].lower() or None,
        evidence=list(evidence),
        answer=said["answer"] or None,
        answerable=not (denied or silent),
        scenario=said["scenario"].lower() or default,
        split=split.lower(),
    )


def _evidence(line: _Line, defects: Defects) -> Evidence | None:
    quote, given = line.row["quote"], line.row["page"]
    if not quote and not given:
        return None
    page = None
    if given:
        # A spreadsheet may have made "12.0" of 12.
        plain = given.removesuffix(".0")
        if not (plain.isascii() and plain.isdigit() and int(plain) >= 1):
            defects.add(BAD_FIELD, f"{line.where}: page is {given!r}; pages are whole numbers from 1")
            if not quote:
                return None
        else:
            page = int(plain)
    try:
        return Evidence(quote=quote, page=page)
    except RequestProblems as error:
        defects.add(BAD_FIELD, f"{line.where}: {error}")
        return None
