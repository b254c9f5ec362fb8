"""The notebooks run from top to bottom under nbmake and end with what they promise; none has outputs committed."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

PROMISES = {
    "00_tour": ("bool(checked['evidence kept'].all()), len(checked)", "(True, 5)"),
    "01_read_a_document": ("bool(checked['answer kept'].all()), len(checked)", "(True, 8)"),
    "02_tune_rules_and_thresholds": ("bool(checked['holds'].all()), len(checked)", "(True, 4)"),
    "03_calibrate_the_gate": (
        "bool(checked['as_calibrated'].all()), one_place.route.value, str(whole_table.constraint)[:11], "
        "int(checked['force']['native_fit'])",
        "(True, 'force', 'whole_table', 2)",
    ),
    "04_bring_your_own_documents": ("bool(checked['holds'].all()), len(checked)", "(True, 4)"),
    "05_annotate_hard_negatives": ("bool(checked['holds'].all()), len(checked)", "(True, 5)"),
    "06_train_the_classifier": ("bool(checked['holds'].all()), len(checked)", "(True, 5)"),
    "07_show_it_to_stakeholders": ("bool(checked['holds'].all()), len(checked)", "(True, 6)"),
}
"""What is asked at the end of each notebook, and the answer."""


def test_the_notebooks_are_those_of_a_first_day() -> None:
    assert [path.stem for path in NOTEBOOKS] == list(PROMISES)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count is not None] == []
    assert "widgets" not in notebook.metadata


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The notebooks where they may leave what they write, each with a last cell that asks for its promise."""
    folder = tmp_path_factory.mktemp("notebooks")
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(PROMISES[path.stem][0]))
        nbformat.write(notebook, folder / path.name)
    return folder


@cache
def run_under_nbmake(path: Path) -> subprocess.CompletedProcess[str]:
    """Run one notebook, leave its outputs in it, and return what pytest said."""
    settings = path.parent / "pytest.ini"
    settings.write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-c", str(settings), "-p", "no:cacheprovider", "-q"]
    command += ["--nbmake", "--nbmake-timeout=600", "--overwrite", str(path)]
    places = {"PYTHONPATH": str(FOLDER.parent), "IPYTHONDIR": str(path.parent / "ipython"), "SPARSEREAD_STRICT": "1"}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=900, check=False, cwd=path.parent, env=os.environ | places
    )


@pytest.mark.parametrize("name", PROMISES)
def test_a_notebook_runs_from_top_to_bottom(name: str, copies: Path) -> None:
    done = run_under_nbmake(copies / f"{name}.ipynb")
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    notebook = nbformat.read(copies / f"{name}.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"] == []


@pytest.mark.parametrize("name", PROMISES)
def test_a_notebook_ends_with_what_it_promises(name: str, copies: Path) -> None:
    run_under_nbmake(copies / f"{name}.ipynb")
    last = nbformat.read(copies / f"{name}.ipynb", as_version=4).cells[-1]
    assert last.outputs[0].data["text/plain"] == PROMISES[name][1]


def test_progress_in_a_notebook_is_an_output_that_ends_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    code = (
        "from workbench.documents.progress import showing\n"
        "seconds = iter(range(100))\n"
        "with showing('Reading a.pdf', clock=lambda: next(seconds)) as report:\n"
        "    for page in range(6):\n"
        "        report(page, 6)\n"
    )
    slow, stopped = nbformat.v4.new_code_cell(code), nbformat.v4.new_code_cell(code + "        assert page < 4")
    stopped.metadata.tags = ["raises-exception"]
    notebook = nbformat.v4.new_notebook(cells=[slow, stopped])
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert [(output.output_type, output.get("data")) for output in slow.outputs] == [
        ("display_data", {"text/plain": ""})
    ]
    assert [output.output_type for output in stopped.outputs] == ["display_data", "error"]
    assert stopped.outputs[0].data == {"text/plain": ""}
