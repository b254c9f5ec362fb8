"""The question field: requests that come late, one that is named by its id, and what is on its way."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.workspace.made import house_in, words_alone
from workbench.widgets import Workbench

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

DRAWN = "() => (document.querySelector('.sr-workbench')?.dataset.children ?? '').includes('document')"
CATALOGUED = "() => globalThis.sparsereadModels['0'].get('catalogue').ids"


def test_requests_that_come_late_fill_an_open_list_and_an_id_opens_its_request(
    browser: Browser, tmp_path: Path
) -> None:
    bench = Workbench(house_in(tmp_path / "house"), reader=words_alone(), folder=tmp_path / "space", language="zh")
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        page.wait_for_function(CATALOGUED)
        catalogue, bench.catalogue = bench.catalogue, {}
        rows, field = page.locator(".sr-wb-request"), page.locator(".sr-wb-question")
        field.click()
        expect(page.locator(".sr-wb-requests-more")).to_have_text("请稍候……")
        expect(rows).to_have_count(0)
        bench.catalogue = catalogue
        expect(rows).to_have_count(6)
        field.fill("key")
        expect(rows.first).to_contain_text("What does a lost key cost?")
        expect(rows.nth(1)).to_contain_text("提问")
        field.press("Enter")
        expect(page.locator(".sr-wb-question")).to_have_value("What does a lost key cost?")
        assert bench.state.request == "key"
    bench.close()
    assert guard.faults == []


def test_what_is_being_read_stands_beside_the_document_before(browser: Browser, tmp_path: Path) -> None:
    bench = Workbench(house_in(tmp_path / "house"), reader=words_alone(), folder=tmp_path / "space", language="zh")
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        said = page.locator(".sr-wb-question-reading")
        expect(said).to_be_hidden()
        head = bench.head
        bench.head = {**head, "opening": "每月租金是多少？"}
        expect(said).to_have_text("正在读取：每月租金是多少？")
        expect(page.locator(".sr-wb-question-document")).to_have_text("house.md")
        bench.head = head
        expect(said).to_be_hidden()
    bench.close()
