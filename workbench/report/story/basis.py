"""What the story of a workload rests on: outcomes that fit workload and profile, and what the rule does there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...calibration.figures import policy_of
from ...calibration.outcomes import Floats, Mask, Outcomes, checked_outcomes, unjudged
from ...calibration.rules import Rule
from ...errors import InvalidOption
from ...gate.margin import GateThresholds, GateWeights
from ...gate.profile import GateProfile
from ...gate.signal_options import SignalOptions
from ...reading import SparseReader
from ...workload import Workload, load_workload
from ...workload.replay.replaying import EVIDENCE_RECALL, remembering
from .outcomes import failed_of, fingerprint_of, outcomes_for, reader_of, refuse_others
from .sample import Origin, Sample, sample_of

if TYPE_CHECKING:
    import pandas as pd


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
    sample : Sample
        Which requests rule and models were fitted on.
    unused : str
        Why outcomes beside the workload were not used, in English; else "".
    is_verified : bool
        Whether the outcomes were compared with the workload by its fingerprint; False where a file of it is gone.
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
    sample: Sample
    unused: str = ""
    is_verified: bool = True

    @property
    def inside(self) -> Mask:
        """True where rule or models were fitted on the request's document, or may have been."""
        return self.sample.inside

    @property
    def is_fitted(self) -> bool:
        """Whether the profile was fitted on this very workload."""
        return self.sample.origin is Origin.SAME

    @property
    def told(self) -> Mask:
        """The requests that scenarios and money are told of: those out of sample where there are any."""
        outside = self.judged & ~self.inside
        return outside if outside.any() else self.judged

    @property
    def evident(self) -> Mask:
        """True where a loss would be seen: there is evidence to find, or a model's answer was graded."""
        found = ~np.isnan(self.frame["recall_native"].to_numpy(np.float64))
        graded = (self.frame["quality_kind"] != EVIDENCE_RECALL).to_numpy(bool)
        return np.asarray(self.judged & (found | graded))

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """Requests that could not be replayed, each with the reason."""
        return failed_of(self.frame)


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
        If the outcomes are of another workload, another reader or other signals, or not of every request; the message
        names the difference.
    WorkbenchError
        If workload or profile cannot be read.
    """
    work = workload if isinstance(workload, Workload) else load_workload(workload)
    if not isinstance(profile, GateProfile | str | Path):
        raise InvalidOption(f"The profile is of type {type(profile).__name__}; give a GateProfile or the path of one.")
    found = profile if isinstance(profile, GateProfile) else GateProfile.load(profile)
    used = reader_of(found, profile, reader)
    options = SignalOptions.from_dict(found.gate.options)
    unused = ""
    if outcomes is None:
        outcomes, unused = outcomes_for(work, found, used, options, progress)
    else:
        refuse_others(outcomes, work, used, options)
    checked, rule = checked_outcomes(outcomes), rule_of_profile(found)
    margins = rule.margins(checked)
    routes = rule.routes(checked, margins)
    own = fingerprint_of(work)
    return StoryBasis(
        workload=work,
        profile=found,
        reader=remembering(used),
        options=options,
        frame=outcomes,
        outcomes=checked,
        rule=rule,
        margins=margins,
        routes=routes,
        share=policy_of(checked, routes, "", "").share,
        judged=~unjudged(outcomes),
        sample=sample_of(work, own or outcomes.attrs["workload"]["fingerprint"], found, used, checked),
        unused=unused,
        is_verified=own is not None,
    )


def rule_of_profile(profile: GateProfile) -> Rule:
    """Return weights and thresholds of a profile."""
    weights, at = profile.gate.weights, profile.gate.thresholds
    return Rule(
        GateWeights(weights.exposure, weights.cost, weights.risk), GateThresholds(native=at.native, force=at.force)
    )
