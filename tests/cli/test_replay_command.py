"""``workbench replay``: outcomes of a workload in a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.workload.made_depots import depots_in
from workbench.cli import cli
from workbench.workload.replay import load_outcomes


@pytest.fixture(scope="module")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("depots") / "work"
    depots_in(folder, documents=3)
    return folder


@pytest.mark.parametrize("name", ["out.parquet", "out.csv"])
def test_outcomes_are_kept_and_summed_up(depots: Path, tmp_path: Path, name: str) -> None:
    command = [
        "replay",
        str(depots),
        "-o",
        str(tmp_path / name),
        "--no-model",
        "--processes",
        "1",
        "--min-tokens",
        "500",
    ]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["scenario", "long_document_qa", "native_fit", "all"]
    assert "Quality is evidence recall" in result.output
    assert len(load_outcomes(tmp_path / name)) == 24


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-o", "out.txt"], 2, "must end in .parquet or .csv"),
        (["-o", "no/such/out.csv"], 1, "There is no folder no/such"),
        (["-o", "out.csv", "--llm-model", "x"], 2, "give both --llm-base-url and --llm-model"),
        (["-o", "out.csv", "--llm-base-url", "ftp://x", "--llm-model", "x"], 2, "base_url is"),
    ],
)
def test_mistakes_are_told_before_any_work(
    depots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["replay", str(depots), "--no-model", *options])
    assert result.exit_code == code
    assert message in result.output
