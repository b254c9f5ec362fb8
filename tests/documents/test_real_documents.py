"""Real documents of every kind: no character is lost, none is in two blocks, every anchor leads back to its text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pdfplumber
import pytest

from benchmarks.speed import sampled_pages
from tests.documents.pdfium_pages import loaded_page, opened_pdf, spelled, text_in_box
from tests.documents.real_documents import passwords, real_document, real_files
from workbench.documents import BlockKind, Document, Page, PageStatus, open_document
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
MIXED_DIRECTIONS = {"pypdf-habibi-rotated.pdf"}
"""A word's box is drawn around its first and last letter: in a word of two writing directions they are not its ends."""

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


@pytest.fixture(scope="module", params=real_files(), ids=str)
def document(request: pytest.FixtureRequest, data_dir: Path) -> Document:
    """One document after the other."""
    return real_document(data_dir, request.param)


@pytest.fixture(scope="module", params=real_files(suffix=".pdf"), ids=str)
def pdf(request: pytest.FixtureRequest, data_dir: Path) -> Document:
    """One PDF after the other."""
    return real_document(data_dir, request.param)


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
    if kind in (BlockKind.HEADING, BlockKind.TOC_ENTRY):
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
    lines = np.cumsum(characters(document, "\n".__eq__)) + 1
    for block in document.blocks:
        anchor = block.anchor
        assert anchor.read(layer) == block.text
        if not anchor.pieces:
            continue
        assert anchor.start_char == min(piece.start_char for piece in anchor.pieces)
        assert anchor.end_char == max(piece.end_char for piece in anchor.pieces)
        assert anchor.pages == tuple(dict.fromkeys(document.page_of(piece.start_char) for piece in anchor.pieces))
        assert block.page == anchor.pages[0]
        if document.line_based:
            assert (anchor.start_line, anchor.end_line) == (lines[anchor.start_char], lines[anchor.end_char - 1])
        for cell in block.cells:
            assert anchor.start_char <= cell.start_char < cell.end_char <= anchor.end_char


def test_the_text_layer_is_what_the_bytes_spell(document: Document, data_dir: Path) -> None:
    path = opened_path(document)
    if document.format != "pdf":
        assert document.line_based
        assert document.text_layer == path.read_bytes().decode("utf-8-sig")
        return
    odd = list(document.pages)
    if not was_recovered(document):
        with opened_pdf(path, passwords(data_dir).get(path.name)) as opened:
            odd = [page for page in document.pages if not spelled_by_pdfium(document, page, opened)]
    assert len(odd) <= 3
    if odd:
        with pdfplumber.open(path) as native:
            for page in odd:
                words = native.pages[page.number - 1].dedupe_chars().extract_words(use_text_flow=True)
                assert "".join(layer_of(document, page).split()) == "".join(word["text"] for word in words)


def spelled_by_pdfium(document: Document, page: Page, opened: Any) -> bool:
    """Whether a page of the text layer is what pdfium says its glyphs spell, and below it the filled form fields."""
    with loaded_page(opened, page.number) as loaded:
        if loaded is None:
            assert page.status is PageStatus.UNREADABLE
            return layer_of(document, page) == "\f"
        layer = spelled(loaded[1])
    fields = [
        block.text for block in document.blocks if block.kind is BlockKind.FORM_FIELD and block.page == page.number
    ]
    return layer_of(document, page) == "\n".join([layer, *fields]) + "\f"


def layer_of(document: Document, page: Page) -> str:
    """Return a page's part of the text layer."""
    return document.text_layer[page.start_char : page.end_char]


def opened_path(document: Document) -> Path:
    """Return the file that a document was opened from."""
    assert document.path is not None
    return document.path


def was_recovered(document: Document) -> bool:
    """Whether pdfium refused the file, so that pdfplumber read it."""
    return any(warning.code == "damaged" for warning in document.warnings)


def test_boxes_lie_on_their_page(pdf: Document) -> None:
    box, columns = pdf.columns.box, pdf.columns
    starts = np.array([page.start_char for page in pdf.pages])
    page = np.searchsorted(starts, columns.start, side="right") - 1
    sides = np.array([(page.width, page.height) for page in pdf.pages])[page]
    assert box.shape == (len(columns.start), 4)
    assert np.isfinite(box).all()
    assert (box[:, :2] <= box[:, 2:]).all()
    assert (box[:, :2] >= -EDGE).all() and (box[:, 2:] <= sides + EDGE).all()
    centre = (box[:, :2] + box[:, 2:]) / 2
    assert (centre >= -1).all() and (centre <= sides + 1).all()
    for block in pdf.blocks:
        if block.kind is not BlockKind.TABLE:
            assert [found.page for found in block.anchor.boxes] == [
                pdf.page_of(piece.start_char) for piece in block.anchor.pieces
            ]


def test_pdfium_finds_the_text_of_a_block_in_its_boxes(pdf: Document, data_dir: Path) -> None:
    if was_recovered(pdf):
        return  # pdfium does not open it
    path = opened_path(pdf)
    wanted = found = inside = 0
    with opened_pdf(path, passwords(data_dir).get(path.name)) as opened:
        for index in sampled_pages(len(pdf.pages), BOX_PAGES, pdf.name):
            with loaded_page(opened, index + 1) as loaded:
                if loaded is None:
                    continue
                for text, seen in texts_and_boxes(pdf, pdf.pages[index], loaded):
                    wanted += len(text)
                    found += (Counter(text) & Counter(seen)).total()
                    inside += len(seen)
    assert found >= (0.7 if pdf.name in MIXED_DIRECTIONS else 0.995) * wanted
    assert inside <= 1.6 * wanted + 20


def texts_and_boxes(pdf: Document, page: Page, loaded: tuple[Any, Any]) -> list[tuple[str, str]]:
    """Return for each piece of a page what it says, and what pdfium finds in its box."""
    pairs = []
    for block in pdf.blocks:
        if page.number not in block.anchor.pages or block.kind in (BlockKind.TABLE, BlockKind.FORM_FIELD):
            continue
        for piece, box in zip(block.anchor.pieces, block.anchor.boxes, strict=True):
            text = fold(pdf.text_layer[piece.start_char : piece.end_char])
            if box.page == page.number and text:
                pairs.append((text, fold(text_in_box(*loaded, box, (page.width, page.height)))))
    return pairs


@pytest.mark.parametrize("name", SAMPLE)
def test_every_way_of_reading_gives_the_same_bytes(name: str, data_dir: Path) -> None:
    def packed(**options: Any) -> bytes:
        return pack_document(open_document(data_dir / name, progress=False, cache=False, **options))

    once = packed(isolate=False)
    assert packed(isolate=False) == once
    assert packed(isolate=True, workers=2) == once
    assert packed(isolate=True, workers=1) == once
    assert pack_document(real_document(data_dir, name)) == once


def test_all_sets_of_the_data_are_read(data_dir: Path) -> None:
    kinds = Counter(Path(name).parts[0] for name in real_files())
    assert kinds["financebench"] == 27 + 2
    assert kinds["cuad"] == 24 + 24 + 3
    assert kinds["mmlongbench"] == 15 + 1
    assert kinds["nasty_pdfs"] == 57 - 3 + 1
    assert {real_document(data_dir, name).format for name in SAMPLE} == set(REASONS)
