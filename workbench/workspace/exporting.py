"""The gate profile of a bench: what is tuned, with figures that say how far they can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..calibration.profiles import profile_of
from ..calibration.result import CalibrationResult
from ..errors import CalibrationRefused, FileMissing, InvalidOption, InvalidProfile
from ..reading import SparseReader
from ..reading.describing import description_of
from ..relevance.scores import Scale
from .state import Tuned

if TYPE_CHECKING:
    from ..gate.profile import GateProfile


def profile_as_tuned(
    result: CalibrationResult,
    reader: SparseReader,
    *,
    tuned: Tuned,
    began: Tuned,
    profile: GateProfile | None = None,
    calibrated: bool = False,
    name: str = "",
    by: str = "",
) -> GateProfile:
    """Return the profile of a bench.

    Parameters
    ----------
    result : CalibrationResult
        Of the rule that is tuned.
    reader : SparseReader
        As it is tuned.
    tuned, began : Tuned
        Now, and before the first edit: the notes say what was tuned by hand.
    profile : GateProfile, optional
        Which the bench began with; where nothing that decides is another, its figures, promises and notes stay.
    calibrated : bool
        Whether the reader that the bench began with has a calibration.
    name, by : str

    Raises
    ------
    CalibrationRefused
        If the cut is a threshold on uncalibrated relevance, which a profile cannot hold.
    """
    threshold = reader.threshold
    if threshold is not None and threshold.scale is Scale.UNCALIBRATED:
        raise CalibrationRefused(
            f"The cut is the {threshold}, and a profile holds a threshold on calibrated relevance alone; set a share "
            "of the tokens (set_share), or calibrate relevance with workbench calibrate."
        )
    notes = tuple(_notes(tuned, began, calibrated))
    found = profile_of(result, name=name, created_by=by, reader=description_of(reader), notes=notes)
    accepted = tuned.tolerance if tuned.origin == "hand" else tuned.fitted
    found = found.model_copy(update={"gate": found.gate.model_copy(update={"quality_tolerance": accepted})})
    is_its_own = profile is not None and tuned.origin == "profile" and bool(result.out_of_sample)
    return _as_it_was(profile, found) if profile is not None and is_its_own else found


def _as_it_was(profile: GateProfile, found: GateProfile) -> GateProfile:
    """Return a profile with all that another one says of the same weights, thresholds, cut, rules and models."""
    decisive = {one.field for one in profile.diff(found).differences if one.decides}
    if decisive - {"block.cut.recall_floor"}:
        return found
    notes = tuple(dict.fromkeys((*found.notes[:1], *profile.notes)))
    kept = {name: getattr(profile, name) for name in ("block", "workload", "figures", "promises")}
    return found.model_copy(update={**kept, "notes": notes})


def _notes(tuned: Tuned, began: Tuned, calibrated: bool) -> Iterator[str]:
    changed = sorted(kind for kind, table in tuned.tables.items() if table.sha256 != began.tables[kind].sha256)
    by_hand = [f"the rules for {'other' if kind == '*' else kind} documents" for kind in changed]
    by_hand += ["the block cut"] if tuned.cut != began.cut else []
    by_hand += ["the offsets"] if tuned.offsets != began.offsets else []
    if by_hand:
        verb = "was" if by_hand == ["the block cut"] else "were"
        said = _listed(by_hand)
        yield (
            f"{said[0].upper()}{said[1:]} {verb} tuned by hand on this workload, so no figure is out of sample for "
            "that."
        )
    if calibrated and tuned.cut is not None and tuned.cut.kind == "share":
        yield "The cut is a share of the tokens, so a reader of this profile ranks blocks by uncalibrated relevance."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def checked_target(path: str | Path) -> Path:
    """Return where a profile may be written.

    Raises
    ------
    InvalidOption
        If it does not end in .json, or what is there is no profile.
    FileMissing
        If its folder is not there.
    """
    from ..gate.profile import GateProfile

    target = Path(path).expanduser()
    if target.suffix != ".json":
        raise InvalidOption(f"The profile {target.name or path} must end in .json.")
    if not target.absolute().parent.is_dir():
        raise FileMissing(f"There is no folder {target.parent} to write {target.name} into; make it first.")
    if target.exists():
        try:
            GateProfile.load(target)
        except (InvalidProfile, FileMissing) as error:
            raise InvalidOption(
                f"{target.name} is there already, and is no gate profile; give another file, or remove it."
            ) from error
    return target
