"""What a report says of a reading: nothing left out, every text verbatim, every number that of the reading."""

from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report import made
from workbench.documents import open_document
from workbench.errors import InvalidOption
from workbench.reading import Reading, Threshold, TokenShare
from workbench.relevance.scores import Scale
from workbench.report.reading_contents import reading_contents
from workbench.report.wording import FOLDER

READINGS = (
    (made.REPORT, made.REVENUE),
    (made.AGREEMENT, made.PAYMENT),
    (made.REPORT_ZH, made.REVENUE_ZH),
    (made.MANUAL, made.DEPTH),
)


def with_text(reading: Reading) -> list[int]:
    return [block for block, has in enumerate(reading.basis.has_text.tolist()) if has]


@pytest.mark.parametrize(("name", "question"), READINGS)
def test_every_block_with_text_is_kept_or_skipped_once_and_verbatim(name: str, question: str) -> None:
    reading = made.reading_of(name, question)

    found = reading_contents(reading)

    kept = [block for run in found.runs for block in run.blocks]
    skipped = [block for part in found.skipped for block in part.blocks]
    assert sorted(block.block_id for block in (*kept, *skipped)) == with_text(reading)
    texts = reading.document.texts
    assert all(block.pieces == (texts[block.block_id],) for block in kept)
    assert all(block.text == texts[block.block_id] for block in skipped)
    assert all(block.reason.endswith(".") for block in (*kept, *skipped))


@pytest.mark.parametrize(("name", "question"), READINGS)
def test_the_tokens_of_what_is_kept_and_skipped_are_those_of_the_document(name: str, question: str) -> None:
    reading = made.reading_of(name, question)

    found = reading_contents(reading)

    kept = sum(block.tokens for run in found.runs for block in run.blocks)
    parts = sum(part.tokens for part in found.skipped)
    assert kept == found.saving.tokens_kept == reading.saving.tokens_kept
    assert parts == sum(block.tokens for part in found.skipped for block in part.blocks)
    assert kept + parts == found.saving.tokens_total == found.document.tokens
    assert found.saving.rendered == reading.saving.rendered_tokens


@settings(max_examples=30)
@given(
    relevance=st.lists(st.floats(0, 1), min_size=10, max_size=10),
    threshold=st.floats(0, 1),
    budget=st.none() | st.integers(1, 200),
    language=st.sampled_from(["en", "zh"]),
)
def test_no_scores_cut_or_budget_leave_a_block_without_a_reason(
    relevance: list[float], threshold: float, budget: int | None, language: str
) -> None:
    reading = made.calibrated_reading(*relevance, threshold=threshold, budget_tokens=budget)

    found = reading_contents(reading, language=language, profile=made.profile(), gate=made.gated(reading))

    kept = [block for run in found.runs for block in run.blocks]
    skipped = [block for part in found.skipped for block in part.blocks]
    assert sorted(block.block_id for block in (*kept, *skipped)) == with_text(reading)
    assert sum(block.tokens for block in (*kept, *skipped)) == found.saving.tokens_total
    assert all(block.reason for block in (*kept, *skipped))
    assert 1 <= len(found.headline) <= 4
    assert 0 <= found.saving.share_skipped <= 1


@settings(max_examples=20)
@given(
    relevance=st.lists(st.floats(0, 1), min_size=10, max_size=10), share=st.floats(0.01, 1), least=st.integers(0, 90)
)
def test_a_share_of_the_tokens_leaves_no_block_without_a_reason(
    relevance: list[float], share: float, least: int
) -> None:
    reading = made.calibrated_reading(*relevance).with_token_share(TokenShare(share, least))

    found = reading_contents(reading)

    blocks = [block for run in found.runs for block in run.blocks]
    assert len(blocks) + sum(len(part.blocks) for part in found.skipped) == len(with_text(reading))


def test_runs_are_those_of_the_kept_text() -> None:
    reading = made.reading_of()

    found = reading_contents(reading)

    assert all(run.anchor in reading.kept_text for run in found.runs)
    assert [block.block_id for run in found.runs for block in run.blocks] == [
        piece.block_id for piece in reading.pieces
    ]
    assert sum(run.gap for run in found.runs) == reading.kept_text.count("…\n[p")


def test_the_five_best_skipped_blocks_are_near_and_a_looser_cut_keeps_them_first() -> None:
    reading = made.reading_of()

    found = reading_contents(reading)

    near = {block.block_id for part in found.skipped for block in part.blocks if block.near}
    assert len(near) == 5
    looser = reading.with_token_share(0.12)
    assert near <= {*looser.kept_ids, *looser.context_ids}


