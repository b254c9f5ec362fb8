"""The bench as a person works it: tabs, question, route, undo, comparison and export, and a kernel that dies."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.workload.made_depots import depots_in
from tests.workspace.made import house_in, replayed_in, words_alone
from workbench.widgets import Workbench
from workbench.workload import Workload

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

Benches = Callable[..., Workbench]
DRAWN = """() => {
  const bench = document.querySelector('.sr-workbench');
  return (bench?.dataset.children ?? '').includes('document') && bench.querySelector('.sr-wb-foot-work').textContent;
}"""


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Benches]:
    made: list[Workbench] = []

    def bench(workload: Workload | None = None, **others: Any) -> Workbench:
        given = house_in(tmp_path / "house") if workload is None else workload
        made.append(Workbench(given, **{"reader": words_alone(), "folder": tmp_path / "space", **others}))
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


@pytest.fixture(scope="module")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=4, paragraphs=60)


@pytest.fixture(scope="module")
def replayed(depots: Workload, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which the workload was replayed."""
    return replayed_in(tmp_path_factory.mktemp("replayed"), depots)


def question(page: Page) -> Any:
    return page.locator(".sr-wb-question")


def press(page: Page, *keys: str) -> None:
    """Press keys while nothing in particular has the focus."""
    page.locator(".sr-workbench").focus()
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.parametrize(
    ("language", "tabs"), [("en", "Read Tune Gate Compare Export Annotate"), ("zh", "阅读 调整 门控 比较 导出 标注")]
)
def test_tabs_follow_clicks_keys_and_calls(
    benches: Benches, browser: Browser, language: str, tabs: str, pictures: Path
) -> None:
    bench = benches(language=language)
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        names = page.get_by_role("tab")
        assert " ".join(names.all_inner_texts()) == tabs
        for number, name in enumerate(("tune", "gate", "compare", "export", "annotate", "read"), start=2):
            press(page, str(number if number < 7 else 1))
            expect(page.locator(f".sr-wb-{name}")).to_be_visible()
            page.wait_for_timeout(300)
            page.screenshot(path=pictures / f"bench-{name}-{language}.png")
        page.wait_for_timeout(200)
        assert bench.state.tab == "read"
        names.nth(1).click()
        expect(names.nth(1)).to_have_attribute("aria-selected", "true")
        bench.show("export")
        expect(names.nth(4)).to_have_attribute("aria-selected", "true")
        page.keyboard.press("Tab")
    assert guard.faults == []


def test_a_request_is_found_by_its_words_and_a_question_is_asked_with_enter(benches: Benches, browser: Browser) -> None:
    bench = benches()
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        page.wait_for_function("() => globalThis.sparsereadModels['0'].get('catalogue').ids")
        press(page, "/")
        expect(question(page)).to_be_focused()
        page.keyboard.type("遗失")
        expect(page.locator(".sr-wb-request")).to_have_count(2)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(question(page)).to_have_value("遗失钥匙赔偿多少？")
        expect(page.locator(".sr-wb-question-document")).to_have_text("住房.md")
        assert bench.state.request == "钥匙"
        press(page, "/")
        page.keyboard.type("谁保管备用钥匙？")
        page.keyboard.press("Enter")
        expect(page.locator(".sr-wb-called")).to_have_text("bench.ask('谁保管备用钥匙？')")
        assert bench.question == "谁保管备用钥匙？"
        press(page, "/")
        page.keyboard.type("nothing")
        page.keyboard.press("Escape")
        expect(question(page)).to_have_value("谁保管备用钥匙？")
        expect(page.locator(".sr-wb-question-popup")).to_be_hidden()
    assert guard.faults == []


def test_digits_and_letters_in_the_question_are_text_and_no_keys(benches: Benches, browser: Browser) -> None:
    bench = benches()
    bench.set_share(0.6)
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        press(page, "/")
        page.keyboard.type("z 2 ?")
        expect(question(page)).to_have_value("z 2 ?")
        page.keyboard.press("Escape")
    assert (bench.state.tab, bench.reading.cut.share) == ("read", 0.6)


