"""The panel of the cut in a browser: it moves without the kernel, and the kernel confirms what a person settles on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.reading.made import CHINESE, ByHand, manual
from workbench.errors import WorkbenchError
from workbench.reading import Reading, SparseReader, Threshold
from workbench.relevance.scores import Scale
from workbench.widgets import ThresholdPanel
from workbench.workload.recall_curves import Curve, RecallCurves
from workbench.workspace.operations import Operation

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

SLIDE = """([element, value]) => {
  element.value = String(value);
  element.dispatchEvent(new Event('input', { bubbles: true }));
}"""

LISTEN = """() => {
  window.said = [];
  const hear = value => window.said.push({ ...value, status: [...value.status] });
  globalThis.sparsereadChannels.get('one').on('decision', hear);
}"""


def reading_of(scale: Scale = Scale.CALIBRATED, *, chinese: bool = False) -> Reading:
    document = manual(CHINESE, language="zh") if chinese else manual()
    reader = SparseReader(scorer=ByHand(np.linspace(0.05, 0.95, len(document)).tolist(), scale), min_tokens=10)
    return reader.read(document, "何时开始备份？" if chinese else "When does a backup start?")


def curves(name: str = "dev") -> RecallCurves:
    at = np.array([0.0, 1.0])
    recall = np.array([1.0, 0.0])
    threshold = Curve(at, recall, recall * 0.9, np.minimum(1, recall + 0.1), recall, recall, recall, 40, 8)
    share = Curve(at, at, at * 0.9, at, at, at, at, 40, 8)
    return RecallCurves(name, threshold, share, "out of sample")


def slide(page: Page, value: float, *, settle: bool = False, which: str = ".sr-threshold-slider") -> None:
    """Move a slider, and release it."""
    painted = page.locator("[data-widget=threshold_panel]").get_attribute("data-painted")
    slider = page.locator(which)
    page.evaluate(SLIDE, [slider.element_handle(), value])
    page.wait_for_function("old => document.querySelector('[data-widget]').dataset.painted !== old", arg=painted)
    if settle:
        slider.dispatch_event("change")


def tile(page: Page, name: str) -> str:
    """The figure of a tile."""
    return page.locator(f"[data-tile={name}] .sr-threshold-value").inner_text()


def until(page: Page, told: Any) -> None:
    """Let the page talk to this process until something is true of it."""
    for _ in range(100):
        if told():
            return
        page.wait_for_timeout(20)
    raise AssertionError("What the page did has not arrived.")


def test_the_picture_moves_with_the_slider_without_a_kernel(browser: Browser, guard: jupyter.Guard) -> None:
    reading = reading_of()
    panel = ThresholdPanel(reading, curves(), gold=[2, 8], channel="one")
    with bare_page(browser, panel, guard=guard) as page:
        page.evaluate(LISTEN)
        assert tile(page, "tokens") == str(reading.saving.tokens_kept)
        for value in (0.125, 0.512, 0.729):
            slide(page, round(400 * value ** (1 / 3)))
            moved = reading.with_threshold(page.evaluate("window.said.at(-1).cut.value"))
            assert moved.threshold == pytest.approx(value, abs=0.006)
            assert tile(page, "tokens") == str(moved.saving.tokens_kept)
            assert tile(page, "skipped") == f"{100 * moved.saving.share_skipped:.1f} %"
            assert page.evaluate("window.said.at(-1).status") == moved.status.tolist()
            kept = sum(bool(moved.decision.kept[block]) for block in (2, 8))
            assert tile(page, "evidence") == f"{kept} of 2"
            assert tile(page, "recall") == f"{100 * (1 - moved.threshold):.1f} %"
        assert page.locator(".sr-python-code").inner_text() == f"reading.with_threshold({moved.threshold:g})"
        assert page.locator("[data-tile=recall] .sr-threshold-more").inner_text().endswith("%, out of sample")
    assert guard.faults == []


def test_the_kernel_confirms_what_a_person_settles_on(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of())
    with bare_page(browser, panel, guard=guard, live=True) as page:
        slide(page, 320, settle=True)
        until(page, lambda: panel.reading.cut == Threshold(0.51))
        page.locator(".sr-threshold-field").fill("0.3")
        page.keyboard.press("Enter")
        until(page, lambda: panel.reading.cut == Threshold(0.3))
        slide(page, 0.05, settle=True, which=".sr-threshold-offset input")
        until(page, lambda: panel.reading.offset == 0.05)
        expect(page.locator(".sr-histogram-label")).to_have_text("θ 0.3 +0.05")
        page.locator(".sr-threshold-budget-field").fill("90")
        page.keyboard.press("Enter")
        until(page, lambda: panel.reading.budget_tokens == 90)
        expect(page.locator(".sr-threshold-budget")).to_contain_text(
            f"The kept text has {panel.reading.saving.rendered_tokens} tokens."
        )
        expect(page.locator("[data-tile=tokens] .sr-threshold-value")).to_have_text(
            str(panel.reading.saving.tokens_kept)
        )
        page.get_by_role("button", name="No budget").click()
        until(page, lambda: panel.reading.budget_tokens is None)
        panel.reading = panel.reading.with_threshold(0.7)
        expect(page.locator(".sr-threshold-field")).to_have_value("0.7")
    assert guard.faults == []


def test_what_is_no_number_is_marked_at_its_field_and_not_applied(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of())
    before = panel.reading
    with bare_page(browser, panel, guard=guard, live=True) as page:
        field = page.locator(".sr-threshold-field")
        field.fill("1.5")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".sr-threshold-wrong").first).to_have_text("Give a number from 0 to 1.")
        budget = page.locator(".sr-threshold-budget-field")
        budget.fill("0")
        page.keyboard.press("Enter")
        expect(budget).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".sr-threshold-wrong").last).to_have_text(
            "Give a whole number of at least 1, or nothing for no budget."
        )
        page.wait_for_timeout(400)
        assert panel.reading is before
    assert guard.faults == []


def test_keys_move_the_cut_and_turn_it_into_a_share(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of().with_threshold(0.5), min_tokens=0)
    with bare_page(browser, panel, guard=guard, live=True) as page:
        page.locator("[data-widget=threshold_panel]").focus()
        for _ in range(3):
            page.keyboard.press("-")
        until(page, lambda: panel.reading.threshold is not None and panel.reading.threshold > 0.5)
        tokens = panel.reading.saving.tokens_kept
        page.keyboard.press("x")
        until(page, lambda: panel.cut["kind"] == "share")
        assert abs(panel.reading.saving.tokens_kept - tokens) < 0.3 * panel.reading.saving.tokens_total
        expect(page.locator(".sr-threshold-offset")).to_contain_text("An offset moves a threshold")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("threshold or share")
    assert guard.faults == []


def test_uncalibrated_scores_say_so_in_chinese_as_well(browser: Browser, guard: jupyter.Guard) -> None:
    reading = reading_of(Scale.UNCALIBRATED, chinese=True)
    panel = ThresholdPanel(reading, curves("<img src=x onerror=alert(1)>"), language="zh")
    with bare_page(browser, panel, guard=guard, theme="dark") as page:
        expect(page.locator(".sr-threshold-scale")).to_have_text("未校准")
        page.get_by_role("radio", name="阈值").click()
        expect(page.locator(".sr-threshold-main > .sr-threshold-note")).to_contain_text("这些分数未校准")
        expect(page.locator("[data-tile=recall]")).to_contain_text("<img src=x onerror=alert(1)> 上的召回")
        assert tile(page, "recall") == "–"
        assert "scale=Scale.UNCALIBRATED" in page.locator(".sr-python-code").inner_text()
        assert page.locator("img").count() == 0
    assert guard.faults == []


def test_recall_of_the_rules_before_is_marked(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of(), curves(), channel="one")
    with bare_page(browser, panel, guard=guard, live=True) as page:
        recall = page.locator("[data-tile=recall]")
        expect(recall).to_have_attribute("data-old", "false")
        panel.curves_fresh = False
        expect(recall).to_have_attribute("data-old", "true")
        expect(recall.locator(".sr-threshold-more")).to_contain_text("of the rules before")
        panel.curves_fresh = True
        expect(recall.locator(".sr-threshold-more")).not_to_contain_text("of the rules before")
    assert guard.faults == []


def test_a_follow_up_says_that_no_cut_decides_it(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of().with_focus({2: ((0, 8),)}))
    with bare_page(browser, panel, guard=guard) as page:
        expect(page.locator(".sr-threshold-main > .sr-threshold-note")).to_have_text(
            "This reading is a follow-up: its focus decides what is kept, and no cut does."
        )
        expect(page.locator(".sr-threshold-slider")).to_be_disabled()
    assert guard.faults == []


def test_the_line_is_dragged_in_the_picture(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of())
    with bare_page(browser, panel, guard=guard, live=True) as page:
        box = page.locator(".sr-histogram-bars").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 20, box["y"] + 40)
        page.mouse.down()
        page.mouse.move(box["x"] + 8 + 0.5 * (box["width"] - 16), box["y"] + 40, steps=5)
        expect(page.locator(".sr-threshold-field")).to_have_value("0.125")
        assert panel.reading.cut != Threshold(0.125)
        page.mouse.up()
        until(page, lambda: panel.reading.cut == Threshold(0.125))
    assert guard.faults == []


SECOND_VIEW = """() => {
  const place = document.querySelector('.sr-alone');
  globalThis.endSecond = globalThis.sparsereadEntry({ model: globalThis.sparsereadModels['0'], el: place });
}"""


class Refusing:
    def take(self, operation: Operation) -> None:
        raise WorkbenchError(f"The journal cannot be written, so {operation.kind} was not done.")


def test_both_views_of_a_panel_go_back_when_the_kernel_refuses(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of().with_threshold(0.3), channel="one")
    panel.controller = Refusing()
    with bare_page(browser, panel, guard=guard, live=True) as page:
        page.evaluate(SECOND_VIEW)
        fields = page.locator(".sr-threshold-field")
        fields.first.fill("0.6")
        expect(fields.last).to_have_value("0.6")
        page.keyboard.press("Enter")
        expect(page.locator(".sr-fault p").first).to_have_text(
            "The journal cannot be written, so set_cut was not done."
        )
        expect(fields.last).to_have_value("0.3")
        expect(page.locator(".sr-histogram-label").first).to_have_text("θ 0.3")
    assert guard.faults == []


def test_a_view_that_is_closed_says_what_was_moved_in_it(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of().with_threshold(0.3), channel="one")
    with bare_page(browser, panel, guard=guard, live=True) as page:
        page.evaluate(SECOND_VIEW)
        field = page.locator(".sr-threshold-field").last
        field.fill("0.6")
        field.dispatch_event("change")
        page.evaluate("() => globalThis.endSecond()")
        until(page, lambda: panel.reading.cut == Threshold(0.6))
    assert guard.faults == []


CELLS = (
    """import numpy as np
