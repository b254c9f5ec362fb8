"""All that a model is asked for one request: an answer on each path, a grade where only a rubric can tell, advice."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .answers import Answers
from .grading import RUBRIC, UNGRADED, Grade, final_answer, grade, rubric_score, short_answers
from .prompts import Asked, advisory_messages, answer_messages, judge_again, judge_messages
from .replies import Reply
from .texts import Observed

if TYPE_CHECKING:
    from ..requests import Request

COLUMNS: dict[str, str] = {
    "answer_native": "str",
    "answer_sparse": "str",
    "exact_native": "float64",
    "exact_sparse": "float64",
    "f1_native": "float64",
    "f1_sparse": "float64",
    "rubric_native": "float64",
    "rubric_sparse": "float64",
    "model_tokens_in_native": "float64",
    "model_tokens_in_sparse": "float64",
    "model_tokens_out_native": "float64",
    "model_tokens_out_sparse": "float64",
    "model_seconds_native": "float64",
    "model_seconds_sparse": "float64",
}
"""Columns that answers add to outcomes; nan where nobody graded, or the server did not count."""

PATHS = ("native", "sparse")
_CHOICE = re.compile(r"(?<![A-Za-z])(SPARSE|WHOLE)(?![A-Za-z])", re.IGNORECASE)
_LONG_GOLD = {
    "en": "The answer says what this gold answer says, and nothing that contradicts it: ",
    "zh": "回答与以下标准答案意思一致，并且没有与之矛盾的内容：",
}


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model made of one request.

    Attributes
    ----------
    values : dict
        The columns of outcomes that it sets.
    reasons : tuple of str
        What was decided and why, a sentence each.
    tokens : int
        Of all its exchanges, as the server counted.
    """

    values: dict[str, Any]
    reasons: tuple[str, ...]
    tokens: int


def ask(seen: Observed, answers: Answers, *, advisory: bool) -> Answered:
    """Ask a model all that one request needs.

    Parameters
    ----------
    seen : Observed
    answers : Answers
    advisory : bool
        Whether it is also asked how it would read.

    Raises
    ------
    CostCeiling, EndpointFailed
        As ``ChatClient.complete`` does.
    """
    request = seen.request
    asked = Asked(request.question.strip(), tuple(request.turns), seen.language)
    replies = {"native": answers.ask(answer_messages(asked, [seen.native]), request=request.id, purpose="native")}
    if seen.fell_back:
        # The whole document was sent after all: what it yields is what the native path yields.
        replies["sparse"] = replies["native"]
    else:
        messages = answer_messages(asked, [seen.preview, seen.sparse])
        replies["sparse"] = answers.ask(messages, request=request.id, purpose="sparse")
    values: dict[str, Any] = {}
    for path, reply in replies.items():
        values |= _said(path, reply)
    distinct = list({id(reply): reply for reply in replies.values()}.values())
    tokens, reasons = sum(map(_tokens, distinct)), list(_cut_short(replies))
    graded, judged = _grades(seen, asked, replies, answers)
    values |= graded.values
    reasons += graded.reasons
    tokens += judged
    if advisory:
        advice = answers.ask(
            advisory_messages(asked, seen.preview, seen.tokens), request=request.id, purpose="advisory"
        )
        tokens += _tokens(advice)
        choice = chosen(advice.text)
        if choice is None:
            reasons.append("Asked how it would read, the model chose neither way.")
        else:
            values["advisory_sparse"] = choice
            reasons.append(f"Asked how it would read, the model chose {'sparsely' if choice else 'the whole'}.")
    return Answered(values, tuple(reasons), tokens)


def chosen(text: str) -> float | None:
    """Return 1.0 for the sparse way, 0.0 for the whole document, None where an answer names neither or both.

    Examples
    --------
    >>> chosen("SPARSE."), chosen("whole"), chosen("SPARSE or WHOLE"), chosen("sparsely")
    (1.0, 0.0, None, None)
    """
    found = {match.upper() for match in _CHOICE.findall(final_answer(text))}
    return None if len(found) != 1 else float(found == {"SPARSE"})


