"""Quotes are found whatever copying did to them, and never when a letter or digit differs."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents import Document, Draft, Format, ParseContext, ReadOptions, Source
from workbench.documents.anchors import JOINT_NONE, JOINT_SPACE, Piece
from workbench.documents.blocks import BlockKind
from workbench.documents.parsing import document_from_draft
from workbench.documents.quotes import QuoteIndex, QuoteStatus, find_quote, fold, quote_index


def _parse(source: Source, context: ParseContext) -> Draft:
    del source, context
    return Draft()


def _sniff(source: Source) -> float:
    del source
    return 0.0


FORMAT = Format(name="test", suffixes=(".test",), sniff=_sniff, parse=_parse)


def finished(draft: Draft) -> Document:
    """Finish a draft without a file."""
    return document_from_draft(
        draft, format=FORMAT, source=Source(Path("made.test")), context=ParseContext(ReadOptions()), sha256="0" * 64
    )


def document_of(*pages: list[str]) -> Document:
    """Make a document of paragraphs, one list a page."""
    draft = Draft()
    for texts in pages:
        draft.begin_page()
        for text in texts:
            draft.add(BlockKind.PARAGRAPH, draft.write(text))
            draft.write("\n")
    return finished(draft)


def overleaf() -> Document:
    """Make a sentence that goes on overleaf, with a footer and a header between its halves."""
    draft = Draft()
    draft.begin_page()
    first = draft.write("The committee agreed that the annual\n")
    foot = draft.write("Page 1 of 3\n")
    draft.begin_page()
    head = draft.write("ACME 10-K\n")
    second = draft.write("dividend should rise.\n")
    draft.add(BlockKind.PARAGRAPH, [Piece(*first), Piece(*second, JOINT_SPACE)], page=0)
    draft.add(BlockKind.FOOTER, foot, page=0)
    draft.add(BlockKind.HEADER, head, page=1)
    return finished(draft)


@pytest.mark.parametrize(
    ("layer", "quote"),
    [
        ("Net sales rose\nby 3 %.", "Net  sales rose by 3%"),
        ("the com-\npany’s results", "the company's results"),
        ("a signiﬁcant eﬀect", "a significant effect"),
        ("“risk–free” rate — 2019", '"risk-free" rate - 2019'),
        ("Ｎｅｔ ｓａｌｅｓ ２０２３", "Net sales 2023"),
        ("a re\ufffestatement of", "a restatement of"),
        ("H\u2082O and x\u00b2", "H2O and x2"),
        ("净利润\n同比增长", "净利润同比增长"),
        ("re\u0301sume\u0301 and Straße", "résumé and STRASSE"),
        ("1,577 million", "1577 million"),
    ],
)
def test_what_copying_does_to_a_text_is_forgiven(layer: str, quote: str) -> None:
    document = document_of(["Before.", layer, "After."])
    (match,) = find_quote(document, quote)
    assert match.blocks == (1,)
    assert fold(document.text_layer[match.start_char : match.end_char]) == fold(quote)


@pytest.mark.parametrize(
    ("layer", "quote"),
    [
        ("Net sales rose by 3 %.", "Net sales fell by 3 %."),
        ("Net sales rose by 13 %.", "sales rose by 3 %."),
        ("The margin was 1.5 points.", "The margin was 15 points."),
        ("The margin was 15 points.", "The margin was 1.5 points."),
        ("It was 2.15 then.", "15 then"),
        ("A party of two.", "art of two"),
        ("Net sales rose. Costs fell.", "Net sales rose. [...] Costs fell by half."),
        ("Net sales, and only they, rose.", "Net sales rose."),
        ("naïve", "nave"),
        ("anything", "– … “”"),
        ("anything", ""),
    ],
)
def test_made_up_runs_and_cut_words_or_numbers_are_not_found(layer: str, quote: str) -> None:
    assert find_quote(document_of([layer]), quote) == []


def test_a_quote_cut_within_a_word_is_found_when_told_so() -> None:
    document = document_of(["In fiscal 2024 sales rose by 13 %."])
    assert find_quote(document, "iscal 2024 sales") == []
    assert len(find_quote(document, "iscal 2024 sales", whole_words=False)) == 1


def test_a_quote_that_lost_its_characters_outside_ascii_is_found_when_told_so() -> None:
    document = document_of(["The naïve oﬃcer’s “plan” costs € 5 – or 6."])
    quote = "The nave ocers plan costs 5 or 6."
    assert find_quote(document, quote) == []
    assert len(find_quote(document, quote, ascii_only=True)) == 1


def test_matches_lead_back_to_the_text_layer_and_to_blocks_and_pages() -> None:
    document = document_of(["One.", "Net sales rose"], ["by 3 %.", "Net sales rose"])
    first, second = find_quote(document, "Net sales rose")
    assert (first.blocks, first.pages) == ((1,), (1,))
    assert (second.blocks, second.pages) == ((3,), (2,))
    assert document.text_layer[second.start_char : second.end_char] == "Net sales rose"
    (both,) = find_quote(document, "sales rose by 3")
    assert (both.blocks, both.pages) == ((1, 2), (1, 2))
    assert [document.text_layer[low:high] for low, high in both.spans] == ["sales rose", "by 3"]


def test_pages_restrict_the_search_and_do_not_move_offsets() -> None:
    document = document_of(["Net sales rose"], ["Net sales rose"], ["Net sales rose"])
    (match,) = find_quote(document, "sales rose", pages=[2])
    assert match.pages == (2,)
    assert match in find_quote(document, "sales rose")
    assert find_quote(document, "sales rose", pages=[]) == []


def test_a_sentence_that_goes_on_overleaf_is_found_around_the_footer() -> None:
    document = overleaf()
    (match,) = find_quote(document, "annual dividend should rise")
    assert match.pages == (1, 2)
    assert "Page 1 of 3" not in "".join(document.text_layer[low:high] for low, high in match.spans)
    assert find_quote(document, "Page 1 of 3")[0].pages == (1,)


def test_a_word_cut_in_two_pieces_is_one_word() -> None:
    draft = Draft()
    span = draft.write("state-\nment")
    draft.exclude(span._replace(start=5, end=6), "line-end hyphen")
    draft.add(BlockKind.PARAGRAPH, [Piece(0, 5), Piece(7, 11, JOINT_NONE)])
    assert len(find_quote(finished(draft), "statement")) == 1


def test_a_number_ends_with_its_block() -> None:
    document = document_of(["It was 4,086", "5-10 years", "and 1.5", "2 years"])
    assert find_quote(document, "4,086 5-10 years")[0].blocks == (0, 1)
    assert find_quote(document, "and 1.5 2 years")[0].blocks == (2, 3)
    assert find_quote(document, "and 15 2 years") == []


def test_verify_tells_found_other_page_and_not_found() -> None:
    index = QuoteIndex(document_of(["Net sales rose."], ["Costs fell."], ["Net sales rose."]))
    assert index.verify("net sales rose", 3).status is QuoteStatus.FOUND
    other = index.verify("net sales rose", 2)
    assert (other.status, other.pages) == (QuoteStatus.OTHER_PAGE, (1, 3))
    assert index.verify("net sales soared", 1).status is QuoteStatus.NOT_FOUND
    assert index.verify("net sales soared", 1).pages == ()


def test_a_quote_overleaf_is_verified_on_both_pages() -> None:
    index = QuoteIndex(overleaf())
    assert index.verify("the annual dividend", 1).status is QuoteStatus.FOUND
    assert index.verify("the annual dividend", 2).status is QuoteStatus.FOUND


def test_coverage_counts_only_long_runs_on_the_page() -> None:
    index = QuoteIndex(document_of(["The right column says this first.", "The left column says that second."]))
    swapped = "The left column says that second. The right column says this first."
    assert index.find(swapped) == []
    assert index.coverage(swapped, [1]) == 1.0
    half = "The left column says that second. Nobody wrote this sentence, ever!"
    assert 0.4 < index.coverage(half, [1]) < 0.6
    assert index.coverage(half, [2]) == 0.0
    assert index.coverage("this first", [1]) == 1.0
    assert index.coverage("zzzz", [1]) == 0.0
    assert index.coverage("…", [1]) == 0.0


def test_the_index_of_a_document_is_built_once_and_goes_with_it() -> None:
    document = document_of(["Net sales rose."])
    assert quote_index(document) is quote_index(document)
    seen = weakref.ref(document)
    del document
    gc.collect()
    assert seen() is None


def test_a_document_without_text_holds_no_quote() -> None:
    assert find_quote(document_of([]), "net sales") == []
    assert QuoteIndex(document_of([])).coverage("net sales") == 0.0


words = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)


@given(st.lists(words, min_size=1, max_size=8), st.booleans())
def test_every_block_is_found_in_its_own_document(texts: list[str], ascii_only: bool) -> None:
    document = document_of(texts)
    index = QuoteIndex(document)
    for block_id, text in enumerate(document.texts):
        quote = text.encode("ascii", "ignore").decode() if ascii_only else text
        if fold(quote):
            assert any(block_id in match.blocks for match in index.find(quote, ascii_only=ascii_only))
            assert index.coverage(quote, ascii_only=ascii_only) == 1.0


@given(st.lists(words, min_size=1, max_size=8), words)
def test_what_is_found_says_the_same_as_the_quote(texts: list[str], quote: str) -> None:
    document = document_of(texts)
    for match in find_quote(document, quote):
        said = "".join(document.text_layer[low:high] for low, high in match.spans)
        assert fold(said) == fold(quote)
