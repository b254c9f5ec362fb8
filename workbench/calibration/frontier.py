"""What more tolerance buys: the most that can be saved for each loss, in sample and out of sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .bootstrap import Bootstrap, totals_of
from .figures import policy_of
from .outcomes import Codes, Floats, Outcomes
from .rules import Rule, gate_weights, rule_of
from .search import candidate_weights, each, margins_of
from .thresholds import Cut, cut_on, ladder_of, problem_of

TOLERANCES = (0.0, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0)
_STEPS = 12
_SAMPLE = 4_000


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """What one tolerance buys.

    Attributes
    ----------
    tolerance : float
    saving, loss : float
        Token reduction (share) and quality loss, in sample.
    saving_out, loss_out : float or None
        The same out of sample; None where no documents are held out.
    saving_low, saving_high, loss_low, loss_high : float or None
        95 % intervals over documents of the figures out of sample.
    """

    tolerance: float
    saving: float
    loss: float
    saving_out: float | None = None
    saving_low: float | None = None
    saving_high: float | None = None
    loss_out: float | None = None
    loss_low: float | None = None
    loss_high: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return every field by its name."""
        return asdict(self)


def frontier_of(
    outcomes: Outcomes,
    rule: Rule,
    folds: Sequence[tuple[Outcomes, Rule]],
    fold: Codes,
    bootstrap: Bootstrap,
    *,
    tolerances: Sequence[float],
    seed: int,
) -> tuple[FrontierPoint, ...]:
    """Return a point for every tolerance, rising.

    Parameters
    ----------
    outcomes, rule
        All requests, and the rule fitted on them.
    folds : sequence of (Outcomes, Rule)
        What was fitted on in each fold, and the rule that came out.
    fold : array of int64, shape (n,)
        The fold that each request is held out in.
    """
    levels = sorted({float(level) for level in tolerances})
    native, n = float(outcomes.tokens_native.sum()), len(outcomes)
    inside = [cut for _, cut in _best(outcomes, rule, levels, seed)]
    share = [(cut.saved / native if native > 0 else 0.0, cut.loss / n) for cut in inside]
    if not folds:
        return tuple(FrontierPoint(level, *pair) for level, pair in zip(levels, share, strict=True))
    columns = _held_out(outcomes, folds, fold, levels, seed)
    totals = totals_of(outcomes.document.codes, outcomes.documents, columns)
    level_of, drawn = totals.sum(axis=0), bootstrap.sums(totals)
    points = []
    for place, (level, pair) in enumerate(zip(levels, share, strict=True)):
        found: list[float | None] = []
        for column, whole in ((2 + 2 * place, 0), (3 + 2 * place, 1)):
            ratio = level_of[column] / level_of[whole] if level_of[whole] > 0 else 0.0
            draws = np.divide(drawn[:, column], drawn[:, whole], out=np.zeros(len(drawn)), where=drawn[:, whole] > 0)
            found += [float(ratio), *(bootstrap.interval(draws) or (None, None))]
        points.append(FrontierPoint(level, *pair, *found))
    return tuple(points)


def _held_out(
    outcomes: Outcomes, folds: Sequence[tuple[Outcomes, Rule]], fold: Codes, levels: Sequence[float], seed: int
) -> list[Floats]:
    """Native tokens, requests, and for each tolerance what is saved and lost on held-out documents."""
    saved = np.zeros((len(levels), len(outcomes)))
    lost = np.zeros((len(levels), len(outcomes)))
    for number, (part, rule) in enumerate(folds):
        held = fold == number
        rest = outcomes.rows(held)
        for place, (found, _) in enumerate(_best(part, rule, levels, seed)):
            share = policy_of(rest, found.routes(rest), "", "").share
            saved[place, held], lost[place, held] = share * rest.gain, share * rest.loss
    columns = [outcomes.tokens_native, np.ones(len(outcomes))]
    for place in range(len(levels)):
        columns += [saved[place], lost[place]]
    return columns


def _best(outcomes: Outcomes, rule: Rule, levels: Sequence[float], seed: int) -> list[tuple[Rule, Cut]]:
    """The best rule for each tolerance, among the weights of a coarse grid and those of a fitted rule."""
    problem = problem_of(outcomes)
    own = np.array(list(rule.weights))
    found = candidate_weights(problem, levels, seed=seed, steps=_STEPS, sample=_SAMPLE)
    candidates = np.vstack([own[None], found])

    def cuts(weights: Floats) -> list[Cut]:
        ladder = ladder_of(problem, margins_of(problem.signals, weights), stable=True)
        return [cut_on(ladder, problem, level) for level in levels]

    judged = each(cuts, list(candidates), len(problem.signals))
    best = []
    for place in range(len(levels)):
        number = int(np.argmax([found_cuts[place].saved for found_cuts in judged]))
        cut = judged[number][place]
        best.append((rule_of(gate_weights(candidates[number]), cut.native, cut.force), cut))
    return best
