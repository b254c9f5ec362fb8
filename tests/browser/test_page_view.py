"""Pages with their boxes in a real browser: alone, with the kernel of this process, and in JupyterLab."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.documents.formats.pdf.pdf_files import PdfFile, changed, prose
from tests.documents.test_page_images import deck
from workbench.documents import ReadOptions, open_document
from workbench.documents.page_boxes import PageBoxes
from workbench.reading import Reading, SparseReader
from workbench.widgets.document_view import DocumentView
from workbench.widgets.page_export import to_html
from workbench.widgets.page_view import PageView

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

QUESTION = "Who pays interest, and what happens on default?"
HOSTILE = '<img src=x onerror="alert(1)"> $5 to $9 \u202eRTL\u202c 😀 .pdf'

# Where the box of a block is on the screen, and where the picture of its page.
PLACES = """block => {
  const group = document.querySelector(`.sr-page [data-block="${block}"]`);
  const paper = group.closest('.sr-page-paper').getBoundingClientRect();
  const box = group.querySelector('.sr-box-area').getBoundingClientRect();
  const image = group.closest('.sr-page-paper').querySelector('img').getBoundingClientRect();
  const plain = ({ x, y, width, height }) => [x, y, width, height];
  return { paper: plain(paper), box: plain(box), image: plain(image) };
}"""
CLASSES = """() => Object.fromEntries([...document.querySelectorAll('.sr-page [data-block]')]
  .map(group => [group.dataset.block, group.getAttribute('class').split(' ').slice(1).map(n => n.slice(7))]))"""
SAYS = "begin => document.querySelector('.sr-page-view > .sr-hidden').textContent.startsWith(begin)"
STATES = "() => [...document.querySelectorAll('.sr-page')].map(page => page.dataset.state)"
SETTLED = """() => [...document.querySelectorAll('.sr-page')].some(page => page.dataset.state === 'drawn')
  && !document.querySelector('.sr-page-wait')"""


def read(path: Path) -> Reading:
    document = open_document(path, isolate=False)
    return SparseReader(scorer=None, token_share=0.3, min_tokens=20).read(document, QUESTION, progress=False)


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Path]:
    """Makes a PDF of so many pages."""

    def made(count: int = 3, name: str = "a.pdf") -> Path:
        pdf = PdfFile(tmp_path / name, (400, 300))
        for number in range(count):
            pdf.text(60, 50, f"Section {number + 1}", size=16)
            for rank in range(3):
                pdf.paragraph(60, 90 + 70 * rank, prose(2, number + 2 * rank), width=280)
            pdf.next_page()
        return pdf.save()

    return made


def settled(page: Page) -> None:
    page.wait_for_function(SETTLED)


def until(page: Page, holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Let the page and the kernel talk until something holds."""
    for _ in range(round(seconds / 0.05)):
        if holds():
            return
        page.wait_for_timeout(50)
    assert holds()


@pytest.mark.parametrize("rotation", [0, 90])
def test_boxes_lie_over_their_places_on_the_picture(
    rotation: int, make: Callable[..., Path], browser: Browser, guard: jupyter.Guard
) -> None:
    path = changed(make(1), media=(-40, -30, 420, 330), crop=(30, 20, 390, 290), rotation=rotation)
    reading = read(path)
    size = reading.document.pages[0]
    with bare_page(browser, PageView(reading), guard=guard) as page:
        settled(page)
        for block, box in zip(*PageBoxes(reading.document).on(1), strict=True):
            found = page.evaluate(PLACES, int(block))
            assert found["image"] == found["paper"]
            left, top, width, height = found["paper"]
            scale = width / size.width
            assert height == pytest.approx(size.height * scale, abs=1)
            x, y, across, down = found["box"]
            # The box has two points around the text.
            expected = [left + (box[0] - 2) * scale, top + (box[1] - 2) * scale, left + (box[2] + 2) * scale]
            assert [x, y, x + across] == pytest.approx(expected, abs=1.5)
            assert y + down == pytest.approx(top + (box[3] + 2) * scale, abs=1.5)
    assert guard.faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_shows_what_the_reading_holds_in_the_colours_of_the_document_view(
    theme: str, make: Callable[..., Path], browser: Browser, guard: jupyter.Guard, pictures: Path
) -> None:
    reading = read(make(2))
    gold = int(np.flatnonzero(reading.status == 0)[0])
    with bare_page(browser, PageView(reading, gold=[gold]), theme=theme, guard=guard) as page:
        settled(page)
        names = ["skipped", "kept", "pinned", "context"]
        for block, marks in page.evaluate(CLASSES).items():
            assert marks[0] == names[reading.status[int(block)]]
            assert ("lost" in marks) is (int(block) == gold)
        variables = "name => getComputedStyle(document.querySelector('.sr-page-view')).getPropertyValue(name).trim()"
        colours = {name: page.evaluate(variables, f"--sr-{name}") for name in ("kept", "near-mark", "lost")}
        painted = {
            name: page.evaluate(
                """([name, part, property]) => {
                  const found = document.querySelector(`.sr-page .sr-box-${name} ${part}`);
                  return found && getComputedStyle(found)[property];
                }""",
                [name, part, value],
            )
            for name, part, value in (("kept", ".sr-box-bar", "fill"), ("lost", ".sr-box-mark", "stroke"))
        }
        for name, colour in painted.items():
            assert colour == rgb(colours[name])
        page.screenshot(path=pictures / f"pages-{theme}.png")
    with bare_page(browser, DocumentView(reading, gold=[gold]), theme=theme, guard=guard) as page:
        other = "name => getComputedStyle(document.querySelector('.sr-document-view')).getPropertyValue(name).trim()"
        assert {name: page.evaluate(other, f"--sr-{name}") for name in colours} == colours
    assert guard.faults == []


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


