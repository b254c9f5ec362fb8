"""Labels in a document view and in the bench, as a person sets them: two keys, a mark in the margin, and undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.workspace.made import house_in, words_alone
from workbench.training.labels import LabelStore
from workbench.widgets import DocumentView, Workbench

from . import jupyter
from .bare import bare_page
from .document_views import lines, plant, press, to_text

pytestmark = pytest.mark.browser

DRAWN = "() => document.querySelector('.sr-workbench')?.dataset.painted > 0"
SHAPES = "() => [...document.querySelectorAll('.sr-doc-label .sr-shape')].map(shape => shape.dataset.value)"


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore(tmp_path / "labels.sqlite")


def shapes(page: Page) -> list[str]:
    found: list[str] = page.evaluate(SHAPES)
    return found


def prompt(page: Page) -> Any:
    return page.locator(".sr-doc-label-prompt")


@pytest.mark.parametrize(
    ("language", "theme", "letters", "said"),
    [("en", "light", ["E", "H"], "hard negative"), ("zh", "dark", ["证", "难"], "难负例")],
)
def test_two_keys_label_the_block_and_z_takes_it_back(
    store: LabelStore,
    browser: Browser,
    guard: jupyter.Guard,
    pictures: Path,
    language: str,
    theme: str,
    letters: list[str],
    said: str,
) -> None:
    view = DocumentView(plant(), gold=[3], labels=store, annotator="Anna", language=language)
    with bare_page(browser, view, live=True, theme=theme, guard=guard) as page:
        to_text(page)
        press(page, "j", "j", "j", "l")
        expect(prompt(page)).to_be_visible()
        page.screenshot(path=pictures / f"label-prompt-{language}.png")
        press(page, "e")
        expect(prompt(page)).to_be_hidden()
        assert view.selected == 2
        press(page, "j", "l", "h")
        expect(page.locator(".sr-doc-label .sr-shape")).to_have_text(letters)
        row = page.locator(".sr-doc-label-rows li")
        expect(row).to_contain_text(said)
        expect(row).to_contain_text("Anna")
        page.screenshot(path=pictures / f"labels-{language}.png")
        assert [label.value.value for label in store.labels()] == ["evidence", "hard negative"]
        press(page, "z")
        expect(page.locator(".sr-doc-label")).to_have_count(1)
        press(page, "Z")
        expect(page.locator(".sr-doc-label")).to_have_count(2)
        press(page, "l", "x")
        expect(page.locator(".sr-doc-label")).to_have_count(1)
        expect(row).to_have_count(0)
    assert [label.block_id for label in store.labels()] == [2]
    assert guard.faults == []
    assert view.fault == ""


def test_other_keys_and_escape_leave_the_block_as_it_is(
    store: LabelStore, browser: Browser, guard: jupyter.Guard
) -> None:
    view = DocumentView(plant(), gold=[3], labels=store, annotator="Anna")
    with bare_page(browser, view, live=True, guard=guard) as page:
        to_text(page)
        press(page, "l", "h")
        expect(prompt(page)).to_be_hidden()
        press(page, "j", "l", "Escape")
        expect(prompt(page)).to_be_hidden()
        press(page, "l", "j")
        expect(prompt(page)).to_be_hidden()
        expect(page.locator("[aria-selected=true][data-block]")).to_have_attribute("data-block", "1")
        press(page, "e")
        expect(page.locator("[aria-selected=true][data-block]")).to_have_attribute("data-block", "3")
        press(page, "G", "l", "h")
        assert shapes(page) == []
    assert store.history() == ()
    assert guard.faults == []


def test_buttons_set_and_clear_and_what_others_said_is_told_apart(
    store: LabelStore, browser: Browser, guard: jupyter.Guard
) -> None:
    reading = plant()
    ben = DocumentView(reading, labels=store, annotator="Ben")
    ben.label(2, "hard negative", note="Says <b>when</b>, not what: $5 to $9.")
    ben.label(8, "not relevant")
    view = DocumentView(reading, labels=store, annotator="Anna")
    with bare_page(browser, view, live=True, guard=guard) as page:
        # A block with a label is not folded away.
        assert lines(page)[-3:] == ["7", "8", "9"]
        page.locator("[data-block='2'] .sr-doc-text").click()
        expect(page.locator(".sr-doc-label-note")).to_have_text("Says <b>when</b>, not what: $5 to $9.")
        own = page.get_by_role("button", name="evidence", exact=True)
        expect(own).to_have_attribute("aria-pressed", "false")
        own.click()
        expect(own).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".sr-doc-scroll")).to_be_focused()
        expect(page.locator("[data-block='2'] .sr-doc-label-split")).to_have_attribute(
            "title", "evidence, Anna\nhard negative, Ben"
        )
        own.click()
        expect(page.locator("[data-block='2'] .sr-doc-label-split")).to_have_count(0)
        assert shapes(page) == ["hard negative", "not relevant"]
    assert [label.annotator for label in store.labels()] == ["Ben", "Ben"]
    assert guard.faults == []


def test_a_page_without_a_kernel_shows_labels_and_sets_none(
    store: LabelStore, browser: Browser, guard: jupyter.Guard
) -> None:
    view = DocumentView(plant(), labels=store, annotator="Anna")
    view.label(2, "evidence")
    with bare_page(browser, view, guard=guard) as page:
        assert shapes(page) == ["evidence"]
        page.locator("[data-block='2'] .sr-doc-text").click()
        expect(page.locator(".sr-doc-label-rows li")).to_contain_text("Anna")
        expect(page.locator(".sr-doc-label-buttons")).to_have_count(0)
        press(page, "l", "h")
        assert shapes(page) == ["evidence"]
    assert guard.faults == []


def test_a_mark_moves_no_line_and_fits_where_it_is_narrow(
    store: LabelStore, browser: Browser, guard: jupyter.Guard
) -> None:
    view = DocumentView(plant(), labels=store, annotator="Anna")
    with bare_page(browser, view, live=True, guard=guard, width=860) as page:
        where = "() => [...document.querySelectorAll('[data-block]')].map(row => row.getBoundingClientRect().top)"
        before = page.evaluate(where)
        view.label(2, "evidence")
        view.label(6, "unsure")
        expect(page.locator(".sr-doc-label")).to_have_count(2)
        assert page.evaluate(where) == before
        overlap = """() => [...document.querySelectorAll('.sr-doc-label')].some(mark => {
          const text = mark.closest('[data-block]').querySelector('.sr-doc-text').getBoundingClientRect();
          return mark.getBoundingClientRect().right > text.left + 8; })"""
        assert page.evaluate(overlap) is False
    assert guard.faults == []


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Callable[..., Workbench]]:
    made: list[Workbench] = []

    def bench(**others: Any) -> Workbench:
        given = {"reader": words_alone(), "folder": tmp_path / "space", "annotator": "Anna", **others}
        made.append(Workbench(house_in(tmp_path / "house"), **given))
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


def test_in_the_bench_labels_are_set_where_they_are_read_and_in_the_annotator(
    benches: Callable[..., Workbench], browser: Browser, guard: jupyter.Guard, pictures: Path
) -> None:
    bench = benches()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        page.wait_for_selector(".sr-doc-scroll [data-block='1']")
        page.locator("[data-block='1'] .sr-doc-text").click()
        press(page, "l", "e")
        expect(page.locator(".sr-wb-called")).to_have_text("bench.label(1, 'evidence')")
        bench.set_share(0.6)
        press(page, "z")
        expect(page.locator(".sr-wb-called")).to_have_text("bench.undo()")
        assert (shapes(page), bench.state.tuned.cut) == (["evidence"], None)
        press(page, "z")
        expect(page.locator(".sr-doc-label")).to_have_count(0)
        press(page, "Z")
        expect(page.locator(".sr-doc-label")).to_have_count(1)
        page.keyboard.press("6")
        annotator = page.locator(".sr-annotator[data-ready=true]")
        expect(annotator).to_be_visible(timeout=20_000)
        page.screenshot(path=pictures / "bench-annotate.png")
        page.keyboard.press("h")
        page.wait_for_function("() => globalThis.sparsereadModels['0'].get('history').undo")
        for _ in range(100):
            if len(bench.label_store) == 2:
                break
            page.wait_for_timeout(50)
        assert len(bench.label_store) == 2
        # A digit leads to a tab, here as everywhere in the bench.
        page.keyboard.press("1")
        expect(page.locator(".sr-wb-read")).to_be_visible()
        assert len(bench.label_store) == 2
    assert guard.faults == []
    assert bench.fault == ""
