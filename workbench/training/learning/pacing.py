"""How many steps a training has: all of its epochs, or what fits into some minutes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .candidates import CandidateList, Pool, epoch_lists

if TYPE_CHECKING:
    from ..options import TrainingOptions
    from .computation import Company
    from .loop import Learner

_TRIALS = 3
"""Steps that are timed; the first one, which allocates, does not count."""
_LOOKED_AT = 8
"""Lists of validation that are timed."""


def steps_of(options: TrainingOptions, pools: int) -> int:
    """Return the steps of all epochs."""
    return options.epochs * -(-pools // options.batch)


def steps_within(
    options: TrainingOptions,
    learner: Learner,
    pools: Sequence[Pool],
    looked_at: Sequence[CandidateList],
    company: Company,
) -> int:
    """Return how many steps fit into the minutes of the options beside the looks at validation, one at least.

    Parameters
    ----------
    options : TrainingOptions
    learner : Learner
        Learns nothing by it.
    pools : sequence of Pool
    looked_at : sequence of CandidateList
    company : Company
    """
    most = steps_of(options, len(pools))
    if not options.minutes:
        return most
    lists = epoch_lists(pools, options, 0)
    batches = [lists[start : start + options.batch] for start in range(0, len(lists), options.batch)][:_TRIALS]
    seconds = [_seconds(lambda some=some: learner.learn(some, float(len(some)))) for some in batches]  # type: ignore[misc]
    learner.model.zero_grad(set_to_none=True)
    step = sum(seconds[1:]) / len(seconds[1:]) if len(seconds) > 1 else seconds[0]
    some = looked_at[:_LOOKED_AT]
    look = _seconds(lambda: learner.logits(some, lambda: None)) * len(looked_at) / len(some)
    left = 60 * options.minutes - (options.validations + 1) * look
    return max(1, min(most, round(company.same(left / max(step, 1e-9)))))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
