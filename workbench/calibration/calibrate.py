"""Weights and thresholds of the gate, fitted together on outcomes, with what can be said of them elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption, InvalidOutcomes, Unreachable
from ..printing import counted
from .baselines import baselines_of, oracle_share
from .bootstrap import DRAWS, Bootstrap
from .figures import IN_SAMPLE, OUT_OF_SAMPLE, Figure, Policy, measured, policy_of
from .flips import flips_of
from .folds import folds_of
from .frontier import TOLERANCES, frontier_of
from .outcomes import SPLITS, Codes, Floats, Outcomes, checked_outcomes, unjudged
from .promise import Promise, fitted_with_promise
from .reliability import ReliabilityBin, deciles_of, reliability_of
from .result import CalibrationResult
from .rules import Rule
from .search import SearchOptions
from .thresholds import HIGHEST

if TYPE_CHECKING:
    import pandas as pd

TEST_BASIS = "the split test"
"""What figures of the split "test" are measured on, in words."""
Progress = Callable[[int, int], None]
"""Told how many of how many fits are done."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What rules say of requests about documents that they were not fitted on."""

    fold: Codes
    margins: Floats
    deciles: Codes
    routes: npt.NDArray[np.uint8]
    fits: tuple[tuple[Outcomes, Rule], ...]


def calibrate(
    outcomes: pd.DataFrame,
    *,
    quality_tolerance: float = 0.01,
    folds: int = 5,
    seed: int = 0,
    promise: float | None = None,
    tolerances: Sequence[float] = TOLERANCES,
    draws: int = DRAWS,
    search: SearchOptions | None = None,
    progress: Progress | None = None,
) -> CalibrationResult:
    """Choose ws, wc, wr and both thresholds together: the most tokens saved within a tolerance for the mean loss.

    For fixed weights the thresholds are exact; weights are searched over the simplex. Rows of the split "test", where
    there are any, are not fitted on; they are judged by the rule at the end. Requests none of whose evidence was found
    are left out, which a note says.

    Parameters
    ----------
    outcomes : DataFrame
        See ``checked_outcomes``.
    quality_tolerance : float
        Largest mean loss over all requests, in [0, 1]; a request loses max(0, quality native - quality sparse).
    folds : int
        Parts of the documents for the figures out of sample; with fewer documents each is left out once.
    seed : int
        Decides folds, halves and draws. Equal input and seed give equal output.
    promise : float, optional
        Bound on the expected loss on a new document. Half of the documents, chosen by a hash of their names, are then
        kept from the fit and carry the promise (conformal risk control).
    tolerances : sequence of float
        Of the frontier.
    draws : int
        Of documents, for intervals.
    search : SearchOptions, optional
    progress : callable, optional
        Called with fits done and fits in all.

    Raises
    ------
    InvalidOutcomes
        For a table on which nothing can be fitted; rows are named.
    InvalidOption
        For an option outside its range.
    Unreachable
        If the promise needs more documents; the message says how many.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("a", "one.pdf", 0.9, 0.1, 0.0, 9000, 900, 1, 1), ("b", "two.xlsx", 0.1, 0.9, 0.9, 800, 2400, 1, 0)]
    >>> names = ["request", "document", "s", "c", "r", "tokens_native", "tokens_sparse"]
    >>> table = pd.DataFrame(rows, columns=[*names, "quality_native", "quality_sparse"])
    >>> calibrate(table).frame["route"].tolist()
    ['force', 'native']
    """
    check_options(quality_tolerance, folds, seed, promise, tolerances, draws)
    options = search or SearchOptions()
    checked, unknown = checked_outcomes(outcomes), unjudged(outcomes)
    dev, test = _parts(checked.rows(~unknown) if unknown.any() else checked)
    fold_of_document = folds_of(dev.document.names, folds, seed)
    fits = int(fold_of_document.max()) + 2
    report = progress or (lambda _done, _total: None)
    rule, promised = fitted_with_promise(dev, quality_tolerance, promise, seed=seed, options=options)
    if promised.control is not None and promised.control.index is None:
        half = "Half of the documents are set aside for a promise, so it takes twice as many in all."
        raise Unreachable(f"{promised.control.refusal()} {half}")
    report(1, fits)
    held = _held_out(dev, fold_of_document, quality_tolerance, promise, seed, options, lambda done: report(done, fits))
    shared = " or that the promise rests on" if promised.kept else ""
    found = assembled(
        dev,
        rule,
        promised,
        Bootstrap(dev.documents, seed, draws),
        tolerance=quality_tolerance,
        basis=f"the {counted(len(dev), 'request')} fitted on{shared}",
        held=held,
        tolerances=[*tolerances, quality_tolerance],
    )
    return replace(
        found,
        test=_judged(test, rule, quality_tolerance, seed, draws),
        notes=(*_left_out(dev, int(unknown.sum())), *_notes(dev, found.inside, rule, folds, quality_tolerance)),
    )


