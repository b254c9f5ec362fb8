"""What the story of a workload rests on: outcomes that fit workload and profile, and what the rule does there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...calibration.figures import policy_of
from ...calibration.outcomes import SPLITS, Floats, Mask, Outcomes, checked_outcomes, unjudged
from ...calibration.rules import Rule
from ...errors import InvalidOption, InvalidOutcomes, StaleProfile, WorkbenchError
from ...gate.margin import GateThresholds, GateWeights
from ...gate.profile import GateProfile
from ...gate.signal_options import SignalOptions
from ...reading import SparseReader
from ...workload import Workload, load_workload
from ...workload.replay import load_outcomes, replay
from ...workload.replay.keys import reader_values
from ...workload.replay.outcomes import COLUMNS
from ...workload.replay.replaying import remembering
from ...workload.seen import unseen

if TYPE_CHECKING:
    import pandas as pd

OUTCOMES = "outcomes.parquet"
_SHORT = 12


@dataclass(frozen=True, eq=False, kw_only=True)
class StoryBasis:
    """Workload, profile, and what became of every request.

    Attributes
    ----------
    workload : Workload
    profile : GateProfile
    reader : SparseReader
        The profile's; its scores are remembered on disk.
    options : SignalOptions
        Of the gate.
    frame : DataFrame
        The outcomes, one row a request.
    outcomes : Outcomes
        The same, checked; every array below has its order and length n.
    rule : Rule
        Weights and thresholds of the profile.
    margins : ndarray of float64, shape (n,)
    routes : ndarray of uint8, shape (n,)
        Codes of ``workbench.gate.margin``.
    share : ndarray of float64, shape (n,)
        Probability that the sparse path is taken.
    judged : ndarray of bool, shape (n,)
        False where none of the evidence was found.
    inside : ndarray of bool, shape (n,)
        True where rule or models were fitted on the request's document, or may have been.
    is_fitted : bool
        Whether the profile was fitted on this very workload.
    is_older : bool
        Whether it was fitted on another state of a workload of this name.
    notes : tuple of str
        In English; what models were trained on.
    """

    workload: Workload
    profile: GateProfile
    reader: SparseReader
    options: SignalOptions
    frame: pd.DataFrame
    outcomes: Outcomes
    rule: Rule
    margins: Floats
    routes: npt.NDArray[np.uint8]
    share: Floats
    judged: Mask
    inside: Mask
    is_fitted: bool
    is_older: bool
    notes: tuple[str, ...] = ()

    @property
    def told(self) -> Mask:
        """The requests that scenarios and money are told of: those out of sample where there are any."""
        outside = self.judged & ~self.inside
        return outside if outside.any() else self.judged

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """Requests that could not be replayed, each with the reason."""
        found = self.frame.attrs.get("failed")
        return tuple((str(one["request"]), str(one["reason"])) for one in found) if isinstance(found, list) else ()


def basis_of(
    workload: Workload | str | Path,
    profile: GateProfile | str | Path,
    *,
    outcomes: pd.DataFrame | None = None,
    reader: SparseReader | None = None,
    progress: bool | None = None,
) -> StoryBasis:
    """Return what a story rests on.

    Parameters
    ----------
    workload : Workload or path
    profile : GateProfile or path
    outcomes : DataFrame, optional
        By default those beside the workload if they fit, else of a replay.
    reader : SparseReader, optional
        The profile's by default.
    progress : bool, optional

    Raises
    ------
    StaleProfile
        If the reader is not the profile's.
    InvalidOutcomes
        If the outcomes are of another workload, another reader or other signals; the message names the difference.
    WorkbenchError
        If workload, profile or an artifact cannot be read.
    """
    work = workload if isinstance(workload, Workload) else load_workload(workload)
    if not isinstance(profile, GateProfile | str | Path):
        raise InvalidOption(f"The profile is of type {type(profile).__name__}; give a GateProfile or the path of one.")
    found = profile if isinstance(profile, GateProfile) else GateProfile.load(profile)
    used = _reader_of(found, profile, reader)
    options = SignalOptions.from_dict(found.gate.options)
    if outcomes is not None:
        _refuse_others(outcomes, work, used, options)
        frame = outcomes
    else:
        beside = _beside(work, used, options)
        frame = beside if beside is not None else _replayed(work, found, used, options, progress)
    return _assembled(work, found, used, options, frame)


def _reader_of(profile: GateProfile, given: GateProfile | str | Path, reader: SparseReader | None) -> SparseReader:
    """Return the profile's reader, with the models of the one that was given."""
    if reader is None:
        return SparseReader.from_profile(given)
    own = SparseReader.from_profile(
        profile, scorer=reader.scorer, rules=reader.rule_book, tokenizer=reader.tokenizer, feedback=reader.feedback
    )
    others = _differences(reader_values(reader), reader_values(own))
    if others:
        raise StaleProfile(
            f"The reader is not that of the profile {profile.name!r}: it has another {', another '.join(others)}; give "
            "SparseReader.from_profile of the profile, or no reader."
        )
    return own


