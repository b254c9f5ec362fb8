"""The links of a report: they lead to what they name, from a disk and in the frame that a notebook shows it in."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, expect

from tests.report.test_page import contents_of, report_of
from workbench.report.contents import ReadingContents
from workbench.report.rendering import rendered
from workbench.report.report import Report

from . import jupyter
from .test_report import opened, search

pytestmark = pytest.mark.browser

BARS = ("pages", "kept", "skipped", "decision", "money")


@pytest.fixture(scope="module")
def said() -> ReadingContents:
    return contents_of()


@pytest.fixture(scope="module")
def report(said: ReadingContents) -> str:
    return rendered(report_of(said))


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, the base class names it so
        """Say nothing: what is asked for is no part of the test's output."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine until the block ends, and give its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def in_a_frame(browser: Browser, guard: jupyter.Guard, folder: Path, report: str) -> Iterator[Frame]:
    """Open a page that shows a report as a notebook does, and give the frame."""
    shown = Report("What was kept", report)._repr_html_()
    host = f'<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Host</title>{shown}'
    (folder / "host.html").write_text(host, encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(5_000)
    guard.watch(context, page)
    with served(folder) as address:
        page.goto(f"{address}/host.html")
        frame = page.frames[1]
        frame.wait_for_selector("[data-search]")
        yield frame
        assert frame.evaluate("location.href") == "about:srcdoc"
        assert page.url == f"{address}/host.html"
    context.close()


@pytest.mark.parametrize("part", BARS)
def test_in_a_notebook_the_bar_leads_to_a_part_of_the_report(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, report: str, part: str
) -> None:
    with in_a_frame(browser, guard, tmp_path, report) as frame:
        frame.locator(f".bar nav a[href='#r1-{part}']").click()
        expect(frame.locator(f"#r1-{part}")).to_be_focused()
        expect(frame.locator(f"#r1-{part}-title")).to_be_in_viewport()
    assert guard.faults == []


def test_in_a_notebook_links_lead_to_blocks_in_what_is_folded(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    with in_a_frame(browser, guard, tmp_path, report) as frame:
        gap = frame.locator(".gap a").first
        block = frame.locator(str(gap.get_attribute("href")))
        expect(block).to_be_hidden()
        gap.click()
        expect(block).to_be_focused()
        expect(block).to_be_in_viewport()
        # Out of the large page, and by key.
        frame.locator(".thumb[data-page='3']").click()
        link = frame.locator(f"dialog li[data-block='{said.pages[2].skipped[0]}'] a")
        link.press("Enter")
        expect(frame.locator("dialog")).to_be_hidden()
        expect(frame.locator(f"#r1-b{said.pages[2].skipped[0]}")).to_be_focused()
        frame.locator("rect.kept").first.click()
        kept = next(block for run in said.runs for block in run.blocks if block.status == "kept")
        expect(frame.locator(f"#r1-b{kept.block_id}")).to_be_in_viewport()
    assert guard.faults == []


def test_from_the_disk_the_address_follows_a_link_and_leads_back(browser: Browser, tmp_path: Path, report: str) -> None:
    with opened(browser, tmp_path, report) as page:
        page.locator(".bar nav a[href='#r1-money']").click()
        page.locator(".bar nav a[href='#r1-kept']").click()
        assert page.url.endswith("#r1-kept")
        page.go_back()
        assert page.url.endswith("#r1-money")
        expect(page.locator("#r1-money-title")).to_be_in_viewport()


@pytest.mark.parametrize("by", ["mouse", "key"])
def test_a_link_to_what_was_skipped_brings_it_back_when_only_the_kept_is_shown(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, report: str, by: str
) -> None:
    with opened(browser, tmp_path, report, guard=guard) as page:
        page.keyboard.press("f")
        expect(page.locator("#r1-skipped")).to_be_hidden()
        link = page.locator(".bar nav a[href='#r1-skipped']")
        if by == "mouse":
            link.click()
        else:
            link.press("Enter")
        expect(page.locator("#r1-skipped-title")).to_be_in_viewport()
        expect(page.get_by_role("button", name="Only what was kept")).to_have_attribute("aria-pressed", "false")
    assert guard.faults == []


def test_a_link_to_a_block_that_a_search_has_hidden_ends_the_search(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    lacking = next(b.block_id for part in said.skipped for b in part.blocks if "revenue" not in b.text.lower())
    with opened(browser, tmp_path, report, guard=guard) as page:
        search(page, "revenue")
        expect(page.locator(f"#r1-b{lacking}")).to_be_hidden()
        page.evaluate(f"document.querySelector('.gap a').setAttribute('href', '#r1-b{lacking}')")
        page.locator(".gap a").first.click()
        expect(page.locator(f"#r1-b{lacking}")).to_be_focused()
        expect(page.locator("[data-search] input")).to_have_value("")
    assert guard.faults == []


def test_turning_to_the_last_page_by_key_leaves_the_focus_on_the_button(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    pages = len(said.pages)
    with opened(browser, tmp_path, report, guard=guard) as page:
        page.locator(f".thumb[data-page='{pages - 1}']").press("Enter")
        button = page.get_by_role("button", name="Next", exact=False).and_(page.locator("dialog button"))
        button.focus()
        for _ in range(3):
            page.keyboard.press("Enter")
            expect(page.locator("#zoom-title")).to_have_text(f"Page {pages} of {pages}")
            expect(button).to_be_focused()
        expect(button).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#zoom-title")).to_have_text(f"Page {pages - 1} of {pages}")
        expect(button).to_have_attribute("aria-disabled", "false")
    assert guard.faults == []


def test_on_a_narrow_screen_the_title_is_still_read_out(browser: Browser, tmp_path: Path, report: str) -> None:
    with opened(browser, tmp_path, report, viewport={"width": 390, "height": 844}) as page:
        title = page.get_by_role("heading", level=1)
        expect(title).to_have_text("What was kept")
        box = title.bounding_box()
        assert box is not None
        assert box["width"] <= 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_pages_are_shown_and_opened_though_the_first_has_no_sheet(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents
) -> None:
    text = dataclasses.replace(said.pages[0], width=0.0, height=0.0, picture="", marks=())
    mixed = dataclasses.replace(said, pages=(text, *said.pages[1:]))
    with opened(browser, tmp_path, rendered(report_of(mixed)), guard=guard) as page:
        assert page.locator(".thumb:visible").count() == len(said.pages)
        assert page.locator(".thumb .sheet").count() == len(said.pages) - 1
        page.locator(".thumb[data-page='1']").click()
        expect(page.locator("dialog .why-page")).to_have_text(text.sentence)
        expect(page.locator("dialog .zoom-page")).to_be_hidden()
        page.keyboard.press("ArrowRight")
        expect(page.locator("dialog .sheet")).to_be_visible()
    assert guard.faults == []


def test_one_token_of_the_strip_is_one_token(browser: Browser, tmp_path: Path, said: ReadingContents) -> None:
    run = said.runs[0]
    alone = dataclasses.replace(run, blocks=(dataclasses.replace(run.blocks[0], tokens=1),))
    with opened(browser, tmp_path, rendered(report_of(dataclasses.replace(said, runs=(alone,))))) as page:
        told = page.locator(".strip rect title").all_text_contents()
        assert [text.rpartition(": ")[2] for text in told] == ["1 token"]