def test_undo_and_redo_follow_keys_and_say_what_can_be_done(benches: Benches, browser: Browser) -> None:
    bench = benches()
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("undo", "redo"))
        expect(undo).to_be_disabled()
        bench.set_share(0.6)
        expect(undo).to_be_enabled()
        press(page, "z")
        expect(redo).to_be_enabled()
        assert bench.reading.cut.share == 0.3
        press(page, "Z")
        expect(redo).to_be_disabled()
        assert bench.reading.cut.share == 0.6
        expect(page.locator(".sr-wb-saved")).to_have_text("saved")


def at_hand(page: Page) -> int:
    """Return the block that the document has in hand."""
    found: int = page.evaluate("() => globalThis.sparsereadModels['0'].get('children').document.get('selected')")
    return found


@pytest.mark.parametrize("request_id", ["rent", "钥匙"])
def test_the_first_look_is_at_the_block_of_the_highest_priority(
    benches: Benches, browser: Browser, request_id: str
) -> None:
    bench = benches()
    bench.open(request_id)
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        best = int(bench.reading.priority.argmax())
        page.wait_for_function("() => document.querySelector('.sr-doc-sum')")
        assert at_hand(page) == best
        expect(page.locator(".sr-doc-block.sr-doc-selected")).to_be_in_viewport()
        expect(page.locator(".sr-doc-explanation .sr-doc-sum")).to_contain_text("→ kept")
        expect(page.locator(".sr-wb-place-threshold .sr-threshold-slider")).to_be_in_viewport()
        assert page.locator(".sr-document-view").evaluate("view => view.scrollWidth <= view.clientWidth")


def test_a_block_that_somebody_took_stays_until_another_document_comes(benches: Benches, browser: Browser) -> None:
    bench = benches()
    bench.open("rent")
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        page.wait_for_function("() => document.querySelector('.sr-doc-sum')")
        page.locator(".sr-document-view").press("g")
        page.wait_for_timeout(200)
        bench.ask("Who keeps a spare key?")
        expect(question(page)).to_have_value("Who keeps a spare key?")
        page.wait_for_timeout(300)
        assert at_hand(page) == 0
        bench.open("钥匙")
        expect(question(page)).to_have_value("遗失钥匙赔偿多少？")
        page.wait_for_timeout(300)
        assert at_hand(page) == int(bench.reading.priority.argmax())


def test_keys_work_when_the_bench_is_drawn_and_after_a_click_anywhere_in_it(benches: Benches, browser: Browser) -> None:
    bench = benches()
    tabs = ["read", "tune", "gate", "compare", "export"]
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        for number in (2, 5, 1):
            page.keyboard.press(str(number))
            expect(page.locator(f".sr-wb-{tabs[number - 1]}")).to_be_visible()
        for spot in (".sr-wb-brand", ".sr-doc-facts", ".sr-doc-explanation", ".sr-wb-foot-work"):
            page.evaluate("document.activeElement.blur()")
            page.locator(spot).click()
            page.keyboard.press("4")
            expect(page.locator(".sr-wb-compare")).to_be_visible()
            page.keyboard.press("1")
            expect(page.locator(".sr-wb-read")).to_be_visible()
        bench.set_share(0.6)
        page.get_by_role("button", name="undo", exact=True).click()
        expect(page.get_by_role("button", name="undo", exact=True)).to_be_disabled()
        page.keyboard.press("5")
        expect(page.locator(".sr-wb-export")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "parts"), [("en", ["Everywhere", "Document", "Cut"]), ("zh", ["通用", "文档", "切分"])]
)
def test_the_sheet_of_keys_has_those_of_the_bench_and_of_the_tab_in_sight(
    benches: Benches, browser: Browser, language: str, parts: list[str]
) -> None:
    bench = benches(language=language)
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        page.locator(".sr-document-view").press("?")
        sheet = page.locator(".sr-workbench > .sr-keys")
        expect(sheet.locator("h3")).to_have_text(parts)
        assert page.locator(".sr-keys").count() == 1
        page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        page.keyboard.press("2")
        page.locator(".sr-rule-table[data-painted]").wait_for()
        page.keyboard.press("?")
        expect(sheet.locator("h3")).to_have_text([*parts, "Rules" if language == "en" else "规则"])


