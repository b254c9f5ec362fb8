from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.reading.made import CHINESE, ByHand, Made, manual
from workbench.documents import Document
from workbench.reading import Reading, SparseReader
from workbench.relevance.scores import Scale
from workbench.structure import Match, Rule, RuleTable
from workbench.widgets import DocumentView

from . import jupyter
from .bare import bare_page

pytestmark = pytest.mark.browser

RELEVANCE = (0.1, 0.2, 0.93, 0.63, 0.1, 0.05, 0.6, 0.04, 0.03, 0.0)
NO_RULES = RuleTable("none", ())

# What stands on the lines of the text now: blocks by id, folds by their first block.
LINES = """() => [...document.querySelectorAll('.sr-doc-scroll [data-block], .sr-doc-scroll [data-fold]')]
  .filter(line => !line.hidden)
  .map(line => line.dataset.fold !== undefined ? `fold ${line.dataset.fold}` : line.dataset.block)"""
CLASSES = """block => document.querySelector(`[data-block='${block}']`)?.className
  .split(' ').map(name => name.replace('sr-doc-', ''))"""
TOP = """block => document.querySelector(`[data-block='${block}']`).getBoundingClientRect().top
  - document.querySelector('.sr-doc-scroll').getBoundingClientRect().top"""
DECIDE = """({ line, channel }) => {
  const model = globalThis.sparsereadModels['0'];
  const bytes = model.get('priority');
  const priority = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const status = Uint8Array.from(priority, value => value >= line ? 1 : 0);
  globalThis.sparsereadChannels.get(channel).emit('decision', { status, line, tokensKept: 0, cut: model.get('cut') });
}"""


def read(
    document: Document,
    relevance: Sequence[float],
    *,
    threshold: float | None = 0.62,
    scale: Scale = Scale.CALIBRATED,
    rules: RuleTable = NO_RULES,
) -> Reading:
    return SparseReader(scorer=ByHand(relevance, scale), threshold=threshold, rules=rules).read(
        document, "What starts it?"
    )


def plant() -> Reading:
    return read(manual(), RELEVANCE)


