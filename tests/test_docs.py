"""The docs say what the program does: no command, option, file or example is left out or left over."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from workbench.cli import cli
from workbench.documents import ReadOptions

DOCS = (
    "docs/bench.md",
    "docs/reading.md",
    "docs/gate.md",
    "docs/calibration.md",
    "docs/classifier.md",
    "docs/report.md",
    "docs/gallery.md",
    "docs/rules.md",
    "README.md",
    "CONTRIBUTING.md",
    "docs/cli.md",
    "docs/architecture.md",
    "docs/adding-a-format.md",
    "docs/dependencies.md",
    "datasets/dev/README.md",
)


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        for child in command.commands.values():
            yield from commands(child, f"{name} {child.name}")


COMMANDS = dict(commands(cli, "workbench"))


def section_of(text: str, title: str) -> str:
    """The part of a Markdown text below one heading, up to the next."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {title!r}"
    return found[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_in_its_section(name: str, project_dir: Path) -> None:
    text = (project_dir / "docs" / "cli.md").read_text(encoding="utf-8")
    rows = [row.split("|")[1] for row in section_of(text, name).splitlines() if row.startswith("| `-")]
    documented = {option for row in rows for option in re.findall(r"`(-[^`]+)`", row)}
    exists = {
        option
        for parameter in COMMANDS[name].params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    assert documented - {"-h", "--help"} == exists


def test_the_sections_are_the_commands(project_dir: Path) -> None:
    text = (project_dir / "docs" / "cli.md").read_text(encoding="utf-8")
    assert re.findall(r"^##+ (workbench.*)$", text, re.MULTILINE) == list(COMMANDS)


def test_the_limits_in_the_readme_are_the_defaults(project_dir: Path) -> None:
    table = section_of((project_dir / "README.md").read_text(encoding="utf-8"), "Limits")
    rows = {row.split("|")[3].strip(" `"): row.split("|")[2] for row in table.splitlines() if "`max_" in row}
    defaults = ReadOptions()
    told = {name: int(re.sub(r"\D", "", value)) for name, value in rows.items()}
    assert told.pop("max_memory_mb") * 1024 == defaults.max_memory_mb
    assert told == {name: getattr(defaults, name) for name in told}
    assert len(told) == 5


@pytest.mark.parametrize("name", DOCS)
def test_every_link_leads_to_a_file(name: str, project_dir: Path) -> None:
    page = project_dir / name
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_python_of_the_readme_runs(project_dir: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (project_dir / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    program = "\n".join(blocks).replace("doc.text_at", "assert doc.text_at")
    subprocess.run([sys.executable, "-c", program], check=True, cwd=project_dir, timeout=300)


def test_the_format_of_the_docs_opens_a_file(project_dir: Path, tmp_path: Path) -> None:
    page = (project_dir / "docs" / "adding-a-format.md").read_text(encoding="utf-8")
    (module,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (entry,) = re.findall(r'```toml\n\[project.entry-points."workbench.documents"\]\n(.*?)```', page, re.DOTALL)
    assert len([line for line in module.splitlines() if line.strip()]) <= 30

    package = tmp_path / "installed" / "my_formats"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "subtitles.py").write_text(module, encoding="utf-8")
    metadata = tmp_path / "installed" / "my_formats-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-formats\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[workbench.documents]\n" + entry.replace('"', ""))
    film = tmp_path / "film.srt"
    film.write_bytes(
        b"1\r\n00:00:01,000 --> 00:00:03,500\r\nThe store opens at nine.\r\nNobody is there.\r\n\r\n"
        b"2\r\n00:00:04,000 --> 00:00:06,000\r\nThen the phone rings.\r\n"
    )
    program = (
        "import sys; sys.path[:0] = sys.argv[1:3]\n"
        "import workbench as wb\n"
        "film = wb.open_document(sys.argv[3])\n"
        "print(film.format, repr(film.excluded('unplaced')), len(film.warnings))\n"
        "for block in film.blocks: print(block.anchor.locator, block.anchor.start_line, block.text, sep=' | ')\n"
    )
    arguments = [str(package.parent), str(project_dir), str(film)]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines() == [
        "subtitles '' 0",
        "00:00:01,000 --> 00:00:03,500 | 3 | The store opens at nine. Nobody is there.",
        "00:00:04,000 --> 00:00:06,000 | 8 | Then the phone rings.",
    ]
