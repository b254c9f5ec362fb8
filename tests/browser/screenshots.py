"""Pictures of every tab of the bench and of a training, light and dark, 1280 and 1920 wide: to look at, and for docs.

``python -m tests.browser.screenshots FOLDER`` serves the bundled workload as a page, with a request open and a profile
to compare with, and draws ``bench-<tab>-<theme>-<width>.png`` and ``bench-present-<theme>-<width>.png``. The first run
embeds a document, which takes seconds.
Then it trains a small classifier, which takes about a minute, and draws ``training-<theme>-<width>.png``.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from workbench.gate.profile import GateProfile
from workbench.resources import datasets_dir
from workbench.training.fine_tuning import FineTuningOptions
from workbench.training.options import TrainingOptions
from workbench.widgets.training_view import TrainingView
from workbench.workload import load_workload
from workbench.workspace.bench import Bench

from .bare import bare_page
from .conftest import CHROMIUM
from .jupyter import CHROMIUM_ARGUMENTS
from .serving import serving

TABS = ("read", "tune", "gate", "compare", "export", "annotate")
THEMES = ("light", "dark")
SIZES = ((1280, 800), (1920, 1080))
PRESENTED = ((1280, 720), (1920, 1080), (390, 844))
REQUEST = "pump-manual-05"
TRAINED_ON = ("claim-file.pdf", "pump-manual.pdf", "research-report.pdf", "sensor-patent.pdf", "tidegate-releases.zip")
REST_MS = 1_500
"""Until charts have settled and figures of the workload have come."""


def prepare(workspace: Path) -> None:
    """Do what an analyst would have done by now: a request is open, the gate is moved, a profile is compared."""
    dev = datasets_dir() / "dev"
    workspace.mkdir(parents=True)
    shutil.copy(dev / "gate.json", workspace / "calibrated.json")
    with contextlib.chdir(workspace):
        bench = Bench(load_workload(dev), folder=workspace)
        bench.open(REQUEST)
        weights = GateProfile.load("calibrated.json").gate.weights
        bench.set_weights(weights.exposure + 0.02, weights.cost - 0.02, weights.risk)
        bench.compare("calibrated.json")
        bench.set_share(0.2)
        bench.close()


def pictures(browser: Browser, workspace: Path, state: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name of each picture and the PNG."""
    for theme in THEMES:
        arguments = (f"--folder={workspace}", f"--theme={theme}")
        with serving(workspace, state / theme, *arguments) as served:
            context = browser.new_context(viewport={"width": 1280, "height": 800}, device_scale_factor=1)
            page = context.new_page()
            page.goto(served.address)
            page.locator(".sr-wb-route-place[data-route]").wait_for(timeout=120_000)
            for place, tab in enumerate(TABS, start=1):
                page.locator(".sr-workbench").press(str(place))
                for width, height in SIZES:
                    page.set_viewport_size({"width": width, "height": height})
                    settle(page, tab)
                    yield f"bench-{tab}-{theme}-{width}.png", page.screenshot()
            yield from pictures_presented(page, theme)
            context.close()


def pictures_presented(page: Page, theme: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name of each picture of the document as it is presented, and the PNG: skipped text is faded."""
    page.locator(".sr-workbench").press("P")
    page.locator(".sr-pr-view[data-painted]").wait_for()
    page.keyboard.press("f")
    for width, height in PRESENTED:
        page.set_viewport_size({"width": width, "height": height})
        page.keyboard.press("Home")
        page.keyboard.press("e")
        page.wait_for_timeout(REST_MS)
        yield f"bench-present-{theme}-{width}.png", page.screenshot()
    page.keyboard.press("Escape")


def trained(folder: Path) -> TrainingView:
    """Train a small classifier, and return the view of it."""
    workload = load_workload(datasets_dir() / "dev").of_documents([f"artifacts/{name}" for name in TRAINED_ON])
    classifier = TrainingOptions(
        epochs=1, negatives=5, max_tokens=128, validations=3, validation_questions=8, validation_candidates=12
    )
    options = FineTuningOptions(classifier=classifier, encoder=None, validation=0.2, test=0.4, candidates=20)
    view = TrainingView(workload, folder=folder, options=options)
    view.answer_plan()
    while not view.plan.get("data") and not view.plan.get("problem"):
        time.sleep(0.1)
    view.start()
    view.wait()
    return view


def pictures_of_training(browser: Browser, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name of each picture of a training, and the PNG."""
    view = trained(folder)
    for theme in THEMES:
        for width, height in SIZES:
            with bare_page(browser, view, theme=theme, width=width, height=height) as page:
                page.wait_for_timeout(REST_MS)
                yield f"training-{theme}-{width}.png", page.screenshot()
    view.close()


def settle(page: Page, tab: str) -> None:
    """Wait until a tab shows what it will show; of the document, the block that answers is taken in hand."""
    panel = page.locator(f"[role=tabpanel][id$='-{tab}-panel']")
    panel.wait_for()
    if tab == "read":
        page.locator(".sr-document-view:visible").press("e")
    if tab == "annotate":
        panel.locator(".sr-an-here .sr-an-body").wait_for(timeout=300_000)
    page.wait_for_timeout(REST_MS)


def main(arguments: list[str] | None = None) -> None:
    """Draw the pictures into the folder that is named."""
    given = sys.argv[1:] if arguments is None else arguments
    if len(given) != 1:
        raise SystemExit("usage: python -m tests.browser.screenshots FOLDER")
    folder = Path(given[0])
    folder.mkdir(parents=True, exist_ok=True)
    path = os.environ.get("SPARSEREAD_CHROMIUM") or CHROMIUM
    with tempfile.TemporaryDirectory(prefix="sparseread-") as place, sync_playwright() as playwright:
        workspace = Path(place) / "workspace"
        prepare(workspace)
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))
        drawn = pictures(browser, workspace, Path(place) / "state")
        for name, picture in chain(drawn, pictures_of_training(browser, Path(place) / "training")):
            (folder / name).write_bytes(picture)
            print(folder / name)
        browser.close()
        shutil.rmtree(workspace, ignore_errors=True)


if __name__ == "__main__":
    main()