def test_the_line_between_rules_and_document_moves_by_keys(benches: Benches, browser: Browser) -> None:
    bench = benches()
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        page.keyboard.press("2")
        rules, line = page.locator(".sr-wb-place-rules"), page.get_by_role("separator", name="Height of the rules")
        page.locator(".sr-rule-table[data-painted]").wait_for()
        before = rules.bounding_box()
        line.press("ArrowUp")
        after = rules.bounding_box()
        assert before is not None and after is not None and after["height"] < before["height"]
        line.press("Enter")
        assert rules.bounding_box() == before


def test_a_page_without_a_kernel_offers_nothing_that_needs_one(benches: Benches, browser: Browser) -> None:
    bench = benches()
    bench.open("rent")
    bench.show("export")
    with bare_page(browser, bench, wait=DRAWN) as page:
        expect(page.get_by_role("tab")).to_have_text(["Read"])
        for hidden in (".sr-wb-jobs", ".sr-wb-saved", ".sr-wb-history"):
            expect(page.locator(hidden)).to_be_hidden()
        question(page).click()
        expect(page.locator(".sr-wb-question-popup")).to_be_hidden()
        expect(page.locator(".sr-doc-explanation .sr-doc-sum")).to_contain_text("kept")
        assert page.locator(".sr-workbench").get_attribute("data-busy") == "false"


def test_a_fault_is_said_in_words_and_can_be_closed(benches: Benches, browser: Browser) -> None:
    bench = benches()
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        press(page, "4")
        page.locator(".sr-wb-compare input").fill("nowhere.json")
        page.keyboard.press("Enter")
        alert = page.locator(".sr-workbench > .sr-fault-place [role=alert]")
        expect(alert).to_contain_text("replay first")
        alert.get_by_role("button").click()
        expect(alert).to_have_count(0)
        page.locator(".sr-wb-compare input").press("Enter")
        expect(alert).to_have_count(1)
        page.locator(".sr-wb-compare input").fill("elsewhere.json")
        page.keyboard.press("Enter")
        expect(alert).to_have_count(1)


def test_hostile_text_is_shown_and_never_becomes_markup(benches: Benches, browser: Browser) -> None:
    bench = benches()
    hostile = "<img src=x onerror=alert(1)> $5 to $9 \u202eabc"
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        bench.ask(hostile)
        expect(question(page)).to_have_value(hostile)
        assert page.locator(".sr-workbench img").count() == 0
    assert guard.faults == []


