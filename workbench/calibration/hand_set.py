"""A rule that somebody set by hand, judged as a calibration is: nothing is fitted, and every figure is in sample.

Who moves a slider looks at the figures of these very requests, so none of them is out of sample. Requests of the split
"test" are in no figure here: a person who saw them while tuning would have used them up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidOption, InvalidOutcomes
from ..gate.margin import ROUTES, GateThresholds, GateWeights, Route, margin_of
from ..printing import counted
from .bootstrap import DRAWS, Bootstrap
from .calibrate import assembled, check_options
from .folds import halves_of
from .outcomes import SPLITS, Mask, Outcomes, checked_outcomes, unjudged
from .promise import Promise
from .result import CalibrationResult
from .rules import Rule, rule_of
from .thresholds import best_cut, problem_of

if TYPE_CHECKING:
    import pandas as pd

    from ..gate.profile import GateProfile

SET_BY_HAND = "Weights and thresholds were set by hand, so every figure is in sample."
"""The note of such a result, and of a profile that is made from it, unless the rule comes from elsewhere."""
ORACLE_ROUTES = ("native", "force")


def judged(
    outcomes: pd.DataFrame,
    weights: GateWeights,
    thresholds: GateThresholds,
    *,
    tolerance: float = 0.01,
    seed: int = 0,
    draws: int = DRAWS,
    said: str = SET_BY_HAND,
) -> CalibrationResult:
    """Return what weights and thresholds do on outcomes, with the figures of a calibration.

    Parameters
    ----------
    outcomes : DataFrame
        See ``checked_outcomes``. Rows of the split "test" and requests none of whose evidence was found are left out,
        which a note says.
    weights : GateWeights
    thresholds : GateThresholds
    tolerance : float
        Mean loss that the oracle may have too, in [0, 1]; the rule itself may lose more.
    seed, draws : int
        Of the draws of documents, for intervals.
    said : str
        Where the rule comes from: the first note of the result.

    Returns
    -------
    CalibrationResult
        ``out_of_sample``, ``test``, ``frontier`` and ``fold_rules`` are empty.

    Raises
    ------
    InvalidOutcomes, InvalidOption

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("a", "one.pdf", 0.9, 0.1, 0.0, 9000, 900, 1, 1), ("b", "two.xlsx", 0.1, 0.9, 0.9, 800, 2400, 1, 0)]
    >>> names = ["request", "document", "s", "c", "r", "tokens_native", "tokens_sparse"]
    >>> table = pd.DataFrame(rows, columns=[*names, "quality_native", "quality_sparse"])
    >>> found = judged(table, GateWeights(0.5, 0.25, 0.25), GateThresholds(native=0.0, force=0.2))
    >>> found.frame["route"].tolist(), found.figure("token reduction").split
    (['force', 'native'], 'in sample')
    """
    kept, notes = tuned_on(outcomes)
    return judged_on(kept, weights, thresholds, tolerance=tolerance, seed=seed, draws=draws, notes=notes, said=said)


def judged_on(
    outcomes: Outcomes,
    weights: GateWeights,
    thresholds: GateThresholds,
    *,
    tolerance: float = 0.01,
    seed: int = 0,
    draws: int = DRAWS,
    notes: tuple[str, ...] = (),
    said: str = SET_BY_HAND,
) -> CalibrationResult:
    """Return the same on outcomes that are checked already, all of them; see ``judged``.

    Raises
    ------
    InvalidOption
    """
    check_options(tolerance, 2, seed, None, draws=draws)
    if not isinstance(weights, GateWeights) or not isinstance(thresholds, GateThresholds):
        raise InvalidOption(
            f"The rule is {weights!r:.40} and {thresholds!r:.40}; give a GateWeights and a GateThresholds."
        )
    aside = int(halves_of(outcomes.document.names, seed).sum())
    return assembled(
        outcomes,
        Rule(weights, thresholds),
        Promise(None, None, outcomes.documents, aside, 1 / (aside + 1)),
        Bootstrap(outcomes.documents, seed, draws),
        tolerance=tolerance,
        basis=f"the {counted(len(outcomes), 'request')} it was set on",
        notes=(said, *notes),
    )


def tuned_on(outcomes: pd.DataFrame) -> tuple[Outcomes, tuple[str, ...]]:
    """Return the requests that a rule may be set on by hand, and in words which are left out.

    Raises
    ------
    InvalidOutcomes
    """
    checked, unknown = checked_outcomes(outcomes), unjudged(outcomes)
    test = np.zeros(len(checked), bool)
    if checked.split is not None:
        test = (checked.split.codes == SPLITS.index("test")) & ~unknown
    kept = ~unknown & ~test
    if not kept.any():
        raise InvalidOutcomes(
            "Every row of the outcomes is of the split test, so nothing is left to tune on; give rows of the split dev."
        )
    notes = []
    if unknown.any():
        name = "names" if unknown.sum() == 1 else "name"
        notes.append(
            f"{counted(int(unknown.sum()), 'request')} {name} evidence of which none was found, so nothing says what "
            "sparse reading loses there: in no figure."
        )
    if test.any():
        are = "is" if test.sum() == 1 else "are"
        notes.append(
            f"{counted(int(test.sum()), 'request')} of the split test {are} in no figure; calibrate judges them once."
        )
    return (checked if kept.all() else checked.rows(kept)), tuple(notes)


def starting_rule(outcomes: Outcomes, tolerance: float) -> Rule:
    """Return equal weights with the thresholds that save the most tokens within a tolerance: where tuning may begin."""
    problem, weights = problem_of(outcomes), GateWeights(1.0, 1.0, 1.0)
    cut = best_cut(problem, margin_of(problem.signals, weights), tolerance)
    return rule_of(weights, cut.native, cut.force)


def is_set_by_hand(of: CalibrationResult | GateProfile) -> bool:
    """Whether somebody has set the rule of a result or profile by hand."""
    return SET_BY_HAND in of.notes


def confusion(result: CalibrationResult) -> pd.DataFrame:
    """Count requests by the rule's route and by what the oracle does.

    Returns
    -------
    DataFrame
        int64; one row a route (force, advisory, native), columns native and force: the oracle's. Routes are those out
        of sample where there are any. A request that the oracle reads sparsely in part counts as force.

    Examples
    --------
    >>> import pandas as pd
    >>> row = ("a", "one.pdf", 0.9, 0.1, 0.0, 9000, 900, 1, 1)
    >>> names = ["request", "document", "s", "c", "r", "tokens_native", "tokens_sparse"]
    >>> table = pd.DataFrame([row], columns=[*names, "quality_native", "quality_sparse"])
    >>> found = judged(table, GateWeights(0.5, 0.25, 0.25), GateThresholds(native=0.0, force=0.2))
    >>> confusion(found).loc["force"].tolist()
    [0, 1]
    """
    import pandas as pd

    routes = (result.outside or result.inside).routes.astype(np.int64)
    sparse = (result.oracle > 0).astype(np.int64)
    counts = np.bincount(2 * routes + sparse, minlength=2 * len(ROUTES)).reshape(len(ROUTES), 2)[::-1]
    return pd.DataFrame(counts.astype(np.int64), index=[r.value for r in reversed(ROUTES)], columns=list(ORACLE_ROUTES))


def wrong_routes(result: CalibrationResult) -> Mask:
    """Return which requests the rule forces though the oracle leaves them native, or the other way round.

    An advisory request is not wrong: both paths are open to it.
    """
    routes, sparse = (result.outside or result.inside).routes, result.oracle > 0
    return np.asarray(((routes == Route.FORCE.code) & ~sparse) | ((routes == Route.NATIVE.code) & sparse), bool)
