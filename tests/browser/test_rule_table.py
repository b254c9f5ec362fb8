"""The rule table as a person works it: at the cell, by keys, by dragging; and what the kernel holds afterwards."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from workbench import SparseReader, open_document
from workbench.calibration.block_thresholds import Estimate
from workbench.structure import Match, Rule, load_rules
from workbench.structure import RuleTable as Table
from workbench.widgets import RuleTable
from workbench.workload.rule_effects import Progress, WorkloadEffect, WorkloadEffects

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

HOSTILE = '<img src=x onerror="window.hit=1"> $x^2$ \u202eabc 😀 <script>window.hit=2</script>'


@contextmanager
def shown(browser: Browser, rules: RuleTable, guard: jupyter.Guard, *, live: bool = True) -> Iterator[Page]:
    with bare_page(browser, rules, live=live, guard=guard) as page:
        yield page
        assert page.evaluate("window.hit") is None
    assert guard.faults == []


def cell(page: Page, rule: str, column: str):  # type: ignore[no-untyped-def]
    return page.locator(f'[data-rule="{rule}"] [data-column="{column}"]')


def names(page: Page) -> list[str]:
    found: list[str] = page.evaluate("[...document.querySelectorAll('[data-rule]')].map(row => row.dataset.rule)")
    return found


def small() -> Table:
    return Table(
        "mine",
        (
            Rule("titles", Match(features=("h1",)), 2.0, reason="Where one is."),
            Rule("rows", Match(kinds=("table_row",)), 1.5, reason="Numbers."),
            Rule("不可抗力", Match(keywords=("不可抗力", "force majeure")), 5.0, pin=True, reason="必须保留。"),
        ),
        "What matters.",
    )


def test_a_weight_is_typed_and_what_is_wrong_stays_in_its_cell(browser: Browser, guard: jupyter.Guard) -> None:
    rules = RuleTable(small())
    with shown(browser, rules, guard) as page:
        weight = cell(page, "rows", "weight")
        weight.click()
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        problem = page.locator('[data-rule="rows"] .sr-rule-error')
        expect(problem).to_have_text("Weight 7 is outside 0.05 to 5; to keep a block always set pin: true.")
        expect(weight.locator("input")).to_have_value("7")
        expect(weight.locator("input")).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".sr-fault")).to_have_count(0)
        assert rules.table == small()
        weight.locator("input").fill("0,25")
        page.keyboard.press("Enter")
        expect(weight.locator(".sr-weight-number")).to_have_text("0.25")
        expect(problem).to_have_count(0)
        assert rules.table.rule("rows").weight == 0.25
        page.keyboard.press("+")
        expect(weight.locator(".sr-weight-number")).to_have_text("0.35")
        page.keyboard.press("z")
        expect(weight.locator(".sr-weight-number")).to_have_text("0.25")
        page.keyboard.press("z")
        expect(weight.locator(".sr-weight-number")).to_have_text("1.5")
        page.keyboard.press("Shift+Z")
        expect(weight.locator(".sr-weight-number")).to_have_text("0.25")
        expect(page.locator(".sr-python-code")).to_have_text("rules.redo()")


def test_everything_in_a_row_is_done_by_keys(browser: Browser, guard: jupyter.Guard) -> None:
    rules = RuleTable(small())
    with shown(browser, rules, guard) as page:
        cell(page, "titles", "name").focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator('[data-rule="rows"]')).to_have_attribute("aria-selected", "true")
        page.keyboard.press("o")
        expect(cell(page, "rows", "on")).to_have_attribute("aria-checked", "false")
        page.keyboard.press("p")
        expect(cell(page, "rows", "pin")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Alt+ArrowUp")
        expect(page.locator("[data-rule]").first).to_have_attribute("data-rule", "rows")
        expect(cell(page, "rows", "name")).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.type("数字行")
        page.keyboard.press("Enter")
        expect(cell(page, "数字行", "name")).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.keyboard.type("dd: why")
        page.keyboard.press("Enter")
        expect(cell(page, "数字行", "reason")).to_have_text("dd: why")
        page.keyboard.press("d")
        expect(cell(page, "数字行-2", "name")).to_be_focused()
        page.keyboard.press("j")
        expect(cell(page, "titles", "name")).to_be_focused()
        page.keyboard.press("Delete")
        expect(page.locator('[data-rule="titles"]')).to_have_count(0)
        expect(page.locator(".sr-rule-told")).to_have_text("“titles” is deleted.")
        assert rules.table.names == ("数字行", "数字行-2", "不可抗力")
        row = rules.table.rules[0]
        assert (row.enabled, row.pin, row.reason) == (False, True, "dd: why")
        page.keyboard.press("z")
        expect(page.locator('[data-rule="titles"]')).to_have_count(1)
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keys")).to_contain_text("move the rule up, down")
    assert rules.selected == "不可抗力"


def test_conditions_are_edited_and_marked_one_by_one(browser: Browser, guard: jupyter.Guard, sample_dir: Path) -> None:
    document = open_document(sample_dir / "harbor-manual.md")
    rules = RuleTable(SparseReader(scorer=None, rules=small()).read(document, "How is the backup made?"))
    with shown(browser, rules, guard) as page:
        cell(page, "titles", "match").click()
        panel = page.get_by_role("group", name="Conditions of titles")
        panel.get_by_label("Features").first.fill("h22")
        page.keyboard.press("Enter")
        expect(panel.locator(".sr-token-wrong")).to_have_text("h22×")
        expect(panel.locator(".sr-rule-error:not(:empty)")).to_have_text(
            "There is no feature 'h22'; the nearest is 'h2'."
        )
        panel.get_by_role("button", name="Remove h22").click()
        panel.get_by_label("Features").first.fill("h2, h3")
        page.keyboard.press("Enter")
        matched = len(
            [block for block in document.blocks if block.kind.value == "heading" and block.level in (1, 2, 3)]
        )
        expect(panel.locator(".sr-rule-said")).to_have_text(f"Matches {matched} blocks here.")
        panel.locator("summary").click()
        panel.locator("details").get_by_label("Patterns, one a line", exact=True).fill(r"(")
        expect(panel.locator(".sr-wrong .sr-rule-error")).to_contain_text(
            "the pattern '(' does not compile", ignore_case=True
        )
        panel.locator("details").get_by_label("Patterns, one a line", exact=True).fill(r"^Appendix, ")
        panel.locator("details").get_by_role("group", name="Levels").get_by_role("button", name="3").click()
        page.keyboard.press("Control+Enter")
        expect(panel).to_have_count(0)
        assert rules.table.rule("titles").match == Match(
            features=("h1", "h2", "h3"), unless=Match(pattern=("^Appendix, ",), levels=(3,))
        )
        expect(cell(page, "titles", "match")).to_contain_text("unless level")
        expect(cell(page, "titles", "match")).to_be_focused()


def test_a_new_rule_is_no_part_of_the_table_before_it_is_valid(browser: Browser, guard: jupyter.Guard) -> None:
    rules = RuleTable(small())
    with shown(browser, rules, guard) as page:
        page.get_by_role("button", name="Add rule").click()
        draft = page.get_by_role("region", name="New rule")
        add = draft.get_by_role("button", name="Add to the table")
        expect(draft.get_by_label("Name")).to_have_value("new-rule")
        expect(add).to_be_disabled()
        draft.get_by_label("Name").fill("rows")
        draft.get_by_label("Keywords").first.fill("违约, breach*")
        page.keyboard.press("Enter")
        expect(draft.locator(".sr-rule-error:not(:empty)")).to_have_text(
            "The table 'mine' has a rule of this name; use another one."
        )
        assert rules.table == small()
        draft.get_by_label("Name").fill("违约")
        expect(draft.locator(".sr-rule-said")).to_contain_text("Ready to be added.")
        add.click()
        expect(cell(page, "违约", "name")).to_be_focused()
        assert rules.table.rules[-1] == Rule("违约", Match(keywords=("违约", "breach*")), 1.5)


def test_rows_are_dragged_where_nothing_is_sorted(browser: Browser, guard: jupyter.Guard) -> None:
    rules = RuleTable(small())
    with shown(browser, rules, guard) as page:
        handle, last = (
            cell(page, "titles", "move").bounding_box(),
            page.locator('[data-rule="不可抗力"]').bounding_box(),
        )
        assert handle is not None and last is not None
        page.mouse.move(handle["x"] + 5, handle["y"] + 8)
        page.mouse.down()
        page.mouse.move(handle["x"] + 5, last["y"] + 2, steps=4)
        expect(page.locator(".sr-drop-line")).to_have_count(1)
        page.mouse.up()
        expect(page.locator("[data-rule]").first).to_have_attribute("data-rule", "rows")
        assert rules.table.names == ("rows", "titles", "不可抗力")
        page.get_by_role("button", name="Weight", exact=True).click()
        assert names(page) == ["不可抗力", "titles", "rows"]
        expect(page.locator(".sr-rule-sorted")).to_contain_text("Sorted by Weight; the table keeps its order.")
        cell(page, "titles", "name").focus()
        page.keyboard.press("Alt+ArrowDown")
        expect(page.locator(".sr-rule-told")).to_have_text("Go back to the table order to move a rule.")
        assert rules.table.names == ("rows", "titles", "不可抗力")
        page.get_by_role("button", name="Table order").click()
        assert names(page) == ["rows", "titles", "不可抗力"]


def test_the_diff_is_seen_before_the_file_is_written(browser: Browser, guard: jupyter.Guard, tmp_path: Path) -> None:
    rules = RuleTable("legal")
    rules.edit_rule("parties", weight=1.5)
    target = tmp_path / "ours.yaml"
    with shown(browser, rules, guard) as page:
        expect(page.locator(".sr-rule-unsaved")).to_have_text("not saved to a file")
        expect(page.locator(".sr-rule-group")).to_have_text(
            ["▾From default23 rules · 2 with a pin", "▾In legal29 rules · 1 with a pin · 5 off"]
        )
        page.get_by_role("button", name="Save…").click()
        panel = page.get_by_role("region", name="Save the rules")
        panel.get_by_role("textbox", name="File").fill(str(target))
        expect(panel.locator(".sr-rule-said")).to_have_text("Compared with legal.yaml (shipped)")
        expect(panel.locator(".sr-diff-added")).to_contain_text(["name: ours", "weight: 1.5"])
        assert not target.exists()
        panel.get_by_role("button", name="Save").click()
        expect(page.locator(".sr-rule-told")).to_have_text(f"Saved to {target}.")
        expect(page.locator(".sr-rule-unsaved")).to_have_text("")
    assert load_rules(target).rule("parties").weight == 1.5


def test_effects_over_a_workload_are_measured_on_request(browser: Browser, guard: jupyter.Guard) -> None:
    goes_on = threading.Event()

    def measure(table: Table, progress: Progress) -> WorkloadEffects:
        progress(1, 2)
        assert goes_on.wait(20)
        lost, tokens = Estimate(-0.012, -0.03, -0.004), Estimate(0.034, -0.01, 0.06)
        effect = WorkloadEffect("titles", 1_204, 2, lost, tokens)
        return WorkloadEffects(table.sha256, {"titles": effect}, requests=30, documents=2, in_sample=True)

    rules = RuleTable(small(), effects=measure)
    with shown(browser, rules, guard) as page:
        # One table has its name above, and what nobody has measured takes no room.
        expect(page.locator(".sr-rule-group")).to_have_count(0)
        expect(page.locator("[data-head=recall]")).to_be_hidden()
        page.get_by_role("button", name="Measure on the workload").click()
        expect(page.locator("[data-head=recall]")).to_be_visible()
        expect(page.locator(".sr-rule-measuring")).to_contain_text("Measuring: 1 of 2 documents")
        expect(cell(page, "titles", "recall").locator(".sr-figure-value")).to_have_text("…")
        goes_on.set()
        expect(page.locator(".sr-rule-measuring")).to_have_text("30 requests on 2 documents · in sample")
        expect(cell(page, "titles", "workload")).to_have_text("1,2042 documents")
        expect(cell(page, "titles", "recall")).to_have_text("−1.2 pt−3.0 to −0.4")
        expect(cell(page, "titles", "recall")).to_have_class(re.compile("sr-strong"))
        expect(cell(page, "titles", "tokens")).to_have_text("+3.4 %−1.0 to 6.0")
        expect(cell(page, "titles", "tokens")).not_to_have_class(re.compile("sr-strong"))
        cell(page, "rows", "on").click()
        expect(page.get_by_role("button", name="Measure again")).to_be_visible()
        expect(page.locator(".sr-rule-measuring")).to_contain_text("of the rules before")


def test_nothing_is_written_but_what_was_shown(browser: Browser, guard: jupyter.Guard, tmp_path: Path) -> None:
    rules = RuleTable(small())
    target = tmp_path / "ours.yaml"
    with shown(browser, rules, guard) as page:
        page.get_by_role("button", name="Save…").click()
        panel = page.get_by_role("region", name="Save the rules")
        panel.get_by_role("textbox", name="File").fill(str(target))
        expect(panel.get_by_role("button", name="Save")).to_be_enabled()
        expect(panel.locator(".sr-diff-added").first).to_be_visible()
        rules.edit_rule("rows", weight=2.5)
        panel.get_by_role("button", name="Save").click()
        expect(panel.locator(".sr-rule-error")).to_contain_text("would not write what was shown")
        assert not target.exists()
        expect(panel.locator(".sr-diff-added").filter(has_text="weight: 2.5")).to_have_count(1)
        panel.get_by_role("button", name="Save").click()
        expect(page.locator(".sr-rule-told")).to_have_text(f"Saved to {target}.")
    assert load_rules(target).rule("rows").weight == 2.5


def test_effects_of_another_cut_are_marked_and_can_be_measured_again(browser: Browser, guard: jupyter.Guard) -> None:
    effect = WorkloadEffect("titles", 9, 2, Estimate(-0.01, -0.02, 0.0), Estimate(0.03, 0.0, 0.06))
    effects = WorkloadEffects(small().sha256, {"titles": effect}, requests=30, documents=2, in_sample=True)
    asked: list[bool] = []
    rules = RuleTable(small(), effects=effects)
    rules.begin = lambda: asked.append(True)
    rules.show_effects(effects)
    with shown(browser, rules, guard) as page:
        recall = cell(page, "titles", "recall")
        expect(recall).not_to_have_class(re.compile("sr-old"))
        rules.effects_fresh = False
        expect(recall).to_have_class(re.compile("sr-old"))
        expect(page.locator(".sr-rule-measuring")).to_contain_text("of the rules before")
        page.get_by_role("button", name="Measure again").click()
        expect(page.locator(".sr-rule-measuring")).to_contain_text("Measuring")
    assert asked == [True]


def test_a_page_without_a_kernel_shows_the_rules_and_offers_no_edit(browser: Browser, guard: jupyter.Guard) -> None:
    hostile = Table("mine", (Rule("a", Match(keywords=(HOSTILE,)), 2.0, reason=HOSTILE),), HOSTILE)
    with shown(browser, RuleTable(hostile, language="zh"), guard, live=False) as page:
        expect(cell(page, "a", "reason")).to_have_text(HOSTILE)
        expect(page.get_by_role("button", name="添加规则")).to_have_count(0)
        expect(page.locator(".sr-rule-counts")).to_have_text("1 条规则")
        cell(page, "a", "weight").click()
        expect(page.locator(".sr-cell-field")).to_have_count(0)
        cell(page, "a", "match").click()
        expect(page.locator(".sr-token")).to_have_text(f"{HOSTILE}×")


CELLS = (
    "import workbench as wb\n"
    "from workbench.resources import datasets_dir\n"
    "from workbench.widgets import DocumentView, RuleTable\n"
    "document = wb.open_document(datasets_dir() / 'dev' / 'documents' / 'harbor-manual.md')\n"
    "reading = wb.SparseReader(scorer=None, rules='technical').read(document, 'How is the backup made?')\n"
    "view, rules = DocumentView(reading), RuleTable(reading)\n"
    "rules.on_reading(view.show)\n"
    "rules",
    "view",
)


def test_in_a_notebook_an_edit_reaches_the_document_and_keys_stay_in_the_table(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard
) -> None:
    assert jupyter.run_cells(page, lab, "rules", CELLS) == []
    page.wait_for_selector('[data-widget="rule_table"][data-painted]')
    cell(page, "h2-heading", "weight").click()
    page.keyboard.type("0.3")
    page.keyboard.press("Enter")
    expect(cell(page, "h2-heading", "weight").locator(".sr-weight-number")).to_have_text("0.3")
    cell(page, "h2-heading", "name").click()
    page.keyboard.press("o")
    page.keyboard.press("o")
    page.keyboard.type("xx")
    expect(cell(page, "h2-heading", "on")).to_have_attribute("aria-checked", "true")
    assert jupyter.in_kernel(page, "rules.table.rule('h2-heading').weight") == 0.3
    assert jupyter.in_kernel(page, "view.reading.structure.sha256 == rules.table.sha256")
    assert page.locator(".jp-CodeCell").count() == len(CELLS)
    assert guard.faults == []
    assert jupyter.errors_of(page) == []
