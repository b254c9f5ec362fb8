"""``workbench serve`` in a real Chromium: the bench for people without Jupyter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from workbench.workload import load_workload

from . import jupyter
from .serving import serving

pytestmark = pytest.mark.browser


def test_the_served_bench_works_behind_its_token_and_asks_no_other_host(
    browser: Browser, guard: jupyter.Guard, project_dir: Path, cache_of_the_tests: Path, tmp_path: Path, pictures: Path
) -> None:
    dev, folder = project_dir / "datasets" / "dev", tmp_path / "here"
    load_workload(dev).of_documents(["documents/travel-policy.txt", "documents/harbor-manual.md"]).save(folder / "own")
    shutil.copy(dev / "gate.json", folder / "own")
    with serving(folder, tmp_path / "state", "own", "--theme=dark", cache=str(cache_of_the_tests)) as served:
        stranger = browser.new_context().new_page()
        stranger.goto(served.without_token, timeout=90_000)
        assert "/login" in stranger.url
        assert stranger.locator(".sr-workbench").count() == 0
        stranger.context.close()

        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        guard.watch(context, page)
        page.goto(served.address, timeout=90_000)
        page.wait_for_selector(".sr-workbench[data-painted]", timeout=90_000)
        # The requests come behind the first paint, together with the route.
        page.locator(".sr-wb-route-place[data-route]").wait_for(timeout=90_000)
        page.locator(".sr-workbench").press("/")
        page.keyboard.type("small-documents-01")
        page.keyboard.press("Enter")
        expect(page.locator(".sr-document-view .sr-doc-said")).to_contain_text("of 51 kept", timeout=60_000)
        page.screenshot(path=pictures / "served.png")
        assert page.evaluate("document.body.dataset.jpThemeLight") == "false"
        assert page.title() == "SparseRead Workbench"
        foot = page.locator(".sr-wb-foot")
        expect(foot).to_be_in_viewport(ratio=1)
        # A window that is too low for the bench: the page scrolls, and the foot can be reached.
        page.set_viewport_size({"width": 800, "height": 600})
        expect(foot).not_to_be_in_viewport()
        page.locator("#rendered_cells").evaluate("cells => cells.scrollTo(0, cells.scrollHeight)")
        expect(foot).to_be_in_viewport(ratio=1)
        context.close()
    journal = folder / ".sparseread" / "dev" / "journal.jsonl"
    assert '"small-documents-01"' in journal.read_text(encoding="utf-8")
    assert guard.faults == []
