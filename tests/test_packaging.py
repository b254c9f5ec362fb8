"""The distribution, its environments, and what they promise to each other."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Collection
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from ruamel.yaml import YAML


@pytest.fixture(scope="module")
def project(project_dir: Path) -> dict[str, Any]:
    with (project_dir / "pyproject.toml").open("rb") as stream:
        found: dict[str, Any] = tomllib.load(stream)["project"]
    return found


@pytest.fixture(scope="module")
def wheel(project_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), str(project_dir)]
    subprocess.run(command, check=True, timeout=300)
    (found,) = folder.glob("*.whl")
    return found


def ranges(requirements: list[str]) -> dict[str, str]:
    """Normalised names and their ranges."""
    parsed = [Requirement(line) for line in requirements]
    return {requirement.name.lower().replace("_", "-"): str(requirement.specifier) for requirement in parsed}


ON_REQUEST = {"bench", "llm", "openvino"}
"""Extras that no environment of ours installs: rivals for a benchmark, a model for a few tests, another backend."""


def all_ranges(project: dict[str, Any], *, without: Collection[str] = ()) -> dict[str, str]:
    extras = project["optional-dependencies"]
    chosen = [line for name, extra in extras.items() if name not in without for line in extra]
    return ranges([*project["dependencies"], *chosen])


def pins(project_dir: Path) -> dict[str, str]:
    lines = (project_dir / "constraints.txt").read_text().splitlines()
    return ranges([line for line in lines if line and not line.startswith("#")])


def test_environment_yml_names_what_pyproject_names(project: dict[str, Any], project_dir: Path) -> None:
    environment = YAML(typ="safe").load(project_dir / "environment.yml")
    python, pip, packages = environment["dependencies"]
    assert python == f"python{project['requires-python']}"
    assert pip == "pip"
    lines = packages["pip"]
    assert lines[:2] == ["--constraint constraints.txt", "--editable ."]
    wanted = all_ranges(project, without=ON_REQUEST)
    assert ranges(lines[2:]) == wanted
    assert len(lines[2:]) == len(wanted)


def test_every_requirement_is_pinned_inside_its_range(project: dict[str, Any], project_dir: Path) -> None:
    pinned = pins(project_dir)
    wrong = {}
    for name, wanted in all_ranges(project).items():
        pin = pinned.get(name, "").removeprefix("==")
        if not pin or not Requirement(name + wanted).specifier.contains(pin):
            wrong[name] = (pin, wanted)
    assert wrong == {}


def test_constraints_are_exact(project_dir: Path) -> None:
    assert [line for line in pins(project_dir).values() if not line.startswith("==") or "+" in line] == []


def test_torch_is_pinned_to_the_release_with_a_cpu_build(project_dir: Path) -> None:
    assert pins(project_dir)["torch"] == "==2.13.0"


def test_the_version_is_the_package_s(wheel: Path) -> None:
    import workbench

    assert wheel.name == f"sparseread_workbench-{workbench.__version__}-py3-none-any.whl"


def test_the_wheel_holds_the_package_the_rules_and_the_workload_and_nothing_else(
    wheel: Path, project_dir: Path
) -> None:
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in names} == {"workbench"}
    assert "workbench/py.typed" in names
    assert [name for name in names if "__pycache__" in name or name.endswith(".pyc")] == []
    for top, inside in (("rules", "rules"), ("datasets/dev", "datasets/dev")):
        expected = {path.relative_to(project_dir / top).as_posix() for path in files_below(project_dir / top)}
        prefix = f"workbench/data/{inside}/"
        assert {name.removeprefix(prefix) for name in names if name.startswith(prefix)} == expected


def files_below(folder: Path) -> list[Path]:
    """Files as they are shipped: no caches of tools."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    inside = {path: path.relative_to(folder).parts for path in found}
    return [path for path in found if not any(part.startswith(".") or part == "__pycache__" for part in inside[path])]


def test_an_installed_wheel_finds_its_rules_and_documents(wheel: Path, project_dir: Path, tmp_path: Path) -> None:
    python = empty_environment(tmp_path / "environment")
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    subprocess.run([*install, str(wheel)], check=True, timeout=300)
    program = (
        "import workbench; from workbench import resources as r\n"
        "print(workbench.__version__, r.checkout_dir())\n"
        "print(*sorted(path.name for path in r.rules_dir().iterdir()))\n"
        "print((r.datasets_dir() / 'dev' / 'documents' / 'harbor-manual.md').read_text(encoding='utf-8')[:28])\n"
    )
    done = subprocess.run(
        [str(python), "-I", "-c", program], check=True, capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    first, rules, manual = done.stdout.splitlines()
    assert first == f"{version('sparseread-workbench')} None"
    assert rules.split() == sorted(path.name for path in (project_dir / "rules").iterdir())
    assert manual == "# Harbor 4 operator's manual"


def empty_environment(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    windows = folder / "Scripts" / "python.exe"
    return windows if windows.exists() else folder / "bin" / "python"


def test_every_requirement_has_a_reason_in_the_docs(project: dict[str, Any], project_dir: Path) -> None:
    rows = (project_dir / "docs" / "dependencies.md").read_text(encoding="utf-8").splitlines()
    named = {row.split("|")[1].strip().lower() for row in rows if row.startswith("| ")} - {"package", "---"}
    assert named == set(all_ranges(project))
