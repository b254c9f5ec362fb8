"""The development workload that the project ships: its artifacts, its requests, and the quotes of its evidence."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from workbench.documents import BlockKind, Document
from workbench.workload import SCENARIOS, Workload, load_workload, resolve

LIMIT = 20 * 2**20
"""Bytes."""
LONG = 3_000
"""Tokens."""


@pytest.fixture(scope="module")
def folder(project_dir: Path) -> Path:
    return project_dir / "datasets" / "dev"


@pytest.fixture(scope="module")
def workload(folder: Path) -> Workload:
    return load_workload(folder)


@pytest.fixture(scope="module")
def documents(workload: Workload) -> dict[str, Document]:
    """Every artifact that a request is about, opened once."""
    return {key: workload.open(key) for key in workload.documents}


def test_it_is_small_enough_to_be_shipped(folder: Path) -> None:
    shipped = [path for path in folder.rglob("*") if path.is_file() and not is_scratch(path.relative_to(folder))]
    assert sum(path.stat().st_size for path in shipped) < LIMIT


def is_scratch(path: Path) -> bool:
    """Whether a file is a checker's or an interpreter's, and no part of what is shipped."""
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def test_every_quote_stands_in_its_artifact(workload: Workload, documents: dict[str, Document]) -> None:
    lost = [
        f"{request.id}: {piece.evidence.quote} ({piece.reason})"
        for request in workload
        for piece in resolve(request, documents[request.document_key]).unresolved
    ]
    assert lost == []


def test_no_quote_is_resolved_by_likeness_alone(workload: Workload, documents: dict[str, Document]) -> None:
    """Words that stand there exactly are the only ones that a writer of a quote may claim."""
    likened = [
        f"{request.id}: {piece.evidence.quote}"
        for request in workload
        for piece in resolve(request, documents[request.document_key]).pieces
        if piece.way not in ("exact", "joined")
    ]
    assert likened == []


def test_no_quote_of_words_stands_in_unrelated_places(workload: Workload, documents: dict[str, Document]) -> None:
    """A quote with two places would let a reader score with the wrong one."""
    double = [
        f"{request.id}: {piece.evidence.quote} ({len(piece.places)} places)"
        for request in workload
        for piece in resolve(request, documents[request.document_key]).pieces
        if len(piece.places) > 1
    ]
    assert double == []


def test_it_has_many_artifacts_of_the_kinds_and_both_languages(workload: Workload) -> None:
    built = [key for key in workload.documents if key.startswith("artifacts/")]
    assert len(built) >= 14
    kinds = {Path(key).suffix for key in built}
    assert {".pdf", ".docx", ".html", ".xlsx", ".csv", ".zip", ".md", ""} <= kinds
    chinese = [key for key in built if re.search(r"[一-鿿]", key)]
    assert len(chinese) >= 5
    assert len(built) - len(chinese) >= 9


def test_most_artifacts_hurt_to_read_whole(documents: dict[str, Document]) -> None:
    tokens = [document.tokens for key, document in documents.items() if key.startswith("artifacts/")]
    assert sum(count >= LONG for count in tokens) >= 14
    assert sum(count >= 8_000 for count in tokens) >= 8


def test_it_has_enough_requests_of_every_scenario(workload: Workload) -> None:
    counts = Counter(request.scenario for request in workload)
    assert len(workload) >= 200
    assert set(counts) == set(SCENARIOS)
    assert min(counts.values()) >= 30


def test_ids_are_unique_and_questions_are_asked_once_about_an_artifact(workload: Workload) -> None:
    assert len({request.id for request in workload}) == len(workload)
    asked = Counter((request.document_key, request.question, request.turns) for request in workload)
    assert [question for question, count in asked.items() if count > 1] == []


def test_it_has_follow_ups_unanswerable_questions_and_near_misses(workload: Workload) -> None:
    assert sum(bool(request.turns) for request in workload) >= 20
    assert sum(not request.answerable for request in workload) >= 20
    assert sum(bool(request.near_miss) for request in workload) >= 40


def test_unanswerable_questions_have_no_evidence_and_the_others_do(workload: Workload) -> None:
    assert [request.id for request in workload if request.answerable != bool(request.evidence)] == []


def test_every_answerable_request_can_be_graded(workload: Workload) -> None:
    assert [request.id for request in workload if request.answerable and not (request.answer or request.rubric)] == []


def test_every_long_artifact_has_its_own_mix(workload: Workload) -> None:
    """Nine requests at least, so that an artifact is worth a fold of its own."""
    counts = Counter(request.document_key for request in workload if request.document_key.startswith("artifacts/"))
    assert {key: count for key, count in counts.items() if count < 9} == {}


def test_the_requests_that_call_for_the_whole_file_say_what_they_do(workload: Workload) -> None:
    actions = Counter(str(request.action) for request in workload)
    assert actions["edit"] >= 3
    assert actions["copy"] >= 3
    assert actions["execute"] >= 1


# The figures of the annual report are made by code; here they are read back from the PDF and added up.


@pytest.fixture(scope="module")
def report(documents: dict[str, Document]) -> Document:
    return documents["artifacts/group-annual-report.pdf"]


def tables_of(document: Document) -> Iterator[list[list[str]]]:
    rows: list[list[str]] = []
    for block in document.blocks:
        if block.kind is BlockKind.TABLE:
            yield rows
            rows = []
        elif block.kind is BlockKind.TABLE_ROW:
            rows.append([cell.text for cell in block.cells])
    yield rows


def value(text: str) -> float:
    number = float(text.strip("()").replace(",", ""))
    return -number if text.startswith("(") else number


def table_with(document: Document, *first: str) -> dict[str, list[str]]:
    """The rows of the table that begins with these cells, by the name in their first column."""
    found = [rows for rows in tables_of(document) if rows and rows[0][: len(first)] == list(first)]
    return {row[0]: row[1:] for rows in found for row in rows}


@pytest.mark.parametrize("head", ["Revenue, millions", "Operating profit, millions", "Capital expenditure, millions"])
def test_segments_add_up_to_the_group(report: Document, head: str) -> None:
    rows = table_with(report, head)
    group = [value(cell) for cell in rows.pop("Group")]
    rows.pop(head)
    assert [round(sum(value(row[at]) for row in rows.values()), 1) for at in range(3)] == group


def test_assets_equal_equity_and_liabilities(report: Document) -> None:
    rows = {
        name: value(cells[0])
        for name, cells in table_with(report, "Millions", "31 December 2025").items()
        if name != "Millions"
    }
    names = list(rows)
    middle = names.index("Total assets")
    assert round(sum(rows[name] for name in names[:middle]), 1) == rows["Total assets"]
    assert round(sum(rows[name] for name in names[middle + 1 : -1]), 1) == rows["Total equity and liabilities"]
    assert rows["Total assets"] == rows["Total equity and liabilities"]


def test_the_result_follows_from_its_parts(report: Document) -> None:
    rows = table_with(report, "Millions", "Note")
    figures = {name: [value(cell) for cell in cells[-2:]] for name, cells in rows.items() if name != "Millions"}
    revenue, costs = figures["Revenue"], figures["Operating costs"]
    operating = figures["Operating profit before exceptional items"]
    assert [round(a + b, 1) for a, b in zip(revenue, costs, strict=True)] == operating
    others = ("Exceptional items", "Finance costs", "Finance income", "Tax")
    profit = [round(operating[at] + sum(figures[name][at] for name in others), 1) for at in (0, 1)]
    assert profit == figures["Profit for the year"]


def test_cash_rolls_forward_into_the_balance_sheet(report: Document) -> None:
    lines = [
        (name, value(cells[0])) for name, cells in table_with(report, "Millions", "2025").items() if name != "Millions"
    ]
    figures = dict(lines)
    at = [name for name, _ in lines].index("Change in cash")
    start = next(rank for rank, (name, _) in enumerate(lines) if name == "Profit before tax")
    assert round(sum(figure for _, figure in lines[start:at]), 1) == figures["Change in cash"]
    assert round(figures["Cash on 1 January"] + figures["Change in cash"], 1) == figures["Cash on 31 December"]
    balance = table_with(report, "Millions", "31 December 2025")
    assert value(balance["Cash"][0]) == figures["Cash on 31 December"]


def test_pay_adds_up_across_and_down(report: Document) -> None:
    rows = table_with(report, "Thousands", "Salary")
    rows.pop("Thousands")
    figures = {name: [value(cell) for cell in cells] for name, cells in rows.items()}
    assert [name for name, cells in figures.items() if sum(cells[:-1]) != cells[-1]] == []
    total = figures.pop("Total")
    assert [sum(cells[at] for cells in figures.values()) for at in range(5)] == total


def test_meter_readings_stay_in_the_order_of_their_dates(folder: Path) -> None:
    with (folder / "artifacts" / "meter-readings.csv").open(encoding="utf-8", newline="") as stream:
        rows: list[dict[str, Any]] = list(csv.DictReader(stream))
    assert len(rows) > 100
    assert all(before["date"] <= after["date"] for before, after in pairwise(rows))
