"""Features of words: what has them and what only looks like it, in English and in Chinese."""

from __future__ import annotations

import numpy as np
import pytest

from tests.structure.drafts import document_of, has
from workbench.errors import InvalidRules
from workbench.structure import FEATURES, features_of

YES: dict[str, tuple[str, ...]] = {
    "number": ("7 of them", "ｖ２", "第3条"),
    "date": (
        "on May 3, 2018",
        "the 3rd day of May, 2018",
        "5-Jun-2020",
        "September 2018",
        "2018-05-03",
        "2018/5/3",
        "05/03/2018",
        "3/5/18",
        "fiscal 2018",
        "FY2018",
        "Q3 2018",
        "4Q'18",
        "2018年5月3日",
        "２０１８年",
        "5月3日",
        "二〇一八年五月",
        "十二月三十一日",
    ),
    "duration": (
        "within 30 days",
        "thirty (30) days",
        "a 24-month term",
        "two business days",
        "三个工作日内",
        "30日内",
        "六个月",
        "为期3年期",
        "每2小时",
        "10分钟",
    ),
    "amount": (
        "$ 1,200",
        "US$5 million",
        "(€20)",
        "RMB 300",
        "3.5 million shares",
        "5 dollars",
        "five hundred dollars",
        "人民币1,200万元",
        "￥300",
        "1200元",
        "3.2亿",
        "壹万元整",
    ),
    "percentage": ("3.5 %", "20 basis points", "five percent", "12％", "百分之三", "上升2个百分点"),
    "measurement": ("24 V", "5 mg/kg", "10 kW", "20 °C", "-5℃", "12mm", "3 毫米", "5千克", "30摄氏度"),
    "link": ("see https://example.org/a", "www.example.org", "mail info@example.org"),
    "question": ("What is it?", '"Why?" he said', "什么是容错？", "可以吗？", "是吗。"),
    "modal_verb": ("It may fail.", "He cannot go", "甲方应付款", "乙方必须", "须经批准"),
    "obligation": ("Buyer shall pay", "is required to notify", "甲方应当付款", "须提前通知", "由乙方负责"),
    "prohibition": ("shall not assign", "Smoking is prohibited", "不得转让", "严禁烟火", "不可使用"),
    "permission": ("Seller may terminate", "is entitled to a refund", "有权解除合同", "可以使用"),
    "negation": ("It does not work", "He didn't", "don’t", "未按期付款", "没有", "无故障"),
    "condition": ("if it rains", "in the event of fire", "subject to Section 2", "如甲方违约", "若逾期", "一旦发生"),
    "exception": ("all except one", "other than by law", "exempted", "除本合同另有约定外", "节假日除外"),
    "defect_word": ("a fatal error", "The pump fails", "FAULT 12", "发现缺陷", "错误代码", "异常中止", "故障排除"),
    "defined_term": (
        '"Affiliate" means any entity',
        "“Term” shall mean the period",
        "(the “Company”)",
        '(hereinafter, "Buyer")',
        "1.2 Net sales means revenue",
        "（以下简称“甲方”）",
        "本合同所称保密信息",
        "“服务”指",
        "不可抗力是指",
    ),
    "cross_reference": ("under Section 4.2", "see Note 7", "pursuant to Article IV", "按照第五条", "详见附件", "见图3"),
    "signature": (
        "By: ________",
        "Name: John",
        "IN WITNESS WHEREOF, the parties",
        "甲方（签字）：",
        "法定代表人：张三",
    ),
    "list_marker": (
        "• one",
        "(a) the first",
        "1. the first",
        "iv) the fourth",
        "一、总则",
        "（二）范围",
        "③ 第三",
        "1、首先",
    ),
    "clause_number": ("4.2 Scope", "Section 7. Term", "ARTICLE IV", "§ 12 Law", "第三条 付款", "第二章", "1.1适用范围"),
    "but_marker": (
        "It works, but slowly.",
        "However, it may fail.",
        "payable, provided that notice is given",
        "Notwithstanding the above",
        "all, except as stated in Annex 1",
        "excludes it but for the avoidance of doubt includes that",
        "但上述义务不适用于甲方。",
        "甲方有权解除，但是应提前通知。",
        "然而，情况不同。",
        "除本合同另有约定外，",
    ),
    "action_marker": (
        "The system automatically restarts.",
        "Press the red button.",
        "To reset the unit, hold the key.",
        "The pump is stopped at once.",
        "Buyer agrees to pay.",
        "Please do not open it.",
        "系统将自动触发重试",
        "请点击“保存”",
        "检查电源是否接通",
    ),
}

