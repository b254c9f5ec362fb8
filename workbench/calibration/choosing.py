"""Which of several readers a gate is fitted for, and figures that this choice has not seen.

Each candidate (a block threshold for one recall floor, say) has outcomes of its own for the same requests. Candidates
are compared on documents held out, for in sample each of them finds weights that flatter it. Of those whose loss is
within the tolerance, or within one standard error of it, the first is taken, unless the one that saves most saves
clearly more: by two standard errors of the difference. A choice by luck would not hold elsewhere. To judge the whole
procedure, in every fold the candidate is chosen anew on the other documents, with its weights and thresholds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidOutcomes
from ..printing import counted
from .baselines import oracle_share
from .bootstrap import DRAWS, Bootstrap
from .figures import IN_SAMPLE, OUT_OF_SAMPLE, Figure, Policy, measured, policy_of
from .folds import folds_of
from .outcomes import Floats, Outcomes, checked_outcomes, unjudged
from .rules import fitted
from .search import SearchOptions

if TYPE_CHECKING:
    import pandas as pd

COARSE = SearchOptions(steps=10, starts=2, levels=3, finalists=4, final_levels=1)
"""Far enough to tell candidates apart; weights of the one that is taken are searched in full."""


CLEARLY = 2.0
"""Standard errors by which a candidate must save more than the first one to be taken in its place."""


@dataclass(frozen=True)
class Choice:
    """What was chosen, and how well the choosing does.

    Attributes
    ----------
    name : str
        The candidate that was chosen.
    candidates : mapping of str to tuple of Figure
        Figures of each candidate, its own choice of weights and thresholds judged on documents held out; in sample with
        one document.
    headline : tuple of Figure
        Out of sample, the choice among candidates included; empty with one document.
    chosen_in_folds : tuple of str
        What each fold chose.
    """

    name: str
    candidates: Mapping[str, tuple[Figure, ...]]
    headline: tuple[Figure, ...]
    chosen_in_folds: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a candidate: candidate, token_reduction, quality_loss, chosen, folds (that chose it)."""
        import pandas as pd

        rows = []
        for name, figures in self.candidates.items():
            level = {figure.name: figure.level for figure in figures}
            rows.append((name, level["token reduction"], level["quality loss"], name == self.name))
        frame = pd.DataFrame(rows, columns=["candidate", "token_reduction", "quality_loss", "chosen"])
        return frame.assign(folds=[self.chosen_in_folds.count(name) for name in frame["candidate"]])


