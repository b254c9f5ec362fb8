"""What computes the logits of a batch of pairs, and how batches are run."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np

from ..encoders.batches import Floats, Ints, padded, plan
from .pair_pieces import PairWindows


class PairForward(Protocol):
    """Computes the logits of one batch of pairs."""

    budget: int
    """Most word pieces of a batch, padding included."""

    def logits(self, pieces: Ints, kinds: Ints, lengths: Ints) -> Floats:
        """Return the two logits of each pair in single precision, shape (b, 2).

        Parameters
        ----------
        pieces, kinds : ndarray of int64, shape (b, l)
            Of each window its word pieces and their types, and zeros behind them.
        lengths : ndarray of int64, shape (b,)
            How many are real.
        """

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""


def run_pairs(forward: PairForward, pieces: Sequence[Ints], kinds: Sequence[Ints]) -> Floats:
    """Compute all windows; return their logits, shape (w, 2).

    The batches depend on the windows alone, so that the logits are the same on one core and on many.
    """
    found = np.zeros((len(pieces), 2), np.float32)
    if not pieces:
        return found
    lengths = np.array([len(window) for window in pieces], np.int64)
    with forward.pool() as pool:
        futures = []
        for batch in plan(lengths, forward.budget):
            rows, types = (padded([windows[index] for index in batch]) for windows in (pieces, kinds))
            futures.append((batch, pool.submit(forward.logits, rows, types, lengths[batch])))
        for batch, future in futures:
            found[batch] = future.result()
    return found


def best_windows(logits: Floats, windows: PairWindows) -> Floats:
    """Return the logit of each text: that of its best window, "relevant" against "not relevant", shape (n,)."""
    best = np.full(len(windows.share_read), -np.inf, np.float32)
    np.maximum.at(best, windows.text_of, logits[:, 1] - logits[:, 0])
    return best
