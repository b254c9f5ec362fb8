"""What others say of the same pages: pdfplumber of words, the eye of columns, FinanceBench of evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.documents import word_shares
from benchmarks.fidelity import evidence_rows, evidence_score, row_is_kept
from tests.documents.real_documents import real_document, real_files
from workbench.documents import Document
from workbench.documents.blocks import FURNITURE
from workbench.documents.quotes import fold

pytestmark = pytest.mark.data

ORACLE_PAGES = 40
LEAST_WORDS, LEAST_WORDS_OF_A_PAGE = 0.985, 0.7
LEAST_ROWS = 0.96
LEAST_COVERAGE = 0.98

TRACEMONKEY, MULTICOLUMN = "nasty_pdfs/pdfjs-tracemonkey.pdf", "nasty_pdfs/pypdf-multicolumn.pdf"
ACL = "mmlongbench/documents/2023.acl-long.386.pdf"
COLUMNS = (
    (TRACEMONKEY, 4, "ate on unboxed values in simple variables", "A trace records all its intermediate values"),
    (TRACEMONKEY, 5, "then to an integer internally to the array", "Starting a tree. Tree trees always start at loop"),
    (TRACEMONKEY, 9, "that loop (see Section 3.3).", "Recording is activated by a pointer swap that sets"),
    (TRACEMONKEY, 13, "Researchers have shown how to gen", "erate native code with nearly the same structure"),
    (TRACEMONKEY, 14, "pages 146–160. ACM New York, NY, USA, 1989.", "[10] A. Gal. Efficient Bytecode Verification"),
    (MULTICOLUMN, 1, "Vivamus viverra fermentum felis. Donec nonummy", "pellentesque ante"),
    (MULTICOLUMN, 2, "Vestibulum ante ipsum primis in faucibus orci", "luctus et ultrices posuere cubilia Curae"),
    (ACL, 3, "delegate each sub-task to specialized functions.", "This approach reduces the burden on the lan"),
    (ACL, 4, "programs (Gao et al., 2022; Chen et al., 2022b).", "However, the grammar of a reasoning program"),
)
"""Last line of the left column and first line of the right, on 1-based pages of two columns."""
IDS = [f"{Path(name).stem}, page {page}" for name, page, _, _ in COLUMNS]


@pytest.fixture(scope="module")
def filings(data_dir: Path) -> dict[str, Document]:
    """The filings by their names without suffix."""
    names = real_files("financebench/pdfs")
    return {Path(name).stem: real_document(data_dir, name) for name in names}


@pytest.fixture(scope="module")
def evidence(data_dir: Path, filings: dict[str, Document]) -> list[tuple[Document, int, str]]:
    """Gold evidence: the filing, the 1-based page, and the text, which has lost its characters outside ASCII."""
    with (data_dir / "financebench" / "questions.jsonl").open(encoding="utf-8") as stream:
        items: Iterator[dict[str, Any]] = (item for line in stream for item in json.loads(line)["evidence"])
        return [(filings[item["doc_name"]], item["evidence_page_num"] + 1, item["evidence_text"]) for item in items]


def test_words_are_those_that_pdfplumber_finds(filings: dict[str, Document]) -> None:
    shares = word_shares(list(filings.values()), ORACLE_PAGES)
    assert len(shares) == ORACLE_PAGES
    assert np.mean(shares) >= LEAST_WORDS
    assert min(shares) >= LEAST_WORDS_OF_A_PAGE


@pytest.mark.parametrize(("name", "page", "last_of_left", "first_of_right"), COLUMNS, ids=IDS)
def test_the_left_column_is_read_before_the_right(
    data_dir: Path, name: str, page: int, last_of_left: str, first_of_right: str
) -> None:
    document = real_document(data_dir, name)
    blocks = [block for block in document.blocks if page in block.anchor.pages and block.kind not in FURNITURE]
    text = fold(" ".join(block.text for block in blocks))
    left, right = text.find(fold(last_of_left)), text.find(fold(first_of_right))
    assert 0 <= left < right


@pytest.mark.parametrize(("name", "page", "last_of_left", "first_of_right"), COLUMNS, ids=IDS)
def test_no_line_of_text_runs_across_both_columns(
    data_dir: Path, name: str, page: int, last_of_left: str, first_of_right: str
) -> None:
    document = real_document(data_dir, name)
    gutter = document.pages[page - 1].width / 2
    for block in document.blocks:
        if any(fold(words) in fold(block.text) for words in (last_of_left, first_of_right)):
            across = [
                box for box in block.anchor.boxes if box.page == page and box.x0 < gutter - 20 < gutter + 20 < box.x1
            ]
            assert not across, block


def test_every_evidence_text_stands_on_its_page_in_one_run(evidence: list[tuple[Document, int, str]]) -> None:
    assert len(evidence) == 71
    scores = [evidence_score(document, text, page) for document, page, text in evidence]
    assert all(score.in_layer for score in scores)
    assert np.mean([score.coverage for score in scores]) >= LEAST_COVERAGE


def test_a_row_of_a_table_keeps_its_label_and_its_numbers_together(evidence: list[tuple[Document, int, str]]) -> None:
    kept = [
        row_is_kept(document, page, label, numbers)
        for document, page, text in evidence
        for label, numbers in evidence_rows(text)
    ]
    assert len(kept) > 800
    assert np.mean(kept) >= LEAST_ROWS
