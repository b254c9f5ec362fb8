"""What may be asked of a replay, checked before any work."""

from __future__ import annotations

import os
from numbers import Integral, Real

from ...documents.workers.pool import cores
from ...errors import InvalidOption

MOST_PROCESSES = 64
FEW_DOCUMENTS = 4
"""Documents with work left from which on further processes are started unasked: each of them loads a model first."""
UNASKED_PROCESSES = 4
"""Most processes that are started unasked: each has a model in memory."""


def checked_share(advisory_share: float) -> float:
    """Return the probability that an advisory request takes the sparse path.

    Raises
    ------
    InvalidOption
        For what is no number from 0 to 1.
    """
    given = advisory_share
    if isinstance(given, Real) and not isinstance(given, bool) and 0.0 <= float(given) <= 1.0:
        return float(given)
    raise InvalidOption(f"advisory_share is {given!r:.40}; give a number from 0 to 1.")


def checked_processes(processes: int | None) -> int | None:
    """Return the number of processes, None to choose.

    Raises
    ------
    InvalidOption
        For what is no whole number from 1 to 64.
    """
    if processes is None:
        return None
    whole = isinstance(processes, Integral) and not isinstance(processes, bool)
    if whole and 1 <= int(processes) <= MOST_PROCESSES:
        return int(processes)
    raise InvalidOption(f"processes is {processes!r:.40}; give a whole number from 1 to {MOST_PROCESSES}.")


def chosen_processes(asked: int | None, documents: int) -> int:
    """Return how many processes work on some documents: one document is never shared.

    Examples
    --------
    >>> chosen_processes(2, 1), chosen_processes(2, 7), chosen_processes(None, 1)
    (1, 2, 1)
    """
    if asked is None:
        asked = min(cores(), UNASKED_PROCESSES) if documents >= FEW_DOCUMENTS else 1
    return max(1, min(asked, documents))


def environment(processes: int) -> dict[str, str]:
    """Return the environment of one of several processes: together they use each core once."""
    threads = str(max(1, cores() // processes))
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(names, threads), "TOKENIZERS_PARALLELISM": "false"}
