"""The page of a report as markup: what stands in it without a script, in which order, and that texts stay texts."""

from __future__ import annotations

import dataclasses
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lxml import html as parser

from workbench.errors import InvalidOption
from workbench.report.contents import (
    AnswerSaid,
    AnswersSaid,
    GateSaid,
    KeptBlock,
    KeptRun,
    PageFacts,
    PageMark,
    ReadingContents,
    ReportContents,
    SkippedBlock,
    SkippedPart,
)
from workbench.report.pages.facts import page_facts
from workbench.report.pages.pictures import Pictures
from workbench.report.prices import Price, PriceTable
from workbench.report.reading_contents import reading_contents
from workbench.report.rendering import SCRIPTS, rendered
from workbench.report.views import page_view, strip_of, view_of
from workbench.report.wording import FOLDER

from .made import MANUAL, REPORT, reading_of

HOSTILE = (
    "<script>globalThis.harmed = 1</script>",
    "<img src=x onerror='globalThis.harmed = 1'>",
    "</style></title></script><h1>Approved</h1>",
    "{{ 7 * 7 }} {% include 'base.html' %} &amp; &#60;b&#62;",
    "javascript:globalThis.harmed = 1",
    "paid \u202e001 only",
)


def contents_of(name: str = REPORT, *, language: str = "en", **values: Any) -> ReadingContents:
    reading = reading_of(name)
    pages = page_facts(reading, language=language, pictures=Pictures.none())
    return reading_contents(reading, language=language, pages=pages, **values)


def report_of(*readings: ReadingContents, language: str = "en", **values: Any) -> ReportContents:
    return ReportContents(title="What was kept", language=language, readings=readings, **values)


def page_of(*readings: ReadingContents, prices: PriceTable | None = None, language: str = "en") -> Any:
    return parser.document_fromstring(rendered(report_of(*readings, language=language), prices=prices))


def chosen(page: Any, selector: str) -> list[Any]:
    """Return what a selector of tags, classes, ids and attributes chooses."""
    steps = []
    for one in selector.split():
        tag, rest = re.fullmatch(r"([a-z0-9]*)(.*)", one).groups()  # type: ignore[union-attr]
        tests = re.findall(r"([.#\[])([\w-]+)", rest)
        as_path = {".": "[contains(concat(' ', @class, ' '), ' {} ')]", "#": "[@id='{}']", "[": "[@{}]"}
        steps.append((tag or "*") + "".join(as_path[kind].format(name) for kind, name in tests))
    return list(page.xpath("descendant::" + "//".join(steps)))


def text_of(found: Any) -> str:
    return str(found.text_content())


def test_every_block_stands_in_the_page_once_with_its_text_and_reason() -> None:
    said = contents_of()
    page = page_of(said)
    for run in said.runs:
        for block in run.blocks:
            (found,) = page.xpath(f"//*[@id='r1-b{block.block_id}']")
            cells = [text_of(cell) for cell in chosen(found, ".document-text")]
            assert cells == block.pieces[0].split("\t") if block.table >= 0 else cells == [block.pieces[0]]
            assert text_of(chosen(found, ".reason")[0]) == block.reason
    for part in said.skipped:
        for skipped in part.blocks:
            (found,) = page.xpath(f"//*[@id='r1-b{skipped.block_id}']")
            assert text_of(chosen(found, "p")[0]) == skipped.text
            assert text_of(chosen(found, "small")[0]) == skipped.reason


def test_no_id_stands_twice_and_every_link_leads_somewhere() -> None:
    second = dataclasses.replace(contents_of(), key="r2")
    page = page_of(contents_of(), second)
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    targets = {str(link)[1:] for link in page.xpath("//a/@href")}
    assert targets <= set(ids)
    assert {"r1", "r2"} <= targets


def test_headings_go_down_one_level_at_a_time() -> None:
    levels = [int(found.tag[1]) for found in page_of(contents_of()).xpath("//h1|//h2|//h3|//h4")]
    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


def test_the_parts_stand_in_the_order_in_which_people_ask() -> None:
    ids = [str(found) for found in page_of(contents_of()).xpath("//article/section/@id")]
    assert ids == ["r1-pages", "r1-kept", "r1-skipped", "r1-decision", "r1-money"]


