"""Which requests of a story the profile, or the models of its reader, know already: as far as anybody can tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ...calibration.outcomes import SPLITS, Mask, Outcomes
from ...documents.artifacts import artifact_sha256
from ...errors import WorkbenchError
from ...gate.profile import GateProfile
from ...reading import SparseReader
from ...resources import datasets_dir
from ...workload import Workload, load_workload
from ...workload.seen import unseen

OTHER_WORKLOAD = "another workload"
"""Where figures hold that are neither in sample nor out of sample for sure, beside those two words."""


class Origin(StrEnum):
    """What the workload of a story is to the one that the profile was fitted on."""

    SAME = "same"
    OLDER = "older"
    """The profile was fitted on another state of a workload of this name."""
    OTHER = "other"


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """What is known of the documents that rule and models were fitted on, arrays of shape (n,).

    Attributes
    ----------
    origin : Origin
    fitted : ndarray of bool
        True where the rule was fitted on the request's document, or where that has to be assumed.
    trained : ndarray of bool
        True where the reader's models were trained on it.
    is_compared : bool
        Whether the bytes of all documents were compared with those of the fit. What differs from them by a byte counts
        as another document: a changed copy is not found.
    notes : tuple of str
        In English; what models were trained on.
    """

    origin: Origin
    fitted: Mask
    trained: Mask
    is_compared: bool
    notes: tuple[str, ...] = ()

    @property
    def inside(self) -> Mask:
        """True where rule or models were fitted on the request's document, or may have been."""
        return self.fitted | self.trained


def sample_of(
    workload: Workload, fingerprint: str | None, profile: GateProfile, reader: SparseReader, outcomes: Outcomes
) -> Sample:
    """Return which requests are in sample.

    Parameters
    ----------
    workload : Workload
    fingerprint : str or None
        Of the workload; None where it cannot be made.
    profile : GateProfile
    reader : SparseReader
    outcomes : Outcomes
    """
    origin = Origin.OTHER
    if fingerprint == profile.workload.fingerprint:
        origin = Origin.SAME
    elif profile.workload.name == workload.name:
        origin = Origin.OLDER
    about = unseen(workload, reader.scorer)
    trained_on = set(workload.documents) - set(about.workload.documents)
    documents = np.array(outcomes.document.names, object)[outcomes.document.codes]
    is_test = np.zeros(len(outcomes), bool)
    if outcomes.split is not None:
        is_test = outcomes.split.codes == SPLITS.index("test")
    copies, is_compared = _copies_of_the_fit(workload, origin, profile)
    assumed = {Origin.SAME: ~is_test, Origin.OLDER: np.ones_like(is_test), Origin.OTHER: np.zeros_like(is_test)}
    return Sample(
        origin=origin,
        fitted=assumed[origin] | np.isin(documents, copies),
        trained=np.isin(documents, list(trained_on)) | (~is_test & bool(about.in_sample)),
        is_compared=is_compared,
        notes=about.notes,
    )


def _copies_of_the_fit(workload: Workload, origin: Origin, profile: GateProfile) -> tuple[list[str], bool]:
    """Return the documents with bytes that the profile was fitted on, and whether all of them could be compared."""
    fit = workload if origin is Origin.SAME else _bundled(profile)
    if fit is None:
        return [], False
    known: set[str] = set()
    for key in fit.split("dev").documents:
        known |= _digests(fit, key)
    own = {key: _digests(workload, key) for key in workload.documents}
    return [key for key, found in own.items() if found & known], all(own.values())


def _bundled(profile: GateProfile) -> Workload | None:
    """Return the bundled workload if the profile was fitted on it: a profile itself names no documents."""
    try:
        found = load_workload(datasets_dir() / "dev")
        return found if found.fingerprint == profile.workload.fingerprint else None
    except WorkbenchError:
        return None


def _digests(workload: Workload, key: str) -> set[str]:
    """Return the hash of an artifact, and of each file of a folder; nothing where it cannot be read."""
    try:
        found = {workload.artifacts.sha256(key)}
        if key in workload.artifacts.documents or not (place := workload.path_of(key)).is_dir():
            return found
        files = (file for file in place.rglob("*") if file.is_file() and not file.is_symlink())
        return found | {artifact_sha256(file) for file in files if file.stat().st_size}
    except (WorkbenchError, OSError):
        return set()
