"""Label blocks by single keys: a queue of questions and blocks, each in the middle of its surroundings.

The browser goes on to the next item by itself and says here what was pressed; here it is written down.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import InvalidOption, WorkbenchError
from ..training.labels import LabelSource, LabelStore
from ..training.queue import ItemKey, KeptQueue, Order, Queue, QueueItem, Sources, Walk, default_order, sources_of
from ..training.queue.building import LIMIT, NOT_LOOKED_AT
from ..training.queue.items import order_of
from ..training.queue.sources import Source
from ..workspace.labelling import annotator_of
from ..workspace.operations import Operation
from .annotating_agreement import agreement_data
from .annotating_cards import card_of, label_data, visit_data
from .annotating_queue import Making, Progress, building_of, identity_of, opened, sources_for, store_for
from .annotating_traits import AnnotatorTraits

if TYPE_CHECKING:
    from ..reading import SparseReader
    from ..training.mining import Mined

SOON = 0.4
"""Seconds that a new widget waits for its queue: what is read already needs no second look."""
AHEAD = 2
"""Items behind the one at hand that a new view gets at once."""
ALONE = 25
"""Items to each side of the one at hand that go along with a page without a kernel."""


class Annotator(AnnotatorTraits):
    """A queue of blocks to label, and what one annotator says of them.

    Run the cell again, after whatever has happened, and the same item is at hand.

    Parameters
    ----------
    source : Workload, path, Reading, iterable of Reading, Questions, optional
        What is asked about. A workload and questions are read by the reader.
    store : LabelStore or path, optional
        Where the labels go; by default ``labels.sqlite`` in the folder of the workspace.
    annotator : str, optional
        Who labels; by default the environment's SPARSEREAD_ANNOTATOR, else the user of the machine.
    order : Order or str, optional
        See ``build_queue``; by default what ``default_order`` says.
    queue : Queue, optional
        A queue that is made already, of documents of the source.
    reader : SparseReader, optional
        By default the one that a bench begins with.
    mined : Mined, optional
        For the order "hard negatives".
    evaluation : Evaluation, optional
        For the order "mistakes".
    limit : int
        Most items of the queue.
    seed : int
        Of the queue.
    blind : bool, optional
        Whether scores and reasons are hidden until a block is labelled. By default they are for whoever labels what
        somebody else has labelled before.
    language : str
        "en" or "zh".

    Examples
    --------
    >>> annotator = Annotator("datasets/dev", annotator="Ada")  # doctest: +SKIP
    >>> annotator.label("evidence", spans=[(0, 42)])  # doctest: +SKIP
    >>> annotator.store.to_frame()  # doctest: +SKIP
    """

    script: ClassVar[str] = "annotator"
    sections: ClassVar[tuple[str, ...]] = ("annotator",)

    _making: Making | None = None
    _next: Sources | None = None
    """What is asked about as soon as somebody looks, where that has changed."""

    def __init__(
        self,
        source: Source | None = None,
        *,
        store: LabelStore | str | Path | None = None,
        annotator: str | None = None,
        order: Order | str | None = None,
        queue: Queue | None = None,
        reader: SparseReader | None = None,
        mined: Mined | None = None,
        evaluation: Any = None,
        limit: int = LIMIT,
        seed: int = 0,
        blind: bool | None = None,
        language: str = "en",
        **traits: Any,
    ) -> None:
        named = order if queue is None else queue.order
        workload, source = opened(source)
        self.store = store_for(store, workload)
        self.store.linger()
        self.sources = sources_for(source, workload, reader)
        first, why = default_order(self.sources, mined, evaluation) if named is None else (order_of(named), "")
        self._chosen_by: dict[str, Any] = {"mined": mined, "evaluation": evaluation, "limit": limit, "seed": seed}
        self._given = queue
        self._lock = threading.RLock()
        self._operation: Operation | None = None
        who = annotator_of(annotator)
        others = set(self.store.annotators) - {who}
        # What one person pressed must never be sent for another one.
        mark = hashlib.sha256(f"{self.store.path}\n{who}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        traits = {"workspace": f"labels:{mark}", **traits}
        super().__init__(
            language=language,
            annotator=who,
            order=first.value,
            order_why=why,
            others=len(others),
            blind=bool(others) if blind is None else blind,
            place=str(self.store.path),
            **traits,
        )
        self._begin()
        self.wait(SOON)

    @property
    def queue(self) -> Queue:
        """What is asked, as far as it is made."""
        return self.walk.queue

    @property
    def item(self) -> QueueItem | None:
        """The item at hand; None once there is none."""
        return self.walk.item

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the queue is made."""
        if self._making is not None:
            self._making.wait(seconds)

    def label(self, value: str, *, spans: Sequence[tuple[int, int]] = (), note: str = "") -> None:
        """Label the block at hand, and go on.

        Raises
        ------
        InvalidOption
            If there is none.
        InvalidLabels, LabelStoreFailed
            If it is no label, or cannot be written.
        """
        if self.item is None:
            raise InvalidOption("No item is at hand; every one of the queue is labelled or skipped.")
        self.act("label", item=list(self.item.key), value=value, spans=[list(span) for span in spans], note=note)

    def undo(self) -> None:
        """Take the latest label back."""
        self.act("undo_label")

    def redo(self) -> None:
        """Set the label again that was taken back last."""
        self.act("redo_label")

    def refill(self, order: Order | str | None = None) -> None:
        """Make the queue anew, without what is labelled, perhaps in another order."""
        self.act("order", name=order_of(order or self.order).value, again=True)

    def stop(self) -> None:
        """Make no more of the queue; what there is of it stays."""
        self.act("stop")

    def catch_up(self) -> None:
        """Take in what was labelled elsewhere; a queue that another reader made is made anew.

        The browser asks for it now and then while somebody looks.
        """
        with self._lock:
            if self._next is not None:
                self.sources, self._next = self._next, None
                order, why = default_order(self.sources) if self.order_why else (Order(self.order), "")
                self._ask(order, why, again=True)
            elif self.walk.refresh():
                self.others = len(set(self.store.annotators) - {self.annotator})
                self._show()

    def reader_changed(self, source: Source, reader: SparseReader | None = None) -> None:
        """Know that another reader reads now: the queue is made anew as soon as somebody looks at it.

        Parameters
        ----------
        source, reader
            As the annotator was made with.
        """
        with self._lock:
            self._next = sources_of(source, reader)

    def do(self, operation: Operation) -> None:
        """Do an operation; labels have its identity and time."""
        with self._lock:
            self._operation = operation
            try:
                super().do(operation)
            finally:
                self._operation = None

    def do_label(
        self,
        item: Sequence[Any],
        value: str,
        spans: Sequence[Sequence[int]] = (),
        note: str = "",
        resolves: bool = False,
        then: int | None = None,
    ) -> None:
        """Label a block, an item of document, question and block id; see ``Walk.label``."""
        operation = self._operation
        document, question, block = item
        self.walk.label(
            ItemKey(str(document), str(question), int(block)),
            value,
            spans=[(int(start), int(end)) for start, end in spans],
            note=note,
            id=None if operation is None else operation.id,
            at=None if operation is None else operation.at,
            resolves=resolves,
            then=then,
        )
        self._show()

    def do_skip(self, at: int, then: int | None = None) -> None:
        """Leave an item."""
        self.walk.skip(at, then)
        self._show()

    def do_go(self, at: int) -> None:
        """Go to an item."""
        self.walk.go(at)
        self._show()

    def do_again(self) -> None:
        """Take the skipped items up again."""
        self.walk.again()
        self._show()

    def do_undo_label(self) -> None:
        """Take the latest label back, and go to its item."""
        self.walk.undo(operation=None if self._operation is None else self._operation.id)
        self._show()

    def do_redo_label(self) -> None:
        """Set the label again that was taken back last."""
        self.walk.redo(operation=None if self._operation is None else self._operation.id)
        self._show()

    def do_order(self, name: str, again: bool = False) -> None:
        """Ask in another order, or make the queue of an order anew.

        Raises
        ------
        InvalidOption
            For an unknown order.
        """
        chosen = order_of(name)
        self._ask(chosen, self.order_why if chosen.value == self.order else "", again=again)

    def do_stop(self) -> None:
        """Make no more of the queue; what there is of it stays."""
        if self._making is None or not self.building:
            return
        self._end()
        items, left = self.walk.queue.items, self.building["questions"] - self.building["looked"]
        self._made(Queue(items, Order(self.order), {NOT_LOOKED_AT: left}))

    def do_blind(self, on: bool) -> None:
        """Hide scores and reasons until a block is labelled, or show them."""
        self.blind = bool(on)

    def answer_card(self, at: int) -> dict[str, Any] | None:
        """Return what is shown of an item; None if there is none at that position."""
        return self._card(at) if 0 <= at < len(self.walk) else None

    def answer_news(self) -> None:
        """Catch up; what is new is sent as always."""
        self.catch_up()

    def answer_agreement(self) -> dict[str, Any]:
        """Return how far the annotators agree, and where they do not; see ``agreement_data``."""
        return agreement_data(self.store.labels(source=LabelSource.PERSON), self.annotator)

    def answer_visit(self, document: str, question: str, block: int) -> dict[str, Any] | None:
        """Return what is shown of a block that annotators disagree on, with what each says of it.

        None if its document is none of the source.
        """
        labels = self.store.labels(document=document, question=question, source=LabelSource.PERSON)
        return visit_data(self.walk, [label for label in labels if label.block_id == block])

    def answers_alone(self) -> Iterator[tuple[str, dict[str, Any], Any, tuple[bytes, ...]]]:
        """Give the items around the one at hand, for a page without a kernel."""
        first, last = max(0, self.at - ALONE), min(len(self.walk), self.at + ALONE + 1)
        for at in range(first, last):
            yield "card", {"at": at}, self._card(at), ()

    def close(self) -> None:
        """Stop making the queue, and leave the page."""
        self._end()
        super().close()

    def _ask(self, order: Order, why: str, *, again: bool) -> None:
        self._end()
        self._given = None
        self.order, self.order_why = order.value, why
        self._begin(again=again)

    def _end(self) -> None:
        if self._making is not None:
            self._making.end()

    def _begin(self, *, again: bool = False) -> None:
        """Take the queue that was kept or given, or make one."""
        order = Order(self.order)
        identity = identity_of(self.sources, order, self._chosen_by, self._given)
        self._kept = KeptQueue(self.store.path, self.annotator, order.value, identity)
        kept = None if again else self._kept.queue()
        queue = kept if kept is not None else self._given
        self.walk = Walk(queue or Queue((), order), self._kept, self.store, self.annotator, self.sources)
        self._making = None
        self.building = {}
        if queue is not None:
            if kept is None:
                self._kept.keep(queue)
            self._show(new=True)
            return
        self._show_building(Progress())
        self._show(new=True)
        build = building_of(self.sources, order, self.store, self.annotator, self._chosen_by)
        limit, told, made, within = self._chosen_by["limit"], self._grown, self._made, self._within
        self._making = Making(order, limit, self._lock, build=build, told=told, made=made, within=within)

    def _show_building(self, progress: Progress) -> None:
        self.building = {"questions": len(self.sources.asked), **asdict(progress)}

    def _within(self, work: Callable[[], None]) -> None:
        with self.telling():
            try:
                work()
            except Exception:
                self.building = {}
                raise

    def _grown(self, queue: Queue, progress: Progress) -> None:
        self._show_building(progress)
        if len(queue) > len(self.walk):
            waiting = self.walk.item is None
            self.walk.extend(queue)
            self._show(new=waiting)

    def _made(self, queue: Queue) -> None:
        waiting = self.walk.item is None
        # What was stopped before there was anything is begun again by the next run of the cell.
        if queue.items or NOT_LOOKED_AT not in queue.left_out:
            self._kept.keep(queue)
        self.walk.extend(queue)
        self.walk.go(self.walk.at)
        self.building = {}
        self._show(new=waiting)

    def _show(self, *, new: bool = False) -> None:
        """Send what there is to see."""
        walk = self.walk
        with self.hold_sync():
            self.total = len(walk)
            self.at = walk.at
            self.labelled = {str(rank): label_data(label) for rank, label in walk.labels.items()}
            self.skipped = sorted(walk.skipped)
            if new:
                ahead = range(walk.at, min(len(walk), walk.at + AHEAD + 1))
                self.cards = {str(rank): self._card(rank) for rank in ahead}
                self.queue_sequence += 1
            self.left_out = dict(walk.queue.left_out)
            self.notes = list(walk.queue.notes)
            self.sequence += 1

    def _card(self, at: int) -> dict[str, Any]:
        item = self.walk.queue[at]
        try:
            return card_of(item, self.walk.document_of(item))
        except WorkbenchError as error:
            # A document that cannot be opened must not stop the afternoon: its items say so, and are skipped.
            return {"key": list(item.key), "question": item.question, "gone": True, "problem": str(error)}

    def __repr__(self) -> str:
        return f"Annotator({self.annotator!r}, {self.order}, {len(self.walk.labels):,} of {len(self.walk):,} labelled)"
