"""Runs of ``workbench report``, and the line that says what was written."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from workbench.cli import cli

OTHER = "How long are backups kept?"
FEW = ("--no-model", "--min-tokens", "200", "--no-pages")


def run(*arguments: object, **environment: str) -> Result:
    return CliRunner().invoke(cli, ["report", *map(str, arguments)], env={"COLUMNS": "200", **environment})


def written(result: Result, *files: Path) -> list[str]:
    """The parts of the line that says what was written."""
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("wrote ")]
    parts = line.removeprefix("wrote ").split("; ")
    assert [part.partition(" (")[0] for part in parts] == list(map(str, files))
    assert all(file.stat().st_size for file in files)
    return parts
