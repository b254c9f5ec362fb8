"""The annotator in a browser: one key a block, eyes on the text, and nothing lost that was pressed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.training.queue.made import HOSTILE, filing, plant, workload
from workbench.errors import WorkbenchError
from workbench.reading import Reading
from workbench.training.labels import Label, LabelStore
from workbench.training.queue import Queue, build_queue
from workbench.widgets.annotator import Annotator
from workbench.workspace.operations import Operation

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

READY = "() => document.querySelector('[data-widget=annotator]')?.dataset.ready === 'true'"
HERE = ".sr-an-here .sr-an-body"
VALUES = ["evidence", "useful context", "not relevant", "hard negative", "unsure"]
TOPS = """() => ['.sr-an-question', '.sr-an-where', '.sr-an-here', '.sr-an-foot', '.sr-an-note, .sr-an-part:last-child']
  .map(name => document.querySelector(name).getBoundingClientRect())
  .map((box, rank) => rank === 0 ? box.bottom : box.top)"""
SELECT = """([from, to]) => {
  const here = document.querySelector('.sr-an-here .sr-an-body');
  const range = document.createRange();
  const walk = document.createTreeWalker(here, NodeFilter.SHOW_TEXT);
  for (let at = 0, begun = false; walk.nextNode(); at += walk.currentNode.length) {
    const { currentNode: node } = walk;
    if (!begun && from <= at + node.length) begun = range.setStart(node, from - at) ?? true;
    if (to <= at + node.length) { range.setEnd(node, to - at); break; }
  }
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  here.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
}"""


def annotator_of(folder: Path, source: Any = None, **options: Any) -> Annotator:
    options = {"store": folder / "labels.sqlite", "annotator": "ada", **options}
    found = Annotator(source if source is not None else plant(), **options)
    found.wait(30)
    return found


def first(reading: Reading, *blocks: int) -> Queue:
    """A queue that begins with some blocks."""
    queue = build_queue(reading)
    order = {block: rank for rank, block in enumerate(blocks)}
    return Queue(tuple(sorted(queue, key=lambda item: order.get(item.block_id, 99))), queue.order)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.wait_for_function(READY)
        page.keyboard.press(key)
    page.wait_for_function(READY)


def start(page: Page) -> None:
    page.locator("[data-widget=annotator]").focus()


def until(page: Page, told: Any) -> None:
    """Let the page talk to this process until something is true of it."""
    for _ in range(150):
        if told():
            return
        page.wait_for_timeout(20)
    raise AssertionError("What the page did has not arrived.")


def test_each_key_labels_a_block_and_nothing_jumps(tmp_path: Path, browser: Browser, guard: jupyter.Guard) -> None:
    widget = annotator_of(tmp_path)
    keys = ["1", "c", "n", "4", "u"]
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        tops = page.evaluate(TOPS)
        shown = []
        for key in keys:
            shown.append(page.locator(HERE).inner_text())
            press(page, key)
            assert page.evaluate(TOPS) == tops
        until(page, lambda: len(widget.store) == len(keys))
        labels = widget.store.labels()
        assert [label.value.value for label in labels] == VALUES
        assert [label.quote for label in labels] == shown
        expect(page.locator(".sr-an-counts")).to_have_text("5 of 6")
        expect(page.locator(".sr-an-saved")).to_have_text("saved")
        press(page, "e")
        expect(page.locator(".sr-an-end h2")).to_have_text("All done")
        expect(page.locator(".sr-an-end")).to_contain_text("6 blocks: 2 Evidence, 1 Useful context, 1 Not relevant")
    assert guard.faults == []


def test_a_key_that_is_pressed_twice_labels_one_block(tmp_path: Path, browser: Browser, guard: jupyter.Guard) -> None:
    widget = annotator_of(tmp_path)
    twice = """() => { const view = document.querySelector('[data-widget=annotator]');
      for (const repeat of [false, false, true]) {
        view.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true, repeat }));
      } }"""
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        page.wait_for_function(READY)
        page.evaluate(twice)
        button = page.locator(".sr-an-value").nth(3)
        page.wait_for_function(READY)
        button.dblclick()
        page.wait_for_function(READY)
        until(page, lambda: len(widget.store) == 2)
        page.wait_for_timeout(100)
        assert [label.value.value for label in widget.store.labels()] == ["evidence", "hard negative"]
        assert len(widget.store.history()) == 2
    assert guard.faults == []


def test_skip_back_undo_and_redo_by_keys(tmp_path: Path, browser: Browser, guard: jupyter.Guard) -> None:
    widget = annotator_of(tmp_path)
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        texts = [page.locator(HERE).inner_text()]
        press(page, "s")
        texts.append(page.locator(HERE).inner_text())
        press(page, "e", "b")
        assert page.locator(HERE).inner_text() == texts[1]
        expect(page.locator(".sr-an-value[aria-pressed=true]")).to_contain_text("Evidence")
        press(page, "s", "n", "z")
        until(page, lambda: len(widget.store) == 1)
        assert widget.at == 2
        expect(page.locator(".sr-an-yours")).to_have_text("none yet")
        press(page, "Z")
        until(page, lambda: len(widget.store) == 2)
        press(page, "z", "z")
        until(page, lambda: len(widget.store) == 0)
        assert page.locator(HERE).inner_text() == texts[1]
        assert [event.kind.value for event in widget.store.history()] == ["label"] * 2 + [
            "undo",
            "redo",
            "undo",
            "undo",
        ]
        expect(page.locator(".sr-an-counts")).to_have_text("0 of 6 · 1 skipped")
    assert guard.faults == []


def test_whatever_is_pressed_browser_and_kernel_stand_at_the_same_item(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    widget = annotator_of(tmp_path)
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        for key in "sebsnbbszeeZuzsn":
            press(page, key)
            until(page, lambda: int(page.locator(".sr-annotator").get_attribute("data-at") or -1) == widget.at)
            assert widget.walk.kept.place().at == (None if widget.item is None else widget.item.key)
    assert guard.faults == []


def test_text_of_a_document_is_text_and_keeps_every_space(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading, queue=first(reading, 6))
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        assert page.locator(HERE).evaluate("body => body.textContent") == HOSTILE.replace("\r", "\u240d")
        assert page.locator(".sr-annotator :is(img, script, mjx-container, .MathJax)").count() == 0
        assert page.locator(HERE).evaluate("body => getComputedStyle(body).whiteSpace") == "pre-wrap"
        press(page, "n")
        until(page, lambda: len(widget.store) == 1)
        assert widget.store.labels()[0].quote == HOSTILE
    assert guard.faults == []


@pytest.mark.parametrize("text", ["👩‍👩‍👧 cafe\u0301", "from $5 to $9,  two spaces,\r\nthen", "😀"])
def test_selected_text_is_kept_in_code_points(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard, text: str
) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading, queue=first(reading, 6))
    start_unit = len(HOSTILE[: HOSTILE.index(text)].encode("utf-16-le")) // 2
    units = len(text.encode("utf-16-le")) // 2
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        page.evaluate(SELECT, [start_unit, start_unit + units])
        expect(page.locator(".sr-an-here mark")).to_have_count(1)
        page.evaluate(SELECT, [0, 8])
        expect(page.locator(".sr-an-here mark")).to_have_count(2)
        page.locator(".sr-an-here mark").first.click()
        expect(page.locator(".sr-an-here mark")).to_have_count(1)
        press(page, "e")
        until(page, lambda: len(widget.store) == 1)
        assert widget.store.labels()[0].span_texts == (text,)
        press(page, "b")
        shown = page.locator(".sr-an-here mark").evaluate("mark => mark.textContent")
        assert shown == text.replace("\r", "\u240d")
    assert guard.faults == []


def test_a_span_that_cuts_a_character_of_two_units_takes_all_of_it(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading, queue=first(reading, 6))
    unit = len(HOSTILE[: HOSTILE.index("😀")].encode("utf-16-le")) // 2
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        page.evaluate(SELECT, [unit + 1, unit + 3])
        press(page, "e")
        until(page, lambda: len(widget.store) == 1)
        assert widget.store.labels()[0].span_texts[0].strip() == "😀"
    assert guard.faults == []


def test_evidence_is_marked_without_a_mouse_in_sentences_and_in_cells(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading, queue=first(reading, 5, 7))
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        press(page, "ArrowRight", "ArrowRight", "x", "ArrowRight", "x", "x")
        expect(page.locator(".sr-an-spans li")).to_have_text(["8,195"])
        press(page, "e", "ArrowRight", "ArrowRight", "x", "c")
        until(page, lambda: len(widget.store) == 2)
        row, long = widget.store.labels()
        assert row.span_texts == ("8,195",)
        assert long.span_texts == ("The word is repeated.",)
        assert long.spans == ((22, 43),)
        press(page, "x", "n")
        until(page, lambda: len(widget.store) == 3)
        assert widget.store.labels()[2].spans == ()
    assert guard.faults == []


def test_a_row_stands_in_its_table_and_a_long_block_begins_where_every_block_does(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    reading = filing()
    widget = annotator_of(tmp_path, reading, queue=first(reading, 5, 7, 8))
    edges = """() => [...document.querySelectorAll('.sr-an-cells')]
      .map(row => row.lastChild.getBoundingClientRect().right)"""
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        rights = page.evaluate(edges)
        assert len(rights) == 3
        assert max(rights) - min(rights) < 1
        expect(page.locator(".sr-an-block[data-header]")).to_contain_text("2023")
        press(page, "s")
        scroll = page.locator(".sr-an-text").bounding_box()
        here = page.locator(".sr-an-here").bounding_box()
        assert scroll is not None
        assert here is not None
        assert 0 < here["y"] - scroll["y"] < 0.35 * scroll["height"]
        press(page, "ArrowDown")
        assert page.locator(".sr-an-here").bounding_box() != here
    assert guard.faults == []


def test_a_note_goes_with_the_label_and_keys_in_it_are_letters(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    widget = annotator_of(tmp_path)
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        press(page, "m")
        page.keyboard.type("sense, $5 to $9 <b>")
        page.keyboard.press("Escape")
        press(page, "h")
        until(page, lambda: len(widget.store) == 1)
        (label,) = widget.store.labels()
        assert (label.note, label.value.value) == ("sense, $5 to $9 <b>", "hard negative")
        press(page, "b", "m")
        page.keyboard.press("End")
        page.keyboard.type("!")
        page.keyboard.press("Escape")
        until(page, lambda: widget.store.labels()[0].note.endswith("!"))
        assert len(widget.store.history()) == 2
        assert widget.at == 0
        press(page, "s")
        assert page.locator(".sr-annotator textarea").input_value() == ""
    assert guard.faults == []


def test_the_second_annotator_sees_scores_only_after_labelling_and_settles_what_differs(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    work, reader = workload(manuals=2, questions=1)
    one = annotator_of(tmp_path, work, reader=reader)
    while one.item is not None:
        one.label("evidence")
    two = annotator_of(tmp_path, work, reader=reader, annotator="bo")
    with bare_page(browser, two, live=True, guard=guard) as page:
        start(page)
        expect(page.locator(".sr-an-scores")).to_have_text("Hidden until you have labelled it.")
        expect(page.locator(".sr-an-why")).to_have_text("Hidden until you have labelled it.")
        press(page, "e", "n", "b")
        expect(page.locator(".sr-an-scores")).to_contain_text("relevance")
        press(page, "s", "a")
        panel = page.locator(".sr-an-agreement")
        expect(panel).to_contain_text("κ")
        expect(panel).to_contain_text("2 blocks of 1 documents, same value on 50 %")
        panel.locator(".sr-an-one").click()
        expect(page.locator(".sr-an-yours")).to_contain_text("ada: Evidence")
        expect(page.locator(".sr-an-notice")).to_have_text("To settle: your label decides")
        press(page, "1")
        expect(panel).to_contain_text("Nothing to settle.")
        assert two.at == 2
        assert two.store.labels(annotator="bo")[1].reason == "resolution"
    assert guard.faults == []


OUTBOX = """() => Object.entries(localStorage).filter(([key]) => key.startsWith('sparseread:labels:'))
  .flatMap(([, value]) => JSON.parse(value))"""


def test_what_a_dead_kernel_did_not_acknowledge_waits_in_the_browser_and_is_done_once(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    widget = annotator_of(tmp_path)
    deaf = "() => { globalThis.sparsereadModels['0'].send = () => {}; }"
    gone = "() => globalThis.sparsereadModels['0'].trigger('comm_live_update')"
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        press(page, "e")
        until(page, lambda: len(widget.store) == 1)
        page.evaluate(deaf)
        press(page, "n", "h")
        waiting = page.evaluate(OUTBOX)
        assert [operation["values"]["value"] for operation in waiting] == ["not relevant", "hard negative"]
        expect(page.locator(".sr-an-saved")).to_have_text("2 not saved yet")
        page.evaluate(gone)
        expect(page.locator(".sr-an-notice")).to_contain_text("2 unsaved actions are kept in this browser")
        page.keyboard.press("u")
        assert page.evaluate(OUTBOX) == waiting
    again = annotator_of(tmp_path)
    assert again.at == 1
    for operation in [*waiting, *waiting]:
        again._received(None, {"kind": "act", "operation": operation}, None)
    labels = again.store.labels()
    assert [label.id for label in labels[1:]] == [operation["id"] for operation in waiting]
    assert [label.value.value for label in labels] == ["evidence", "not relevant", "hard negative"]
    assert (again.at, len(again.store.history())) == (3, 3)
    assert guard.faults == []


class Refusing:
    def take(self, operation: Operation) -> None:
        raise WorkbenchError(f"The labels cannot be written, so {operation.kind} was not done.")


def test_a_label_that_the_kernel_refuses_brings_the_item_back_with_the_reason(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    widget = annotator_of(tmp_path)
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        text = page.locator(HERE).inner_text()
        widget.controller = Refusing()
        press(page, "e")
        expect(page.locator(".sr-fault")).to_contain_text("The labels cannot be written, so label was not done.")
        expect(page.locator(HERE)).to_have_text(text)
        expect(page.locator(".sr-an-counts")).to_have_text("0 of 6")
        assert page.evaluate(OUTBOX) == []
        widget.controller = None
        press(page, "e")
        until(page, lambda: len(widget.store) == 1)
    assert guard.faults == []


def test_empty_and_done_say_what_is_left_out_in_chinese_as_well(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard, pictures: Path
) -> None:
    reading = plant("zh")
    store = LabelStore(tmp_path / "labels.sqlite")
    widget = annotator_of(tmp_path, reading, store=store, language="zh")
    with bare_page(browser, widget, live=True, guard=guard, theme="dark") as page:
        start(page)
        page.screenshot(path=pictures / "annotator-zh-dark.png")
        expect(page.locator(".sr-an-question")).to_have_attribute("lang", "zh")
        expect(page.locator(".sr-an-value").first).to_contain_text("证据")
        press(page, *"ssssss")
        expect(page.locator(".sr-an-end h2")).to_have_text("全部完成")
        page.get_by_role("button", name="处理跳过的 6 个").click()
        page.wait_for_function(READY)
        press(page, *"eeeeee")
        page.get_by_role("button", name="重新填充队列").click()
        expect(page.locator(".sr-an-end h2")).to_have_text("没有可标注的内容")
        expect(page.locator(".sr-an-end")).to_contain_text("未列入：6 个已标注。")
        page.locator("select").select_option("words and meaning disagree")
        expect(page.locator(".sr-an-end")).to_contain_text("词面与语义不一致")
    assert guard.faults == []


def test_a_page_without_a_kernel_shows_the_items_and_labels_nothing(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    widget = annotator_of(tmp_path)
    with bare_page(browser, widget, guard=guard) as page:
        start(page)
        text = page.locator(HERE).inner_text()
        press(page, "s")
        assert page.locator(HERE).inner_text() != text
        press(page, "b")
        assert page.locator(HERE).inner_text() == text
        page.keyboard.press("e")
        expect(page.locator(".sr-an-counts")).to_contain_text("0 of 6")
        expect(page.locator(".sr-an-value").first).to_be_disabled()
        press(page, "?")
        expect(page.get_by_role("dialog")).to_contain_text("sentence by sentence")
    assert guard.faults == []


def test_a_disagreement_of_other_documents_says_that_it_is_not_here(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard
) -> None:
    elsewhere = filing()
    store = LabelStore(tmp_path / "labels.sqlite")
    for who, value in (("bo", "evidence"), ("cy", "unsure")):
        store.add(Label.of(elsewhere, None, 5, value, annotator=who))
    widget = annotator_of(tmp_path, store=store)
    with bare_page(browser, widget, live=True, guard=guard) as page:
        start(page)
        press(page, "a")
        page.locator(".sr-an-one").click()
        expect(page.locator(".sr-an-notice")).to_have_text("Its document is none of those asked about here.")
    assert guard.faults == []


CELL = """import workbench as wb
from pathlib import Path
from workbench.widgets.annotator import Annotator
lines = [f"Pump {n} runs at {n + 3} bar and is looked after by shift {n % 4}." for n in range(12)]
Path("pumps.md").write_text("# Pumps\\n\\n" + "\\n\\n".join(lines), "utf-8")
reader = wb.SparseReader(scorer=None, min_tokens=0)
reading = reader.read(wb.open_document("pumps.md"), "At how many bar does pump 7 run?")
annotator = Annotator(reading, store="annotating/labels.sqlite", annotator="ada", order="random audit")
annotator"""
DRAWN = "() => document.querySelector('.sr-annotator')?.dataset.ready === 'true'"


def in_time(page: Page, expression: str, value: Any) -> None:
    """Wait until the kernel has a value: what a widget says reaches it on a thread of its own."""
    for _ in range(100):
        found = jupyter.in_kernel(page, expression)
        if found == value:
            return
        page.wait_for_timeout(50)
    assert found == value


def test_a_killed_kernel_loses_no_label_and_the_cell_comes_back_at_the_same_item(
    page: Page, lab: jupyter.Server, guard: jupyter.Guard
) -> None:
    (lab.folder / "annotating").mkdir(exist_ok=True)
    assert jupyter.run_cells(page, lab, "annotating", [CELL]) == []
    page.wait_for_function(DRAWN)
    page.locator(".sr-annotator").focus()
    for key in ("e", "n", "d", "d"):
        page.wait_for_function(DRAWN)
        page.keyboard.press(key)
    in_time(page, "len(annotator.store)", 2)
    page.locator(".sr-annotator").focus()
    os.kill(jupyter.in_kernel(page, "__import__('os').getpid()"), signal.SIGKILL)
    page.keyboard.press("h")
    text = page.locator(HERE).inner_text()
    assert [operation["values"]["value"] for operation in page.evaluate(OUTBOX)] == ["hard negative"]
    expect(page.locator(".sr-an-notice")).to_contain_text("1 unsaved actions are kept in this browser", timeout=30_000)
    page.get_by_role("button", name="Ok", exact=True).click()
    page.wait_for_function(jupyter.NOTEBOOK_READY)
    jupyter.run_all_cells(page)
    page.wait_for_function(DRAWN)
    page.wait_for_function(f"() => ({OUTBOX})().length === 0")
    expect(page.locator(HERE)).to_have_text(text)
    values = jupyter.in_kernel(page, "[str(label.value) for label in annotator.store.labels()]")
    assert values == ["evidence", "not relevant", "hard negative"]
    page.locator(".sr-annotator").focus()
    page.wait_for_function(DRAWN)
    page.keyboard.press("z")
    in_time(page, "[annotator.at, len(annotator.store)]", [2, 2])
    assert guard.faults == []
    known = ("No such comm", "Debugg", "debugg", "frozen")
    assert [said for said in jupyter.errors_of(page) if not any(word in said for word in known)] == []


@pytest.mark.parametrize(("language", "sign"), [("en", "E"), ("zh", "证")])
def test_what_is_labelled_elsewhere_is_shown_with_the_sign_that_it_has_everywhere(
    tmp_path: Path, browser: Browser, guard: jupyter.Guard, language: str, sign: str
) -> None:
    widget = annotator_of(tmp_path, plant(), language=language)
    with bare_page(browser, widget, live=True, guard=guard, wait=READY) as page:
        start(page)
        assert widget.item is not None
        document = widget.walk.document_of(widget.item)
        label = Label.of(document, widget.item.question, widget.item.block_id, "evidence", annotator="ada")
        LabelStore(tmp_path / "labels.sqlite").add(label)
        expect(page.locator('.sr-an-value[data-value="evidence"]')).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".sr-an-yours .sr-shape")).to_have_text(sign)
        expect(page.locator('.sr-an-value[data-value="evidence"] .sr-shape')).to_have_text(sign)
        press(page, "n")
        until(page, lambda: [one.value for one in widget.store.labels()] == ["evidence", "not relevant"][1:])
    assert guard.faults == []
