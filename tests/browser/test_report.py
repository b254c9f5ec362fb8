"""A report as its reader meets it: opened from a disk, searched, zoomed, reckoned with, printed; or without scripts."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.report.made import REPORT_ZH, reading_of, shipped_profile
from tests.report.test_page import HOSTILE, contents_of, hostile_contents, report_of
from workbench.report.contents import ReadingContents, SkippedBlock, SkippedPart
from workbench.report.pages.facts import page_facts
from workbench.report.pages.pictures import Pictures
from workbench.report.prices import Price, PriceTable, amount
from workbench.report.reading_contents import reading_contents
from workbench.report.rendering import rendered

from . import jupyter

pytestmark = pytest.mark.browser

SIZES = ((1280, 720), (1920, 1080), (390, 844))


@contextlib.contextmanager
def opened(
    browser: Browser, folder: Path, page: str, *, guard: jupyter.Guard | None = None, **options: Any
) -> Iterator[Page]:
    """Open a page from the disk, as from a mail attachment."""
    path = folder / "report.html"
    path.write_text(page, encoding="utf-8")
    context = browser.new_context(**({"viewport": {"width": 1280, "height": 720}} | options))
    found = context.new_page()
    if guard is not None:
        guard.watch(context, found)
    found.goto(path.as_uri())
    yield found
    context.close()


@pytest.fixture(scope="module")
def said() -> ReadingContents:
    return contents_of()


@pytest.fixture(scope="module")
def report(said: ReadingContents) -> str:
    return rendered(report_of(said))


def search(page: Page, words: str) -> str:
    """Type words into the search, and return what it says."""
    page.keyboard.press("/")
    field = page.locator("[data-search] input")
    expect(field).to_be_focused()
    field.fill("")
    expect(page.locator("[data-search] output")).to_have_text("")
    field.press_sequentially(words)
    expect(page.locator("[data-search] output")).not_to_have_text("")
    return page.locator("[data-search] output").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_it_opens_from_the_disk_at_every_size_and_asks_nobody(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, pictures: Path, size: tuple[int, int], scheme: Any
) -> None:
    reading, drawn = reading_of(REPORT_ZH), Pictures()
    pages = page_facts(reading, language="zh", pictures=drawn)
    said = reading_contents(reading, language="zh", pages=pages, profile=shipped_profile())
    page_text = rendered(report_of(said, language="zh", pictures=drawn.found))
    viewport = {"width": size[0], "height": size[1]}
    with opened(browser, tmp_path, page_text, guard=guard, viewport=viewport, color_scheme=scheme) as page:
        page.screenshot(path=pictures / f"report-{size[0]}-{scheme}.png")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        if size[0] > 1000:
            # Question, sentences, numbers and the beginning of the pages are on the first screen.
            top = page.locator(".strip").bounding_box()
            assert top is not None
            assert top["y"] + top["height"] < size[1]
        page.locator(".thumb").first.click()
        expect(page.locator("dialog .sheet use")).to_be_visible()
        page.screenshot(path=pictures / f"report-zoom-{size[0]}-{scheme}.png")
    assert guard.faults == []


def test_search_finds_what_was_skipped_and_counts_what_was_kept(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    skipped = sum(b.text.lower().count("revenue") for part in said.skipped for b in part.blocks)
    kept = sum(piece.lower().count("revenue") for run in said.runs for b in run.blocks for piece in b.pieces)
    assert skipped > 1
    assert kept
    with opened(browser, tmp_path, report, guard=guard) as page:
        told = search(page, "ReVeNuE")
        assert told.startswith(f"{skipped} places in what was skipped")
        assert told.endswith(f"{kept} in what was kept")
        assert page.evaluate("CSS.highlights.get('report-hit').size") == skipped + kept
        shown = page.locator(".section li:visible p").all_text_contents()
        assert shown
        assert all("revenue" in text.lower() for text in shown)
        page.keyboard.press("Enter")
        expect(page.locator("[data-search] output")).to_contain_text(f"1 of {skipped + kept}")
        expect(page.locator(".now")).to_be_in_viewport()
        page.keyboard.press("Shift+Enter")
        expect(page.locator("[data-search] output")).to_contain_text(f"{skipped + kept} of {skipped + kept}")
        expect(page.locator("#r1-kept .now")).to_be_in_viewport()
        page.keyboard.press("Escape")
        expect(page.locator("[data-search] output")).to_have_text("")
        assert page.locator(".section[open]").count() == 0
        assert not page.evaluate("CSS.highlights.has('report-hit')")
    assert guard.faults == []


@pytest.mark.parametrize("words", ["no such words", ".*", "(", "\\d+", "[a-z]"])
def test_search_takes_words_as_they_are_and_says_when_there_are_none(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, words: str
) -> None:
    said = contents_of("harbor-manual.md")
    texts = [block.text for part in said.skipped for block in part.blocks]
    count = sum(text.lower().count(words.lower()) for text in texts)
    with opened(browser, tmp_path, rendered(report_of(said)), guard=guard) as page:
        told = search(page, words)
        if not count:
            assert told.startswith(f"Nothing that was skipped contains “{words}”")
            assert page.locator(".section:visible").count() == 0
        else:
            assert told.startswith(f"{count} place")
    assert guard.faults == []


def test_search_is_not_led_astray_by_letters_that_grow_in_lower_case(browser: Browser, tmp_path: Path) -> None:
    said = contents_of("harbor-manual.md")
    block = SkippedBlock(900, 1, "paragraph", "İSTANBUL\tRECEIPT", 4, "Because.", 0.1, 0.1)
    alone = dataclasses.replace(said, skipped=(SkippedPart(("One",), (1, 1), 4, 0.1, "Because.", (block,)),))
    with opened(browser, tmp_path, rendered(report_of(alone))) as page:
        assert search(page, "receipt").startswith("1 place")
        assert page.evaluate("[...CSS.highlights.get('report-hit')].map(String)") == ["RECEIPT"]
        assert search(page, "l receipt").startswith("1 place")


def test_without_highlights_the_blocks_are_still_found(browser: Browser, tmp_path: Path, report: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(report, encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete CSS.highlights; Object.defineProperty(CSS, 'highlights', { value: undefined })")
    page.goto(path.as_uri())
    assert "in what was skipped" in search(page, "board")
    assert page.locator(".section li.hit:visible").count()
    context.close()


def test_a_page_number_opens_its_page_and_says_why(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    dropped = next(page for page in said.pages if page.skipped and not page.kept and page.number > 1)
    with opened(browser, tmp_path, report, guard=guard) as page:
        field = page.get_by_label("Why was this page dropped or kept? Page")
        field.fill(str(dropped.number))
        field.press("Enter")
        zoom = page.locator("dialog.zoom")
        expect(zoom).to_be_visible()
        expect(zoom.locator("#zoom-title")).to_have_text(f"Page {dropped.number} of {len(said.pages)}")
        expect(zoom.locator(".why-page")).to_have_text(dropped.sentence)
        reasons = {block.block_id: block.reason for part in said.skipped for block in part.blocks}
        items = zoom.locator("li")
        assert [text.split("\n")[0] for text in items.all_inner_texts()] == [f"#{block}" for block in dropped.skipped]
        assert zoom.locator("li .reason").all_inner_texts() == [reasons[block] for block in dropped.skipped]
        page.keyboard.press("ArrowRight")
        expect(zoom.locator("#zoom-title")).to_have_text(f"Page {dropped.number + 1} of {len(said.pages)}")
        page.keyboard.press("ArrowLeft")
        zoom.get_by_role("button", name="Previous").click()
        expect(zoom.locator("#zoom-title")).to_have_text(f"Page {dropped.number - 1} of {len(said.pages)}")
        page.keyboard.press("Escape")
        expect(zoom).to_be_hidden()
    assert guard.faults == []


@pytest.mark.parametrize("given", ["0", "54", "1e1", "-3", "", "9999999999999"])
def test_a_page_that_is_not_there_is_told_in_one_sentence(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, report: str, given: str
) -> None:
    with opened(browser, tmp_path, report, guard=guard) as page:
        field = page.get_by_label("Why was this page dropped or kept? Page")
        field.fill(given)
        field.press("Enter")
        told = f"There is no page “{given}” here; give a number from 1 to 53."
        expect(page.locator("[data-finder] output")).to_have_text(told)
        expect(page.locator("dialog")).to_be_hidden()
    assert guard.faults == []


def test_a_thumbnail_opens_by_key_and_leads_to_a_skipped_block(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    with opened(browser, tmp_path, report, guard=guard) as page:
        page.locator(".thumb[data-page='3']").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#zoom-title")).to_have_text(f"Page 3 of {len(said.pages)}")
        block = said.pages[2].skipped[0]
        link = page.locator(f"dialog li[data-block='{block}'] a")
        link.focus()
        assert page.locator(f"dialog .sheet path.on[data-block='{block}']").count()
        page.keyboard.press("Enter")
        expect(page.locator("dialog")).to_be_hidden()
        expect(page.locator(f"#r1-b{block}")).to_be_focused()
        expect(page.locator(f"#r1-b{block}")).to_be_in_viewport()
    assert guard.faults == []


def test_the_switch_leaves_what_was_kept_and_a_search_brings_the_rest_back(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, report: str
) -> None:
    with opened(browser, tmp_path, report, guard=guard) as page:
        page.keyboard.press("f")
        expect(page.get_by_role("button", name="Only what was kept")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#r1-skipped")).to_be_hidden()
        expect(page.locator("#r1-kept .block").first).to_be_visible()
        search(page, "board")
        expect(page.locator("#r1-skipped")).to_be_visible()
        # What is typed is no command.
        page.keyboard.type("f")
        expect(page.locator("#r1-skipped")).to_be_visible()
        page.get_by_role("button", name="Only the").click()
        shown = page.locator(".thumb:visible").count()
        assert shown == page.locator(".thumb.touched").count()
    assert guard.faults == []


def test_prices_changed_by_keyboard_change_the_saving_of_a_year(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    fewer = said.saving.tokens_total - said.saving.rendered
    with opened(browser, tmp_path, report, guard=guard) as page:
        year = page.locator("[data-year]")
        expect(year).to_have_text(amount(fewer * 1000 * 250 / 1e6))
        requests = page.get_by_label("Requests a day")
        requests.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type("2,000")
        expect(year).to_have_text(amount(fewer * 2000 * 250 / 1e6))
        price = page.get_by_label("Price of medium model per million input tokens")
        price.fill("2.5")
        expect(year).to_have_text(amount(fewer * 2000 * 250 * 2.5 / 1e6))
        expect(page.locator("[data-assumption]")).to_contain_text("2,000 requests like this a day")
        page.get_by_label("Show large model").press("Space")
        expect(year).to_have_text(amount(fewer * 2000 * 250 * 5 / 1e6))
        page.get_by_role("button", name="Add a model").press("Enter")
        page.keyboard.type("ours")
        assert page.get_by_label("Name of model 4").input_value() == "ours"
        page.get_by_role("button", name="Remove large model").press("Enter")
        assert page.locator(".prices tbody tr").count() == 3
        page.get_by_role("button", name="Back to the first values").press("Enter")
        expect(year).to_have_text(amount(fewer * 1000 * 250 / 1e6))
        assert page.locator(".prices tbody tr").count() == 3
    assert guard.faults == []


@pytest.mark.parametrize(
    ("label", "given", "said_of_it"),
    [
        ("Price of small model per million input tokens", "-1", "“-1” is no price; give a number from 0 to 100,000"),
        ("Price of small model per million input tokens", "NaN", "“NaN” is no price"),
        ("Price of small model per million input tokens", "1e9", "“1e9” is no price"),
        ("Price of small model per million input tokens", "0,5", "“0,5” is no price"),
        ("Price of small model per million input tokens", "100001", "“100001” is no price"),
        ("Requests a day", "0", "“0” is no number of requests; give a whole number from 1 to 1,000,000,000."),
        ("Requests a day", "9999999999", "“9999999999” is no number of requests"),
        ("Days a year", "367", "“367” is no number of days; give a whole number from 1 to 366."),
        ("Currency", " ", "“ ” is no currency; give 1 to 8 characters"),
        ("Name of model 1", "", "“” is no name; give 1 to 80 characters."),
    ],
)
def test_a_value_that_is_none_is_refused_in_one_sentence(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path, report: str, label: str, given: str, said_of_it: str
) -> None:
    with opened(browser, tmp_path, report, guard=guard) as page:
        before = page.locator("[data-year]").inner_text()
        field = page.get_by_label(label, exact=True)
        field.fill(given)
        expect(page.locator(".price-fault")).to_contain_text(said_of_it)
        expect(field).to_have_attribute("aria-invalid", "true")
        assert page.locator("[data-year]").inner_text() == before
    assert guard.faults == []


def test_the_script_reckons_as_the_file_does(browser: Browser, tmp_path: Path, said: ReadingContents) -> None:
    models = tuple(Price(f"m{rank}", price) for rank, price in enumerate((0, 0.0001, 0.037, 0.15, 3, 14.65, 99_999.5)))
    table = PriceTable(models, requests_per_day=7, days_per_year=366, shown=3)
    out = rendered(report_of(said), prices=table)
    told = []
    for scripts in (False, True):
        with opened(browser, tmp_path, out, java_script_enabled=scripts) as page:
            told.append(page.locator("[data-figure], [data-year], [data-assumption]").all_inner_texts())
    assert told[0] == told[1]
    assert len(told[0]) == 7 * 5 + 2


def test_prices_of_one_question_are_those_of_all(browser: Browser, tmp_path: Path, said: ReadingContents) -> None:
    two = rendered(report_of(said, dataclasses.replace(said, key="r2", question="And what else?")))
    with opened(browser, tmp_path, two) as page:
        page.locator("#r2-money").get_by_label("Requests a day").fill("10")
        years = page.locator("[data-year]").all_inner_texts()
        assert years[0] == years[1] == amount((said.saving.tokens_total - said.saving.rendered) * 10 * 250 / 1e6)
        assert page.locator("#r1-money").get_by_label("Requests a day").input_value() == "10"
        page.get_by_role("link", name="And what else?").click()
        expect(page.locator("#r2-question")).to_be_in_viewport()


def test_hostile_text_is_shown_and_does_nothing(browser: Browser, guard: jupyter.Guard, tmp_path: Path) -> None:
    out = rendered(dataclasses.replace(report_of(hostile_contents()), title=HOSTILE[0]))
    with opened(browser, tmp_path, out, guard=guard) as page:
        assert page.locator(".kept-text .document-text").all_text_contents() == list(HOSTILE)
        assert page.locator(".section li p").all_text_contents() == list(HOSTILE)
        assert search(page, "<script>").startswith("1 place")
        page.keyboard.press("Escape")
        for summary in page.locator("summary").all():
            if summary.is_visible():
                summary.click()
        page.get_by_label("Name of model 1").fill(HOSTILE[1])
        assert page.evaluate("globalThis.harmed") is None
        assert page.locator("main h1, main img, main script").count() == 0
        # An override of the direction ends with its text: the reason after it is not turned around.
        assert page.evaluate("getComputedStyle(document.querySelector('.section li p')).unicodeBidi") == "isolate"
    assert guard.faults == []


def test_without_scripts_everything_is_said(
    browser: Browser, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    with opened(browser, tmp_path, report, java_script_enabled=False) as page:
        for sentence in said.headline:
            expect(page.get_by_text(sentence, exact=True)).to_be_visible()
        assert page.locator("form:visible, button:visible").count() == 0
        assert page.locator(".prices tbody tr:visible").count() == 3
        assert page.locator("#r1-kept .document-text:visible").count() == sum(
            len(block.pieces[0].split("\t")) if block.table >= 0 else 1 for run in said.runs for block in run.blocks
        )
        page.locator(".section summary").first.click()
        expect(page.locator(f"#r1-b{said.skipped[0].blocks[0].block_id}")).to_be_visible()
        page.locator(".thumb[data-page='5']").click()
        expect(page.locator("#r1-p5 .sentence")).to_be_in_viewport()
        assert page.locator("#r1-p5 .sentence").inner_text() == said.pages[4].sentence


def test_print_has_the_kept_text_and_a_sentence_for_each_skipped_section(
    browser: Browser, tmp_path: Path, said: ReadingContents, report: str
) -> None:
    with opened(browser, tmp_path, report, color_scheme="dark") as page:
        search(page, "no such words")
        page.get_by_role("button", name="Only the").click()
        page.get_by_role("button", name="Only what was kept").click()
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.locator("button:visible, form:visible").count() == 0
        assert page.locator("#r1-kept .block:visible, #r1-kept tr:visible").count() == said.saving.blocks_kept
        assert page.locator(".section .because:visible").count() == len(said.skipped)
        assert page.locator(".section li:visible").count() == 0
        assert page.locator(".thumb:visible").count() == len(said.pages)
        # Every page in one sentence, and no promise that only the file keeps.
        assert page.locator(".page-list .sentence:visible").all_inner_texts() == [one.sentence for one in said.pages]
        told = page.locator("main").inner_text()
        assert "are left out: they are in the HTML file of this report" in told
        assert "each block with its reason" not in told
        assert "opens why it was kept" not in told
        assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


def test_eight_thousand_skipped_blocks_are_searched_at_once(
    browser: Browser, guard: jupyter.Guard, tmp_path: Path
) -> None:
    said = contents_of("harbor-manual.md")
    parts = []
    for number in range(100):
        blocks = tuple(
            SkippedBlock(
                1000 + number * 80 + rank, 1, "paragraph", f"Clause {number}.{rank} " * 20, 90, "Far.", 0.1, 0.1
            )
            for rank in range(80)
        )
        parts.append(SkippedPart((f"Part {number}",), (1, 1), 7_200, 0.1, "Far.", blocks))
    out = rendered(report_of(dataclasses.replace(said, skipped=tuple(parts))))
    with opened(browser, tmp_path, out, guard=guard) as page:
        assert search(page, "clause").startswith("160,000 places in what was skipped")
        assert search(page, "clause 99.79").startswith("20 places")
        assert page.locator(".section li:visible").count() == 1
    assert guard.faults == []