def long_document(count: int) -> Reading:
    made = Made("long.txt")
    for number in range(count):
        if number % 40 == 0:
            made.heading(f"Part {number // 40}", 1 + (number // 40) % 2)
        else:
            made.text(f"Sentence number {number} of this long text. " * (1 + number % 7))
    relevance = np.random.default_rng(5).beta(0.6, 3, count)
    return read(made.document(), relevance.tolist(), threshold=0.45)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def to_text(page: Page) -> None:
    page.locator(".sr-doc-scroll").focus()


def lines(page: Page) -> list[str]:
    found: list[str] = page.evaluate(LINES)
    return found


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


def test_what_is_near_the_threshold_is_marked_and_never_folded(browser: Browser) -> None:
    with bare_page(browser, DocumentView(plant())) as page:
        assert {"kept", "near"} <= set(page.evaluate(CLASSES, "3"))
        assert {"skipped", "near"} <= set(page.evaluate(CLASSES, "6"))
        assert page.locator("[data-block='6'] .sr-doc-numbers").inner_text() == "≈ 0.60 × 1.0"


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


def test_the_block_at_hand_stays_where_it_is_while_the_threshold_moves(browser: Browser) -> None:
    view = DocumentView(long_document(1200))
    view.channel = "tests"
    with bare_page(browser, view) as page:
        to_text(page)
        block = int(view.reading.priority.argsort()[-1])
        page.evaluate(
            "block => globalThis.sparsereadChannels.get('tests').emit('select', { block, reveal: true })", block
        )
        before = page.evaluate(TOP, block)
        for line in (0.3, 0.1, 0.6, 0.02, 0.5):
            page.evaluate(DECIDE, {"line": line, "channel": "tests"})
            assert page.evaluate(TOP, block) == pytest.approx(before, abs=2)


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


def test_hostile_text_is_shown_and_not_run(browser: Browser, guard: jupyter.Guard) -> None:
    texts = (
        "<img src=x onerror=\"document.title='run'\"> and $5 to $9",
        "</script><script>document.title='run'</script>",
        "nul \x00 escape \x1b bell \x07",
        "שלום עולם (abc) 12.5",
        "turned \u202elive\u202c round",
        "👩‍👩‍👧 🇩🇪",
        "half \ud83d of a pair",
        "y" * 1_000_000,
    )
    document = Made("<b>hostile</b>.txt").heading("<img src=x onerror=alert(1)>").text(*texts).document()
    view = DocumentView(read(document, [0.9] * len(document), threshold=0.5))
    with bare_page(browser, view, guard=guard, live=True) as page:
        shown = [page.locator(f"[data-block='{block}'] .sr-doc-text").inner_text() for block in range(8)]
        assert shown[0] == "<img src=x onerror=alert(1)>"
        assert shown[1:3] == list(texts[:2])
        assert shown[3] == "nul ␀ escape ␛ bell ␇"
        assert shown[5] == "turned ⇄live\u202c round"
        assert shown[6] == texts[5]
        assert shown[7] == "half ? of a pair"
        right = page.evaluate(
            "() => getComputedStyle(document.querySelector(\"[data-block='4'] .sr-doc-text\")).direction"
        )
        assert right == "rtl"
        page.get_by_text("Show the other 80,000 characters").first.scroll_into_view_if_needed()
        page.get_by_text("Show the other 80,000 characters").first.click()
        assert len(page.locator("[data-block='8'] .sr-doc-text").inner_text()) == 100_000
        press(page, "f")
        assert page.title() != "run"
        assert page.evaluate("() => document.querySelectorAll('img, .sr script').length") == 0
    assert guard.faults == []


@pytest.mark.parametrize(
    ("document", "relevance", "scale", "said"),
    [
        (Made("empty.txt").document(), (), Scale.CALIBRATED, "The document has no text."),
        (Made("one.txt").text("One block.").document(), (0.9,), Scale.CALIBRATED, "1 of 1 kept · 0.0 % skipped"),
        (manual(), (0.0,) * 10, Scale.UNCALIBRATED, "0 of 10 kept · 100.0 % skipped"),
        (manual(), (0.0,) * 10, Scale.CALIBRATED, "0 of 10 kept · 100.0 % skipped"),
        (manual(), RELEVANCE, Scale.UNCALIBRATED, "9 of 10 kept"),
    ],
    ids=["empty", "one block", "nothing relevant", "nothing over the threshold", "uncalibrated"],
)
def test_what_is_unusual_is_shown_all_the_same(
    browser: Browser, guard: jupyter.Guard, document: Document, relevance: Sequence[float], scale: Scale, said: str
) -> None:
    threshold = 0.6 if scale is Scale.CALIBRATED else None
    view = DocumentView(read(document, relevance, threshold=threshold, scale=scale))
    with bare_page(browser, view, guard=guard, live=True) as page:
        assert page.locator(".sr-doc-said").inner_text().startswith(said)
        to_text(page)
        press(page, "n", "p", "s", "S", "t", "e", "j", "k", "o", "O", "g", "G", "Enter", "Escape", "Escape", "f")
        page.keyboard.type("block")
        page.wait_for_timeout(150)
    assert guard.faults == []
    assert view.fault == ""


def test_rows_of_a_table_stand_under_each_other(browser: Browser) -> None:
    made = Made().table(("Name", "2018", "2017"), ("Cash and cash equivalents", "$ 1,000", "(20)"))
    table = made.draft.begin_table()
    made.draft.add_row(table, [made.draft.write("Total"), None, made.draft.write("77")])
    made.draft.add_row(table, [made.draft.write("Other"), made.draft.write("3"), made.draft.write("8")])
    document = made.document()
    with bare_page(browser, DocumentView(read(document, [0.9] * len(document)))) as page:
        places = page.evaluate(
            "() => [...document.querySelectorAll('.sr-doc-cells')].map(row => [...row.children].map(cell => "
            "[cell.textContent, Math.round(cell.getBoundingClientRect().right)]))"
        )
        head, cash, total, other = places
        assert [right for _text, right in head] == [right for _text, right in cash]
        assert [text for text, _right in total] == ["Total", "77"]
        assert total[1][1] == other[2][1]


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


def test_a_long_document_is_drawn_where_it_is_looked_at(browser: Browser, guard: jupyter.Guard) -> None:
    view = DocumentView(long_document(3000))
    with bare_page(browser, view, guard=guard) as page:
        assert page.locator("[data-block]").count() < 300
        to_text(page)
        press(page, "G")
        last = int(lines(page)[-1].removeprefix("fold "))
        assert last > 2900
        assert page.locator(".sr-doc-scroll").evaluate(
            "s => Math.round(s.scrollHeight - s.clientHeight - s.scrollTop) < 60"
        )
        box = page.locator(".sr-doc-minimap").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 10, box["y"] + box["height"] / 2)
        middle = [int(line.removeprefix("fold ")) for line in in_sight(page)]
        assert 1200 < middle[0] < 1800
        page.mouse.wheel(0, 900)
        page.wait_for_timeout(100)
        assert in_sight(page)
    assert guard.faults == []


def in_sight(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """() => { const box = document.querySelector('.sr-doc-scroll').getBoundingClientRect();
        return [...document.querySelectorAll('.sr-doc-scroll [role=option]')].filter(line => {
          const at = line.getBoundingClientRect(); return at.height && at.bottom > box.top && at.top < box.bottom })
        .map(line => line.dataset.block ?? line.dataset.fold) }"""
    )
    return found


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
