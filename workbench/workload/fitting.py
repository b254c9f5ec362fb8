"""From a workload to a gate profile: block threshold, weights and gate thresholds, judged where they were not fitted.

Blocks first: for each recall floor, maps and a block threshold. Then the replay of every request with the reader that
was fitted on the *other* documents, so that its outcomes are those of a document that nobody has seen. Then weights and
gate thresholds on these outcomes, for the floor that saves most within the tolerance. The profile holds maps and
thresholds that were fitted on all documents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..calibration.block_thresholds import BlockThreshold
from ..calibration.calibrate import calibrate, check_options
from ..calibration.choosing import Choice, choose
from ..calibration.folds import halves_of
from ..calibration.outcomes import unjudged
from ..calibration.profiles import profile_of
from ..calibration.result import CalibrationResult
from ..documents.progress import showing
from ..errors import CalibrationRefused, InvalidOption
from ..gate.profile import GateProfile
from ..gate.signal_options import SignalOptions
from ..reading import SparseReader
from ..reading.describing import description_of
from .candidates import Candidate, Candidates
from .seen import Unseen, blocks_unpromised, choice_in_sample, result_in_sample, unpromised, unseen
from .workload import Workload

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class ProfileFit:
    """A gate profile with everything that it rests on.

    Attributes
    ----------
    profile : GateProfile
    result : CalibrationResult
        Of the candidate that was chosen; its figures out of sample take that choice as given.
    choice : Choice
        Its headline includes the choice.
    outcomes : DataFrame
    blocks : BlockThreshold or None
    notes : tuple of str
        What a reader of the figures must know first: whether models were trained on these documents.
    """

    profile: GateProfile
    result: CalibrationResult
    choice: Choice
    outcomes: pd.DataFrame
    blocks: BlockThreshold | None
    notes: tuple[str, ...] = ()

    def report(self) -> str:
        """Return every table, at most 80 columns wide."""
        from .fit_reports import report_of

        return report_of(self)

    def __repr__(self) -> str:
        return f"ProfileFit({self.profile!r}, cut by {self.choice.name})"


def fit_profile(
    workload: Workload,
    reader: SparseReader | None = None,
    *,
    quality_tolerance: float = 0.01,
    recall: float | None = None,
    promise: float | None = None,
    advisory_share: float = 0.5,
    options: SignalOptions | None = None,
    folds: int = 5,
    seed: int = 0,
    name: str = "",
    created_by: str = "",
    processes: int | None = None,
    progress: bool | None = None,
) -> ProfileFit:
    """Calibrate on a workload, the whole way.

    Documents that the reader's classifier was trained on or chosen by are left out; where too few others remain,
    everything is fitted on all of them, every figure is in sample, and nothing is promised.

    Parameters
    ----------
    workload : Workload
        Requests of the split "test" are not fitted on; they are judged at the end.
    reader : SparseReader, optional
        Its scorer, rules and tokenizer are used, and its token share is one of the candidates.
    quality_tolerance : float
        Largest mean loss of quality over all requests.
    recall : float, optional
        The recall floor of the block threshold; by default the cut is the best of ``FLOORS``, ``SHARES`` and the share
        of the reader.
    promise : float, optional
        Bound on the expected loss on a new document; see ``calibrate``.
    advisory_share : float
        Probability that an advisory request takes the sparse path.
    options : SignalOptions, optional
        Constants of the signals; what the reader is expected to keep is fitted.
    folds, seed : int
    name, created_by : str
        Of the profile.
    processes : int, optional
        For scoring the blocks.
    progress : bool, optional

    Raises
    ------
    InvalidOption, InvalidWorkload, CalibrationRefused, Unreachable
        If nothing can be fitted; the message says why.
    """
    if recall is not None and not 0 < recall < 1:
        raise InvalidOption(f"recall is {recall!r:.40}; give a number between 0 and 1.")
    check_options(quality_tolerance, folds, seed, promise)
    chosen_reader = reader or SparseReader()
    basis = unseen(workload, chosen_reader.scorer)
    if basis.unpromised:
        promise = None
    fitting = Candidates(
        workload=basis.workload,
        reader=chosen_reader,
        options=options or SignalOptions(),
        advisory_share=advisory_share,
        folds=folds,
        seed=seed,
        processes=processes,
        progress=progress,
        unpromised=basis.unpromised,
        whole=workload,
    )
    candidates, notes = _candidates(fitting, recall, basis)
    tables = {found.name: found.outcomes[found.outcomes["split"] == "dev"] for found in candidates}
    if promise is not None and tables:
        tables = _without_those_of_the_promise(tables, seed)
    fixed: dict[str, Any] = {"quality_tolerance": quality_tolerance, "folds": folds, "seed": seed}
    with showing("Comparing cuts", progress) as report:
        choice = choose(tables, **fixed, progress=report)
    chosen = next(found for found in candidates if found.name == choice.name)
    with showing("Fitting the gate", progress) as report:
        result = calibrate(chosen.outcomes, **fixed, promise=promise, progress=report)
    result, choice, chosen = _honest(result, choice, chosen, basis)
    headline = choice.headline if promise is None else result.out_of_sample
    profile = profile_of(
        result,
        name=name,
        created_by=created_by,
        blocks=chosen.blocks,
        reader=description_of(chosen.reader),
        headline=headline,
        notes=notes,
    )
    return ProfileFit(profile, result, choice, chosen.outcomes, chosen.blocks, basis.notes)


def _candidates(fitting: Candidates, recall: float | None, basis: Unseen) -> tuple[list[Candidate], list[str]]:
    try:
        return fitting.all(recall)
    except CalibrationRefused as error:
        if not basis.notes:
            raise
        raise CalibrationRefused(f"{error} {' '.join(basis.notes)}") from error


def _honest(
    result: CalibrationResult, choice: Choice, chosen: Candidate, basis: Unseen
) -> tuple[CalibrationResult, Choice, Candidate]:
    """Return what was fitted as it may be told, where models were trained on these documents."""
    if not basis.notes:
        return result, choice, chosen
    if not basis.unpromised:
        return replace(result, notes=(*basis.notes, *result.notes)), choice, chosen
    in_sample = bool(basis.in_sample)
    blocks = None if chosen.blocks is None else blocks_unpromised(chosen.blocks, in_sample=in_sample)
    if not in_sample:
        return unpromised(result, *basis.notes), choice, replace(chosen, blocks=blocks)
    chosen.outcomes.attrs["in_sample"] = basis.in_sample
    return result_in_sample(result, *basis.notes), choice_in_sample(choice), replace(chosen, blocks=blocks)


def _without_those_of_the_promise(tables: dict[str, pd.DataFrame], seed: int) -> dict[str, pd.DataFrame]:
    """Leave out the documents that a promise rests on: the cut must be chosen without them, too."""
    some = next(iter(tables.values()))
    documents = sorted(set(some["document"][~unjudged(some)]))
    halves = halves_of(documents, seed).tolist()
    fitted_on = {name for name, half in zip(documents, halves, strict=True) if not half}
    if not fitted_on:
        return tables
    return {name: table[table["document"].isin(fitted_on)] for name, table in tables.items()}