NO: dict[str, tuple[str, ...]] = {
    "number": ("none", "第三条"),
    "date": ("clause 4.2.10", "version 2.0.1", "may", "in 2018 pieces", "第3章", "5月份报告", "月底"),
    "duration": ("day and night", "2018年", "2018年5月", "日常"),
    "amount": ("5 people", "元素", "一元二次方程", "3万人", "$"),
    "percentage": ("percentage", "%", "百分"),
    "measurement": ("5 men", "3 vans", "12 mice", "米饭"),
    "link": ("http is a protocol", "a @ b", "user@"),
    "question": ("https://x.org/?a=1", "A statement.", "陈述。"),
    "modal_verb": ("In May 2018", "responses", "供应商", "反应", "需求"),
    "obligation": ("供应商", "无须", "marshall"),
    "prohibition": ("不可抗力", "not known"),
    "permission": ("on May 3", "in May", "Buyer may not"),
    "negation": ("note", "knot", "未来"),
    "condition": ("gift", "例如", "如下", "若干", "如图3"),
    "exception": ("exceptional", "删除"),
    "defect_word": ("by default", "terror", "正常"),
    "defined_term": ("He said “no” to it", "by all means", "指导", "指标"),
    "cross_reference": ("Section 4.2", "第五条", "see below"),
    "signature": ("By the way", "Name of the rose", "签字生效"),
    "list_marker": ("one", "1.5 million", "a man", "一般规定", "2018 was good"),
    "clause_number": ("Sectional", "4 items", "第三方"),
    "but_marker": (
        "including, but not limited to, fire",
        "nothing but the truth",
        "however small the amount",
        "services provided by us",
        "不但快，而且好",
        "非但不",
        "但凡",
    ),
    "action_marker": ("Report of the auditor.", "the restart of the system", "He sold it", "报告的内容", "a stop sign"),
}


@pytest.mark.parametrize(("feature", "text"), [(name, text) for name, texts in YES.items() for text in texts])
def test_a_text_has_the_feature(feature: str, text: str) -> None:
    assert has(document_of("Before.", text), feature) == [False, True]


@pytest.mark.parametrize(("feature", "text"), [(name, text) for name, texts in NO.items() for text in texts])
def test_a_text_does_not_have_the_feature(feature: str, text: str) -> None:
    assert has(document_of("x", text), feature)[1] is False


def test_every_feature_of_words_is_tried() -> None:
    shapes = {name for name, feature in FEATURES.items() if "other" in feature.languages} - {"number", "link"}
    rows = {"numeric_row", "total_row", "appendix", "references_section"}
    parsed = {name for name, feature in FEATURES.items() if feature.needs_parse}
    assert set(FEATURES) - shapes - rows - parsed == set(YES) == set(NO)


def test_every_feature_says_what_it_is_in_one_line() -> None:
    for name, feature in FEATURES.items():
        assert feature.name == name
        assert feature.doc
        assert "\n" not in feature.doc
        assert set(feature.languages) <= {"en", "zh", "other"}
    assert {name for name, feature in FEATURES.items() if feature.needs_parse} == {"but_clause", "action_verb"}


def test_a_feature_is_found_once_and_cannot_be_changed() -> None:
    document = document_of("On May 3, 2018.", "Nothing.")
    features = features_of(document, ["date"])
    assert features["date"] is features_of(document)["date"]
    assert features["date"].dtype == np.bool_
    with pytest.raises(ValueError, match="read-only"):
        features["date"][0] = False


def test_an_unknown_feature_is_named_with_the_nearest() -> None:
    with pytest.raises(InvalidRules) as caught:
        features_of(document_of("x"), ["dates"])
    assert str(caught.value) == "There is no feature 'dates'; the nearest is 'date'."


def test_the_features_of_a_block_are_those_found_so_far() -> None:
    features = features_of(document_of(("heading", "Risk", 2), "On May 3, 2018."), ["heading", "h2", "date", "amount"])
    assert features.of_block(0) == ("heading", "h2")
    assert features.of_block(1) == ("date",)


@pytest.mark.parametrize("name", FEATURES)
def test_a_document_without_blocks_and_one_of_odd_characters_have_every_feature_computed(name: str) -> None:
    assert has(document_of(), name) == []
    odd = document_of("\ud83d but \udce9 5 %", "\u200b\u00ad", "①但⑳", ("table_row", "\u3000\t—"))
    assert len(has(odd, name)) == len(odd)
