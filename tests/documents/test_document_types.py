"""The type of a document is decided by readable words, and says which."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.documents.blocks import KIND_CODE, BlockKind
from workbench.documents.document_types import document_type_of, load_rules, read_rules
from workbench.documents.pages import Verdict
from workbench.errors import DamagedFile

TYPES = ("financial", "legal", "medical", "patent", "courseware", "technical")


def type_of(texts: list[str], *, name: str = "", language: str = "en", kinds: list[BlockKind] | None = None) -> Verdict:
    """Decide the type of paragraphs."""
    codes = [KIND_CODE[kind] for kind in kinds or [BlockKind.PARAGRAPH] * len(texts)]
    return document_type_of(texts, np.array(codes, np.uint8), name=name, language=language)


SAMPLES = {
    "financial": (
        "Form 10-K. Annual report for the fiscal year ended December 31, 2022. Net sales rose while operating income "
        "and net income fell. Diluted earnings per share were $2.10. Cash flows from operations, goodwill and "
        "deferred tax assets are shown in the consolidated balance sheets.",
        "2022年年度报告。报告期内公司营业收入同比增长12%，归属于上市公司股东的净利润为3.2亿元，每股收益0.5元。"
        "资产负债表与现金流量表见财务报表附注，应收账款计提减值，毛利率下降。",
    ),
    "legal": (
        "This Agreement is entered into by and between the Licensor and the Licensee. The parties hereto agree as "
        "follows: neither party shall assign this Agreement without the prior written consent of the other party. "
        "Each party shall indemnify the other. In witness whereof, the parties have executed this Agreement.",
        "房屋租赁合同。甲方与乙方经协商签订本合同。乙方违约的，应当向甲方支付违约金并承担赔偿责任。"
        "因不可抗力不能履行本合同的，双方均不承担违约责任。争议提交仲裁。",
    ),
    "medical": (
        "Clinical course of patients with severe pneumonia. Patients were diagnosed by PCR; symptoms were fever and "
        "acute respiratory syndrome. Antiviral therapy lowered mortality. Antibodies were measured in serum, and the "
        "dosage was 40 mg. Infection of the lung was confirmed in hospital.",
        "患者因发热、咳嗽入院，临床诊断为肺炎。体格检查及辅助检查见病历。治疗期间用药剂量为每日两次，"
        "未见不良反应，症状好转，血压平稳，手术后无并发症。",
    ),
    "patent": (
        "What is claimed is: 1. An apparatus comprising a plurality of sensors, wherein said sensors are configured to "
        "measure. 2. The apparatus of claim 1, wherein the housing is round. In one embodiment of the present "
        "invention, FIG. 3 shows the prior art. Other embodiments are disclosed.",
        "权利要求书。1. 一种装置，其特征在于，所述装置包括壳体。2. 根据权利要求1所述的装置，其特征在于所述壳体为圆形。"
        "本发明的实施例如图3所示，现有技术存在不足。",
    ),
    "courseware": (
        "Lecture 3: Sorting. Learning objectives: in this lecture you will learn quicksort. Homework is due next week. "
        "Exercise 1: sort the list. Quiz on Friday; the midterm covers the syllabus up to last lecture. Office hours "
        "are on Monday.",
        "第三讲 课件。教学目标：本节课同学们将学习排序。教学重点与难点见下。课堂练习：习题1至3。课后作业：完成思考题，"
        "复习本章知识点，下周考试包括选择题和填空题。",
    ),
    "technical": (
        "We propose an algorithm for neural retrieval and evaluate it on three datasets against state-of-the-art "
        "baselines (Smith et al., 2020). The server exposes an API endpoint; deploy it on Kubernetes and set the "
        "parameters in the JSON config. Throughput and latency are in Table 2.",
        "技术方案。系统采用微服务架构，接口部署在服务器集群上，日志写入数据库并定期备份。算法在数据集上训练神经网络模型，"
        "实验结果表明性能提升，参数见配置文件，缓存降低了延迟。",
    ),
}


@pytest.mark.parametrize("value", TYPES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_typical_page_of_each_type_is_recognised_in_both_languages(value: str, language: str) -> None:
    verdict = type_of([SAMPLES[value][language == "zh"]], language=language)
    assert verdict.value == value
    assert verdict.score > 0.5
    assert verdict.reasons


def test_the_rules_cover_every_type_in_both_languages() -> None:
    rules = load_rules()
    assert set(rules.types) == set(TYPES)
    assert all(rules.terms[value, language] for value in TYPES for language in ("en", "zh"))


def test_reasons_name_the_words_with_place_and_number() -> None:
    verdict = type_of(["Form 10-Q", "Net sales rose. " * 5])
    assert verdict.value == "financial"
    assert "'form 10-q' in the title" in verdict.reasons
    assert "'net sales' 5 times" in verdict.reasons


def test_headings_count_apart_from_the_body() -> None:
    plain = ["The cat sat on the mat. " * 30, "Balance sheet", "Cash flows", "Balance sheets", "Income taxes"]
    headings = [BlockKind.PARAGRAPH, *[BlockKind.HEADING] * 4]
    assert type_of(plain).value == "general"
    verdict = type_of(plain, kinds=headings)
    assert verdict.value == "financial"
    assert "'balance sheet*' 2 times in headings" in verdict.reasons


def test_a_text_without_any_typical_word_is_general_and_says_so() -> None:
    assert type_of(["The cat sat on the mat."]) == Verdict("general", 1.0, ("it holds no words of any type",))
    assert type_of([]).value == "general"


def test_a_text_with_few_typical_words_is_general_and_names_the_nearest_type() -> None:
    verdict = type_of(["The hospital of the town was built in 1901. " + "Its tower is tall. " * 40])
    assert verdict.value == "general"
    assert 0.5 <= verdict.score < 1
    assert verdict.reasons[0].startswith("the words of no type stand out; the nearest is medical with ")


def test_running_headers_are_not_looked_at() -> None:
    texts = ["Form 10-K annual report, net sales, fiscal year"] * 20 + ["The cat sat on the mat."]
    kinds = [BlockKind.HEADER] * 20 + [BlockKind.PARAGRAPH]
    assert type_of(texts, kinds=kinds).value == "general"


def test_words_are_whole_words() -> None:
    assert type_of(["The partypooper wore a claimant's shallot. " * 30]).value == "general"


def test_a_document_says_the_same_however_it_is_cut_into_blocks() -> None:
    text = SAMPLES["legal"][0]
    assert type_of([text]).value == type_of(re.split(r"(?<=\.) ", text)).value == "legal"


@given(st.lists(st.text(max_size=80), max_size=20), st.sampled_from(["en", "zh", "other"]))
def test_any_text_gets_a_type_a_score_and_a_reason(texts: list[str], language: str) -> None:
    verdict = type_of(texts, language=language)
    assert verdict.value in {*TYPES, "general"}
    assert 0 <= verdict.score <= 1
    assert verdict.reasons


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("enough: 3\ntypes: [", "is not valid YAML"),
        ("enough: 3\n", "needs a mapping at types"),
        ("enough: 3\ntypes: {a: {fr: {body: {1: [x]}}}}", "has the language 'fr' in types.a; use en or zh"),
        (
            "enough: 3\ntypes: {a: {en: {foot: {1: [x]}}}}",
            "has the place 'foot' in types.a.en; use title, headings, body",
        ),
        ("enough: 3\ntypes: {a: {en: {body: {1: x}}}}", "needs points and a list of words in types.a.en.body"),
        ("enough: no\ntypes: {a: {en: {body: {1: [x]}}}}", "give a number of points above 0"),
    ],
)
def test_a_broken_rules_file_is_refused_with_the_place_of_the_fault(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "types.yaml"
    path.write_text(content, "utf-8")
    with pytest.raises(DamagedFile, match=re.escape(message)):
        read_rules(path)


def _second_half(rows: list[list[str]]) -> list[list[str]]:
    """The documents on which no word of the rules was chosen."""
    return rows[1::2]


@pytest.mark.data
def test_real_articles_policies_and_encyclopedia_keep_their_type_on_the_half_not_used_for_the_rules(
    data_dir: Path,
) -> None:
    def squad(name: str) -> list[list[str]]:
        articles = json.loads((data_dir / name).read_text("utf-8"))["data"]
        return [[part["context"] for part in article["paragraphs"]] for article in articles]

    covid = [article[0].split("\n") for article in squad("covidqa/200423_covidQA.json")]
    assert Counter(type_of(texts).value for texts in _second_half(covid))["medical"] == 24
    assert Counter(type_of(texts).value for texts in _second_half(squad("policyqa/dev.json")))["legal"] >= 5
    general = _second_half(squad("cmrc2018/cmrc2018_dev.json"))
    share = Counter(type_of(texts, language="zh").value for texts in general)["general"] / len(general)
    assert share >= 0.95


@pytest.mark.data
def test_every_real_contract_is_legal(data_dir: Path) -> None:
    paths = sorted((data_dir / "cuad" / "full_contract_txt").glob("*.txt"))
    assert len(paths) == 24
    assert [type_of([path.read_text("utf-8", "replace")]).value for path in paths] == ["legal"] * 24
