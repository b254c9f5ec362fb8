"""A training as a person sees it: begun with a click, watched, ended early, and its mistakes opened by keys."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.widgets.trained import procedure
from tests.workspace.made import house_in, words_alone
from workbench.training.options import TrainingOptions
from workbench.widgets.training_data import parts_data
from workbench.widgets.training_view import TrainingView

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

PLAN: dict[str, Any] = {"data": {"questions": 4, "documents": 2, "labels": 12}}


@pytest.fixture(scope="module")
def plan() -> dict[str, Any]:
    options = {"encoder": TrainingOptions.for_encoder(), "classifier": TrainingOptions()}
    return {**PLAN, **parts_data(None, options)}


@pytest.fixture
def views(tmp_path: Path, plan: dict[str, Any]) -> Iterator[Callable[..., TrainingView]]:
    made: list[TrainingView] = []

    def view(**others: Any) -> TrainingView:
        given = {"folder": tmp_path / "training", "reader": words_alone(), "train": procedure(), **others}
        made.append(TrainingView(house_in(tmp_path / "house"), **given))
        made[-1].plan = plan
        return made[-1]

    yield view
    for one in made:
        one.close()
        one.wait(30)


@pytest.mark.parametrize(
    ("language", "theme", "said"),
    [
        ("en", "light", ("ready", "Start", "classifier · step 20 of 40 · 20 s left", "done in", "step")),
        ("zh", "dark", ("就绪", "开始", "分类器 · 第 20 / 40 步 · 还需 20 秒", "已完成", "步")),
    ],
)
def test_a_training_is_begun_watched_and_judged(
    views: Callable[..., TrainingView],
    browser: Browser,
    guard: jupyter.Guard,
    pictures: Path,
    language: str,
    theme: str,
    said: tuple[str, ...],
) -> None:
    go_on = threading.Event()
    view = views(train=procedure(go_on=go_on), language=language)
    with bare_page(browser, view, theme=theme, live=True, guard=guard) as page:
        state = page.locator(".sr-train-said")
        expect(state).to_have_text(said[0])
        expect(page.locator(".sr-train-parts").last).to_contain_text("classifier.weight")
        expect(page.locator(".sr-train-is-head").last).to_be_visible()
        page.screenshot(path=pictures / f"training-before-{language}.png")
        page.get_by_role("button", name=said[1], exact=True).click()
        # The documents are opened first.
        expect(state).to_contain_text(said[2], timeout=30_000)
        expect(page.locator(".sr-train-phases [data-status=done]")).to_have_count(3)
        expect(page.locator(".sr-train-curve")).to_have_count(4)
        expect(page.locator(".sr-train-figures")).to_be_hidden()
        page.screenshot(path=pictures / f"training-{language}.png")
        go_on.set()
        expect(state).to_contain_text(said[3])
        expect(page.locator(".sr-train-scorer")).to_have_count(2 * 3)
        page.locator(".sr-train-choices button").nth(3).click()
        expect(page.locator(".sr-train-choices button").nth(3)).to_be_focused()
        page.screenshot(path=pictures / f"training-after-{language}.png", full_page=True)
    assert guard.faults == []
    assert view.fault == ""


def test_mistakes_are_walked_and_opened_by_keys_and_documents_follow(
    views: Callable[..., TrainingView], browser: Browser, guard: jupyter.Guard
) -> None:
    view = views()
    view.start()
    view.wait(30)
    with bare_page(browser, view, live=True, guard=guard) as page:
        mistakes = view.result["mistakes"]
        page.locator(".sr-training-view").focus()
        page.keyboard.press("j")
        page.keyboard.press("j")
        expect(page.locator(".sr-train-list [aria-selected=true]")).to_have_attribute("data-mistake", "1")
        page.keyboard.press("Enter")
        held = page.locator(".sr-document-view [data-block][aria-selected=true]")
        expect(held).to_have_attribute("data-block", str(mistakes[1]["block"]))
        rank = next(rank for rank, one in enumerate(mistakes) if one["document"] == "住房.md")
        page.locator(f"[data-mistake='{rank}']").click()
        expect(page.locator(".sr-doc-facts")).to_contain_text("住房.md")
        expect(held).to_have_attribute("data-block", str(mistakes[rank]["block"]))
        page.locator(".sr-train-list").focus()
        page.keyboard.press("Escape")
        expect(page.locator(".sr-document-view")).to_have_count(0)
        expect(page.locator(".sr-train-list")).to_be_focused()
        page.keyboard.press("Enter")
        expect(held).to_have_attribute("data-block", str(mistakes[rank]["block"]))
    assert guard.faults == []


def test_a_training_is_cancelled_and_begun_again(
    views: Callable[..., TrainingView], browser: Browser, guard: jupyter.Guard
) -> None:
    view = views(train=procedure(go_on=threading.Event()))
    with bare_page(browser, view, live=True, guard=guard) as page:
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".sr-train-said")).to_contain_text("classifier")
        page.get_by_role("button", name="Cancel", exact=True).click()
        expect(page.locator(".sr-train-said")).to_contain_text("cancelled after")
        expect(page.get_by_role("button", name="Cancel", exact=True)).to_be_hidden()
        page.get_by_role("button", name="Train again", exact=True).click()
        expect(page.locator(".sr-train-said")).to_contain_text("classifier")
    assert guard.faults == []


def test_a_page_without_a_kernel_shows_what_came_of_it(
    views: Callable[..., TrainingView], browser: Browser, guard: jupyter.Guard
) -> None:
    view = views()
    view.start()
    view.wait(30)
    with bare_page(browser, view, guard=guard, width=720) as page:
        expect(page.locator(".sr-train-scorer").first).to_be_visible()
        expect(page.locator(".sr-train-buttons")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert guard.faults == []
