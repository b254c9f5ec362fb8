"""Reading order: columns one after the other, spanning parts between them, tables and margins apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.pdf.page.columns import Chunk, alike, reading_regions

from ..pdf_files import BOLD, CHINESE, REGULAR, PdfFile, prose, read, rows_of, texts_of, wrapped

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


HAN_TEXT = "示范电站自二〇二三年七月运行至次年八月共发出一级告警十七次经检查其中十四次属实其余为误报"
CAPTIONS = {REGULAR: "Table 4. Ageing of the loans and their value", CHINESE: "表 4 循环老化与容量估计"}


def column_text(font: str) -> list[str]:
    if font == CHINESE:
        return [(HAN_TEXT[at:] + HAN_TEXT)[:22] for at in range(24)]
    return wrapped(prose(24), 220)[:24]


@pytest.mark.parametrize("font", [REGULAR, CHINESE])
@pytest.mark.parametrize("caption", [False, True])
@pytest.mark.parametrize("table_x", [72, 320])
@pytest.mark.parametrize(("rows", "step"), [(3, 18), (12, 18), (8, 12), (8, 24)])
def test_a_ruled_table_in_one_column_parts_no_line_of_the_other(
    tmp_path: Path, font: str, caption: bool, table_x: float, rows: int, step: float
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    lines = column_text(font)
    pdf.lines(392 - table_x, 100, lines, font=font)
    if caption:
        pdf.text(table_x, 100, CAPTIONS[font], font=font)
    cells = [[f"Class {n}", f"{n},100", f"{n},150"] for n in range(rows)]
    # The first row stands level with a line of the other column, and so does each row of 12 and 24 points.
    heights = [121 - step / 2 + step * n for n in range(rows + 1)]
    pdf.grid([table_x, table_x + 70, table_x + 140, table_x + 210], heights, cells)
    document = read(pdf.save(), max_block_chars=10_000)
    joint = "" if font == CHINESE else " "
    assert texts_of(document, BlockKind.PARAGRAPH) == [joint.join(lines)]
    assert texts_of(document, BlockKind.CAPTION) == [CAPTIONS[font]] * caption
    assert rows_of(document) == cells
    kinds = [block.kind for block in document.blocks]
    assert (kinds[0] is BlockKind.PARAGRAPH) == (table_x == 320)


@pytest.mark.parametrize("font", [REGULAR, CHINESE])
def test_a_ruled_table_below_prose_in_the_column_beside_prose_stays_in_its_column(tmp_path: Path, font: str) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    lines = column_text(font)
    pdf.lines(72, 100, lines, font=font)
    y = pdf.lines(320, 100, lines[5:7], font=font)
    pdf.text(320, y + 12, CAPTIONS[font], font=font)
    cells = [[f"Class {n}", f"{n},100", f"{n},150"] for n in range(6)]
    pdf.grid([320, 390, 460, 530], [y + 20 + 18 * n for n in range(7)], cells)
    document = read(pdf.save(), max_block_chars=10_000)
    joint = "" if font == CHINESE else " "
    assert " ".join(texts_of(document, BlockKind.PARAGRAPH)).startswith(joint.join(lines))
    assert texts_of(document, BlockKind.CAPTION) == [CAPTIONS[font]]
    assert rows_of(document) == cells


@pytest.mark.parametrize(
    ("first", "second"), [("Table 13. Loans of the year", "Table 14. Fees of the year"), ("表 13 贷款", "表 14 费用")]
)
@pytest.mark.parametrize("lower", [0, 7])
def test_ruled_tables_in_two_columns_share_no_row_and_no_caption(
    tmp_path: Path, first: str, second: str, lower: float
) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    cells: dict[int, list[list[str]]] = {}
    for x, y, caption in ((72, 100, first), (320, 100 + lower, second)):
        pdf.text(x, y, caption, font=CHINESE if "表" in caption else REGULAR)
        cells[x] = [[f"Class {x}-{n}", f"{n},100", f"{n},150"] for n in range(12)]
        pdf.grid([x, x + 70, x + 140, x + 210], [y + 8 + 18 * n for n in range(13)], cells[x])
    document = read(pdf.save())
    assert texts_of(document, BlockKind.CAPTION) == [first, second]
    assert rows_of(document) == [*cells[72], *cells[320]]
    kinds = [block.kind for block in document.blocks if block.kind in (BlockKind.CAPTION, BlockKind.TABLE)]
    assert kinds == [BlockKind.CAPTION, BlockKind.TABLE] * 2


def test_columns_of_a_table_that_are_ruled_apart_stay_in_the_rows_of_its_labels(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    rows = [[f"Class {n}", f"{n},100", f"{n},150", f"{n},200", f"{n},250"] for n in range(8)]
    heights = [100 + 18 * n for n in range(9)]
    pdf.grid([200, 270, 340], heights, [row[1:3] for row in rows])
    pdf.grid([380, 450, 520], heights, [row[3:] for row in rows])
    for y, row in zip(heights, rows, strict=False):
        pdf.text(72, y + 12, row[0])
    assert rows_of(read(pdf.save())) == rows


def test_a_ruled_table_below_prose_of_the_full_width_is_read_where_it_stands(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    y = pdf.paragraph(72, 100, prose(5))
    cells = [[f"Class {n}", f"{n},100", f"{n},150"] for n in range(6)]
    pdf.grid([320, 390, 460, 530], [y + 18 * n for n in range(7)], cells)
    pdf.paragraph(72, y + 130, prose(5, 2))
    kinds = [block.kind for block in read(pdf.save()).blocks if block.kind is not BlockKind.TABLE]
    assert kinds == [BlockKind.PARAGRAPH, *[BlockKind.TABLE_ROW] * 6, BlockKind.PARAGRAPH]


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
