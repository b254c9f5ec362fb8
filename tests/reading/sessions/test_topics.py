"""Whether a question goes on with the topic, and the reason in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from workbench.errors import InvalidOption
from workbench.reading.followup_options import SEED_TOPIC_THRESHOLD, FollowUpOptions
from workbench.reading.sessions import SessionState
from workbench.reading.topics import Topic, cosine, topic_of


def asked(
    question: str,
    vector: Sequence[float] | None = None,
    *,
    vectors: Sequence[Sequence[float]] = (),
    questions: tuple[str, ...] = ("What triggers a backup?",),
    scorer: str = "model",
    language: str = "en",
    best_block: int | None = None,
    **options: float,
) -> Topic:
    state = SessionState(
        user="ana",
        session_id="1",
        document="d",
        anchor_blocks=(2, 3),
        questions=questions,
        question_vectors=np.array(vectors, np.float32).reshape(len(vectors), -1 if vectors else 0),
        scorer="model",
    )
    return topic_of(
        question,
        None if vector is None else np.array(vector, np.float32),
        state,
        scorer=scorer,
        language=language,
        best_block=best_block,
        options=FollowUpOptions(**options),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("question", ["When are filters cleaned?", "滤网何时清洗？"])
def test_the_cosine_with_the_mean_of_the_last_questions_decides(question: str) -> None:
    near = asked(question, [0.8, 0.6], vectors=[[1, 0], [1, 0], [0, 1]])
    far = asked(question, [-0.6, 0.8], vectors=[[1, 0], [1, 0], [1, 0]])
    assert near.same
    assert near.reason == "its cosine with the mean of the last 3 questions is 0.98, not under 0.15"
    assert not far.same
    assert far.reason == "its cosine with the mean of the last 3 questions is -0.60, under 0.15"
    assert far.cosine == pytest.approx(-0.6)


def test_a_cosine_at_the_threshold_is_a_follow_up_and_the_words_show_which_is_greater() -> None:
    at = asked("When are filters cleaned?", [0.65, 0.76], vectors=[[1, 0]], topic_threshold=0.65)
    under = asked("When are filters cleaned?", [0.6, 0.8], vectors=[[1, 0]], topic_threshold=0.60001)
    assert at.same == (cosine(np.array([0.65, 0.76], np.float32), np.array([[1, 0]], np.float32)) >= 0.65)
    assert not under.same
    assert under.reason == "its cosine with the question before is 0.60000, under 0.60001"


def test_the_published_threshold_can_be_asked_for() -> None:
    assert SEED_TOPIC_THRESHOLD == 0.65
    assert asked("When are filters cleaned?", [0.6, 0.8], vectors=[[1, 0]]).same
    assert not asked("When are filters cleaned?", [0.6, 0.8], vectors=[[1, 0]], topic_threshold=0.65).same


@pytest.mark.parametrize("question", ["How exactly is it triggered?", "那具体怎么触发？", "and in 2019?"])
def test_a_question_that_leans_on_the_one_before_inherits_its_topic_whatever_the_cosine(question: str) -> None:
    topic = asked(question, [-1, 0], vectors=[[1, 0]])
    assert topic.same
    assert topic.reference is not None
    assert topic.reason == topic.reference.reason


def test_vectors_of_another_model_are_never_compared() -> None:
    other = asked("When are filters cleaned?", [1, 0], vectors=[[1, 0]], scorer="another model")
    longer = asked("When are filters cleaned?", [1, 0, 0], vectors=[[1, 0]])
    assert other.reason.startswith("without a semantic model words decide")
    assert longer.reason.startswith("without a semantic model words decide")


def test_without_a_model_shared_words_decide_and_it_is_said() -> None:
    shared = asked("Where are backups stored?")
    assert shared.same
    assert shared.reason == 'without a semantic model words decide, and it shares "backup" with the last questions'
    anchor = asked("When are filters cleaned?", best_block=3)
    assert anchor.same
    assert anchor.reason.endswith("the block that says most about it is one of the anchors")
    for best in (5, None):
        strange = asked("When are filters cleaned?", best_block=best)
        assert not strange.same
        assert (
            "it shares none with the last questions, and the block that says most about it is no anchor"
            in strange.reason
        )


def test_without_a_model_one_shared_chinese_character_is_no_shared_word() -> None:
    before = ("备份保存多久？",)
    assert asked("备份存放在哪里？", questions=before, language="zh").same
    assert not asked("大门何时上锁？", questions=before, language="zh").same
    assert not asked("保险由谁承担？", questions=before, language="zh").same


def test_a_vector_of_zeros_has_a_cosine_of_zero() -> None:
    zero, one = np.zeros(2, np.float32), np.array([[1, 0]], np.float32)
    assert cosine(zero, one) == cosine(one[0], zero[None, :]) == 0.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"topic_threshold": 1.1}, "topic_threshold is 1.1; give a number from -1 to 1"),
        ({"topic_threshold": float("nan")}, "topic_threshold is nan"),
        ({"token_share": 0.0}, "token_share is 0.0; give a number from 0.01 to 1"),
        ({"least_tokens": -1}, "least_tokens is -1; give a whole number of at least 0"),
        ({"sentences_per_block": 0}, "sentences_per_block is 0; give a whole number of at least 1"),
        ({"previous_weight": 2}, "previous_weight is 2; give a number from 0 to 1"),
        ({"anchor_preference": "x"}, "anchor_preference is 'x'"),
    ],
)
def test_options_outside_their_range_are_refused(options: dict[str, float], words: str) -> None:
    with pytest.raises(InvalidOption, match=words):
        FollowUpOptions(**options)  # type: ignore[arg-type]
