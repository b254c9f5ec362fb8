"""Delimited text becomes one table whose cells are slices of the file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.formats.reading import finished, shown, sniffed
from workbench.documents.formats.delimited import FORMAT
from workbench.documents.formats.delimited.format import MOST_COLUMNS
from workbench.documents.formats.delimited.rows import RowScanner, choose_delimiter, has_header

CELLS = st.text(alphabet='ab1 ,;"\n\r中', max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(content=st.text(max_size=200) | st.text(alphabet='a1,;\t|"\r\n ', max_size=60))
def test_no_text_is_lost_or_changed(tmp_path: Path, content: str) -> None:
    finished(FORMAT, tmp_path / "a.csv", content)


@settings(deadline=None)
@given(rows=st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=5))
def test_rows_are_those_of_the_csv_module(rows: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(rows)
    text = out.getvalue()
    found = [[text[a:b].replace('""', '"') for a, b in row] for row in RowScanner(text, ",").rows()]
    assert found == rows


@pytest.mark.parametrize(
    ("content", "delimiter"),
    [
        ("a,b,c\n1,2,3\n", ","),
        ("a;b;c\n1,5;2,5;3,5\n2,5;1,5;0,5\n", ";"),
        ("a\tb\nx, y\tz, w\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('name,"a;b"\n"x;y",2\n', ","),
        ("one\ntwo\n", ","),
    ],
)
def test_the_delimiter_cuts_rows_evenly(content: str, delimiter: str) -> None:
    assert choose_delimiter(content).delimiter == delimiter


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["name", "2023"], ["x", "1"]], True),
        ([["", "a"], ["x", "1"]], True),
        ([["1", "2"], ["3", "4"]], False),
        ([["2024-01-05", "x"], ["2024-01-06", "y"]], False),
        ([["x", "y"], ["x", "z"]], False),
        ([["a", "b"]], False),
    ],
)
def test_a_header_names_and_has_no_values(rows: list[list[str]], header: bool) -> None:
    assert has_header(rows) is header


def test_cells_are_verbatim_without_their_quotes(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.csv", 'name,note\r\n"Smith, J","said ""no""\r\ntwice"\r\n\r\nx,\r\n')
    assert shown(done) == [
        ("table", ""),
        ("table_row", "name\tnote"),
        ("table_row", 'Smith, J\tsaid ""no""\r\ntwice'),
        ("table_row", "x"),
    ]
    assert done.columns.is_header.tolist() == [0, 1, 0, 0]
    assert done.locators == ["", "row 1", "row 2", "row 3"]


def test_titles_above_the_table_are_paragraphs_and_the_delimiter_may_be_named(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.csv", "sep=;\nReport of May\n\nname;n\nx;1\ny;2\n")
    assert [kind for kind, _ in shown(done)] == ["paragraph", "table", "table_row", "table_row", "table_row"]
    assert done.columns.is_header.tolist() == [0, 0, 1, 0, 0]


def test_ragged_rows_and_open_quotes_are_reported(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.csv", 'a,b\n1,2\n3\n4,"5\n')
    assert [str(w) for w in done.warnings] == [
        "1 of 4 rows of a.csv have another number of cells than 2.",
        "A quote in line 4 of a.csv is never closed; from there on quotes were read as text.",
    ]


def test_more_columns_than_can_be_counted_are_kept(tmp_path: Path) -> None:
    done = finished(FORMAT, tmp_path / "a.csv", ",".join(["x"] * 40_000) + "\n")
    assert done.texts[1].count("x") == 40_000
    assert max(done.columns.column.tolist()) == MOST_COLUMNS - 1
    assert [str(w) for w in done.warnings] == [
        "1 row of a.csv with more than 16,384 cells has all further ones in the last; split the file by columns."
    ]


def test_columns_as_many_as_can_be_counted_are_no_matter(tmp_path: Path) -> None:
    for cell in ("x", '"x,x"'):
        done = finished(FORMAT, tmp_path / "a.csv", f"{','.join([cell] * MOST_COLUMNS)}\n")
        assert done.warnings == []


def test_quoted_rows_that_are_too_wide_are_counted_with_the_others(tmp_path: Path) -> None:
    wide = ",".join(['"x"'] * (MOST_COLUMNS + 1)) + "\n"
    done = finished(FORMAT, tmp_path / "a.csv", wide + wide.replace('"', ""))
    assert [str(w) for w in done.warnings] == [
        "2 rows of a.csv with more than 16,384 cells have all further ones in the last; split the file by columns."
    ]


def test_sniffing_wants_even_rows(tmp_path: Path) -> None:
    assert sniffed(FORMAT, tmp_path / "a.csv", "a,b\n1,2\n") >= 0.9
    assert sniffed(FORMAT, tmp_path / "a.csv", "one\n") >= 0.2
    assert sniffed(FORMAT, tmp_path / "a.txt", "a,b,c\n1,2,3\n4,5,6\n") > 0.2
    assert sniffed(FORMAT, tmp_path / "a.txt", "Well, yes.\nNo, it is not, or so.\nDone.\n") < 0.2
    assert sniffed(FORMAT, tmp_path / "a.csv", b"PK\x03\x04xxxx") == 0.0


@pytest.mark.data
def test_a_wide_table_of_contracts_is_read(tmp_path: Path, data_dir: Path) -> None:
    path = data_dir / "cuad" / "master_clauses.csv"
    done = finished(FORMAT, tmp_path / "a.csv", path.read_bytes())
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.reader(stream))
    assert len(done.texts) == len(rows) + 1
    assert not done.warnings
