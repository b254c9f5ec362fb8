"""Arrows point down: a part knows only those below it, and what is heavy waits until it is needed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from workbench.documents.registry import BUILT_IN

FLOORS = (
    "lazy",
    "errors",
    "wording",
    "standalone",
    "resources",
    "printing",
    "caching",
    "documents",
    "structure",
    "relevance",
    "gate",
    "reading",
    "calibration",
    "workload",
    "report",
    "training",
    "workspace",
    "widgets",
    "cli",
)
PACKAGE = Path(__file__).resolve().parents[1] / "workbench"
DOCUMENTS = "workbench.documents"
FORMATS = f"{DOCUMENTS}.formats"
PDF = f"{FORMATS}.pdf"

AT_IMPORT = {
    "documents": {"numpy"},
    "structure": {"numpy"},
    "relevance": {"numpy"},
    "gate": {"numpy", "pydantic"},
    "reading": {"numpy"},
    "calibration": {"numpy"},
    "workload": {"numpy"},
    "report": {"numpy"},
    "training": {"numpy"},
    "workspace": {"numpy"},
    "widgets": {"anywidget", "ipywidgets", "numpy", "traitlets"},
    "cli": {"click", "rich"},
}
"""The packages of others that may be loaded with a part; all else is imported where it is used."""
DRAWING = {"IPython", "anywidget", "ipywidgets", "plotly"}

LENT = {"code.cuts", "html.blocks", "json.blocks", "json.scan", "markdown.blocks", "text.prose"}
"""What a format gives to others, because they hold what it reads: a mail holds HTML, a notebook Markdown."""
ABOVE_FORMATS = (
    "opening",
    "cache",
    "collections",
    "workers",
    "recognising",
    "overlay",
    "page_boxes",
    "page_images",
    "page_pictures",
    "frame",
)
INNER_FLOORS = (("workers",), ("opening",), ("collections",))
"""Inside ``documents``, from below: workers know nothing of files on disk, opening nothing of many of them."""


def name_of(path: Path) -> str:
    """A module's dotted name; a package has that of its folder."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
MODULES = sorted(FILES.keys() - {"workbench", "workbench.__main__"})


