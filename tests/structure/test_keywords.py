"""Keywords: whole words where words have spaces between them, anywhere in Chinese."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.structure.keywords import SearchableTexts, keyword_problem, needle_of, normalised


def holds(text: str, *keywords: str) -> bool:
    return bool(SearchableTexts(["before", text, "behind"]).holding(keywords)[1])


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("force majeure", "No Force\nMajeure event."),
        ("force majeure", "使用force majeure条款"),
        ("terminat*", "It was TERMINATED."),
        ("act of god", "an act  of\u00a0God,"),
        ("company's", "the Company’s duty"),
        ("long-term", "the long‑term debt"),
        ("10-K", "Form 10-k for 2018"),
        ("/s/", "/s/ John"),
        ("§", "under § 4"),
        ("API", "ＡＰＩ 接口"),
        ("naïve", "NAÏVE"),
        ("straße", "STRASSE 5"),
        ("договор", "Договор № 5"),
        ("不可抗力", "因不可抗力造成的"),
        ("违约*", "违约责任"),
        ("第三条", "依照第三条。"),
        ("COVID疫苗", "接种covid疫苗者"),
        ("net sales", "Total net\tsales"),
        ("r&d", "R&D expense"),
        ("c++", "in C++."),
    ],
)
def test_a_keyword_is_found(keyword: str, text: str) -> None:
    assert holds(text, keyword)


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("fault", "by default, faults are"),
        ("act of god", "the act of goddess"),
        ("act of god", "the act was of god"),
        ("terminat*", "an exterminator"),
        ("err", "error"),
        ("err", "err_code"),
        ("c++", "vitamin c"),
        ("10-K", "10-KSB"),
        ("不可抗力", "不可 抗力"),
        ("終止", "终止"),
    ],
)
def test_a_keyword_is_not_found_in_another_word(keyword: str, text: str) -> None:
    assert not holds(text, keyword)


def test_a_keyword_does_not_reach_over_the_end_of_a_text() -> None:
    assert (
        SearchableTexts(["act of", "god", "不可", "抗力"]).holding(["act of god", "不可抗力"]).tolist() == [False] * 4
    )


def test_a_nul_in_a_text_moves_no_text_to_its_neighbour() -> None:
    texts = SearchableTexts(["a\x00b", "c", "", "d"])
    assert texts.parts == ("a b", "c", "", "d")
    assert texts.holding(["d"]).tolist() == [False, False, False, True]


@pytest.mark.parametrize("texts", [[], [""], ["", ""]])
def test_texts_without_words_hold_nothing(texts: list[str]) -> None:
    found = SearchableTexts(texts)
    assert found.holding(["a", "b*", "不", "§"]).tolist() == [False] * len(texts)
    assert found.with_digits().tolist() == [False] * len(texts)


def test_digits_are_seen_in_full_width_too() -> None:
    assert SearchableTexts(["none", "１２", "", "v2"]).with_digits().tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("keyword", "problem"),
    [
        ("", "the keyword '' is empty; write a word or take it out"),
        (" * ", "the keyword ' * ' is empty; write a word or take it out"),
        (
            "a*b",
            "the keyword 'a*b' has a '*' before its end, which stands for an ending only; use a pattern for other gaps",
        ),
        ("a\x00b", "the keyword 'a\\x00b' holds a NUL character, which no text has; take it out"),
        ("terminat*", ""),
        ("不可抗力", ""),
    ],
)
def test_what_is_wrong_with_a_keyword_is_said(keyword: str, problem: str) -> None:
    assert keyword_problem(keyword) == problem


SOME = st.text(st.sampled_from("ab _-’，。合同 \t１%É*"), max_size=12)


@given(SOME, st.lists(SOME, max_size=5))
def test_the_index_finds_what_a_plain_look_finds(keyword: str, texts: list[str]) -> None:
    if keyword_problem(keyword):
        return
    needle = needle_of(keyword)
    found = SearchableTexts(texts).holding([keyword])
    assert found.dtype == np.bool_
    for text, holds_it in zip(texts, found.tolist(), strict=True):
        assert holds_it == plain_look(needle.text, needle.open_end, normalised(text))


def plain_look(needle: str, open_end: bool, text: str) -> bool:
    """Try every place."""

    def is_word(char: str) -> bool:
        return (char.isalnum() or char == "_") and not "\u2e80" <= char <= "\u9fff"

    for at in range(len(text)):
        behind = text[at + len(needle) : at + len(needle) + 1]
        if (
            text.startswith(needle, at)
            and not (is_word(needle[0]) and at and is_word(text[at - 1]))
            and (open_end or not (is_word(needle[-1]) and behind and is_word(behind)))
        ):
            return True
    return False
