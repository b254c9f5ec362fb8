"""What a model would see: coverage first, then verbatim blocks under their anchors."""

from __future__ import annotations

import pytest

from tests.reading.made import CHINESE, FOOTER, Made, manual
from tests.reading.strategies import basis_of
from workbench.documents import Document, PageStatus
from workbench.documents.columns import NONE
from workbench.reading.coverage import page_ranges
from workbench.reading.cuts import Threshold, TokenShare
from workbench.reading.reading import Reading, reading_of
from workbench.relevance.scores import Scale


def keeping(document: Document, *blocks: int, pinned: tuple[int, ...] = ()) -> Reading:
    """A reading that keeps these blocks by their score."""
    relevance = [float(block in blocks) for block in range(len(document))]
    return reading_of(basis_of(document, relevance, pinned=pinned), Threshold(0.5))


def body(reading: Reading) -> str:
    """The kept text below the coverage line."""
    return reading.kept_text.partition("\n\n")[2]


def test_runs_have_an_anchor_and_what_was_skipped_between_them_a_mark() -> None:
    assert keeping(manual(), 2, 9).kept_text == (
        "[manual.txt: 1 page read; 2 of 10 blocks kept + 3 for context; 5 skipped by score; 26 of 67 tokens]\n"
        "\n"
        "[p1 #0-2]\n"
        "The plant\n"
        "\n"
        "Backups\n"
        "\n"
        "A backup starts when the load falls under 20 % for ten minutes.\n"
        "\n"
        "…\n"
        "[p1 #7]\n"
        "Cleaning\n"
        "\n"
        "…\n"
        "[p1 #9]\n"
        "Use no solvent but water."
    )


def test_chinese_text_comes_back_as_it_stands() -> None:
    reading = keeping(manual(CHINESE, name="手册.txt", language="zh"), 3)
    assert reading.kept_text == (
        "[手册.txt: 1 page read; 1 of 10 blocks kept + 2 for context; 7 skipped by score; "
        f"{reading.saving.tokens_kept} of {reading.saving.tokens_total} tokens]\n"
        "\n[p1 #0-1]\n工厂手册\n\n备份\n\n…\n[p1 #3]\n每份备份保存90天，然后删除。"
    )


def test_rows_of_a_table_are_a_line_each_below_their_header() -> None:
    document = (
        Made()
        .text("Before.")
        .table(["Item", "2022", "2023"], ["Timber", "4", "5"], ["Coal", "6", "7"], ["Peat", "8", "9"])
        .table(["Ore", "1", "2"], headers=0)
        .document()
    )
    assert body(keeping(document, 0, 3, 5, 7)) == (
        "[p1 #0-3]\nBefore.\n\nItem\t2022\t2023\nTimber\t4\t5\n\n…\n[p1 #5-7]\nPeat\t8\t9\n\nOre\t1\t2"
    )
    assert keeping(document, 3).context_ids == (1, 2)


def test_a_page_begins_a_run_and_a_running_line_between_pages_is_no_gap() -> None:
    made = Made().page().text("The committee agreed that the annual").text("Page 1 of 2", kind=FOOTER)
    document = made.page().text("report is due.", "It is late.").document()
    assert body(keeping(document, 0, 2)) == ("[p1 #0]\nThe committee agreed that the annual\n\n[p2 #2]\nreport is due.")
    assert body(keeping(document, 0, 3)).count("…") == 1
    assert body(keeping(document, 0, 1, 2, 3)) == (
        "[p1 #0-1]\nThe committee agreed that the annual\n\nPage 1 of 2\n\n[p2 #2-3]\nreport is due.\n\nIt is late."
    )


def test_the_coverage_line_tells_of_pages_that_were_not_read() -> None:
    made = Made(name="scan.pdf").page().text("One.")
    for status in (PageStatus.NO_TEXT, PageStatus.NO_TEXT, PageStatus.UNREADABLE, PageStatus.BLANK):
        made.page(status)
    reading = keeping(made.page().text("Two.").document(), 0, 1, pinned=(1,))
    assert reading.kept_text.splitlines()[0] == (
        "[scan.pdf: 2 pages read, 2 without text (2-3), 1 unreadable (4), 1 blank; 2 of 2 blocks kept (1 pinned); "
        "4 of 4 tokens]"
    )
    assert reading.notes == (
        "2 of 6 pages were without a text layer, and not read: 2-3.",
        "1 of 6 pages was unreadable, and not read: 4.",
    )


