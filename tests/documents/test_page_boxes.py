"""The rectangles of blocks, page by page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents import Box, open_document
from workbench.documents.blocks import BlockKind
from workbench.documents.page_boxes import PageBoxes, parts_on

from .test_overlay import two_pages

lines = st.lists(
    st.tuples(st.integers(1, 3), st.integers(0, 500), st.integers(0, 700), st.integers(1, 80), st.integers(1, 20)),
    max_size=30,
)


@given(lines)
def test_every_line_lies_in_one_of_the_parts_of_its_page(found: list[tuple[int, int, int, int, int]]) -> None:
    boxes = [Box(page, x, top, x + width, top + height) for page, x, top, width, height in found]
    for page in (1, 2, 3):
        parts = parts_on(boxes, page)
        assert all(part.page == page for part in parts)
        own = [box for box in boxes if box.page == page]
        assert len(parts) <= len(own)
        for box in own:
            assert any(
                part.x0 <= box.x0 and part.top <= box.top and part.x1 >= box.x1 and part.bottom >= box.bottom
                for part in parts
            )


def test_a_block_in_two_columns_has_two_rectangles() -> None:
    left = [Box(1, 50, 700, 250, 710), Box(1, 50, 712, 250, 722)]
    right = [Box(1, 300, 60, 500, 70), Box(1, 300, 72, 400, 82)]
    assert parts_on([*left, *right], 1) == [Box(1, 50, 700, 250, 722), Box(1, 300, 60, 500, 82)]


def test_boxes_of_a_page_are_those_of_the_anchors_in_reading_order(tmp_path: Path) -> None:
    document = open_document(two_pages(tmp_path / "a.pdf"), isolate=False)
    found = PageBoxes(document)
    assert found.sizes.tolist() == [[400, 300], [400, 300]]
    seen: list[int] = []
    for page in (1, 2):
        blocks, boxes = found.on(page)
        assert (blocks.dtype, boxes.dtype, boxes.shape) == (np.int32, np.float32, (len(blocks), 4))
        assert blocks.tolist() == sorted(blocks.tolist())
        seen += blocks.tolist()
        for block, box in zip(blocks.tolist(), boxes.tolist(), strict=True):
            anchor = document.blocks[block].anchor.box
            assert anchor is not None
            assert box == pytest.approx(anchor[1:], abs=1e-3)
            assert found.tops[block] == pytest.approx(anchor.top, abs=1e-3)
    assert seen == list(range(len(document)))
    # The table of the second page has no characters of its own, and a place all the same.
    table = next(block for block in document.blocks if block.kind is BlockKind.TABLE)
    assert table.block_id in PageBoxes(document).on(2)[0]


def test_a_document_without_geometry_has_neither_sizes_nor_boxes(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Terms\n\nInterest is due.\n")
    found = PageBoxes(open_document(tmp_path / "a.md", isolate=False))
    assert found.sizes.tolist() == [[0, 0]]
    assert np.isnan(found.tops).all()
    blocks, boxes = found.on(1)
    assert (blocks.shape, boxes.shape) == ((0,), (0, 4))
