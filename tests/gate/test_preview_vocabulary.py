"""Which terms stand in an artifact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.gate.preview.vocabulary import NO_TERMS, covered, vocabulary_of
from workbench.relevance.terms import question_terms


def coverage(text: str, question: str, language: str) -> tuple[float, tuple[str, ...]]:
    return covered(vocabulary_of([text], language), question_terms(question, language))


def test_words_are_found_in_any_form_and_numbers_in_any_notation() -> None:
    text = "Long-term borrowings rose to $1,577 million on May 3, 2018; see max_retries in section 4.2(a)."
    share, missing = coverage(text, "Did long term borrowing rise in May 2018 (4.2(a), maxRetries)?", "en")
    assert missing == ("rise",)
    assert 0.9 < share < 1.0


def test_what_is_missing_is_named_in_the_order_of_the_question() -> None:
    assert coverage("The pump runs.", "Which valve of the pump leaks?", "en") == (1 / 3, ("valv", "leak"))


def test_a_compound_is_not_missing_where_all_its_parts_stand() -> None:
    assert coverage("The long and the short term.", "long-term", "en") == (1.0, ())
    assert coverage("The long way.", "long-term", "en")[1] == ("longterm", "term")


def test_pairs_across_two_chinese_words_are_not_missing() -> None:
    assert coverage("公司的利润和净利。", "公司净利润", "zh") == (1.0, ())


def test_a_missing_chinese_word_is_named_whole() -> None:
    share, missing = coverage("公司的净利润增长。", "公司的股权激励", "zh")
    assert missing == ("股权激励",)
    assert share == pytest.approx(1 / 3)


def test_two_chinese_characters_count_as_much_as_one_word() -> None:
    assert coverage("水泵", "水泵 RX9", "zh")[0] == pytest.approx(1 / 2)


def test_no_terms_are_covered_and_an_empty_vocabulary_covers_none() -> None:
    assert covered(NO_TERMS, []) == (1.0, ())
    assert covered(NO_TERMS, ["pump", "泵"]) == (0.0, ("pump", "泵"))


def test_a_vocabulary_is_sorted_distinct_and_not_writeable() -> None:
    known = vocabulary_of(["pump valve pump", "valve"], "en")
    assert known.dtype == np.uint64
    assert known.tolist() == sorted(set(known.tolist()))
    assert len(known) == 2
    with pytest.raises(ValueError, match="read-only"):
        known[0] = 0


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["en", "zh", "other"]))
def test_coverage_is_a_share_and_full_for_the_text_itself(text: str, question: str, language: str) -> None:
    share, missing = coverage(text, question, language)
    assert 0.0 <= share <= 1.0
    assert (share == 1.0) == (missing == ())
    assert coverage(text, text, language) == (1.0, ())


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=40))
def test_more_text_never_covers_less(text: str, more: str, question: str) -> None:
    terms = question_terms(question, "zh")
    assert covered(vocabulary_of([text, more], "zh"), terms)[0] >= covered(vocabulary_of([text], "zh"), terms)[0]
