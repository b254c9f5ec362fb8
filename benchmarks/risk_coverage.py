"""Whether promises hold: calibrations on many draws of documents, judged on a population that is known.

A promise says that the expected loss on a new document is at most alpha. The expectation is over the draw of the
calibration documents as well, so the mean over draws is what must not exceed alpha; single draws may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.made_outcomes import made_outcomes
from workbench.calibration import SearchOptions, documents_needed
from workbench.calibration.block_fits import Evidence, control
from workbench.calibration.outcomes import Outcomes, checked_outcomes
from workbench.calibration.promise import fitted_with_promise
from workbench.calibration.rules import Rule

Floats = npt.NDArray[np.float64]

ALPHA = 0.05
POPULATION = 4_000
"""Documents that calibration documents are drawn from, and that a choice is judged on."""
_QUICK = SearchOptions(steps=12, starts=4, tries=4, levels=6)
"""A promise does not hang on how well the weights are chosen; so the fits of many draws may be coarse."""
_PIECES, _BLOCKS = 8, 40
_HARDER = 3.0
"""How many times the made losses are taken, so that a promise stands in the way of most that could be saved."""


@dataclass(frozen=True, slots=True)
class Draw:
    """What one calibration reached on the population.

    Attributes
    ----------
    kept : bool
        Whether it carried the promise.
    loss : float
        Mean loss of a document of the population.
    saved : float
        Token reduction, or share of the tokens that is skipped.
    """

    kept: bool
    loss: float
    saved: float


Population = Callable[[int, int], Draw]
"""Draws so many documents with a seed, calibrates on them with a promise, and judges on the whole."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What many draws reached.

    Attributes
    ----------
    documents : int
        That a promise rests on.
    reachable : float
        The smallest alpha that could be promised with so many, at no loss.
    kept : float
        Share of the draws with a promise.
    loss : float
        Mean over all draws: this is what must not exceed alpha.
    above : float
        Share of the draws whose loss is above alpha.
    saved : float
        Mean over all draws.
    """

    documents: int
    reachable: float
    kept: float
    loss: float
    above: float
    saved: float


def covered(population: Population, documents: int, draws: int, *, alpha: float = ALPHA) -> Coverage:
    """Return what so many draws of documents reach; the seeds are 0, 1, 2, …"""
    found = [population(documents, seed) for seed in range(draws)]
    losses = np.array([draw.loss for draw in found])
    return Coverage(
        documents,
        1 / (documents + 1),
        float(np.mean([draw.kept for draw in found])),
        float(losses.mean()),
        float((losses > alpha).mean()),
        float(np.mean([draw.saved for draw in found])),
    )


def needed(alpha: float = ALPHA) -> int:
    """Return how many documents a promise needs at least."""
    return documents_needed(alpha) or 0


# The gate ----------------------------------------------------------------------------------------


class GatePopulation:
    """Made outcomes, of which documents are drawn; half of what is drawn carries the promise.

    Parameters
    ----------
    tolerance : float
        Within which rules are fitted. Far above alpha, it leaves all of the work to the promise.
    promised : bool
        Else the rule is fitted within alpha on all that is drawn, and nothing is promised.
    """

    def __init__(self, *, tolerance: float = 4 * ALPHA, alpha: float = ALPHA, promised: bool = True) -> None:
        frame = made_outcomes(12 * POPULATION, seed=1, documents=POPULATION)
        frame["quality_sparse"] = np.maximum(0.0, 1.0 - _HARDER * (1.0 - frame["quality_sparse"]))
        self._all = checked_outcomes(frame)
        self._alpha, self._tolerance, self._promised = alpha, tolerance, promised

    def __call__(self, documents: int, seed: int) -> Draw:
        """Calibrate on twice as many documents, so that so many carry the promise."""
        drawn = np.random.default_rng(seed).choice(self._all.documents, 2 * documents, replace=False)
        part = self._all.rows(np.isin(self._all.document.codes, drawn))
        alpha = self._alpha if self._promised else None
        tolerance = self._tolerance if self._promised else self._alpha
        rule, promise = fitted_with_promise(part, tolerance, alpha, seed=seed, options=_QUICK)
        return Draw(promise.kept, *_judged(rule, self._all))


def _judged(rule: Rule, outcomes: Outcomes) -> tuple[float, float]:
    """Return the mean loss of a document, and the token reduction."""
    routes = rule.routes(outcomes)
    share = np.array([0.0, 0.5, 1.0])[routes]
    size = np.bincount(outcomes.document.codes, minlength=outcomes.documents)
    lost = np.bincount(outcomes.document.codes, weights=share * outcomes.loss, minlength=outcomes.documents)
    return float((lost / size).mean()), float((share * outcomes.gain).sum() / outcomes.tokens_native.sum())


# The block threshold -----------------------------------------------------------------------------


class BlockPopulation:
    """Scores of blocks and of evidence; documents differ in how high their evidence is scored.

    Parameters
    ----------
    promised : bool
        Else the threshold is the highest that meets the floor on the documents that are drawn.
    """

    def __init__(self, *, alpha: float = ALPHA, promised: bool = True) -> None:
        random = np.random.default_rng(2)
        habit = random.normal(1.5, 1.0, (POPULATION, 1))
        self._needed = _logistic(habit + random.normal(0, 1.0, (POPULATION, _PIECES)))
        self._blocks = np.sort(_logistic(random.normal(-1.5, 1.2, (POPULATION, _BLOCKS))).ravel())
        self._alpha, self._promised = alpha, promised

    def __call__(self, documents: int, seed: int) -> Draw:
        """Fit a threshold for the floor 1 - alpha."""
        drawn = np.random.default_rng(seed).choice(POPULATION, documents, replace=False)
        needed = np.sort(self._needed[drawn].ravel())
        evidence = Evidence(needed, np.full(len(needed), 1 / len(needed)), documents)
        found, _ = control(evidence, self._alpha) if self._promised else (evidence.highest(self._alpha), None)
        # Without a promise all is kept: nothing else would be safe.
        threshold = 0.0 if found is None else found
        skipped = float(np.searchsorted(self._blocks, threshold) / len(self._blocks))
        return Draw(found is not None, float((self._needed < threshold).mean()), skipped)


def _logistic(values: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-values)))
