"""Which blocks are kept: pure functions of arrays, in which every step depends only on the steps before it.

Blocks are taken in one order: pinned ones first, then by priority, ties by block id. A higher threshold or a smaller
share leaves a shorter beginning of that order, and under a budget whatever does not fit is passed over while the rest
goes on. So what a stricter cut keeps, a looser one keeps as well, with and without a budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from .context import ContextLinks

Mask = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.intp]
Codes = npt.NDArray[np.uint8]
Priority = npt.NDArray[np.float64]


class Status(IntEnum):
    """What became of a block; a code in an array of uint8."""

    SKIPPED = 0
    KEPT = 1
    PINNED = 2
    """Kept by a rule, whatever its priority."""
    CONTEXT = 3
    """Kept because a kept block makes no sense without it."""


class Reason(IntEnum):
    """Why a block has its status; a code in an array of uint8."""

    UNDER_CUT = 0
    OVER_CUT = 1
    TIED = 2
    """As high as the last block of the share, but later in the document."""
    PINNED = 3
    CONTEXT = 4
    NO_ROOM = 5
    """Over the cut, but the budget had no room for it."""
    PINNED_NO_ROOM = 6
    RUNNING_LINE = 7
    """A header or footer: no share of tokens is spent on it."""
    NO_TEXT = 8
    """A table, whose text is in its rows."""
    NO_EVIDENCE = 9
    """Its relevance is 0: no share of tokens is filled up with it."""
    NOTHING_RELEVANT = 10
    IN_FOCUS = 11
    OUT_OF_FOCUS = 12


@dataclass(frozen=True, eq=False)
class Passing:
    """The blocks that pass the cut.

    Attributes
    ----------
    order : ndarray of intp
        Their ids, from the highest to the lowest priority.
    threshold : float or None
        The lowest priority that passes; None where a share found nothing to pass.
    spent : int
        For a share, the tokens of the blocks that pass, with their context.
    """

    order: Ids
    threshold: float | None
    spent: int = 0


def ranked(priority: Priority, ties: Ids | None = None) -> Ids:
    """Return the ids of all blocks from the highest to the lowest priority; equal ones by ``ties``, else by id.

    Parameters
    ----------
    priority : ndarray of float64, shape (n,)
    ties : ndarray of int, shape (n,), optional
        A rank of each block that decides between equal priorities, lowest first.
    """
    if ties is None:
        return np.argsort(-priority, kind="stable")
    return np.lexsort((ties, -priority))


def over_threshold(priority: Priority, cut_at: float, eligible: Mask, *, ties: Ids | None = None) -> Passing:
    """Return the eligible blocks whose priority is at least ``cut_at``."""
    order = ranked(priority, ties)
    return Passing(order[(priority[order] >= cut_at) & eligible[order]], cut_at)


def within_share(
    priority: Priority,
    limit: float,
    *,
    tokens: npt.NDArray[np.int64],
    eligible: Mask,
    links: ContextLinks,
    ties: Ids | None = None,
) -> Passing:
    """Return the best eligible blocks, each while those before it hold fewer than ``limit`` tokens.

    Parameters
    ----------
    priority : ndarray of float64, shape (n,)
    limit : float
        In tokens; the context that a block brings with it counts.
    tokens : ndarray of int64, shape (n,)
    eligible : ndarray of bool, shape (n,)
    links : ContextLinks
    ties : ndarray of int, shape (n,), optional
        As ``ranked`` takes it.
    """
    order = ranked(priority, ties)
    order = order[eligible[order]]
    inside = bytearray(len(priority))
    costs = tokens.tolist()
    spent = taken = 0
    for block in order.tolist():
        if spent >= limit:
            break
        for needed in (block, *links.missing(block, inside)):
            if not inside[needed]:
                inside[needed] = 1
                spent += costs[needed]
        taken += 1
    return Passing(order[:taken], float(priority[order[taken - 1]]) if taken else None, spent)


@dataclass(frozen=True, slots=True)
class Overhead:
    """Tokens that a rendered text has besides its blocks.

    Attributes
    ----------
    fixed : int
        Of the coverage line.
    run : int
        Of the anchor and marks of one run of blocks.
    block : int
        Of the break between two blocks of a run.
    """

    fixed: int
    run: int
    block: int


@dataclass(frozen=True, eq=False)
class Taken:
    """The blocks that a budget has room for.

    Attributes
    ----------
    order : list of int
        Their ids, in the order in which they were taken: the weakest is last.
    refused : dict of int to tuple of int
        For each block without room, the tokens that it needed, with its context and marks, and those that were left.
    """

    order: list[int]
    refused: dict[int, tuple[int, int]]


def take(
    order: list[int],
    budget: int,
    *,
    tokens: npt.NDArray[np.int64],
    pages: npt.NDArray[np.int32],
    has_text: Mask,
    links: ContextLinks,
    overhead: Overhead,
) -> Taken:
    """Take blocks in order while there is room, and pass over those that do not fit.

    Parameters
    ----------
    order : list of int
        Ids, the most wanted first.
    budget : int
        Tokens of the rendered text.
    tokens : ndarray of int64, shape (n,)
    pages : ndarray of int32, shape (n,)
        A run of blocks, which has one anchor, ends where its page does.
    has_text : ndarray of bool, shape (n,)
        A block without text costs nothing, and parts no run.
    links : ContextLinks
    overhead : Overhead
    """
    costs, before, after = tokens.tolist(), *_neighbours(pages, has_text)
    # One place more than blocks: -1, for no neighbour, is never inside.
    inside = bytearray(len(costs) + 1)
    taken: list[int] = []
    refused: dict[int, tuple[int, int]] = {}
    left = budget - overhead.fixed
    for block in order:
        new = [block, *links.missing(block, inside)] if not inside[block] else []
        cost = 0
        for added in new:
            inside[added] = 1
            if has_text[added]:
                sides = inside[before[added]] + inside[after[added]]
                cost += costs[added] + sides * overhead.block + (1 - sides) * overhead.run
        if cost <= left:
            left -= cost
            taken.append(block)
            continue
        for added in new:
            inside[added] = 0
        refused[block] = (cost, max(left, 0))
    return Taken(taken, refused)


def _neighbours(pages: npt.NDArray[np.int32], has_text: Mask) -> tuple[list[int], list[int]]:
    """Return the block before and after each block in its run if all were kept, or -1."""
    before = np.full(len(pages), -1)
    after = np.full(len(pages), -1)
    ids = np.flatnonzero(has_text)
    joined = pages[ids[1:]] == pages[ids[:-1]]
    before[ids[1:][joined]] = ids[:-1][joined]
    after[ids[:-1][joined]] = ids[1:][joined]
    return before.tolist(), after.tolist()


def statuses(count: int, kept: Ids, pinned: Ids, context: Mask) -> Codes:
    """Return the status of each of ``count`` blocks, as codes of ``Status``."""
    status = np.full(count, Status.SKIPPED, np.uint8)
    status[context] = Status.CONTEXT
    status[kept] = Status.KEPT
    status[pinned] = Status.PINNED
    return status
