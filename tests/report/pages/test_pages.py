"""Pages of a reading as a report shows them: picture, blocks, and one sentence on what became of each."""

from __future__ import annotations

import base64
import io
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.documents.formats.pdf.pdf_files import PdfFile, prose
from tests.documents.test_page_images import deck
from tests.reading.made import Made
from workbench.documents import PageStatus, join_documents, open_collection, open_document
from workbench.errors import InvalidOption
from workbench.reading import SparseReader
from workbench.report.contents import PageFacts
from workbench.report.pages.facts import Pictures, page_facts
from workbench.report.pages.pictures import BUDGET_BYTES
from workbench.report.pages.sentences import PageSentences
from workbench.report.said.reasons import Reasons
from workbench.report.wording import FOLDER, saying

from ..made import MANUAL, REPORT, bundled, calibrated_reading, reading_of, scanned, words_alone

NONE = Pictures.none()
HAN = re.compile(r"[\u4e00-\u9fff]")


def facts_of(*relevance: float, language: str = "en", **options: Any) -> PageFacts:
    """The one page of a short manual, read by hand-set probabilities."""
    (page,) = page_facts(calibrated_reading(*relevance, **options), language=language, pictures=NONE)
    return page


@cache
def drawn() -> Pictures:
    return Pictures([reading_of()])


def size_of(pictures: Pictures, key: str) -> tuple[int, int]:
    uri = pictures.found[key]
    assert uri.startswith("data:image/webp;base64,")
    with Image.open(io.BytesIO(base64.b64decode(uri.partition(",")[2], validate=True))) as image:
        return image.size


# What stands on a page ---------------------------------------------------------------------------


def test_every_page_tells_its_blocks_and_tokens_and_they_add_up() -> None:
    reading = reading_of()
    pages = page_facts(reading, pictures=NONE)
    assert [page.number for page in pages] == list(range(1, len(reading.document.pages) + 1))
    assert sum(page.tokens for page in pages) == reading.saving.tokens_total
    assert sum(page.tokens_kept for page in pages) == reading.saving.tokens_kept
    kept = {block for page in pages for block in page.kept}
    assert kept == set(np.flatnonzero(reading.decision.kept & reading.basis.has_text).tolist())
    for page in pages:
        assert not set(page.kept) & set(page.skipped)
        for block in (*page.kept, *page.skipped):
            assert page.number in reading.document.blocks[block].anchor.pages
        assert {mark.block_id for mark in page.marks} == {*page.kept, *page.skipped}
        assert {mark.block_id for mark in page.marks if mark.status == "skipped"} == set(page.skipped)


def test_a_text_without_pages_is_one_page_without_a_picture() -> None:
    pictures = Pictures()
    (page,) = page_facts(reading_of(MANUAL, "Which backup is kept for a year?"), pictures=pictures)
    assert (page.width, page.height, page.picture, page.marks) == (0.0, 0.0, "", ())
    assert pictures.found == {}
    assert re.match(r"\d+ of 51 blocks of the document were kept\. ", page.sentence)


# What became of it -------------------------------------------------------------------------------


def test_a_skipped_page_says_why() -> None:
    page = facts_of(0.08, 0.02, threshold=0.31)
    count = len(page.skipped)
    assert page.kept == ()
    assert page.sentence == (
        f"All {count} blocks of the document were skipped: the best of them matches the question with 0.08, "
        "and the line was at 0.31."
    )
    assert facts_of(0.08, 0.02, threshold=0.31, language="zh").sentence == (
        f"整份文档的 {count} 个块全部跳过：其中最好的与问题的匹配度为 0.08，而切分线为 0.31。"
    )


def test_a_page_that_rules_put_below_the_line_says_so() -> None:
    from workbench.structure import Match, Rule, RuleTable

    rule = Rule("all", Match(keywords=("backup", "Backup")), 0.5, reason="For the test.")
    reading = calibrated_reading(0.4, threshold=0.35, rules=RuleTable("house", (rule,)))
    lowered = reading.priority < reading.scores.relevance
    assert lowered.any()
    (page,) = page_facts(reading, pictures=NONE)
    assert "matches the question with 0.40, and the line was at 0.35." in page.sentence
    ids = np.flatnonzero(lowered).tolist()
    said = PageSentences(reading, saying("pages", "en")).of(1, ids)
    assert said.endswith("matches the question with 0.40, but the rules lower that to 0.20, and the line was at 0.35.")


