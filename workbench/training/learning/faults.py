"""What is said when a training breaks off: at which step, on which rows, in which precision, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...errors import TrainingFailed
from ...printing import shortened
from ..options import TrainingOptions
from .candidates import CandidateList
from .computation import Computation
from .losses import NotFinite

_MEMORY_SIGNS = ("out of memory", "can't allocate memory", "cannot allocate memory")
_MOST_LISTS = 3


def not_finite(
    error: NotFinite,
    lists: Sequence[CandidateList],
    *,
    what: str,
    step: int,
    options: TrainingOptions,
    computation: Computation,
    best: Path | None,
) -> TrainingFailed:
    """Return the error for a number that is not finite.

    Parameters
    ----------
    error : NotFinite
    lists : sequence of CandidateList
        Those that were computed together; ``error.rows`` are among them.
    what : str
        Which number it is: "The loss of", "The gradient of", "A logit of validation before".
    step : int
        Steps done before.
    options : TrainingOptions
    computation : Computation
    best : path, optional
        The best checkpoint so far.
    """
    blamed = [lists[row] for row in error.rows] or list(lists)
    named = "; ".join(shortened(one.named(range(len(one))), 160) for one in blamed[:_MOST_LISTS])
    more = f"; and {len(blamed) - _MOST_LISTS:,} more" if len(blamed) > _MOST_LISTS else ""
    remedy = f"give a learning_rate below {options.learning_rate:g}"
    remedy += ', or precision="fp32"' if computation.precision != "fp32" else ""
    if step == 0:
        remedy = f"the base or what the training started from may be damaged: check it, or {remedy}"
    kept = f"; the best checkpoint is in {best}" if best is not None else ""
    return TrainingFailed(
        f"{what} step {step + 1:,} is {error.value:g}, computed on {computation} for {named}{more}; "
        f"the training has stopped, so {remedy}{kept}."
    )


def out_of_memory(
    error: Exception, *, step: int, options: TrainingOptions, computation: Computation
) -> TrainingFailed | None:
    """Return the error for memory that ran out; None where something else happened."""
    said = str(error).lower()
    if not isinstance(error, MemoryError) and not any(sign in said for sign in _MEMORY_SIGNS):
        return None
    return TrainingFailed(
        f"The memory of {computation.device} ran out in step {step + 1:,}; give fewer negatives than "
        f"{options.negatives}, max_tokens below {options.max_tokens}, or a batch below {options.batch}, and start "
        "again in another folder."
    )
