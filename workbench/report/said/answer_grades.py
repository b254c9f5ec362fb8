"""How good two answers are, in words: against the expected one, or without one against each other."""

from __future__ import annotations

import math

from ...errors import CostCeiling, EndpointFailed
from ...workload.endpoint.answers import Answers
from ...workload.endpoint.exchanges import rubric_for
from ...workload.endpoint.grading import (
    EXACT_MATCH,
    Grade,
    grade,
    rubric_score,
    says_not_there,
    short_answers,
)
from ...workload.endpoint.prompts import Asked, judge_again, judge_messages
from ...workload.requests import Request
from ..wording import Say


class Grader:
    """Grades answers to one question.

    Parameters
    ----------
    asked : Asked
    gold : str
        The expected answer; "" where nobody gave one.
    answers : Answers
        Through which a judge is asked where the expected answer is too long to be compared by its words.
    say : callable
        Words of the section "answers".
    """

    def __init__(self, asked: Asked, gold: str, answers: Answers, say: Say) -> None:
        self._asked, self._gold, self._answers, self._say = asked, gold, answers, say
        self._absent = bool(gold) and says_not_there(gold)

    def grade(self, answer: str, *, request: str, purpose: str) -> tuple[float | None, str]:
        """Return the grade of an answer in [0, 1], and how it came about; None where there is none."""
        gold, say = self._gold, self._say
        if not gold:
            return None, say("grade.none")
        if self._absent:
            found = grade(answer, [gold], answerable=False, question=self._asked.question)
            return found.quality, say("grade.absent" if found.quality else "grade.not_absent")
        short = short_answers(gold)
        if not short:
            return self._judged(answer, request, purpose)
        found = grade(answer, short, question=self._asked.question)
        return found.quality, self._in_words(found)

    def _in_words(self, found: Grade) -> str:
        say = self._say
        if found.kind == EXACT_MATCH:
            return say("grade.value" if found.quality else "grade.not_value")
        if found.exact:
            return say("grade.same_words")
        return say("grade.words", share=f"{found.f1:.2f}") if found.f1 else say("grade.no_words")

    def _judged(self, answer: str, request: str, purpose: str) -> tuple[float | None, str]:
        """Let a model judge by the expected answer, and once more where it gave no score."""
        say, judge = self._say, self._answers.client.endpoint.judge
        long = Request(id=request, artifact="document", question=self._asked.question, answer=self._gold)
        rubric = rubric_for(long, self._asked.language)
        assert rubric is not None
        messages = judge_messages(self._asked, answer, rubric)
        for attempt in ("", " again"):
            try:
                reply = self._answers.ask(messages, request=request, purpose=f"judge {purpose}{attempt}", model=judge)
            except (EndpointFailed, CostCeiling) as error:
                return None, say("grade.no_judge", why=str(error))
            if (score := rubric_score(reply.text)) is not None:
                said = say("grade.judged", judge=judge, score=f"{score[0]:.2f}")
                return score[0], f"{said} {score[1]}".strip()
            messages = judge_again(self._asked, messages, reply.text)
        return None, say("grade.no_score", judge=judge)

    def verdict(self, whole: tuple[str, float | None], kept: tuple[str, float | None]) -> str:
        """Compare two answers, each with its grade."""
        if not self._gold:
            return self._agreement(whole[0], kept[0])
        left, right = whole[1], kept[1]
        if left is None or right is None:
            return self._say("verdict.ungraded")
        if not math.isclose(left, right, abs_tol=1e-9):
            return self._say("verdict.kept_better" if right > left else "verdict.kept_worse")
        return self._say({1.0: "verdict.both_right", 0.0: "verdict.both_wrong"}.get(left, "verdict.same"))

    def _agreement(self, whole: str, kept: str) -> str:
        """Compare two answers by the grader, the one from the kept text against the one from the whole document."""
        say = self._say
        if says_not_there(whole):
            return say("verdict.agree" if says_not_there(kept) else "verdict.differ")
        found, back = grade(kept, short_answers(whole)), grade(whole, short_answers(kept))
        if not found.kind:
            return say("verdict.long")
        # "It is 58 Nm" is no gold answer that is a number, and agrees with "58 Nm" all the same.
        if 1.0 in (found.quality, back.quality):
            return say("verdict.agree")
        shares = found.kind != EXACT_MATCH and found.f1 > 0.0
        return say("verdict.overlap", share=f"{found.f1:.2f}") if shares else say("verdict.differ")
