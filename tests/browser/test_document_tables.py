"""Tables in a document keep their words whole, and the outline marks where the block at hand is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from workbench.documents import open_document
from workbench.reading import SparseReader
from workbench.widgets.document_view import DocumentView

from . import jupyter
from .bare import bare_page
from .document_views import plant

pytestmark = pytest.mark.browser

BROKEN = """() => [...document.querySelectorAll('.sr-doc-cell')].filter(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1;
}).map(cell => cell.textContent)"""
MARKED = ".sr-doc-outline [aria-current=location] .sr-doc-title"


@pytest.mark.parametrize("head", ["Section,Subject", "部分,Subject"])
def test_a_narrow_column_does_not_break_its_words(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, head: str
) -> None:
    rows = [f"{letter},{'what the part of the policy says about it ' * 3}" for letter in "ABCDEFGH"]
    (tmp_path / "sums.csv").write_text("\n".join([head, *rows]) + "\n", "utf-8")
    document = open_document(tmp_path / "sums.csv")
    view = DocumentView(SparseReader(scorer=None).read(document, "What is insured?"))
    with bare_page(browser, view, guard=guard, width=1280) as page:
        page.get_by_role("button", name="Open all").click()
        expect(page.locator(".sr-doc-cell").first).to_be_visible()
        short = [text for text in page.evaluate(BROKEN) if not text.startswith("what")]
        assert short == []
    assert guard.faults == []


def test_the_outline_marks_the_section_of_the_block_at_hand(browser: Browser, guard: jupyter.Guard) -> None:
    view = DocumentView(plant())
    with bare_page(browser, view, guard=guard) as page:
        page.get_by_role("button", name="Cleaning").click()
        expect(page.locator(MARKED)).to_have_text("Cleaning")
        page.locator("[data-block='2']").click()
        expect(page.locator(MARKED)).to_have_text("Backups")
    assert guard.faults == []
