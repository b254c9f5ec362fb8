"""What a bench begins with: reader, profile and outcomes that lie beside a workload, and the state before any edit."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..calibration.outcomes import checked_outcomes
from ..calibration.rules import Rule
from ..errors import StaleProfile, WorkbenchError
from ..gate.margin import GateThresholds, GateWeights, Route
from ..gate.signal_options import SignalOptions
from ..reading import SparseReader
from .state import BenchState, Tuned

if TYPE_CHECKING:
    import pandas as pd

    from ..gate.profile import GateProfile
    from ..workload import Workload

PROFILE, OUTCOMES = "gate.json", "outcomes.parquet"
_PLACE = ".sparseread"
_UNFIT = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, eq=False)
class Beginning:
    """What a bench begins with.

    Attributes
    ----------
    reader : SparseReader
        Its scores are remembered on disk.
    profile : GateProfile or None
        Where the rule of the gate comes from.
    state : BenchState
    options : SignalOptions
        What the signals are made with, as long as nothing is tuned.
    notes : tuple of str
        What was taken, and why, a sentence each.
    """

    reader: SparseReader
    profile: GateProfile | None
    state: BenchState
    options: SignalOptions
    notes: tuple[str, ...]

    def options_as_tuned(self, tuned: Tuned) -> SignalOptions:
        """Return what the signals are made with: what they expect a read to keep is what the reader keeps."""
        if tuned.cut is None or tuned.cut.kind != "share":
            return self.options
        return replace(self.options, share=tuned.cut.value, least_tokens=self.reader.share.min_tokens)


def beginning_of(workload: Workload | None, reader: SparseReader | None) -> Beginning:
    """Return reader, profile and first state; a profile that cannot be used is a note, and no error."""
    profile, notes = _profile_beside(workload)
    given = reader is not None
    if reader is None and profile is not None:
        try:
            reader = SparseReader.from_profile(profile)
        except WorkbenchError as error:
            notes.append(f"The reader of {PROFILE} cannot be used here, so the default one reads: {error}")
    if reader is None:
        reader = SparseReader()
        if workload is not None and profile is None:
            notes.append(
                "No profile lies beside the workload, so the default reader reads, and every request is native; replay "
                "and calibrate, or set the gate by hand."
            )
    elif given and profile is not None and (said := _unfit(profile, reader)):
        notes.append(said)
    remembered = remembered_by(reader)
    state = BenchState(tuned=_tuned(remembered, profile))
    options = SignalOptions(share=reader.share.share, least_tokens=reader.share.min_tokens)
    if profile is not None:
        options = SignalOptions.from_dict(profile.gate.options)
    return Beginning(remembered, profile, state, options, tuple(notes))


def first_request(workload: Workload | None, outcomes: pd.DataFrame | None, rule: Rule) -> str | None:
    """Return the request that a bench opens with, by its id; None without a workload.

    It is the first one that shows what sparse reading is for: the gate forces it, and the first read sees all evidence.
    Where the outcomes name none such, it is the first of the workload.

    Parameters
    ----------
    workload : Workload or None
    outcomes : DataFrame or None
        Of the workload; rows of other requests play no part.
    rule : Rule
        Of the gate.
    """
    if workload is None:
        return None
    good = _well_read(outcomes, rule)
    shown = (request.id for request in workload.requests if request.evidence and request.id in good)
    return next(shown, next((request.id for request in workload.requests), None))


def _well_read(outcomes: pd.DataFrame | None, rule: Rule) -> frozenset[str]:
    """Return the requests that a gate forces and whose first sparse read sees all evidence."""
    if outcomes is None:
        return frozenset()
    try:
        checked = checked_outcomes(outcomes)
    except WorkbenchError:
        # Every view that shows outcomes says what is wrong with them; the first request needs none.
        return frozenset()
    good = (rule.routes(checked) == Route.FORCE.code) & (outcomes["quality_sparse"].to_numpy() == 1)
    # The bench shows the first read; later rounds, or the whole artifact, may have found what that one skipped.
    if "rounds" in outcomes.columns:
        good &= outcomes["rounds"].to_numpy() == 1
    if "fell_back" in outcomes.columns:
        good &= ~outcomes["fell_back"].to_numpy().astype(bool)
    return frozenset(checked.request[good].astype(str).tolist())


def folder_of(workload: Workload | None, folder: str | Path | None) -> Path:
    """Return the folder of a workspace: the one that was named, else one below the current folder."""
    if folder is not None:
        return Path(folder).expanduser().absolute()
    name = _UNFIT.sub("-", workload.name).strip("-.") if workload is not None else ""
    return Path.cwd() / _PLACE / (name or "bench")


def outcomes_beside(folder: Path, workload: Workload | None) -> pd.DataFrame | None:
    """Return the outcomes of the workspace, else those beside the workload, or None.

    Raises
    ------
    WorkbenchError
        If a file of outcomes is there that cannot be read.
    """
    from ..workload.replay import load_outcomes

    places = [folder, *([workload.folder] if workload is not None and workload.folder is not None else [])]
    for place in places:
        if (place / OUTCOMES).is_file():
            return load_outcomes(place / OUTCOMES)
    return None


def _profile_beside(workload: Workload | None) -> tuple[GateProfile | None, list[str]]:
    from ..gate.profile import GateProfile

    if workload is None or workload.folder is None or not (workload.folder / PROFILE).is_file():
        return None, []
    try:
        return GateProfile.load(workload.folder / PROFILE), []
    except WorkbenchError as error:
        return None, [f"The profile beside the workload cannot be used, so the bench begins without one: {error}"]


def _unfit(profile: GateProfile, reader: SparseReader) -> str:
    """Say why a profile was made with another reader than the one that was given, or ""."""
    try:
        SparseReader.from_profile(profile, scorer=reader.scorer, rules=reader.rule_book, tokenizer=reader.tokenizer)
    except StaleProfile as error:
        return f"Weights and thresholds come from {PROFILE}, which was made with another reader than this: {error}"
    return ""


def remembered_by(reader: SparseReader) -> SparseReader:
    """Return a reader whose scores are remembered on disk; those of a scorer of somebody's own may change any time."""
    from ..relevance.hybrid import HybridScorer
    from ..workload.replay.replaying import remembering

    return remembering(reader) if isinstance(reader.scorer, HybridScorer) else reader


def _tuned(reader: SparseReader, profile: GateProfile | None) -> Tuned:
    tables = MappingProxyType(dict(reader.rule_book.tables))
    offsets = MappingProxyType({name: value for name, value in sorted(reader.offsets.items()) if value})
    began = Tuned(tables=tables, offsets=offsets)
    if profile is None:
        return began
    accepted = profile.gate.quality_tolerance
    began = replace(began, rule=rule_in(profile), origin="profile", fitted=accepted)
    return began if accepted is None else replace(began, tolerance=accepted)


def rule_in(profile: GateProfile) -> Rule:
    """Return weights and thresholds of a profile."""
    weights, at = profile.gate.weights, profile.gate.thresholds
    return Rule(
        GateWeights(weights.exposure, weights.cost, weights.risk), GateThresholds(native=at.native, force=at.force)
    )
