"""What a model answers from the whole document and from the kept text, side by side, and how good each answer is."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...caching import default_folder, key_of
from ...documents.progress import showing
from ...errors import CostCeiling, EndpointFailed, InvalidOption
from ...gate.intent import intent_of
from ...printing import printable
from ...reading import Reading
from ...workload.endpoint import Endpoint
from ...workload.endpoint.answers import Answers
from ...workload.endpoint.ceiling import Account
from ...workload.endpoint.client import ChatClient
from ...workload.endpoint.grading import final_answer
from ...workload.endpoint.prompts import Asked, Messages, answer_messages
from ...workload.endpoint.replies import Reply
from ...workload.endpoint.texts import text_of
from ...workload.endpoint.transcript import Transcript
from ..contents import AnswerSaid, AnswersSaid
from ..wording import Say, saying
from .answer_grades import Grader

WHOLE, KEPT = "native", "sparse"
"""Purposes of the exchanges, as a transcript of a replay names them."""
_REFUSED = "refused with status 4"
_ADVICE = "; if the text is too long"
"""What a refusal advises whoever replays a workload; a reader of a report has no such option."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One answer: what was sent, what came back, and why there is none."""

    messages: Messages
    reply: Reply | None
    failed: str = ""

    @property
    def text(self) -> str:
        return "" if self.reply is None else final_answer(self.reply.text)


def answers_of(
    reading: Reading,
    endpoint: Endpoint,
    *,
    gold: str | None = None,
    language: str = "en",
    account: Account | None = None,
    transcript: str | os.PathLike[str] | None = None,
    cache: bool = True,
    progress: bool | None = None,
) -> AnswersSaid:
    """Ask a model the question of a reading twice: with the whole document before it, and with the kept text.

    Text of the document is sent to the endpoint that is named, and nowhere else. What it answered is remembered. A side
    that fails says why, and the other one is asked all the same.

    Parameters
    ----------
    reading : Reading
    endpoint : Endpoint
    gold : str, optional
        The expected answer; one that says that the document does not tell is met by saying so. Without it nothing is
        graded, and the two answers are compared with each other.
    language : str
        Of the sentences, "en" or "zh"; the model is told in the language of the question.
    account : Account, optional
        Pays for the calls; one account for several readings keeps all of them below its ceiling.
    transcript : str or path, optional
        Where every exchange is added as a line of JSON; by default a file in the cache folder.
    cache : bool
        Whether answers are remembered on disk, and those that are there used.
    progress : bool, optional
        Whether progress is shown; by default in terminals and notebooks.

    Raises
    ------
    InvalidOption
        For a value of the wrong type, another language, or an API key that cannot be sent.
    MissingDependency
        If the package httpx is not installed.

    Examples
    --------
    >>> from workbench.workload.endpoint import Endpoint
    >>> endpoint = Endpoint(base_url="http://127.0.0.1:8000/v1", model="small")
    >>> answers_of(reading, endpoint, gold="58 Nm").verdict  # doctest: +SKIP
    'Both answers are right: leaving text out cost nothing here. …'
    """
    say = saying("answers", language)
    if not isinstance(reading, Reading):
        raise InvalidOption(f"reading is of type {type(reading).__name__}; give a Reading.")
    if not isinstance(endpoint, Endpoint):
        raise InvalidOption(f"endpoint is of type {type(endpoint).__name__}; give an Endpoint.")
    if gold is not None and not (isinstance(gold, str) and gold.strip()):
        raise InvalidOption(f"gold is {gold!r:.40}; give the expected answer as text, or None.")
    expected = gold.strip() if gold is not None else ""
    file = Path(transcript) if transcript is not None else _default_transcript(endpoint)
    label = say("asking", model=printable(endpoint.model))
    with ChatClient(endpoint, account) as client, Transcript(file) as written, showing(label, progress) as report:
        answers = Answers(client, written, cache=cache)
        report(0, 2)
        # One after the other: asked at once, each would wait for the other, and the seconds would say so.
        kept = _asked(reading, KEPT, answers, say)
        report(1, 2)
        whole = _asked(reading, WHOLE, answers, say)
        report(2, 2)
        return _said(reading, answers, whole, kept, expected, say)