def test_coverage_stands_before_the_question() -> None:
    said = contents_of()
    head = chosen(page_of(said), ".head")[0]
    assert [found.tag for found in head][:2] == ["p", "h2"]
    assert said.document.coverage in text_of(head[0])


def test_a_gap_says_how_many_blocks_and_tokens_it_left_out() -> None:
    said = contents_of()
    view = view_of(said, PriceTable((Price("ours", 1.0),)))
    gaps = [run.gap for run in view.runs if run.gap] + ([view.after] if view.after else [])
    skipped = [block for part in said.skipped for block in part.blocks]
    assert sum(gap.blocks for gap in gaps) == len(skipped)
    assert sum(gap.tokens for gap in gaps) == sum(block.tokens for block in skipped)


def test_the_strip_holds_every_token_and_shows_the_kept_ones() -> None:
    said = contents_of()
    strip = strip_of(said.runs, [block for part in said.skipped for block in part.blocks])
    kept = sum(block.tokens for run in said.runs for block in run.blocks)
    assert sum(stretch.tokens for stretch in strip.stretches) == kept
    assert strip.tokens == kept + sum(part.tokens for part in said.skipped)
    assert all(one.start + one.tokens <= two.start for one, two in pairwise(strip.stretches))


def test_a_page_has_a_veil_with_holes_and_one_outline_a_mark() -> None:
    marks = (
        PageMark(3, 50, 100, 500, 120, "kept"),
        PageMark(3, 50, 118, 480, 140, "kept"),
        PageMark(4, 50, 150, 500, 160, "skipped"),
    )
    page = page_view(PageFacts(1, "text", 595.3, 841.9, "p1", marks, (3,), (4,), 9, 12, "Kept in part."))
    # The second line begins where the first ends: holes over each other would be veiled again.
    assert page.veil == "M0 0h595v842h-595zM50 100h450v20h-450zM50 120h430v20h-430z"
    assert page.outlines == (
        ("skipped", "4", "M50 150h450v10h-450z"),
        ("kept", "3 3", "M50 100h450v20h-450zM50 118h430v22h-430z"),
    )
    assert page.bars == (("kept", "M44 100v40"),)


def test_a_page_that_was_not_read_says_so_in_words() -> None:
    said = contents_of()
    document = dataclasses.replace(said.document, not_read=(2,))
    page = page_of(dataclasses.replace(said, document=document))
    (found,) = chosen(page, "a.unread")
    assert text_of(found).split()[:2] == ["Page", "2"]
    assert "not read: no text" in text_of(found)


def test_a_document_without_pages_has_a_strip_and_no_thumbnails() -> None:
    page = page_of(contents_of(MANUAL))
    assert chosen(page, ".strip.alone svg rect")
    assert not chosen(page, ".thumb")
    assert [text_of(found) for found in chosen(page, ".strip .headings span")]


def test_money_and_share_are_of_what_the_model_reads() -> None:
    said = contents_of()
    prices = PriceTable((Price("ours", 1_000.0),), requests_per_day=1, days_per_year=1)
    page = page_of(said, prices=prices)
    year = (said.saving.tokens_total - said.saving.rendered) / 1_000
    assert text_of(chosen(page, "[data-year]")[0]) == f"{year:,.2f}" if year < 100 else f"{year:,.0f}"
    assert text_of(chosen(page, ".kept-number dd")[0]) == f"{said.saving.rendered:,}"
    assert "assuming one request like this a day, 1 days, and USD 1,000 per million" in text_of(
        chosen(page, "[data-assumption]")[0]
    )


def test_a_document_that_the_gate_has_read_whole_saves_nothing() -> None:
    said = contents_of()
    gate = GateSaid("native", "The document is read whole.", ())
    decided = dataclasses.replace(said, decision=dataclasses.replace(said.decision, gate=gate))
    page = page_of(decided)
    assert text_of(chosen(page, "[data-year]")[0]) == "0"
    assert text_of(chosen(page, ".kept-number dd")[0]) == f"{said.saving.tokens_total:,}"
    assert text_of(chosen(page, ".head .warning.native")[0]) == decided.headline[0]
    dd, dt = (text_of(part) for part in chosen(page, ".numbers")[0][1])
    assert (dd, dt) == ("0\u00a0%", f"of the tokens saved; 0 of {said.saving.blocks_total:,} blocks skipped")
    titles = [text_of(chosen(page, f"#r1-{part}-title")[0]) for part in ("kept", "skipped")]
    assert titles == ["What would have been kept", "What would have been skipped"]


