"""Questions with answers in a context, as SQuAD 2 has them: spans are answers, what is not relevant is impossible.

A block is a context. The format has one voice and two values, so what is useful context or unsure has no room in it,
nor has a block on which annotators differ. Beside its own keys a question has those that tell which block, who and
when; readers of SQuAD leave them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....errors import InvalidLabels
from ..label import Label
from ..positions import nearest
from ..values import LabelSource, LabelValue, Span
from .drafts import DETAILS, FACTS, LabelDraft, details_of, facts_of
from .files import Written, json_of, plain_json
from .reports import Dropped

NAME = "squad"
ANNOTATOR = "squad"
_WITH_ROOM = (LabelValue.EVIDENCE, LabelValue.NOT_RELEVANT, LabelValue.HARD_NEGATIVE)
_NO_ROOM = "the format knows answers and questions without one, no other values"
_DIFFER = "annotators differ on the block; resolve it first"


def write(labels: Sequence[Label]) -> Written:
    """Return the articles of some labels: a document an article, a block a paragraph."""
    usable = [label for label in labels if label.value in _WITH_ROOM]
    dropped = [Dropped(f"label {label.id}", _NO_ROOM) for label in labels if label.value not in _WITH_ROOM]
    asked: dict[tuple[str, int, str, str], list[Label]] = {}
    for label in usable:
        asked.setdefault((label.document, label.block_id, label.block_sha256, label.question), []).append(label)
    articles: dict[str, dict[str, Any]] = {}
    paragraphs: dict[tuple[str, int, str], dict[str, Any]] = {}
    count = 0
    for (document, block_id, sha256, _), found in asked.items():
        if len({label.value is LabelValue.EVIDENCE for label in found}) > 1:
            dropped.extend(Dropped(f"label {label.id}", _DIFFER) for label in found)
            continue
        first = found[0]
        article = articles.setdefault(document, {"title": first.document_name, "paragraphs": []})
        key = (document, block_id, sha256)
        if key not in paragraphs:
            paragraphs[key] = {"context": first.quote, "qas": [], **facts_of(first)}
            paragraphs[key].pop("request", None)
            article["paragraphs"].append(paragraphs[key])
        # Annotators of one mind are questions of their own: each has spans, a name and a time.
        paragraphs[key]["qas"].extend(map(_question, found))
        count += len(found)
    text = plain_json({"version": "v2.0", "data": list(articles.values())}, indent=1) + "\n"
    return Written(text, count, tuple(dropped))


def read(text: str, name: str, _words: Mapping[str, LabelValue]) -> Iterator[LabelDraft | Dropped]:
    """Yield what each question says of its context.

    Raises
    ------
    InvalidLabels
        If the file is not in the format of SQuAD.
    """
    given = json_of(text, name)
    if not is_squad(given):
        raise InvalidLabels(
            f'{name} is not in the format of SQuAD: looked for {{"data": [{{"paragraphs": ...}}]}}; give a file that '
            "has it."
        )
    for rank, article in enumerate(given["data"], start=1):
        title = str(article.get("title") or rank) if isinstance(article, dict) else str(rank)
        paragraphs = article.get("paragraphs") if isinstance(article, dict) else None
        for number, paragraph in enumerate(paragraphs if isinstance(paragraphs, list) else (), start=1):
            where = f"{title}, paragraph {number}"
            if not isinstance(paragraph, dict) or not isinstance(paragraph.get("context"), str):
                yield Dropped(where, "it has no context")
                continue
            questions = paragraph.get("qas")
            for question in questions if isinstance(questions, list) else ():
                yield from _drafts(question, paragraph, title, where)


def is_squad(given: Any) -> bool:
    """Whether a value is in the format of SQuAD."""
    rows = given.get("data") if isinstance(given, dict) else None
    return isinstance(rows, list) and any(isinstance(row, dict) and "paragraphs" in row for row in rows)


def _question(label: Label) -> dict[str, Any]:
    evidence = label.value is LabelValue.EVIDENCE
    spans = label.spans or (((0, len(label.quote)),) if evidence else ())
    answers = [{"text": label.quote[start:end], "answer_start": start} for start, end in spans]
    return {
        "id": label.id,
        "question": label.question,
        "answers": answers if evidence else [],
        "plausible_answers": [] if evidence else answers,
        "is_impossible": not evidence,
        "value": label.value.value,
        "annotator": label.annotator,
        "note": label.note,
        "whole": evidence and not label.spans,
        **{name: detail for name, detail in details_of(label).items() if name != "id"},
        **({"request": label.request} if label.request is not None else {}),
    }


def _drafts(question: Any, paragraph: Mapping[str, Any], title: str, where: str) -> Iterator[LabelDraft | Dropped]:
    if not isinstance(question, dict) or not isinstance(question.get("question"), str):
        yield Dropped(where, "a question without words")
        return
    here = f"{where}, question {question.get('id', '')}"
    impossible = question.get("is_impossible") is True
    context = paragraph["context"]
    given = question.get("plausible_answers" if impossible and "value" in question else "answers")
    spans: list[Span] = []
    for answer in given if isinstance(given, list) else ():
        span = _answer(answer, context)
        if span is None:
            said = answer.get("text") if isinstance(answer, dict) else answer
            yield Dropped(f"{here}, {said!r:.60}", "an answer that does not stand in its context")
        else:
            spans.append(span)
    if not impossible and not spans:
        yield Dropped(here, "it has no answer that stands in its context")
        return
    spans = [] if question.get("whole") is True and spans == [(0, len(context))] else sorted(set(spans))
    yield LabelDraft(
        where=here,
        question=question["question"],
        text=context,
        value=_value(question.get("value"), impossible),
        annotator=str(question.get("annotator") or ANNOTATOR),
        spans=tuple(spans),
        note=str(question.get("note") or ""),
        facts={
            "document_name": title,
            "source": LabelSource.GOLD.value,
            **{name: paragraph[name] for name in FACTS if paragraph.get(name) not in (None, "")},
            **{name: question[name] for name in (*DETAILS, "request") if name in question and name != "id"},
            **({"id": question["id"]} if "said" in question and "id" in question else {}),
        },
        said=question.get("said"),
    )


def _value(given: Any, impossible: bool) -> LabelValue:
    """The value that stands beside a question, as far as it fits what the question says by itself."""
    if not impossible:
        return LabelValue.EVIDENCE
    return LabelValue.HARD_NEGATIVE if given == LabelValue.HARD_NEGATIVE.value else LabelValue.NOT_RELEVANT


def _answer(answer: Any, context: str) -> Span | None:
    if not isinstance(answer, dict) or not isinstance(answer.get("text"), str) or not answer["text"].strip():
        return None
    text, start = answer["text"], answer.get("answer_start")
    if isinstance(start, int) and start >= 0 and context[start : start + len(text)] == text:
        return start, start + len(text)
    # Sets with wrong offsets are common; the words are right.
    return nearest(context, text, start if isinstance(start, int) else 0)
