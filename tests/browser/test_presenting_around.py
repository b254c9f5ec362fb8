"""Presenting and what is around it: wide tables, the sheet of keys, a notebook behind it, and a kernel that dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.workspace.made import house_in, words_alone
from workbench.widgets import Workbench

from . import jupyter
from .bare import bare_page
from .test_presenting import HERE, OPEN, PLACE, PRESENTED, Benches, comes_to, place, present, swipe
from .test_workbench import DRAWN

pytestmark = pytest.mark.browser

HEADER = (
    "| Alarm | Subsystem | Temperature | Consequence | Countermeasure | Responsible | Escalation | Acknowledgement |"
)
ROW = "| A{n} | hydraulics | {n} degrees | interruption | replacement | maintenance | supervisor | signature |"
WIDE = "\n".join([HEADER, "|" + " --- |" * 8, *(ROW.format(n=n) for n in range(100, 190))])
ALARMS = f"# Alarms\n\nEach alarm has a row.\n\n{WIDE}\n\nAn alarm ends when somebody signs.\n"
SCROLLER = ".sr-pr-scroll"
TABLE = ".sr-pr-at-hand > .sr-pr-table"
WIDTHS = "e => [e.scrollWidth, e.clientWidth]"
CELLS = [
    "import workbench as wb\nfrom workbench.widgets import Workbench",
    "bench = Workbench(wb.load_workload('house'), reader=wb.SparseReader(scorer=None), folder='{name}')\nbench",
]


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Benches]:
    made: list[Workbench] = []

    def bench(**others: Any) -> Workbench:
        made.append(Workbench(house_in(tmp_path / "house"), reader=words_alone(), folder=tmp_path / "space", **others))
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


@pytest.fixture
def alarms(tmp_path: Path) -> Iterator[Workbench]:
    """A bench with a table of eight columns and ninety rows."""
    bench = Workbench(None, reader=words_alone(share=0.3), folder=tmp_path / "space", present=True)
    (tmp_path / "alarms.md").write_text(ALARMS, "utf-8")
    bench.bench.ask("Which countermeasure does alarm A150 need?", str(tmp_path / "alarms.md"))
    yield bench
    bench.close()
    bench.bench.jobs.wait_for_all(60)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_a_wide_table_scrolls_by_itself_and_its_words_stay_whole(
    alarms: Workbench, browser: Browser, tmp_path: Path, pictures: Path, theme: str
) -> None:
    file = alarms.to_html(tmp_path / "bench.html", theme=theme)
    guard = jupyter.Guard()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    guard.watch(context, page)
    page.goto(file.as_uri())
    page.wait_for_function(PRESENTED)
    page.get_by_role("button", name="next kept passage").tap()
    page.wait_for_timeout(600)
    all_of_it, sight = page.locator(SCROLLER).evaluate(WIDTHS)
    assert all_of_it == sight == 390
    tables = page.locator(TABLE)
    wide, sight = tables.first.evaluate(WIDTHS)
    assert wide > sight
    # One line for each word: the cells of the header are no higher than those of the narrowest word.
    heights = (
        page.locator(f"{TABLE} .sr-pr-block")
        .first.locator(".sr-doc-cell")
        .evaluate_all(
            "cells => cells.map(cell => { const range = document.createRange(); range.selectNodeContents(cell);"
            " return range.getClientRects().length; })"
        )
    )
    assert heights == [1] * 8
    page.screenshot(path=pictures / f"presenting-phone-table-{theme}.png")
    # A finger on the table moves the table, and not the passage.
    before = place(page)
    swipe(page, 300, 80, f"{TABLE} .sr-doc-cell")
    assert place(page) == before
    tables.first.evaluate("table => table.scrollLeft = 200")
    page.wait_for_timeout(200)
    assert set(tables.evaluate_all("tables => tables.map(table => table.scrollLeft)")) == {200}
    row = page.locator(f"{TABLE} .sr-pr-block").nth(1)
    assert row.evaluate("row => row.getBoundingClientRect().left") < 0
    page.screenshot(path=pictures / f"presenting-phone-table-aside-{theme}.png")
    # Anywhere else it is a swipe; where the table was moved to it stays.
    swipe(page, 300, 80)
    assert place(page) != before
    page.get_by_role("switch").tap()
    page.wait_for_timeout(600)
    assert set(tables.evaluate_all("tables => tables.map(table => table.scrollLeft)")) == {200}
    page.screenshot(path=pictures / f"presenting-phone-table-faded-{theme}.png")
    context.close()
    assert guard.faults == []


def test_on_a_projector_the_bars_of_a_wide_table_stay_in_sight(
    alarms: Workbench, browser: Browser, pictures: Path
) -> None:
    with bare_page(browser, alarms, live=True, wait=PRESENTED, width=1280, height=720) as page:
        while "A150" not in "".join(page.locator(f"{HERE} .sr-doc-cell").all_text_contents()):
            page.keyboard.press("ArrowRight")
            assert place(page) != "end"
        page.wait_for_timeout(700)
        page.screenshot(path=pictures / "presenting-table.png")
        before = place(page)
        wide, sight = page.locator(TABLE).first.evaluate(WIDTHS)
        assert wide > sight
        page.keyboard.press("Shift+ArrowRight")
        assert page.locator(TABLE).first.evaluate("table => table.scrollLeft") > 0
        assert place(page) == before
        page.wait_for_timeout(300)
        page.screenshot(path=pictures / "presenting-table-aside.png")
        mark = page.locator(f"{TABLE} .sr-pr-mark:not(.sr-hidden)").first
        assert mark.evaluate("mark => mark.getBoundingClientRect().left") >= 0
        page.keyboard.press("Shift+ArrowLeft")
        assert page.locator(TABLE).first.evaluate("table => table.scrollLeft") == 0


@pytest.mark.parametrize("width", [1280, 390])
def test_while_the_sheet_of_keys_is_shown_nothing_moves_behind_it(
    benches: Benches, browser: Browser, pictures: Path, width: int
) -> None:
    bench = benches(present=True)
    bench.open("rent")
    with bare_page(browser, bench, live=True, wait=PRESENTED, width=width, height=500) as page:
        page.keyboard.press("ArrowRight")
        before, share, request = place(page), bench.reading.cut, bench.state.request
        page.keyboard.press("?")
        sheet = page.locator(".sr-pr-stage > .sr-keys")
        expect(sheet).to_be_visible()
        page.screenshot(path=pictures / f"presenting-keys-{width}.png")
        for key in ("ArrowRight", "+", "-", "f", "]", "z", "P", "e", "Tab", "End"):
            page.keyboard.press(key)
        page.wait_for_timeout(300)
        expect(sheet).to_be_visible()
        assert place(page) == before
        assert (bench.reading.cut, bench.state.request, bench.presenting) == (share, request, True)
        expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "false")
        assert sheet.evaluate("sheet => sheet.contains(document.activeElement)")
        assert sheet.evaluate("sheet => sheet.scrollTop + sheet.clientHeight >= sheet.scrollHeight - 1")
        caps = sheet.locator(".sr-key").evaluate_all("caps => caps.map(cap => cap.offsetHeight)")
        assert len(set(caps)) == 1
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        expect(page.locator(OPEN)).to_have_count(1)
        page.keyboard.press("?")
        expect(sheet).to_be_visible()
        page.mouse.click(20, 490)
        expect(sheet).to_have_count(0)
        page.keyboard.press("End")
        assert place(page) == "end"


def test_the_sheet_of_the_bench_has_the_keys_as_well(benches: Benches, browser: Browser) -> None:
    bench = benches()
    bench.open("rent")
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        page.locator(".sr-document-view").press("?")
        sheet = page.locator(".sr-workbench > .sr-keys")
        for key in ("2", "+", "P", "j"):
            page.keyboard.press(key)
        expect(sheet).to_be_visible()
        expect(page.get_by_role("tab", selected=True)).to_have_text("Read")
        expect(page.locator(OPEN)).to_have_count(0)
        page.keyboard.press("?")
        expect(sheet).to_have_count(0)


def in_a_notebook(page: Page, lab: jupyter.Server, name: str, *more: str) -> None:
    house_in(lab.folder / "house")
    cells = [cell.replace("{name}", name) for cell in CELLS]
    assert jupyter.run_cells(page, lab, name, [*cells, *more]) == []
    drawn = "() => document.querySelectorAll('.sr-workbench[data-children~=document]').length"
    page.wait_for_function(f"() => ({drawn})() === {1 + len(more)}")


def test_a_bench_that_is_shown_twice_is_presented_once(page: Page, lab: jupyter.Server, guard: jupyter.Guard) -> None:
    in_a_notebook(page, lab, "twice", "bench")
    for rank in (1, 0):
        page.locator(".sr-workbench").nth(rank).focus()
        page.keyboard.press("P")
        page.wait_for_function(PRESENTED)
        assert comes_to(page, is_presenting=True)
        expect(page.locator(OPEN)).to_have_count(1)
        # Where it was asked for.
        expect(page.locator(".sr-workbench").nth(rank).locator(OPEN)).to_have_count(1)
        page.keyboard.press("ArrowRight")
        assert place(page).startswith("1 /")
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)
        assert comes_to(page, is_presenting=False)
    jupyter.in_kernel(page, "bench.present()")
    expect(page.locator(OPEN)).to_have_count(1)
    # What presents goes: whoever is left goes on.
    page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets[1].outputArea.model.clear()")
    expect(page.locator(".sr-workbench")).to_have_count(1)
    expect(page.locator(OPEN)).to_have_count(1)
    page.wait_for_function(PRESENTED)
    page.keyboard.press("Escape")
    expect(page.locator(OPEN)).to_have_count(0)
    assert guard.faults == []


def test_no_menu_of_the_notebook_opens_behind_it(page: Page, lab: jupyter.Server, guard: jupyter.Guard) -> None:
    in_a_notebook(page, lab, "menus")
    present(page)
    kept = page.locator(".sr-pr-block[data-status=kept] .sr-doc-text").first
    # Text can be taken all the same.
    kept.dblclick(position={"x": 20, "y": 12})
    assert page.evaluate("() => getSelection().toString().trim()")
    kept.click(button="right")
    page.wait_for_timeout(300)
    expect(page.locator(".lm-Menu")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(OPEN)).to_have_count(0)
    assert guard.faults == []


def test_a_kernel_that_dies_says_so_above_what_is_presented(page: Page, lab: jupyter.Server, pictures: Path) -> None:
    in_a_notebook(page, lab, "dying")
    present(page)
    expect(page.locator(".sr-pr-stage .sr-wb-notice")).to_have_count(0)
    os.kill(jupyter.in_kernel(page, "__import__('os').getpid()"), signal.SIGKILL)
    notice = page.locator(f"{OPEN} .sr-wb-notice")
    expect(notice).to_contain_text("disconnected", timeout=60_000)
    expect(notice).to_be_in_viewport(ratio=1)
    page.wait_for_timeout(500)
    page.screenshot(path=pictures / "presenting-lost-kernel.png")
    box = notice.bounding_box()
    assert box is not None
    on_top = "([x, y]) => document.elementFromPoint(x, y).closest('.sr-wb-notice') !== null"
    assert page.evaluate(on_top, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    page.keyboard.press("End")
    assert place(page) == "end"
    page.keyboard.press("Escape")
    expect(page.locator(OPEN)).to_have_count(0)
    # What the notebook itself has to say about it waits below.
    page.get_by_role("button", name="Ok", exact=True).click()
    present(page)
    expect(notice).to_contain_text("disconnected")


def test_a_place_that_is_moved_on_the_page_goes_on_presenting(benches: Benches, browser: Browser) -> None:
    with bare_page(browser, benches(), live=True, wait=DRAWN) as page:
        present(page)
        page.evaluate(
            """async () => {
              const root = document.querySelector('.sr-workbench');
              const place = root.parentElement;
              root.remove();
              await new Promise((resolve) => setTimeout(resolve, 100));
              place.append(root);
            }"""
        )
        page.wait_for_function("() => document.querySelector('.sr-pr-dialog')?.matches(':modal')")
        page.keyboard.press("ArrowRight")
        expect(page.locator(PLACE)).to_contain_text("1 /")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
