from __future__ import annotations

from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser

from tests.reading.made import Made, manual
from workbench.documents import Document
from workbench.relevance.scores import Scale
from workbench.widgets import DocumentView

from . import jupyter
from .bare import bare_page
from .document_views import (
    CLASSES,
    DECIDE,
    RELEVANCE,
    TOP,
    in_sight,
    lines,
    long_document,
    plant,
    press,
    read,
    to_text,
)

pytestmark = pytest.mark.browser


def test_what_is_near_the_threshold_is_marked_and_never_folded(browser: Browser) -> None:
    with bare_page(browser, DocumentView(plant())) as page:
        assert {"kept", "near"} <= set(page.evaluate(CLASSES, "3"))
        assert {"skipped", "near"} <= set(page.evaluate(CLASSES, "6"))
        assert page.locator("[data-block='6'] .sr-doc-numbers").inner_text() == "≈ 0.60 × 1.0"


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
