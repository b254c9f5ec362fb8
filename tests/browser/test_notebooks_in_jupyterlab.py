"""The notebooks in a real JupyterLab: what an analyst sees in the first minute."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Page

from . import jupyter

pytestmark = pytest.mark.browser

TRAINING = "06_train_the_classifier.ipynb"
"""Runs as a test without a browser; what it shows in one has tests of its own (``test_training_view``)."""
NOTEBOOKS = sorted(
    path.name for path in (Path(__file__).parents[2] / "notebooks").glob("*.ipynb") if path.name != TRAINING
)


# Each in one theme, the tour in both: what a theme changes is the same everywhere.
THEMES = ("JupyterLab Light", "JupyterLab Dark")
SHOWN = [(NOTEBOOKS[0], THEMES[1]), *((name, THEMES[rank % 2]) for rank, name in enumerate(NOTEBOOKS))]


@pytest.mark.parametrize(("name", "theme"), SHOWN)
def test_a_notebook_runs_without_an_error_or_a_request_to_another_host(
    name: str, theme: str, page: Page, lab: jupyter.Server, guard: jupyter.Guard, pictures: Path
) -> None:
    jupyter.open_notebook(page, lab, f"notebooks/{name}")
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    errors = jupyter.run_all_cells(page)
    take_pictures(page, pictures / f"{Path(name).stem}-{theme.rpartition(' ')[2].lower()}")
    assert errors == []
    assert guard.faults == []


HOSTILE = "Prices from $5 to $9 <img src=x onerror=alert(1)> <b>bold</b> \\(x^2\\)"

HOSTILE_CELLS = (
    "import pandas as pd\nimport workbench as wb\npd.set_option('display.html.use_mathjax', False)",
    "document = wb.open_document('$5 to $9 <b>.md')\ndocument",
    "document.to_frame()",
    "wb.open_collection('.')",
)


def test_no_text_of_a_document_becomes_markup_or_a_formula(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard, pictures: Path
) -> None:
    (lab.folder / "$5 to $9 <b>.md").write_text(f"# {HOSTILE}\n\n{HOSTILE}\n", encoding="utf-8")
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in HOSTILE_CELLS]
    nbformat.write(notebook, lab.folder / "hostile.ipynb")
    jupyter.open_notebook(page, lab, "hostile.ipynb")
    errors = jupyter.run_all_cells(page)
    tables = page.locator(".jp-OutputArea-output table")
    tables.nth(2).wait_for()
    page.wait_for_timeout(1000)
    take_pictures(page, pictures / "hostile")
    assert errors == []
    assert tables.count() == 3
    assert page.locator(".jp-OutputArea-output mjx-container").count() == 0
    assert page.locator(".jp-OutputArea-output img").count() == 0
    assert "$5 to $9 <b>.md" in tables.nth(0).inner_text()
    assert guard.faults == []


def take_pictures(page: Page, stem: Path) -> None:
    """Photograph the notebook from top to bottom, a screen at a time, where somebody wants to look at it."""
    if not os.environ.get("SPARSEREAD_PICTURES"):
        return
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
    for screen in range(20):
        page.wait_for_timeout(300)
        page.screenshot(path=f"{stem}-{screen:02d}.png")
        moved = page.evaluate(
            """() => {
                const view = document.querySelector('.jp-WindowedPanel-outer');
                const before = view.scrollTop;
                view.scrollTop += view.clientHeight - 60;
                return view.scrollTop > before;
            }"""
        )
        if not moved:
            return
