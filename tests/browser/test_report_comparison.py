from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from workbench import open_document
from workbench.reading import Reading, SparseReader, TokenShare
from workbench.report import report_on
from workbench.report.comparison.comparing import ComparisonContents, compared
from workbench.report.contents import ReportContents
from workbench.report.rendering import rendered
from workbench.resources import datasets_dir

from . import jupyter

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=alert(1)> {{ 7 * 7 }} \u202eevil</p></section>"
FEW = TokenShare(0.1, 500)
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def readings() -> tuple[Reading, Reading]:
    document = open_document(datasets_dir() / "dev" / "artifacts" / "pump-manual.pdf")
    reader = SparseReader(scorer=None)
    left = reader.read(document, "Which torque goes on the casing bolts?", token_share=FEW)
    return left, reader.read(document, f"How often is the oil changed? {HOSTILE}", token_share=FEW)


@pytest.fixture(scope="module")
def contents(readings: tuple[Reading, Reading]) -> ComparisonContents:
    left, right = readings
    lost = sorted({*left.kept_ids} - {*right.kept_ids, *right.context_ids})
    return compared(left, right, names=("torque", HOSTILE), what="questions", gold=lost[:1])


@contextmanager
def shown(
    browser: Browser, contents: ComparisonContents, folder: Path, *, width: int = 1280, scheme: str = "light"
) -> Iterator[Page]:
    """The page of a comparison from the disk, under guard."""
    file = folder / "report.html"
    file.write_text(rendered(ReportContents("Compared", "en", ()), comparison=contents), "utf-8")
    guard = jupyter.Guard()
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    guard.watch(context, page)
    page.goto(file.as_uri())
    yield page
    context.close()
    assert guard.faults == []


def test_the_side_that_keeps_a_block_shows_it_and_the_other_says_why_it_skipped_it(
    browser: Browser, contents: ComparisonContents, tmp_path: Path
) -> None:
    with shown(browser, contents, tmp_path) as page:
        lost = contents.losses[1].blocks[0]
        row = page.locator(f"#c1-b{lost.block_id}")
        left, right = (row.locator(".cell").nth(side) for side in (0, 1))
        assert left.locator(".document-text").inner_text() == lost.text
        assert "only here" in left.inner_text() and lost.reasons[0] in left.inner_text()
        assert right.locator(".document-text").count() == 0
        assert lost.reasons[1] in right.inner_text() and "marked as evidence" in right.inner_text()
        ours, theirs = left.bounding_box(), right.bounding_box()
        assert ours and theirs
        assert ours["y"] == theirs["y"] and ours["x"] + ours["width"] <= theirs["x"]


def test_a_link_leads_from_what_was_lost_to_its_place_below_the_heads(
    browser: Browser, contents: ComparisonContents, tmp_path: Path
) -> None:
    with shown(browser, contents, tmp_path) as page:
        page.emulate_media(reduced_motion="reduce")
        block = contents.losses[1].blocks[-1].block_id
        page.locator(f".losses a[href='#c1-b{block}']").press("Enter")
        row, heads = page.locator(f"#c1-b{block}").bounding_box(), page.locator(".heads").bounding_box()
        assert row and heads
        assert heads["y"] + heads["height"] <= row["y"] < 900


def test_the_first_screen_of_two_questions_answers_the_first_and_leads_to_the_difference(
    browser: Browser, readings: tuple[Reading, Reading], tmp_path: Path
) -> None:
    file = report_on(list(readings), pictures=False).save(tmp_path / "report.html")
    guard = jupyter.Guard()
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    guard.watch(context, page)
    page.goto(file.as_uri())
    sentences = page.locator("#r1 .said p")
    assert sentences.count() == 4
    assert all(box and box["y"] + box["height"] <= 900 for box in (one.bounding_box() for one in sentences.all()))
    page.locator("nav.questions a[href='#c1']").press("Enter")
    box = page.locator("#c1-title").bounding_box()
    assert box and 0 <= box["y"] < 900
    context.close()
    assert guard.faults == []


@pytest.mark.parametrize("width", [1920, 1280, 900, 390])
def test_nothing_is_wider_than_the_page(
    browser: Browser, contents: ComparisonContents, tmp_path: Path, width: int
) -> None:
    with shown(browser, contents, tmp_path, width=width) as page:
        assert page.evaluate(OVERFLOW) == 0


def test_on_a_phone_each_side_says_its_name_one_below_the_other(
    browser: Browser, contents: ComparisonContents, tmp_path: Path
) -> None:
    with shown(browser, contents, tmp_path, width=390) as page:
        row = page.locator(f"#c1-b{contents.losses[1].blocks[0].block_id}")
        upper, lower = (row.locator(".cell").nth(side) for side in (0, 1))
        assert upper.locator(".name").inner_text() == "torque"
        assert upper.locator(".name").is_visible() and lower.locator(".name").is_visible()
        above, below = upper.bounding_box(), lower.bounding_box()
        assert above and below and above["y"] + above["height"] <= below["y"]


def test_nothing_of_a_question_or_a_name_is_taken_for_markup(
    browser: Browser, contents: ComparisonContents, tmp_path: Path
) -> None:
    with shown(browser, contents, tmp_path) as page:
        assert page.locator("main img").count() == 0
        assert "{{ 7 * 7 }}" in page.locator(".asked").inner_text()
        assert "\u202e" not in page.locator(".heads").inner_text()


def test_in_print_both_sides_stand_beside_each_other(
    browser: Browser, contents: ComparisonContents, tmp_path: Path
) -> None:
    with shown(browser, contents, tmp_path, width=720) as page:
        page.emulate_media(media="print")
        row = page.locator(f"#c1-b{contents.losses[1].blocks[0].block_id}")
        left, right = (row.locator(".cell").nth(side).bounding_box() for side in (0, 1))
        assert left and right
        assert left["y"] == right["y"]
