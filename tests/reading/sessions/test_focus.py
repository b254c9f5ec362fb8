"""Sentences of blocks, their order, and the ranges that are kept."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.made import Made
from tests.reading.sessions.dialogues import handbook
from tests.reading.strategies import documents
from workbench.documents import BlockKind, Document
from workbench.reading.context import ContextLinks
from workbench.reading.focus import (
    Room,
    Sentences,
    can_be_in_focus,
    chosen_sentences,
    contexts_of,
    focus_of,
    ranked_sentences,
    with_neighbours,
)
from workbench.reading.tokenizers import DefaultTokenizer, block_tokens


def all_sentences(document: Document) -> Sentences:
    return Sentences.of(document, np.flatnonzero(can_be_in_focus(document)).tolist())


@given(documents())
def test_sentences_are_slices_that_cover_their_blocks_but_for_white_space(document: Document) -> None:
    sentences = all_sentences(document)
    rows = list(zip(sentences.block.tolist(), sentences.start.tolist(), sentences.end.tolist(), strict=True))
    assert rows == sorted(rows)
    for (block, start, end), text in zip(rows, sentences.texts, strict=True):
        assert document.texts[block][start:end] == text == text.strip() != ""
    for block, found in itertools.groupby(rows, key=lambda row: row[0]):
        last = 0
        for _, start, end in found:
            assert not document.texts[block][last:start].strip()
            last = end
        assert not document.texts[block][last:].strip()


@given(documents())
def test_no_word_number_or_identifier_is_cut(document: Document) -> None:
    sentences = all_sentences(document)
    for block, start, end in zip(sentences.block, sentences.start, sentences.end, strict=True):
        text = document.texts[block]
        for at in (start, end):
            left, right = text[at - 1 : at] if at else "", text[at : at + 1]
            assert not (left.isascii() and left.isalnum() and right.isascii() and right.isalnum())


def test_chinese_and_english_sentences_end_where_they_end() -> None:
    assert all_sentences(handbook()).texts[:4] == (
        "A backup policy says when a backup begins.",
        "It is triggered when the load has been under 20 % for ten minutes.",
        "The interval between two backups is 6 hours.",
        "A backup that fails is tried again three times.",
    )
    assert all_sentences(handbook("zh")).texts[:3] == (
        "备份策略规定何时开始备份。",
        "当负载低于20%并持续十分钟时，系统触发备份。",
        "两次备份之间的间隔为6小时。",
    )


def test_rows_are_whole_code_is_lines_and_headings_header_rows_and_running_lines_have_none() -> None:
    made = Made().page().heading("Chapter").text("Page 1. Of 2.", kind=BlockKind.FOOTER)
    made.table(["Rule. One.", "Kept"], ["Daily. Weekly.", "14"])
    made.text("a = 1. \nb = 2", kind=BlockKind.CODE)
    document = made.document()
    sentences = all_sentences(document)
    assert sentences.texts == ("Daily. Weekly.\t14", "a = 1.", "b = 2")
    assert contexts_of(document, sentences) == ["Rule. One.\tKept", "", ""]


def test_a_sentence_beside_a_good_one_is_heard_but_not_over_a_block_s_end() -> None:
    values = with_neighbours(np.array([0.0, 2.0, 0.0, 0.0]), np.array([1, 1, 1, 2]))
    assert values.tolist() == [1.0, 2.0, 1.0, 0.0]


def test_ties_are_in_the_order_of_the_document_and_without_hits_only_blocks_decide() -> None:
    document = handbook()
    sentences = all_sentences(document)
    nothing = np.zeros(len(sentences))
    even = np.zeros(len(document))
    assert ranked_sentences(sentences, nothing, even, hits_only=True) == list(range(len(sentences)))
    hits = nothing.copy()
    hits[6] = 1.0
    near = ranked_sentences(sentences, hits, even, hits_only=True)
    assert near[0] == 6
    assert {int(sentences.block[rank]) for rank in near} == {int(sentences.block[6])}
    assert len(ranked_sentences(sentences, hits, even, hits_only=False)) == len(sentences)
    assert ranked_sentences(Sentences.of(document, []), np.zeros(0), even, hits_only=True) == []


@given(documents(), st.integers(0, 400), st.integers(1, 4), st.randoms(use_true_random=False))
def test_what_is_chosen_has_room_and_its_ranges_rise_and_are_apart(
    document: Document, tokens: int, per_block: int, random: object
) -> None:
    sentences = all_sentences(document)
    order = list(range(len(sentences)))
    random.shuffle(order)  # type: ignore[attr-defined]
    taken = chosen_sentences(
        sentences,
        order,
        Room(tokens, 10, per_block),
        tokenizer=DefaultTokenizer(),
        links=ContextLinks.of(document),
        block_tokens=block_tokens(document, DefaultTokenizer()),
    )
    assert len(set(taken)) == len(taken)
    assert [rank for rank in order if rank in taken] == taken
    assert sum(DefaultTokenizer().count([sentences.texts[rank] for rank in taken])) <= tokens
    focus = focus_of(document, sentences, taken)
    assert list(focus) == sorted(focus)
    for block, ranges in focus.items():
        assert len([rank for rank in taken if sentences.block[rank] == block]) <= per_block
        for (_, end), (start, _) in itertools.pairwise(ranges):
            assert document.texts[block][end:start].strip()
        assert all(0 <= start < end <= len(document.texts[block]) for start, end in ranges)


def test_sentences_that_follow_each_other_are_one_range_with_what_is_between_them() -> None:
    document = handbook()
    sentences = all_sentences(document)
    (ranges,) = focus_of(document, sentences, [1, 0, 3]).values()
    assert [document.texts[2][start:end] for start, end in ranges] == [
        f"{sentences.texts[0]} {sentences.texts[1]}",
        sentences.texts[3],
    ]
