"""How much of a document must be kept to have the evidence, whatever ranks the blocks.

Everything stands on one number a block: the share of the document's tokens (in percent) that is kept when the block is.
Blocks are kept from the best score on; equal scores are in reading order. A share of p percent is a ceiling: blocks are
kept as long as all of them together have at most p percent of the tokens of all blocks, running lines included.
Pure functions over arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import numpy as np
import numpy.typing as npt

from benchmarks.evidence_sets import Case, Item

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Scorer = Callable[[Case], npt.ArrayLike]
"""Returns a score for each block of the case's document, best highest."""
Ladder = tuple[Floats, Floats]
"""The share of tokens at which each block is kept, and every share that can be kept, ascending."""

SHARES = (5.0, 10.0, 20.0, 40.0)
RECALLS = (0.95, 0.99)
RESAMPLES = 1_000
_ROUNDING = 1e-9


class Notion(StrEnum):
    """What counts as one thing to recall, and when it is recalled.

    ``FIRST``: a question, with any block of any of its pieces of evidence. ``ANY``: a piece of evidence, with any of
    its blocks. ``HALF``: a piece, with half of the tokens of one of its places. ``PIECES``: a piece, with all blocks of
    one of its places. ``BLOCKS``: a gold block. ``EVERY``: a question, with all blocks of all its pieces.
    """

    FIRST = "first"
    ANY = "any"
    HALF = "half"
    PIECES = "pieces"
    BLOCKS = "blocks"
    EVERY = "every"