def test_a_page_of_which_something_was_kept_says_how_much_and_how_near_it_was() -> None:
    page = facts_of(0.9, 0.2, threshold=0.5)
    kept, total = len(page.kept), len(page.kept) + len(page.skipped)
    assert 0 < kept < total
    assert page.sentence.startswith(f"{kept} of {total} blocks of the document w")
    assert "matches the question with 0.90, and the line was at 0.50." in page.sentence


def test_a_page_that_was_kept_whole_says_so() -> None:
    page = facts_of(0.9, threshold=0.5)
    assert page.skipped == ()
    assert page.sentence.startswith(f"All {len(page.kept)} blocks of the document were kept. ")


def test_a_page_for_which_the_budget_had_no_room_says_so() -> None:
    page = facts_of(0.9, threshold=0.5, budget_tokens=1)
    assert page.kept == ()
    assert page.sentence.endswith("the best of them reaches the line, but the budget had no room left.")


def test_a_page_of_a_document_that_has_nothing_to_do_with_the_question_says_so() -> None:
    page = reading_of(MANUAL, "zzz qqq xxx")
    (facts,) = page_facts(page, pictures=NONE)
    assert facts.kept == ()
    assert facts.sentence == (
        "All 51 blocks of the document were skipped: nothing in the whole document was found to speak to the question."
    )


def test_tiny_scores_are_told_in_as_many_digits_as_tell_them_apart() -> None:
    page = facts_of(0.0000012, 0.0000001, threshold=0.000004)
    assert page.sentence.endswith("matches the question with 0.000001, and the line was at 0.000004.")


def test_where_many_match_a_little_a_skipped_page_tells_its_rank_as_its_blocks_do() -> None:
    reading = words_alone(share=0.2).read(bundled("claim-file.pdf"), "What is the warranty period?")
    page = page_facts(reading, pictures=NONE)[2]
    assert page.kept == ()
    found = re.search(
        r"the best of them is number (\d+) of the 570 ranked blocks by its match with the question, as the rules weigh "
        r"it, and the share of the tokens was used up with number (\d+)\.$",
        page.sentence,
    )
    assert found is not None, page.sentence
    assert int(found[2]) == reading.decision.passed < int(found[1])


_LINE_OF_PAGE = re.compile(r"line was at ([\d.]*\d)")
_RANK = re.compile(r"number [\d,]+ of the [\d,]+ ranked blocks")
_NUMBER = re.compile(r"\d+\.\d+")


@pytest.mark.parametrize(
    ("name", "question", "share"),
    [
        ("claim-file.pdf", "What is the warranty period?", 0.1),
        ("claim-file.pdf", "What is the warranty period?", 0.3),
        ("pump-manual.pdf", "What is the warranty period?", 0.05),
        ("group-annual-report.pdf", "How much revenue did the group report?", 0.1),
        ("research-report.pdf", "How much revenue did the group report?", 0.3),
    ],
)
def test_a_page_tells_one_line_with_its_blocks(name: str, question: str, share: float) -> None:
    reading = reading_of(name, question, share=share)
    reasons = Reasons(reading, saying("contents", "en"))
    compared = 0
    for page in page_facts(reading, pictures=NONE):
        of_blocks = " ".join(reasons.of(block) for block in (*page.kept, *page.skipped))
        ranks, lines = _RANK.findall(page.sentence), _LINE_OF_PAGE.findall(page.sentence)
        assert len(ranks) + len(lines) <= 1
        assert all(rank in of_blocks for rank in ranks)
        for number in _NUMBER.findall(page.sentence) if lines else ():
            assert float(number) > 0
            assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", of_blocks), page.sentence
        compared += len(ranks) + len(lines)
    assert compared