def test_the_gate_says_why_and_a_profile_is_compared_and_exported(
    benches: Benches, browser: Browser, depots: Workload, replayed: Path, tmp_path: Path, pictures: Path
) -> None:
    shutil.copytree(replayed, tmp_path / "space")
    bench = benches(depots, reader=words_alone(min_tokens=200))
    target = tmp_path / "gate.json"
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        badge = page.locator(".sr-wb-route")
        expect(badge).to_contain_text("native")
        badge.click()
        expect(page.get_by_role("dialog")).to_contain_text("margin b")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        press(page, "5")
        page.locator(".sr-wb-export [name=path]").fill(str(target))
        page.locator(".sr-wb-export [name=name]").fill("first")
        page.locator(".sr-wb-export [type=submit]").click()
        expect(page.locator(".sr-wb-exported")).to_contain_text(f"Written to {target}")
        assert target.is_file()
        bench.set_gate(-2.0, -1.5)
        expect(badge).to_contain_text("force")
        press(page, "4")
        beginning = page.locator(".sr-wb-compared")
        expect(beginning.locator(".sr-wb-lines")).to_contain_text("margin")
        expect(beginning.locator(".sr-wb-lines")).not_to_contain_text(re.compile("(^|[ (])-[0-9 ]"))
        expect(beginning.locator("tbody tr").first).to_contain_text("token reduction")
        page.locator(".sr-wb-compare input").fill(str(target))
        page.keyboard.press("Enter")
        expect(page.locator(".sr-wb-compare .sr-wb-verdict")).to_contain_text("32 of 32 requests take another route")
        page.screenshot(path=pictures / "bench-compared.png")
        page.locator(".sr-wb-compare .sr-wb-link").last.click()
        expect(page.locator(".sr-wb-read")).to_be_visible()
        assert bench.state.request == depots.requests[-1].id
    assert guard.faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [640, 1280, 2560])
def test_nothing_runs_out_of_the_page_at_any_width(
    benches: Benches, browser: Browser, theme: str, width: int, pictures: Path
) -> None:
    bench = benches()
    with bare_page(browser, bench, live=True, theme=theme, width=width, wait=DRAWN) as page:
        page.screenshot(path=pictures / f"bench-{theme}-{width}.png")
        outside = """() => [...document.querySelectorAll('.sr-wb-head, .sr-wb-head *, .sr-wb-foot, .sr-wb-foot > *')]
          .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className)"""
        assert page.evaluate(outside) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


CELL = """
import workbench as wb
reader = wb.SparseReader(scorer=None, token_share=0.3, min_tokens=0)
bench = wb.Workbench(wb.load_workload("house"), reader=reader, folder="space")
bench
"""
NOTHING_KEPT = "() => Object.keys(localStorage).every(k => !k.startsWith('sparseread:') || localStorage[k] === '[]')"


def test_a_killed_kernel_is_announced_and_nothing_is_lost(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard, pictures: Path
) -> None:
    house_in(lab.folder / "house")
    shutil.rmtree(lab.folder / "space", ignore_errors=True)
    assert jupyter.run_cells(page, lab, "killed", [CELL]) == []
    page.wait_for_function(DRAWN)
    slider = page.locator(".sr-threshold-slider").first
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".sr-wb-called")).to_contain_text("set_share(0.33)")
    os.kill(jupyter.in_kernel(page, "__import__('os').getpid()"), signal.SIGKILL)
    slider.focus()
    page.keyboard.press("ArrowRight")
    notice = page.locator(".sr-wb-notice")
    expect(notice).to_contain_text("disconnected, 1 kept in this browser", timeout=15_000)
    page.screenshot(path=pictures / "bench-killed.png")
    page.get_by_role("button", name="Ok", exact=True).click()
    press(page, "2")
    expect(notice).to_contain_text("disconnected, 2 kept in this browser")
    page.wait_for_function(jupyter.NOTEBOOK_READY)
    jupyter.run_all_cells(page)
    page.wait_for_function(DRAWN)
    expect(page.locator(".sr-wb-called")).to_have_text("bench.show('tune')")
    page.wait_for_function(NOTHING_KEPT)
    assert notice.count() == 0
    expect(page.locator(".sr-wb-tune")).to_be_visible()
    assert jupyter.in_kernel(page, "[bench.reading.cut.share, bench.state.tab]") == [0.34, "tune"]
    assert guard.faults == []
    # What the old widgets have said to the dead kernel reaches the new one, which knows none of them; a kernel that is
    # started again also says that it can hardly be debugged.
    known = ("No such comm", "Debugg", "debugg", "frozen")
    assert [said for said in jupyter.errors_of(page) if not any(word in said for word in known)] == []
