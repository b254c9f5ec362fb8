"""Real documents of every kind: no character is lost, none is in two blocks, and every anchor leads back to its text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from benchmarks.speed import sampled_pages
from tests.documents.pdfium_pages import loaded_page, opened_pdf, spelled, text_in_box
from tests.documents.real_documents import passwords, real_document, real_files
from workbench.documents import Block, BlockKind, Document, Page, PageStatus, open_document
from workbench.documents.blocks import FURNITURE
from workbench.documents.packing import pack_document
from workbench.documents.quotes import fold
from workbench.documents.tokens import count_tokens

pytestmark = pytest.mark.data

REASONS = {
    "pdf": {
        "outside the visible page",
        "drawn twice at the same place",
        "hyphen at a line end",
        "character without ink",
        "text of an unreadable page",
    },
    "markdown": {"markup", "comment"},
    "text": {"markup", "rule"},
    "json": {"structure"},
    "jsonl": {"structure"},
    "delimited": {"structure"},
}
"""Why text may be in no block, by format."""
SIGNS_ONLY = {"hyphen at a line end", "character without ink", "structure", "markup", "rule"}
"""Reasons that explain signs, never a letter or digit."""
RUNS_OVER = {BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.HEADING, BlockKind.CODE, BlockKind.TOC_ENTRY}
"""Kinds that stand in the order of the pages; furniture, footnotes and tables may stand after a sentence that
goes on overleaf around them."""
BOX_PAGES = 3
EDGE = 20.0
"""Points by which a word at the edge may reach beyond the visible page."""

SAMPLE = (
    "README.md",
    "cuad/master_clauses.csv",
    "financebench/questions.jsonl",
    "xquad/xquad.zh.json",
    "cuad/full_contract_txt/QBIOMEDINC_04_08_2020-EX-99.1-JOINT FILING AGREEMENT.txt",
    "cuad/full_contract_pdf/KNOWLABS,INC_08_15_2005-EX-10-INTELLECTUAL PROPERTY AGREEMENT.PDF",
    "financebench/pdfs/BESTBUY_2019_10K.pdf",
    "mmlongbench/documents/afe620b9beac86c1027b96d31d396407.pdf",
    "nasty_pdfs/pdfjs-160F-2019.pdf",
    "nasty_pdfs/pypdf-unreadablemetadata.pdf",
)
"""One document of each kind, long and short, for what takes several parses."""


@pytest.fixture(scope="module", params=real_files())
def document(request: pytest.FixtureRequest, data_dir: Path) -> Document:
    """One document after the other."""
    return real_document(data_dir, request.param)


@pytest.fixture
def pdf(document: Document) -> Document:
    """The document, where it is a PDF."""
    if document.format != "pdf":
        pytest.skip("no PDF")
    return document


def in_blocks(document: Document) -> npt.NDArray[np.int32]:
    """Return in how many blocks each character is."""
    change = np.zeros(len(document.text_layer) + 1, np.int32)
    np.add.at(change, document.columns.start, 1)
    np.subtract.at(change, document.columns.end, 1)
    return np.cumsum(change[:-1], dtype=np.int32)


def characters(document: Document, test: Any) -> npt.NDArray[np.bool_]:
    """Return which characters pass a test."""
    return np.fromiter(map(test, document.text_layer), np.bool_, len(document.text_layer))


def test_every_character_is_in_one_block_or_one_named_exclusion(document: Document) -> None:
    claims = in_blocks(document)
    excluded = np.zeros(len(document.text_layer), np.bool_)
    for start, end, _ in document.exclusions:
        excluded[start:end] = True
    layer = document.text_layer
    lost = np.flatnonzero((claims == 0) & ~excluded & ~characters(document, str.isspace))
    assert not lost.size, f"in no block: {[layer[at - 20 : at + 20] for at in lost[:3].tolist()]}"
    assert claims.max(initial=0) <= 1
    assert not (excluded & (claims > 0)).any()
    assert set(document.exclusions.reasons) <= REASONS[document.format]


def test_no_letter_vanishes_as_a_mere_sign(document: Document) -> None:
    letters = "".join(document.excluded(reason) for reason in SIGNS_ONLY)
    assert not any(letter.isalnum() for letter in letters)


def test_pages_divide_the_text_layer(document: Document) -> None:
    pages = document.pages
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    starts = [page.start_char for page in pages]
    assert [0, *(page.end_char for page in pages)] == [*starts, len(document.text_layer)]
    shown = {block.page for block in document.blocks}
    assert all(pages[number - 1].status in (PageStatus.TEXT, PageStatus.NO_TEXT) for number in shown)


def test_blocks_are_numbered_in_reading_order(document: Document) -> None:
    assert [block.block_id for block in document.blocks] == list(range(len(document)))
    running = [block.page for block in document.blocks if block.kind in RUNS_OVER]
    assert running == sorted(running)
    latest = np.maximum.accumulate(document.columns.home_page) if len(document) else np.zeros(0, np.int32)
    assert (latest - document.columns.home_page <= 1).all()


def test_kinds_levels_tables_and_sections_fit_together(document: Document) -> None:
    blocks = document.blocks
    for block in blocks:
        assert bool(block.text) is (block.kind is not BlockKind.TABLE)
        assert block.level in legal_levels(block.kind), block
        assert (block.table is not None) is (block.kind is BlockKind.TABLE_ROW), block
        above = [blocks[rank] for rank in block.section]
        assert all(heading.kind is BlockKind.HEADING and heading.block_id < block.block_id for heading in above)
        levels = [heading.level for heading in above] + ([block.level] if block.kind is BlockKind.HEADING else [])
        assert levels == sorted(set(levels)), block
        assert not (block.kind in FURNITURE and block.section), block
        if block.table is not None:
            assert blocks[block.table].kind is BlockKind.TABLE and block.table < block.block_id
            columns = [cell.column for cell in block.cells]
            assert columns == sorted(set(columns)), block
            assert all(blocks[rank].is_header for rank in block.header)


def legal_levels(kind: BlockKind) -> range:
    """Return the levels that a kind may have."""
    if kind is BlockKind.HEADING:
        return range(1, 7)
    return range(1, 64) if kind is BlockKind.LIST_ITEM else range(1)


def test_token_counts_add_up(document: Document) -> None:
    counted = count_tokens([block.text for block in document.blocks])
    assert document.columns.tokens.tolist() == counted.tolist()
    assert document.tokens == sum(block.tokens for block in document.blocks) == counted.sum()
    frame = document.to_frame()
    assert (len(frame), int(frame["tokens"].sum())) == (len(document), document.tokens)


def test_every_anchor_leads_back_to_the_text_of_its_block(document: Document) -> None:
    layer = document.text_layer
    for block in document.blocks:
        anchor = block.anchor
        assert anchor.read(layer) == block.text
        if not anchor.pieces:
            continue
        assert (anchor.start_char, anchor.end_char) == (
            min(piece.start_char for piece in anchor.pieces),
            max(piece.end_char for piece in anchor.pieces),
        )
        assert anchor.pages == tuple(dict.fromkeys(document.page_of(piece.start_char) for piece in anchor.pieces))
        if document.line_based:
            assert anchor.start_line == layer.count("\n", 0, anchor.start_char) + 1
        for cell in block.cells:
            assert cell.start_char >= anchor.start_char and cell.end_char <= anchor.end_char


def test_the_text_layer_is_what_the_bytes_spell(document: Document, data_dir: Path) -> None:
    assert document.path is not None
    if document.format != "pdf":
        assert document.line_based
        assert document.text_layer == document.path.read_bytes().decode("utf-8-sig")
        return
    again = [page for page in document.pages if not is_spelled_by_pdfium(document, page)] if opens(document) else document.pages
