"""The table of outcomes keeps its columns, dtypes and attrs, in memory and on disk."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from workbench.errors import FileMissing, InvalidOption, InvalidOutcomes
from workbench.workload.replay import load_outcomes, outcomes, save_outcomes
from workbench.workload.replay.outcomes import COLUMNS, outcomes_frame

ATTRS: dict[str, Any] = {
    "outcomes": 1,
    "workload": {"name": "制度", "fingerprint": "f" * 64},
    "options": {"share": 0.2, "exchange": {"context_tokens": None}},
    "failed": [],
}


def row(**changes: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"str": "text", "int64": 3, "float64": 0.1 + 0.2, "bool": True}
    return {**{name: values[kind] for name, kind in COLUMNS.items()}, **changes}


ROWS = [
    row(request="manual-1", constraint="", label="NA", reasons='Round 1: no kept block names "pump", or\nmore.'),
    row(request="差旅-1", language="zh", recall_native=math.nan, recall_sparse=math.nan, fell_back=False, label="=1+1"),
    row(request="001", label="None", document="nan", tokens_native=1e17, seconds_native=1 / 3),
]


@pytest.mark.parametrize("rows", [ROWS, []], ids=["rows", "no rows"])
def test_every_column_has_its_place_and_dtype(rows: list[dict[str, Any]]) -> None:
    frame = outcomes_frame(rows, ATTRS)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == COLUMNS
    assert list(frame.columns) == list(COLUMNS)
    assert frame.attrs == ATTRS


def test_the_table_in_the_docs_is_the_schema() -> None:
    listed: dict[str, str] = {}
    for names, kind in re.findall(r"^([a-z_]+(?:, [a-z_]+)*) +(str|bool|int64|float64) ", str(outcomes.__doc__), re.M):
        listed.update(dict.fromkeys(names.split(", "), kind))
    assert list(listed.items()) == list(COLUMNS.items())


@pytest.mark.parametrize("rows", [ROWS, []], ids=["rows", "no rows"])
@pytest.mark.parametrize("name", ["outcomes.parquet", "结果.csv", "OUTCOMES.CSV"])
def test_what_is_saved_is_loaded_equal(tmp_path: Path, rows: list[dict[str, Any]], name: str) -> None:
    frame = outcomes_frame(rows, ATTRS)
    assert save_outcomes(frame, tmp_path / name) == tmp_path / name
    found = load_outcomes(tmp_path / name)
    pd.testing.assert_frame_equal(found, frame, check_exact=True)
    assert found.attrs == ATTRS


def test_a_csv_file_is_a_plain_table_with_its_attrs_beside_it(tmp_path: Path) -> None:
    file = save_outcomes(outcomes_frame(ROWS, ATTRS), tmp_path / "outcomes.csv")
    assert list(pd.read_csv(file).columns) == list(COLUMNS)
    (tmp_path / "outcomes.csv.json").unlink()
    assert load_outcomes(file).attrs == {}


def test_a_table_from_elsewhere_is_read_with_the_columns_that_it_has(tmp_path: Path) -> None:
    file = tmp_path / "theirs.csv"
    file.write_text("request,s,fell_back,mine\n007,0.5,true,x\n008,,0,y\n", "utf-8")
    found = load_outcomes(file)
    assert found["request"].tolist() == ["007", "008"]
    assert found["s"][0] == 0.5
    assert math.isnan(found["s"][1])
    assert found["fell_back"].tolist() == [True, False]
    assert found["mine"].tolist() == ["x", "y"]


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match=r"kept as Parquet or CSV, and a.xlsx ends in neither; name it .parquet or"):
        save_outcomes(outcomes_frame(ROWS, ATTRS), tmp_path / "a.xlsx")
    with pytest.raises(InvalidOption, match=r"a.txt ends in neither"):
        load_outcomes(tmp_path / "a.txt")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileMissing, match=r"There is no file .*a.parquet; give the file that save_outcomes wrote"):
        load_outcomes(tmp_path / "a.parquet")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    for name in ("a.csv", "a.parquet"):
        with pytest.raises(InvalidOption, match=r"could not be written to .*; give a file in a folder that exists"):
            save_outcomes(outcomes_frame(ROWS, ATTRS), tmp_path / "gone" / name)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("request,fell_back\na,maybe\n", "row 1, column fell_back: 'maybe' is no True or False"),
        ("request,rounds\na,many\n", "row 1, column rounds: 'many' is no whole number"),
        ("request,s\na,high\n", "row 1, column s: 'high' is no number"),
        ("", "No columns to parse"),
    ],
)
def test_what_is_no_table_of_outcomes_is_refused(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(InvalidOutcomes, match=rf"a.csv is no table of outcomes \(.*{re.escape(why)}"):
        load_outcomes(file)


def test_a_parquet_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_bytes(b"no table")
    with pytest.raises(InvalidOutcomes, match=r"a.parquet is no table of outcomes"):
        load_outcomes(file)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_an_interrupt_leaves_what_was_there(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_outcomes(outcomes_frame(ROWS, ATTRS), tmp_path / name)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}

    def interrupted(_frame: pd.DataFrame, file: Path, **_options: object) -> None:
        Path(file).write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(pd.DataFrame, "to_csv", interrupted)
    monkeypatch.setattr(pd.DataFrame, "to_parquet", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_outcomes(outcomes_frame(ROWS[:1], ATTRS), path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