def assembled(
    dev: Outcomes,
    rule: Rule,
    promised: Promise,
    bootstrap: Bootstrap,
    *,
    tolerance: float,
    basis: str,
    held: HeldOut | None = None,
    tolerances: Sequence[float] = (),
    notes: tuple[str, ...] = (),
) -> CalibrationResult:
    """Measure a rule on the requests it comes from, in every way that needs no others.

    Parameters
    ----------
    dev : Outcomes
    rule : Rule
    promised : Promise
    bootstrap : Bootstrap
    tolerance : float
        Mean loss that was accepted; the oracle may lose as much, or what the rule loses if that is more.
    basis : str
        Which requests the figures in sample are measured on, in words.
    held : HeldOut, optional
        What rules say of documents that they were not fitted on; without it nothing is out of sample.
    tolerances : sequence of float
        Of the frontier; there is none without.
    notes : tuple of str
    """
    margins = rule.margins(dev)
    inside = policy_of(dev, rule.routes(dev, margins), IN_SAMPLE, basis)
    fits = () if held is None else held.fits
    outside = None if held is None else policy_of(dev, held.routes, OUT_OF_SAMPLE, _basis(len(fits), dev.documents))
    # Regret compares equals: an oracle may lose what the gate loses where it was not fitted.
    allowed = max(float(tolerance), *(policy.loss(dev) for policy in (inside, outside) if policy is not None))
    oracle = oracle_share(dev, allowed) * dev.gain
    fold = np.full(len(dev), -1, np.int64) if held is None else held.fold
    seed = bootstrap.seed
    return CalibrationResult(
        outcomes=dev,
        weights=rule.weights,
        thresholds=rule.thresholds,
        quality_tolerance=float(tolerance),
        fold=fold,
        fold_rules=tuple(found for _, found in fits),
        margins=margins,
        margins_out=None if held is None else held.margins,
        inside=inside,
        outside=outside,
        oracle=oracle,
        in_sample=measured(dev, inside, oracle, bootstrap),
        out_of_sample=() if outside is None else measured(dev, outside, oracle, bootstrap),
        test=(),
        baselines={
            name: measured(dev, policy, oracle, bootstrap) for name, policy in baselines_of(dev, allowed).items()
        },
        frontier=frontier_of(dev, rule, fits, fold, bootstrap, tolerances=tolerances, seed=seed) if tolerances else (),
        reliability=_reliability(dev, margins, held, bootstrap),
        flips=flips_of(dev, rule),
        promise=promised,
        notes=notes,
        bootstrap=bootstrap,
    )


def _parts(outcomes: Outcomes) -> tuple[Outcomes, Outcomes | None]:
    """Requests to fit on, and those of the test split."""
    if outcomes.split is None:
        return outcomes, None
    test = outcomes.split.codes == SPLITS.index("test")
    if test.all():
        raise InvalidOutcomes(
            "Every row of the outcomes is of the split test, and nothing is left to fit on; give rows of the split dev."
        )
    return (outcomes.rows(~test), outcomes.rows(test)) if test.any() else (outcomes, None)


def _held_out(
    outcomes: Outcomes,
    fold_of_document: Codes,
    tolerance: float,
    promise: float | None,
    seed: int,
    options: SearchOptions,
    done: Callable[[int], None],
) -> HeldOut | None:
    """Fit once a fold, the whole procedure with its promise, and ask each rule about the documents left out."""
    if outcomes.documents < 2:
        return None
    fold = fold_of_document[outcomes.document.codes]
    margins = np.zeros(len(outcomes))
    deciles = np.zeros(len(outcomes), np.int64)
    routes = np.zeros(len(outcomes), np.uint8)
    fits: list[tuple[Outcomes, Rule]] = []
    for number in range(int(fold_of_document.max()) + 1):
        away = fold == number
        part, rest = outcomes.rows(~away), outcomes.rows(away)
        rule, _ = fitted_with_promise(part, tolerance, promise, seed=seed, options=options)
        margins[away] = rule.margins(rest)
        routes[away] = rule.routes(rest, margins[away])
        deciles[away] = deciles_of(margins[away], rule.margins(part)[part.free])
        fits.append((part, rule))
        done(number + 2)
    return HeldOut(fold, margins, deciles, routes, tuple(fits))


