"""What a question wants, decided by readable rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import InvalidOption, InvalidQuestion
from workbench.gate.intent import Action, Intent, intent_of
from workbench.gate.intent.needs import needs_of
from workbench.gate.intent.rules import RULES, IntentRule
from workbench.relevance import Scope
from workbench.relevance.questions import MAX_QUESTION_CHARS

TEXTS = st.text(min_size=1, max_size=200).filter(lambda text: text.strip() != "")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_speaks_in_its_own_example(rule: IntentRule) -> None:
    assert rule.spoken(rule.example)
    intent = intent_of(rule.example)
    assert any(f'(rule "{rule.name}")' in reason for reason in intent.reasons)


def test_rules_have_names_of_their_own_in_both_languages() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert {(rule.language, type(rule.says)) for rule in RULES} == {
        (language, kind) for language in ("en", "zh") for kind in (Scope, Action)
    }


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("What was total revenue in 2018?", Scope.POINT),
        ("Who owns all the shares?", Scope.POINT),
        ("How many seats does the hall have?", Scope.POINT),
        ("How many rows are in the sheet?", Scope.AGGREGATE),
        ("Which of the depots is largest?", Scope.AGGREGATE),
        ("Summarise the document.", Scope.WHOLE),
        ("Summarise clause 7.", Scope.POINT),
        ("How did the fee change from 2019 to 2021?", Scope.SEVERAL),
        ("公司的总收入是多少？", Scope.POINT),
        ("所有合同的总额是多少？", Scope.AGGREGATE),
        ("总结这份报告。", Scope.WHOLE),
        ("总结第三章。", Scope.POINT),
    ],
)
def test_a_word_like_total_says_nothing_alone(question: str, scope: Scope) -> None:
    assert intent_of(question).scope is scope


def test_the_widest_scope_that_speaks_wins() -> None:
    intent = intent_of("Summarise the report and list every risk, and compare 2020 with 2021.")
    assert intent.scope is Scope.WHOLE
    assert {reason.split('rule "')[1][:-3] for reason in intent.reasons if 'rule "' in reason} >= {
        "summary",
        "list every",
    }


def test_without_a_rule_it_is_a_point_to_read_and_says_so() -> None:
    intent = intent_of("  Who signed it? ")
    assert intent == Intent(
        "Who signed it?",
        Scope.POINT,
        Action.READ,
        ("Who signed it?",),
        "en",
        ("No words ask for more than one place: point.",),
    )


def test_a_reason_names_the_words_and_the_rule() -> None:
    (reason,) = intent_of("What is the sum of the freight column?").reasons
    assert reason == '"sum of" adds up over rows, and one that is skipped is missed: aggregate (rule "sum").'


def test_what_the_caller_gives_wins_and_says_so() -> None:
    intent = intent_of("Summarise the report.", scope="point", action=Action.EDIT, needs=["risk ", "date"])
    assert (intent.scope, intent.action, intent.needs) == (Scope.POINT, Action.EDIT, ("risk", "date"))
    assert intent.reasons[-3:] == (
        "The caller says that the scope is point.",
        "The caller says that the action is edit.",
        "The caller says what must be found.",
    )


def test_unknown_choices_are_refused_with_what_is_known() -> None:
    with pytest.raises(InvalidOption, match=r"scope is 'part'; give one of point, several, aggregate, whole\."):
        intent_of("Who?", scope="part")
    with pytest.raises(InvalidOption, match=r"action is 'burn'; give one of read, copy, edit, execute\."):
        intent_of("Who?", action="burn")
    with pytest.raises(InvalidOption, match=r"needs is 'date'; give a list of texts, none of them empty\."):
        intent_of("Who?", needs="date")
    with pytest.raises(InvalidOption, match=r"give a list of texts, none of them empty\."):
        intent_of("Who?", needs=["date", " "])


def test_what_is_no_question_is_refused() -> None:
    with pytest.raises(InvalidQuestion, match=r"The question is empty; ask what you want to know of the document\."):
        intent_of(" \n")
    with pytest.raises(InvalidQuestion, match=r"The question is of type int; ask it as text\."):
        intent_of(7)  # type: ignore[arg-type]
    with pytest.raises(InvalidQuestion, match=r"has 10,001 characters and may have 10,000; shorten it"):
        intent_of("a" * (MAX_QUESTION_CHARS + 1))


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What was the rent?", "en"),
        ("Net sales 2018?", "en"),
        ("保修期是多久？", "zh"),
        ("V104 报警是什么意思？", "zh"),
        ("Wie hoch ist die Miete für das Jahr und wer zahlt sie?", "other"),
        ("家賃はいくらですか？", "other"),
        ("2018?", "other"),
    ],
)
def test_the_language_is_that_of_the_question(question: str, language: str) -> None:
    assert intent_of(question).language == language


@pytest.mark.parametrize(
    ("question", "needs"),
    [
        (
            "Who chairs the board, and when was she appointed?",
            ("Who chairs the board", "when was she appointed"),
        ),
        ("Where and when was it built?", ("Where and when was it built?",)),
        ("As of FY2021, how much rent was due?", ("As of FY2021, how much rent was due?",)),
        ("Is my data sold? If yes, then why?", ("Is my data sold? If yes, then why?",)),
        ("What was the rent? Answer in euros.", ("What was the rent? Answer in euros.",)),
        ("Who lived near St. Johns in 1562?", ("Who lived near St. Johns in 1562?",)),
        ("Who pays? Who signs?", ("Who pays", "Who signs")),
        ("保修期是多久，由谁负责？", ("保修期是多久", "由谁负责")),
        ("低温机组报警后，应该等多久？", ("低温机组报警后，应该等多久？",)),
        ("《谁？什么！》是谁写的？", ("《谁？什么！》是谁写的？",)),
        ("能不能远程复位？连跳三次会不会停机？", ("能不能远程复位", "连跳三次会不会停机")),
        ("任何几何图形都适用吗？", ("任何几何图形都适用吗？",)),
    ],
)
def test_the_parts_of_a_question_are_what_must_be_found(question: str, needs: tuple[str, ...]) -> None:
    assert needs_of(question) == needs


@pytest.mark.parametrize(
    ("question", "needs"),
    [
        ("宁江那边的水费新价是多少，从什么时候开始收？", None),
        ("均衡停止的门槛改过吗，原来是多少？", None),
        ("那压缩机呢，能保多久？", None),
        ("錄取後多久能拿到推薦獎金，多少錢？", None),
        ("高速分切机一台多少钱，买了几台？", None),
        ("那船上呢？", None),
        ("从什么时候开始收？", None),
        ("前一年呢？", None),
        ("是多少？那是为什么？", None),
        ("从什么时候开始？谁来收水费？", None),
        ("谁批准，从什么时候开始，能停多久？由谁负责？", ("谁批准，从什么时候开始，能停多久", "由谁负责")),
        ("借款什么时候到期，用什么担保？", ("借款什么时候到期", "用什么担保")),
        ("账上写的是哪里？编号是什么？", ("账上写的是哪里", "编号是什么")),
        ("谁主持会议？要求是什么？功能有哪些？", ("谁主持会议", "要求是什么", "功能有哪些")),
        ("原价是多少，J18-0194 在哪里？", ("原价是多少", "J18-0194 在哪里")),
        ("它改过吗？《从什么时候开始》是谁写的？", None),
        ("Which job was called off, and why?", None),
        ("Which segment fell most, and by how much?", None),
        ("Which change was postponed, and to when? Who was it?", None),
        ("What is it? And who owns the barge?", None),
        (
            "Who approved it, and when was it? Where is the US depot?",
            ("Who approved it when was it", "Where is the US depot"),
        ),
        ("Who signed it, and how does US law see it?", ("Who signed it", "how does US law see it")),
        ("Who signed it, and what happened in 2019?", ("Who signed it", "what happened in 2019")),
    ],
)
def test_a_part_that_names_nothing_is_no_need(question: str, needs: tuple[str, ...] | None) -> None:
    assert needs_of(question) == (needs or (question,))


def test_a_question_of_several_parts_is_about_several_places() -> None:
    intent = intent_of("Who chairs the board, and when was she appointed?")
    assert (intent.scope, intent.reasons) == (
        Scope.SEVERAL,
        ("The question has 2 parts that must be found: several.",),
    )


@given(TEXTS)
def test_any_text_has_an_intent_and_always_the_same(question: str) -> None:
    intent = intent_of(question)
    assert intent == intent_of(question)
    assert intent.reasons
    assert intent.needs
    assert all(need.strip() for need in intent.needs)
    assert all("\n" not in reason for reason in intent.reasons)


@pytest.mark.parametrize(
    "part", ["how many ", "which a-b c ", "change from 2019 ", "多少，", '"', "《", "please can you ", "表"]
)
def test_a_long_question_is_read_to_its_end(part: str) -> None:
    assert intent_of((part * MAX_QUESTION_CHARS)[:MAX_QUESTION_CHARS]).reasons
