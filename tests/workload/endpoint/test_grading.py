"""Answers are graded as SQuAD and CMRC grade them, and numbers as numbers."""

from __future__ import annotations

import json
import math
import re
import string
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.workload import load_workload
from workbench.workload.endpoint.grading import (
    final_answer,
    grade,
    longest_run,
    normalised,
    rubric_score,
    says_not_there,
    short_answers,
    token_f1,
)
from workbench.workload.endpoint.quantities import chinese_number, only_quantity, quantities, same


def squad_f1(answer: str, gold: str) -> float:
    """The measure as the paper states it, for ASCII."""

    def words(text: str) -> list[str]:
        text = "".join(character for character in text.lower() if character not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", text).split()

    said, wanted = words(answer), words(gold)
    common = sum((Counter(said) & Counter(wanted)).values())
    if not said or not wanted:
        return float(said == wanted)
    return 0.0 if not common else 2 * common / (len(said) + len(wanted))


ASCII = st.lists(st.sampled_from(["the", "a", "an", "pump", "valve", "Turku,", "red.", "of", "port-", "$"])).map(
    " ".join
)
HOSTILE = ["9" * 50_000, "1,111" * 20_000, "(" * 50_000, "one " * 20_000, "万" * 50_000, "do not " * 30_000]
ANY = st.text(max_size=40)


@given(ASCII, ASCII)
def test_f1_of_english_is_that_of_squad(answer: str, gold: str) -> None:
    assert token_f1(answer, gold) == pytest.approx(squad_f1(answer, gold))


@given(ANY, st.lists(ANY.filter(str.strip), min_size=1, max_size=3), ANY)
def test_grades_lie_between_0_and_1_and_another_gold_answer_never_lowers_f1(
    answer: str, gold: list[str], question: str
) -> None:
    found = grade(answer, gold, question=question)
    assert 0.0 <= found.f1 <= 1.0
    assert found.exact in (0.0, 1.0)
    assert found.f1 >= found.exact
    assert found.quality == (found.exact if found.kind == "exact match" else found.f1)
    if not says_not_there(answer):
        assert grade(answer, [*gold, "another"], question=question).f1 >= found.f1


@given(
    st.text(st.sampled_from("水泵冷却阀门"), min_size=1, max_size=12),
    st.text(st.sampled_from("水泵冷却阀门"), max_size=12),
)
def test_f1_of_chinese_is_that_of_the_longest_run(gold: str, answer: str) -> None:
    runs = [gold[low:high] for low in range(len(gold)) for high in range(low + 1, len(gold) + 1)]
    longest = max((len(run) for run in runs if run in answer), default=0)
    assert longest_run(list(gold), list(answer)) == longest
    expected = 2 * longest / (len(gold) + len(answer)) if answer else 0.0
    assert token_f1(answer, gold) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "gold", "right"),
    [
        ("58 Nm", "58 Nm", True),
        ("The torque is 58 N·m.", "58 Nm", True),
        ("58", "58 Nm", True),
        ("58 bar", "58 Nm", False),
        ("85 Nm", "58 Nm", False),
        ("58 or 62 Nm", "58 Nm", False),
        ("640 000", "640,000", True),
        ("£640,000.", "640,000", True),
        ("$1,577 million", "$1577", True),
        ("$1.577 billion", "$1577 million", True),
        ("1.578 billion", "$1577 million", False),
        ("(1,577)", "-1577", True),
        ("8 per cent", "8 %", True),
        ("0.08", "8 %", True),
        ("0.8", "8 %", False),
        ("42.13 %", "42.1 %", True),
        ("42.16 %", "42.1 %", False),
        ("42 %", "42.1 %", False),
        ("four", "4", True),
        ("twenty-four hours", "24 hours", True),
        ("ten days", "10 days", True),
        ("ten weeks", "10 days", False),
        ("5 grams", "5 g", True),
        ("六百元", "600 元", True),
        ("600元。", "六百元", True),
        ("２５，８９４．４ 万元", "25,894.4 万元", True),
        ("258,944,000 元", "25,894.4 万元", True),
        ("25,894.4", "25,894.4 万元", True),
        ("2.5 亿元", "2.5 万元", False),
        ("above 85 %", "85 %", True),
        ("below 85 %", "above 85 %", False),
        ("3", "3 名员工", True),
        ("version 3.3.9", "3.3.9", False),
        ("3.3.9", "3.3.9", True),
        ("No, it is not insured.", "No", True),
        ("Yes.", "no", False),
        ("Nothing is said", "no", False),
        ("不能，须先申请", "不能", True),
        ("不能", "能", False),
        ("可以启动", "可以", True),
        ("", "58 Nm", False),
        ("...", "no", False),
        ("the Records Office", "records office", True),
        ("戚振华。", "戚振华", True),
        ("MX-58", "58", False),
    ],
)
def test_an_answer_is_right_or_not(answer: str, gold: str, right: bool) -> None:
    assert grade(answer, [gold]).exact == float(right)


def test_numbers_of_the_question_may_be_repeated() -> None:
    question = "Which torque goes on an MX-100 with serial number 2403311 in 2024?"
    answer = "For serial number 2403311 in 2024 it is 58 Nm."
    assert grade(answer, ["58 Nm"], question=question).exact == 1.0
    assert grade(answer, ["58 Nm"]).exact == 0.0
    assert grade("notified after 68 days: 1,970", ["It came after 68 days; half, 1,970", "1,970"]).exact == 1.0


