"""Windows of a like length, computed together: little padding, and one processor thread a batch.

The batches depend on the texts alone, and each is computed by one thread. So the vectors are the same on one core and
on many, and a thread never waits for another inside a batch, which costs dearly on a busy machine.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ...documents.source import Report

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Forward(Protocol):
    """Computes the vectors of one batch."""

    budget: int
    """Most word pieces of a batch, padding included."""

    def __call__(self, pieces: Ints, lengths: Ints) -> Floats:
        """Return vectors of length 1, shape (b, d).

        Parameters
        ----------
        pieces : ndarray of int64, shape (b, l)
            Of each window its word pieces, and zeros behind them.
        lengths : ndarray of int64, shape (b,)
            How many are real.
        """

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""


def plan(lengths: Ints, budget: int) -> list[npt.NDArray[np.intp]]:
    """Return batches of indices, the longest first, each with at most ``budget`` pieces or one window.

    Examples
    --------
    >>> [batch.tolist() for batch in plan(np.array([2, 9, 3, 8]), 18)]
    [[1, 3], [2, 0]]
    """
    order = np.argsort(-lengths, kind="stable")
    batches = []
    start = 0
    while start < len(order):
        count = max(1, budget // max(1, int(lengths[order[start]])))
        batches.append(order[start : start + count])
        start += count
    return batches


def padded(windows: Sequence[Ints]) -> Ints:
    """Return windows as the rows of one array, with zeros behind them.

    Examples
    --------
    >>> padded([np.array([7, 8]), np.array([9])]).tolist()
    [[7, 8], [9, 0]]
    """
    pieces = np.zeros((len(windows), max(map(len, windows))), np.int64)
    for row, window in enumerate(windows):
        pieces[row, : len(window)] = window
    return pieces


def run(forward: Forward, windows: Sequence[Ints], report: Report | None = None) -> list[tuple[Ints, Floats]]:
    """Compute all windows.

    Parameters
    ----------
    forward : Forward
    windows : sequence of ndarray of int64
        Word pieces of each.
    report : callable, optional
        Is told how many windows are done; by the share of the word pieces, which is what takes the time.

    Returns
    -------
    list of tuple
        Indices of windows and their vectors.
    """
    lengths = np.array([len(window) for window in windows], np.int64)
    batches = plan(lengths, forward.budget)
    total = int(lengths.sum())
    done = 0
    found = []

    def compute(batch: npt.NDArray[np.intp]) -> Floats:
        return forward(padded([windows[index] for index in batch]), lengths[batch])

    with forward.pool() as pool:
        futures = {pool.submit(compute, batch): batch for batch in batches}
        for future in as_completed(futures):
            batch = futures[future]
            found.append((batch, future.result()))
            done += int(lengths[batch].sum())
            if report is not None:
                report(len(windows) * done // total, len(windows))
    return found


class _TorchThreads:
    """How many threads torch uses for one operation: one while any pool works, afterwards as before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pools = 0
        self._before = 1

    def enter(self) -> int:
        """Return how many threads the user lets torch have."""
        import torch

        with self._lock:
            if not self._pools:
                self._before = torch.get_num_threads()
            self._pools += 1
            return self._before

    def leave(self) -> None:
        import torch

        with self._lock:
            self._pools -= 1
            if not self._pools:
                torch.set_num_threads(self._before)


_threads = _TorchThreads()


@contextmanager
def thread_pool(threads: int, name: str) -> Iterator[Executor]:
    """Give some threads, and drop what still waits when the block ends."""
    pool = ThreadPoolExecutor(threads, name)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def torch_pool(most: int | None = None) -> Iterator[Executor]:
    """Give as many threads as torch would use, each of which computes alone.

    Parameters
    ----------
    most : int, optional
        Most threads.
    """
    import torch

    allowed = _threads.enter()
    pool = ThreadPoolExecutor(
        min(allowed, most or allowed), "encoder", initializer=torch.set_num_threads, initargs=(1,)
    )
    try:
        yield pool
    finally:
        # What has begun ends, the rest is dropped: an interrupt waits for a batch, not for the document.
        pool.shutdown(wait=True, cancel_futures=True)
        _threads.leave()
