"""A document answers for its own text and blocks only, and says so in one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.documents import Document, open_document
from workbench.documents.anchors import Piece
from workbench.errors import AnchorMismatch


@pytest.fixture
def document(tmp_path: Path) -> Document:
    path = tmp_path / "a.txt"
    path.write_text("Interest is due in May.\n", encoding="utf-8")
    return open_document(path, isolate=False, cache=False)


@pytest.mark.parametrize("piece", [(-5, 3), (3, 2), (0, 10_000), (-9, -2)])
def test_an_anchor_that_is_no_range_of_the_text_is_refused(document: Document, piece: tuple[int, int]) -> None:
    anchor = document.blocks[0].anchor
    length = len(document.text_layer)
    told = (
        f"The anchor has the characters {piece[0]} to {piece[1]}, but a.txt has those from 0 to {length}; "
        "it belongs to another document or version."
    )
    for wrong in (
        replace(anchor, pieces=(Piece(*piece),)),
        replace(anchor, pieces=(Piece(0, 3), Piece(*piece))),
        replace(anchor, start_char=piece[0], end_char=piece[1]),
    ):
        with pytest.raises(AnchorMismatch) as caught:
            document.text_at(wrong)
        assert str(caught.value) == told
    assert document.text_at(anchor) == "Interest is due in May."


def test_a_block_that_is_not_there_is_answered_with_those_that_are(document: Document, tmp_path: Path) -> None:
    with pytest.raises(AnchorMismatch, match=r"^a\.txt has no block 1; its blocks are 0 to 0\.$"):
        document.block(1)
    (tmp_path / "blank.txt").write_text(" \n", encoding="utf-8")
    with pytest.raises(AnchorMismatch, match=r"^blank\.txt has no block 0; it has no blocks at all\.$"):
        open_document(tmp_path / "blank.txt", isolate=False, cache=False).block(0)


def test_a_row_knows_the_names_of_its_columns_also_below_a_cell_that_spans_two(tmp_path: Path) -> None:
    path = tmp_path / "t.html"
    path.write_text(
        "<table><tr><th></th><th colspan='2'>2023</th><th>2022</th></tr>"
        "<tr><th>Goods</th><th>tonnes</th><th>share</th><th>tonnes</th></tr>"
        "<tr><td>Timber</td><td>588</td><td>6 %</td><td>614</td></tr></table>",
        encoding="utf-8",
    )
    document = open_document(path, isolate=False, cache=False)
    row = next(block for block in document.blocks if block.text.startswith("Timber"))
    assert document.column_names(row.block_id) == {
        0: "Goods",
        1: "2023 tonnes",
        2: "2023 share",
        3: "2022 tonnes",
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(tmp_path: Path, end: str) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(f"First paragraph.{end}{end}Second paragraph.{end}".encode())
    document = open_document(path, isolate=False, cache=False)
    assert [block.anchor.start_line for block in document.blocks] == [1, 3]
