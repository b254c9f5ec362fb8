"""Spreadsheets: regions, headers, what cells say, places, limits, and sheets that claim to be huge."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table

from workbench.documents.blocks import BlockKind
from workbench.documents.columns import NONE
from workbench.documents.formats.xlsx import FORMAT
from workbench.documents.formats.xlsx.values import Display, display_of, number_text, unescape
from workbench.documents.pages import PageStatus
from workbench.documents.source import Source
from workbench.errors import DamagedFile, LimitExceeded, UnsafeFile

from .office_files import blocks, read, relations, rows, texts_of, warnings, workbook_file, write_zip

FIGURES = [["Item", 2023, 2022], ["Sales", 10.5, 9], ["Costs", 4, 5]]


def book(path: Path, *lines: Sequence[Any], title: str = "Sheet1") -> Path:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = title
    for line in lines:
        sheet.append(line)
    workbook.save(path)
    return path


def test_a_sheet_is_a_page_and_a_region_a_table(tmp_path: Path) -> None:
    done = read(FORMAT, book(tmp_path / "a.xlsx", *FIGURES))
    assert [(page.label, page.status) for page in done.pages] == [("Sheet1", PageStatus.TEXT)]
    assert done.locators[0] == "Sheet1!A1:C3"
    assert rows(done) == [
        (True, {0: "Item", 1: "2023", 2: "2022"}, "Sheet1!A1:C1"),
        (False, {0: "Sales", 1: "10.5", 2: "9"}, "Sheet1!A2:C2"),
        (False, {0: "Costs", 1: "4", 2: "5"}, "Sheet1!A3:C3"),
    ]


def test_a_chinese_workbook_keeps_its_text(tmp_path: Path) -> None:
    path = book(tmp_path / "报表.xlsx", ["项目", "金额"], ["收入", 1204], title="利润表")
    done = read(FORMAT, path)
    assert rows(done)[1] == (False, {0: "收入", 1: "1204"}, "利润表!A2:B2")
    assert rows(done)[0][0]


def test_a_sheet_name_is_quoted_as_in_a_formula(tmp_path: Path) -> None:
    done = read(FORMAT, book(tmp_path / "a.xlsx", ["a", "b"], title="Bob's Q1"))
    assert rows(done)[0][2] == "'Bob''s Q1'!A1:B1"


def test_blank_rows_divide_regions_and_equal_columns_continue_a_header(tmp_path: Path) -> None:
    done = read(FORMAT, book(tmp_path / "a.xlsx", *FIGURES, [], ["Tax", 1, 2], [], [None] * 4 + ["Far", "away"]))
    tables = [at for at, kind in enumerate(blocks(done)) if kind[0] == "table"]
    assert [done.locators[at] for at in tables] == ["Sheet1!A1:C3", "Sheet1!A5:C5", "Sheet1!E7:F7"]
    assert done.columns.continues[tables].tolist() == [NONE, tables[0], NONE]


def test_tables_side_by_side_are_two(tmp_path: Path) -> None:
    lines = [
        ["Item", "Sum", None, "City", "People"],
        ["Pens", 3, None, "Rome", 2800],
        ["Ink", 4, None, "Oslo", 700],
        [None, None, None, "Bern", 130],
    ]
    done = read(FORMAT, book(tmp_path / "a.xlsx", *lines))
    assert [place for header, _, place in rows(done) if header] == ["Sheet1!A1:B1", "Sheet1!D1:E1"]
    assert [cells for _, cells, _ in rows(done)][-1] == {0: "Bern", 1: "130"}


def test_a_gap_between_columns_of_figures_divides_nothing(tmp_path: Path) -> None:
    lines = [
        ["Item", None, "$", "2023", None, "$", "2022"],
        ["Sales", None, "$", 10, None, "$", 9],
        ["Costs", None, "$", 4, None, "$", 5],
    ]
    found = rows(read(FORMAT, book(tmp_path / "a.xlsx", *lines)))
    assert found[1][1] == {0: "Sales", 2: "$", 3: "10", 5: "$", 6: "9"}


def test_lone_rows_above_a_table_are_captions_and_do_not_hide_its_header(tmp_path: Path) -> None:
    done = read(FORMAT, book(tmp_path / "a.xlsx", ["Balance sheet"], ["in thousands"], *FIGURES))
    assert texts_of(done, BlockKind.CAPTION) == ["Balance sheet", "in thousands"]
    assert [header for header, _, _ in rows(done)] == [True, False, False]


def test_grouped_columns_have_two_header_rows(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for line in (["", "North", "", "South", ""], ["Item", "Q1", "Q2", "Q1", "Q2"], ["Pens", 1, 2, 3, 4]):
        sheet.append([value or None for value in line])
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("D1:E1")
    workbook.save(tmp_path / "a.xlsx")
    found = rows(read(FORMAT, tmp_path / "a.xlsx"))
    assert [header for header, _, _ in found] == [True, True, False]
    assert found[0][1] == {1: "North", 3: "South"}


def test_months_as_dates_head_columns(tmp_path: Path) -> None:
    lines = [["Item", date(2024, 1, 31), date(2024, 2, 29)], ["Pens", 1, 2]]
    found = rows(read(FORMAT, book(tmp_path / "a.xlsx", *lines)))
    assert found[0] == (True, {0: "Item", 1: "2024-01-31", 2: "2024-02-29"}, "Sheet1!A1:C1")


def test_a_table_of_words_has_a_header_where_it_is_bold_or_stated(tmp_path: Path) -> None:
    for mark in ("bold", "table", "filter", ""):
        workbook = openpyxl.Workbook()
        sheet = workbook.active
        for line in (["Name", "City"], ["Ada", "London"], ["Emmy", "Erlangen"]):
            sheet.append(line)
        if mark == "bold":
            sheet["A1"].font = sheet["B1"].font = Font(bold=True)
        elif mark == "table":
            sheet.add_table(Table(displayName="People", ref="A1:B3"))
        elif mark == "filter":
            sheet.auto_filter.ref = "A1:B3"
        workbook.save(tmp_path / "a.xlsx")
        assert [header for header, _, _ in rows(read(FORMAT, tmp_path / "a.xlsx"))] == [bool(mark), False, False], mark


def test_long_texts_in_a_column_are_paragraphs(tmp_path: Path) -> None:
    note = "The figures of the year before were restated after the sale of the bottling business in May."
    done = read(FORMAT, book(tmp_path / "a.xlsx", ["Notes"], [note]))
    assert blocks(done) == [("paragraph", 0, "Notes"), ("paragraph", 0, note)]
    assert done.locators == ["Sheet1!A1", "Sheet1!A2"]


def test_cells_say_what_a_reader_sees(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    values: list[tuple[Any, str]] = [
        (0.125, "0%"), (1234567.5, "#,##0.00"), (date(2024, 3, 31), "yyyy-mm-dd"),
        (datetime(2024, 3, 31, 9, 30), "General"),
        (time(9, 30), "h:mm"), (timedelta(hours=26, minutes=30), "[h]:mm:ss"), (True, "General"), ("#N/A", "General"),
        (0.1 + 0.2, "General"), (12, "0"), (45382, 'yyyy"年"m"月"d"日"'),
    ]  # fmt: skip
    for column, (value, shown) in enumerate(values, 1):
        place = sheet.cell(1, column, value)
        if shown != "General":
            place.number_format = shown
    workbook.save(tmp_path / "a.xlsx")
    assert list(rows(read(FORMAT, tmp_path / "a.xlsx"))[0][1].values()) == [
        "12.5%", "1234567.5", "2024-03-31", "2024-03-31 09:30:00", "09:30:00", "26:30:00", "TRUE", "#N/A", "0.3", "12",
        "2024-03-31",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "display"),
    [
        ("0.00%", Display.PERCENT),
        ("m/d/yy h:mm", Display.DATE),
        ("[$-804]yyyy年m月d日", Display.DATE),
        ("[mm]:ss", Display.DURATION),
        ('0.0 "days"', Display.NUMBER),
        ("[Red]-#,##0;0", Display.NUMBER),
        ("General", Display.NUMBER),
        ("@", Display.NUMBER),
        (r"0\ \d", Display.NUMBER),
    ],
)
def test_number_formats_are_told_apart(code: str, display: Display) -> None:
    assert display_of(164, code) is display


@pytest.mark.parametrize(
    ("stored", "display", "text"),
    [
        ("0", Display.DATE, "00:00:00"),
        ("1", Display.DATE, "1900-01-01"),
        ("59", Display.DATE, "1900-02-28"),
        ("61", Display.DATE, "1900-03-01"),
        ("-3", Display.DATE, "-3"),
        ("99999999", Display.DATE, "99999999"),
        ("-1.5", Display.DURATION, "-36:00:00"),
        ("0.07", Display.PERCENT, "7%"),
        ("1E+25", Display.NUMBER, "1e+25"),
        ("1E-3", Display.NUMBER, "0.001"),
        ("100", Display.NUMBER, "100"),
        ("-0", Display.NUMBER, "0"),
        ("1E400", Display.NUMBER, "1E400"),
        ("n.a.", Display.NUMBER, "n.a."),
    ],
)
def test_odd_numbers_are_written_soundly(stored: str, display: Display, text: str) -> None:
    assert number_text(stored, display) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_keeps_fifteen_digits(value: float) -> None:
    assert float(number_text(repr(value), Display.NUMBER)) == float(format(value, ".15g"))


def test_dates_of_the_other_epoch_are_four_years_later(tmp_path: Path) -> None:
    sheet = '<sheetData><row r="1"><c r="A1" s="0"><v>43921</v></c></row></sheetData>'
    styles = '<cellXfs count="1"><xf numFmtId="14"/></cellXfs>'
    path = workbook_file(tmp_path / "a.xlsx", {"S": sheet}, styles=styles, properties='<workbookPr date1904="1"/>')
    assert read(FORMAT, path).texts == ["2024-04-01"]


def test_escaped_characters_are_resolved_but_no_half_of_a_pair() -> None:
    assert unescape("a_x000D_b_x005F_c") == "a\rb_c"
    assert unescape("_xD83D_") == "_xD83D_"


def test_rich_and_inline_strings_are_read_without_phonetic_guides(tmp_path: Path) -> None:
    strings = "<si><r><t>net </t></r><r><t>sales</t></r><rPh><t>guide</t></rPh></si>"
    sheet = """<sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>inline</t></is></c><c t="s"><v>99</v></c>
    </row></sheetData>"""
    path = workbook_file(tmp_path / "a.xlsx", {"S": sheet}, strings=strings)
    assert rows(read(FORMAT, path)) == [(False, {0: "net sales", 1: "inline"}, "S!A1:B1")]


def test_merged_cells_are_read_once_and_what_they_hide_is_excluded(tmp_path: Path) -> None:
    sheet = """<sheetData><row r="1"><c r="A1" t="str"><v>Title</v></c><c r="B1" t="str"><v>ghost</v></c></row>
    <row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row></sheetData>
    <mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="A5:XFD1048576"/></mergeCells>"""
    done = read(FORMAT, workbook_file(tmp_path / "a.xlsx", {"S": sheet}))
    assert done.texts == ["Title", "", "1\t2"]
    assert [(done.text_layer[e.start_char : e.end_char], e.reason) for e in done.exclusions] == [
        ("ghost", "hidden behind a merged cell")
    ]


def test_formulas_show_their_result_and_those_without_one_are_counted(tmp_path: Path) -> None:
    sheet = """<sheetData><row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1"><f>A1*2</f></c>
    <c r="C1" t="str"><f>"x"</f><v>x</v></c></row></sheetData>"""
    done = read(FORMAT, workbook_file(tmp_path / "a.xlsx", {"S": sheet}))
    assert done.texts[1] == "2\tx"
    assert warnings(done) == {
        "formulas_without_value": "1 formula has no stored result in a.xlsx and was left out; open and save it in a "
        "spreadsheet program."
    }


def test_a_formula_is_never_text(tmp_path: Path) -> None:
    done = read(FORMAT, book(tmp_path / "a.xlsx", ["=1+1", "kept"]))
    assert "1+1" not in done.text_layer


def test_hidden_sheets_and_rows_are_read_with_a_warning(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.active["A1"] = "seen"
    hidden = workbook.create_sheet("Back")
    hidden["A1"] = "hidden"
    hidden.sheet_state = "hidden"
    workbook.active.row_dimensions[1].hidden = True
    workbook.save(tmp_path / "a.xlsx")
    done = read(FORMAT, tmp_path / "a.xlsx")
    assert done.texts == ["seen", "hidden"]
    assert [(w.code, w.message, w.pages) for w in done.warnings] == [
        ("hidden_sheets", "a.xlsx has hidden sheets, which were read like the others.", (2,)),
        ("hidden_rows", "1 hidden row was read like the others in a.xlsx.", (1,)),
    ]


def test_an_empty_sheet_is_a_blank_page(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    workbook.create_sheet("Two")["B2"] = "x"
    workbook.save(tmp_path / "a.xlsx")
    done = read(FORMAT, tmp_path / "a.xlsx")
    assert [page.status for page in done.pages] == [PageStatus.BLANK, PageStatus.TEXT]
    assert done.locators == ["Two!B2"]


def test_a_sheet_that_claims_all_cells_costs_what_it_holds(tmp_path: Path) -> None:
    sheet = """<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row>
    <row r="1048576"><c r="XFD1048576"><v>2</v></c></row><row r="9999999"><c><v>3</v></c></row></sheetData>"""
    done = read(FORMAT, workbook_file(tmp_path / "a.xlsx", {"S": sheet}))
    assert (done.texts, done.locators) == (["1", "2"], ["S!A1", "S!XFD1048576"])


def test_too_many_rows_stop_the_reading_early(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", *([["a", number] for number in range(300)]))
    assert len(read(FORMAT, path, max_blocks=50).texts) == 52


def test_too_many_sheets_are_an_error_or_a_warning(tmp_path: Path) -> None:
    cell = "<sheetData><row><c><v>{}</v></c></row></sheetData>"
    path = workbook_file(tmp_path / "a.xlsx", {str(n): cell.format(n) for n in range(3)})
    with pytest.raises(LimitExceeded, match=r"a\.xlsx has 3 sheets, more than 2; raise max_pages, or set partial=True"):
        read(FORMAT, path, max_pages=2)
    assert read(FORMAT, path, max_pages=2, partial=True).texts == ["0", "1"]


def test_a_damaged_sheet_is_named(tmp_path: Path) -> None:
    path = workbook_file(tmp_path / "a.xlsx", {"S": "<sheetData><row>"})
    with pytest.raises(DamagedFile, match=r"a\.xlsx has a damaged part 'xl/worksheets/sheet1\.xml'"):
        read(FORMAT, path)


def test_content_decides_what_a_workbook_is(tmp_path: Path) -> None:
    assert FORMAT.sniff(Source(book(tmp_path / "a.xlsx", ["x"]), "a.dat")) > 0.9


CELLS = st.one_of(st.none(), st.integers(-999, 999), st.text("ab 汉_x0D", max_size=6))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(CELLS, max_size=7), max_size=9))
def test_every_cell_is_in_one_row_at_its_own_place(tmp_path: Path, lines: list[list[Any]]) -> None:
    path = book(tmp_path / "a.xlsx", *lines)
    done = read(FORMAT, path)
    saved = openpyxl.load_workbook(path).active
    expected = sorted(
        str(v).strip()
        for line in saved.iter_rows(values_only=True)
        for v in line
        if str(v or 0).strip() and v is not None
    )
    found = [text.split("\t") if kind == "table_row" else [text] for kind, _, text in blocks(done) if kind != "table"]
    assert sorted(cell.strip() for line in found for cell in line) == expected


def test_text_boxes_on_a_sheet_are_paragraphs(tmp_path: Path) -> None:
    path = workbook_file(tmp_path / "a.xlsx", {"S": "<sheetData/>"})
    draw = "http://schemas.openxmlformats.org/drawingml/2006/main"
    body = f'<d xmlns:a="{draw}"><sp><txBody><a:p><a:r><a:t>Note</a:t></a:r></a:p></txBody></sp></d>'
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/drawings/drawing1.xml", body)
        archive.writestr(
            "xl/worksheets/_rels/sheet1.xml.rels", relations({"d": ("drawing", "../drawings/drawing1.xml")})
        )
    done = read(FORMAT, path)
    assert (done.texts, done.locators) == (["Note"], ["S text box 1"])


def test_a_workbook_that_lost_its_sheets_is_damaged(tmp_path: Path) -> None:
    path = workbook_file(tmp_path / "a.xlsx", {"One": "<sheetData/>", "Two": "<sheetData/>"})
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    del members["xl/worksheets/sheet2.xml"]
    assert warnings(read(FORMAT, write_zip(path, members))) == {
        "missing_parts": "a.xlsx lacks 1 of its 2 sheets; get a fresh copy.",
        "empty": "a.xlsx holds no words or values; there is nothing to read in it.",
    }
    del members["xl/worksheets/sheet1.xml"]
    with pytest.raises(DamagedFile, match=r"a\.xlsx lists 2 sheets but holds none of them; get a fresh copy of it\."):
        read(FORMAT, write_zip(path, members))


def test_a_long_string_that_many_cells_repeat_is_refused(tmp_path: Path) -> None:
    row = "<row>" + '<c t="s"><v>0</v></c>' * 50 + "</row>"
    path = workbook_file(
        tmp_path / "a.xlsx", {"S": f"<sheetData>{row * 40}</sheetData>"}, strings=f"<si><t>{'long ' * 4_000}</t></si>"
    )
    with pytest.raises(
        UnsafeFile, match=r"a\.xlsx repeats its strings to a text of more than 20 times max_file_mb \(1\)"
    ):
        read(FORMAT, path, max_file_mb=1)