def choose(
    tables: Mapping[str, pd.DataFrame],
    *,
    quality_tolerance: float,
    folds: int = 5,
    seed: int = 0,
    draws: int = DRAWS,
    search: SearchOptions | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Choice:
    """Choose among outcomes of the same requests.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Outcomes by candidate, the one first that is taken where nothing speaks against it; the rows are the same
        requests in the same order.
    quality_tolerance, folds, seed, draws, search, progress
        As ``calibrate`` has them.

    Raises
    ------
    InvalidOutcomes
        If there is no table, or they are about different requests.
    """
    for table in tables.values():
        checked_outcomes(table)
    tables = {name: table[~unjudged(table)] for name, table in tables.items()}
    checked = {name: checked_outcomes(table) for name, table in tables.items()}
    _refuse_unlike(checked)
    options = search or SearchOptions()
    some = next(iter(checked.values()))
    bootstrap = Bootstrap(some.documents, seed, draws)
    report = progress or (lambda _done, _total: None)
    steps = 1 + min(folds, some.documents)
    policies = {name: _held_out(outcomes, quality_tolerance, folds, seed) for name, outcomes in checked.items()}
    report(1, steps)
    candidates = {}
    for name, outcomes in checked.items():
        candidates[name] = measured(
            outcomes, policies[name], _oracle(outcomes, policies[name], quality_tolerance), bootstrap
        )
    best = _best(checked, policies, quality_tolerance)
    if some.documents < 2:
        return Choice(best, candidates, (), ())
    fold = folds_of(some.document.names, folds, seed)[some.document.codes]
    mixed: list[pd.DataFrame] = []
    routes = np.zeros(len(some), np.uint8)
    chosen = []
    for number in range(int(fold.max()) + 1):
        away = fold == number
        parts = {name: outcomes.rows(~away) for name, outcomes in checked.items()}
        inner = {name: _held_out(part, quality_tolerance, folds, seed) for name, part in parts.items()}
        name = _best(parts, inner, quality_tolerance)
        rule, _ = fitted(parts[name], quality_tolerance, seed=seed, options=options)
        routes[away] = rule.routes(checked[name].rows(away))
        mixed.append(tables[name].reset_index(drop=True)[away])
        chosen.append(name)
        report(number + 2, steps)
    outcomes = checked_outcomes(_joined(mixed))
    basis = f"{len(chosen)} folds by document, the reader chosen anew in each"
    policy = policy_of(outcomes, routes, OUT_OF_SAMPLE, basis)
    headline = measured(outcomes, policy, _oracle(outcomes, policy, quality_tolerance), bootstrap)
    return Choice(best, candidates, headline, tuple(chosen))


def _oracle(outcomes: Outcomes, policy: Policy, tolerance: float) -> Floats:
    """Return what an oracle saves that may lose as much as the policy does."""
    return oracle_share(outcomes, max(tolerance, policy.loss(outcomes))) * outcomes.gain


def _held_out(outcomes: Outcomes, tolerance: float, folds: int, seed: int) -> Policy:
    """Return the routes of rules that were fitted without each document; of one rule where there is one document."""
    if outcomes.documents < 2:
        rule, _ = fitted(outcomes, tolerance, seed=seed, options=COARSE)
        return policy_of(
            outcomes, rule.routes(outcomes), IN_SAMPLE, f"the {counted(len(outcomes), 'request')} fitted on"
        )
    fold = folds_of(outcomes.document.names, folds, seed)[outcomes.document.codes]
    routes = np.zeros(len(outcomes), np.uint8)
    for number in range(int(fold.max()) + 1):
        away = fold == number
        rule, _ = fitted(outcomes.rows(~away), tolerance, seed=seed, options=COARSE)
        routes[away] = rule.routes(outcomes.rows(away))
    return policy_of(outcomes, routes, OUT_OF_SAMPLE, f"{int(fold.max()) + 1} folds by document")


def _best(checked: Mapping[str, Outcomes], policies: Mapping[str, Policy], tolerance: float) -> str:
    """Return the first candidate that loses little enough, or the one that clearly saves more."""
    lost = {name: _of_a_request(checked[name], policies[name].share * checked[name].loss) for name in checked}
    least = min(loss for loss, _ in lost.values())
    good = [name for name, (loss, error) in lost.items() if loss <= max(tolerance, least) + error]
    saved = {name: policies[name].share * checked[name].gain for name in good}
    first, most = good[0], max(good, key=lambda name: float(saved[name].sum()))
    more, error = _of_a_request(checked[first], saved[most] - saved[first])
    return most if more > CLEARLY * error else first


def _of_a_request(outcomes: Outcomes, values: Floats) -> tuple[float, float]:
    """Return the mean of a value over requests, and its standard error over documents."""
    of_document = np.bincount(outcomes.document.codes, weights=values, minlength=outcomes.documents)
    count = np.bincount(outcomes.document.codes, minlength=outcomes.documents)
    mean = float(values.mean())
    error = np.sqrt(((of_document - mean * count) ** 2).sum()) / len(outcomes)
    return mean, float(error)


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(parts).sort_index()


def _refuse_unlike(checked: Mapping[str, Outcomes]) -> None:
    if not checked:
        raise InvalidOutcomes("There are no outcomes to choose from; give a table for each candidate.")
    first, *others = checked.values()
    for other in others:
        if other.request.tolist() != first.request.tolist():
            raise InvalidOutcomes("The candidates are about different requests; replay the same workload with each.")
