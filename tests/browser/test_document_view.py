from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.reading.made import CHINESE, Made, manual
from workbench.errors import WorkbenchError
from workbench.structure import Match, Rule, RuleTable
from workbench.widgets import DocumentView
from workbench.workspace.operations import Operation

from . import jupyter
from .bare import bare_page
from .document_views import (
    CLASSES,
    DECIDE,
    RELEVANCE,
    lines,
    long_document,
    plant,
    press,
    read,
    to_text,
)

pytestmark = pytest.mark.browser


def test_every_block_says_its_numbers_and_whether_it_is_kept(browser: Browser, guard: jupyter.Guard) -> None:
    view = DocumentView(plant(), gold=[2, 5])
    with bare_page(browser, view, guard=guard) as page:
        assert lines(page) == ["0", "1", "2", "3", "4", "5", "6", "fold 7"]
        kept = page.locator("[data-block='2']")
        assert kept.locator(".sr-doc-numbers").inner_text() == "0.93 × 1.0"
        assert (
            kept.locator(".sr-doc-text").inner_text()
            == "A backup starts when the load falls under 20 % for ten minutes."
        )
        assert {"kept", "gold"} <= set(page.evaluate(CLASSES, "2"))
        assert {"context"} <= set(page.evaluate(CLASSES, "1"))
        assert {"skipped", "lost"} <= set(page.evaluate(CLASSES, "5"))
        assert page.locator("[data-block='5'] .sr-doc-mark").inner_text() == "evidence lost"
        assert page.locator("[data-block='1'] .sr-doc-mark").inner_text() == "context"
        assert page.locator(".sr-doc-said").inner_text().startswith("4 of 10 kept · ")
        assert page.locator(".sr-doc-said-lost").inner_text() == "1 evidence lost"
        left, right = (page.locator(f"[data-block='{block}'] .sr-doc-bar").bounding_box() for block in (5, 2))
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"] + 1
    assert guard.faults == []


def test_a_folded_run_says_what_it_was_and_opens_by_click_and_by_key(browser: Browser) -> None:
    with bare_page(browser, DocumentView(plant())) as page:
        fold = page.locator("[data-fold='7']")
        assert fold.locator(".sr-doc-fold-count").inner_text().startswith("3 blocks skipped · ")
        assert fold.locator(".sr-doc-fold-what").inner_text() == "Cleaning"
        fold.click()
        assert lines(page)[-3:] == ["7", "8", "9"]
        press(page, "o")
        assert lines(page)[-1] == "fold 7"
        press(page, "O")
        assert lines(page)[-3:] == ["7", "8", "9"]


class Refusing:
    def take(self, operation: Operation) -> None:
        raise WorkbenchError(f"The journal cannot be written, so {operation.kind} was not done.")


def test_a_pin_that_is_refused_goes_again(browser: Browser, guard: jupyter.Guard) -> None:
    view = DocumentView(plant())
    view.controller = Refusing()
    with bare_page(browser, view, guard=guard, live=True) as page:
        to_text(page)
        press(page, "j", "j", "Enter")
        expect(page.locator(".sr-fault p")).to_have_text("The journal cannot be written, so pin was not done.")
        expect(page.locator(".sr-doc-why-held")).to_be_hidden()
        assert page.locator(".sr-doc-held").count() == 0
    assert guard.faults == []


def test_what_is_asked_of_a_document_is_not_answered_of_the_next_one(browser: Browser, guard: jupyter.Guard) -> None:
    view = DocumentView(long_document(200))
    answer, answers = view.answer_explain, []

    def late(**values: Any) -> Any:
        if not answers:
            view.show(plant())
        answers.append(answer(**values))
        return answers[-1]

    with bare_page(browser, view, guard=guard, live=True) as page:
        page.wait_for_timeout(150)
        view.answer_explain = late  # type: ignore[method-assign]
        to_text(page)
        press(page, "j")
        expect(page.locator(".sr-doc-said")).to_contain_text(" of 10 kept")
        assert answers == [None]
        assert page.locator(".sr-fault").count() == 0
        to_text(page)
        press(page, "j", "Enter")
        expect(page.locator(".sr-doc-why-held")).to_be_visible()
        page.wait_for_timeout(250)
        assert (view.pin, answers[-1]["block"]) == (view.selected, view.selected)
    assert guard.faults == []


