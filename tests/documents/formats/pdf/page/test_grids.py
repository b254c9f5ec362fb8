"""Ruled tables: found where rules cross, read by their cells, and told from frames and charts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.documents.blocks import BlockKind
from workbench.documents.formats.pdf.page.grids import find_grids, place_words

from ..pdf_files import PdfFile, prose, read, rows_of

COLUMNS, HEIGHTS = (72, 240, 340, 440), (100, 125, 150, 175)
CELLS = [["Class", "Opening", "Closing"], ["Land", "1,100", "1,200"], ["Plant", "900", "850"]]


def rules_of(
    columns: tuple[float, ...], heights: tuple[float, ...]
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    level = [(columns[0], y, columns[-1], y + 0.5) for y in heights]
    upright = [(x, heights[0], x + 0.5, heights[-1]) for x in columns]
    return np.array([*level, *upright], np.float32)


def test_crossing_rules_make_a_grid_with_its_rows_and_columns() -> None:
    (grid,) = find_grids(rules_of(COLUMNS, HEIGHTS), 612, 792)
    assert [len(row) for row in grid.rows] == [3, 3, 3]
    assert grid.box == pytest.approx((72, 100, 440, 175), abs=1)
    assert grid.rows[1][2] == pytest.approx((340, 125, 440, 150), abs=1)


def test_two_grids_come_from_top_to_bottom() -> None:
    lower, upper = rules_of(COLUMNS, (500, 525, 550)), rules_of(COLUMNS, HEIGHTS)
    grids = find_grids(np.concatenate((lower, upper)), 612, 792)
    assert [round(grid.box[1]) for grid in grids] == [100, 500]


@pytest.mark.parametrize(
    "strokes",
    [
        np.zeros((0, 4), np.float32),
        rules_of((72, 440), (100, 175)),
        np.array([(72, y, 440, y + 0.5) for y in range(100, 300, 20)], np.float32),
    ],
    ids=["nothing", "a frame", "level rules only"],
)
def test_where_no_rules_cross_there_is_no_grid(strokes: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> None:
    assert find_grids(strokes, 612, 792) == []


def test_words_are_placed_in_the_cell_that_holds_their_middle() -> None:
    (grid,) = find_grids(rules_of(COLUMNS, HEIGHTS), 612, 792)
    boxes = [(x + 4, y + 8, x + 40, y + 18) for y in HEIGHTS[:-1] for x in COLUMNS[:-1]]
    placed = place_words(grid, np.array([*boxes, (500, 110, 540, 120)], np.float32), np.ones(10, bool))
    assert placed is not None
    assert placed.words.tolist() == list(range(9))
    assert placed.row.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert placed.column.tolist() == [0, 1, 2] * 3


def test_a_ruled_table_is_read_by_its_cells(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 60, prose(3))
    pdf.grid(COLUMNS, HEIGHTS, CELLS)
    pdf.paragraph(72, 220, prose(3, 3))
    document = read(pdf.save())
    assert rows_of(document) == CELLS
    kinds = [block.kind for block in document.blocks]
    assert kinds[0] is kinds[-1] is BlockKind.PARAGRAPH
    table = next(block for block in document.blocks if block.kind is BlockKind.TABLE)
    assert [row.table for row in document.rows_of(table.block_id)] == [table.block_id] * 3
    box = table.anchor.box
    assert box is not None
    assert box.x0 >= 72
    assert box.top >= 100
    assert box.bottom <= 175


def test_a_cell_of_several_lines_is_one_cell(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.grid(
        COLUMNS, (100, 125, 175, 200), [["Class", "Opening", "Closing"], ["", "1,100", "1,200"], ["Plant", "1", "2"]]
    )
    pdf.lines(76, 140, ["Land that the group", "does not use itself"])
    document = read(pdf.save())
    assert rows_of(document)[1] == ["Land that the group does not use itself", "1,100", "1,200"]
    row = [block for block in document.blocks if block.kind is BlockKind.TABLE_ROW][1]
    assert len(row.anchor.boxes) == 4


def test_an_empty_cell_leaves_its_column_empty(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.grid(COLUMNS, HEIGHTS, [CELLS[0], ["Land", "", "1,200"], CELLS[2]])
    assert rows_of(read(pdf.save()))[1] == ["Land", "", "1,200"]


def test_a_frame_around_text_is_no_table(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    for y in (80, 400, 402):
        pdf.rule(60, y, 552, y)
    for x in (60, 550, 552):
        pdf.rule(x, 80, x, 402)
    pdf.paragraph(72, 100, prose(10))
    document = read(pdf.save())
    assert {block.kind for block in document.blocks} == {BlockKind.PARAGRAPH}


def test_the_grid_lines_of_a_chart_with_a_few_labels_are_no_table(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.grid([72 + 40 * n for n in range(10)], [100 + 20 * n for n in range(10)], [])
    for x, y, label in (
        (80, 114, "high"),
        (160, 174, "usual"),
        (280, 234, "low"),
        (360, 154, "peak"),
        (90, 254, "zero"),
    ):
        pdf.text(x, y, label, size=8)
    pdf.text(60, 320, "Sales of the group by year")
    pdf.paragraph(72, 360, prose(6))
    assert rows_of(read(pdf.save())) == []


def level(x0: float, x1: float, *heights: float) -> list[tuple[float, float, float, float]]:
    return [(x0, y, x1, y + 0.5) for y in heights]


def upright(top: float, bottom: float, *places: float) -> list[tuple[float, float, float, float]]:
    return [(x, top, x + 0.5, bottom) for x in places]


def test_a_table_that_is_open_at_its_sides_is_one_grid() -> None:
    strokes = np.array([*level(72, 440, *HEIGHTS), *upright(100, 175, 240, 340)], np.float32)
    (grid,) = find_grids(strokes, 612, 792)
    assert grid.box == pytest.approx((72, 100, 440, 175), abs=1)
    assert [len(row) for row in grid.rows] == [3, 3, 3]


def test_an_open_table_is_read_by_its_cells(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.paragraph(72, 60, prose(3))
    heights = (100, 125, 155, 185)
    for y in heights:
        pdf.rule(72, y, 440, y)
    for x in COLUMNS[1:-1]:
        pdf.rule(x, heights[0], x, heights[-1])
    pdf.row([x + 4 for x in COLUMNS[:-1]], 116, ["Berth", "Use", "State"])
    for x, top, text in (
        (76, 125, ["Ferry jetty"]),
        (244, 125, ["Vehicles up to", "twelve tonnes"]),
        (344, 125, ["Piles renewed", "last year"]),
        (76, 155, ["North quay, with", "the old crane"]),
        (244, 155, ["Grain"]),
        (344, 155, ["Shore power", "since March"]),
    ):
        pdf.lines(x, top + 13, text)
    pdf.paragraph(72, 230, prose(3, 3))
    assert rows_of(read(pdf.save())) == [
        ["Berth", "Use", "State"],
        ["Ferry jetty", "Vehicles up to twelve tonnes", "Piles renewed last year"],
        ["North quay, with the old crane", "Grain", "Shore power since March"],
    ]


def test_rules_of_other_things_with_equal_ends_are_not_joined_to_an_open_table() -> None:
    header, foot = level(72, 440, 50), level(72, 440, 740)
    table = [*level(72, 440, *HEIGHTS), *upright(100, 175, 240, 340)]
    other = [*level(72, 440, 400, 425, 450), *upright(400, 450, 300)]
    grids = find_grids(np.array([*header, *table, *other, *foot], np.float32), 612, 792)
    assert [grid.box for grid in grids] == [
        pytest.approx((72, 100, 440, 175), abs=1),
        pytest.approx((72, 400, 440, 450), abs=1),
    ]


def test_a_ruled_row_that_holds_several_printed_rows_is_divided(tmp_path: Path) -> None:
    rows = [["Land", "1,100", "1,200"], ["Plant", "900", "850"], ["Tools", "70", "65"]]
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.grid(COLUMNS, (100, 125, 180, 205), [CELLS[0], ["", "", ""], ["Total", "2,070", "2,115"]])
    for rank, cells in enumerate(rows):
        pdf.row([x + 4 for x in COLUMNS[:-1]], 140 + 14 * rank, cells)
    document = read(pdf.save())
    assert rows_of(document) == [CELLS[0], *rows, ["Total", "2,070", "2,115"]]
    assert len([block for block in document.blocks if block.kind is BlockKind.TABLE]) == 1


def test_a_ruled_row_of_wrapped_cells_is_one_row(tmp_path: Path) -> None:
    pdf = PdfFile(tmp_path / "a.pdf")
    pdf.grid(COLUMNS, (100, 125, 180, 205), [CELLS[0], ["", "", ""], CELLS[2]])
    pdf.lines(76, 140, ["Land that the group", "does not use itself", "at the moment"], step=14)
    pdf.lines(244, 140, ["1,100 of which", "900 are leased"], step=14)
    pdf.text(344, 140, "1,200")
    assert rows_of(read(pdf.save())) == [
        CELLS[0],
        ["Land that the group does not use itself at the moment", "1,100 of which 900 are leased", "1,200"],
        CELLS[2],
    ]
