"""The language is decided by script, then by small words, from a bounded sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.languages import SAMPLE_CHARS, language_of, sample_of

ENGLISH = "The net sales of the company rose by 3 % in fiscal 2023, and the margin was stable at 12 %. "
CHINESE = "本公司二〇二三年净利润同比增长百分之三，主要由于原材料价格下降以及产品结构的改善。"


@pytest.mark.parametrize(
    ("text", "value", "reason"),
    [
        (ENGLISH, "en", "small words of English"),
        (CHINESE, "zh", "of the letters are Chinese characters"),
        ("Der Umsatz des Unternehmens ist im Jahr gestiegen und die Marge war stabil.", "other", "German"),
        ("Le chiffre d'affaires de la société est en hausse et la marge est stable pour le groupe.", "other", "French"),
        ("Las ventas de la empresa subieron y el margen es estable como en los otros años.", "other", "Spanish"),
        ("I ricavi della società sono in aumento e il margine è stabile come nel periodo.", "other", "Italian"),
        ("De omzet van het bedrijf is gestegen en de marge werd niet lager dan in het jaar.", "other", "Dutch"),
        ("売上高は前年同期比で３パーセント増加しました。利益率は安定しています。", "other", "kana (Japanese)"),
        ("회사의 매출은 전년 대비 증가했으며 이익률은 안정적이었습니다.", "other", "Hangul (Korean)"),
        ("Продажи компании выросли на три процента, а рентабельность осталась прежней.", "other", "another alphabet"),
    ],
)
def test_each_language_is_told_apart_with_its_reason(text: str, value: str, reason: str) -> None:
    verdict = language_of([text])
    assert verdict.value == value
    assert any(reason in given_reason for given_reason in verdict.reasons)
    assert 0.5 < verdict.score <= 1


@pytest.mark.parametrize("texts", [[], [""], ["12,5 % – 2023"], ["\n\t "]])
def test_a_document_without_letters_is_other_with_score_zero(texts: list[str]) -> None:
    verdict = language_of(texts)
    assert (verdict.value, verdict.score) == ("other", 0.0)
    assert verdict.reasons == ("the document holds no letters",)


def test_a_few_words_give_a_low_score_and_say_so() -> None:
    verdict = language_of(["the end"])
    assert verdict.value == "en"
    assert verdict.score < 0.5
    assert "there are few letters to judge by" in verdict.reasons


MACHINES = (
    "machine,site,operating system,data (GiB),last backup,minutes,state\n"
    "design-07,Turku,macOS,2204,2026-02-27,0,no backup for 72 hours\n"
    "till-11,Gdynia,Windows,41,2026-03-02,6,ok\ntill-12,Gdynia,Windows,40,2026-03-02,6,ok\n"
)


def test_a_table_is_judged_by_its_headings_not_by_a_word_that_looks_like_another_language() -> None:
    verdict = language_of([MACHINES])
    assert (verdict.value, verdict.score) == ("en", 0.3)
    assert verdict.reasons == (
        "too little running text (25 words, small words of one language among them: 1)",
        "but 5 words are common in English tables and forms",
    )


@pytest.mark.parametrize("text", ["Turku till Gdynia " * 40, "alpha beta gamma", "i,w,z\n" * 500])
def test_names_alone_are_no_language(text: str) -> None:
    verdict = language_of([text])
    assert (verdict.value, verdict.score) == ("other", 0.0)
    assert verdict.reasons[0].startswith("too little running text (")


def test_english_terms_in_a_chinese_document_leave_it_chinese() -> None:
    assert language_of([CHINESE * 3 + " EBITDA IFRS Net sales of ABC Holdings Limited"]).value == "zh"


def test_a_chinese_quotation_leaves_an_english_document_english() -> None:
    assert language_of([ENGLISH * 5, "净利润"]).value == "en"


def test_the_sample_is_spread_over_the_whole_document() -> None:
    texts = [str(number).rjust(10) for number in range(100_000)]
    sample = sample_of(texts, SAMPLE_CHARS)
    assert len(sample.replace("\n", "")) <= SAMPLE_CHARS
    seen = [int(word) for word in sample.split()]
    assert seen[0] == 0
    assert seen[-1] == 99_999
    assert sum(20_000 < number < 80_000 for number in seen) > len(seen) / 2


@given(st.lists(st.text(max_size=200), max_size=40), st.integers(2_000, 5_000))
def test_a_sample_holds_at_most_what_was_asked_for_and_all_of_a_short_text(texts: list[str], limit: int) -> None:
    sample = sample_of(texts, limit)
    if sum(map(len, texts)) <= limit:
        assert sample == "\n".join(texts)
    else:
        assert len(sample) - sample.count("\n") <= limit


@given(st.lists(st.text(max_size=50), max_size=20))
def test_any_text_gets_one_of_three_verdicts_with_a_reason(texts: list[str]) -> None:
    verdict = language_of(texts)
    assert verdict.value in {"en", "zh", "other"}
    assert 0 <= verdict.score <= 1
    assert verdict.reasons
    assert verdict == language_of(texts)


@pytest.mark.data
def test_every_article_of_the_parallel_corpus_gets_its_language(data_dir: Path) -> None:
    for language in ("en", "zh"):
        articles = json.loads((data_dir / "xquad" / f"xquad.{language}.json").read_text("utf-8"))["data"]
        found = [language_of([part["context"] for part in article["paragraphs"]]).value for article in articles]
        assert found == [language] * len(articles)
