"""Other ways to search weights and thresholds on the same problem: Optuna's TPE, and weights drawn at random.

Each is given a time, in seconds of the processor, and returns the best that it found. What is sought is the token
reduction within a tolerance for the mean loss.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.calibration.search import LEAST_WEIGHT, SearchOptions, best_weights, margins_of
from workbench.calibration.thresholds import Problem, best_cut, best_values, ladder_of
from workbench.errors import MissingDependency

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes
    ----------
    reduction : float
        Token reduction in [0, 1], within the tolerance.
    tried : int
        Weights, or weights with thresholds, that were judged; 0 where it was not counted.
    seconds : float
        Of the processor.
    """

    reduction: float
    tried: int
    seconds: float


Search = Callable[[Problem, float, float, int], Found]
"""A problem, a tolerance, seconds and a seed."""


def ours(problem: Problem, tolerance: float) -> Found:
    """Search weights and thresholds as a calibration does."""
    started = time.process_time()
    weights = best_weights(problem, tolerance, options=SearchOptions(given_up=0.0))
    saved = best_cut(problem, margins_of(problem.signals, weights), tolerance).saved
    return Found(saved / problem.tokens, 0, time.process_time() - started)


def reduction_of(problem: Problem, tolerance: float, weights: Floats) -> float:
    """Return the token reduction of weights with their exact thresholds."""
    ladder = ladder_of(problem, margins_of(problem.signals, weights))
    return float(best_values(ladder, problem.allowed(tolerance))[0] / problem.tokens)


def judged(problem: Problem, tolerance: float, weights: Floats, native: float, force: float) -> float:
    """Return the token reduction of weights and thresholds, or by how much the loss exceeds the tolerance, below 0.

    So any pair within the tolerance that saves tokens is better than any pair that is not.
    """
    b = margins_of(problem.signals, weights)
    advisory = b > native
    forced = advisory & (b >= force)
    gain_forced, gain, loss_forced, loss = problem.parts.T
    lost = loss[advisory].sum() + loss_forced[forced].sum()
    if lost > problem.allowed(tolerance):
        return float(tolerance - lost / problem.requests)
    return float((gain[advisory].sum() + gain_forced[forced].sum()) / problem.tokens)


def random_weights(problem: Problem, tolerance: float, seconds: float, seed: int) -> Found:
    """Draw weights evenly over the simplex, each with its exact thresholds."""
    random = np.random.default_rng(seed)
    started, best, tried = time.process_time(), 0.0, 0
    while time.process_time() - started < seconds:
        for weights in random.dirichlet(np.ones(3), 32):
            best, tried = max(best, reduction_of(problem, tolerance, _inner(weights))), tried + 1
    return Found(best, tried, time.process_time() - started)


def tpe_of_all(problem: Problem, tolerance: float, seconds: float, seed: int) -> Found:
    """Let Optuna's TPE choose the weights and both thresholds."""

    def objective(trial: Any) -> float:
        weights = _weights(trial)
        native = trial.suggest_float("native", -1.0, 1.0)
        return judged(problem, tolerance, weights, native, native + trial.suggest_float("gap", 0.0, 1.0))

    return _tpe(objective, seconds, seed)


def tpe_of_weights(problem: Problem, tolerance: float, seconds: float, seed: int) -> Found:
    """Let Optuna's TPE choose the weights; the thresholds are the exact ones."""
    return _tpe(lambda trial: reduction_of(problem, tolerance, _weights(trial)), seconds, seed)


RANDOM = "random weights, exact thresholds"
RIVALS: dict[str, Search] = {
    "TPE over weights and thresholds": tpe_of_all,
    "TPE over weights, exact thresholds": tpe_of_weights,
    RANDOM: random_weights,
}


def optuna_or_refuse() -> Any:
    """Return Optuna, which the project does not depend on.

    Raises
    ------
    MissingDependency
        If it is not installed.
    """
    try:
        import optuna
    except ImportError:
        raise MissingDependency(
            "The comparison with TPE needs Optuna, which is not installed; run pip install optuna."
        ) from None
    return optuna


def _weights(trial: Any) -> Floats:
    raw = np.array([trial.suggest_float(name, 1e-6, 1.0) for name in ("exposure", "cost", "risk")])
    return _inner(raw / raw.sum())


def _inner(weights: Floats) -> Floats:
    """Return weights that come no closer to zero than ours may."""
    return np.asarray(LEAST_WEIGHT + (1 - 3 * LEAST_WEIGHT) * weights)


def _tpe(objective: Callable[[Any], float], seconds: float, seed: int) -> Found:
    optuna = optuna_or_refuse()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    started = time.process_time()
    while time.process_time() - started < seconds:
        study.optimize(objective, n_trials=5)
    return Found(max(0.0, float(study.best_value)), len(study.trials), time.process_time() - started)
