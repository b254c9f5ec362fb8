"""Near-copies among many blocks are those that a reading calls so, found without comparing all with all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.made_questions import pages
from workbench.documents import open_document
from workbench.reading.near_copies import near_copies, plain_letters
from workbench.training.near_copies import CopyIndex, copy_index, is_long

CLAUSE = "The supplier shall keep the records of every delivery for seven years after the end of the term."
CLAUSE_ZH = "供应商应在合同终止后七年内保存每次交货的全部记录，并在买方提出书面要求后十个工作日内提供复印件以备查验。"


def test_copies_differ_in_spelling_and_spaces_alone() -> None:
    texts = [
        CLAUSE,
        CLAUSE.upper().replace(" ", "  "),
        CLAUSE.replace("records", "record"),
        "Something else.",
        CLAUSE_ZH,
    ]
    index = CopyIndex(texts)
    assert index.copies_of(CLAUSE) == (0, 1, 2)
    assert index.copies_of(CLAUSE_ZH.replace("，", ", ")) == (4,)


def test_texts_with_other_numbers_are_no_copies() -> None:
    years = [f"Net sales of the group in the year {year} and the years before, in millions of euro" for year in (1, 2)]
    assert CopyIndex(years).copies_of(years[0]) == (0,)
    assert CopyIndex(["第 3 条", "第 4 条"]).copies_of("第3条") == (0,)


def test_what_has_no_letters_is_a_copy_of_nothing() -> None:
    assert CopyIndex(["", "…", "—"]).copies_of("—") == ()
    assert CopyIndex([]).copies_of(CLAUSE) == ()


def test_a_long_text_has_letters_enough_that_it_is_no_chance() -> None:
    assert is_long(CLAUSE)
    assert not is_long("Total | 1,204")


@given(
    st.lists(st.sampled_from([CLAUSE, CLAUSE[:60], CLAUSE_ZH, CLAUSE_ZH[:45], "Page 3", "Total", ""]), max_size=6),
    st.data(),
)
def test_an_index_finds_what_comparing_with_all_finds(texts: list[str], data: st.DataObject) -> None:
    changed = [
        text[:at] + data.draw(st.sampled_from(["", " x", "7", "甲"])) + text[at:]
        for text in texts
        for at in [data.draw(st.integers(0, len(text)))]
    ]
    index = CopyIndex(changed)
    for rank, text in enumerate(changed):
        if plain_letters(text):
            assert index.copies_of(text) == near_copies(changed, rank)


@pytest.mark.parametrize("name", ["harbor-manual.md", "差旅制度.txt"])
def test_an_index_finds_what_comparing_with_all_finds_in_documents(sample_dir: Path, name: str) -> None:
    texts = open_document(sample_dir / name, isolate=False).texts
    index = CopyIndex(texts)
    for rank, text in enumerate(texts):
        if plain_letters(text):
            assert index.copies_of(text) == near_copies(texts, rank)


def test_the_index_of_a_document_is_made_once() -> None:
    document = pages(CLAUSE)
    assert copy_index(document) is copy_index(document)