@dataclass(frozen=True, slots=True, eq=False)
class Needs:
    """What each thing to recall needs, over the questions of a set.

    Attributes
    ----------
    share : ndarray of float64, shape (things,)
        Percent of its document's tokens that must be kept to recall it.
    origin : ndarray of int64, shape (things,)
        Rank of the origin (document, article) that a bootstrap draws.
    kept : tuple of ndarray of float64
        For each question, every share that can be kept, ascending.
    tokens : ndarray of float64, shape (questions,)
        Tokens of the question's document.
    first_rank : ndarray of int64, shape (questions,)
        Rank of the best gold block, from 1; by position in the ranking.
    unresolved, unanswerable : int
        Pieces of evidence and questions that are in no figure.
    """

    share: Floats
    origin: Ints
    kept: tuple[Floats, ...]
    tokens: Floats
    first_rank: Ints
    unresolved: int = 0
    unanswerable: int = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % bootstrap interval over origins; nan where there are fewer than two."""

    value: float
    low: float = float("nan")
    high: float = float("nan")

    def __str__(self) -> str:
        return f"{self.value:.1f}" if np.isnan(self.low) else f"{self.value:.1f} [{self.low:.1f}, {self.high:.1f}]"


@dataclass(frozen=True, slots=True)
class Figures:
    """What a ranking reaches on a set; shares and recalls in percent.

    Attributes
    ----------
    questions, things, origins : int
        How many there are to recall.
    needed : dict of float to Estimate
        For a recall (0-1), the smallest share of tokens, one for all questions, that reaches it.
    recalled : dict of float to Estimate
        For a share of tokens, the recall.
    kept_share, kept_tokens : dict of float to float
        For a recall, the mean share and number of tokens that are really kept at that share.
    first_rank_median, first_rank_mean_reciprocal, top_1 : float
        Of the rank of the best gold block; ``top_1`` in percent of the questions.
    """

    questions: int
    things: int
    origins: int
    needed: dict[float, Estimate]
    recalled: dict[float, Estimate]
    kept_share: dict[float, float]
    kept_tokens: dict[float, float]
    first_rank_median: float
    first_rank_mean_reciprocal: float
    top_1: float


def shares_of(scores: npt.ArrayLike, tokens: npt.ArrayLike) -> Floats:
    """Return for each block the percent of all tokens that is kept when it is.

    Parameters
    ----------
    scores : array of float, shape (blocks,)
        Best highest; a score that is no number ranks last.
    tokens : array of int, shape (blocks,)

    Returns
    -------
    ndarray of float64, shape (blocks,)
        0 to 100; all 0 where no block has tokens.

    Examples
    --------
    >>> shares_of([0.1, 0.9, 0.5], [10, 60, 30]).tolist()
    [100.0, 60.0, 90.0]
    """
    order = ranked(scores)
    counts = np.asarray(tokens, np.int64)
    sums = np.cumsum(counts[order])
    shares = np.zeros(len(order))
    if len(sums) and sums[-1] > 0:
        shares[order] = 100.0 * sums / sums[-1]
    return shares


def ranked(scores: npt.ArrayLike) -> Ints:
    """Return block ids from the best score to the worst; equal ones in reading order, those that are no number last."""
    values = np.asarray(scores, np.float64)
    order: Ints = np.argsort(-np.where(np.isnan(values), -np.inf, values), kind="stable").astype(np.int64)
    return order


def things_of(case: Case, shares: Floats, notion: Notion) -> list[float]:
    """Return the share that each thing to recall of one question needs."""
    pieces = [
        [(item, [shares[block] for block in item]) for item in (first, *others)]
        for first, others in zip(case.gold, case.also, strict=True)
    ]
    anywhere = [min(min(found) for _, found in places) for places in pieces]
    whole = [min(max(found) for _, found in places) for places in pieces]
    if not pieces:
        return []
    if notion is Notion.FIRST:
        return [float(min(anywhere))]
    if notion is Notion.ANY:
        return [float(value) for value in anywhere]
    if notion is Notion.PIECES:
        return [float(value) for value in whole]
    if notion is Notion.HALF:
        tokens = case.document.columns.tokens
        return [min(_half_of(found, tokens[list(item)]) for item, found in places) for places in pieces]
    if notion is Notion.EVERY:
        return [float(max(whole))]
    return [float(shares[block]) for block in _blocks_of_best_places(pieces)]


def needs(cases: Iterable[Case], scorer: Scorer, notion: Notion) -> Needs:
    """Rank the blocks of each answerable question and return what its evidence needs."""

    def ladder(case: Case) -> Ladder:
        shares = shares_of(scorer(case), case.document.columns.tokens)
        return shares, np.sort(shares)

    return needs_of_shares(cases, ladder, notion)


def needs_of_shares(cases: Iterable[Case], ladder: Callable[[Case], Ladder], notion: Notion) -> Needs:
    """Return what evidence needs, from the shares that blocks need: for what ranks no blocks, such as chunks."""
    share: list[float] = []
    origin: list[int] = []
    kept: list[Floats] = []
    tokens: list[int] = []
    first_rank: list[int] = []
    origins: dict[tuple[str, str], int] = {}
    unresolved = unanswerable = 0
    for case in cases:
        unresolved += len(case.unresolved)
        unanswerable += not case.answerable
        if not case.answerable or not case.gold:
            continue
        shares, steps = ladder(case)
        found = things_of(case, shares, notion)
        share.extend(found)
        origin.extend([origins.setdefault((case.set_name, case.origin), len(origins))] * len(found))
        kept.append(steps)
        tokens.append(case.document.tokens)
        best = things_of(case, shares, Notion.FIRST)[0]
        first_rank.append(int(np.searchsorted(steps, best - _ROUNDING)) + 1)
    return Needs(
        np.array(share, np.float64),
        np.array(origin, np.int64),
        tuple(kept),
        np.array(tokens, np.float64),
        np.array(first_rank, np.int64),
        unresolved,
        unanswerable,
    )


def needed_for(share: Floats, recall: float, weights: npt.ArrayLike | None = None) -> Floats:
    """Return the smallest share at which a recall is reached, for each row of weights.

    Parameters
    ----------
    share : ndarray of float64, shape (things,)
    recall : float
        0 to 1.
    weights : array, shape (rows, things), optional
        How often each thing counts; once by default.

    Returns
    -------
    ndarray of float64, shape (rows,)
        nan for rows in which nothing counts.
    """
    counts = np.ones((1, len(share))) if weights is None else np.asarray(weights, np.float64)
    order = np.argsort(share, kind="stable")
    sums = np.cumsum(counts[:, order], axis=1)
    found = np.full(len(counts), np.nan)
    if len(share):
        total = sums[:, -1]
        at = (sums < (recall * total - _ROUNDING)[:, None]).sum(axis=1)
        found = np.where(total > 0, share[order][np.minimum(at, len(share) - 1)], np.nan)
    return found


def recalled_at(share: Floats, percent: float, weights: npt.ArrayLike | None = None) -> Floats:
    """Return the recall in percent with a share of tokens kept, for each row of weights (``needed_for``)."""
    counts = np.ones((1, len(share))) if weights is None else np.asarray(weights, np.float64)
    total = counts.sum(axis=1)
    hits = counts @ (share <= percent + _ROUNDING)
    found = np.full(len(total), np.nan)
    np.divide(100.0 * hits, total, out=found, where=total > 0)
    return found


def figures(found: Needs, *, resamples: int = RESAMPLES, seed: int = 0) -> Figures:
    """Return what the needs of a set come to, with bootstrap intervals over origins.

    Parameters
    ----------
    found : Needs
    resamples : int
        0 for none.
    seed : int
    """
    weights = _resampled(found.origin, resamples, seed)
    needed = {r: _estimate(partial(needed_for, found.share, r), weights) for r in RECALLS}
    recalled = {p: _estimate(partial(recalled_at, found.share, p), weights) for p in SHARES}
    kept = {r: _kept_at(found.kept, needed[r].value) for r in RECALLS}
    ranks = found.first_rank
    return Figures(
        questions=len(found.kept),
        things=len(found.share),
        origins=len(np.unique(found.origin)),
        needed=needed,
        recalled=recalled,
        kept_share={r: _mean(kept[r]) for r in RECALLS},
        kept_tokens={r: _mean(kept[r] * found.tokens / 100.0) for r in RECALLS},
        first_rank_median=float(np.median(ranks)) if len(ranks) else float("nan"),
        first_rank_mean_reciprocal=_mean(1.0 / ranks),
        top_1=_mean(100.0 * (ranks == 1)),
    )


def measure(
    cases: Iterable[Case], scorer: Scorer, notion: Notion = Notion.ANY, *, resamples: int = RESAMPLES
) -> Figures:
    """Return what a ranking of blocks reaches on questions."""
    return figures(needs(cases, scorer, notion), resamples=resamples)


@dataclass(frozen=True, slots=True, eq=False)
class Rejections:
    """How often "nothing relevant" is said, rightly and wrongly, as the score below which it is said rises.

    Attributes
    ----------
    threshold : ndarray of float64, shape (steps,)
        Ascending; "nothing relevant" is said of questions whose best score is below it.
    caught, false_alarms : ndarray of float64, shape (steps,)
        Percent of the unanswerable and of the answerable questions of which it is said.
    area : float
        Chance that an answerable question has the better score of two (0-1; ties count half); nan without both.
    """

    threshold: Floats
    caught: Floats
    false_alarms: Floats
    area: float

    def caught_at(self, false_alarms: float) -> float:
        """Return the most percent of unanswerable questions caught with at most so many percent of false alarms."""
        allowed = self.caught[self.false_alarms <= false_alarms + _ROUNDING]
        return float(allowed.max()) if len(allowed) else float("nan")


def rejections(answerable: npt.ArrayLike, unanswerable: npt.ArrayLike) -> Rejections:
    """Return the curve of the best scores of answerable and of unanswerable questions.

    Examples
    --------
    >>> rejections([0.9, 0.8, 0.4], [0.5, 0.3]).caught_at(0)
    50.0
    """
    good, bad = (np.sort(np.asarray(scores, np.float64)) for scores in (answerable, unanswerable))
    threshold = np.append(np.unique(np.concatenate([good, bad])), np.inf)
    false_alarms, caught = (100.0 * np.searchsorted(scores, threshold) / max(len(scores), 1) for scores in (good, bad))
    below = (np.searchsorted(bad, good) + np.searchsorted(bad, good, side="right")) / 2
    area = float(below.mean() / len(bad)) if len(good) and len(bad) else float("nan")
    return Rejections(threshold, caught, false_alarms, area)


def _blocks_of_best_places(pieces: Sequence[Sequence[tuple[Item, list[float]]]]) -> list[int]:
    """Return the distinct blocks of each piece's place that is kept first as a whole."""
    best = [min(places, key=lambda place: max(place[1]))[0] for places in pieces]
    return sorted({block for item in best for block in item})


