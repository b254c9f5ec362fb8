"""Questions with what people say of their blocks: a person's label wins over gold, and labels alone make questions."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ..gate.intent import intent_of
from ..printing import counted
from ..reading.near_copies import plain_letters
from .labels.anchoring import anchored
from .labels.label import Label
from .labels.store import LabelStore
from .labels.values import LabelSource, LabelValue
from .question import LeftOut, Piece, Question, Questions

if TYPE_CHECKING:
    from ..documents import Document

NO_DOCUMENT = "The document that it was made on is not among those of the questions; give it as documents=[…]."
NO_EVIDENCE = "Its labels leave it without a block of evidence."


class _Role(StrEnum):
    POSITIVE = "positive"
    NEGATIVE = "negative"
    UNSURE = "unsure"


_ROLES = {
    LabelValue.EVIDENCE: _Role.POSITIVE,
    LabelValue.HARD_NEGATIVE: _Role.NEGATIVE,
    LabelValue.NOT_RELEVANT: _Role.NEGATIVE,
    LabelValue.CONTEXT: _Role.UNSURE,
    LabelValue.UNSURE: _Role.UNSURE,
}
_SOURCES = (LabelSource.FEEDBACK, LabelSource.GOLD, LabelSource.MINED)
"""Those that are no person's, from the one that is believed most."""


@dataclass(eq=False)
class _Known:
    """What labels say of the blocks of one question: those of persons, and those of everybody else."""

    strong: dict[int, _Role] = field(default_factory=dict)
    weak: dict[int, _Role] = field(default_factory=dict)
    disputed: int = 0


def with_labels(
    questions: Questions, labels: LabelStore | Iterable[Label], *, documents: Iterable[Document] = ()
) -> Questions:
    """Return questions with labels applied.

    The labels of persons win over gold; where persons disagree, most of them decide, and a draw makes the block unsure.
    Other labels (feedback, gold, mined) say something only of blocks of which nothing is known. A block that is called
    evidence is a piece of its own, or one more place of a piece that says the same. Labels for a question that has no
    request make a question of their own.

    Parameters
    ----------
    questions : Questions
        May be empty, where the documents are given.
    labels : LabelStore or iterable of Label
        Of the labels of one annotator for one block and question the latest counts.
    documents : iterable of Document
        More documents that labels may be about.

    Returns
    -------
    Questions
        Labels that have no place are in ``left_out``, each by its id and with its reason.
    """
    given = labels.labels() if isinstance(labels, LabelStore) else labels
    by_key = dict(questions.documents)
    for document in documents:
        if all(document.sha256 != other.sha256 for other in by_key.values()):
            by_key[document.name if document.name not in by_key else document.sha256] = document
    own, lost = _by_document(_in_force(given), by_key)
    revised: dict[str, Question] = {}
    made: list[Question] = []
    notes = Counter[str]()
    for key, some in own.items():
        placed = anchored(some, by_key[key])
        lost += [LeftOut(orphan.label.id, orphan.reason) for orphan in placed.orphans]
        notes["moved"] += len(placed.moved)
        asked = [one for one in (*questions.questions, *questions.unanswerable) if one.document_key == key]
        for question, known in _on_document(key, by_key[key], asked, placed.at, taken=questions):
            found = _revised(question, known, notes)
            if question.id in questions.ids:
                revised[question.id] = found
            else:
                made.append(found)
    return _sorted_out(questions, revised, made, lost, notes)


def _in_force(labels: Iterable[Label]) -> list[Label]:
    latest: dict[tuple[str, str, int, str, str], Label] = {}
    for label in sorted(labels, key=lambda label: label.at):
        latest[label.document, label.question, label.block_id, label.annotator, label.source] = label
    return list(latest.values())


def _by_document(
    labels: Sequence[Label], documents: Mapping[str, Document]
) -> tuple[dict[str, list[Label]], list[LeftOut]]:
    """Find the document of each label: the same bytes, or the only one of its name, which has changed since."""
    by_bytes = {document.sha256: key for key, document in reversed(list(documents.items()))}
    names = Counter(document.name for document in documents.values())
    by_name = {document.name: key for key, document in documents.items() if names[document.name] == 1}
    found: dict[str, list[Label]] = defaultdict(list)
    lost = []
    for label in labels:
        key = by_bytes.get(label.document) or by_name.get(label.document_name)
        if key is None:
            lost.append(LeftOut(label.id, NO_DOCUMENT, f"It is {label.document_name!r:.100}."))
        else:
            found[key].append(label)
    return found, lost


