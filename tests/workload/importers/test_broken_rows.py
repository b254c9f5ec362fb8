"""No value in a row ends an import with anything but a workload or one sentence."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.workload.importers.made_sets import beir, blank_pdf, squad, write_json, write_lines
from workbench.errors import WorkbenchError
from workbench.workload import load_workload
from workbench.workload.importers import import_workload

JUNK: tuple[Any, ...] = (
    None,
    7,
    10**9,
    -1.5,
    True,
    "",
    "[True]",
    "[[1]]",
    "x\ud800",
    "水" * 3,
    [],
    [None],
    {},
    {"a": 1},
)


def broken(value: Any) -> Iterator[Any]:
    """Give copies of a value, each with one part of it replaced or taken away."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            for junk in (*JUNK, *broken(value[key])):
                changed = copy.copy(value)
                changed[key] = junk
                yield changed
            shorter = copy.copy(value)
            del shorter[key]
            yield shorter


CONTEXT = {"document_id": "page-0-80", "title": "T", "text": "Backups run nightly."}
ROWS: dict[str, tuple[str, Any]] = {
    "financebench": (
        "questions.jsonl",
        {"financebench_id": "f", "doc_name": "A", "question": "How?", "answer": "5", "question_type": "t",
         "evidence": [{"evidence_text": "Sales", "evidence_page_num": 0, "doc_name": "A"}]},
    ),
    "cuad": (
        "questions.jsonl",
        {"contract_pdf": "full_contract_pdf/A.pdf", "category": "Term", "question": "How long?", "answer": "5",
         "evidence": ["five years"], "evidence_verbatim_in_txt": [False]},
    ),
    "loogle": (
        "longdep_qa.jsonl",
        {"title": "P", "input": "He died.", "qa_pairs": "[{'Q': 'Who?', 'A': 'He', 'type': 'x', 'S': ['He died.']}]"},
    ),
    "mmlongbench": (
        "samples.json",
        {"doc_id": "A.pdf", "question": "Which?", "answer": "['a']", "answer_format": "List", "evidence_pages": "[1]",
         "evidence_sources": "['Chart']"},
    ),
    "mtrag": (
        "reference.jsonl",
        {"conversation_id": "c", "task_id": "t", "Collection": "g", "answerability": ["PARTIAL"], "contexts": [CONTEXT],
         "input": [{"speaker": "user", "text": "When?"}], "targets": [{"speaker": "agent", "text": "nightly"}]},
    ),
    "tatqa": (
        "tatqa_dataset_test_gold.json",
        {"table": {"uid": "t", "table": [["", "1"], ["a", "2"]]},
         "paragraphs": [{"uid": "p", "order": 1, "text": "It grew."}],
         "questions": [{"uid": "q", "question": "?", "answer": ["2"], "scale": "", "answer_type": "span",
                        "facts": ["2"], "mappings": [{"table": [1, 1]}, {"paragraph_1": [0, 2]}]}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_broken_rows_end_no_import(name: str, tmp_path: Path) -> None:
    file, row = ROWS[name]
    source = tmp_path / "set"
    for folder in ("pdfs", "documents", "full_contract_pdf"):
        blank_pdf(source / folder / "A.pdf")
    rows = [row, *broken(row), *JUNK]
    if file.endswith(".jsonl"):
        write_lines(source / file, [entry if not isinstance(entry, str) else repr(entry) for entry in rows])
    else:
        write_json(source / file, rows)
    report = import_workload(name, source, tmp_path / "out", check=False, progress=False)
    assert report.requests >= 1
    assert report.defects
    assert len(load_workload(tmp_path / "out")) == report.requests


def test_broken_files_in_the_format_of_squad_end_in_a_workload_or_a_sentence(tmp_path: Path) -> None:
    made = squad(("Oxygen", "Oxygen is a gas.", [("What?", [("gas", 12)])]))
    imported = 0
    for rank, changed in enumerate(broken(made)):
        source = write_json(tmp_path / f"{rank}.json", changed)
        try:
            imported += import_workload("squad", source, tmp_path / str(rank), check=False, progress=False).requests
        except WorkbenchError as error:
            assert str(error).endswith(".")
    assert imported


def test_broken_rows_of_a_corpus_end_no_import(tmp_path: Path) -> None:
    folder = beir(tmp_path / "set")
    for name in ("corpus.jsonl", "queries.jsonl"):
        lines = (folder / name).read_text("utf-8").splitlines()
        write_lines(folder / name, [*lines, *broken({"_id": "q2", "title": "t", "text": "x"}), "{", "[]", "\ufeff"])
    report = import_workload("beir", folder, tmp_path / "out", check=False, progress=False)
    assert report.requests >= 2
