"""A model is asked from the whole document and from the kept text, and what it says stands side by side."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

import workbench as wb
from tests.workload.endpoint.server import Body, ChatServer, Scripted, completion, refusal
from workbench.errors import InvalidOption
from workbench.relevance.scores import Scale
from workbench.report.contents import AnswersSaid
from workbench.report.said.answers import answers_of
from workbench.report.wording import FOLDER
from workbench.wording import LANGUAGES, section_of
from workbench.workload.endpoint import Ceiling, Endpoint, read_transcript
from workbench.workload.endpoint.ceiling import Account

QUESTION = "What triggers a backup?"
RIGHT, WRONG = "the hourly timer", "nobody knows it, ever"


@pytest.fixture(autouse=True)
def own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARSEREAD_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI_API_KEY", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def reading(sample_dir: Path) -> wb.Reading:
    reader = wb.SparseReader(scorer=None, min_tokens=200)
    return reader.read(wb.open_document(sample_dir / "harbor-manual.md"), QUESTION)


def shown(body: Body) -> str:
    return str(body["messages"][-1]["content"])


def by_side(reading: wb.Reading, whole: Scripted, kept: Scripted) -> Callable[[Body], Scripted]:
    """A model that says one thing before the whole document and another before the kept text."""
    return lambda body: kept if reading.kept_text in shown(body) else whole


def asked(reading: wb.Reading, replies: Callable[[Body], Scripted], **how: object) -> tuple[AnswersSaid, ChatServer]:
    with ChatServer(replies).running() as server:
        endpoint = Endpoint(base_url=server.base_url, model="wise", tries=1, timeout_seconds=5.0)
        return answers_of(reading, endpoint, **how), server  # type: ignore[arg-type]


def test_the_kept_text_and_the_whole_document_are_sent_once_each_and_nothing_of_the_gold(reading: wb.Reading) -> None:
    found, server = asked(reading, lambda _: completion(RIGHT), gold="the gilded answer")
    kept, whole = (shown(body) for body in server.asked)
    assert reading.kept_text in kept
    for block, text in enumerate(reading.document.texts):
        assert text in whole
        assert text in kept or block not in {*reading.kept_ids, *reading.context_ids}
    assert len(kept) < len(whole)
    assert "gilded" not in kept + whole
    assert found.model == "wise"
    assert found.gold == "the gilded answer"


def test_tokens_are_those_that_the_server_counted(reading: wb.Reading) -> None:
    replies = by_side(reading, completion(RIGHT, usage=(900, 4)), completion(RIGHT, usage=(200, 5)))
    found, _ = asked(reading, replies)
    assert (found.whole.tokens_in, found.whole.tokens_out) == (900, 4)
    assert (found.kept.tokens_in, found.kept.tokens_out) == (200, 5)
    assert found.kept.grade_words.endswith(" Tokens as the endpoint counted them.")


def test_a_server_that_does_not_count_is_counted_for_and_the_report_says_by_what(reading: wb.Reading) -> None:
    found, _ = asked(reading, lambda _: completion(RIGHT, usage=None))
    assert found.kept.tokens_in > reading.saving.rendered_tokens
    assert found.whole.tokens_in > found.kept.tokens_in
    assert found.kept.tokens_out == reading.basis.tokenizer.count([RIGHT])[0]
    assert found.kept.grade_words.endswith(" Tokens as o200k_base counts them: the endpoint did not.")


@pytest.mark.parametrize(
    ("whole", "kept", "gold", "grades", "verdict"),
    [
        (RIGHT, RIGHT, RIGHT, (1.0, 1.0), "Both answers are right"),
        (WRONG, WRONG, RIGHT, (0.0, 0.0), "Neither answer is right"),
        (RIGHT, WRONG, RIGHT, (1.0, 0.0), "The answer from the kept text is worse"),
        (WRONG, RIGHT, RIGHT, (0.0, 1.0), "The answer from the kept text is better"),
        ("58 Nm", "It is 62 Nm.", "58 N·m", (1.0, 0.0), "The answer from the kept text is worse"),
        ("The text does not say.", "42", "Not stated in the text.", (1.0, 0.0), "The answer from the kept text is wor"),
        ("hourly timer here", "timer hourly here", "the hourly timer runs", (2 / 3, 2 / 3), "equally good"),
    ],
)
def test_answers_are_graded_against_the_expected_one(
    reading: wb.Reading, whole: str, kept: str, gold: str, grades: tuple[float, float], verdict: str
) -> None:
    found, _ = asked(reading, by_side(reading, completion(whole), completion(kept)), gold=gold)
    assert (found.whole.grade, found.kept.grade) == pytest.approx(grades)
    assert verdict in found.verdict
    assert "This is one question, asked once: an example, not a measurement." in found.verdict
    for one in (found.whole, found.kept):
        assert one.grade_words.startswith({1.0: "Right: ", 0.0: "Wrong: "}.get(one.grade or 0.0, "It shares words "))


@pytest.mark.parametrize(
    ("whole", "kept", "verdict"),
    [
        ("It is 58 Nm.", "58 N·m", "The two answers agree."),
        ("58 Nm", "62 Nm", "The two answers differ: one of them at least is wrong or incomplete."),
        ("The text does not say.", "资料未提及。", "The two answers agree."),
        ("The text does not say.", "62 Nm", "The two answers differ"),
        ("the hourly timer", "an hourly timer or the operator", "The two answers share words (F1 of one against the"),
        ("word " * 60, "word " * 60, "the answers are too long to compare by their words; read both."),
    ],
)
def test_without_an_expected_answer_the_two_are_compared_with_each_other(
    reading: wb.Reading, whole: str, kept: str, verdict: str
) -> None:
    found, _ = asked(reading, by_side(reading, completion(whole), completion(kept)))
    assert found.whole.grade is found.kept.grade is None
    assert found.kept.grade_words.startswith("Not graded: there is no expected answer.")
    assert found.verdict.startswith("There is no expected answer to grade against")
    assert verdict in found.verdict


LONG = "The schedule says so, or an operator does, or changes have gathered, " * 5


def judging(reading: wb.Reading, scores: list[str]) -> Callable[[Body], Scripted]:
    """A model that answers, and as a judge says one thing after the other."""
    answers = by_side(reading, completion(WRONG), completion(RIGHT))
    return lambda body: completion(scores.pop(0)) if "JSON" in str(body["messages"]) else answers(body)


def test_a_long_expected_answer_is_a_rubric_for_a_judge(reading: wb.Reading) -> None:
    found, server = asked(
        reading,
        judging(reading, ['{"score": 0.5, "reason": "Half of it."}', "well", '{"score": 1.0, "reason": "All."}']),
        gold=LONG,
    )
    assert (found.whole.grade, found.kept.grade) == (0.5, 1.0)
    assert found.whole.grade_words.startswith(
        "wise judged it by the expected answer, which is too long to compare by its words: 0.50 of 1. Half of it."
    )
    assert found.verdict.startswith("The answer from the kept text is better than the one from the whole document.")
    assert len(server.asked) == 5
    assert LONG.strip() in shown(server.asked[2])


@pytest.mark.parametrize("said", ["no idea", '{"score": 7}'])
def test_a_judge_without_a_score_leaves_the_answers_ungraded(reading: wb.Reading, said: str) -> None:
    found, _ = asked(reading, judging(reading, [said] * 4), gold=LONG)
    assert found.whole.grade is found.kept.grade is None
    assert "and the judge wise gave no score." in found.kept.grade_words
    assert found.verdict.startswith("The answers are not both graded; read them beside the expected one.")


def test_a_judge_that_fails_is_named_and_the_answers_stand(reading: wb.Reading) -> None:
    found, _ = asked(
        reading, lambda body: refusal(503) if "JSON" in str(body["messages"]) else completion(RIGHT), gold=LONG
    )
    assert found.kept.text == RIGHT
    assert "and no judge answered: The endpoint http://127.0.0.1:" in found.kept.grade_words


def test_a_document_that_the_endpoint_refuses_leaves_the_kept_side_answered(reading: wb.Reading) -> None:
    refused = refusal(400, "maximum context length is 512 tokens")
    found, _ = asked(reading, by_side(reading, refused, completion(RIGHT)), gold=RIGHT)
    total = f"{reading.saving.tokens_total:,}"
    assert found.whole.failed.startswith(f"No answer: the whole document has {total} tokens, and the endpoint refused")
    assert "(maximum context length is 512 tokens)." in found.whole.failed
    assert "options' exchange" not in found.whole.failed
    assert (found.whole.text, found.whole.tokens_in, found.whole.grade) == ("", 0, None)
    assert (found.kept.text, found.kept.grade, found.kept.failed) == (RIGHT, 1.0, "")
    assert found.verdict.startswith("Only the kept text was answered from.")
    assert "one question" not in found.verdict


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Scripted(status=503, body=b"{}"), "refused with status 503"),
        (Scripted(fault="cut", body=b'{"choices"'), "broke off"),
        (refusal(401, "no key"), "set the API key that the endpoint expects"),
        (Scripted(b"<html>"), "answered with HTML where a chat completion belongs"),
        (completion("   "), "No answer: the model said nothing."),
        (completion("<think>so many thoughts"), "No answer: the model said nothing."),
    ],
)
def test_an_endpoint_that_fails_makes_a_sentence_on_each_side(reading: wb.Reading, reply: Scripted, why: str) -> None:
    found, _ = asked(reading, lambda _: reply, gold=RIGHT)
    for one in (found.whole, found.kept):
        assert one.failed.startswith("No answer: ")
        assert one.failed.count(". ") == 0
        assert one.failed.endswith(".")
        assert why in one.failed
    assert found.verdict == "The model gave no answer from either text."


def test_a_server_that_hangs_is_given_up_in_its_time(reading: wb.Reading) -> None:
    with ChatServer(lambda _: Scripted(fault="hang")).running() as server:
        endpoint = Endpoint(base_url=server.base_url, model="slow", tries=1, timeout_seconds=0.2)
        found = answers_of(reading, endpoint)
    assert "gave no answer in 0.2 seconds" in found.kept.failed


def test_an_empty_reading_has_nothing_to_answer_from(reading: wb.Reading) -> None:
    nothing = reading.with_threshold(wb.Threshold(1.0, scale=Scale.UNCALIBRATED))
    assert nothing.is_empty
    found, server = asked(nothing, lambda _: completion(RIGHT))
    assert len(server.asked) == 1
    assert found.kept.failed == "Not asked: nothing was kept, so there is nothing to answer from."
    assert found.whole.text == RIGHT
    assert found.verdict.startswith("Only the whole document was answered from.")


def test_a_ceiling_holds_for_both_sides(reading: wb.Reading) -> None:
    account = Account(Ceiling(most_tokens=20))
    found, server = asked(reading, lambda _: completion(RIGHT), account=account)
    assert server.asked == []
    assert "of most_tokens=20 are left" in found.whole.failed


def test_what_was_asked_once_is_remembered_and_written_down(reading: wb.Reading, tmp_path: Path) -> None:
    file = tmp_path / "asked.jsonl"
    with ChatServer(lambda _: completion(RIGHT)).running() as server:
        endpoint = Endpoint(base_url=server.base_url, model="wise")
        first = answers_of(reading, endpoint, transcript=file)
        again = answers_of(reading, endpoint, transcript=file)
        assert len(server.asked) == 2
        answers_of(reading, endpoint, transcript=file, cache=False)
        assert len(server.asked) == 4
    assert first == again
    assert [(entry["purpose"], entry["answer"]) for entry in read_transcript(file)] == [
        ("sparse", RIGHT),
        ("native", RIGHT),
    ]


def test_the_sentences_are_in_the_language_of_the_report_and_the_prompt_in_that_of_the_question(
    reading: wb.Reading,
) -> None:
    found, server = asked(reading, lambda _: completion(RIGHT), gold=RIGHT, language="zh")
    assert found.verdict.startswith("两个回答都正确")
    assert found.kept.grade_words == "正确：与标准答案一致。词元数由接口统计。"
    assert server.asked[0]["messages"][0]["content"].startswith("You answer a question about a document.")


def test_what_a_model_says_is_kept_as_it_said_it(reading: wb.Reading) -> None:
    said = "<script>alert(1)</script> & **bold**"
    found, _ = asked(reading, lambda _: completion(f"<think>hm</think>{said}", finish="length"))
    assert found.kept.text == said
    assert "It was cut off at the most tokens of an answer." in found.kept.grade_words


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"endpoint": "http://127.0.0.1"}, "endpoint is of type str; give an Endpoint."),
        ({"reading": 3}, "reading is of type int; give a Reading."),
        ({"gold": " "}, "gold is ' '; give the expected answer as text, or None."),
        ({"language": "de"}, "language is 'de'; choose from en, zh."),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_sent(
    reading: wb.Reading, wrong: dict[str, object], message: str
) -> None:
    values: dict[str, object] = {"reading": reading, "endpoint": Endpoint(base_url="http://127.0.0.1:9/v1", model="m")}
    values |= wrong
    with pytest.raises(InvalidOption) as refused:
        answers_of(values.pop("reading"), values.pop("endpoint"), **values)  # type: ignore[arg-type]
    assert str(refused.value) == message


def test_both_languages_have_the_same_words_to_fill_in() -> None:
    from string import Formatter

    english, chinese = (section_of(FOLDER, "answers", language) for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        names = {name for _, name, _, _ in Formatter().parse(text) if name}
        assert names == {name for _, name, _, _ in Formatter().parse(chinese[key]) if name}


@pytest.mark.llm
def test_a_real_small_model_is_asked_from_both_texts(
    sample_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from tests.workload.endpoint.test_local_model import PACKAGES, SmallModel

    if any(importlib.util.find_spec(name) is None for name in PACKAGES):
        pytest.skip(f"one of {', '.join(PACKAGES)} is not installed")
    reader = wb.SparseReader(scorer=None, min_tokens=100)
    reading = reader.read(wb.open_document(sample_dir / "harbor-manual.md"), QUESTION)
    model = SmallModel(tmp_path_factory.mktemp("gemma"))
    with ChatServer(model).running() as server:
        endpoint = Endpoint(base_url=server.base_url, model="gemma-3-270m", max_answer_tokens=16, timeout_seconds=300.0)
        found = answers_of(reading, endpoint, gold="the hourly timer")
    assert (found.whole.failed, found.kept.failed) == ("", "")
    assert 0 < found.kept.tokens_in < found.whole.tokens_in
    assert found.kept.tokens_out <= 16
    assert found.whole.seconds > 0.0
    assert found.kept.grade is not None
    assert 0.0 <= found.kept.grade <= 1.0