def test_pages_without_text_say_what_to_do() -> None:
    document = scanned()
    document.format = "pdf"
    pages = page_facts(words_alone().read(document, "What does it say?"), pictures=NONE)
    assert [page.status for page in pages] == ["no text layer", "no text layer", "blank"]
    assert pages[1].sentence == ("Page 2 has no text (a scan?), so nothing of it was read: it needs OCR first.")
    assert pages[2].sentence == "Page 3 is blank."


def test_an_unreadable_page_says_so() -> None:
    made = Made(name="broken.pdf")
    made.page(PageStatus.UNREADABLE)
    document = made.document()
    document.format = "pdf"
    (page,) = page_facts(words_alone().read(document, "What does it say?"), pictures=NONE)
    assert page.sentence == "Page 1 could not be read: no readable words could be got from it, so it needs OCR first."


def test_a_slide_is_called_a_slide_and_a_page_of_a_folder_has_the_name_of_its_file(tmp_path: Path) -> None:
    deck(tmp_path / "a.pptx")
    (slide,) = page_facts(
        words_alone(share=1.0).read(open_document(tmp_path / "a.pptx"), "Did sales rise?"), pictures=NONE
    )
    assert "slide 1 " in slide.sentence
    (tmp_path / "b.md").write_text("# Notes\n\nInterest is due.\n")
    with open_collection(tmp_path) as collection:
        joined = join_documents(list(collection), name="folder", path=tmp_path)
    pages = page_facts(words_alone().read(joined, "Did sales rise?"), pictures=NONE)
    assert [re.search(r" (slide|file) \d \([^)]*\)", page.sentence) is not None for page in pages] == [True, True]
    assert "file 2 (b.md)" in pages[1].sentence


@pytest.mark.parametrize("share", [0.05, 0.4])
def test_sentences_are_whole_in_both_languages(share: float) -> None:
    reading = reading_of(share=share)
    english = page_facts(reading, language="en", pictures=NONE)
    chinese = page_facts(reading, language="zh", pictures=NONE)
    for en, zh in zip(english, chinese, strict=True):
        assert en.sentence.endswith(".")
        assert not HAN.search(en.sentence)
        assert zh.sentence.endswith("。")
        assert HAN.search(zh.sentence)
        assert not re.search(r"[{}]", en.sentence + zh.sentence)


def test_both_languages_have_words_for_the_same_things() -> None:
    import json

    english, chinese = (
        json.loads((FOLDER / f"pages.{language}.json").read_text(encoding="utf-8")) for language in ("en", "zh")
    )
    assert list(english) == list(chinese)
    for key, words in english.items():
        assert set(re.findall(r"{(\w+)}", chinese[key])) == set(re.findall(r"{(\w+)}", words)), key


def test_another_language_is_refused() -> None:
    with pytest.raises(InvalidOption, match=r"^language is 'fr'; choose from en, zh\.$"):
        page_facts(reading_of(), language="fr", pictures=NONE)


# Pictures ----------------------------------------------------------------------------------------


def test_every_page_has_a_picture_and_kept_pages_the_larger_ones() -> None:
    pages = page_facts(reading_of(), pictures=drawn())
    widths = [(bool(page.kept), size_of(drawn(), page.picture)[0]) for page in pages]
    of_kept = {width for kept, width in widths if kept}
    of_skipped = {width for kept, width in widths if not kept}
    assert (of_kept, of_skipped) == ({1100}, {840})
    assert sum(map(len, drawn().found.values())) <= BUDGET_BYTES
    for page in pages:
        width, height = size_of(drawn(), page.picture)
        assert height / width == pytest.approx(page.height / page.width, rel=0.01)


def test_readings_of_one_document_share_pictures_sized_by_what_either_keeps() -> None:
    first, second = reading_of(share=0.02), reading_of(question="Who audits the accounts?", share=0.02)
    together = Pictures([first, second])
    for reading in (first, second):
        for page in page_facts(reading, pictures=together):
            if page.kept:
                assert size_of(together, page.picture)[0] == 1100
    kept = {page.number for reading in (first, second) for page in page_facts(reading, pictures=NONE) if page.kept}
    assert len(kept) < len(first.document.pages) == len(together.found)


