"""Where weights and thresholds of the gate come from, in a sentence before their figures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ..calibration.hand_set import SET_BY_HAND
from ..calibration.profiles import with_figures_of
from ..calibration.result import CalibrationResult
from ..calibration.rules import Rule
from .state import Tuned

if TYPE_CHECKING:
    from ..gate.profile import GateProfile

NO_RULE = "No weights and thresholds are set yet, so every request is native; calibrate, or set them by hand."
MADE_AGAIN = "Weights and thresholds were calibrated before; their figures out of sample are being made again."
NOT_AT_HAND = (
    "Weights and thresholds were calibrated on other outcomes or within another tolerance, so every figure here is in "
    "sample; calibrate again."
)
_NARROW = 1e-9


def origin_of(tuned: Tuned, profile: GateProfile | None, *, is_made_again: bool) -> str:
    """Return where a rule comes from, a sentence, where its figures out of sample are not at hand.

    Parameters
    ----------
    tuned : Tuned
    profile : GateProfile or None
        Which the bench began with.
    is_made_again : bool
        Whether a job makes the figures.
    """
    if tuned.origin == "profile" and profile is not None:
        return of_profile(profile)
    if tuned.origin == "calibrated":
        return MADE_AGAIN if is_made_again else NOT_AT_HAND
    return NO_RULE if tuned.origin == "none" else SET_BY_HAND


def of_profile(profile: GateProfile) -> str:
    """Say whose weights and thresholds these are."""
    return f"Weights and thresholds are those of the profile {profile.name}."


def judged_as_profile(result: CalibrationResult, profile: GateProfile) -> CalibrationResult:
    """Return what a profile's rule does on outcomes, with the figures out of sample that the profile carries.

    Parameters
    ----------
    result : CalibrationResult
        Of the rule, in sample; ``of_profile`` is its first note.
    profile : GateProfile
    """
    found = with_figures_of(result, profile)
    if found is not None:
        return found
    said = (
        f"Weights and thresholds are those of the profile {profile.name}, whose figures out of sample are of other "
        "outcomes than these, so every figure here is in sample; calibrate again."
    )
    return replace(result, notes=(said, *result.notes[1:]))


def is_alike(rule: Rule, result: CalibrationResult) -> bool:
    """Whether a calibration found the weights and thresholds of a rule."""
    return same_rule(rule, Rule(result.weights, result.thresholds))


def same_rule(one: Rule, other: Rule) -> bool:
    """Whether two rules are one but for what a file rounds away."""
    mine = (*one.weights, one.thresholds.native, one.thresholds.force)
    found = (*other.weights, other.thresholds.native, other.thresholds.force)
    return all(math.isclose(one, other, abs_tol=_NARROW) for one, other in zip(mine, found, strict=True))