def test_pages_load_as_they_come_near_and_are_dropped_far_away(
    make: Callable[..., Path], browser: Browser, guard: jupyter.Guard
) -> None:
    view = PageView(read(make(30)))
    with bare_page(browser, view, guard=guard, live=True, height=700) as page:
        settled(page)
        states = page.evaluate(STATES)
        assert states[0] == "drawn"
        assert set(states[8:]) == {"empty"}
        page.locator(".sr-page-field").fill("30")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelectorAll('.sr-page')[29].dataset.state === 'drawn'")
        page.wait_for_function("() => document.querySelectorAll('.sr-page')[0].dataset.state === 'empty'")
        assert page.locator(".sr-page-image").count() < 12
        assert page.locator(".sr-page").nth(0).locator("img, svg").count() == 0
    assert guard.faults == []


def test_a_click_and_a_key_take_a_block_in_hand_and_python_does_the_same(
    make: Callable[..., Path], browser: Browser, guard: jupyter.Guard
) -> None:
    view = PageView(read(make(12)))
    with bare_page(browser, view, guard=guard, live=True) as page:
        settled(page)
        page.locator('.sr-page [data-block="2"] .sr-box-area').click()
        page.wait_for_selector(".sr-box-frame")
        page.keyboard.press("j")
        page.wait_for_function(SAYS, arg="block 3, page 1:")
        until(page, lambda: view.selected == 3)
        last = len(view.reading) - 1
        view.select(last)
        page.wait_for_function(
            "block => document.querySelector(`.sr-page [data-block='${block}']`)"
            "?.closest('.sr-page').querySelector('.sr-box-frame')",
            arg=last,
        )
        # It is in sight, on the last page.
        frame = page.locator(".sr-box-frame").bounding_box()
        assert frame is not None
        assert 40 < frame["y"] < 900
        assert page.locator(".sr-page-field").input_value() == "12"
    assert guard.faults == []


def test_a_cut_that_moves_and_a_selection_elsewhere_are_followed_without_the_kernel(
    make: Callable[..., Path], browser: Browser, guard: jupyter.Guard
) -> None:
    view = PageView(read(make(2)))
    view.channel = "test"
    with bare_page(browser, view, guard=guard) as page:
        settled(page)
        emit = "([topic, value]) => globalThis.sparsereadChannels.get('test').emit(topic, value)"
        page.evaluate(
            """n => globalThis.sparsereadChannels.get('test').emit('decision',
              { status: Uint8Array.from({ length: n }, (_, i) => i % 4), line: null, tokensKept: 1 })""",
            len(view.reading),
        )
        page.wait_for_selector('.sr-page [data-block="2"].sr-box-pinned')
        marks = page.evaluate(CLASSES)
        expected = ["skipped", "kept", "pinned", "context"]
        assert all(found[0] == expected[int(block) % 4] for block, found in marks.items())
        page.evaluate(emit, ["select", {"block": 1, "reveal": True}])
        page.wait_for_selector(".sr-box-frame")
        said = page.locator("[aria-live=polite].sr-hidden").text_content()
        assert said is not None
        assert said.startswith("block 1, page 1: kept")
    assert guard.faults == []


def test_a_page_that_cannot_be_drawn_says_why_in_its_place(
    make: Callable[..., Path], browser: Browser, guard: jupyter.Guard
) -> None:
    path = make(2)
    view = PageView(read(path))
    path.unlink()
    with bare_page(browser, view, guard=guard, live=True) as page:
        note = page.locator(".sr-page-note").first
        note.wait_for()
        assert note.text_content() == (
            "This page cannot be drawn. The file of a.pdf is not there to be drawn; open it from a folder on disk."
        )
        assert page.locator(".sr-page").first.locator("[data-block]").count() > 0
        assert page.locator(".sr-fault").count() == 0
    assert guard.faults == []


