"""What the bench does by itself after what a person or the kernel did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.workspace.made import house_in, words_alone
from workbench.widgets import Workbench

from . import jupyter
from .bare import bare_page
from .test_workbench import DRAWN, press

pytestmark = pytest.mark.browser


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    made = Workbench(house_in(tmp_path / "house"), reader=words_alone(), folder=tmp_path / "space")
    yield made
    made.close()
    made.bench.jobs.wait_for_all(60)


def test_what_has_just_been_moved_is_what_undo_takes_back(bench: Workbench, browser: Browser) -> None:
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        slider = page.locator(".sr-threshold-slider").first
        slider.focus()
        page.keyboard.press("ArrowRight")
        press(page, "z")
        expect(page.locator(".sr-wb-called")).to_have_text("bench.undo()")
        assert (bench.reading.cut.share, bench.operations) == (0.3, 2)
        bench.set_budget(900)
        slider.focus()
        page.keyboard.press("ArrowRight")
        press(page, "z")
        expect(page.locator(".sr-wb-saved")).to_have_text("saved")
        page.wait_for_timeout(300)
        assert (bench.budget, bench.reading.cut.share) == (900, 0.3)
    assert guard.faults == []


def test_recall_curves_are_asked_for_again_once_the_rules_are_others(bench: Workbench, browser: Browser) -> None:
    asked: list[bool] = []
    bench.answer_curves = lambda: bool(asked.append(True)) or True  # type: ignore[func-returns-value,method-assign]
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:

        def comes_to(count: int) -> bool:
            for _ in range(100):
                page.wait_for_timeout(100)
                if len(asked) >= count:
                    break
            page.wait_for_timeout(2300)
            return len(asked) == count

        assert comes_to(1)
        bench.bench.jobs.wait_for_all(60)
        page.wait_for_timeout(300)
        job = {"id": "1", "kind": "curves", "status": "cancelled", "done": 0, "total": 0, "seconds": 0, "error": ""}
        bench.running = [job]
        bench.foot = {**bench.foot, "operations": 1}
        page.wait_for_timeout(2300)
        assert asked == [True]
        bench.running = []
        bench.foot = {**bench.foot, "operations": 2}
        page.wait_for_timeout(2300)
        assert asked == [True]
        bench.foot = {**bench.foot, "tuned": "other rules"}
        assert comes_to(2)


def test_a_comparison_says_what_it_could_not_compare_and_how_much_it_leaves_out(
    bench: Workbench, browser: Browser
) -> None:
    note = "The profile cannot read the document here, so no blocks are compared: its scorer is another one."
    route = {"id": "rent", "question": "How much?", "document": "house.md", "before": "force", "after": "native"}
    block = {"block": 1, "page": 1, "text": "The rent", "before": "kept", "after": "skipped"}
    found = {
        "path": "gate.json", "before": "old", "decides_alike": False, "figures": [], "requests": 900,
        "differences": [{"field": "gate.native", "words": "native", "before": "0.1", "after": "0.2", "decides": True}],
        "routes": [route, route], "routes_changed": 612, "blocks": [block], "blocks_changed": 1,
        "kept_before": 1200, "kept_after": 800, "document": "house.md", "notes": [note],
    }  # fmt: skip
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        press(page, "4")
        page.get_by_text("Choose a gate profile").wait_for()
        bench.compared = found
        compared = page.locator(".sr-wb-compared")
        expect(compared.locator(".sr-wb-verdict")).to_contain_text("612 of 900 requests take another route")
        expect(compared.locator(".sr-wb-compare-notes")).to_have_text(note)
        expect(compared).to_contain_text("and 610 more")
        expect(compared).to_contain_text("1,200 tokens kept before, 800 after.")
        bench.compared = {"path": "gone.json", "problem": "There is no file gone.json."}
        expect(compared.locator("[role=alert]")).to_have_text("There is no file gone.json.")
        expect(compared).not_to_contain_text("612 of 900")
        expect(compared).to_contain_text("The bench as it is now")
    assert guard.faults == []
