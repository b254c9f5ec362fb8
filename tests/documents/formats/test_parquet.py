"""Parquet: one table, values as text, limits before reading, and damaged files."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.documents.formats.parquet import BATCH_ROWS, FORMAT
from workbench.documents.source import Source
from workbench.errors import DamagedFile, EncryptedFile, LimitExceeded

from .office_files import blocks, read, rows, warnings


def save(path: Path, columns: dict[str, Any], **options: Any) -> Path:
    pq.write_table(pa.table(columns), path, **options)
    return path


def test_rows_stand_below_the_names_of_their_columns(tmp_path: Path) -> None:
    done = read(FORMAT, save(tmp_path / "a.parquet", {"item": ["Sales", "成本"], "sum": [10.5, None]}))
    assert rows(done) == [
        (True, {0: "item", 1: "sum"}, "column names"),
        (False, {0: "Sales", 1: "10.5"}, "row 1"),
        (False, {0: "成本"}, "row 2"),
    ]


def test_values_are_written_plainly(tmp_path: Path) -> None:
    columns: dict[str, Any] = {
        "flag": [True],
        "day": [date(2024, 3, 31)],
        "moment": [datetime(2024, 3, 31, 9, 30)],
        "price": [Decimal("1.50")],
        "list": [[1, 2]],
        "record": [{"名": "x", "n": None, "when": date(2024, 1, 1)}],
        "bytes": [b"text"],
    }
    assert list(rows(read(FORMAT, save(tmp_path / "a.parquet", columns)))[1][1].values()) == [
        "true",
        "2024-03-31",
        "2024-03-31 09:30:00",
        "1.50",
        "[1, 2]",
        '{"名": "x", "n": null, "when": "2024-01-01"}',
        "text",
    ]


def test_binary_values_are_left_out_with_a_warning(tmp_path: Path) -> None:
    done = read(FORMAT, save(tmp_path / "a.parquet", {"name": ["x"], "image": [b"\xff\xd8\xff\x00"]}))
    assert rows(done)[1][1] == {0: "x"}
    assert warnings(done) == {"binary_values": "Binary values of a.parquet were left out; columns: image."}


def test_row_groups_and_batches_are_counted_through(tmp_path: Path) -> None:
    count = BATCH_ROWS + 5
    done = read(FORMAT, save(tmp_path / "a.parquet", {"n": list(range(count))}, row_group_size=300))
    assert [(cells[0], place) for _, cells, place in rows(done)[1:]] == [(str(n), f"row {n + 1}") for n in range(count)]


def test_an_empty_table_still_names_its_columns(tmp_path: Path) -> None:
    done = read(FORMAT, save(tmp_path / "a.parquet", {"n": pa.array([], pa.int32())}))
    assert blocks(done) == [("table", 0, ""), ("table_row", 0, "n")]


def test_a_file_without_columns_is_said_to_be_empty(tmp_path: Path) -> None:
    done = read(FORMAT, save(tmp_path / "a.parquet", {}))
    assert warnings(done) == {"empty": "a.parquet has no columns; there is nothing to read in it."}


def test_too_many_rows_are_an_error_or_the_first_ones(tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", {"n": list(range(100))})
    with pytest.raises(LimitExceeded, match=r"a\.parquet has 100 rows, more than 20 blocks can hold; raise max_blocks"):
        read(FORMAT, path, max_blocks=20)
    done = read(FORMAT, path, max_blocks=20, partial=True)
    assert len(done.texts) == 20
    assert warnings(done) == {"truncated": "Only the first 18 of 100 rows of a.parquet were read (max_blocks)."}


def test_a_value_repeated_beyond_the_limit_of_size_stops_the_reading(tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", {"n": ["x" * 100_000] * 400})
    assert path.stat().st_size < 200_000
    with pytest.raises(LimitExceeded, match=r"a\.parquet unpacks to more than 20 times max_file_mb \(1\) of text"):
        read(FORMAT, path, max_file_mb=1)
    done = read(FORMAT, path, max_file_mb=1, partial=True)
    assert warnings(done) == {"truncated": "Only the first 210 of 400 rows of a.parquet were read."}


def test_a_truncated_file_is_damaged(tmp_path: Path) -> None:
    path = save(tmp_path / "a.parquet", {"n": list(range(1_000))})
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(DamagedFile, match=r"a\.parquet cannot be read as Parquet \(.+\); get a fresh copy of it\."):
        read(FORMAT, path)


def test_an_encrypted_file_is_named_so(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PARE" + bytes(100))
    with pytest.raises(
        EncryptedFile, match=r"a\.parquet is an encrypted Parquet file; write a copy without encryption"
    ):
        read(FORMAT, path)


def test_content_decides_what_a_parquet_file_is(tmp_path: Path) -> None:
    assert FORMAT.sniff(Source(save(tmp_path / "a.bin", {"n": [1]}))) == 1.0
    other = tmp_path / "b.parquet"
    other.write_bytes(b"n\n1\n")
    assert FORMAT.sniff(Source(other)) == 0.0


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), max_size=8))
def test_no_value_is_lost_or_changed(tmp_path: Path, values: list[str]) -> None:
    done = read(FORMAT, save(tmp_path / "a.parquet", {"n": pa.array(values, pa.string())}))
    assert [text.strip() for text in done.texts[2:]] == [value.strip() for value in values if value.strip()]
