"""Marks over the pictures of pages: where the blocks stand, one a block, and fewer where there are too many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.real_documents import real_document
from workbench.documents import Document, open_document
from workbench.documents.page_boxes import PageBoxes
from workbench.reading.selection import Status
from workbench.report.contents import PageMark
from workbench.report.pages.marks import page_marks
from workbench.report.pages.places import PagePlaces

CODES = st.lists(st.sampled_from([0, 0, 0, 1, 2, 3]), min_size=400, max_size=400)


@pytest.fixture(scope="module")
def report(sample_dir: Path) -> Document:
    return open_document(sample_dir.parent / "artifacts" / "group-annual-report.pdf")


def statuses(document: Document, codes: list[int]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.resize(np.array(codes, np.uint8), len(document))


def inside(part: PageMark, whole: PageMark) -> bool:
    """Whether a mark lies in another, but for what rounding does."""
    return (
        part.x0 >= whole.x0 - 0.11
        and part.top >= whole.top - 0.11
        and part.x1 <= whole.x1 + 0.11
        and part.bottom <= whole.bottom + 0.11
    )


def overlap(one: PageMark, other: PageMark) -> float:
    """How many points two marks share in the direction in which they share fewer."""
    return min(min(one.x1, other.x1) - max(one.x0, other.x0), min(one.bottom, other.bottom) - max(one.top, other.top))


def assert_as_page_boxes(document: Document) -> None:
    boxes, found = PageBoxes(document), PagePlaces(document).rectangles()
    with_text = np.diff(document.columns.first_piece) > 0
    for page in range(1, len(document.pages) + 1):
        blocks, expected = boxes.on(page)
        own = with_text[blocks]
        here = found.page == page
        assert found.block[here].tolist() == blocks[own].tolist()
        np.testing.assert_allclose(found.boxes[here], expected[own], atol=1e-3)


@pytest.mark.parametrize(
    "name", ["group-annual-report.pdf", "research-report.pdf", "集团年度报告.pdf", "pump-manual.pdf"]
)
def test_rectangles_are_those_of_the_boxes_of_each_page(sample_dir: Path, name: str) -> None:
    assert_as_page_boxes(open_document(sample_dir.parent / "artifacts" / name))


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        "financebench/pdfs/3M_2018_10K.pdf",
        "mmlongbench/documents/2023.acl-long.386.pdf",
        "nasty_pdfs/pdfjs-160F-2019.pdf",
    ],
)
def test_rectangles_of_real_files_are_those_of_the_boxes_of_each_page(data_dir: Path, name: str) -> None:
    assert_as_page_boxes(real_document(data_dir, name))


def test_every_block_with_text_has_a_mark_of_its_status(report: Document) -> None:
    status = statuses(report, [0, 1, 2, 3, 0])
    marks = page_marks(report, PagePlaces(report), status)
    assert len(marks) == len(report.pages)
    seen = {mark.block_id for page in marks for mark in page}
    assert seen == set(np.flatnonzero(np.diff(report.columns.first_piece) > 0).tolist())
    names = {Status.SKIPPED: "skipped", Status.KEPT: "kept", Status.PINNED: "pinned", Status.CONTEXT: "context"}
    for number, page in enumerate(marks, start=1):
        for mark in page:
            assert mark.status == names[Status(status[mark.block_id])]
            assert number in report.blocks[mark.block_id].anchor.pages
            assert 0 <= mark.x0 < mark.x1 <= report.pages[number - 1].width + 0.1
            assert round(mark.top, 1) == mark.top


@given(CODES, st.integers(0, 500))
def test_joined_marks_hold_all_blocks_and_lie_over_no_other_status(
    report: Document, codes: list[int], most: int
) -> None:
    places, status = PagePlaces(report), statuses(report, codes)
    single, joined = page_marks(report, places, status), page_marks(report, places, status, most=most)
    assert sum(map(len, joined)) <= sum(map(len, single))
    if sum(map(len, single)) <= most:
        assert joined == single
    for alone, fewer in zip(single, joined, strict=True):
        ids = [mark.block_id for mark in fewer]
        assert ids == sorted(ids)
        for mark in alone:
            # A click on the mark that lies over a block leads to that block, or to one before it in the same list.
            over = [one for one in fewer if one.status == mark.status and inside(mark, one)]
            assert any(one.block_id <= mark.block_id for one in over)
        for one in set(fewer) - set(alone):
            assert all(overlap(one, mark) <= 1.11 for mark in alone if mark.status != one.status)


def test_pages_skipped_whole_are_joined_first(report: Document) -> None:
    places = PagePlaces(report)
    status = np.zeros(len(report), np.uint8)
    status[places.block[places.page == 2][:1]] = Status.KEPT
    single = page_marks(report, places, status)
    joined = page_marks(report, places, status, most=sum(map(len, single)) - 1)
    assert joined[1] == single[1]
    assert sum(map(len, joined)) < 0.5 * sum(map(len, single))


def test_a_block_over_two_pages_stands_on_both_and_its_tokens_are_divided(report: Document) -> None:
    places = PagePlaces(report)
    over = [block.block_id for block in report.blocks if len(block.anchor.pages) > 1]
    tokens = report.columns.tokens.astype(np.int64)
    parts = places.tokens_on(tokens)
    assert (parts >= 0).all()
    sums = np.bincount(places.block, weights=parts, minlength=len(report))
    with_text = np.diff(report.columns.first_piece) > 0
    assert (sums[with_text] == tokens[with_text]).all()
    for block in over:
        assert places.page[places.block == block].tolist() == list(report.blocks[block].anchor.pages)


def test_a_text_has_no_marks(sample_dir: Path) -> None:
    document = open_document(sample_dir / "harbor-manual.md")
    marks = page_marks(document, PagePlaces(document), np.zeros(len(document), np.uint8))
    assert marks == [()]
