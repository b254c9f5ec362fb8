"""Words, numbers, dates and identifiers are terms, however they are written."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.relevance.asking import ASKING_WORDS
from workbench.relevance.terms import STEMMERS, analyse, question_terms


def shared(left: str, right: str, language: str = "en") -> set[str]:
    return set(analyse(left, language)) & set(analyse(right, language))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("… — !", []),
        ("Companies owned", ["compani", "own"]),
        ("the company’s board", ["the", "compani", "board"]),
        ("long-term", ["longterm", "long", "term"]),
        ("max_retries", ["maxretri", "max", "retri"]),
        ("maxRetries", ["maxretri", "max", "retri"]),
        ("config.yaml", ["config.yaml", "config", "yaml"]),
        ("GET /api/v1/users", ["get", "api/v1/users", "api", "v1", "user"]),
        ("COVID-19", ["covid19", "covid", "19"]),
        ("Form 10-K", ["form", "10k", "10", "k"]),
        ("ABC-123", ["abc123", "abc", "123"]),
        ("section 4.2.1.", ["section", "4.2.1"]),
        ("section 4.2(a)(iii)", ["section", "4.2(a)(iii)", "4.2", "a", "iii"]),
        ("v1.2", ["v1.2", "1.2"]),
        ("C++ and C#", ["c++", "c", "and", "c#", "c"]),
        ("AT&T", ["at&t", "at", "t"]),
        ("the U.S. market", ["the", "us", "market"]),
        ("500mg", ["500mg", "500", "mg"]),
        ("2017-2018", ["2017-2018", "2017", "2018"]),
        ("Ｆｕｌｌ １２３", ["full", "123"]),
        ("naïve café", ["naiv", "cafe"]),
    ],
)
def test_english_text_has_these_terms(text: str, expected: list[str]) -> None:
    assert analyse(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234.5", ["1234.5"]),
        ("12,34,567", ["1234567"]),
        ("3.50 %", ["3.50", "3.50%", "3.5", "3.5%"]),
        ("3 percent", ["3", "3%", "percent"]),
        ("(1,577)", ["1577", "-1577"]),
        ("a loss of -5", ["a", "loss", "of", "5", "-5"]),
        ("pages 5-7", ["page", "5-7", "5", "7"]),
        ("(2018)", ["2018"]),
        ("$1,577 million", ["1577", "1577000000", "million"]),
        ("$8.70 bn", ["8.70", "8.7", "8700000000", "bn"]),
        ("1,577-foot", ["1577foot", "1577", "foot"]),
        ("In 2018.", ["in", "2018"]),
    ],
)
def test_a_number_is_one_term_in_all_its_forms(text: str, expected: list[str]) -> None:
    assert analyse(text, "en") == expected


@pytest.mark.parametrize(
    "text",
    ["2018-05-03", "2018/5/3", "May 3, 2018", "3 May 2018", "3rd of May 2018", "MAY 3 2018", "5/3/2018", "3.5.2018"],
)
def test_a_day_is_one_term_in_all_its_forms(text: str) -> None:
    assert {"2018-05-03", "--05-03", "2018-05", "2018"} <= set(analyse(text, "en"))


@pytest.mark.parametrize("text", ["2018年5月3日", "2018 年 5 月 3 日", "二〇一八年五月三日", "２０１８年５月３日"])
def test_a_chinese_date_is_found_by_an_english_one(text: str) -> None:
    assert {"2018-05-03", "--05-03", "2018-05"} <= shared(text, "May 3, 2018", "zh")
    assert {"--05-03"} <= shared(text, "on 3 May", "zh")
    assert {"5月", "3日"} <= shared(text, "5月3日", "zh")


def test_what_only_looks_like_a_date_is_none() -> None:
    assert "2018-99" not in analyse("2018-99-03", "en")
    assert analyse("may", "en") == ["may"]
    assert not [term for term in analyse("99/99/2018", "en") if term.startswith("2018-")]


@pytest.mark.parametrize(
    "text", ["FY2018", "FY 2018", "FY18", "FY'18", "fiscal 2018", "fiscal year 2018", "Fiscal Year 2018"]
)
def test_a_fiscal_year_is_found_by_its_number_and_in_all_its_forms(text: str) -> None:
    assert {"fy2018", "2018"} <= set(analyse(text, "en"))
    assert "2018" in shared(text, "in 2018")


def test_a_quarter_is_one_term_in_all_its_forms() -> None:
    assert "q3" in shared("the third quarter", "Q3 2018")
    assert "q3" in shared("3rd quarter", "q3")
    assert "q3" in shared("第三季度", "Q3", "zh")
    assert analyse("第三季度", "zh") == ["q3", "季度"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("净利润", ["净", "利", "润", "净利", "利润"]),
        ("￥1,200万元", ["1200", "12000000", "万", "元"]),
        ("占３．５％。", ["占", "3.5", "3.5%"]),
        ("调用API接口v1.2", ["调", "用", "调用", "api", "接", "口", "接口", "v1.2", "1.2"]),
        ("Companies在中国", ["compani", "在", "中", "国", "在中", "中国"]),
        ("2018年度", ["2018", "度"]),
        ("2018财年", ["fy2018", "2018", "财年"]),
        ("十二月", ["十", "二", "月", "十二", "二月"]),
    ],
)
def test_chinese_text_has_these_terms(text: str, expected: list[str]) -> None:
    assert analyse(text, "zh") == expected


def test_a_chinese_amount_is_found_by_the_same_amount_in_english() -> None:
    assert "12000000" in shared("1,200万元", "12 million yuan", "zh")
    assert "12000000" in shared("1,200万元", "12,000,000", "zh")


def test_other_languages_are_stemmed_where_a_stemmer_is_known() -> None:
    assert analyse("größere Verträge", "de") == ["gross", "vertrag"]
    assert analyse("größere Verträge", "other") == ["grossere", "vertrage"]
    assert analyse("हिन्दी भाषा", "hi") == ["हिन्दी", "भाषा"]
    assert "ไทย"[:2] in analyse("ภาษาไทย", "th")


@pytest.mark.parametrize("language", STEMMERS)
def test_every_stemmer_that_is_named_exists(language: str) -> None:
    assert analyse("1984", language) == ["1984"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the net profit of the company?", ["net", "profit", "compani"]),
        ("Does IT report to the US office?", ["it", "report", "us", "offic"]),
        ("WHAT IS IT FOR THE US?", ["what", "is", "it", "for", "the", "us"]),
        ("Who is it?", ["who", "is", "it"]),
        ("profit, profit and profits", ["profit"]),
        ("", []),
    ],
)
def test_a_question_loses_the_words_that_only_ask(question: str, expected: list[str]) -> None:
    assert question_terms(question, "en") == expected


def test_a_chinese_question_loses_the_phrases_that_only_ask() -> None:
    assert question_terms("请问净利润是多少？", "zh") == question_terms("净利润", "zh")
    assert question_terms("備份何時觸發？", "zh") == ["備", "份", "備份", "觸", "發", "觸發"]
    assert question_terms("什么？", "zh") == ["什", "么", "什么"]


def test_no_asking_word_is_a_month() -> None:
    assert not ASKING_WORDS & {"may", "march"}


def folded(text: str) -> str:
    bare = unicodedata.normalize("NFD", unicodedata.normalize("NFC", text.casefold()))
    return unicodedata.normalize("NFC", "".join(mark for mark in bare if not "\u0300" <= mark <= "\u036f"))


LETTERS = st.characters(categories=["Lu", "Ll", "Nd", "Po", "Pd", "Ps", "Pe", "Sc", "Zs"], max_codepoint=0x24F)
SNIPPETS = st.sampled_from(
    [
        "May 3, 2018",
        "FY18",
        "$1,577 million",
        "(1.5)",
        "4.2(a)",
        "U.S.",
        "a-b_c",
        "maxRetries",
        "3%",
        "://",
        "1,2",
        "v1.2",
    ]
)
TEXTS = st.lists(st.one_of(SNIPPETS, st.text(LETTERS, max_size=8), st.sampled_from(" ,.-/'")), max_size=12).map("".join)


@given(TEXTS)
def test_no_run_of_letters_and_digits_is_lost(text: str) -> None:
    terms = analyse(text, "other")
    runs = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text))
    assert [run for run in runs if not any(folded(run) in term for term in terms)] == []


@given(st.text(max_size=80), st.sampled_from(["en", "zh", "de", "other"]))
def test_any_text_gives_terms_and_always_the_same(text: str, language: str) -> None:
    terms = analyse(text, language)
    assert terms == analyse(text, language)
    assert all(terms)
    assert set(question_terms(text, language)) <= set(terms) | set(question_terms(text, language))
    assert bool(question_terms(text, language)) == bool(terms)


@given(st.text("中文净利润的0１", max_size=40))
def test_every_chinese_character_is_a_term(text: str) -> None:
    assert {character for character in text if character > "\u2fff" and character.isalpha()} <= set(analyse(text, "zh"))


@pytest.mark.parametrize(
    "unit", ["a-", "1,234", "1.", "(", "-", " ", "(1", "4(a)", "a.", "年", "May ", "$", "_", "'s", "\u0301"]
)
def test_long_runs_of_anything_are_analysed(unit: str) -> None:
    terms = analyse(unit * 50_000, "en")
    assert max(map(len, terms), default=0) <= 150_000
