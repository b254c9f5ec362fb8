"""The search of a report finds what a person reads, however the document spells it, and in tables of any length."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.report.test_page import contents_of, report_of
from workbench.report.contents import ReadingContents, SkippedBlock, SkippedPart
from workbench.report.rendering import rendered

from . import jupyter
from .test_report import opened, search

pytestmark = pytest.mark.browser

SPELT = (
    "The retention  fee is paid\nback\twith the con\u00adtract price, \ufb01nal pay\u200bment, in "
    "Cafe\u0301 \u201cNord\u201d \u2013 5\u00a0% of it, at \uff21\uff22\uff23 \u0130STANBUL"
)
MARKED = "[...CSS.highlights.get('report-hit')].map(String)"


def with_skipped(*parts: tuple[str, tuple[str, ...]]) -> ReadingContents:
    """Return contents of which exactly these texts were skipped."""
    found, number = [], 1000
    for title, texts in parts:
        blocks = tuple(
            SkippedBlock(number + rank, 1, "paragraph", text, 9, "Far.", 0.1, 0.1) for rank, text in enumerate(texts)
        )
        number += len(texts)
        found.append(SkippedPart((title,), (1, 1), 9 * len(texts), 0.1, "Far.", blocks))
    return dataclasses.replace(contents_of("harbor-manual.md"), skipped=tuple(found))


@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("retention fee", "retention  fee"),
        ("RETENTION   fee is paid back with", "retention  fee is paid\nback\twith"),
        ("contract price", "con\u00adtract price"),
        ("con\u00adtract", "con\u00adtract"),
        ("final payment", "\ufb01nal pay\u200bment"),
        ("caf\u00e9", "Cafe\u0301"),
        ('"nord" - 5 %', "\u201cNord\u201d \u2013 5\u00a0%"),
        ("abc", "\uff21\uff22\uff23"),
        ("istanbul", "\u0130STANBUL"),
    ],
)
def test_words_are_found_as_a_person_reads_them(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, typed: str, marked: str
) -> None:
    page_text = rendered(report_of(with_skipped(("One", ("Nothing of it.", SPELT)))))
    with opened(browser, tmp_path, page_text, guard=guard) as page:
        assert search(page, typed).startswith("1 place in what was skipped")
        assert page.evaluate(MARKED) == [marked]
        assert page.locator(".section li:visible").count() == 1
    assert guard.faults == []


@pytest.mark.parametrize("typed", ["\u00ad", "\u200b \u2060"])
def test_what_nobody_can_see_is_no_search(browser: Browser, tmp_path: Path, typed: str) -> None:
    with opened(browser, tmp_path, rendered(report_of(with_skipped(("One", ("first", "second")))))) as page:
        page.locator("[data-search] input").fill(typed)
        page.locator("[data-search] input").press("Enter")
        expect(page.locator("[data-search] output")).to_have_text("")
        assert page.locator(".section:visible").count() == 1


def test_one_chinese_character_is_a_search(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, rendered(report_of(with_skipped(("One", ("质量保证金", "付款")))))) as page:
        assert search(page, "质").startswith("1 place")
        assert page.evaluate(MARKED) == ["质"]


TYPED = """async (words) => {
  const [field, counts] = ['input', 'output'].map((tag) => document.querySelector(`[data-search] ${tag}`));
  let [longest, last, on] = [0, performance.now(), true];
  const watch = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (on) setTimeout(watch);
  };
  watch();
  const begun = performance.now();
  counts.textContent = '';
  field.value = words;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  while (!counts.textContent) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  on = false;
  return { told: counts.textContent, took: performance.now() - begun, longest };
}"""


def long_table(rows: int) -> str:
    texts = tuple(
        f"{row}\tWarehouse {row % 17}\tpallet of goods {row * 7919 % 10007}\t{row * 3}.50" for row in range(rows)
    )
    return rendered(report_of(with_skipped(("Table", texts))))


def test_a_long_table_is_searched_as_one_list_with_its_numbers(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, long_table(8_000), guard=guard) as page:
        told = page.evaluate(TYPED, "o")["told"]
        assert told.startswith("32,000 places in what was skipped")
        assert told.endswith("the first 5,000 are marked")
        assert page.locator(".section ol").count() == 40
        # Chunks out of sight cost nothing: what is not near the screen was not laid out.
        assert (
            page.locator(".section li").nth(7_999).evaluate("li => li.checkVisibility({ contentVisibilityAuto: true })")
            is False
        )
        told = page.evaluate(TYPED, "7777\twarehouse")["told"]
        assert told.startswith("1 place in")
        assert page.locator(".section li:visible").count() == 1
        assert page.locator(".section ol:visible").count() == 1
        page.locator("[data-search] input").press("Enter")
        expect(page.locator(".section li.now")).to_be_in_viewport()
        assert page.locator(".section li.now").get_attribute("value") == "8777"
    assert guard.faults == []


def test_what_is_typed_while_a_search_runs_is_what_is_found(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, long_table(8_000)) as page:
        field = page.locator("[data-search] input")
        field.press_sequentially("pallet of goods", delay=30)
        field.press("Enter")
        expect(page.locator("[data-search] output")).to_contain_text("1 of 8,000")
        field.fill("pallet")
        field.press("Escape")
        expect(page.locator("[data-search] output")).to_have_text("")
        assert page.locator(".section[open]").count() == 0
