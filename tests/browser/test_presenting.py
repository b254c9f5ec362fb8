"""A document presented: keys, the switch that fades skipped text away, counters that add up, and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.workload.made_depots import depots_in
from tests.workspace.made import house_in, words_alone
from workbench.report.prices import Price, PriceTable, shipped_prices
from workbench.resources import datasets_dir
from workbench.widgets import Workbench
from workbench.workload import Workload, load_workload

from . import jupyter
from .bare import bare_page
from .serving import serving
from .test_workbench import DRAWN

pytestmark = pytest.mark.browser

Benches = Callable[..., Workbench]
PRESENTED = "() => document.querySelector('.sr-pr-view')?.dataset.painted > 0"
OPEN = "dialog.sr-pr-dialog[open]"
HERE = ".sr-pr-scroll [aria-current]"
PLACE = ".sr-pr-place"
SKIPPED = ".sr-pr-block[data-status=skipped]"
PROJECTOR = {"width": 1280, "height": 720}
ALIKE = pytest.approx


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Benches]:
    made: list[Workbench] = []

    def bench(workload: Workload | None = None, **others: Any) -> Workbench:
        given = house_in(tmp_path / "house") if workload is None else workload
        made.append(Workbench(given, **{"reader": words_alone(), "folder": tmp_path / "space", **others}))
        return made[-1]

    yield bench
    for one in made:
        one.close()
        one.bench.jobs.wait_for_all(60)


@pytest.fixture(scope="module")
def manual() -> Workload:
    return load_workload(datasets_dir() / "dev").of_documents(["artifacts/pump-manual.pdf"])


def figure(page: Page, name: str) -> float:
    """Return what a counter says, whether or not its number has come to rest."""
    return float(page.locator(f"[data-figure={name}] output").get_attribute("data-value") or "nan")


def place(page: Page) -> str:
    return page.locator(PLACE).inner_text()


def present(page: Page) -> None:
    page.locator(".sr-workbench").focus()
    page.keyboard.press("P")
    page.wait_for_function(PRESENTED)


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh")])
@pytest.mark.parametrize("width", [1280, 1920])
def test_on_a_projector_question_text_and_counters_are_large_and_in_sight(
    benches: Benches, manual: Workload, browser: Browser, pictures: Path, theme: str, language: str, width: int
) -> None:
    bench = benches(manual, reader=words_alone(share=0.1), language=language)
    bench.open("pump-manual-02")
    guard = jupyter.Guard()
    size = {"width": width, "height": 720 * width // 1280}
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN, theme=theme, **size) as page:
        present(page)
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.locator(HERE).first.wait_for()
        page.wait_for_timeout(700)
        page.screenshot(path=pictures / f"presenting-{language}-{theme}-{width}.png")
        sizes = page.locator(f"{HERE} .sr-doc-text").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert sizes >= 22
        for seen in (".sr-pr-question", ".sr-pr-bar", ".sr-pr-fade", ".sr-pr-leave"):
            expect(page.locator(seen)).to_be_in_viewport(ratio=1)
        expect(page.locator(".sr-pr-question")).to_have_text(bench.question)
        expect(page.locator(HERE).first).to_be_in_viewport()
        assert page.evaluate("document.querySelector('.sr-pr-stage').scrollWidth") <= width
        page.keyboard.press("f")
        expect(page.locator(SKIPPED).first).to_be_hidden()
        page.wait_for_timeout(700)
        page.screenshot(path=pictures / f"presenting-faded-{language}-{theme}-{width}.png")
        expect(page.locator(HERE).first).to_be_in_viewport()
    assert guard.faults == []


def test_the_counters_run_from_nothing_to_what_the_reading_saves(
    benches: Benches, manual: Workload, browser: Browser
) -> None:
    bench = benches(manual, reader=words_alone(share=0.1))
    bench.open("pump-manual-02")
    saving = bench.reading.saving
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        expect(page.locator("[data-figure=year] .sr-pr-more")).to_contain_text(f"{saving.rendered_tokens:,} instead")
        assert (place(page), figure(page, "read"), figure(page, "passed")) == ("beginning", 0, 0)
        read, stops = [0.0], [place(page)]
        while stops[-1] != "end":
            page.keyboard.press("ArrowRight")
            read.append(figure(page, "read"))
            stops.append(place(page))
        assert read == sorted(read)
        assert all(after > before for before, after in pairwise(read[:-1]))
        count = len(stops) - 2
        assert stops[1:-1] == [f"{number} / {count}" for number in range(1, count + 1)]
        assert figure(page, "read") == saving.tokens_kept
        assert figure(page, "passed") == saving.tokens_skipped
        expect(page.locator("[data-figure=read] output")).to_have_text(f"{saving.tokens_kept:,}")
        row = shipped_prices("en").saved(saving.tokens_total, saving.rendered_tokens)[1]
        assert figure(page, "cost") == ALIKE(row.kept * 1000)
        assert figure(page, "year") == ALIKE(row.per_year)
        expect(page.locator(".sr-pr-view > [role=status]")).to_have_text(
            f"End. {saving.tokens_kept:,} of {saving.tokens_total:,} tokens read, {saving.tokens_skipped:,} skipped."
        )


def test_keys_of_slides_lead_through_the_kept_passages(benches: Benches, manual: Workload, browser: Browser) -> None:
    bench = benches(manual, reader=words_alone(share=0.1))
    bench.open("pump-manual-02")
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        for key, number in (
            *((key, rank) for rank, key in enumerate(("ArrowRight", "ArrowDown", "Space", "PageDown"), start=1)),
            *((key, 3 - rank) for rank, key in enumerate(("ArrowLeft", "ArrowUp", "PageUp"))),
        ):
            page.keyboard.press(key)
            expected = f"{number} /" if number else "beginning"
            assert place(page).startswith(expected), key
        page.keyboard.press("End")
        assert place(page) == "end"
        page.keyboard.press("Home")
        assert place(page) == "beginning"
        kept = set(bench.reading.kept_ids)
        page.keyboard.press("ArrowRight")
        here = page.locator(HERE).evaluate_all("rows => rows.map(row => Number(row.dataset.block))")
        assert here
        assert set(here) <= kept
        page.keyboard.press("e")
        here = page.locator(HERE).evaluate_all("rows => rows.map(row => Number(row.dataset.block))")
        assert set(here) & set(bench.gold)


def test_skipped_text_fades_to_lines_that_say_how_much_and_open_in_place(
    benches: Benches, manual: Workload, browser: Browser
) -> None:
    bench = benches(manual, reader=words_alone(share=0.1))
    bench.open("pump-manual-02")
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        switch, lines = page.get_by_role("switch"), page.locator(".sr-pr-run")
        expect(page.locator(SKIPPED).first).to_be_visible()
        expect(lines.first).to_be_hidden()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("f")
        expect(switch).to_have_attribute("aria-checked", "true")
        expect(page.locator(f"{SKIPPED}:visible")).to_have_count(0)
        said = lines.evaluate_all("lines => lines.map(line => line.textContent.match(/[\\d,]+/g))")
        assert sum(int(tokens.replace(",", "")) for _, tokens in said) == bench.reading.saving.tokens_skipped
        page.keyboard.press("Enter")
        opened = page.locator(".sr-pr-run[aria-expanded=true]")
        expect(opened).to_have_count(1)
        expect(page.locator(f"{SKIPPED}:visible")).to_have_count(int(opened.inner_text().split()[0]))
        opened.click()
        expect(page.locator(f"{SKIPPED}:visible")).to_have_count(0)
        switch.click()
        expect(page.locator(SKIPPED).first).to_be_visible()
        assert place(page).startswith("1 /")


def test_evidence_that_was_skipped_is_named_even_where_it_is_faded(
    benches: Benches, manual: Workload, browser: Browser
) -> None:
    bench = benches(manual, reader=words_alone(share=0.002))
    bench.open("pump-manual-02")
    lost = set(bench.gold) - set(bench.reading.kept_ids)
    assert lost
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        page.keyboard.press("f")
        said = page.locator(".sr-pr-run-gold").all_text_contents()
        assert sum(int(words.split()[0]) for words in said) == len(lost)
        for block in lost:
            expect(page.locator(f".sr-pr-block[data-block='{block}'] .sr-pr-mark")).to_contain_text("evidence skipped")


def test_prices_are_changed_in_place_and_money_follows(benches: Benches, manual: Workload, browser: Browser) -> None:
    bench = benches(manual, reader=words_alone(share=0.1))
    bench.open("pump-manual-02")
    saving = bench.reading.saving
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        page.keyboard.press("End")
        expect(page.locator("[data-figure=year] .sr-pr-more")).to_contain_text(f"{saving.rendered_tokens:,} instead")
        price, day, model = page.locator(".sr-pr-price"), page.locator(".sr-pr-day"), page.locator(".sr-pr-model")
        price.fill("2.5")
        day.fill("40")
        page.keyboard.press("ArrowLeft")
        assert place(page) == "end"
        table = PriceTable((Price("own", 2.5),), requests_per_day=40)
        (row,) = table.saved(saving.tokens_total, saving.rendered_tokens)
        assert figure(page, "year") == ALIKE(row.per_year)
        assert figure(page, "cost") == ALIKE(row.kept * 40)
        assert model.input_value() == ""
        price.fill("-1")
        expect(price).to_have_attribute("aria-invalid", "true")
        assert figure(page, "year") == ALIKE(row.per_year)
        model.select_option("large model")
        expect(price).to_have_value("5")
        assert figure(page, "year") == ALIKE(2 * row.per_year)
        # As in a report: requests and days are whole, and a year has at most 366 days.
        days = page.locator(".sr-pr-days")
        for field, value in ((day, "2.5"), (day, "0"), (days, "2.5"), (days, "0"), (days, "367")):
            field.fill(value)
            expect(field).to_have_attribute("aria-invalid", "true")
            assert figure(page, "year") == ALIKE(2 * row.per_year)
            field.blur()
        expect(day).to_have_value("40")
        expect(days).to_have_value("250")
        days.fill("365")
        assert figure(page, "year") == ALIKE(2 * row.per_day * 365)
        expect(page.locator(".sr-pr-fold")).to_have_text("At USD 5 per million, 40 requests a day, 365 days a year")
        # Escape leaves the field first, and then the presentation.
        price.focus()
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(1)
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)


def test_the_cut_moves_here_as_well_and_the_counters_follow(
    benches: Benches, manual: Workload, browser: Browser
) -> None:
    bench = benches(manual, reader=words_alone(share=0.1))
    bench.open("pump-manual-02")
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        present(page)
        page.keyboard.press("End")
        before = figure(page, "read")
        page.keyboard.press("+")
        expect(page.locator(".sr-pr-cut-value")).to_have_text("best 11 %")
        page.wait_for_timeout(500)
        saving = bench.reading.saving
        assert bench.reading.cut.share == 0.11
        assert figure(page, "read") == saving.tokens_kept > before
        expect(page.locator("[data-figure=year] .sr-pr-more")).to_contain_text(f"{saving.rendered_tokens:,} instead")
        page.keyboard.press("-")
        expect(page.locator(".sr-pr-cut-value")).to_have_text("best 10 %")
        assert place(page) == "end"
    assert guard.faults == []


def test_escape_gives_the_bench_back_as_it_was(benches: Benches, browser: Browser) -> None:
    bench = benches()
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        page.keyboard.press("2")
        page.wait_for_function("() => document.activeElement?.closest('.sr-rule-table [data-rule]')")
        page.evaluate("globalThis.before = document.activeElement")
        page.keyboard.press("P")
        page.wait_for_function(PRESENTED)
        assert bench.presenting is True
        assert page.evaluate("document.activeElement.className") == "sr-pr-stage"
        assert page.evaluate("document.activeElement.dataset.lmSuppressShortcuts") == "true"
        # The bench behind hears none of it.
        page.keyboard.press("5")
        page.keyboard.press("z")
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)
        assert page.evaluate("document.activeElement === globalThis.before")
        expect(page.get_by_role("tab", selected=True)).to_have_text("Tune")
        page.wait_for_timeout(200)
        assert (bench.presenting, bench.state.tab) == (False, "tune")
        page.get_by_role("button", name="Present", exact=True).click()
        page.wait_for_function(PRESENTED)
        page.get_by_role("button", name="Leave").click()
        expect(page.locator(OPEN)).to_have_count(0)
    assert guard.faults == []


def test_python_begins_and_ends_it(benches: Benches, browser: Browser) -> None:
    bench = benches(present=True)
    with bare_page(browser, bench, live=True, wait=PRESENTED) as page:
        bench.stop_presenting()
        expect(page.locator(OPEN)).to_have_count(0)
        bench.present()
        expect(page.locator(OPEN)).to_have_count(1)


def test_the_requests_of_the_workload_are_told_one_after_the_other(benches: Benches, browser: Browser) -> None:
    bench = benches()
    ids = [request.id for request in bench.workload]
    bench.open(ids[0])
    guard = jupyter.Guard()
    with bare_page(browser, bench, live=True, guard=guard, wait=DRAWN) as page:
        present(page)
        page.keyboard.press("f")
        number, question = page.locator(".sr-pr-number"), page.locator(".sr-pr-question")
        for rank, key in enumerate(("]", "Shift+PageDown", "]"), start=2):
            page.keyboard.press(key)
            expect(number).to_have_text(f"{rank} / {len(ids)}")
            expect(question).to_have_text(bench.workload.request(ids[rank - 1]).question)
            expect(page.locator(PLACE)).to_have_text("beginning")
        expect(page.get_by_role("switch")).to_have_attribute("aria-checked", "true")
        page.keyboard.press("[")
        expect(number).to_have_text(f"3 / {len(ids)}")
        page.keyboard.press("Shift+PageUp")
        expect(number).to_have_text(f"2 / {len(ids)}")
        assert bench.state.request == ids[1]
        page.keyboard.press("Escape")
        expect(page.locator(".sr-wb-question")).to_have_value(bench.workload.request(ids[1]).question)
    assert guard.faults == []


def test_without_a_document_it_says_so_and_shows_the_first_that_comes(tmp_path: Path, browser: Browser) -> None:
    bench = Workbench(None, reader=words_alone(), folder=tmp_path / "space", present=True)
    with bare_page(browser, bench, live=True, wait=f"() => document.querySelector('{OPEN}')") as page:
        expect(page.locator(".sr-pr-wait")).to_have_text("No document is open yet.")
        (tmp_path / "note.md").write_text("# Keys\n\nA lost key costs 45 euro.\n", "utf-8")
        bench.bench.ask("What does a lost key cost?", str(tmp_path / "note.md"))
        page.wait_for_function(PRESENTED)
        expect(page.locator(".sr-pr-question")).to_have_text("What does a lost key cost?")
    bench.close()
    bench.bench.jobs.wait_for_all(60)


def test_a_request_that_the_gate_reads_whole_saves_nothing(benches: Benches, browser: Browser) -> None:
    bench = benches()
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        page.locator(".sr-wb-route-place[data-route=native]").wait_for()
        present(page)
        expect(page.locator(".sr-pr-note")).to_contain_text("The gate reads this document whole")
        page.keyboard.press("End")
        total = bench.reading.saving.tokens_total
        assert figure(page, "year") == 0
        expect(page.locator("[data-figure=year] .sr-pr-more")).to_have_text(f"all {total:,} tokens a request are read")
        (row, *_) = shipped_prices("en").saved(total, total)[1:]
        assert figure(page, "cost") == ALIKE(row.whole * 1000)
        expect(page.locator("[data-figure=cost] .sr-pr-more")).to_have_text("no less: it is read whole")


@pytest.mark.parametrize(
    ("minimum", "said"),
    [(1000, "The document is short: all of it is kept."), (0, "All of the document is kept at this cut.")],
)
def test_a_document_that_is_kept_whole_says_why(benches: Benches, browser: Browser, minimum: int, said: str) -> None:
    bench = benches(reader=words_alone(share=0.1 if minimum else 1.0, min_tokens=minimum))
    bench.open("rent")
    assert bench.reading.saving.tokens_skipped == 0
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        expect(page.locator(".sr-pr-note")).to_contain_text(said)


def test_a_moved_cut_is_taken_back_and_done_again(benches: Benches, manual: Workload, browser: Browser) -> None:
    bench = benches(manual, reader=words_alone(share=0.1))
    bench.open("pump-manual-02")
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        page.keyboard.press("End")
        before, cut = figure(page, "read"), page.locator(".sr-pr-cut-value")
        page.keyboard.press("+")
        expect(cut).to_have_text("best 11 %")
        # At once, before the cut has come to rest.
        page.keyboard.press("z")
        expect(cut).to_have_text("best 10 %")
        expect(page.locator("[data-figure=read] output")).to_have_attribute("data-value", f"{before:g}")
        page.keyboard.press("Z")
        expect(cut).to_have_text("best 11 %")
        assert bench.reading.cut.share == 0.11
        assert place(page) == "end"


def test_a_page_without_a_kernel_can_be_presented(benches: Benches, manual: Workload, browser: Browser) -> None:
    bench = benches(manual, reader=words_alone(share=0.1))
    bench.open("pump-manual-02")
    saving = bench.reading.saving
    guard = jupyter.Guard()
    with bare_page(browser, bench, guard=guard, wait=DRAWN) as page:
        present(page)
        expect(page.locator(".sr-pr-requests")).to_be_hidden()
        page.keyboard.press("End")
        assert (figure(page, "read"), figure(page, "passed")) == (saving.tokens_kept, saving.tokens_skipped)
        row = shipped_prices("en").saved(saving.tokens_total, saving.rendered_tokens)[1]
        expect(page.locator("[data-figure=year] .sr-pr-more")).to_contain_text(f"{saving.rendered_tokens:,} instead")
        assert figure(page, "year") == ALIKE(row.per_year)
        page.keyboard.press("+")
        expect(page.locator(".sr-pr-cut-value")).to_have_text("best 11 %")
        assert figure(page, "read") > saving.tokens_kept
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)
    assert guard.faults == []


def test_a_phone_has_two_large_buttons_swipes_and_one_column(
    benches: Benches, manual: Workload, browser: Browser, tmp_path: Path, pictures: Path
) -> None:
    bench = benches(manual, reader=words_alone(share=0.1), present=True)
    bench.open("pump-manual-02")
    file = bench.to_html(tmp_path / "bench.html")
    guard = jupyter.Guard()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    guard.watch(context, page)
    page.goto(file.as_uri())
    page.wait_for_function(PRESENTED)
    on, back = page.get_by_role("button", name="next kept passage"), page.get_by_role("button", name="previous kept")
    for button in (on, back):
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 48
        assert box["width"] >= 100
    on.tap()
    assert place(page).startswith("1 /")
    page.wait_for_timeout(600)
    swipe(page, 300, 80)
    assert place(page).startswith("2 /")
    swipe(page, 80, 300)
    assert place(page).startswith("1 /")
    page.get_by_role("switch").tap()
    expect(page.locator(f"{SKIPPED}:visible")).to_have_count(0)
    page.wait_for_timeout(600)
    page.screenshot(path=pictures / "presenting-phone.png")
    expect(page.locator(".sr-pr-price")).to_be_hidden()
    page.locator(".sr-pr-fold").tap()
    page.locator(".sr-pr-price").fill("3")
    assert page.evaluate("document.querySelector('.sr-pr-stage').scrollWidth") <= 390
    expect(page.locator(".sr-pr-bar")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Leave").tap()
    expect(page.locator(OPEN)).to_have_count(0)
    context.close()
    assert guard.faults == []


def swipe(page: Page, start: int, end: int, over: str = ".sr-pr-scroll") -> None:
    """Draw one finger over the text."""
    page.locator(over).first.evaluate(
        """(element, [from, to]) => {
          const touch = x => new Touch({ identifier: 1, target: element, clientX: x, clientY: 400 });
          const tell = (name, touches, changed) =>
            element.dispatchEvent(new TouchEvent(name, { touches, changedTouches: changed, bubbles: true }));
          tell('touchstart', [touch(from)], [touch(from)]);
          tell('touchend', [], [touch(to)]);
        }""",
        [start, end],
    )


def test_whoever_asks_for_less_motion_sees_none(
    benches: Benches, manual: Workload, browser: Browser, tmp_path: Path
) -> None:
    bench = benches(manual, reader=words_alone(share=0.1), present=True)
    bench.open("pump-manual-02")
    file = bench.to_html(tmp_path / "bench.html")
    context = browser.new_context(viewport=PROJECTOR, reduced_motion="reduce")
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_function(PRESENTED)
    shown = page.evaluate(
        """() => {
          const stage = document.querySelector('.sr-pr-stage');
          const press = key => stage.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
          press('End');
          press('f');
          const skipped = document.querySelector('.sr-pr-block[data-status=skipped]').checkVisibility();
          return [document.querySelector('[data-figure=read] output').textContent, skipped];
        }"""
    )
    assert shown == [f"{bench.reading.saving.tokens_kept:,}", False]
    assert page.evaluate("document.getAnimations().length") == 0
    context.close()


def test_a_document_of_ten_thousand_blocks_keeps_its_place_when_text_fades(
    benches: Benches, tmp_path: Path, browser: Browser
) -> None:
    workload = depots_in(tmp_path / "depots", documents=1, paragraphs=10_000)
    bench = benches(workload, reader=words_alone(share=0.1))
    top = f"() => document.querySelector('{HERE}').getBoundingClientRect().top"
    with bare_page(browser, bench, live=True, wait=DRAWN) as page:
        present(page)
        for _ in range(40):
            page.keyboard.press("ArrowRight")
        page.wait_for_timeout(900)
        before = page.evaluate(top)
        for _ in range(3):
            page.keyboard.press("f")
            page.wait_for_timeout(900)
            assert page.evaluate(top) == ALIKE(before, abs=3)
        page.keyboard.press("End")
        assert figure(page, "passed") == bench.reading.saving.tokens_skipped


def test_a_fault_and_a_lost_kernel_are_said_while_presenting(benches: Benches, browser: Browser) -> None:
    bench = benches(present=True)
    with bare_page(browser, bench, live=True, wait=PRESENTED) as page:
        bench.fault = "The depot is closed."
        expect(page.locator(".sr-pr-stage .sr-fault")).to_contain_text("The depot is closed.")
        page.evaluate("globalThis.sparsereadModels['0'].trigger('comm:close')")
        expect(page.locator(".sr-pr-stage .sr-wb-notice")).to_contain_text("disconnected")
        page.keyboard.press("End")
        assert place(page) == "end"


def test_keys_of_a_presentation_never_reach_the_notebook(page: Page, lab: jupyter.Server, guard: jupyter.Guard) -> None:
    house_in(lab.folder / "house")
    cells = [
        "import workbench as wb\nfrom workbench.widgets import Workbench",
        "bench = Workbench(wb.load_workload('house'), reader=wb.SparseReader(scorer=None), folder='presented')\nbench",
    ]
    assert jupyter.run_cells(page, lab, "presented", cells) == []
    page.wait_for_function("() => document.querySelector('.sr-workbench')?.dataset.children?.includes('document')")
    present(page)
    for key in ("d", "d", "a", "b", "x", "ArrowRight"):
        page.keyboard.press(key)
    count = "() => window.jupyterapp.shell.currentWidget.content.model.cells.length"
    cells_now = page.evaluate(count)
    assert comes_to(page, is_presenting=True)
    page.keyboard.press("Escape")
    expect(page.locator(OPEN)).to_have_count(0)
    assert page.evaluate(count) == cells_now >= len(cells)
    assert page.evaluate("() => !!document.querySelector('.sr-workbench')")
    assert comes_to(page, is_presenting=False)
    assert guard.faults == []


def comes_to(page: Page, *, is_presenting: bool) -> bool:
    """Whether the kernel hears it: a notebook lets a trait wait until the last one was taken."""
    for _ in range(40):
        if jupyter.in_kernel(page, "bench.presenting") is is_presenting:
            return True
        page.wait_for_timeout(50)
    return False


def test_serve_opens_presented(
    browser: Browser, guard: jupyter.Guard, project_dir: Path, cache_of_the_tests: Path, tmp_path: Path, pictures: Path
) -> None:
    folder = tmp_path / "here"
    dev = load_workload(project_dir / "datasets" / "dev")
    dev.of_documents(["documents/harbor-manual.md"]).save(folder / "own")
    with serving(folder, tmp_path / "state", "own", "--present", cache=str(cache_of_the_tests)) as served:
        context = browser.new_context(viewport=PROJECTOR)
        page = context.new_page()
        guard.watch(context, page)
        page.goto(served.address, timeout=90_000)
        page.wait_for_function(PRESENTED, timeout=90_000)
        page.keyboard.press("ArrowRight")
        expect(page.locator(PLACE)).to_contain_text("1 /")
        page.screenshot(path=pictures / "presenting-served.png")
        page.keyboard.press("Escape")
        expect(page.locator(OPEN)).to_have_count(0)
        expect(page.locator(".sr-wb-read")).to_be_visible()
        context.close()
    assert guard.faults == []