def rubric_for(request: Request, language: str = "en") -> str | None:
    """Return by what an answer is judged: nothing where a short answer or an answerable question tells it.

    A gold answer that is too long for F1 becomes a rubric.
    """
    if not request.answerable or short_answers(request.answer, request.answers):
        return None
    if request.rubric is not None:
        return request.rubric
    return None if request.answer is None else _LONG_GOLD["zh" if language == "zh" else "en"] + request.answer


def _grades(seen: Observed, asked: Asked, replies: dict[str, Reply], answers: Answers) -> tuple[Answered, int]:
    """Return the columns that grades set, and the tokens that a judge took."""
    request, tokens = seen.request, 0
    rubric = rubric_for(request, seen.language)
    gold = short_answers(request.answer, request.answers)
    found: dict[str, Grade] = {}
    reasons: list[str] = []
    for path, reply in replies.items():
        if path == "sparse" and reply is replies["native"]:
            found[path] = found["native"]
        elif rubric is None:
            found[path] = grade(reply.text, gold, answerable=request.answerable, question=" ".join(
                [*request.turns, request.question]))  # fmt: skip
        else:
            score, reason, spent = _judged(path, seen, asked, reply.text, rubric, answers)
            tokens += spent
            found[path] = UNGRADED if score is None else Grade(math.nan, math.nan, RUBRIC, score)
            if reason:
                reasons.append(reason)
    values: dict[str, Any] = {}
    for path, one in found.items():
        values |= {f"exact_{path}": one.exact, f"f1_{path}": one.f1}
        values[f"rubric_{path}"] = one.quality if one.kind == RUBRIC else math.nan
    # One path's grade beside the other's recall would compare two different things.
    if all(one.kind for one in found.values()):
        values["quality_kind"] = found["native"].kind
        values |= {f"quality_{path}": one.quality for path, one in found.items()}
    else:
        why = "the judge gave no score" if rubric is not None else "it has neither a gold answer nor a rubric"
        reasons.append(f"Its answers are not graded, for {why}; quality is evidence recall.")
    return Answered(values, tuple(reasons), tokens), tokens


def _judged(
    path: str, seen: Observed, asked: Asked, answer: str, rubric: str, answers: Answers
) -> tuple[float | None, str, int]:
    """Return a judge's score, its reason as a sentence, and the tokens that it took."""
    request, model = seen.request, answers.client.endpoint.judge
    if not (given := final_answer(answer)):
        return 0.0, f"The {path} answer is empty.", 0
    evidence = [piece.quote for piece in request.evidence if piece.quote.strip()]
    messages = judge_messages(asked, given, rubric, evidence=evidence, near_miss=request.near_miss)
    tokens = 0
    for attempt in ("", " again"):
        reply = answers.ask(messages, request=request.id, purpose=f"judge {path}{attempt}", model=model)
        tokens += _tokens(reply)
        if (found := rubric_score(reply.text)) is not None:
            score, reason = found
            return score, f"The judge gave the {path} answer {score:g}" + (f": {reason}" if reason else "."), tokens
        messages = judge_again(asked, messages, reply.text)
    return None, "", tokens


def _said(path: str, reply: Reply) -> dict[str, Any]:
    usage = reply.usage
    return {
        f"answer_{path}": final_answer(reply.text),
        f"model_tokens_in_{path}": math.nan if usage is None else float(usage.tokens_in),
        f"model_tokens_out_{path}": math.nan if usage is None else float(usage.tokens_out),
        f"model_seconds_{path}": reply.seconds,
    }


def _cut_short(replies: dict[str, Reply]) -> list[str]:
    return [
        f"The {path} answer was cut off at the most tokens." for path, reply in replies.items()
        if reply.finish == "length"
    ]  # fmt: skip


def _tokens(reply: Reply) -> int:
    return 0 if reply.usage is None else reply.usage.tokens
