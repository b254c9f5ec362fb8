"""``workbench``, ``workbench cache`` and ``workbench lab``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import workbench as wb
from workbench.cli import cli
from workbench.cli.lab import first_notebook, lab_command


def test_the_version_is_the_package_s() -> None:
    result = CliRunner().invoke(cli, ["--version"])
    assert result.output == f"workbench, version {wb.__version__}\n"


def test_the_command_and_the_module_are_the_same(project_dir: Path) -> None:
    module = subprocess.run(
        [sys.executable, "-m", "workbench", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=project_dir,
    )
    help_here = CliRunner().invoke(cli, ["--help"], prog_name="workbench").output
    assert module.stdout.split() == help_here.split()


def test_the_cache_tells_what_it_holds_and_can_be_cleared(
    sample_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path))
    wb.open_document(sample_dir / "machines.csv")
    info = dict(line.split(None, 1) for line in CliRunner().invoke(cli, ["cache", "info"]).output.splitlines())
    assert info == {
        "folder": str(tmp_path),
        "documents": "1 (0.0 MiB)",
        "embeddings": "0 (0.0 MiB)",
        "parses": "0 (0.0 MiB)",
        "self-tests": "0 (0.0 MiB)",
        "compiled": "0 (0.0 MiB)",
        "scores": "0 (0.0 MiB)",
        "outcomes": "0 (0.0 MiB)",
        "answers": "0 (0.0 MiB)",
    }
    assert CliRunner().invoke(cli, ["cache", "clear"]).output == "Removed 1 entry from the cache.\n"
    assert CliRunner().invoke(cli, ["cache", "clear"]).output == "Removed 0 entries from the cache.\n"


def test_lab_starts_on_the_tour_and_asks_the_network_for_nothing(project_dir: Path) -> None:
    start = first_notebook()
    assert start == project_dir / "notebooks" / "00_tour.ipynb"
    command = lab_command(start, port=8899, browser=False)
    assert command[:4] == [sys.executable, "-m", "jupyterlab", str(start)]
    assert "--LabApp.news_url=None" in command
    assert f"--ServerApp.root_dir={project_dir}" in command
    assert "--LabApp.default_url=/lab/tree/notebooks/00_tour.ipynb" in command
    assert "--ServerApp.port=8899" in command
    assert "--no-browser" in command


def test_lab_without_a_checkout_opens_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("workbench.resources.checkout_dir", lambda: None)
    monkeypatch.chdir(tmp_path)
    assert first_notebook() == tmp_path
    assert capsys.readouterr().err == "No checkout here, so no notebooks: JupyterLab opens in the current folder.\n"


def test_lab_without_jupyterlab_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.cli.lab.find_spec", lambda _: None)
    result = CliRunner().invoke(cli, ["lab"])
    assert result.exit_code == 1
    assert result.stderr == (
        "error: JupyterLab is not installed; run: python -m pip install 'sparseread-workbench[lab]' (or make lab in a "
        "checkout).\n"
    )


def test_lab_passes_on_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.cli.lab.lab_command", lambda *_, **__: [sys.executable, "-c", "raise SystemExit(7)"])
    assert CliRunner().invoke(cli, ["lab"]).exit_code == 7
