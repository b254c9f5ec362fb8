"""Makes a queue: questions spread over the documents, a run of blocks for each, nothing asked twice."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...documents.progress import showing
from ...errors import InvalidOption
from ...printing import counted
from ..labels import Label, LabelSource, LabelStore
from ..labels.label import text_sha256
from .copies import KnownTexts
from .earlier import moved_here
from .items import Order, Queue, QueueItem, order_of
from .looking import Look, has_words
from .orders import READ, Choice, evaluated_mistakes, mined_choices
from .sources import Asked, Source, Sources, sources_of

if TYPE_CHECKING:
    from ...documents import Document
    from ...reading import SparseReader
    from ..mining import Mined

LIMIT, RUN = 200, 4
NOT_LOOKED_AT = "questions not looked at"
"""Why questions are left out: the queue was full, or its making was stopped."""

Told = Callable[[tuple[QueueItem, ...], int, int], None]
"""Gets the items so far, how many questions were looked at, and how many there are."""


def build_queue(
    source: Source,
    *,
    order: Order | str | None = None,
    reader: SparseReader | None = None,
    store: LabelStore | None = None,
    annotator: str | None = None,
    mined: Mined | None = None,
    evaluation: Any = None,
    limit: int = LIMIT,
    run: int = RUN,
    seed: int = 0,
    told: Told | None = None,
    progress: bool | None = None,
) -> Queue:
    """Return what an annotator is asked next.

    Questions come from all documents in turn, those of one document together. Each is asked about a run of blocks, so
    that a person need not think of another question every time; no more questions are read than the queue needs.

    Parameters
    ----------
    source : Workload, path, Reading, iterable of Reading, Questions or Sources
    order : Order or str, optional
        By default see ``default_order``. "nearest to threshold"; "hard negatives": what a mining leaves to a person and
        then what it found, without ``mined`` the blocks of the highest priority that are no gold evidence; "words and
        meaning disagree"; "random audit"; "mistakes": those of an evaluation, without one gold evidence that the reader
        skips, and what it keeps that is none.
    reader : SparseReader, optional
        Reads a workload or questions.
    store : LabelStore, optional
        What is labelled there, by the annotator if one is named, is not asked again, nor are near-copies of it.
    annotator : str, optional
    mined : Mined, optional
        For hard negatives.
    evaluation : Evaluation, optional
        For mistakes.
    limit : int
        Most items.
    run : int
        Most items of a question, as long as there are questions enough.
    seed : int
        Of the order of the questions, and of the random audit.
    told : callable, optional
        Called after each question; what it raises ends the building. Whoever gives it also hears how far a reading
        is, see ``documents.progress.reporting``.
    progress : bool, optional
        Whether to show progress.

    Raises
    ------
    InvalidOption
        For an unknown order, a value outside its range, or a source without a reader where one is needed.
    """
    sources = source if isinstance(source, Sources) else sources_of(source, reader)
    chosen = default_order(sources, mined, evaluation)[0] if order is None else order_of(order)
    _checked("limit", limit)
    _checked("run", run)
    found = chosen_before(chosen, mined, evaluation)
    if found is None and not sources.reads:
        raise InvalidOption(
            f"A queue of {sources.name} in the order {chosen.value!r} needs a reader; give reader=SparseReader()."
        )
    asked = sources.asked if found is None else [one for one in sources.asked if one.request in found]
    building = _Building(chosen, sources, store, annotator, limit, found, seed)
    ordered, quota = _spread(asked, limit, run, seed)
    looked = 0
    with showing(f"Choosing blocks: {chosen.value}", progress) as report:
        for one in ordered:
            if building.full:
                break
            building.look(one, quota, progress=None if told is not None else False)
            looked += 1
            report(min(len(building.items), limit), limit)
            if told is not None:
                told(tuple(building.items), looked, len(ordered))
    building.left_out[NOT_LOOKED_AT] = len(ordered) - looked
    left_out = {why: number for why, number in building.left_out.items() if number}
    return Queue(tuple(building.items), chosen, left_out, building.notes())


class _Building:
    """The items so far."""

    def __init__(
        self,
        order: Order,
        sources: Sources,
        store: LabelStore | None,
        annotator: str | None,
        limit: int,
        found: Mapping[str, list[Choice]] | None,
        seed: int,
    ) -> None:
        self.order, self.sources, self.limit, self.found, self.seed = order, sources, limit, found, seed
        self.items: list[QueueItem] = []
        self.left_out: Counter[str] = Counter()
        self.known = KnownTexts()
        self.labelled: set[tuple[str, str, int]] = set()
        self.by_name: dict[str, list[Label]] = {}
        self.without_parts: set[str] = set()
        if store is not None:
            for label in store.labels(annotator=annotator, source=LabelSource.PERSON):
                self.known.add(label.question, label.quote)
                self.labelled.add((label.document, label.question, label.block_id))
                self.by_name.setdefault(label.document_name, []).append(label)

    @property
    def full(self) -> bool:
        return len(self.items) >= self.limit

    def look(self, asked: Asked, quota: int, *, progress: bool | None = False) -> None:
        """Add the best blocks of a question."""
        document = asked.open()
        self._take_in_earlier(document)
        look = Look(asked.read(progress=progress)) if self.sources.reads else None
        question = asked.question.strip()
        taken = 0
        for choice in self._choices(asked, look):
            if taken == quota or self.full:
                return
            if not self._is_new(document.sha256, document.texts, question, choice.block):
                continue
            text = document.texts[choice.block]
            self.known.add(question, text)
            taken += 1
            self.items.append(
                QueueItem(
                    document=document.sha256,
                    document_key=asked.document_key,
                    question=question,
                    request=asked.request,
                    block_id=choice.block,
                    block_sha256=text_sha256(text),
                    order=self.order,
                    score=choice.score,
                    reason=choice.reason,
                    scores={} if look is None else look.scores(choice.block),
                    scale="" if look is None else look.reading.scores.scale.value,
                    scorer="" if look is None else look.reading.scores.scorer,
                )
            )

    def _take_in_earlier(self, document: Document) -> None:
        """Know what was labelled in an earlier version of a document."""
        labels = self.by_name.pop(document.name, [])
        for move in moved_here(labels, document):
            self.labelled.add((document.sha256, move.question, move.block_id))

    def _choices(self, asked: Asked, look: Look | None) -> list[Choice]:
        if self.found is not None:
            return self.found.get(asked.request or "", [])
        if look is None:
            return []
        if self.order is Order.DISAGREEMENT and (
            look.part_rank("lexical") is None or look.part_rank("semantic") is None
        ):
            self.without_parts.add(asked.document_key)
            return []
        gold = asked.gold() if self.order in (Order.HARD_NEGATIVES, Order.MISTAKES) else None
        return READ[self.order](look, gold, self.seed)

    def _is_new(self, document: str, texts: tuple[str, ...], question: str, block: int) -> bool:
        if not 0 <= block < len(texts) or not has_words(texts[block]):
            self.left_out["nothing to read"] += 1
        elif (document, question, block) in self.labelled:
            self.left_out["labelled"] += 1
        elif self.known.holds(question, texts[block]):
            self.left_out["near-copies"] += 1
        else:
            return True
        return False

    def notes(self) -> tuple[str, ...]:
        if not self.without_parts:
            return ()
        count = counted(len(self.without_parts), "document")
        return (f"Words and meaning cannot disagree in {count}, scored without one of them.",)


def default_order(sources: Sources, mined: Mined | None = None, evaluation: Any = None) -> tuple[Order, str]:
    """Return the order that a queue has where nobody named one, and why.

    A cut means something on calibrated scores only: on others it is a share of the tokens, and the blocks nearest to it
    are far down the ranks, where there is nothing to decide.

    Returns
    -------
    tuple of Order and str
        The order, and a code: "mined" and "evaluation" for what was given, "calibrated" or "uncalibrated".
    """
    if mined is not None:
        return Order.HARD_NEGATIVES, "mined"
    if evaluation is not None:
        return Order.MISTAKES, "evaluation"
    return (Order.NEAREST, "calibrated") if sources.calibrated() else (Order.HARD_NEGATIVES, "uncalibrated")


def chosen_before(order: Order, mined: Mined | None, evaluation: Any) -> dict[str, list[Choice]] | None:
    """Return what others chose already, by the id of the question; None if readings decide."""
    if order is Order.HARD_NEGATIVES and mined is not None:
        return mined_choices(mined)
    if order is Order.MISTAKES and evaluation is not None:
        return evaluated_mistakes(evaluation.mistakes.to_dict("records"))
    return None


def _spread(asked: Iterable[Asked], limit: int, run: int, seed: int) -> tuple[list[Asked], int]:
    """Return the questions in the order in which they are looked at, and how many items each may have.

    As many questions as the queue needs come first, taken from the documents in turn and then brought together by
    document; the others wait for the case that those yield too little. Of those documents the smallest one is the
    first: who waits for a block must not wait until a long one is read.
    """
    turns = list(_in_turn(asked, seed))
    quota = max(run, math.ceil(limit / max(1, len(turns))))
    needed = math.ceil(limit / quota)
    first: dict[str, list[Asked]] = {}
    for one in turns[:needed]:
        first.setdefault(one.document_key, []).append(one)
    groups = list(first.values())
    if groups:
        smallest = min(range(len(groups)), key=lambda rank: (groups[rank][0].size, rank))
        groups.insert(0, groups.pop(smallest))
    return [one for group in groups for one in group] + turns[needed:], quota


def _in_turn(asked: Iterable[Asked], seed: int) -> Iterator[Asked]:
    """Yield a question of each document, then a second one of each, and so on; both in a random order."""
    groups: dict[str, list[Asked]] = {}
    for one in asked:
        groups.setdefault(one.document_key, []).append(one)
    for key, group in groups.items():
        group.sort(key=lambda one: (_mixed(seed, key, one.question), one.request or ""))
    keys = sorted(groups, key=lambda key: (_mixed(seed, key), key))
    for rank in range(max(map(len, groups.values()), default=0)):
        for key in keys:
            if rank < len(groups[key]):
                yield groups[key][rank]


def _mixed(seed: int, *said: str) -> str:
    return hashlib.sha256("\n".join([str(seed), *said]).encode("utf-8", "surrogatepass")).hexdigest()


def _checked(name: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidOption(f"{name} is {value!r:.40}; give a whole number from 1 on.")