def test_skipped_evidence_is_told_at_the_head_and_where_it_stands() -> None:
    said = contents_of()
    lost = said.skipped[0].blocks[0].block_id
    page = page_of(contents_of(gold=(lost,)))
    assert "A skipped block holds evidence" in text_of(chosen(page, ".head .warning")[0])
    assert "was skipped" in text_of(chosen(page, f"#r1-b{lost} .lost-mark")[0])


def test_an_empty_reading_says_so_where_the_kept_text_would_be() -> None:
    page = page_of(dataclasses.replace(contents_of(), runs=()))
    assert text_of(chosen(page, "#r1-kept .nothing")[0]).startswith("Nothing was kept.")


def test_answers_stand_side_by_side_and_a_failure_is_told() -> None:
    whole = AnswerSaid("", 900, 0, 1.0, None, "Not graded.", failed="The endpoint refused it.")
    kept = AnswerSaid("On <b>30 May</b>.", 100, 8, 0.5, 1.0, "Right: it is the expected answer.")
    answers = AnswersSaid("model-x", whole, kept, "30 May", "Only the kept text was answered from.")
    page = page_of(dataclasses.replace(contents_of(), answers=answers))
    assert text_of(chosen(page, ".from-whole .failed")[0]) == "The endpoint refused it."
    assert text_of(chosen(page, ".from-kept .document-text")[0]) == "On <b>30 May</b>."
    assert "100 tokens in, 8 out, 0.5 seconds" in text_of(chosen(page, ".from-kept")[0])


def hostile_contents() -> ReadingContents:
    said = contents_of(MANUAL)
    kept = tuple(
        KeptBlock(rank, 1, "paragraph", 0, (text,), "kept", f"Because {text}", 0.9, 0.9, 9)
        for rank, text in enumerate(HOSTILE)
    )
    skipped = tuple(
        SkippedBlock(100 + rank, 1, "paragraph", text, 9, f"Because {text}", 0.1, 0.1, near=True)
        for rank, text in enumerate(HOSTILE)
    )
    return dataclasses.replace(
        said,
        question=" ".join(HOSTILE),
        document=dataclasses.replace(said.document, name=HOSTILE[1]),
        runs=(KeptRun(1, "[p1 #0-5]", False, kept),),
        skipped=(SkippedPart(HOSTILE, (1, 1), 54, 0.1, "Because.", skipped),),
    )


def test_text_of_a_document_is_never_markup() -> None:
    said = hostile_contents()
    prices = PriceTable((Price(HOSTILE[0], 1.0),), currency="<b>")
    out = rendered(dataclasses.replace(report_of(said), title=HOSTILE[2]), prices=prices)
    page = parser.document_fromstring(out)
    assert len(page.xpath("//script")) == len(SCRIPTS)
    assert not page.xpath("//img | //*[@onerror]")
    assert len(page.xpath("//h1")) == 1
    assert not page.xpath("//@href[not(starts-with(., '#'))]")
    assert [text_of(found) for found in chosen(page, ".kept-text .document-text")] == list(HOSTILE)
    assert [text_of(found) for found in chosen(page, ".section li p")] == list(HOSTILE)
    assert all(
        found.get("dir") == "auto"
        for found in chosen(page, ".kept-text .document-text") + chosen(page, ".section li p")
    )
    assert page.xpath("//title")[0].text == HOSTILE[2]


def test_a_skipped_block_costs_little_beside_its_texts() -> None:
    said = contents_of(MANUAL)
    blocks = tuple(SkippedBlock(1000 + rank, 1, "paragraph", "x", 1, "y", 0.1, 0.1) for rank in range(8_000))
    long = dataclasses.replace(said, skipped=(SkippedPart(("Long",), (1, 1), 8_000, 0.1, "Because.", blocks),))
    none = dataclasses.replace(said, skipped=())
    assert (len(rendered(report_of(long))) - len(rendered(report_of(none)))) / 8_000 < 150