def test_what_no_looser_cut_would_keep_is_not_near() -> None:
    found = reading_contents(made.reading_of(made.MANUAL, made.DEPTH))

    assert not any(block.near for part in found.skipped for block in part.blocks)
    assert found.decision.near == "No looser cut would keep any of the skipped blocks."


def test_sections_that_stand_under_no_heading_have_names_in_the_language_of_the_report() -> None:
    reading = made.reading_of()

    titles = {part.titles for part in reading_contents(reading).skipped}
    titles_zh = {part.titles for part in reading_contents(reading, language="zh").skipped}

    assert ("Headers and footers of the pages",) in titles
    assert ("页眉和页脚",) in titles_zh
    assert len(titles & titles_zh) == len(titles) - 1


def test_evidence_that_somebody_marked_is_marked_where_it_stands() -> None:
    reading = made.reading_of()
    kept, skipped = reading.kept_ids[0], reading.skipped.top(1)[0]

    found = reading_contents(reading, gold=(kept, skipped))

    assert [block.block_id for run in found.runs for block in run.blocks if block.gold] == [kept]
    assert [block.block_id for part in found.skipped for block in part.blocks if block.gold] == [skipped]


def test_a_block_in_focus_shows_only_its_ranges() -> None:
    reading = made.calibrated_reading(0.9)
    whole = reading.document.texts[2]

    found = reading_contents(reading.with_focus({2: ((0, 8), (9, 15))}))

    blocks = {block.block_id: block for run in found.runs for block in run.blocks}
    assert blocks[2].pieces == (whole[:8], whole[9:15])
    assert blocks[2].reason == "The follow-up question is about 2 passages of it; only they are kept."
    assert found.decision.rules == ()
    assert found.decision.cut.startswith("This is a follow-up question: only the passages that it is about are kept")


def test_under_the_route_native_nothing_is_saved() -> None:
    reading = made.reading_of()

    found = reading_contents(reading, gate=made.gated(reading, native=0.9, force=0.95))

    assert found.saving.rendered == found.saving.tokens_total
    assert found.saving.share_skipped == 0.0


def test_pages_without_text_are_named_in_front() -> None:
    found = reading_contents(made.words_alone().read(made.scanned(), "What is it?"))

    assert found.document.not_read == (1, 2)
    assert (
        found.document.coverage
        == "3 pages: 0 could be read, 2 without text, which need OCR (text recognition) first (1-2), 1 blank."
    )
    assert found.runs == found.skipped == ()
    assert found.decision.cut == "There is no text to choose from."


def test_a_document_that_was_read_whole_is_said_to_be() -> None:
    assert reading_contents(made.reading_of()).document.coverage == "All 53 pages could be read."
    assert reading_contents(made.reading_of(), language="zh").document.coverage == "53 页全部可读。"


def test_another_language_is_refused() -> None:
    with pytest.raises(InvalidOption, match="choose from en, zh"):
        reading_contents(made.reading_of(), language="fr")


def test_a_threshold_on_an_order_says_that_it_means_nothing_elsewhere() -> None:
    reading = made.reading_of().with_threshold(Threshold(0.3, scale=Scale.UNCALIBRATED))

    found = reading_contents(reading).decision

    assert "this line means nothing in another document" in found.cut
    assert "it is not a probability" in found.scale


def test_both_languages_have_the_same_words_with_the_same_places() -> None:
    english, chinese = (
        json.loads((FOLDER / f"contents.{language}.json").read_text("utf-8")) for language in ("en", "zh")
    )

    assert set(english) == set(chinese)
    for key, text in english.items():
        plain = key.removesuffix(".one")
        assert places(chinese[key]) == places(text) or places(chinese[key]) == places(english[plain]), key
        assert places(text) <= places(english[plain]) | {"n"}, key


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.data
def test_a_filing_of_150_pages_is_said_whole(data_dir: Path) -> None:
    filing = open_document(data_dir / "financebench" / "pdfs" / "AMCOR_2023_10K.pdf")
    reading = made.words_alone(share=0.2).read(filing, "What is the capital expenditure of 2023?")

    found = reading_contents(reading)

    skipped = sum(len(part.blocks) for part in found.skipped)
    assert skipped + found.saving.blocks_kept == found.saving.blocks_total == len(with_text(reading))
    # Of thousands of blocks that all match a little, only the order says something.
    assert "is number" in found.skipped[0].reason