def test_a_scan_says_that_it_needs_ocr() -> None:
    made = Made(name="scan.pdf")
    for _ in range(3):
        made.page(PageStatus.NO_TEXT)
    reading = reading_of(basis_of(made.document(), []), TokenShare())
    assert reading.is_empty
    assert reading.kept_text == (
        "[scan.pdf: 0 pages read, 3 without text (1-3); 0 of 0 blocks kept; 0 of 0 tokens]\n"
        "The document has no text: 3 pages without a text layer, as in a scan; it needs OCR first."
    )


def test_many_pages_without_text_do_not_fill_the_line() -> None:
    assert page_ranges(list(range(2, 300, 2))) == "2, 4, 6, 8, 10, 12, 14, 16 and 141 more"


def test_a_name_cannot_break_the_line() -> None:
    reading = keeping(manual(name="a\nb\x1b[31m.txt"), 2)
    assert reading.kept_text.splitlines()[0].startswith("[a b\ufffd[31m.txt: 1 page read;")


def test_nothing_relevant_is_said_in_one_sentence_and_nothing_is_padded() -> None:
    document = manual()
    relevance = [0.1] * 9 + [0.3]
    reading = reading_of(basis_of(document, relevance, weights=[1.0] * 9 + [2.0], offset=0.05), Threshold(0.65))
    best = "the best relevance is 0.30 (calibrated), the best priority 0.60"
    sentence = f"Nothing relevant: {best}, and the threshold 0.65 +0.05."
    assert reading.is_empty and reading.pieces == () and reading.best_score == 0.3
    assert reading.kept_text == (
        f"[manual.txt: 1 page read; 0 of 10 blocks kept; 10 skipped by score; 0 of 67 tokens]\n{sentence}"
    )
    assert reading.notes == (sentence,)


def test_pinned_blocks_stand_below_the_sentence_that_nothing_is_relevant() -> None:
    reading = reading_of(basis_of(manual(), [0.1] * 10, pinned=(9,)), Threshold(0.65))
    assert not reading.is_empty and reading.pinned_ids == (9,)
    assert "\nNothing relevant: the best relevance is 0.10 (calibrated)" in reading.kept_text
    assert reading.kept_text.endswith("[p1 #9]\nUse no solvent but water.")


def test_pieces_tell_where_everything_stands() -> None:
    reading = keeping(manual(), 2)
    assert [tuple(piece) for piece in reading.pieces] == [(0, 0, 9), (1, 0, 7), (2, 0, 63)]
    for piece, at in zip(reading.pieces, reading.rendering.offsets, strict=True):
        text = reading.document.texts[piece.block_id]
        assert reading.kept_text[at : at + piece.end - piece.start] == text[piece.start : piece.end]


@pytest.mark.parametrize("text", ["$5 to $9", "=1+1", "a  b\tc", "Caf\udce9", "[p9 #1]"])
def test_text_is_never_changed_on_the_way(text: str) -> None:
    reading = keeping(Made().text(text).document(), 0)
    assert body(reading) == f"[p1 #0]\n{text}"
    assert reading.saving.rendered_tokens > 0


def test_running_lines_take_no_share_unless_there_is_nothing_else() -> None:
    made = Made().page().text("Report 2023", kind=FOOTER).text("Net sales rose.", "Costs fell.")
    reading = reading_of(basis_of(made.document(), [0.9, 0.8, 0.1], scale=Scale.UNCALIBRATED), TokenShare(1.0))
    assert reading.kept_ids == (1, 2)
    assert "1 skipped as running lines" in reading.kept_text
    assert reading.to_frame()["reason"][0] == "running line: no share of tokens is spent on it"
    pinned = reading_of(
        basis_of(made.document(), [0.9, 0.8, 0.1], scale=Scale.UNCALIBRATED, pinned=(0,)), TokenShare(1.0)
    )
    assert pinned.kept_ids == (0, 1, 2)
    alone = Made().page().text("CONFIDENTIAL", kind=FOOTER).document()
    assert reading_of(basis_of(alone, [0.1], scale=Scale.UNCALIBRATED), TokenShare()).kept_ids == (0,)


def test_a_table_has_no_text_and_is_kept_with_a_row_only() -> None:
    document = Made().table(["Item", "2023"], ["Timber", "5"]).document()
    assert document.columns.table[0] == NONE
    reading = keeping(document, 0)
    assert reading.is_empty and reading.margin[0] == 0.5
    assert reading.to_frame()["reason"][0] == "has no text of its own: it is kept with its rows"