def test_keys_lead_through_the_document_and_the_kernel_follows(browser: Browser) -> None:
    view = DocumentView(plant(), gold=[5])
    steps = "n0 j1 n2 n3 s4 j5 p3 k2 t3 t6 t2 G7 S6 e5 g0"
    with bare_page(browser, view, live=True) as page:
        to_text(page)
        for key, block in ((step[0], int(step[1])) for step in steps.split()):
            press(page, key)
            page.wait_for_function("block => globalThis.sparsereadModels['0'].get('selected') === block", arg=block)
        page.wait_for_timeout(150)
        assert view.selected == 0
        assert page.locator(".sr-doc-scroll [aria-selected='true']").get_attribute("data-block") == "0"
        press(page, "?")
        assert page.get_by_role("dialog").inner_text().count("\n") > 20
        press(page, "Escape")
        view.select(9)
        assert {"selected"} <= set(page.evaluate(CLASSES, "9"))


def test_a_decision_of_the_channel_repaints_without_the_kernel(browser: Browser) -> None:
    view = DocumentView(long_document(600))
    view.channel = "tests"
    with bare_page(browser, view) as page:
        to_text(page)
        for line in (0.45, 0.2, 0.7, 0.05, 0.99):
            painted = page.locator("[data-widget]").get_attribute("data-painted")
            page.evaluate(DECIDE, {"line": line, "channel": "tests"})
            page.wait_for_function(
                "before => document.querySelector('[data-widget]').dataset.painted !== before", arg=painted
            )
            kept = int((view.reading.priority >= line).sum())
            assert page.locator(".sr-doc-said").inner_text().startswith(f"{kept} of 600 kept")
            shown = page.evaluate(
                "() => [...document.querySelectorAll('.sr-doc-kept')].map(b => Number(b.dataset.block))"
            )
            assert all(view.reading.priority[block] >= line for block in shown)


def test_the_explanation_is_a_sum_with_rules_and_turns(browser: Browser) -> None:
    table = RuleTable("some", (Rule("starts", Match(keywords=("starts",)), 1.3, reason="What starts something."),))
    view = DocumentView(read(manual(), RELEVANCE, rules=table))
    with bare_page(browser, view, live=True) as page:
        page.locator("[data-block='2'] .sr-doc-text").click()
        why = page.locator(".sr-doc-explanation")
        assert why.locator(".sr-doc-sum").inner_text().split("\n") == [
            "0.930 × 1.3 = 1.21",
            "1.21 − 0.62 = +0.59 → kept",
        ]
        why.get_by_text("What would flip it").wait_for()
        said = why.inner_text()
        for words in (
            "starts × 1.3",
            "What starts something.",
            "A relevance under 0.4769 would skip it.",
            "A weight under 0.6666 would skip it.",
            "No threshold up to 1 would skip it.",
            "The plant › Backups",
            "1 of 10",
            "page 1 · block 2",
        ):
            assert words in said


