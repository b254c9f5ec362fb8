"""Batches hold every window once, and leave torch as it was."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.relevance.encoders.batches import padded, plan, run, torch_pool

Ints = npt.NDArray[np.int64]


class Sums:
    """A forward pass that adds the pieces up."""

    def __init__(self, budget: int = 64, threads: int = 2) -> None:
        self.budget = budget
        self.threads = threads
        self.shapes: list[tuple[int, ...]] = []

    def __call__(self, pieces: Ints, lengths: Ints) -> npt.NDArray[np.float32]:
        self.shapes.append(pieces.shape)
        return np.stack([pieces.sum(1), lengths], axis=1).astype(np.float32)

    @contextmanager
    def pool(self) -> Iterator[Executor]:
        with ThreadPoolExecutor(self.threads) as pool:
            yield pool


@given(st.lists(st.integers(1, 300), max_size=60), st.integers(1, 500))
def test_a_plan_holds_every_window_once_within_the_budget(lengths: list[int], budget: int) -> None:
    batches = plan(np.array(lengths, np.int64), budget)
    assert sorted(itertools.chain.from_iterable(batch.tolist() for batch in batches)) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or max(lengths[i] for i in batch) * len(batch) <= budget


def test_windows_of_a_like_length_go_together() -> None:
    batches = plan(np.array([5, 60, 6, 58, 5]), 120)
    assert [batch.tolist() for batch in batches] == [[1, 3], [2, 0, 4]]


def test_every_window_gets_its_own_vector_and_progress_reaches_the_end() -> None:
    windows = [np.full(length, length) for length in (3, 40, 7, 40, 1)]
    told: list[tuple[int, int]] = []
    found = run(Sums(), windows, lambda done, total: told.append((done, total)))
    vectors = np.zeros((5, 2), np.float32)
    for batch, part in found:
        vectors[batch] = part
    assert vectors.tolist() == [[9, 3], [1600, 40], [49, 7], [1600, 40], [1, 1]]
    assert told == sorted(told)
    assert told[-1] == (5, 5)


def test_batches_do_not_depend_on_the_number_of_threads() -> None:
    windows = [np.arange(length) for length in range(1, 50)]
    shapes = []
    for threads in (1, 4):
        forward = Sums(threads=threads)
        run(forward, windows)
        shapes.append(sorted(forward.shapes))
    assert shapes[0] == shapes[1]


def test_padding_stands_behind() -> None:
    assert padded([np.array([1, 2, 3]), np.array([4])]).tolist() == [[1, 2, 3], [4, 0, 0]]


def test_torch_uses_as_many_threads_afterwards_as_before() -> None:
    import torch

    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        with torch_pool() as pool, torch_pool(1):
            assert pool.submit(torch.get_num_threads).result() == 1
            assert torch.get_num_threads() == 2
        assert torch.get_num_threads() == 2
        with ThreadPoolExecutor(1) as other:
            assert other.submit(torch.get_num_threads).result() == 2
    finally:
        torch.set_num_threads(before)


def test_an_interrupt_leaves_no_thread_behind_and_torch_as_it_was() -> None:
    import torch

    before = torch.get_num_threads()
    pools: list[ThreadPoolExecutor] = []

    class Torch(Sums):
        @contextmanager
        def pool(self) -> Iterator[Executor]:
            with torch_pool() as pool:
                pools.append(pool)  # type: ignore[arg-type]
                yield pool

    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Torch(budget=1), [np.arange(1, 9)] * 50, interrupt)
    assert torch.get_num_threads() == before
    assert not any(thread.is_alive() for thread in pools[0]._threads)