def _half_of(shares: Sequence[float], tokens: npt.ArrayLike) -> float:
    """Return the share at which half of the tokens of some blocks are kept."""
    order = np.argsort(shares, kind="stable")
    sums = np.cumsum(np.asarray(tokens, np.int64)[order])
    return float(np.asarray(shares)[order][np.searchsorted(sums, sums[-1] / 2)])


def _resampled(origin: Ints, resamples: int, seed: int) -> Floats | None:
    """Return how often each thing counts in each resample, shape (resamples, things); None without an interval."""
    count = int(origin.max()) + 1 if len(origin) else 0
    if count < 2 or resamples < 1:
        return None
    draws = np.random.default_rng(seed).multinomial(count, np.full(count, 1.0 / count), size=resamples)
    return draws.astype(np.float64)[:, origin]


def _estimate(figure: Callable[[Floats | None], Floats], weights: Floats | None) -> Estimate:
    value = float(figure(None)[0])
    if weights is None:
        return Estimate(value)
    low, high = np.nanpercentile(figure(weights), [2.5, 97.5]).tolist()
    return Estimate(value, low, high)


def _kept_at(kept: Sequence[Floats], percent: float) -> Floats:
    """Return for each question the share that is kept at a ceiling."""
    places = [int(np.searchsorted(shares, percent + _ROUNDING, side="right")) for shares in kept]
    return np.array([shares[at - 1] if at else 0.0 for shares, at in zip(kept, places, strict=True)], np.float64)


def _mean(values: npt.NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else float("nan")
