"""From a workload, and what people say of its blocks, to questions that can be mined and trained on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..documents.progress import showing
from ..errors import WorkbenchError
from ..reading.near_copies import plain_letters
from ..relevance.scores import Scope
from ..workload.gold import Gold, resolve
from ..workload.replay.replaying import intent_for
from .labelled import with_labels
from .question import LeftOut, Piece, Place, Question, Questions

if TYPE_CHECKING:
    from ..documents import Document
    from ..workload import Workload
    from ..workload.requests import Request

__all__ = ["LeftOut", "Piece", "Place", "Question", "Questions", "questions_of", "with_labels"]

WANTS_ALL = "It wants all of its document, where every block is as good as another."
NATIVE_FIT = "Its scenario is native_fit: all of its document is read anyway."
FOLLOW_UP = "It is a follow-up, whose words say only a part of what is asked."
NO_GOLD = "It has no gold evidence."
UNRESOLVED = "A piece of its evidence stands nowhere in its document, so that blocks that hold it would be negatives."
NOT_OPEN = "Its document cannot be opened."


def questions_of(workload: Workload, *, split: str | None = None, progress: bool | None = None) -> Questions:
    """Return the questions of a workload with the blocks that hold their evidence; each document is opened once.

    Parameters
    ----------
    workload : Workload
    split : {"dev", "test"}, optional
        Only the requests of one split.
    progress : bool, optional
        Whether progress is shown; None where somebody looks.

    Returns
    -------
    Questions
        Every request is in exactly one of ``questions``, ``unanswerable`` and ``left_out``.

    Raises
    ------
    InvalidOption
        For an unknown split.
    """
    chosen = workload if split is None else workload.split(split)
    by_document: dict[str, list[Request]] = {key: [] for key in chosen.documents}
    for request in chosen.requests:
        by_document[request.document_key].append(request)
    found: dict[str, Question | LeftOut] = {}
    with showing(f"Finding the evidence of {chosen.name}", progress) as report:
        for rank, (key, requests) in enumerate(by_document.items()):
            report(rank, len(by_document))
            found |= {request.id: one for request, one in _on_document(chosen, key, requests)}
    ordered = [found[request.id] for request in chosen.requests]
    known = _with_siblings([one for one in ordered if isinstance(one, Question)])
    return Questions(
        tuple(one for one in known if one.pieces),
        tuple(one for one in known if not one.pieces),
        tuple(one for one in ordered if isinstance(one, LeftOut)),
    )


def _on_document(
    workload: Workload, key: str, requests: Iterable[Request]
) -> Iterator[tuple[Request, Question | LeftOut]]:
    document: Document | None = None
    for request in requests:
        if reason := _no_question(request):
            yield request, LeftOut(request.id, reason)
            continue
        try:
            document = document or workload.open(key, progress=False)
        except WorkbenchError as error:
            yield request, LeftOut(request.id, NOT_OPEN, str(error))
            continue
        yield request, _question_of(workload.name, request, document)


def _no_question(request: Request) -> str:
    if request.turns:
        return FOLLOW_UP
    if request.scenario == "native_fit":
        return NATIVE_FIT
    if intent_for(request).scope is Scope.WHOLE:
        return WANTS_ALL
    return NO_GOLD if request.answerable and not request.evidence else ""


def _question_of(set_name: str, request: Request, document: Document) -> Question | LeftOut:
    gold = resolve(request, document)
    if gold.unresolved:
        return LeftOut(request.id, UNRESOLVED, gold.unresolved[0].reason)
    intent = intent_for(request)
    return Question(
        id=request.id,
        document=document,
        document_key=request.document_key,
        question=intent.question,
        scope=intent.scope,
        set_name=set_name,
        document_type=document.document_type.value,
        language=document.language.value,
        pieces=pieces_of(gold),
        positives=gold.blocks,
        answers=tuple(answer for answer in (request.answer, *request.answers) if answer),
    )


def _with_siblings(questions: Sequence[Question]) -> list[Question]:
    """Make what another request on the same document has as evidence for the very same question unsure."""
    groups: dict[tuple[str, str], list[Question]] = defaultdict(list)
    for one in questions:
        groups[one.document.sha256, plain_letters(one.question)].append(one)
    found = []
    for one in questions:
        siblings = groups[one.document.sha256, plain_letters(one.question)]
        others = {block for other in siblings if other is not one for block in other.evidence} - one.evidence
        found.append(replace(one, unsure=tuple(sorted(others))) if others else one)
    return found


def pieces_of(gold: Gold) -> tuple[Piece, ...]:
    """Return the pieces of gold evidence as places of blocks."""
    return tuple(tuple(dict.fromkeys(piece.places)) for piece in gold.pieces)
