"""``workbench calibrate``: a profile and its report, from a workload or from outcomes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.calibration.made import workload as made_outcomes
from tests.workload.made_depots import depots_in
from workbench.cli import cli
from workbench.gate import GateProfile


@pytest.fixture(scope="module")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("depots") / "work"
    depots_in(folder, documents=6)
    return folder


def calibrate(workload: Path, output: Path, *others: str) -> Result:
    command = ["calibrate", str(workload), "-o", str(output), "--no-model", "--processes", "1", "--tolerance", "0.02"]
    return CliRunner().invoke(cli, [*command, "--recall", "0.8", *others])


def test_a_workload_gives_a_profile_a_report_and_its_outcomes(depots: Path, tmp_path: Path) -> None:
    result = calibrate(depots, tmp_path / "gate.json", "--outcomes", str(tmp_path / "out.csv"), "--name", "mine")
    assert result.exit_code == 0, result.output
    profile = GateProfile.load(tmp_path / "gate.json")
    assert profile.name == "mine"
    assert "token reduction" in result.output
    assert (tmp_path / "gate.txt").read_text("utf-8").strip() in result.output
    assert max(map(len, result.output.splitlines()[:-1])) <= 80
    again = calibrate(tmp_path / "out.csv", tmp_path / "again.json")
    assert again.exit_code == 2
    assert "outcomes are fitted on as they are" in again.output


def test_outcomes_alone_are_enough_and_name_their_reader(depots: Path, tmp_path: Path) -> None:
    assert calibrate(depots, tmp_path / "gate.json", "--outcomes", str(tmp_path / "out.parquet")).exit_code == 0
    result = CliRunner().invoke(
        cli, ["calibrate", str(tmp_path / "out.parquet"), "-o", str(tmp_path / "b.json"), "--tolerance", "0.02"]
    )
    assert result.exit_code == 0, result.output
    first, second = (GateProfile.load(tmp_path / name) for name in ("gate.json", "b.json"))
    assert second.gate.weights == first.gate.weights
    assert second.rules.sha256 == first.rules.sha256


def test_outcomes_from_elsewhere_give_a_report_and_no_profile(tmp_path: Path) -> None:
    made_outcomes(seed=1).to_csv(tmp_path / "out.csv", index=False)
    result = CliRunner().invoke(cli, ["calibrate", str(tmp_path / "out.csv"), "-o", str(tmp_path / "gate.json")])
    assert result.exit_code == 0, result.output
    assert not (tmp_path / "gate.json").exists()
    assert (tmp_path / "gate.txt").exists()
    assert "warning: the outcomes name no reader, so there is a report and no profile." in result.output


def test_a_profile_that_is_there_is_compared_and_another_file_is_left_alone(depots: Path, tmp_path: Path) -> None:
    output = tmp_path / "gate.json"
    assert calibrate(depots, output).exit_code == 0
    again = calibrate(depots, output)
    assert "Against the profile that was there:\n  it decides alike" in again.output
    output.write_text("my diary")
    refused = calibrate(depots, output)
    assert refused.exit_code == 2
    assert refused.output == (
        "error: gate.json is there already, and is no gate profile; give another file with -o, or remove it.\n"
    )
    assert output.read_text() == "my diary"


def test_json_is_one_object(depots: Path, tmp_path: Path) -> None:
    result = calibrate(depots, tmp_path / "gate.json", "--json", "--recall", "0.8")
    text = result.output[: result.output.rindex("}") + 1]
    found = json.loads(text)
    assert found["profile"]["block"]["cut"]["kind"] == "threshold"
    assert "tables" not in found["profile"]["rules"]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--promise", "0.01"], 1, "cannot be promised from"),
        (["--recall", "2"], 2, "recall is 2"),
        (["--tolerance", "-1"], 2, "quality_tolerance is -1"),
        (["--report", "nowhere/at/all.txt"], 1, "There is no folder nowhere/at to write all.txt into"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    depots: Path, tmp_path: Path, options: list[str], code: int, message: str
) -> None:
    command = ["calibrate", str(depots), "-o", str(tmp_path / "gate.json"), "--no-model", "--recall", "0.8"]
    result = CliRunner().invoke(cli, [*command, *options])
    assert result.exit_code == code
    assert message in result.output
    assert result.output.count("\n") == 1
    assert not (tmp_path / "gate.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--report", "out.csv"], "error: WORKLOAD and --report are one file, out.csv; give each a name of its own.\n"),
        (["--report", "./gate.json"], "error: --output and --report are one file, gate.json; give each a name"),
        (["--outcomes", "gate.txt"], "error: --report and --outcomes are one file, gate.txt; give each a name"),
    ],
)
def test_no_file_is_written_over_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    made_outcomes(seed=1).to_csv("out.csv", index=False)
    before = Path("out.csv").read_bytes()
    result = CliRunner().invoke(cli, ["calibrate", "out.csv", "-o", "gate.json", *options])
    assert result.exit_code == 2
    assert result.output.startswith(message)
    assert Path("out.csv").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_the_fit_of_a_table_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_outcomes(seed=1).to_csv(tmp_path / "out.csv", index=False)
    told: list[tuple[int, int]] = []

    @contextmanager
    def showing(_label: str, _progress: bool | None = None) -> Iterator[Callable[[int, int], None]]:
        yield lambda done, total: told.append((done, total))

    monkeypatch.setattr("workbench.documents.progress.showing", showing)
    command = ["calibrate", str(tmp_path / "out.csv"), "-o", str(tmp_path / "gate.json")]
    assert CliRunner().invoke(cli, command).exit_code == 0
    assert told[-1] == (6, 6)


def test_a_folder_without_a_workload_is_named(tmp_path: Path) -> None:
    result = calibrate(tmp_path, tmp_path / "gate.json")
    assert result.exit_code == 1
    assert "workload.jsonl" in result.output