import workbench as wb
from workbench.relevance.scores import Scale
from workbench.widgets import ThresholdPanel, link
from pathlib import Path
Path("plant.md").write_text("# Plant\\n\\n" + "\\n\\n".join(f"Pump {n} runs at {n} bar." for n in range(40)), "utf-8")
reader = wb.SparseReader(scorer=None, min_tokens=0)
reading = reader.read(wb.open_document("plant.md"), "At how many bar does pump 7 run?")
panel, follower = ThresholdPanel(reading), ThresholdPanel(reading)
link(panel, follower)
panel.on_reading(follower.show)""",
    "panel",
    "follower",
)


def test_in_a_notebook_one_panel_follows_the_other_and_both_hold_what_the_kernel_holds(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard
) -> None:
    assert jupyter.run_cells(page, lab, "panel", CELLS) == []
    panels = page.locator("[data-widget=threshold_panel][data-painted]")
    expect(panels).to_have_count(2)
    slider = panels.first.locator(".sr-threshold-slider")
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(panels.last.locator(".sr-threshold-field")).to_have_value("25")
    for _ in range(50):
        if jupyter.in_kernel(page, "[panel.reading.cut.share, follower.reading.cut.share]") == [0.25, 0.25]:
            break
        page.wait_for_timeout(100)
    kept = jupyter.in_kernel(page, "follower.reading.saving.tokens_kept")
    for found in (panels.first, panels.last):
        expect(found.locator("[data-tile=tokens] .sr-threshold-value")).to_have_text(str(kept))
    page.keyboard.press("d")
    page.keyboard.press("d")
    expect(panels).to_have_count(2)
    assert jupyter.errors_of(page) == []
    assert guard.faults == []


def test_recall_that_takes_minutes_is_measured_when_somebody_asks(browser: Browser, guard: jupyter.Guard) -> None:
    panel = ThresholdPanel(reading_of(chinese=True), language="zh")
    asked: list[bool] = []
    panel.begin = lambda: asked.append(True)
    with bare_page(browser, panel, live=True, guard=guard) as page:
        tile = page.locator("[data-tile=recall]")
        expect(tile).to_be_hidden()
        panel.curves_offered = True
        expect(tile).to_be_visible()
        tile.get_by_role("button", name="在工作负载上测量召回").click()
        expect(tile.get_by_role("button")).to_be_enabled()
        assert asked == [True]
        panel.curves_offered = False
        expect(tile).to_be_hidden()
    assert guard.faults == []
