"""The measures say what their names say, on documents made for the purpose."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.fidelity import (
    Counts,
    evidence_rows,
    evidence_score,
    furniture_scores,
    heading_scores,
    page_words,
    placed_words,
    row_is_kept,
    word_overlap,
)
from workbench.documents import BlockKind, Document, Draft, Format, ParseContext, ReadOptions, Source, Span
from workbench.documents.parsing import document_from_draft

Page = Sequence[tuple[BlockKind, str, int]]


def _sniff(source: Source) -> float:
    del source
    return 0.0


def _parse(source: Source, context: ParseContext) -> Draft:
    del source, context
    return Draft()


FORMAT = Format(name="test", suffixes=(".test",), sniff=_sniff, parse=_parse)


def finished(draft: Draft) -> Document:
    """Finish a draft without a file."""
    return document_from_draft(
        draft, format=FORMAT, source=Source(Path("made.test")), context=ParseContext(ReadOptions()), sha256="0" * 64
    )


def document_of(*pages: Page) -> Document:
    """Make a document of blocks (kind, text, level), a list a page."""
    draft = Draft()
    for blocks in pages:
        draft.begin_page()
        for kind, text, level in blocks:
            draft.add(kind, draft.write(text), level=level)
            draft.write("\n")
    return finished(draft)


def headings(*levels: tuple[str, int]) -> Document:
    """Make a page of headings."""
    return document_of([(BlockKind.HEADING, text, level) for text, level in levels])


def labelled(*levels: tuple[str, int], doubtful: Sequence[str] = ()) -> dict[str, Any]:
    """Make the label of a page of headings."""
    return {
        "pages": [1],
        "headings": [{"page": 1, "text": text, "level": level} for text, level in levels],
        "doubtful": [{"page": 1, "text": text} for text in doubtful],
    }


def test_counts_make_precision_recall_and_f1() -> None:
    counts = Counts(hits=2, said=4, gold=3) + Counts(hits=1, said=1, gold=3)
    assert (counts.precision, counts.recall) == (3 / 5, 3 / 6)
    assert counts.f1 == pytest.approx(2 * 3 / (5 + 6))


def test_nothing_said_and_nothing_to_say_is_right() -> None:
    assert (Counts().precision, Counts().recall, Counts().f1) == (1.0, 1.0, 1.0)
    assert Counts(0, 3, 0).f1 == 0.0


def test_headings_are_compared_by_letters_and_digits() -> None:
    scores = heading_scores(headings(("1.  NET-SALES", 2), ("Other", 2)), labelled(("1. Net Sales", 2), ("Costs", 2)))
    assert scores.detected == scores.level == Counts(1, 2, 2)


def test_a_heading_on_a_page_without_labels_is_in_no_count() -> None:
    document = document_of([(BlockKind.HEADING, "One", 1)], [(BlockKind.HEADING, "Two", 1)])
    assert heading_scores(document, labelled(("One", 1))).detected == Counts(1, 1, 1)


@pytest.mark.parametrize("said", ["Flexibles and Rigids", "Flexibles", "Flexibles and Rigids Investors"])
def test_a_doubtful_heading_is_neither_hit_nor_mistake(said: str) -> None:
    label = labelled(("Net sales", 2), doubtful=["Flexibles and Rigids", "Investors"])
    scores = heading_scores(headings(("Net sales", 2), (said, 3)), label)
    assert scores.detected == scores.level == scores.nested == Counts(1, 1, 1)
    assert heading_scores(headings(("Net sales", 2)), label).detected == Counts(1, 1, 1)


def test_a_doubtful_line_excuses_no_labelled_heading_with_another_level() -> None:
    label = labelled(("Dividend", 2), doubtful=["Dividend"])
    scores = heading_scores(headings(("Dividend", 3), ("Dividend", 3)), label)
    assert (scores.detected, scores.level) == (Counts(1, 1, 1), Counts(0, 1, 1))


def test_more_than_a_doubtful_line_is_a_mistake() -> None:
    scores = heading_scores(headings(("Investors and others", 2)), labelled(doubtful=["Investors"]))
    assert scores.detected == Counts(0, 1, 0)


def test_nesting_is_right_where_all_levels_are_shifted() -> None:
    label = labelled(("Part", 1), ("Item", 2), ("Note", 3), ("Item two", 2))
    scores = heading_scores(headings(("Part", 2), ("Item", 4), ("Note", 5), ("Item two", 4)), label)
    assert (scores.level.hits, scores.nested) == (0, Counts(4, 4, 4))


def test_nesting_is_wrong_only_where_the_parent_is_another() -> None:
    label = labelled(("Part", 1), ("Item", 2), ("Note", 3), ("Note two", 3))
    scores = heading_scores(headings(("Part", 1), ("Item", 2), ("Note", 2), ("Note two", 3)), label)
    assert scores.nested == Counts(2, 4, 4)  # the first note is said to be beside its item, the second below the first


def test_a_missing_or_additional_heading_spoils_no_nesting_of_others() -> None:
    label = labelled(("Part", 1), ("Item", 2), ("Note", 3))
    scores = heading_scores(headings(("Part", 1), ("Noise", 2), ("Note", 3)), label)
    assert scores.nested == Counts(2, 3, 3)


def page_with(*blocks: tuple[BlockKind, str]) -> Document:
    """Make a page of blocks."""
    return document_of([(kind, text, 0) for kind, text in blocks])


def lines(**label: Any) -> dict[str, Any]:
    """Make the label of a page's running lines."""
    empty: dict[str, Any] = {"header": [], "footer": [], "first_body_line": "", "last_body_line": "", "hidden": []}
    return {"page": 1, **empty, **label}


