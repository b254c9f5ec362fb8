"""The long work of a bench, as functions that a job calls: each takes all that it needs, and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..calibration import CalibrationResult, calibrate
from ..errors import InvalidOption, WorkspaceFailed
from ..gate.signal_options import SignalOptions
from ..reading import SparseReader
from ..structure import RuleTable
from .beginning import OUTCOMES
from .state import Tuned

if TYPE_CHECKING:
    import pandas as pd

    from ..workload import Workload
    from ..workload.recall_curves import RecallCurves
    from ..workload.replay import BlockScores
    from ..workload.rule_effects import WorkloadEffects
    from .jobs import Report


def calibration_of(outcomes: pd.DataFrame, tolerance: float, report: Report) -> CalibrationResult:
    """Return weights and thresholds fitted on outcomes, within a tolerance."""
    return calibrate(outcomes, quality_tolerance=tolerance, progress=report)


def replayed(
    workload: Workload, reader: SparseReader, options: SignalOptions, advisory_share: float, folder: Path
) -> pd.DataFrame:
    """Return the outcomes of a workload with the reader as it is tuned, and keep them in the workspace."""
    from ..workload.replay import replay, save_outcomes

    outcomes = replay(workload, reader, options=options, advisory_share=advisory_share, progress=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceFailed(
            f"The folder {folder} cannot be made ({error.strerror or error}); check its rights, or give the bench "
            "another folder."
        ) from error
    save_outcomes(outcomes, folder / OUTCOMES)
    return outcomes


def scores_of(workload: Workload, reader: SparseReader, tuned: Tuned) -> BlockScores:
    """Return the scores of all blocks for the requests that may be tuned on: those of the split "dev"."""
    from ..workload.replay import collect_block_scores

    return collect_block_scores(_to_tune_on(workload), _measuring(reader, tuned), progress=True)


def are_remembered(workload: Workload, reader: SparseReader, tuned: Tuned) -> bool:
    """Whether ``scores_of`` would take no minutes."""
    from ..workload.replay.block_table import are_scores_remembered

    return are_scores_remembered(_to_tune_on(workload), _measuring(reader, tuned))


def _to_tune_on(workload: Workload) -> Workload:
    dev = workload.split("dev")
    if not len(dev):
        raise InvalidOption(
            f"All requests of {workload.name} are of the split test, so there is nothing to tune on; mark some as dev."
        )
    return dev


def curves_of(
    workload: Workload, reader: SparseReader, scores: BlockScores, tuned: Tuned, *, by_hand: bool
) -> RecallCurves:
    """Return what every cut would recall and keep, with the rules and offsets as they are tuned."""
    from ..workload.recall_curves import recall_curves

    return recall_curves(workload, _measuring(reader, tuned), scores=scores, by_hand=by_hand, progress=True)


def effects_of(
    workload: Workload,
    reader: SparseReader,
    scores: BlockScores,
    table: RuleTable,
    key: str,
    report: Report,
    *,
    by_hand: bool,
) -> WorkloadEffects:
    """Return what each rule of a table does over the workload when it is off, for a reader as it is tuned."""
    from ..workload.rule_effects import workload_effects

    return workload_effects(scores, workload, reader, table, table_key=key, by_hand=by_hand, progress=report)


def _measuring(reader: SparseReader, tuned: Tuned) -> SparseReader:
    """Return a reader with tuned rules and offsets that keeps its calibration, whatever the cut."""
    from ..reading.altered import altered

    return altered(reader, rules=tuned.book, offsets=dict(tuned.offsets))
