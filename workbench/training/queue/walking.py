"""An annotator's walk through a queue: the item at hand, what is labelled and skipped, and where it goes next."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...errors import InvalidLabels, InvalidOption, WorkbenchError
from ...printing import shortened
from ..labels import Label, LabelSource, LabelStore, LabelValue
from ..labels.label import text_sha256
from .earlier import moved_to
from .items import ItemKey, Queue, QueueItem, Reason
from .keeping import KeptQueue
from .sources import Sources

if TYPE_CHECKING:
    from ...documents import Document

RESOLUTION = "resolution"
"""Reason of a label that settles a disagreement."""

_Text = tuple[str, str]
"""A question and the hash of a block's text: in a queue they come together once."""


class Walk:
    """Where an annotator stands in a queue. A label is on the disk when ``label`` returns.

    Parameters
    ----------
    queue : Queue
    kept : KeptQueue
        Where the place in it is written down.
    store : LabelStore
    annotator : str
    sources : Sources
        Open the documents.

    Attributes
    ----------
    at : int
        Position of the item at hand; the length of the queue once there is none.
    skipped : set of int
        Positions.
    """

    def __init__(self, queue: Queue, kept: KeptQueue, store: LabelStore, annotator: str, sources: Sources) -> None:
        self.queue, self.kept, self.store, self.annotator, self.sources = queue, kept, store, annotator, sources
        self._own: dict[_Text, Label] = {}
        self._version = -1
        self.refresh()
        place = kept.place()
        positions = {item.key: rank for rank, item in enumerate(queue.items)}
        self.skipped = {positions[key] for key in place.skipped if key in positions}
        self.at = positions[place.at] if place.at in positions else self.after(-1)

    def __len__(self) -> int:
        return len(self.queue)

    @property
    def item(self) -> QueueItem | None:
        """The item at hand; None once there is none."""
        return self.queue[self.at] if self.at < len(self) else None

    @property
    def labels(self) -> Mapping[int, Label]:
        """The annotator's labels by position."""
        found = ((rank, self._own.get(_text(item))) for rank, item in enumerate(self.queue.items))
        return {rank: label for rank, label in found if label is not None}

    def after(self, position: int) -> int:
        """Return the position that follows: the next one that is neither labelled nor skipped, else an earlier one."""
        ranks = [*range(position + 1, len(self)), *range(min(max(position, 0), len(self)))]
        open_ones = (rank for rank in ranks if rank not in self.skipped and _text(self.queue[rank]) not in self._own)
        return next(open_ones, len(self))

    def extend(self, queue: Queue) -> None:
        """Go on with a queue that begins as this one."""
        done = self.at >= len(self)
        self.queue = queue
        self._take_in_earlier(self.store.labels(annotator=self.annotator, source=LabelSource.PERSON))
        if done:
            self.at = self.after(-1)

    def label(
        self,
        key: ItemKey,
        value: LabelValue | str,
        *,
        spans: Iterable[tuple[int, int]] = (),
        note: str = "",
        id: str | None = None,  # noqa: A002 - the word of a label
        at: str | None = None,
        resolves: bool = False,
        then: int | None = None,
    ) -> Label:
        """Label a block, of the queue or another one of its documents, and go on.

        Parameters
        ----------
        key : ItemKey
        value : LabelValue or str
        spans : iterable of (int, int)
            Evidence inside the block, code points of its text.
        note : str
        id, at : str, optional
            Identity and time of the label; one whose identity is known already is not written again.
        resolves : bool
            Whether it settles a disagreement.
        then : int, optional
            Where to go; by default to what follows the item.

        Raises
        ------
        InvalidLabels
            If the document has changed and the block is not there any more, or for what no label has.
        LabelStoreFailed, WorkspaceFailed
            If it cannot be written.
        """
        item = self._item(key)
        document = self.document_of(item)
        block = block_in(document, item)
        if block is None:
            raise InvalidLabels(
                f"{shortened(document.name, 80)} has changed, and this block is not in it any more; skip it."
            )
        more = {name: given for name, given in (("id", id), ("at", at)) if given is not None}
        label = Label.of(
            document,
            item.question,
            block,
            value,
            annotator=self.annotator,
            spans=spans,
            scores={name: number for name, number in item.scores.items() if name in _SHOWN},
            scorer=item.scorer,
            request=item.request,
            note=note,
            reason=RESOLUTION if resolves else item.reason.code,
            **more,
        )
        self.store.add(label)
        self._took(label)
        position = self.position(key)
        if position is not None:
            self.skipped.discard(position)
            self.go(self.after(position) if then is None else then)
        return label

    def skip(self, position: int, then: int | None = None) -> None:
        """Leave an item for later, or for good; one that is labelled stays so."""
        rank = self._checked(position)
        if rank < len(self) and _text(self.queue[rank]) not in self._own:
            self.skipped.add(rank)
        self.go(self.after(rank) if then is None else then)

    def back(self) -> None:
        """Go to the item before."""
        self.go(max(0, self.at - 1))

    def again(self) -> None:
        """Take the skipped items up again."""
        self.skipped.clear()
        self.go(self.after(-1))

    def go(self, position: int) -> None:
        """Go to an item; the length of the queue is behind the last one."""
        self.at = self._checked(position)
        self.kept.keep_place(self.item.key if self.item else None, (self.queue[rank].key for rank in self.skipped))

    def undo(self, *, operation: str | None = None) -> Label | None:
        """Take the annotator's latest label back, and go to its item; return it, None if there was none."""
        return self._stepped(self.store.undo(self.annotator, operation=operation))

    def redo(self, *, operation: str | None = None) -> Label | None:
        """Do what was taken back last again, and go on behind its item; return its label, None if there was none."""
        label = self._stepped(self.store.redo(self.annotator, operation=operation))
        if label is not None and (position := self._position_of(label)) is not None:
            self.go(self.after(position))
        return label

    def refresh(self) -> bool:
        """Take in what was labelled elsewhere; return whether there was something."""
        version = self.store.version
        if version == self._version:
            return False
        self._version = version
        found = self.store.labels(annotator=self.annotator, source=LabelSource.PERSON)
        self._own = {(label.question, label.block_sha256): label for label in found}
        self._take_in_earlier(found)
        return True

    def _take_in_earlier(self, labels: Iterable[Label]) -> None:
        """Know what was labelled in an earlier version of a document; what was said of this one wins."""
        # A document that cannot be opened says so on its own items.
        with contextlib.suppress(WorkbenchError):
            for label in moved_to(self.queue.items, labels, self.sources):
                self._own.setdefault((label.question, label.block_sha256), label)

    def position(self, key: ItemKey) -> int | None:
        """Return where an item stands in the queue; None for one of no queue."""
        return next((rank for rank, item in enumerate(self.queue.items) if item.key == key), None)

    def own(self, item: QueueItem) -> Label | None:
        """Return the annotator's label of an item."""
        return self._own.get(_text(item))

    def document_of(self, item: QueueItem) -> Document:
        """Return the document of an item, as it is now.

        Raises
        ------
        WorkbenchError
            If it cannot be opened.
        """
        return self.sources.document(item.document_key)

    def item_of(self, label: Label) -> QueueItem | None:
        """Return the item of a label, with the scores that were shown then; None if its document is none of these."""
        known = self.position(ItemKey(label.document, label.question, label.block_id))
        if known is not None:
            return self.queue[known]
        for asked in self.sources.asked:
            if asked.question.strip() == label.question and asked.open().sha256 == label.document:
                return QueueItem(
                    document=label.document,
                    document_key=asked.document_key,
                    question=label.question,
                    request=asked.request,
                    block_id=label.block_id,
                    block_sha256=label.block_sha256,
                    order=self.queue.order,
                    score=0.0,
                    reason=_NO_REASON,
                    scores=dict(label.scores),
                    scorer=label.scorer,
                )
        return None

    def _item(self, key: ItemKey) -> QueueItem:
        known = self.position(key)
        if known is not None:
            return self.queue[known]
        for label in self.store.labels(document=key.document, question=key.question):
            if label.block_id == key.block_id and (found := self.item_of(label)) is not None:
                return found
        return self._item_of_no_queue(key)

    def _item_of_no_queue(self, key: ItemKey) -> QueueItem:
        for asked in self.sources.asked:
            if asked.question.strip() != key.question or asked.open().sha256 != key.document:
                continue
            document = asked.open()
            text = document.block(key.block_id).text
            return QueueItem(
                document=key.document,
                document_key=asked.document_key,
                question=key.question,
                request=asked.request,
                block_id=key.block_id,
                block_sha256=text_sha256(text),
                order=self.queue.order,
                score=0.0,
                reason=_NO_REASON,
            )
        raise InvalidLabels(
            f"No question {shortened(key.question, 60)!r} on that document is asked here; open the annotator on the "
            "workload that the item comes from."
        )

    def _took(self, label: Label) -> None:
        """Take a label of one's own in; all are read again only if somebody else wrote as well."""
        version = self.store.version
        self._own[label.question, label.block_sha256] = label
        if version - self._version > 1:
            self._version = -1
            self.refresh()
        self._version = version

    def _stepped(self, label: Label | None) -> Label | None:
        self.refresh()
        if label is not None and (position := self._position_of(label)) is not None:
            self.go(position)
        return label

    def _position_of(self, label: Label) -> int | None:
        text = label.question, label.block_sha256
        return next((rank for rank, item in enumerate(self.queue.items) if _text(item) == text), None)

    def _checked(self, position: int) -> int:
        if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position <= len(self):
            raise InvalidOption(f"The queue has no position {position!r:.40}; its positions are 0 to {len(self)}.")
        return position


def block_in(document: Document, item: QueueItem) -> int | None:
    """Return the id that the block of an item has in its document now: by its text, if the document has changed."""
    texts = document.texts
    if item.block_id < len(texts) and text_sha256(texts[item.block_id]) == item.block_sha256:
        return item.block_id
    return next((block for block, text in enumerate(texts) if text_sha256(text) == item.block_sha256), None)


_NO_REASON = Reason("chosen")
_SHOWN = frozenset({"relevance", "logit", "weight", "priority", "margin", "threshold"})


def _text(item: QueueItem) -> _Text:
    return item.question, item.block_sha256
