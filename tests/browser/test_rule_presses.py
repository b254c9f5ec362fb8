"""Keys in the rule table that are quicker than the kernel, and what becomes of them."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Browser, Page, expect

from workbench.errors import WorkbenchError
from workbench.widgets import RuleTable
from workbench.workspace.operations import Operation

from . import jupyter
from .test_rule_table import cell, shown, small

pytestmark = pytest.mark.browser


def test_no_press_is_lost_however_slow_the_kernel_is(browser: Browser, guard: jupyter.Guard) -> None:
    rules = RuleTable(small())
    taken: list[str] = []

    class Slow:
        def take(self, operation: Operation) -> None:
            time.sleep(0.1)
            rules.do(operation)
            taken.append(operation.kind)

    with shown(browser, rules, guard) as page:
        rules.controller = Slow()
        page.evaluate(PRESSED, ["rows", "+", 5])
        expect(cell(page, "rows", "weight").locator(".sr-weight-number")).to_have_text("2")
        until_said(page, taken, 2)
        assert rules.table.rule("rows").weight == 2.0
        page.evaluate(PRESSED, ["rows", "o", 3])
        expect(cell(page, "rows", "on")).to_have_attribute("aria-checked", "false")
        until_said(page, taken, 3)
        assert rules.table.rule("rows").enabled is False
        page.evaluate(PRESSED, ["rows", "p", 1])
        cell(page, "rows", "pin").click()
        page.wait_for_timeout(400)
        assert rules.table.rule("rows").pin is False
        taken.clear()
        page.evaluate(PRESSED, ["rows", "+", 4])
        page.keyboard.press("z")
        expect(cell(page, "rows", "weight").locator(".sr-weight-number")).to_have_text("2.1")
        until_said(page, taken, 3)
        assert taken == ["edit_rules", "edit_rules", "undo"]
        assert rules.table.rule("rows").weight == 2.1


def test_a_refused_step_goes_back_and_undo_without_a_past_says_nothing(browser: Browser, guard: jupyter.Guard) -> None:
    rules = RuleTable(small())
    taken: list[str] = []

    class Refusing:
        def take(self, operation: Operation) -> None:
            taken.append(operation.kind)
            raise WorkbenchError("The journal cannot be written.")

    rules.controller = Refusing()
    with shown(browser, rules, guard) as page:
        cell(page, "rows", "name").focus()
        page.keyboard.press("z")
        page.keyboard.press("Z")
        page.keyboard.press("+")
        expect(page.locator('[data-rule="rows"] .sr-rule-error')).to_have_text("The journal cannot be written.")
        expect(cell(page, "rows", "weight").locator(".sr-weight-number")).to_have_text("1.5")
        assert taken == ["edit_rules"]


PRESSED = """([rule, key, times]) => {
  const element = document.querySelector(`[data-rule="${rule}"] [data-column="weight"]`);
  element.focus();
  for (let n = 0; n < times; n += 1) element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}"""


def until_said(page: Page, taken: list[str], count: int) -> None:
    """Let the page talk to this process until so many actions have arrived, and a little longer."""
    for _ in range(100):
        if len(taken) >= count:
            break
        page.wait_for_timeout(20)
    page.wait_for_timeout(150)