def test_chinese_has_chinese_sentences(browser: Browser, guard: jupyter.Guard) -> None:
    reading = read(manual(CHINESE, language="zh", name="手册.txt"), RELEVANCE)
    view = DocumentView(reading, gold=[5], language="zh")
    with bare_page(browser, view, live=True, theme="dark", guard=guard) as page:
        page.locator("[data-block='3'] .sr-doc-text").click()
        why = page.locator(".sr-doc-explanation")
        why.get_by_text("怎样会改变结果").wait_for()
        assert "相关度低于 0.62 时会跳过。" in why.inner_text()
        assert "保留：优先级不低于切分线。" in why.inner_text()
        assert page.locator("[data-fold='7'] .sr-doc-fold-what").inner_text() == "清洁"
        assert page.locator("[data-block='5'] .sr-doc-mark").inner_text() == "证据丢失"
        assert page.locator(".sr-doc-title").all_inner_texts() == ["工厂手册", "备份", "报警", "清洁"]
        keys = [
            word for word in page.locator(".sr").first.inner_text().split() if word.startswith(("doc.", "why.", "key."))
        ]
        assert keys == []
    assert guard.faults == []


def test_a_pinned_explanation_stays_while_others_are_looked_at(browser: Browser) -> None:
    view = DocumentView(plant(), gold=[5])
    with bare_page(browser, view, live=True) as page:
        page.locator("[data-block='2'] .sr-doc-text").click()
        to_text(page)
        press(page, "Enter", "j", "j")
        page.wait_for_timeout(200)
        assert (view.pin, view.selected) == (2, 4)
        held = page.locator(".sr-doc-why-held")
        assert "0.93 − 0.62 = +0.31 → kept" in held.inner_text()
        assert "heading · page 1" in page.locator(".sr-doc-why:not(.sr-doc-why-held) h2").first.inner_text().lower()
        press(page, "Escape")
        page.wait_for_timeout(150)
        assert view.pin == -1
        assert held.is_hidden()


def test_find_counts_matches_and_opens_the_fold_of_each(browser: Browser) -> None:
    with bare_page(browser, DocumentView(plant())) as page:
        to_text(page)
        press(page, "f")
        page.keyboard.type("WATER")
        page.get_by_text("1 of 1").wait_for()
        assert lines(page)[-3:] == ["7", "8", "9"]
        assert {"selected"} <= set(page.evaluate(CLASSES, "9"))
        found = page.evaluate("() => [...CSS.highlights.get('sr-found-now')].map(String)")
        assert found == ["water"]
        page.locator(".sr-doc-find-field").fill("alarm")
        page.get_by_text("of 3").wait_for()
        first = page.locator(".sr-doc-find-count").inner_text()
        press(page, "Enter")
        second = page.locator(".sr-doc-find-count").inner_text()
        press(page, "Shift+Enter")
        assert page.locator(".sr-doc-find-count").inner_text() == first != second
        page.locator(".sr-doc-find-field").fill("dragon")
        page.get_by_text("no match").wait_for()
        press(page, "Escape")
        assert page.locator(".sr-doc-find-field").input_value() == ""
        assert page.evaluate("() => CSS.highlights.get('sr-found').size") == 0


def test_the_outline_counts_what_is_kept_and_leads_there(browser: Browser) -> None:
    view = DocumentView(plant())
    with bare_page(browser, view) as page:
        counts = dict(
            zip(
                page.locator(".sr-doc-title").all_inner_texts(),
                page.locator(".sr-doc-counts").all_inner_texts(),
                strict=True,
            )
        )
        assert counts == {"The plant": "4/10", "Backups": "3/3", "Alarms": "0/3", "Cleaning": "0/3"}
        page.get_by_role("button", name="Cleaning").click()
        assert {"selected"} <= set(page.evaluate(CLASSES, "7"))
        assert lines(page)[-3:] == ["7", "8", "9"]


def test_another_document_and_another_reading_are_shown(browser: Browser) -> None:
    view = DocumentView(plant(), gold=[2])
    with bare_page(browser, view, live=True) as page:
        to_text(page)
        press(page, "G", "o")
        view.reading = view.reading.with_threshold(0.95)
        page.get_by_text("0 of 10 kept").wait_for()
        assert page.locator("[data-block='2'] .sr-doc-mark").inner_text() == "evidence lost"
        other = Made("other.txt").heading("Another").text("Short.", "Shorter.").document()
        view.show(read(other, (0.1, 0.9, 0.8)), gold=[])
        page.get_by_text("3 of 3 kept").wait_for()
        assert lines(page) == ["0", "1", "2"]
        assert page.locator(".sr-doc-facts").inner_text().startswith("other.txt")


