"""Which of several readers a gate is fitted for: the one that saves most, and figures that this choice has not seen.

Each candidate (a block threshold for one recall floor, say) has outcomes of its own for the same requests. To judge the
whole procedure, in every fold the candidate is chosen anew on the other documents, and with it weights and thresholds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidOutcomes
from ..printing import counted
from .baselines import oracle_share
from .bootstrap import DRAWS, Bootstrap
from .figures import IN_SAMPLE, OUT_OF_SAMPLE, Figure, measured, policy_of
from .folds import folds_of
from .outcomes import Mask, Outcomes, checked_outcomes
from .rules import Rule, fitted
from .search import SearchOptions

if TYPE_CHECKING:
    import pandas as pd

COARSE = SearchOptions(steps=10, starts=2, levels=3, finalists=4, final_levels=1)
"""Far enough to tell candidates apart in a fold; weights of the one that is taken are searched in full."""


@dataclass(frozen=True)
class Choice:
    """What was chosen, and how well the choosing does.

    Attributes
    ----------
    name : str
        The candidate that saves most within the tolerance on all requests; the first of equal ones.
    candidates : mapping of str to tuple of Figure
        Figures of each candidate, in sample.
    headline : tuple of Figure
        Out of sample, the choice included; empty with one document.
    chosen_in_folds : tuple of str
        What each fold chose.
    """

    name: str
    candidates: Mapping[str, tuple[Figure, ...]]
    headline: tuple[Figure, ...]
    chosen_in_folds: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a candidate: candidate, token_reduction, quality_loss (in sample), chosen, folds."""
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
) -> Choice:
    """Choose among outcomes of the same requests.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Outcomes by candidate; the rows are the same requests in the same order.
    quality_tolerance, folds, seed, draws, search
        As ``calibrate`` has them.

    Raises
    ------
    InvalidOutcomes
        If there is no table, or they are about different requests.
    """
    checked = {name: checked_outcomes(table) for name, table in tables.items()}
    _refuse_unlike(checked)
    options = search or SearchOptions()
    some = next(iter(checked.values()))
    candidates = {}
    for name, outcomes in checked.items():
        rule, _ = fitted(outcomes, quality_tolerance, seed=seed, options=options)
        policy = policy_of(
            outcomes, rule.routes(outcomes), IN_SAMPLE, f"the {counted(len(outcomes), 'request')} fitted on"
        )
        oracle = oracle_share(outcomes, quality_tolerance) * outcomes.gain
        candidates[name] = measured(outcomes, policy, oracle, Bootstrap(outcomes.documents, seed, draws))
    best = max(candidates, key=lambda name: _level(candidates[name], "token reduction"))
    if some.documents < 2:
        return Choice(best, candidates, (), ())
    fold = folds_of(some.document.names, folds, seed)[some.document.codes]
    mixed: list[pd.DataFrame] = []
    routes = np.zeros(len(some), np.uint8)
    chosen = []
    for number in range(int(fold.max()) + 1):
        away = fold == number
        name, rule = _best(checked, ~away, quality_tolerance, seed, options)
        routes[away] = rule.routes(checked[name].rows(away))
        mixed.append(tables[name].reset_index(drop=True)[away])
        chosen.append(name)
    outcomes = checked_outcomes(_joined(mixed))
    basis = f"{len(chosen)} folds by document, the reader chosen anew in each"
    policy = policy_of(outcomes, routes, OUT_OF_SAMPLE, basis)
    oracle = oracle_share(outcomes, quality_tolerance) * outcomes.gain
    headline = measured(outcomes, policy, oracle, Bootstrap(outcomes.documents, seed, draws))
    return Choice(best, candidates, headline, tuple(chosen))


def _best(
    checked: Mapping[str, Outcomes],
    chosen: Mask,
    tolerance: float,
    seed: int,
    options: SearchOptions,
) -> tuple[str, Rule]:
    saved = {}
    for name, outcomes in checked.items():
        part = outcomes.rows(chosen)
        rule, _ = fitted(part, tolerance, seed=seed, options=COARSE)
        saved[name] = float((policy_of(part, rule.routes(part), IN_SAMPLE, "").share * part.gain).sum())
    best = max(saved, key=lambda name: saved[name])
    rule, _ = fitted(checked[best].rows(chosen), tolerance, seed=seed, options=options)
    return best, rule


def _joined(parts: list[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    return pd.concat(parts).sort_index()


def _level(figures: tuple[Figure, ...], name: str) -> float:
    return next(figure.level for figure in figures if figure.name == name)


def _refuse_unlike(checked: Mapping[str, Outcomes]) -> None:
    if not checked:
        raise InvalidOutcomes("There are no outcomes to choose from; give a table for each candidate.")
    first, *others = checked.values()
    for other in others:
        if other.request.tolist() != first.request.tolist():
            raise InvalidOutcomes("The candidates are about different requests; replay the same workload with each.")
