"""Which questions lean on the one before, in English and in Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.reading.references import RULES, own_words, reference_in


@pytest.mark.parametrize(
    ("question", "rule", "reason"),
    [
        ("How exactly is it triggered?", "pronoun", '"it" names nothing by itself'),
        ("What are its limits?", "pronoun", '"its" names nothing by itself'),
        ("Who signed them?", "pronoun", '"them" names nothing by itself'),
        ("Why is that?", "pronoun", '"is that" names nothing by itself'),
        ("How does this work?", "pronoun", '"this" names nothing by itself'),
        ("Is the other one cheaper?", "pronoun", '"the other" names nothing by itself'),
        ("And in 2019?", "joined on", 'it goes on with "And"'),
        ("but what about a fire?", "joined on", 'it goes on with "but"'),
        ("What about the other one?", "joined on", 'it goes on with "What about"'),
        ("So who pays?", "joined on", 'it goes on with "So"'),
        ("What was the backup period you just mentioned?", "looks back", 'it looks back with "you just mentioned"'),
        ("Which clause have you mentioned?", "looks back", 'it looks back with "you mentioned"'),
        ("Why?", "names nothing", "it names nothing of its own"),
        ("Can you give an example?", "names nothing", "it names nothing of its own"),
        ("How much in 2019?", "names nothing", "it names nothing of its own"),
        ("那具体怎么触发？", "joined on", 'it goes on with "那"'),
        ("那备份策略具体怎么触发？", "joined on", 'it goes on with "那"'),
        ("那麼備份策略具體怎麼觸發？", "joined on", 'it goes on with "那麼"'),
        ("另外，费用呢？", "joined on", 'it goes on with "另外"'),
        ("刚才说的备份周期是多少？", "looks back", 'it looks back with "刚才"'),
        ("您提到的条款是哪一条？", "looks back", 'it looks back with "您提到"'),
        ("上述期限是多久？", "looks back", 'it looks back with "上述"'),
        ("它的价格是多少？", "pronoun", '"它" names nothing by itself'),
        ("这个怎么用？", "pronoun", '"这个" names nothing by itself'),
        ("该公司注册地在哪？", "pronoun", '"该" names nothing by itself'),
        ("2019年呢？", "asks on", 'it asks on with "呢"'),
        ("为什么？", "names nothing", "it names nothing of its own"),
        ("请举个例子。", "names nothing", "it names nothing of its own"),
    ],
)
def test_a_question_that_leans_on_the_one_before_is_seen_and_told_why(question: str, rule: str, reason: str) -> None:
    found = reference_in(question)
    assert found is not None
    assert (found.rule, found.reason) == (rule, reason)


@pytest.mark.parametrize(
    "question",
    [
        "What triggers a backup?",
        "What is this document about?",
        "What does this agreement say?",
        "Is IT security covered?",
        "Is it true that the storage array replicates every night?",
        "What is the clause that governs termination?",
        "Which one-time costs were booked?",
        "What is the previous year's revenue?",
        "So what does the force majeure clause of the contract say about notice?",
        "COVID-19",
        "不可抗力条款是什么？",
        "但书条款有哪些？",
        "其他费用有哪些？",
        "其中三年期贷款利率是多少？",
        "我该如何申请退款？",
        "那不勒斯在哪里？",
        "再保险合同的期限是多久？",
        "这个季度苹果公司大中华区的净利润是多少？",
        "会计",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(question: str) -> None:
    assert reference_in(question) is None


def test_what_names_something_is_counted_without_what_only_asks() -> None:
    assert own_words("Can you please explain the backup policy in 2019 again?") == ["backup", "polici"]
    assert own_words("那备份策略具体怎么触发？") == ["备份策略", "触发"]
    assert own_words("请说明COVID-19的传播途径") != []
    assert own_words("") == []


def test_each_rule_can_be_read() -> None:
    assert {rule.language for rule in RULES} == {"en", "zh"}
    for rule in RULES:
        assert rule.pattern.groups <= 1
        assert ("{}" in rule.reason) == (rule.pattern.groups == 1)


@given(st.text(max_size=200) | st.text("那它这该其and it you?。 ", max_size=200))
def test_any_text_may_be_asked(question: str) -> None:
    found = reference_in(question)
    assert found is None or found.reason