def test_two_views_of_one_model_keep_what_is_their_own(browser: Browser, guard: jupyter.Guard) -> None:
    with bare_page(browser, DocumentView(plant()), guard=guard) as page:
        page.evaluate(
            """() => { const el = document.createElement('div'); el.id = 'second'; document.body.append(el);
            const model = globalThis.sparsereadModels['0'];
            globalThis.second = globalThis.sparsereadEntry({ model, el, compact: true }) }"""
        )
        assert page.locator("#second .sr-doc-outline, #second .sr-doc-side").count() == 0
        page.locator("#second [data-fold='7']").click()
        assert page.locator("#second [data-block='9']").count() == 1
        assert (
            page.locator(".sr-doc-alone [data-fold='7']").count()
            + page.locator(".sr-doc-alone [data-block='9']").count()
            == 1
        )
        page.evaluate("() => globalThis.second()")
        assert page.locator("#second").inner_html() == ""
        to_text(page)
        press(page, "n", "n")
    assert guard.faults == []


def test_a_page_without_a_kernel_explains_what_it_was_given(browser: Browser) -> None:
    with bare_page(browser, DocumentView(plant())) as page:
        page.locator("[data-block='2'] .sr-doc-text").click()
        assert "0.93 − 0.62 = +0.31 → kept" in page.locator(".sr-doc-sum").inner_text()
        page.get_by_text("A threshold over 0.93 would skip it.").wait_for()


def test_in_jupyterlab_keys_stay_in_the_view_and_the_kernel_holds_what_is_seen(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard, pictures: Path
) -> None:
    cells = [
        "import pathlib\nimport workbench as wb\n"
        "from workbench.reading.cuts import Threshold\nfrom workbench.relevance.scores import Scale\n"
        "texts = [f'Paragraph {i} says that backup {i} starts at {i} o clock.' for i in range(30)]\n"
        "pathlib.Path('text.md').write_text('\\n\\n'.join(['# Backups', *texts]))\n"
        "reading = wb.SparseReader(min_tokens=60).read(wb.open_document('text.md'), 'When does backup 7 start?')",
        "from workbench.widgets import DocumentView\nview = DocumentView(reading)\nview",
    ]
    assert jupyter.run_cells(page, lab, "document_view", cells) == []
    page.wait_for_selector("[data-widget='document_view'][data-painted]")
    to_text(page)
    press(page, "n", "d", "d", "j", "Enter")
    page.wait_for_function(
        "() => document.querySelector('.sr-doc-why-held') && !document.querySelector('.sr-doc-why-held').hidden"
    )
    selected = int(str(page.locator(".sr-doc-scroll [aria-selected='true']").get_attribute("data-block")))
    assert jupyter.in_kernel(page, "[view.selected, view.pin]") == [selected, selected]
    page.get_by_text("Where the relevance comes from").first.wait_for()
    painted = page.locator("[data-widget]").get_attribute("data-painted")
    jupyter.in_kernel(
        page, "setattr(view, 'reading', reading.with_threshold(Threshold(0.0, scale=Scale.UNCALIBRATED)))"
    )
    page.wait_for_function("before => document.querySelector('[data-widget]').dataset.painted !== before", arg=painted)
    kept = jupyter.in_kernel(page, "int((view.reading.status > 0).sum())")
    assert page.locator(".sr-doc-said").inner_text().startswith(f"{kept} of 31 kept")
    page.screenshot(path=pictures / "document_view.png")
    assert json.dumps(guard.faults) == "[]"
    assert jupyter.errors_of(page) == []
