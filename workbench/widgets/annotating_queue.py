"""What an annotator begins with: its source and store, and a queue that is made in a thread of its own."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..documents.progress import reporting
from ..errors import InvalidOption
from ..training.labels import LabelStore
from ..training.queue import Order, Queue, QueueItem, Sources, build_queue, sources_of
from ..training.queue.building import chosen_before
from ..training.queue.sources import Source
from ..workspace.beginning import beginning_of, folder_of
from ..workspace.labelling import NAME

if TYPE_CHECKING:
    from ..reading import SparseReader
    from ..workload import Workload

ESTIMATE_AFTER, ESTIMATE_FROM = 4.0, 0.04
"""Seconds that the making must have run, and share of it that must be done, before what is left is estimated."""
EVERY = 0.25
"""Least seconds between two reports of how far a reading is."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the making of a queue is.

    Attributes
    ----------
    looked : int
        Questions looked at.
    share : float
        Of all there is to do.
    reading : float or None
        Share of the document at hand that is read, 0 to 1; None where nothing is being read.
    left : float or None
        Estimate of the seconds that are left.
    """

    looked: int = 0
    share: float = 0.0
    reading: float | None = None
    left: float | None = None


Told = Callable[[Queue, Progress], None]
"""Gets the queue so far, and how far it is."""


class Making:
    """A queue that is being made; what it has found is told under a lock, and nothing more once it is ended.

    Parameters
    ----------
    order : Order
    limit : int
        Most items.
    lock : threading.RLock
    build : callable
        Makes the queue: ``build_queue``, all but ``told`` given.
    told : callable
        Hears of the queue so far, after each question and while a document is read.
    made : callable
        Gets the whole queue.
    within : callable
        Runs all of it, and shows what goes wrong.
    """

    def __init__(
        self,
        order: Order,
        limit: int,
        lock: threading.RLock,
        *,
        build: Callable[..., Queue],
        told: Told,
        made: Callable[[Queue], None],
        within: Callable[[Callable[[], None]], None],
    ) -> None:
        self._order, self._limit, self._lock = order, limit, lock
        self._build, self._told, self._made = build, told, made
        self._began, self._queue, self._progress = time.monotonic(), Queue((), order), Progress()
        self._said = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(within,), name="annotator-queue", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Make no more of it."""
        self._ended.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until it is made."""
        self._thread.join(seconds)

    def _run(self, within: Callable[[Callable[[], None]], None]) -> None:
        try:
            within(self._work)
        except _Ended:
            return

    def _work(self) -> None:
        with reporting(self._reporter):
            queue = self._build(told=self._looked)
        with self._lock:
            if not self._ended.is_set():
                self._made(queue)

    def _looked(self, items: tuple[QueueItem, ...], looked: int, questions: int) -> None:
        share = max(len(items) / self._limit, looked / max(1, questions))
        self._queue, self._progress = Queue(items, self._order), Progress(looked, share)
        self._tell(self._progress)

    def _reporter(self, _label: str) -> _Reading:
        return _Reading(self._read)

    def _read(self, reading: float | None) -> None:
        """Hear how far a document is read; who ended the queue does not wait for the rest of it."""
        if self._ended.is_set():
            raise _Ended
        now = time.monotonic()
        if reading is not None and now - self._said >= EVERY:
            self._tell(replace(self._progress, reading=reading))

    def _tell(self, progress: Progress) -> None:
        took, share = time.monotonic() - self._began, progress.share
        if took >= ESTIMATE_AFTER and share >= ESTIMATE_FROM:
            progress = replace(progress, left=took * (1 - share) / share)
        with self._lock:
            if self._ended.is_set():
                raise _Ended
            self._told(self._queue, progress)
        self._said = time.monotonic()


class _Reading:
    """Hears how far one document is read; see ``documents.progress.Reporter``."""

    def __init__(self, tell: Callable[[float | None], None]) -> None:
        self._tell = tell

    def update(self, done: int, total: int, seconds: float) -> None:
        """Tell it."""
        del seconds
        self._tell(done / total if total > 0 else None)

    def close(self) -> None:
        """Nothing is left on a screen."""


class _Ended(BaseException):
    """Ends the thread of a queue that nobody wants any more; no fault, so nobody is told of it."""


def building_of(
    sources: Sources, order: Order, store: LabelStore, annotator: str, chosen_by: dict[str, Any]
) -> Callable[..., Queue]:
    """Return ``build_queue`` with everything but ``told``."""

    def build(**told: Any) -> Queue:
        return build_queue(sources, order=order, store=store, annotator=annotator, progress=False, **chosen_by, **told)

    return build


def identity_of(sources: Sources, order: Order, chosen_by: dict[str, Any], given: Queue | None) -> str:
    """Return what tells the queue of an annotator from others: questions, documents, and what chooses blocks."""
    if given is not None:
        return _digest(*(f"{item.key}" for item in given.items))
    chosen = chosen_before(order, chosen_by["mined"], chosen_by["evaluation"]) or {}
    blocks = [f"{question} {[choice.block for choice in choices]}" for question, choices in sorted(chosen.items())]
    return _digest(sources.identity, str(chosen_by["limit"]), str(chosen_by["seed"]), *blocks)


def opened(source: Source | None) -> tuple[Workload | None, Source]:
    """Return the workload of a source, if it is one, and the source.

    Raises
    ------
    InvalidOption
        If there is none.
    InvalidWorkload, FileMissing
        If it is the path of none.
    """
    from ..workload import Workload, load_workload

    if source is None:
        raise InvalidOption(
            'An annotator needs something to ask about; give a workload, such as Annotator("datasets/dev").'
        )
    if isinstance(source, str | Path):
        source = load_workload(source)
    return (source if isinstance(source, Workload) else None), source


def sources_for(source: Source, workload: Workload | None, reader: SparseReader | None) -> Sources:
    """Return the questions of a source; a workload without a reader has the one that a bench begins with."""
    if isinstance(source, Sources):
        return source
    if workload is None or reader is not None:
        return sources_of(source, reader)
    # Whoever comes back to a queue that is made already waits for no model.
    return sources_of(source, cache(lambda: beginning_of(workload, None).reader))


def store_for(store: LabelStore | str | Path | None, workload: Workload | None) -> LabelStore:
    """Return the store of labels, by default that of the workspace."""
    if isinstance(store, LabelStore):
        return store
    return LabelStore(Path(store) if store is not None else folder_of(workload, None) / NAME)


def _digest(*said: str) -> str:
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogatepass")).hexdigest()