def resolved(module: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Dotted names of the modules that one statement imports, and of the names it takes from them."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    package = module.split(".") if FILES[module].stem == "__init__" else module.split(".")[:-1]
    base = package[: len(package) - node.level + 1] if node.level else []
    origin = ".".join([*base, *([node.module] if node.module else [])])
    for alias in node.names:
        whole = f"{origin}.{alias.name}"
        yield whole if whole in FILES else origin


@cache
def imports(module: str, *, lazy: bool = True, typing: bool = True) -> frozenset[str]:
    """What a module imports: also inside its functions, and also for type checkers alone, unless told otherwise."""
    found: set[str] = set()
    waiting: list[ast.AST] = [TREES[module]]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(resolved(module, node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not lazy:
            continue
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not typing:
            waiting.extend(node.orelse)
            continue
        waiting.extend(ast.iter_child_nodes(node))
    return frozenset(found)


def part_of(module: str) -> str:
    return module.split(".")[1]


def inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def format_of(module: str) -> str:
    """The format or shared module that a module below ``formats`` belongs to; "" for any other."""
    return module.removeprefix(f"{FORMATS}.").split(".")[0] if inside(module, FORMATS) and module != FORMATS else ""


@pytest.mark.parametrize("module", MODULES)
def test_a_part_knows_only_those_below_it(module: str) -> None:
    parts = {part_of(name) for name in imports(module) if name.startswith("workbench.")}
    own = FLOORS.index(part_of(module))
    assert {part for part in parts & set(FLOORS) if FLOORS.index(part) > own} == set()


@pytest.mark.parametrize("module", [module for module in MODULES if part_of(module) != "widgets"])
def test_nothing_below_the_widgets_draws(module: str) -> None:
    assert {name.split(".")[0] for name in imports(module)} & DRAWING == set()


@pytest.mark.parametrize("module", MODULES)
def test_what_is_heavy_is_imported_where_it_is_used(module: str) -> None:
    loaded = {name.split(".")[0] for name in imports(module, lazy=False, typing=False)}
    others = loaded - sys.stdlib_module_names - {"workbench"}
    assert others - AT_IMPORT.get(part_of(module), set()) == set()


def test_structure_and_relevance_do_not_know_each_other() -> None:
    sides = {"structure", "relevance"}
    for module in MODULES:
        if part_of(module) in sides:
            (other,) = sides - {part_of(module)}
            assert [name for name in imports(module) if inside(name, f"workbench.{other}")] == []


def test_every_part_has_a_floor_and_a_line_on_the_map() -> None:
    assert {part_of(module) for module in MODULES} == set(FLOORS)
    architecture = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [part for part in FLOORS if f"  {part}" not in architecture] == []


@pytest.mark.parametrize("module", [name for name in MODULES if format_of(name)])
def test_a_format_knows_another_only_by_what_that_one_lends(module: str) -> None:
    own = format_of(module)
    others = {name for name in imports(module) if format_of(name) in BUILT_IN and format_of(name) != own}
    # What formats share is below all of them.
    lent = {f"{FORMATS}.{name}" for name in LENT} if own in BUILT_IN else set()
    assert others - lent == set()


def test_what_is_lent_is_borrowed() -> None:
    borrowed = {name for module in MODULES for name in imports(module) if format_of(name) != format_of(module)}
    assert {f"{FORMATS}.{name}" for name in LENT} <= borrowed


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_format_is_a_module_or_a_package_that_exports_it(name: str) -> None:
    module = f"{FORMATS}.{name}"
    assert module in FILES
    if FILES[module].stem == "__init__":
        assert imports(module) - {"__future__"} == {f"{module}.format"}


@pytest.mark.parametrize("module", [name for name in MODULES if inside(name, FORMATS)])
def test_a_format_does_not_know_who_calls_it(module: str) -> None:
    known = imports(module, typing=False)
    assert [name for name in known for above in ABOVE_FORMATS if inside(name, f"{DOCUMENTS}.{above}")] == []


def test_only_what_runs_in_a_worker_touches_a_pdf() -> None:
    libraries = {"pypdfium2", "pypdfium2_raw", "pdfplumber", "pdfminer"}
    users = {name for name in MODULES if {found.split(".")[0] for found in imports(name)} & libraries}
    assert {name for name in users if not inside(name, PDF)} == {f"{DOCUMENTS}.workers.render"}


def test_one_document_is_opened_without_knowing_of_many() -> None:
    for rank, floor in enumerate(INNER_FLOORS):
        above = [f"{DOCUMENTS}.{name}" for names in INNER_FLOORS[rank + 1 :] for name in names]
        for module in MODULES:
            if any(inside(module, f"{DOCUMENTS}.{name}") for name in floor):
                assert [name for name in imports(module) for other in above if inside(name, other)] == []


def names_taken(module: str, origin: str) -> set[str]:
    """The names that a module imports from another one."""
    return {
        alias.name
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.ImportFrom) and origin in resolved(module, node)
        for alias in node.names
    }


def test_a_page_of_a_pdf_is_read_without_knowing_of_the_whole_document() -> None:
    stage = [name for name in MODULES if inside(name, f"{PDF}.page")]
    document = {f"{DOCUMENTS}.{name}" for name in ("blocks", "draft", "document")}
    assert f"{PDF}.page.extraction" in stage
    for module in stage:
        known = imports(module)
        assert {name for name in known if inside(name, PDF) and not inside(name, f"{PDF}.page")} == set()
        assert known & document == set()


def test_the_structure_of_a_pdf_is_found_in_page_ranges_alone() -> None:
    stage = [name for name in MODULES if inside(name, f"{PDF}.structure")]
    pages, outline = f"{PDF}.page.extraction", f"{PDF}.outline"
    taken: set[str] = set()
    for module in stage:
        known = {name for name in imports(module) if inside(name, PDF) and not inside(name, f"{PDF}.structure")}
        assert known <= {pages, outline}
        taken |= names_taken(module, pages)
    assert taken == {"PageRange"}


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module in done:
            return
        for name in imports(module, lazy=False, typing=False):
            if name in FILES:
                visit(name, (*path, module))
        done.add(module)

    for module in MODULES:
        visit(module, ())