def _judged(test: Outcomes | None, rule: Rule, tolerance: float, seed: int, draws: int) -> tuple[Figure, ...]:
    """Figures of the rule on requests of the test split."""
    if test is None:
        return ()
    policy = policy_of(test, rule.routes(test), OUT_OF_SAMPLE, TEST_BASIS)
    oracle = oracle_share(test, tolerance) * test.gain
    return measured(test, policy, oracle, Bootstrap(test.documents, seed, draws))


def _reliability(
    outcomes: Outcomes, margins: Floats, held: HeldOut | None, bootstrap: Bootstrap
) -> tuple[ReliabilityBin, ...]:
    if held is not None:
        return reliability_of(outcomes, held.margins, held.deciles, bootstrap, OUT_OF_SAMPLE)
    return reliability_of(outcomes, margins, deciles_of(margins, margins[outcomes.free]), bootstrap, IN_SAMPLE)


def _basis(folds: int, documents: int) -> str:
    return "each document left out once" if folds == documents else f"{folds} folds by document"


def _left_out(outcomes: Outcomes, unknown: int) -> Iterator[str]:
    """Say which requests of the workload are in no figure."""
    failed = outcomes.source.get("failed")
    if isinstance(failed, list) and failed:
        are = "is" if len(failed) == 1 else "are"
        yield (
            f"{counted(len(failed), 'request')} could not be replayed and {are} in no figure; the replay names the "
            "reasons."
        )
    if unknown:
        name = "names" if unknown == 1 else "name"
        yield (
            f"{counted(unknown, 'request')} {name} evidence of which none was found, so nothing says what sparse "
            "reading loses there: in no figure."
        )


def _notes(outcomes: Outcomes, inside: Policy, rule: Rule, folds: int, tolerance: float) -> tuple[str, ...]:
    """What a reader has to know before the figures."""
    notes = []
    documents = outcomes.documents
    if documents == 1:
        notes.append(
            "All requests are about one document, so none can be held out: there are no figures out of sample; add "
            "requests about other documents."
        )
    elif documents < folds:
        notes.append(f"There are {documents} documents for {folds} folds, so each document is left out once.")
    if not outcomes.free.any():
        notes.append("Every request is under a hard constraint and therefore native; nothing could be fitted.")
    elif not inside.share.any():
        useful = bool((outcomes.gain[outcomes.free] > 0).any())
        why = (
            f"no weights and thresholds save tokens within a mean loss of {tolerance:g}"
            if useful
            else "the sparse path saves tokens on no request"
        )
        notes.append(f"Every request is native: {why}.")
    if outcomes.free.sum() > 1 and np.ptp(outcomes.signals[outcomes.free], axis=0).max() == 0:
        notes.append("The signals of all requests are the same, so the gate cannot tell one from another.")
    if not outcomes.tokens_native.any():
        notes.append("The requests cost no tokens on the native path, so there is nothing to save.")
    if rule.thresholds.force >= HIGHEST and inside.share.any():
        notes.append("No request is forced: those that take the sparse path are advisory.")
    return tuple(notes)


def check_options(
    tolerance: float,
    folds: int,
    seed: int,
    promise: float | None,
    tolerances: Sequence[float] = TOLERANCES,
    draws: int = DRAWS,
) -> None:
    """Refuse options of ``calibrate`` that are outside their range.

    Raises
    ------
    InvalidOption
    """
    for name, value in (("quality_tolerance", tolerance), *(("tolerances", level) for level in tolerances)):
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= value <= 1:
            raise InvalidOption(f"{name} is {value!r:.40}; give a number from 0 to 1.")
    for name, number, least in (("folds", folds, 2), ("seed", seed, 0), ("draws", draws, 20)):
        if not isinstance(number, Integral) or isinstance(number, bool) or number < least:
            raise InvalidOption(f"{name} is {number!r:.40}; give a whole number of at least {least}.")
    if promise is not None and (not isinstance(promise, Real) or isinstance(promise, bool) or not 0 < promise < 1):
        raise InvalidOption(f"promise is {promise!r:.40}; give the loss to promise, a number between 0 and 1.")
