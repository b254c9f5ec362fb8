"""One server and one browser a test run, one page a test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from . import jupyter

CHROMIUM = "/usr/bin/chromium"


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser: SPARSEREAD_CHROMIUM, else /usr/bin/chromium."""
    path = os.environ.get("SPARSEREAD_CHROMIUM") or CHROMIUM
    if not Path(path).is_file():
        reason = f"no Chromium at {path}; install it, or set SPARSEREAD_CHROMIUM to its path"
        if os.environ.get("SPARSEREAD_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def lab(
    chromium: str, project_dir: Path, cache_of_the_tests: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[jupyter.Server]:
    """JupyterLab on a copy of the notebooks, which run against this checkout."""
    assert chromium
    served = tmp_path_factory.mktemp("served")
    shutil.copytree(project_dir / "notebooks", served / "notebooks")
    # Strict: a fault in a callback is shown in the widget, and raised as well, so that no test passes over it.
    environment = {
        "SPARSEREAD_CACHE": str(cache_of_the_tests),
        "PYTHONPATH": str(project_dir),
        "SPARSEREAD_STRICT": "1",
    }
    with jupyter.running_lab(served, tmp_path_factory.mktemp("jupyter"), environment) as server:
        yield server


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium without a window."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=list(jupyter.CHROMIUM_ARGUMENTS))
        yield found
        found.close()


@pytest.fixture
def guard() -> jupyter.Guard:
    """Collects what goes wrong on the test's page."""
    return jupyter.Guard()


@pytest.fixture
def page(lab: jupyter.Server, browser: Browser, guard: jupyter.Guard) -> Iterator[Page]:
    """A fresh page under guard; its kernels are shut down afterwards."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    found = context.new_page()
    guard.watch(context, found)
    yield found
    context.close()
    jupyter.close_notebooks(lab)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where screenshots go: SPARSEREAD_PICTURES, for people who want to look at them, else a folder that is dropped."""
    folder = Path(os.environ.get("SPARSEREAD_PICTURES") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
