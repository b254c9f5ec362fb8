"""The bench shows one document in two tabs: only the one that somebody sees is painted, and the other one follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.workload.made_depots import depots_in
from tests.workspace.made import words_alone
from workbench.widgets import Workbench

from .bare import bare_page
from .jupyter import Guard

pytestmark = pytest.mark.browser

READ, TUNE = ".sr-wb-read", ".sr-wb-tune"
PAINTS = "tab => Number(document.querySelector(`${tab} .sr-document-view`).dataset.painted)"
MOVE = """([tab, value]) => {
  const slider = document.querySelector(`${tab} .sr-threshold-slider`);
  slider.value = value;
  slider.dispatchEvent(new Event('input', { bubbles: true }));
}"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    workload = depots_in(tmp_path / "depots", documents=1, paragraphs=60)
    made = Workbench(workload, reader=words_alone(), folder=tmp_path / "space")
    made.open(workload.requests[0].id)
    yield made
    made.close()


def moved(page: Page, tab: str, value: str) -> str:
    """Move the slider of a tab, and return what the document in it says then."""
    said = page.locator(f"{tab} .sr-doc-said")
    before = said.inner_text()
    page.evaluate(MOVE, [tab, value])
    expect(said).not_to_have_text(before)
    return said.inner_text()


def test_a_document_that_nobody_sees_is_painted_when_somebody_does(
    browser: Browser, bench: Workbench, guard: Guard
) -> None:
    with bare_page(browser, bench, guard=guard, live=True, width=1400) as page:
        expect(page.locator(f"{READ} .sr-doc-said")).not_to_be_empty()
        page.locator(".sr-workbench").press("2")
        expect(page.locator(f"{TUNE} .sr-doc-said")).not_to_be_empty()
        page.wait_for_timeout(300)
        hidden = page.evaluate(PAINTS, READ)
        moved(page, TUNE, "60")
        said = moved(page, TUNE, "45")
        assert page.evaluate(PAINTS, READ) == hidden
        page.locator(".sr-workbench").press("1")
        expect(page.locator(f"{READ} .sr-doc-said")).to_have_text(said)
        expect(page.locator(f"{READ} .sr-threshold-slider")).to_have_value("45")
        kept = page.locator(f"{READ} .sr-doc-block.sr-doc-kept:visible").count()
        assert kept == page.locator(f"{READ} .sr-doc-block[data-block].sr-doc-kept").count() > 0
        last = moved(page, READ, "30")
        page.locator(".sr-workbench").press("2")
        expect(page.locator(f"{TUNE} .sr-doc-said")).to_have_text(last)
        expect(page.locator(f"{TUNE} .sr-threshold-slider")).to_have_value("30")
    assert guard.faults == []