def _on_document(
    key: str,
    document: Document,
    asked: Sequence[Question],
    at: Mapping[int, Sequence[Label]],
    *,
    taken: Questions,
) -> Iterator[tuple[Question, _Known]]:
    """Yield the questions on a document that have labels, with what these say; new ones come last."""
    by_text: dict[str, list[Question]] = defaultdict(list)
    for one in asked:
        by_text[one.question].append(one)
    by_id = {one.id: one for one in asked}
    said: dict[str, dict[int, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for block in sorted(at):
        for label in at[block]:
            if not by_text[label.question]:
                same = by_id.get(label.request or "")
                by_text[label.question].append(same or _made(key, document, label, taken))
            # Two requests may ask the same of a document: what a block is for one, it is for the other.
            for one in by_text[label.question]:
                by_id[one.id] = one
                said[one.id][block].append(label)
    for identity, blocks in said.items():
        known = _Known()
        for block, some in blocks.items():
            _judge(block, some, known)
        yield by_id[identity], known


def _made(key: str, document: Document, label: Label, taken: Questions) -> Question:
    identity = hashlib.sha256(f"{document.sha256} {label.question}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    named = label.request is not None and label.request not in taken.ids
    intent = intent_of(label.question)
    return Question(
        id=f"{label.request}" if named else f"labels/{identity}",
        document=document,
        document_key=key,
        question=intent.question,
        scope=intent.scope,
        set_name="labels",
        document_type=document.document_type.value,
        language=document.language.value,
    )


def _judge(block: int, labels: Sequence[Label], known: _Known) -> None:
    votes = Counter(_ROLES[label.value] for label in labels if label.source is LabelSource.PERSON)
    if votes:
        (first, most), *others = votes.most_common()
        draw = bool(others) and others[0][1] == most
        known.strong[block] = _Role.UNSURE if draw else first
        known.disputed += draw
        return
    for source in _SOURCES:
        roles = [_ROLES[label.value] for label in labels if label.source is source]
        if roles:
            known.weak[block] = roles[-1] if len(set(roles)) == 1 else _Role.UNSURE
            return


def _revised(question: Question, known: _Known, notes: Counter[str]) -> Question:
    """Return a question with labels applied."""
    denied = {block for block, role in known.strong.items() if role is not _Role.POSITIVE}
    notes["overruled"] += len(denied & question.evidence)
    notes["disputed"] += known.disputed
    pieces = [found for piece in question.pieces if (found := _without(piece, denied))]
    held = {block for piece in pieces for place in piece for block in place}
    roles = {block: role for block, role in known.weak.items() if block not in held} | known.strong
    texts = question.document.texts
    for block in sorted(block for block, role in roles.items() if role is _Role.POSITIVE and block not in held):
        _add(pieces, block, texts)
        held.add(block)
    before = {_Role.NEGATIVE: set(question.negatives), _Role.UNSURE: set(question.unsure)}
    rest = {
        role: tuple(
            sorted(
                {block for block in before[role] if block not in roles}.union(
                    block for block, found in roles.items() if found is role
                )
                - held
            )
        )
        for role in before
    }
    return replace(
        question,
        pieces=tuple(pieces),
        positives=tuple(sorted({block for piece in pieces for block in piece[0]})),
        negatives=rest[_Role.NEGATIVE],
        unsure=rest[_Role.UNSURE],
    )


def _without(piece: Piece, denied: set[int]) -> Piece:
    """Return a piece without some blocks; the place that lost least comes first."""
    kept = [(tuple(block for block in place if block not in denied), len(place)) for place in piece]
    left = [(place, size - len(place)) for place, size in kept if place]
    return tuple(dict.fromkeys(place for place, _ in sorted(left, key=lambda found: found[1])))


def _add(pieces: list[Piece], block: int, texts: Sequence[str]) -> None:
    """Add a block of evidence: as a place of the piece that says the same, else as a piece."""
    said = plain_letters(texts[block])
    for rank, piece in enumerate(pieces):
        if said and any(len(place) == 1 and plain_letters(texts[place[0]]) == said for place in piece):
            pieces[rank] = (*piece, (block,))
            return
    pieces.append(((block,),))


def _sorted_out(
    questions: Questions,
    revised: Mapping[str, Question],
    made: Sequence[Question],
    lost: Sequence[LeftOut],
    notes: Mapping[str, int],
) -> Questions:
    asked = [revised.get(one.id, one) for one in questions.questions]
    hopeless = [revised.get(one.id, one) for one in questions.unanswerable]
    answered = [one for one in (*asked, *hopeless, *made) if one.pieces]
    bare = [LeftOut(one.id, NO_EVIDENCE) for one in (*asked, *made) if not one.pieces]
    # A request that was left out, and is a question by its labels, is no longer left out.
    known = {one.id for one in answered}
    before = [one for one in questions.left_out if one.id not in known]
    said = list(questions.notes)
    if notes["overruled"]:
        said.append(f"Labels of persons overrule the gold evidence in {counted(notes['overruled'], 'block')}.")
    if notes["moved"]:
        said.append(f"{counted(notes['moved'], 'label')} followed the quote to another block.")
    if notes["disputed"]:
        disputed = counted(notes["disputed"], "block")
        said.append(f"Persons disagree on {disputed}, unsure until a label resolves it.")
    return Questions(
        tuple(answered),
        tuple(one for one in hopeless if not one.pieces),
        (*before, *bare, *lost),
        tuple(said),
    )