_PARTS = {
    "scorer": "model",
    "calibration": "calibration",
    "rules": "rule table",
    "threshold": "threshold",
    "share": "token share",
    "offsets": "offset of a document type",
    "tokenizer": "tokenizer",
}


def _differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names of the settings in which two readers differ."""
    left, right = (json.loads(json.dumps(dict(values))) for values in (one, other))
    if left.get("calibration") is None and right.get("calibration") is None:
        # A threshold for calibrated relevance decides nothing without a calibration.
        left.pop("threshold", None), right.pop("threshold", None)
    return [words for name, words in _PARTS.items() if left.get(name) != right.get(name)]


def _refuse_others(frame: pd.DataFrame, workload: Workload, reader: SparseReader, options: SignalOptions) -> None:
    problem = _misfit(frame, workload, reader, options)
    if problem:
        raise InvalidOutcomes(f"{problem}; replay the workload with the profile's reader, or leave the outcomes out.")


def _misfit(frame: pd.DataFrame, workload: Workload, reader: SparseReader, options: SignalOptions) -> str:
    """Return why outcomes are not of this workload and reader, without a full stop, or ""."""
    checked_outcomes(frame)
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        return f"The outcomes have no column {', '.join(missing)}, which a replay gives"
    source = frame.attrs
    of, by, made_with = (source.get(name) for name in ("workload", "reader", "options"))
    if not of or not by or not made_with:
        return "The outcomes do not say which workload and which reader they were made of"
    if of.get("fingerprint") != workload.fingerprint:
        theirs = f"{of.get('name')!r:.60} ({str(of.get('fingerprint'))[:_SHORT]})"
        return f"The outcomes are of the workload {theirs}, not of {workload.name!r} ({workload.fingerprint[:_SHORT]})"
    others = _differences(by, reader_values(reader))
    if others:
        return f"The outcomes were made by a reader with another {', another '.join(others)} than the profile's"
    if SignalOptions.from_dict(made_with) != options:
        return "The outcomes hold gate signals that were made with other constants than the profile's"
    return ""


def _beside(workload: Workload, reader: SparseReader, options: SignalOptions) -> pd.DataFrame | None:
    """Return the outcomes beside a workload, if they are of this workload and reader."""
    if workload.folder is None or not (workload.folder / OUTCOMES).is_file():
        return None
    try:
        frame = load_outcomes(workload.folder / OUTCOMES)
        return None if _misfit(frame, workload, reader, options) else frame
    except WorkbenchError:
        return None


def _replayed(
    workload: Workload, profile: GateProfile, reader: SparseReader, options: SignalOptions, progress: bool | None
) -> pd.DataFrame:
    share = profile.gate.advisory_share
    return replay(workload, reader, options=options, advisory_share=share, progress=progress)


def _assembled(
    workload: Workload, profile: GateProfile, reader: SparseReader, options: SignalOptions, frame: pd.DataFrame
) -> StoryBasis:
    checked = checked_outcomes(frame)
    rule = rule_of_profile(profile)
    margins = rule.margins(checked)
    routes = rule.routes(checked, margins)
    is_fitted = profile.workload.fingerprint == workload.fingerprint
    is_older = not is_fitted and profile.workload.name == workload.name
    about = unseen(workload, reader.scorer)
    trained_on = set(workload.documents) - set(about.workload.documents)
    documents = np.array(checked.document.names, object)[checked.document.codes]
    is_test = np.zeros(len(checked), bool)
    if checked.split is not None:
        is_test = checked.split.codes == SPLITS.index("test")
    # What is set aside as "test" is in no fit, of this workload or of an earlier state of it.
    fitted = ~is_test & (is_fitted or is_older or bool(about.in_sample))
    return StoryBasis(
        workload=workload,
        profile=profile,
        reader=remembering(reader),
        options=options,
        frame=frame,
        outcomes=checked,
        rule=rule,
        margins=margins,
        routes=routes,
        share=policy_of(checked, routes, "", "").share,
        judged=~unjudged(frame),
        inside=fitted | np.isin(documents, list(trained_on)),
        is_fitted=is_fitted,
        is_older=is_older,
        notes=about.notes,
    )


def rule_of_profile(profile: GateProfile) -> Rule:
    """Return weights and thresholds of a profile."""
    weights, at = profile.gate.weights, profile.gate.thresholds
    return Rule(
        GateWeights(weights.exposure, weights.cost, weights.risk), GateThresholds(native=at.native, force=at.force)
    )
