"""``workbench serve``: the bench as a page."""

from __future__ import annotations

import json
import os
import socket
import sys
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from workbench.cli import cli
from workbench.cli.serve import (
    HOST,
    JUPYTER_DIR,
    checked_workload,
    free_port,
    notebook,
    voila_command,
    voila_environment,
)
from workbench.errors import InvalidOption


def test_serve_without_voila_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.cli.serve.find_spec", lambda _: None)
    result = CliRunner().invoke(cli, ["serve"])
    assert result.exit_code == 1
    assert result.stderr == (
        "error: Voilà, which serves the bench as a page, is not installed; run: python -m pip install "
        "'sparseread-workbench[lab]' (or make serve in a checkout).\n"
    )


def test_what_is_wrong_with_a_workload_is_said_before_a_page_opens(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["serve", str(tmp_path / "nowhere")])
    assert result.exit_code == 1
    assert result.stderr == (
        f"error: There is no file {tmp_path / 'nowhere'}; name a folder that holds workload.jsonl, or a JSONL file.\n"
    )


def test_without_a_workload_the_bundled_one_is_served(project_dir: Path) -> None:
    assert checked_workload(None) == project_dir / "datasets" / "dev"
    assert checked_workload(project_dir / "datasets" / "dev") == project_dir / "datasets" / "dev"


def test_a_port_that_is_in_use_is_refused_by_name() -> None:
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        port = other.getsockname()[1]
        result = CliRunner().invoke(cli, ["serve", "--port", str(port)])
        with pytest.raises(InvalidOption):
            free_port(port)
    assert result.exit_code == 2
    assert result.stderr == (
        f"error: Port {port} cannot be listened on, it may be in use; choose another one with --port.\n"
    )


def test_without_a_port_the_first_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        taken = other.getsockname()[1]
        monkeypatch.setattr("workbench.cli.serve.FIRST_PORT", taken)
        assert free_port(None) > taken
        monkeypatch.setattr("workbench.cli.serve.PORTS", 1)
        with pytest.raises(InvalidOption, match=f"No port from {taken} to {taken} is free; choose one with --port."):
            free_port(None)


def test_only_this_machine_is_listened_to_and_the_token_stands_in_no_list_of_processes() -> None:
    command = voila_command(Path("bench.ipynb"), port=8899, theme="dark")
    assert command[:4] == [sys.executable, "-m", "voila", "bench.ipynb"]
    assert "--Voila.ip=127.0.0.1" in command
    assert "--token" in command
    assert "--port=8899" in command
    assert "--theme=dark" in command
    assert voila_environment("secret")["JUPYTER_TOKEN"] == "secret"
    assert [part for part in command if "secret" in part] == []


def test_the_template_is_found_before_those_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_PATH", "others")
    assert voila_environment("secret")["JUPYTER_PATH"] == os.pathsep.join([str(JUPYTER_DIR), "others"])
    template = JUPYTER_DIR / "voila" / "templates" / "sparseread"
    assert json.loads((template / "conf.json").read_text(encoding="utf-8")) == {"base_template": "lab"}
    assert "http" not in (template / "index.html.j2").read_text(encoding="utf-8")


def test_the_page_is_a_notebook_that_works_where_the_command_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = nbformat.reads(json.dumps(notebook(Path("work's"), folder=Path("kept"), language="zh")), as_version=4)
    nbformat.validate(page)
    (cell,) = page.cells
    assert f"os.chdir({str(tmp_path)!r})" in cell.source
    assert repr(str(tmp_path / "work's")) in cell.source
    assert f"folder={str(tmp_path / 'kept')!r}, language='zh', present=False" in cell.source
    compile(cell.source, "bench", "exec")


def test_the_page_can_open_with_the_document_presented(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[str] = []

    def run(command: list[str], **_: object) -> int:
        pages.append(Path(command[3]).read_text(encoding="utf-8"))
        return 0

    monkeypatch.setattr("workbench.cli.serve.run", run)
    monkeypatch.setattr("workbench.cli.serve.find_spec", lambda _: True)
    for arguments in ((), ("--present",)):
        assert CliRunner().invoke(cli, ["serve", "--no-browser", *arguments]).exit_code == 0
    assert ["present=False" in pages[0], "present=True" in pages[1]] == [True, True]
