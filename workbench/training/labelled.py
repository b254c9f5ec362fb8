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
from .labels.anchoring import BELIEVED, anchored
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
_SOURCES = tuple(source for source in reversed(BELIEVED) if source is not LabelSource.PERSON)
"""Those that are no person's, from the one that is believed most."""


@dataclass(eq=False)
class _Known:
    """What labels say of the blocks of one question: those of persons, and those of everybody else."""

    strong: dict[int, _Role] = field(default_factory=dict)
    weak: dict[int, tuple[_Role, LabelSource]] = field(default_factory=dict)
    disputed: int = 0


def with_labels(
    questions: Questions, labels: LabelStore | Iterable[Label], *, documents: Iterable[Document] = ()
) -> Questions:
    """Return questions with labels applied.

    The labels of persons win over gold; where persons disagree, most of them decide, and a draw makes the block unsure.
    Other labels (feedback, gold, mined) say something only of blocks of which nothing is known, and what they call
    negative is suggested, no more. A block that is called evidence is a piece of its own, or one more place of a piece
    that says the same. A label is for the questions on its document that have the letters and digits of its own,
    whatever request it names; where there is none, it makes a question.

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
    taken = set(questions.ids)
    for key, some in own.items():
        document = by_key[key]
        placed = anchored(some, document)
        lost += [LeftOut(orphan.label.id, orphan.reason) for orphan in placed.orphans]
        notes["moved"] += len(placed.moved)
        asked = [one for one in (*questions.questions, *questions.unanswerable) if _is_same(one.document, document)]
        for question, known in _on_document(key, document, asked, placed.at, taken):
            found = _revised(question, known, notes)
            if question.id in questions.ids:
                revised[question.id] = found
            else:
                made.append(found)
    return _sorted_out(questions, revised, made, lost, notes)


def _in_force(labels: Iterable[Label]) -> list[Label]:
    latest: dict[tuple[str, str, int, str, str], Label] = {}
    for label in sorted(labels, key=lambda label: label.at):
        latest[label.document, _letters(label.question), label.block_id, label.annotator, label.source] = label
    return list(latest.values())


def _letters(question: str) -> str:
    """Return what two spellings of a question have in common; one without letters is what it is."""
    return plain_letters(question) or question.strip()


def _is_same(document: Document, other: Document) -> bool:
    """Whether two documents have the same bytes, cut into the same blocks; their keys may differ."""
    return document is other or (document.sha256 == other.sha256 and document.texts == other.texts)


def _by_document(
    labels: Sequence[Label], documents: Mapping[str, Document]
) -> tuple[dict[str, list[Label]], list[LeftOut]]:
    """Find the document of each label: the same bytes, or the only one of its name, which has changed since."""
    by_bytes = {document.sha256: key for key, document in reversed(list(documents.items()))}
    names = Counter(documents[key].name for key in by_bytes.values())
    by_name = {documents[key].name: key for key in by_bytes.values() if names[documents[key].name] == 1}
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
    taken: set[str],
) -> Iterator[tuple[Question, _Known]]:
    """Yield the questions on a document that have labels, with what these say; new ones come last."""
    by_letters: dict[str, list[Question]] = defaultdict(list)
    for one in asked:
        by_letters[_letters(one.question)].append(one)
    by_id = {one.id: one for one in asked}
    said: dict[str, dict[int, list[Label]]] = defaultdict(lambda: defaultdict(list))
    for block in sorted(at):
        for label in at[block]:
            # An id may be another request's by now, but a question is what it asks.
            same = by_letters[_letters(label.question)]
            if not same:
                same.append(_made(key, document, label, taken))
            # Two requests may ask the same of a document: what a block is for one, it is for the other.
            for one in same:
                by_id[one.id] = one
                said[one.id][block].append(label)
    for identity, blocks in said.items():
        known = _Known()
        for block, some in blocks.items():
            _judge(block, some, known)
        yield by_id[identity], known


def _made(key: str, document: Document, label: Label, taken: set[str]) -> Question:
    """Return the question of a label that nobody asked before, and take its id."""
    identity = hashlib.sha256(f"{document.sha256} {label.question}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
    name = label.request if label.request and label.request not in taken else f"labels/{identity}"
    taken.add(name)
    intent = intent_of(label.question)
    return Question(
        id=name,
        document=document,
        document_key=key,
        question=intent.question,
        scope=intent.scope,
        set_name="labels",
        document_type=document.document_type.value,
        language=document.language.value,
    )


def _judge(block: int, labels: Sequence[Label], known: _Known) -> None:
    """Write what labels, in the order of their times, say of a block."""
    persons = {label.annotator: _ROLES[label.value] for label in labels if label.source is LabelSource.PERSON}
    if persons:
        (first, most), *others = Counter(persons.values()).most_common()
        draw = bool(others) and others[0][1] == most
        known.strong[block] = _Role.UNSURE if draw else first
        known.disputed += draw
        return
    for source in _SOURCES:
        roles = [_ROLES[label.value] for label in labels if label.source is source]
        if roles:
            known.weak[block] = (roles[-1] if len(set(roles)) == 1 else _Role.UNSURE), source
            return


def _revised(question: Question, known: _Known, notes: Counter[str]) -> Question:
    """Return a question with labels applied."""
    denied = {block for block, role in known.strong.items() if role is not _Role.POSITIVE}
    notes["overruled"] += len(denied & question.evidence)
    notes["disputed"] += known.disputed
    pieces = [found for piece in question.pieces if (found := _without(piece, denied))]
    held = {block for piece in pieces for place in piece for block in place}
    settled = held.union(known.strong, question.negatives, question.unsure)
    weak = {block: found for block, found in known.weak.items() if block not in settled}
    roles = {block: role for block, (role, _) in weak.items() if role is not _Role.NEGATIVE} | known.strong
    texts = question.document.texts
    for block in sorted(block for block, role in roles.items() if role is _Role.POSITIVE and block not in held):
        _add(pieces, block, texts)
        held.add(block)
    negatives, unsure = (
        ({block for block in before if block not in roles} | {block for block in roles if roles[block] is role}) - held
        for role, before in ((_Role.NEGATIVE, question.negatives), (_Role.UNSURE, question.unsure))
    )
    suggested = dict(question.suggested) | {
        block: source.value for block, (role, source) in weak.items() if role is _Role.NEGATIVE
    }
    return replace(
        question,
        pieces=tuple(pieces),
        positives=tuple(sorted({block for piece in pieces for block in piece[0]})),
        negatives=tuple(sorted(negatives)),
        suggested=tuple(sorted((block, by) for block, by in suggested.items() if block not in held | roles.keys())),
        unsure=tuple(sorted(unsure)),
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
