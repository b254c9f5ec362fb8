"""``workbench import`` writes a workload and tells the defects of the set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.workload.importers.made_sets import beir
from workbench.cli import cli
from workbench.cli.importing import import_
from workbench.workload import load_workload
from workbench.workload.importers import IMPORTERS


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return beir(tmp_path / "set")


def test_a_set_becomes_a_workload_with_its_report(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = CliRunner().invoke(cli, ["import", "beir", str(source), "-o", str(out)])
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "beir: 2 requests on 1 document, 0 of them not answerable, 3 pieces of evidence"
    assert lines[1] == "evidence   3 of 3 found (100.0 %): anchor 3"
    assert lines[2] == "defects    5 kinds"
    assert lines[-1] == f"written    {out}"
    assert len(load_workload(out)) == 2


def test_json_says_the_same(source: Path, tmp_path: Path) -> None:
    arguments = ["import", "beir", str(source), "-o", str(tmp_path / "out"), "--json", "--no-check", "--limit", "1"]
    found = json.loads(CliRunner().invoke(cli, arguments).output)
    assert (found["importer"], found["requests"], found["checked"]) == ("beir", 2, False)
    assert found["defects"][0]["examples"] == ["train.tsv"]


def test_a_folder_is_written_over_only_by_force(source: Path, tmp_path: Path) -> None:
    arguments = ["import", "beir", str(source), "-o", str(tmp_path / "out")]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    refused = CliRunner().invoke(cli, arguments)
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"error: {tmp_path / 'out'} holds workload.jsonl and artifacts already; choose another folder, or replace it "
        "with --force.\n",
    )
    assert CliRunner().invoke(cli, [*arguments, "--force"]).exit_code == 0


def test_mistakes_end_in_one_line_and_their_exit_code(source: Path, tmp_path: Path) -> None:
    out = ["-o", str(tmp_path / "out")]
    wrong = CliRunner().invoke(cli, ["import", "cuad", str(source), *out])
    assert (wrong.exit_code, wrong.stderr) == (
        1,
        f"error: {source} is not CUAD: looked for questions.jsonl and full_contract_pdf, and questions.jsonl and "
        "full_contract_pdf are not there; give the folder that holds them.\n",
    )
    missing = CliRunner().invoke(cli, ["import", "csv", str(tmp_path / "none.csv"), *out])
    assert (missing.exit_code, missing.stderr.count("\n")) == (1, 1)
    unknown = CliRunner().invoke(cli, ["import", "hotpot", str(source), *out])
    assert unknown.exit_code == 2
    assert unknown.stderr.startswith("error: There is no importer 'hotpot'; there are financebench, loogle, squad, ")
    assert CliRunner().invoke(cli, ["import", "beir", str(source)]).exit_code == 2


def test_every_importer_is_listed_and_in_the_help() -> None:
    listed = CliRunner().invoke(cli, ["import", "--list"])
    assert listed.exit_code == 0
    assert [line.split()[0] for line in listed.output.splitlines()] == list(IMPORTERS)
    assert import_.help is not None
    assert all(name in import_.help for name in IMPORTERS)
