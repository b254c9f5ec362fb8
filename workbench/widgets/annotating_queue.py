"""What an annotator begins with: its source and store, and a queue that is made in a thread of its own."""

from __future__ import annotations

import getpass
import hashlib
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption
from ..training.labels import LabelStore
from ..training.queue import Order, Queue, QueueItem, Sources, build_queue, sources_of
from ..training.queue.building import chosen_before
from ..training.queue.sources import Source
from ..workspace.beginning import beginning_of, folder_of

if TYPE_CHECKING:
    from ..reading import SparseReader
    from ..workload import Workload

LABELS = "labels.sqlite"

Told = Callable[[Queue, int, int], None]
"""Gets the queue so far, how many questions were looked at, and how many there are."""


class Making:
    """A queue that is being made; what it has found is told under a lock, and nothing more once it is ended.

    Parameters
    ----------
    order : Order
    lock : threading.RLock
    build : callable
        Makes the queue: ``build_queue``, all but ``told`` given.
    told : callable
        Hears of the queue so far.
    made : callable
        Gets the whole queue.
    within : callable
        Runs all of it, and shows what goes wrong.
    """

    def __init__(
        self,
        order: Order,
        lock: threading.RLock,
        *,
        build: Callable[..., Queue],
        told: Told,
        made: Callable[[Queue], None],
        within: Callable[[Callable[[], None]], None],
    ) -> None:
        self._order, self._lock, self._build, self._told, self._made = order, lock, build, told, made
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
        queue = self._build(told=self._heard)
        with self._lock:
            if not self._ended.is_set():
                self._made(queue)

    def _heard(self, items: tuple[QueueItem, ...], looked: int, questions: int) -> None:
        with self._lock:
            if self._ended.is_set():
                raise _Ended
            self._told(Queue(items, self._order), looked, questions)


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
    return LabelStore(Path(store) if store is not None else folder_of(workload, None) / LABELS)


def name_of(annotator: str | None) -> str:
    """Return the name of whoever labels; by default that of whoever is logged in.

    Raises
    ------
    InvalidOption
        For no text, or an empty one.
    """
    if annotator is not None:
        if not isinstance(annotator, str) or not annotator.strip():
            raise InvalidOption(f"annotator is {annotator!r:.40}; give the name of whoever labels.")
        return annotator.strip()
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "annotator"


def _digest(*said: str) -> str:
    return hashlib.sha256("\n".join(said).encode("utf-8", "surrogatepass")).hexdigest()
