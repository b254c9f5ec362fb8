"""The floors of the house: a part knows only those below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FLOORS = ("errors", "resources", "documents", "cli")
PACKAGE = Path(__file__).resolve().parents[1] / "workbench"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem in FLOORS)


def imported(path: Path) -> Iterator[str]:
    """Dotted names of what a module imports, also inside its functions."""
    here = ("workbench", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_part_knows_only_those_below_it(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    parts = {name.split(".")[1] for name in imported(path) if name.startswith("workbench.")}
    above = {part for part in parts & set(FLOORS) if FLOORS.index(part) > FLOORS.index(own)}
    assert above == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_nothing_here_draws_widgets(path: Path) -> None:
    assert {name.split(".")[0] for name in imported(path)} & {"IPython", "anywidget", "ipywidgets", "plotly"} == set()


def test_every_part_has_a_floor_and_a_line_on_the_map() -> None:
    parts = {path.stem for path in PACKAGE.iterdir() if path.name[0] not in "_." and path.suffix in ("", ".py")}
    assert parts == set(FLOORS)
    architecture = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [part for part in FLOORS if f"  {part}" not in architecture] == []
