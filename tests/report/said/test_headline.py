"""What a stranger is told first: what was kept, what was skipped, why, and what it saves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.reading.made import Made, manual
from tests.report import made
from workbench.documents import (
    Document,
    DocumentWarning,
    PageStatus,
    join_documents,
    open_collection,
    open_document,
)
from workbench.reading import Reading
from workbench.reading.selection import Reason
from workbench.report.contents import AnswerSaid, AnswersSaid
from workbench.report.reading_contents import reading_contents
from workbench.report.said.coverage import coverage_of
from workbench.report.said.headline import quality_of
from workbench.report.wording import saying

EN, ZH = saying("contents", "en"), saying("contents", "zh")


def headline(reading: Reading, **others: object) -> tuple[str, ...]:
    return reading_contents(reading, **others).headline  # type: ignore[arg-type]


def test_four_sentences_say_what_was_kept_skipped_why_and_what_it_saves() -> None:
    assert headline(made.reading_of()) == (
        "For this question 198 of the document's 1,320 blocks (headings, paragraphs, table rows) were kept for the AI "
        "model to read, on 28 of 53 pages.",
        "The other 1,122 blocks were skipped, so the model does not see them; the longest skipped sections are "
        "“Contents”, “Sibiu, Romania” and “10.21 Note 21 Subsidiaries”.",
        "Why: the blocks were ranked by how well they match the question (rules raise or lower some) and taken from "
        "the top until they held 10\u00a0% of the tokens; what was skipped ranks lower.",
        "It saves 88\u00a0% each time the question is asked: with the headings and page marks that go with the kept "
        "blocks, the model reads 4,033 tokens instead of 34,889.",
    )


def test_the_same_is_said_in_chinese() -> None:
    found = headline(made.reading_of(made.REPORT_ZH, made.REVENUE_ZH), language="zh")

    assert len(found) == 4
    assert found[0].startswith("针对这个问题，文档的 ")
    assert found[3] == (
        "每问一次节省 89\u00a0%：连同随保留块附带的标题和页码标记，模型读 2,762 个词元，而不是 25,796 个。"
    )


def test_what_a_rule_always_keeps_is_said_where_it_does() -> None:
    assert headline(made.reading_of(made.AGREEMENT, made.PAYMENT))[2].startswith(
        "Why: some blocks a rule always keeps; the others were ranked by how well they match the question"
    )


def test_nothing_kept_says_so_and_that_it_proves_nothing() -> None:
    assert headline(made.reading_of(made.MANUAL, made.DEPTH)) == (
        "Nothing was kept: the AI model sees none of the document's 51 blocks (headings, paragraphs, table rows).",
        "All 51 blocks were skipped; each of them is listed with its reason, and can be searched.",
        "Why: nothing in the document was found that has to do with the question.",
        "The model is told so in 61 tokens instead of being shown the document; that is no proof that the answer does "
        "not stand in it.",
    )


def test_nothing_that_reaches_the_line_says_how_far_the_best_block_is() -> None:
    found = headline(made.calibrated_reading(0.1, 0.42, 0.1, threshold=0.5))

    assert found[2].startswith("Why: no block matches the question well enough; the best comes to 0.4")
    assert found[2].endswith("and the line is 0.50.")


def test_everything_kept_saves_nothing() -> None:
    found = headline(made.calibrated_reading(0.9))

    assert found == (
        "All 10 blocks (headings, paragraphs, table rows) of the document were kept for the AI model to read.",
        "Nothing was skipped.",
        "Why: a block is kept when its match with the question (rules raise or lower some) reaches the line of 0.50; "
        "here all do, or stand above one that does.",
        "It saves nothing: with the page marks that go with it, the kept text has 102 tokens, and the whole document "
        "67.",
    )


def test_a_document_below_the_least_says_why_it_is_kept() -> None:
    found = headline(made.reading_of(made.MANUAL, "Which backup is kept for a year?", min_tokens=3_000))

    assert found[2].startswith("Why: the document has only 1,182 tokens, ")
    assert found[3].startswith("It saves nothing: ")


def test_a_scan_needs_text_recognition() -> None:
    reading = made.words_alone().read(made.scanned(), "What is it?")

    assert headline(reading) == (
        "Nothing could be read: 2 pages hold only pictures, as in a scan.",
        "The document needs OCR (text recognition) before anything can be kept or skipped, and so far nothing is "
        "saved.",
    )
    assert "（OCR）" in headline(reading, language="zh")[1]


def test_a_stamp_on_every_page_of_a_scan_is_no_text_of_it_and_saves_nothing() -> None:
    document = Made(name="scan.pdf")
    for number in (1, 2):
        document.page(PageStatus.NO_TEXT)
        document.text(f"Case 2:17-cv-00410 Document 1 Filed 01/18/17 Page {number} of 2 stamped by the court")
    reading = made.words_alone().read(document.document(), "Who signed the complaint?")
    contents = reading_contents(reading)

    assert contents.headline[0] == (
        "Nothing could be read: 2 pages hold only pictures, as in a scan, apart from a line such as a stamp."
    )
    assert contents.document.readable is False
    assert contents.saving.share_skipped == 0
    assert contents.saving.rendered == contents.saving.tokens_total > 0
    assert contents.decision.cut == "There is no text to choose from."


def test_under_the_route_native_the_first_sentence_says_that_nothing_is_saved_and_why() -> None:
    reading = made.reading_of()

    found = headline(reading, gate=made.gated(reading, native=0.9, force=0.95))

    assert found == (
        "The AI model reads all of the document's text, so nothing is skipped and nothing is saved: too little of it "
        "could be left out.",
        "Read in part, 198 of its 1,320 blocks (headings, paragraphs, table rows) would have been kept, on 28 of 53 "
        "pages.",
        "The other 1,122 blocks would have been skipped.",
    )


def test_under_the_route_advisory_the_saving_hangs_on_the_agent() -> None:
    reading = made.reading_of()

    found = headline(reading, gate=made.gated(reading, native=0.1, force=0.9))

    assert found[3].startswith("If the agent that asks chooses to read in part, it saves 88\u00a0% each time: with the")


def test_a_follow_up_says_that_only_its_passages_are_kept() -> None:
    reading = made.calibrated_reading(0.9).with_focus({2: ((0, 8),)})

    assert headline(reading)[2].startswith(
        "Why: it is a follow-up question, so only the passages that it is about are kept"
    )


def test_a_budget_is_named_where_it_ended_the_keeping() -> None:
    reading = made.calibrated_reading(0.9, budget_tokens=60)

    assert "taken from the top while they fitted in a budget of 60 tokens" in headline(reading)[2]
    assert headline(reading.with_budget(5))[2] == (
        "Why: no block that matches the question fits in the budget of 5 tokens."
    )


def test_a_budget_does_not_hide_what_a_rule_always_keeps() -> None:
    reading = made.reading_of(made.AGREEMENT, made.PAYMENT).with_budget(400)

    assert (reading.decision.reason == Reason.PINNED).any()
    assert headline(reading)[2] == (
        "Why: within a budget of 400 tokens, first come the blocks that a rule always keeps; the others were ranked by "
        "how well they match the question (rules raise or lower some) and taken from the top while they fitted."
    )
    assert "总是保留" in headline(reading, language="zh")[2]


def test_a_document_below_the_least_does_not_hide_them_either() -> None:
    reading = made.reading_of(made.AGREEMENT, made.PAYMENT, min_tokens=100_000)

    assert headline(reading)[2].endswith("has nothing to do with the question; some blocks a rule always keeps.")


def test_a_share_that_takes_in_everything_does_not_speak_of_what_was_skipped() -> None:
    document = Made(name="note.txt").text("Closed.").document()
    found = headline(made.words_alone(share=0.1).read(document, "Is it closed?"))

    assert found[1:3] == (
        "Nothing was skipped.",
        "Why: the blocks that match the question best are kept until they hold 10\u00a0% of the tokens; here that "
        "takes in all of them.",
    )


def test_a_blank_text_needs_no_text_recognition(tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text("  \n\n \n")
    reading = made.words_alone().read(open_document(tmp_path / "blank.txt"), "What is it?")

    assert headline(reading) == (
        "Nothing could be read: the document has no text.",
        "So there is nothing that could be kept or skipped, and nothing is saved.",
    )
    assert "OCR" not in "".join(headline(reading, language="zh"))


def test_sheets_are_called_sheets_from_the_first_line_on() -> None:
    reading = made.reading_of("maintenance-register.xlsx", "Which pump was serviced in March?")
    assert len(reading.document.pages) == 3
    contents, chinese = reading_contents(reading), reading_contents(reading, language="zh")

    assert contents.document.coverage == "All 3 sheets could be read."
    assert re.search(r", on \d of 3 sheets\.$", contents.headline[0])
    assert re.search(r", sheet \d, ", contents.decision.near)
    assert chinese.document.coverage == "3 张工作表全部可读。"
    assert "分布在 3 张工作表中的" in chinese.headline[0]
    told = " ".join([contents.document.coverage, *contents.headline, contents.decision.near])
    told += " ".join(part.reason for part in contents.skipped)
    assert not re.search(r"\bpages? \d|\d pages?", told)


def test_files_of_a_folder_are_called_files(tmp_path: Path) -> None:
    for name, text in (("a.md", "Sales rose."), ("b.md", "Interest is due.")):
        (tmp_path / name).write_text(f"# Notes\n\n{text}\n")
    with open_collection(tmp_path) as collection:
        joined = join_documents(list(collection), name="folder", path=tmp_path)

    assert coverage_of(joined, EN) == "All 2 files could be read."
    assert coverage_of(joined, ZH) == "2 个文件全部可读。"


def test_one_block_is_spoken_of_as_one() -> None:
    document = Made(name="note.txt").text("The valve closes at noon.").document()
    found = headline(made.words_alone(share=1.0).read(document, "When does the valve close?"))

    assert found[0] == "The only block of the document was kept."


# --- how quality is known ---


def answers(*, failed: str = "") -> AnswersSaid:
    one = AnswerSaid("noon", 100, 4, 0.5, 1.0, "exact match", failed)
    return AnswersSaid("a model", one, one, "noon", "Both answers are right.")


NOT_MEASURED = "Nobody has measured it for this document"


def test_answers_that_were_measured_come_first() -> None:
    reading = made.reading_of()

    said = quality_of(reading, EN, answers=answers(), gold=(reading.kept_ids[0], reading.skipped.top(1)[0]))

    assert said == (
        "Is the answer still right? Measured, with a model: Both answers are right. Is anything lost? Yes: 1 of the 2 "
        "blocks that somebody marked as evidence are kept; the others are lost."
    )


def test_an_answer_that_failed_measures_nothing() -> None:
    assert NOT_MEASURED in quality_of(made.reading_of(), EN, answers=answers(failed="no reply"))


def test_only_figures_of_a_profile_are_not_said_to_be_of_this_document() -> None:
    said = quality_of(made.reading_of(), EN, profile=made.shipped_profile())

    assert said.replace("\u00a0", " ") == (
        "Is anything lost? That was not measured for this document. On test documents with known answers (the workload "
        "“dev”), these settings (the profile “dev”) lost 2.3 % (0.9 % to 4.2 %, 95 % interval) of what the answers "
        "need, or of their marks where answers were marked; they had not been chosen on these documents "
        "(out of sample)."
    )


def test_of_a_document_that_is_read_whole_nothing_is_lost() -> None:
    reading = made.reading_of()
    whole = made.gated(reading, native=0.9, force=0.95)

    assert quality_of(reading, EN, gold=reading.skipped.top(1), gate=whole) == (
        "Is anything lost? Nothing: the model reads all the text that the document has."
    )


def test_the_recall_of_a_line_stands_before_the_loss_of_a_gate() -> None:
    figure = {
        "name": "evidence recall of the block threshold",
        "value": 0.953,
        "low": 0.9,
        "high": 0.98,
        "level": 0.95,
        "unit": "share",
        "sample": "out of sample",
    }

    said = quality_of(made.reading_of(), EN, profile=made.profile(figures=[figure]))

    told = "these settings (the profile “made”) kept 95.3 % (90.0 % to 98.0 %, 95 % interval) of what the answers need;"
    assert told in said.replace("\u00a0", " ")


def test_without_anything_it_is_said_that_nobody_has_measured_it() -> None:
    assert quality_of(made.reading_of(), EN).startswith(f"Is anything lost? {NOT_MEASURED}: no evidence")
    assert quality_of(made.reading_of(), ZH).startswith("有损失吗？对本文档没有人测量过：")


# --- how much was read ---


def pages_of(*statuses: PageStatus) -> Document:
    document = Made(name="report.pdf")
    for status in statuses:
        document.page(None if status is PageStatus.TEXT else status)
        if status is PageStatus.TEXT:
            document.text("Words.")
    found = document.document()
    found.format = "pdf"
    return found


def test_pages_that_were_not_read_are_listed() -> None:
    document = pages_of(PageStatus.TEXT, PageStatus.NO_TEXT, PageStatus.TEXT, PageStatus.UNREADABLE, PageStatus.BLANK)

    assert coverage_of(document, EN) == (
        "5 pages: 2 could be read, 1 without text, which needs OCR (text recognition) first (2), 1 with a text that "
        "spells no readable words, which needs OCR as well (4), 1 blank."
    )
    assert coverage_of(document, ZH) == (
        "共 5 页：2 页可读、1 页没有文字，须先做文字识别 OCR（第 2 页）、"
        "1 页的文字无法辨读，也须做 OCR（第 4 页）、1 页空白。"
    )


def test_pages_whose_text_is_garbled_need_text_recognition_too() -> None:
    document = pages_of(PageStatus.TEXT, PageStatus.UNREADABLE, PageStatus.UNREADABLE)

    assert coverage_of(document, EN) == (
        "3 pages: 1 could be read, 2 with a text that spells no readable words, which need OCR (text recognition) "
        "first (2-3)."
    )


def test_a_long_list_of_pages_ends_with_how_many_more() -> None:
    document = pages_of(*[PageStatus.TEXT, PageStatus.NO_TEXT] * 12)

    assert "12 without text, which need OCR (text recognition) first (2, 4, 6, 8, 10, 12, 14, 16 and 4 more)" in (
        coverage_of(document, EN)
    )
    assert "12 页没有文字，须先做文字识别 OCR（第 2, 4, 6, 8, 10, 12, 14, 16 及另外 4 页）" in coverage_of(document, ZH)


@pytest.mark.parametrize("code", ["truncated", "out_of_time"])
def test_a_file_that_was_not_read_to_its_end_says_so(code: str) -> None:
    document = manual()
    document.warnings = (DocumentWarning(code, "Only the first 3 of 9 pages were read (max_pages)."),)

    assert coverage_of(document, EN) == "The file was not read to its end; only its beginning was."
