"""The notebooks run from top to bottom and are committed without outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_is_a_first_notebook() -> None:
    assert [path.name for path in NOTEBOOKS][:1] == ["01_open_a_document.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count is not None] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"] == []


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


@pytest.mark.parametrize(
    ("name", "probe", "wanted"),
    [
        ("01_open_a_document", "accounted(manual)['lost'], accounted(manual)['blocks'] > 40", "(0, True)"),
        ("02_ask_a_question", "bool(checked['answer kept'].all()), len(checked) >= 8", "(True, True)"),
        (
            "03_calibrate_a_gate",
            "bool(checked['as_calibrated'].all()), int(checked['force']['native_fit']), one_place.route.value, "
            "str(whole_table.constraint)[:11]",
            "(True, 0, 'force', 'whole_table')",
        ),
    ],
)
def test_a_notebook_ends_with_what_it_promises(
    name: str, probe: str, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(probe))
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert notebook.cells[-1].outputs[0].data["text/plain"] == wanted