def _asked(reading: Reading, purpose: str, answers: Answers, say: Say) -> _Side:
    if purpose == KEPT and reading.is_empty:
        return _Side([], None, say("failed.nothing_kept"))
    messages = answer_messages(_question(reading), [reading.kept_text if purpose == KEPT else _whole_text(reading)])
    try:
        reply = answers.ask(messages, request=_request(reading), purpose=purpose)
    except (EndpointFailed, CostCeiling) as error:
        return _Side(messages, None, _why(str(error), purpose, reading, say))
    return _Side(messages, reply, "" if final_answer(reply.text) else say("failed.empty"))


def _question(reading: Reading) -> Asked:
    return Asked(reading.question.strip(), (), intent_of(reading.question).language)


def _request(reading: Reading) -> str:
    """Return a name for the request, for the transcript."""
    return key_of("report", reading.document.sha256, reading.question)[:16]


def _whole_text(reading: Reading) -> str:
    return text_of(reading.document, np.ones(len(reading.document), bool), reading.basis.tokens)


def _why(error: str, purpose: str, reading: Reading, say: Say) -> str:
    if purpose == WHOLE and _REFUSED in error and _ADVICE in error:
        told = error.partition(_ADVICE)[0] + "."
        return say("failed.too_long", tokens=reading.saving.tokens_total, why=told)
    return say("failed", why=error.partition(_ADVICE)[0].rstrip(".") + ".")


def _said(reading: Reading, answers: Answers, whole: _Side, kept: _Side, gold: str, say: Say) -> AnswersSaid:
    grader = Grader(_question(reading), gold, answers, say)
    sides = [_answer(reading, found, purpose, grader, say) for purpose, found in ((WHOLE, whole), (KEPT, kept))]
    answered = [side for side in (whole, kept) if not side.failed]
    if len(answered) == 2:
        pairs = [(side.text, side.grade) for side in sides]
        sentences = [grader.verdict(pairs[0], pairs[1]), say("verdict.once")]
    else:
        sentences = [
            say("verdict.neither" if not answered else "verdict.kept_only" if whole.failed else "verdict.whole_only")
        ]
    return AnswersSaid(answers.client.endpoint.model, sides[0], sides[1], gold, say("space").join(sentences))


def _answer(reading: Reading, side: _Side, purpose: str, grader: Grader, say: Say) -> AnswerSaid:
    if side.reply is None or side.failed:
        return AnswerSaid("", 0, 0, 0.0, None, "", side.failed)
    tokens_in, tokens_out = _tokens(reading, side.messages, side.reply)
    grade, words = grader.grade(side.text, request=_request(reading), purpose=purpose)
    sentences = [words]
    if side.reply.finish == "length":
        sentences.append(say("grade.cut_off"))
    reported = side.reply.usage is not None
    sentences.append(say("tokens.reported" if reported else "tokens.counted", tokenizer=reading.saving.tokenizer))
    return AnswerSaid(side.text, tokens_in, tokens_out, side.reply.seconds, grade, say("space").join(sentences))


def _tokens(reading: Reading, messages: Messages, reply: Reply) -> tuple[int, int]:
    """Return the tokens into and out of the model: as the server counted, else by the reading's tokenizer."""
    if reply.usage is not None:
        return reply.usage.tokens_in, reply.usage.tokens_out
    counts = reading.basis.tokenizer.count([*(message["content"] for message in messages), reply.text]).tolist()
    return sum(counts[:-1]), counts[-1]


def _default_transcript(endpoint: Endpoint) -> Path:
    return default_folder() / "transcripts" / f"{key_of('report', endpoint.base_url, endpoint.model)[:16]}.jsonl"
