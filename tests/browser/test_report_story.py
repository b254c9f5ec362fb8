"""The story of a workload in a browser: nothing asked of anybody, nothing wider than the screen, nothing hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.report.story.made_stories import made_in
from workbench.report.story.making import report_on_workload

from .jupyter import Guard

pytestmark = pytest.mark.browser

SIZES = {"projector": (1280, 720), "desk": (1920, 1080), "phone": (390, 844)}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = made_in(tmp_path_factory.mktemp("depots"))
    report = report_on_workload(
        made.workload, made.profile, outcomes=made.outcomes, reader=made.reader, progress=False
    )  # fmt: skip
    return report.save(tmp_path_factory.mktemp("story") / "story.html")


@pytest.fixture(params=[*SIZES, "dark", "without scripts"])
def opened(request: pytest.FixtureRequest, browser: Browser, page_file: Path) -> Iterator[Page]:
    width, height = SIZES.get(request.param, SIZES["projector"])
    guard = Guard()
    with browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if request.param == "dark" else "light",
        java_script_enabled=request.param != "without scripts",
        reduced_motion="reduce",
    ) as context:
        page = context.new_page()
        guard.watch(context, page)
        page.goto(page_file.as_uri())
        yield page
    assert guard.faults == []


def test_the_first_screen_has_the_headline_the_numbers_and_where_they_hold(opened: Page) -> None:
    size = opened.viewport_size
    assert size is not None
    for selector in (
        "#workload-headline",
        ".story-head .kept-number dd",
        ".story-head .lost-number dd",
        ".what .sample",
    ):
        box = opened.locator(selector).bounding_box()
        assert box is not None, selector
        assert box["y"] + box["height"] <= size["height"], selector
    if size["width"] > 1000:
        box = opened.locator("#workload-scenarios .chart").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size["height"]


def test_the_story_is_no_wider_than_the_screen(opened: Page) -> None:
    size = opened.viewport_size
    assert size is not None
    for part in opened.locator("#workload > *").all():
        box = part.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= size["width"] + 0.5


def test_every_loss_is_in_sight_without_a_click_and_leads_to_its_block(opened: Page) -> None:
    losses = opened.locator("#workload-lost .loss-head .request b").all_inner_texts()
    assert losses[:2] == ["1-hidden", "0-hidden"]
    assert all(found.is_visible() for found in opened.locator("#workload-lost .why-lost").all())
    for link in opened.locator("#case-worst .pieces a").all():
        target = link.get_attribute("href")
        assert target is not None
        assert opened.locator(target).count() == 1


def test_each_case_leads_to_its_full_reading(opened: Page) -> None:
    for kind in ("best", "typical", "worst"):
        assert opened.locator(f"#case-{kind} .case-open a").get_attribute("href") == f"#{kind}"
        assert opened.locator(f"article#{kind} .kept-text, article#{kind} .part").count() > 0


def test_a_list_of_requests_opens_by_the_keyboard(opened: Page) -> None:
    summary = opened.locator("#workload-alone summary").first
    assert not opened.locator("#workload-alone .list li").first.is_visible()
    summary.focus()
    opened.keyboard.press("Enter")
    assert opened.locator("#workload-alone .list li").first.is_visible()


def test_money_follows_the_price_that_somebody_writes(browser: Browser, page_file: Path) -> None:
    guard = Guard()
    with browser.new_context() as context:
        page = context.new_page()
        guard.watch(context, page)
        page.goto(page_file.as_uri())
        head = page.locator("#workload [data-head-money] [data-year]")
        before = float(head.inner_text().replace(",", ""))
        field = page.locator("#workload-money [data-field='requests_per_day'] input")
        field.fill("2000")
        assert float(head.inner_text().replace(",", "")) == pytest.approx(2 * before, rel=0.01)
    assert guard.faults == []


def test_in_print_every_request_is_there_that_is_folded_on_the_screen(browser: Browser, page_file: Path) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(page_file.as_uri())
        folded = page.locator("#workload-alone .list li").first
        assert not folded.is_visible()
        page.emulate_media(media="print")
        assert folded.is_visible()
