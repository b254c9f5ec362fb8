"""Keys reach the part in sight, what is at hand is in sight, and what is stale can be made anew where that is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.workload.made_depots import depots_in
from tests.workspace.made import words_alone
from workbench.widgets import Workbench
from workbench.workload import Workload

from . import jupyter
from .bare import bare_page
from .test_workbench import DRAWN

pytestmark = pytest.mark.browser

IN_SIGHT = """() => {
  const block = document.querySelector('.sr-wb-read .sr-doc-scroll [aria-selected=true]');
  const box = document.querySelector('.sr-wb-read .sr-doc-scroll').getBoundingClientRect();
  const own = block?.getBoundingClientRect();
  return Boolean(own) && box.height > 0 && own.top >= box.top && own.bottom <= box.bottom;
}"""
CHOSEN = "() => document.querySelector('.sr-wb-read .sr-doc-scroll [aria-selected=true]')?.dataset.block"


@pytest.fixture(scope="module")
def depots(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return depots_in(tmp_path_factory.mktemp("depots"), documents=4, paragraphs=120)


@pytest.fixture
def bench(depots: Workload, tmp_path: Path) -> Iterator[Workbench]:
    made = Workbench(depots, reader=words_alone(min_tokens=200), folder=tmp_path / "space")
    yield made
    made.close()
    made.bench.jobs.wait_for_all(60)


def focused_within(page: Page, selector: str) -> None:
    page.wait_for_function(f"() => document.activeElement?.closest('{selector}')")


def test_keys_of_a_tab_work_as_soon_as_it_is_shown(bench: Workbench, browser: Browser, pictures: Path) -> None:
    bench.bench.replay()
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        page.locator(".sr-wb-route-place[data-route]").wait_for()
        page.keyboard.press("3")
        focused_within(page, ".sr-gate-view")
        page.screenshot(path=pictures / "keys-gate.png")
        page.keyboard.press("j")
        page.locator(".sr-workload-table [aria-selected=true]").first.wait_for()
        page.keyboard.press("Enter")
        expect(page.locator(".sr-wb-read")).to_be_visible()
        page.keyboard.press("2")
        focused_within(page, ".sr-rule-table [data-rule]")
        before = page.evaluate("document.activeElement.closest('[data-rule]').dataset.rule")
        page.screenshot(path=pictures / "keys-tune.png")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.closest('[data-rule]').dataset.rule") != before
        page.keyboard.press("1")
        focused_within(page, ".sr-document-view")
        page.screenshot(path=pictures / "keys-read.png")
        chosen = page.evaluate(CHOSEN)
        page.keyboard.press("n")
        page.wait_for_function(f"() => ({CHOSEN})() !== '{chosen}'")
    assert guard.faults == []


def test_keys_pressed_beside_every_part_are_those_of_the_part_in_sight(
    bench: Workbench, depots: Workload, browser: Browser
) -> None:
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        page.wait_for_function(f"() => ({CHOSEN})()")
        for place in (".sr-workbench", ".sr-wb-tab[aria-selected=true]"):
            page.locator(place).focus()
            chosen = page.evaluate(CHOSEN)
            page.keyboard.press("n")
            page.wait_for_function(f"() => ({CHOSEN})() !== '{chosen}'")
            focused_within(page, ".sr-document-view")
        page.keyboard.press("/")
        page.keyboard.type(depots.requests[-1].id)
        page.wait_for_function("() => document.querySelector('.sr-wb-request')")
        page.keyboard.press("Enter")
        focused_within(page, ".sr-document-view")
        chosen = page.evaluate(CHOSEN)
        page.keyboard.press("j")
        page.wait_for_function(f"() => ({CHOSEN})() !== '{chosen}'")


def test_the_block_at_hand_of_a_request_is_in_sight_wherever_it_was_opened(
    bench: Workbench, depots: Workload, browser: Browser
) -> None:
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        for number in (-1, 0, -9):
            request = depots.requests[number]
            page.keyboard.press("5")
            bench.bench.open(request.id)
            expect(page.locator(".sr-wb-question")).to_have_value(request.question)
            page.keyboard.press("1")
            page.wait_for_function(IN_SIGHT)


@pytest.mark.parametrize(("language", "words"), [("en", "Replay the workload"), ("zh", "重放工作负载")])
def test_stale_outcomes_are_made_anew_from_the_gate(
    depots: Workload, tmp_path: Path, browser: Browser, language: str, words: str, pictures: Path
) -> None:
    bench = Workbench(depots, reader=words_alone(min_tokens=200), folder=tmp_path / "space", language=language)
    bench.bench.replay()
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        page.keyboard.press("3")
        stale = page.locator(".sr-wb-gate-stale")
        focused_within(page, ".sr-gate-view")
        expect(stale).to_be_hidden()
        bench.bench.set_share(0.41)
        expect(stale).to_contain_text("replay first")
        page.screenshot(path=pictures / f"gate-stale-{language}.png")
        stale.get_by_role("button", name=words).click()
        expect(stale).to_be_hidden(timeout=30_000)
    bench.close()
    bench.bench.jobs.wait_for_all(60)
