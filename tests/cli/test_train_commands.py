"""``workbench export``, ``workbench evaluate`` and ``workbench train``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.training.exporting.made import checkpoint_at, tiny_base_at
from tests.workload.made_depots import depots_in
from workbench.cli import cli
from workbench.training.exporting import export_classifier


@pytest.fixture(scope="module")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("depots") / "work"
    depots_in(folder, documents=3)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_base_at(tmp_path_factory.mktemp("models") / "tiny-bert")


@pytest.fixture(scope="module")
def checkpoint(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint_at(tmp_path_factory.mktemp("training") / "step-000010", base=base)


@pytest.fixture(scope="module")
def classifier(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("exported") / "classifier"
    export_classifier(checkpoint, place, onnx=False, languages=["en"], progress=False)
    return place


def test_a_checkpoint_is_exported(checkpoint: Path, tmp_path: Path) -> None:
    command = ["export", str(checkpoint), "-o", str(tmp_path / "out"), "--no-onnx", "--language", "en", "--json"]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert "adapter/adapter_model.safetensors" in said["files"]
    assert json.loads((tmp_path / "out/manifest.json").read_bytes())["fingerprint"] == said["fingerprint"]


def test_what_is_no_checkpoint_is_told_in_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["export", str(tmp_path), "-o", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert result.output.startswith("error: There is no trained classifier in ")


def test_a_classifier_is_judged_beside_what_was_not_trained(classifier: Path, depots: Path, tmp_path: Path) -> None:
    command = ["evaluate", str(classifier), str(depots), "--mistakes", str(tmp_path / "mistakes.csv")]
    result = CliRunner().invoke(cli, [*command, "--json"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert {row["scorer"] for row in said["figures"]} == {"untrained", "trained"}
    assert (said["seen_documents"], said["knows_documents"]) == ([], False)
    assert (
        (tmp_path / "mistakes.csv").read_text("utf-8").startswith("question,text,set,document_type,document,block,kind")
    )


def test_a_spoiled_classifier_is_told_in_one_line(classifier: Path, depots: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["evaluate", str(tmp_path), str(depots)])
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert "There is no classifier at" in result.output
    result = CliRunner().invoke(cli, ["evaluate", str(classifier), str(depots), "--base", str(tmp_path)])
    assert result.exit_code == 1
    assert "There is no model in" in result.output


def test_reading_with_a_classifier_has_its_part(classifier: Path, sample_dir: Path) -> None:
    manual = str(sample_dir / "harbor-manual.md")
    command = ["read", manual, "What triggers a backup?", "--classifier", str(classifier), "--explain", "3"]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output
    assert "classifier" in result.output
    result = CliRunner().invoke(cli, [*command, "--no-model"])
    assert result.exit_code == 2
    assert "A classifier comes with an encoder of its own; leave --no-model out." in result.output


def test_a_dry_run_shows_the_data_and_what_would_be_trained(depots: Path, base: Path, tmp_path: Path) -> None:
    command = ["train", str(depots), "-o", str(tmp_path / "out"), "--base", str(base), "--dry-run"]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0, result.output
    assert "train      " in result.output and "numbers are trained" in result.output
    assert "classifier.weight" in result.output and "head" in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--labels", "none.sqlite"], 1, "There are no labels at none.sqlite; give the SQLite file"),
        (["--validation", "2"], 2, "validation"),
        (["--device", "abacus"], 2, "device is 'abacus'; it is one of: auto, cpu, cuda, mps"),
    ],
)
def test_mistakes_are_told_before_any_training(
    depots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["train", str(depots), "-o", "out", *options])
    assert result.exit_code == code, result.output
    assert message in result.output


def test_labels_alone_are_no_workload_and_other_folders_are_not_replaced(depots: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["train", "labels.sqlite", "-o", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "give the workload, and the labels with --labels labels.sqlite" in result.output
    (tmp_path / "thesis.txt").write_text("", encoding="utf-8")
    result = CliRunner().invoke(cli, ["train", str(depots), "-o", str(tmp_path)])
    assert result.exit_code == 2
    assert "holds something that is no classifier" in result.output
