"""What the page of a report says where nothing was kept, all is read, or words are not of its language."""

from __future__ import annotations

import re

import pytest

from tests.reading.made import Made
from workbench.report.prices import Price, PriceTable
from workbench.report.reading_contents import reading_contents
from workbench.report.views import view_of
from workbench.report.wording import saying

from .made import AGREEMENT, PAYMENT, calibrated_reading, gated, reading_of, shipped_profile, words_alone
from .test_page import chosen, contents_of, page_of, text_of


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_reading_that_shows_nothing_offers_no_share_and_no_money(language: str) -> None:
    reading = reading_of("machines.csv", "What is the warranty period?")
    said = reading_contents(reading, language=language)
    assert said.saving.blocks_kept == said.saving.share_skipped == 0
    page, words = page_of(said, language=language), saying("page", language)
    tiles = [(text_of(found.xpath("dd")[0]), text_of(found.xpath("dt")[-1])) for found in chosen(page, ".numbers")[0]]
    assert [number for number, _ in tiles] == ["0", "—", "—"]
    assert tiles[1][1] == words("head.skipped.empty", blocks=10, total=10)
    assert words("money.empty") in tiles[2][1]
    money = chosen(page, "#r1-money")[0]
    assert words("money.empty") in text_of(money)
    assert not money.xpath(".//table")
    # Prices that somebody changes must not bring a saving back.
    assert "data-money" not in money.attrib
    assert not chosen(page, "[data-head-money]")


def test_a_text_that_grows_by_its_marks_is_not_told_as_a_part_of_the_document() -> None:
    document = Made(name="note.txt").text("Closed.").document()
    said = reading_contents(words_alone(share=1.0).read(document, "Is it closed?"))
    assert said.saving.rendered > said.saving.tokens_total
    (tile,) = chosen(page_of(said), ".kept-number")
    assert text_of(tile[1]) == str(said.saving.rendered)
    total = said.saving.tokens_total
    assert f"tokens go to the model: the whole document, {total}, and the page marks" in text_of(tile[2])


def test_a_follow_up_does_not_say_that_no_rule_spoke() -> None:
    reading = reading_of(AGREEMENT, PAYMENT)
    said = reading_contents(reading.with_focus({int(reading.kept_ids[0]): ((0, 8),)}))
    told = text_of(chosen(page_of(said), "#r1-decision")[0])
    assert "This is a follow-up question: neither the rules nor the match decided here." in told
    assert "No rule" not in told


def test_in_a_chinese_report_what_stays_english_says_so_and_stands_apart() -> None:
    said = reading_contents(reading_of(AGREEMENT, PAYMENT), language="zh")
    page = page_of(said, language="zh")
    cells = page.xpath("//*[@id='r1-decision']//table//td[2][contains(., '权重')]")
    assert len(cells) > 3
    for cell in cells:
        (reason,) = cell.xpath("span[@lang='en']")
        own = text_of(cell).replace(text_of(reason), "")
        assert not re.search(r"[A-Za-z]{4}", own)
    for note in page.xpath("//*[@id='r1-decision']//ul/li"):
        assert (note.get("lang") == "en") != bool(re.search(r"[\u4e00-\u9fff]", text_of(note)))


def test_what_a_looser_cut_keeps_first_stands_first() -> None:
    reading = calibrated_reading(0.9, 0.1, 0.3, 0.2, 0.4, 0.05, threshold=0.5)
    view = view_of(reading_contents(reading), PriceTable((Price("ours", 1.0),)))
    ids = [block.block_id for block in view.near]
    assert len({reading.priority[block] for block in ids}) == len(ids) == 5
    assert ids == list(reading.skipped.top(5))


def test_names_of_others_are_isolated_from_the_sentence_around_them() -> None:
    prices = PriceTable((Price("\u05d0\u05d1 (1)", 2.0),), currency="\u05e9\u05d7")
    page = page_of(contents_of(), prices=prices)
    (assumed,) = chosen(page, "[data-assumption]")
    assert [text_of(found) for found in assumed.xpath("bdi")] == ["\u05e9\u05d7", "\u05d0\u05d1 (1)"]
    assert text_of(assumed).endswith("days, and \u05e9\u05d7 2.00 per million input tokens (\u05d0\u05d1 (1)).")
    assert text_of(chosen(page, ".head bdi.currency")[0]) == "\u05e9\u05d7"
    assert text_of(chosen(page, "#r1-money td.name bdi")[0]) == "\u05d0\u05d1 (1)"
    assert text_of(page.xpath("//*[@data-field='currency']/bdi")[0]) == "\u05e9\u05d7"


def test_what_is_read_whole_has_no_loss_anywhere_in_the_page() -> None:
    reading = reading_of(AGREEMENT, PAYMENT)
    gold = reading.skipped.top(7)
    whole = gated(reading, native=0.9, force=0.95)
    said = reading_contents(reading, gold=gold, gate=whole, profile=shipped_profile())
    page = page_of(said)
    head = text_of(chosen(page, ".head")[0])
    assert "Is anything lost? Nothing: the model reads all the text that the document has." in head
    marks = [text_of(found).strip() for found in chosen(page, ".lost-mark")]
    assert marks == ["Evidence that somebody marked, and that would have been skipped."] * 7
