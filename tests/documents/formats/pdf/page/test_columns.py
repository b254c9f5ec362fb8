"""Reading order: columns one after the other, spanning parts between them, tables and margins apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.formats.pdf.page.columns import Chunk, alike, reading_regions

from ..pdf_files import BOLD, PdfFile, prose, read, rows_of, wrapped

LEFT = "Alpha holds the loan. " + prose(7)
RIGHT = "Omega pays the loan. " + prose(7, 3)


def column(x0: float, x1: float, top: float, lines: int, *, prose: bool = True) -> list[Chunk]:
    return [Chunk(x0, top + 12 * n, x1, top + 12 * n + 10, prose, 10) for n in range(lines)]


def order_of(text: str, *marks: str) -> list[str]:
    """Return the marks in the order in which they first stand in the text."""
    assert all(mark in text for mark in marks)
    return sorted(marks, key=text.index)


@pytest.mark.parametrize("right_first", [False, True])
def test_the_left_column_is_read_before_the_right_one(tmp_path: Path, right_first: bool) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    columns = [(72, LEFT), (320, RIGHT)]
    for x, text in reversed(columns) if right_first else columns:
        pdf.paragraph(x, 100, text, width=220)
    assert read(pdf.save()).reading_text().replace("\n\n", " ") == f"{LEFT} {RIGHT}"


def test_columns_that_are_drawn_line_by_line_across_are_parted(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pairs = zip(wrapped(LEFT, 220), wrapped(RIGHT, 220), strict=False)
    for rank, (left, right) in enumerate(pairs):
        pdf.text(72, 100 + 12 * rank, left)
        pdf.text(320, 100 + 12 * rank, right)
    text = read(pdf.save()).reading_text().replace("\n\n", " ")
    assert "Alpha holds the loan. The committee met in the spring and agreed on the terms" in text
    assert "Omega pays the loan. The trustee informs all holders of the notes" in text
    assert order_of(text, "Omega pays", "Alpha holds") == ["Alpha holds", "Omega pays"]


def test_a_title_across_the_columns_stands_above_them_and_a_line_below_them_last(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.text(72, 60, "A title that stands across both of the columns", size=18, font=BOLD)
    pdf.paragraph(320, 100, RIGHT, width=220)
    pdf.paragraph(72, 100, LEFT, width=220)
    pdf.paragraph(72, 400, "Below both columns stands a paragraph of the full width. " + prose(4, 2))
    text = read(pdf.save()).reading_text()
    marks = ["A title", "Alpha holds", "Omega pays", "Below both columns"]
    assert order_of(text, *reversed(marks)) == marks


def test_a_heading_on_the_left_below_both_columns_heads_what_spans_the_page_below(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(320, 100, RIGHT, width=220)
    pdf.paragraph(72, 100, LEFT, width=220)
    pdf.text(72, 330, "Duties of the trustee", size=12, font=BOLD)
    pdf.paragraph(72, 350, "Below both columns stands a paragraph of the full width. " + prose(4, 2))
    text = read(pdf.save()).reading_text()
    marks = ["Alpha holds", "Omega pays", "Duties of the trustee", "Below both columns"]
    assert order_of(text, *reversed(marks)) == marks


def test_the_last_heading_of_the_left_column_stays_in_it() -> None:
    left, right = column(50, 290, 100, 5), column(310, 550, 100, 12)
    heading, below = Chunk(50, 175, 150, 187, False, 12), Chunk(60, 300, 540, 312, True, 10)
    regions = reading_regions([*left, *right, heading, below])
    assert regions == [[*range(5), 17], [*range(5, 17)], [18]]


def test_three_columns_are_read_from_left_to_right(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    marks = ["Alpha holds", "Kappa sells", "Omega pays"]
    for rank in (2, 0, 1):
        pdf.paragraph(50 + 180 * rank, 100, f"{marks[rank]} the loan. {prose(7, rank)}", width=150)
    assert order_of(read(pdf.save()).reading_text(), *reversed(marks)) == marks


def test_a_wide_table_is_not_read_column_by_column(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    rows = [[f"Loans to customers of class {n}", f"{n},100", f"{n},050"] for n in range(1, 12)]
    for rank, cells in enumerate(rows):
        pdf.row((72, 340, 460), 100 + 14 * rank, cells)
    assert rows_of(read(pdf.save())) == rows


def test_a_margin_note_is_parted_from_the_prose_beside_it() -> None:
    text = column(150, 540, 100, 12)
    note = [Chunk(60, 131 + 11 * n, 120, 139 + 11 * n, False, 7) for n in range(3)]
    regions = [set(region) for region in reading_regions([*text, *note])]
    assert sorted(regions, key=min) == [set(range(12)), {12, 13, 14}]


def test_a_spanning_part_divides_the_columns_above_it_from_those_below() -> None:
    above = [*column(50, 290, 100, 5), *column(310, 550, 100, 5)]
    title = Chunk(60, 170, 540, 182, True, 10)
    below = [*column(50, 290, 200, 5), *column(310, 550, 200, 5)]
    regions = reading_regions([*above, title, *below])
    assert regions == [[*range(5)], [*range(5, 10)], [10], [*range(11, 16)], [*range(16, 21)]]


def test_nothing_gives_no_region() -> None:
    assert reading_regions([]) == []


CHUNKS = st.lists(
    st.builds(
        lambda x, y, width, height, prose, size, short: Chunk(x, y, x + width, y + height, prose, size, short),
        st.floats(0, 500),
        st.floats(0, 700),
        st.floats(1, 500),
        st.floats(1, 30),
        st.booleans(),
        st.sampled_from([0.0, 6.0, 10.0, 18.0]),
        st.booleans(),
    ),
    max_size=40,
)


@given(CHUNKS)
def test_every_chunk_is_in_exactly_one_region(chunks: list[Chunk]) -> None:
    regions = reading_regions(chunks)
    assert sorted(index for region in regions for index in region) == list(range(len(chunks)))
    assert all(regions)


@given(CHUNKS)
def test_the_order_does_not_depend_on_the_order_of_drawing(chunks: list[Chunk]) -> None:
    distinct = list({(chunk.top, chunk.x0): chunk for chunk in chunks}.values())
    forward = [[distinct[i] for i in region] for region in reading_regions(distinct)]
    turned = distinct[::-1]
    backward = [[turned[i] for i in region] for region in reading_regions(turned)]
    assert [sorted(map(repr, region)) for region in forward] == [sorted(map(repr, region)) for region in backward]


def test_cells_of_a_row_have_one_size() -> None:
    cell, caption = Chunk(0, 0, 10, 10, False, 10), Chunk(0, 0, 10, 10, False, 6)
    assert alike(cell, cell)
    assert not alike(cell, caption)