def test_a_page_is_right_when_every_line_is_where_it_belongs() -> None:
    document = page_with(
        (BlockKind.HEADER, "ACME Inc. Form 10-K"), (BlockKind.PARAGRAPH, "We sold more."), (BlockKind.FOOTER, "23")
    )
    label = lines(header=["ACME Inc. Form 10-K"], footer=["23"], first_body_line="We sold", last_body_line="more.")
    scores = furniture_scores(document, label)
    assert scores.found == scores.on_side == scores.body == Counts(2, 2, 2)
    assert scores.pages == Counts(1, 1, 1)


def test_a_running_line_may_be_on_the_other_side_but_not_in_the_strict_measure() -> None:
    document = page_with((BlockKind.HEADER, "23"), (BlockKind.PARAGRAPH, "We sold more."))
    scores = furniture_scores(document, lines(footer=["23"]))
    assert (scores.found, scores.on_side, scores.pages) == (Counts(1, 1, 1), Counts(0, 1, 1), Counts(1, 1, 1))


def test_a_page_number_is_a_whole_word() -> None:
    document = page_with((BlockKind.FOOTER, "Form 10-K 2023"), (BlockKind.PARAGRAPH, "We sold more."))
    assert furniture_scores(document, lines(footer=["23"])).found == Counts(0, 1, 1)


def test_a_line_whose_parts_are_blocks_of_their_own_is_found() -> None:
    document = page_with((BlockKind.HEADER, "1.1. Topology"), (BlockKind.HEADER, "4"), (BlockKind.FOOTER, "draft"))
    assert furniture_scores(document, lines(header=["4 1.1. Topology"])).on_side == Counts(1, 1, 1)


def test_a_body_line_taken_for_furniture_makes_its_page_wrong() -> None:
    document = page_with(
        (BlockKind.HEADER, "Exhibit 10.1"), (BlockKind.PARAGRAPH, "We agree."), (BlockKind.FOOTER, "4")
    )
    label = lines(footer=["4"], first_body_line="Exhibit 10.1", last_body_line="We agree.")
    scores = furniture_scores(document, label)
    assert (scores.found, scores.body, scores.pages) == (Counts(1, 1, 1), Counts(1, 2, 2), Counts(0, 1, 1))


@pytest.mark.parametrize(("kind", "hits"), [(BlockKind.FOOTER, 1), (BlockKind.PARAGRAPH, 0)])
def test_a_hidden_line_must_not_be_in_the_body(kind: BlockKind, hits: int) -> None:
    document = page_with((BlockKind.PARAGRAPH, "We sold more."), (kind, "VerDate Sep 11"), (BlockKind.FOOTER, "7"))
    scores = furniture_scores(document, lines(footer=["7"], hidden=["VerDate Sep<11>"]))
    assert (scores.hidden, scores.pages) == (Counts(hits, 1, 1), Counts(hits, 1, 1))


def test_a_hidden_line_in_no_block_is_kept_out_of_the_body() -> None:
    draft = Draft()
    draft.exclude(draft.write("VerDate\n"), "outside the visible page")
    draft.add(BlockKind.PARAGRAPH, draft.write("We sold more.\n"))
    assert furniture_scores(finished(draft), lines(hidden=["VerDate"])).hidden == Counts(1, 1, 1)


def test_a_page_without_running_lines_is_in_no_share_of_pages() -> None:
    scores = furniture_scores(page_with((BlockKind.PARAGRAPH, "We sold more.")), lines(first_body_line="We sold"))
    assert (scores.pages, scores.body) == (Counts(), Counts(1, 1, 1))


def test_words_count_with_their_multiplicity() -> None:
    assert word_overlap(["a", "a", "b"], ["a", "b", "b"]) == pytest.approx(4 / 6)
    assert word_overlap([], []) == 1.0


def test_placed_words_are_those_in_blocks() -> None:
    draft = Draft()
    draft.begin_page()
    draft.add(BlockKind.PARAGRAPH, draft.write("Net sales"))
    draft.exclude(draft.write(" twice "), "drawn twice at the same place")
    document = finished(draft)
    assert (page_words(document, 1), placed_words(document, 1)) == (["Net", "sales", "twice"], ["Net", "sales"])


def test_evidence_in_another_order_is_covered_but_in_no_run() -> None:
    document = page_with(
        (BlockKind.PARAGRAPH, "The board of directors has approved"),
        (BlockKind.PARAGRAPH, "a dividend of two dollars."),
    )
    score = evidence_score(document, "a dividend of two dollars. The board of directors has approved", 1)
    assert (score.in_layer, score.in_blocks) == (False, False)
    assert score.coverage > 0.8
    assert evidence_score(document, "approved a dividend", 1).in_blocks


def test_a_row_is_kept_when_label_and_numbers_are_in_one_row() -> None:
    draft = Draft()
    table = draft.begin_table()
    for label, first, second in (("Net sales", "1,200", "(35)"), ("Costs", "7", "8")):
        cells: list[Span] = []
        for text in (label, first, second):
            cells.append(draft.write(text))
            draft.write(" ")
        draft.add_row(table, cells)
    document = finished(draft)
    ((label, numbers),) = evidence_rows("Net sales\n1,200\n(35)\n")
    assert row_is_kept(document, 1, label, numbers)
    assert not row_is_kept(document, 1, "Costs", numbers)
    assert not row_is_kept(document, 1, "Net sales", ["1,200", "7"])