@pytest.mark.parametrize("budget", [0, 5_000, 60_000, 200_000])
def test_a_smaller_budget_is_kept_and_pages_without_a_picture_say_so(budget: int) -> None:
    pictures = Pictures([reading_of(share=0.02)], budget_bytes=budget)
    assert sum(map(len, pictures.found.values())) <= budget
    for page in page_facts(reading_of(share=0.02), pictures=pictures):
        bare = page.sentence.endswith(" No picture of it is shown, to keep the file small enough to mail.")
        assert bare == (page.picture == "")


def test_readings_that_come_one_by_one_get_equal_parts(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.pdf"):
        pdf = PdfFile(tmp_path / name, (400, 300))
        pdf.paragraph(60, 60, prose(8, first=len(name) + ord(name[0])), width=280)
        pdf.save()
    readings = [words_alone().read(open_document(tmp_path / name), "Who pays?") for name in ("a.pdf", "b.pdf")]
    (whole,) = Pictures(readings[:1]).found.values()
    budget = len(whole)
    greedy, fair = Pictures(budget_bytes=budget), Pictures(budget_bytes=budget, parts=2)
    shown = [[page_facts(reading, pictures=each)[0].picture for reading in readings] for each in (greedy, fair)]
    assert shown[0] == ["d1p1", ""]
    assert shown[1] == ["d1p1", "d2p1"]
    assert sum(map(len, fair.found.values())) <= budget


def test_equal_pictures_stand_in_the_file_once(tmp_path: Path) -> None:
    import pptx

    presentation = pptx.Presentation()
    for number in range(3):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, 3_000_000, 500_000).text_frame.text = f"Sales rose {number}"
    presentation.save(str(tmp_path / "a.pptx"))
    reading = words_alone(share=1.0).read(open_document(tmp_path / "a.pptx"), "Did sales rise?")
    pictures = Pictures([reading])
    assert [page.picture for page in page_facts(reading, pictures=pictures)] == ["d1p1"] * 3
    assert list(pictures.found) == ["d1p1"]


def test_a_file_that_is_gone_leaves_pages_without_pictures_and_says_why(tmp_path: Path) -> None:
    path = Path(shutil.copy(bundled(REPORT).path or "", tmp_path / "a.pdf"))
    reading = words_alone().read(open_document(path), "What was the revenue?")
    path.unlink()
    pictures = Pictures([reading])
    pages = page_facts(reading, pictures=pictures)
    assert pictures.found == {}
    for page in pages:
        assert page.picture == ""
        assert page.marks
        assert page.sentence.endswith(
            " No picture of it can be shown: The file of a.pdf is not there to be drawn; open it from a folder on disk."
        )


def test_pictures_are_the_same_every_time() -> None:
    assert Pictures([reading_of()]).found == drawn().found


def test_no_pictures_are_drawn_and_nothing_is_said_of_them_where_none_are_wanted() -> None:
    pages = page_facts(reading_of(), pictures=Pictures.none())
    assert {page.picture for page in pages} == {""}
    assert not any("picture" in page.sentence for page in pages)


@pytest.mark.parametrize(
    ("name", "value", "least"), [("budget_bytes", -1, 0), ("budget_bytes", 1.5, 0), ("parts", 0, 1)]
)
def test_a_budget_that_is_none_is_refused(name: str, value: Any, least: int) -> None:
    with pytest.raises(InvalidOption) as caught:
        Pictures(**{name: value})
    assert str(caught.value) == f"{name} is {value!r}; give a whole number of at least {least}."


@pytest.mark.data
def test_a_filing_of_503_pages_stays_within_the_budget(data_dir: Path) -> None:
    document = open_document(data_dir / "financebench/pdfs/PEPSICO_2022_10K.pdf")
    reading = SparseReader(scorer=None, token_share=0.05, min_tokens=0).read(document, "What drove operating margin?")
    pictures = Pictures([reading])
    pages = page_facts(reading, pictures=pictures)
    assert sum(map(len, pictures.found.values())) <= BUDGET_BYTES
    assert all(page.picture for page in pages if page.kept)
    assert sum(len(page.marks) for page in pages) <= 6_000
