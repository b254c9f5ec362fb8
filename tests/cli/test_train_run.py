"""``workbench train`` to its end: interrupted, gone on with, judged and written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.training.exporting.made import tiny_base_at
from tests.workload.made_depots import depots_in
from workbench.cli import cli

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Run:
    """A training that Ctrl-C ended, and the same command once more.

    Attributes
    ----------
    folder : pathlib.Path
        Holds work, out (the classifier) and out.training.
    code, said : int, str
        Exit code of the first command, and what it wrote to stderr.
    looks : list of dict
        The looks at validation until then.
    again : Result
        Of the second command.
    """

    folder: Path
    code: int
    said: str
    looks: list[dict[str, float]]
    again: Result


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("train")
    depots_in(folder / "work", documents=7, paragraphs=20)
    base = tiny_base_at(folder / "tiny-bert")
    command = ["train", str(folder / "work"), "-o", str(folder / "out"), "--base", str(base), "--epochs", "24"]
    command += ["--device", "cpu", "--candidates", "8", "--no-onnx"]
    code, said = interrupted(command)
    return Run(folder, code, said, looks_of(folder), CliRunner().invoke(cli, command))


def interrupted(command: list[str]) -> tuple[int, str]:
    """Run a command and press Ctrl-C when the classifier begins to be trained; the encoder before it is whole."""
    program = [sys.executable, "-c", "from workbench.cli import cli; cli()", *command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(program, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if line.startswith("classifier ("):
                process.send_signal(signal.SIGINT)
        return process.wait(), "".join(lines)


def looks_of(folder: Path) -> list[dict[str, float]]:
    home = folder / "out.training" / "classifier"
    latest = json.loads((home / "run.json").read_bytes())["latest"]
    found: list[dict[str, float]] = json.loads((home / latest / "training.json").read_bytes())["progress"]["history"]
    return found


def test_ctrl_c_keeps_the_best_checkpoint_and_says_so(run: Run) -> None:
    assert run.code == 130, run.said
    assert "ending after this step; press Ctrl-C again to leave at once" in run.said
    told = f"ended early: the best checkpoint is in {run.folder / 'out.training' / 'classifier' / 'step-'}"
    assert told in run.said
    assert f"run the same command to go on, or write it with: workbench export {run.folder}" in run.said
    assert "encoder (cpu, " in run.said and "numbers are trained" in run.said
    assert len(run.looks) < 5


def test_the_same_command_goes_on_to_the_end(run: Run) -> None:
    assert run.again.exit_code == 0, run.again.output
    # The encoder was whole, so only the classifier is told of again.
    assert "encoder (" not in run.again.stderr
    assert "classifier (cpu, " in run.again.stderr
    looks = looks_of(run.folder)
    assert len(looks) > len(run.looks)
    assert looks[: len(run.looks)] == run.looks


def test_what_was_made_is_printed(run: Run) -> None:
    out = run.again.stdout
    assert "The classifier was trained for " in out
    assert "On 1 document never seen, 95 % of the evidence takes " in out
    assert "untrained" in out and "trained" in out
    assert str(run.folder / "out") in out


def test_what_was_written_is_judged(run: Run) -> None:
    result = CliRunner().invoke(cli, ["evaluate", str(run.folder / "out"), str(run.folder / "work")])
    assert result.exit_code == 0, result.output
    assert "Of 7 documents, 6 were trained on or chosen by: these figures are partly in sample." in result.stdout


def test_a_checkpoint_of_the_training_is_exported_alone(run: Run) -> None:
    place = run.folder / "alone"
    result = CliRunner().invoke(
        cli, ["export", str(run.folder / "out.training/classifier"), "-o", str(place), "--no-onnx"]
    )
    assert result.exit_code == 0, result.output
    manifest = json.loads((place / "manifest.json").read_bytes())
    assert manifest["combination"] is None
    assert json.loads((run.folder / "out/manifest.json").read_bytes())["base"] == manifest["base"]