def test_the_best_of_several_gold_answers_counts() -> None:
    found = grade("2.5 mg", ["2.5 mg twice a day", "2.5 mg"])
    assert (found.exact, found.f1, found.kind) == (1.0, 1.0, "exact match")
    assert grade("the board and the auditor", ["the auditor", "board"]).f1 == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("gold", "kind"),
    [
        (["58 Nm"], "exact match"),
        (["No"], "exact match"),
        (["六百元"], "exact match"),
        (["about 85 %"], "exact match"),
        (["above 85 %"], "F1"),
        (["the records office"], "F1"),
        (["Two customers moved to paper"], "F1"),
        (["吊装五级，室外高处作业六级"], "F1"),
        (["俞静支付"], "F1"),
    ],
)
def test_values_are_matched_exactly_and_other_words_by_f1(gold: list[str], kind: str) -> None:
    assert grade("something", gold).kind == kind


@pytest.mark.parametrize(
    "answer",
    [
        "The text does not say.", "The document doesn’t mention it.", "It is not stated in the report.",
        "There is no information on this.", "This cannot be determined.", "文中没有说明。", "资料未提及", "無法確定。",
        "<think>It says 5.</think>The text does not say.",
    ],
)  # fmt: skip
def test_what_is_not_there_is_answered_right_by_saying_so(answer: str) -> None:
    assert grade(answer, [], answerable=False).quality == 1.0
    assert grade(answer, ["The text says five"]).f1 == 0.0


@pytest.mark.parametrize(
    "answer", ["5,000", "", "No, it is not insured.", "五百元。", "It costs 5,000. The text does not say since when."]
)
def test_any_other_answer_to_what_is_not_there_is_wrong(answer: str) -> None:
    found = grade(answer, ["the abstract does not say"], answerable=False)
    assert (found.quality, found.kind) == (0.0, "exact match")


def test_a_gold_answer_to_what_is_not_there_is_right_as_well() -> None:
    assert grade("It was not tested.", ["it was not tested"], answerable=False).quality == 1.0
    assert grade("合同没有约定节能补贴。", [], answerable=False).quality == 1.0


def test_nothing_to_compare_with_is_no_grade() -> None:
    found = grade("anything", [])
    assert (found.kind, math.isnan(found.quality), math.isnan(found.f1)) == ("", True, True)


def test_long_gold_answers_are_not_short() -> None:
    assert short_answers("word " * 41, ("short",)) == ("short",)
    assert short_answers("字" * 41) == ()
    assert short_answers(None) == ()


def test_thoughts_are_no_part_of_an_answer() -> None:
    assert final_answer("<think>is it 5?\nno</think>\n\n58 Nm") == "58 Nm"
    assert final_answer("<think>without end 58") == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"score": 1, "reason": "all of it"}', (1.0, "all of it")),
        ('Here: ```json\n{"score": 0.25}\n```', (0.25, "")),
        ('{not json} {"score": 0.5, "reason": "半"}', (0.5, "半")),
        ('{"grade": {"score": 0.5}}', (0.5, "")),
        ('{"score": 7}', None),
        ('{"score": true}', None),
        ('{"score": NaN}', None),
        ("{" * 100_000, None),
        ('{"score": "1"}', None),
        ("good", None),
    ],
)
def test_a_score_is_taken_from_json_alone(text: str, found: tuple[float, str] | None) -> None:
    assert rubric_score(text) == found


@given(
    st.integers(0, 10**12), st.sampled_from(["", " million", " 万", " bn"]), st.sampled_from(["", " Nm", " %", "元"])
)
def test_a_number_equals_itself_however_it_is_grouped(number: int, scale: str, unit: str) -> None:
    (one,), (other,) = quantities(f"{number}{scale}{unit}"), quantities(f"{number:,}{scale}{unit}")
    assert same(one, other)
    assert same(other, one)
    assert one.value == other.value


@given(st.text(st.sampled_from("0123456789.,-() %万元$k two五 hundred"), max_size=60))
def test_no_text_breaks_the_search_for_numbers(text: str) -> None:
    for one in quantities(text):
        assert same(one, one)
    only_quantity(text)
    grade(text, [text or "x"])


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_answers_are_graded_at_once(text: str) -> None:
    assert grade(text, ["58 Nm", "六百元", "the records office"]).exact == 0.0


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("六百", 600),
        ("一千二百零三", 1203),
        ("三万", 30_000),
        ("二〇二四", 2024),
        ("两亿三千万", 230_000_000),
        ("十", 10),
    ],
)
def test_chinese_numbers_are_read(word: str, number: int) -> None:
    assert chinese_number(word) == number


def test_normalising_drops_what_does_not_distinguish() -> None:
    assert normalised("  The “Records”  Office. ") == "records office"
    assert normalised("《差旅制度》 第３条。") == "差旅制度 第3条"
    assert json.dumps(normalised("$5")) == '"5"'


def test_gold_answers_of_the_bundled_workload_are_right_and_their_near_misses_wrong(project_dir: Path) -> None:
    requests = load_workload(project_dir / "datasets" / "dev").requests
    graded = 0
    for request in requests:
        gold = short_answers(request.answer, request.answers)
        if request.answerable and gold:
            graded += 1
            wrong = [one for one in gold if grade(one, gold, question=request.question).exact != 1.0]
            assert (request.id, wrong) == (request.id, [])
            if request.near_miss is not None:
                near = grade(request.near_miss, gold, question=request.question)
                assert (request.id, near.exact) == (request.id, 0.0)
    assert graded > 200