def test_a_chinese_report_says_everything_in_chinese() -> None:
    said = contents_of(language="zh")
    page = page_of(said, language="zh")
    assert page.get("lang") == "zh"
    english = json.loads((FOLDER / "page.en.json").read_text("utf-8"))
    shown = text_of(chosen(page, "body")[0])
    assert english["skipped.title"] not in shown
    assert english["money.caveat"] not in shown
    assert "小型模型" in shown


def test_both_languages_have_the_same_words_with_the_same_values() -> None:
    english, chinese = (json.loads((FOLDER / f"page.{one}.json").read_text("utf-8")) for one in ("en", "zh"))
    assert list(english) == list(chinese)
    for key, text in english.items():
        assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", chinese[key])), key


def test_every_word_of_the_page_is_used() -> None:
    folder = FOLDER.parent
    sources = "".join(path.read_text("utf-8") for kind in ("templates", "static") for path in (folder / kind).iterdir())
    made = ("bar.", "status.", "legend.", "strip.", "money.fault.", "zoom.")
    for key in json.loads((FOLDER / "page.en.json").read_text("utf-8")):
        plain = key.removesuffix(".one")
        assert f'"{plain}"' in sources or f"'{plain}'" in sources or key.startswith(made), key


def test_another_language_is_refused() -> None:
    with pytest.raises(InvalidOption, match="language is 'fr'; choose from en, zh"):
        rendered(report_of(contents_of(), language="fr"))


def test_no_sheet_or_script_loads_anything(project_dir: Path) -> None:
    for path in (project_dir / "workbench" / "report" / "static").iterdir():
        assert not re.search(r"url\(|@import|fetch\(|innerHTML|https?:", path.read_text("utf-8")), path.name


def test_cells_stand_in_the_columns_of_their_table() -> None:
    said = contents_of()
    rows = tuple(
        KeptBlock(900 + rank, 1, "table_row", 0, (text,), "kept", "Fits.", 0.5, 0.5, 4, table=899, columns=columns)
        for rank, (text, columns) in enumerate(
            [("Sales\t12\t(3)", (0, 1, 4)), ("Cost\t7", (0, 4)), ("Year\t2018", (0, 1))]
        )
    )
    page = page_of(dataclasses.replace(said, runs=(KeptRun(1, "[p1 #900-902]", False, rows),)))
    cells = [[text_of(cell) for cell in row][:-1] for row in chosen(page, "#r1-kept .rows tr")]
    assert cells == [["Sales", "12", "(3)"], ["Cost", "", "7"], ["Year", "2018", ""]]
    assert [text_of(cell) for cell in chosen(page, "#r1-kept td.number")] == ["12", "(3)", "7", "2018"]


def test_cells_of_unknown_columns_stand_in_their_order() -> None:
    said = contents_of()
    texts = ("a\tb\tc", "d\te")
    rows = tuple(
        KeptBlock(900 + rank, 1, "table_row", 0, (text,), "kept", "Fits.", 0.5, 0.5, 4, table=899)
        for rank, text in enumerate(texts)
    )
    page = page_of(dataclasses.replace(said, runs=(KeptRun(1, "[p1 #900-901]", False, rows),)))
    cells = [[text_of(cell) for cell in row][:-1] for row in chosen(page, "#r1-kept .rows tr")]
    assert cells == [["a", "b", "c"], ["d", "e", ""]]


def test_a_document_that_could_not_be_read_shows_neither_tokens_nor_a_strip() -> None:
    said = contents_of()
    unread = dataclasses.replace(said, document=dataclasses.replace(said.document, readable=False, not_read=(1, 2)))
    page = page_of(unread)
    tiles = [" ".join(text_of(tile).split()) for tile in chosen(page, ".numbers")[0]]
    assert tiles[0] == f"0 of {len(said.pages)} pages could be read"
    assert len(tiles) == 2
    assert not [found for one in (".strip", ".kept-number", ".quality") for found in chosen(page, one)]
    assert text_of(chosen(page, "#r1-pages-title")[0]) == "Pages: none of them could be read"