def test_a_document_without_pages_says_so_and_then_shows_another_one(
    make: Callable[..., Path], tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    (tmp_path / "笔记.md").write_text("# 说明\n\n利息每年支付两次。\n", encoding="utf-8")
    view = PageView(read(tmp_path / "笔记.md"), language="zh")
    with bare_page(browser, view, guard=guard, live=True) as page:
        assert page.locator(".sr-page-none").text_content() == "笔记.md 没有可绘制的页面；请按文本阅读。"
        view.reading = read(make(2))
        settled(page)
        assert page.locator(".sr-page").count() == 2
        assert page.locator(".sr-page-number").first.text_content() == "第 1 页"
        view.reading = read(deck(tmp_path / "b.pptx"))
        page.wait_for_selector("[data-state=white]")
        assert page.locator(".sr-page-text").text_content() == "Sales rose"
    assert guard.faults == []


def test_a_hostile_name_is_shown_and_not_run(make: Callable[..., Path], browser: Browser, guard: jupyter.Guard) -> None:
    path = make(1, HOSTILE.replace("/", "∕"))
    view = PageView(read(path), options=ReadOptions())
    path.unlink()
    with bare_page(browser, view, guard=guard, live=True) as page:
        note = page.locator(".sr-page-note")
        note.wait_for()
        assert '<img src=x onerror="alert(1)">' in str(note.text_content())
        assert page.locator("img").count() == 0
    assert guard.faults == []


def test_an_exported_page_needs_neither_kernel_nor_network(
    make: Callable[..., Path], tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    reading = read(make(2, HOSTILE.replace("/", "∕")))
    out = tmp_path / "out.html"
    out.write_text(to_html(PageView(reading), title=HOSTILE), encoding="utf-8")
    context = browser.new_context(color_scheme="dark", offline=True)
    requests: list[str] = []
    page = context.new_page()
    guard.watch(context, page)
    context.on("request", lambda request: requests.append(request.url))
    page.goto(out.as_uri())
    settled(page)
    assert page.title() == " ".join(HOSTILE.split())
    assert page.evaluate("document.body.dataset.jpThemeLight") == "false"
    page.emulate_media(color_scheme="light")
    page.wait_for_function("() => document.body.dataset.jpThemeLight === 'true'")
    page.locator("[data-block] .sr-box-area").first.click()
    page.wait_for_selector(".sr-box-frame")
    assert {url.split(":")[0] for url in requests} <= {"file", "blob"}
    # What is not of the page does not run in it.
    page.evaluate(
        """() => {
          const script = document.createElement('script');
          script.text = 'window.ran = 1';
          document.body.append(script);
        }"""
    )
    assert page.evaluate("window.ran") is None
    context.close()
    assert [fault for fault in guard.faults if "Content Security Policy" not in fault] == []


LAB = """
from workbench.documents import open_document
from workbench.reading import SparseReader
from workbench.widgets import DocumentView, PageView, link
document = open_document({path!r}, isolate=False)
reading = SparseReader(scorer=None, token_share=0.3, min_tokens=20).read(document, {question!r}, progress=False)
pages = PageView(reading)
text = DocumentView(reading)
link(pages, text)
"""


def test_in_jupyterlab_pages_and_text_follow_each_other(
    make: Callable[..., Path], page: Page, lab: jupyter.Server, guard: jupyter.Guard, pictures: Path
) -> None:
    path = make(6)
    cells = [LAB.format(path=str(path), question=QUESTION), "pages", "text"]
    assert jupyter.run_cells(page, lab, "pages", cells) == []
    page.wait_for_selector(".sr-page[data-state=drawn]", timeout=30_000)
    page.locator('.sr-page [data-block="3"] .sr-box-area').click()
    page.wait_for_function("() => document.querySelector('.sr-document-view [aria-selected=true]')")
    for _ in range(3):
        page.keyboard.press("j")
    until(page, lambda: jupyter.in_kernel(page, "pages.selected") == 6)
    # Keys of the view are not commands of the notebook: "d d" would have deleted the cell.
    page.keyboard.press("d")
    page.keyboard.press("d")
    assert page.evaluate("window.jupyterapp.shell.currentWidget.content.model.cells.length") == 3
    page.screenshot(path=pictures / "pages-in-jupyterlab.png")
    assert guard.faults == []
    assert jupyter.errors_of(page) == []
