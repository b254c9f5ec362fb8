"""An audit held against the gate profile that it names: fingerprints, cut, offset, rules and the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...documents.surrogates import without_surrogates
from ...relevance.scores import Scale
from ..basis import Basis
from ..profile_used import ProfileUsed
from .comparing import different_facts
from .making import cut_as_data
from .table import Audit

if TYPE_CHECKING:
    from ...gate.profile import GateProfile

HERE = "in this profile"
"""What stands before a value of the profile."""
FACT_OF: Mapping[str, str] = {
    "scorer": "scorer",
    "calibration": "calibration",
    "rules": "rules_sha256",
    "tokenizer": "tokenizer",
    "offset": "type_offset",
    "cut": "cut",
}
"""Where an audit tells of what a reading can depart in."""
ROUNDING = 1e-12
"""How far the exponential of two processors may differ."""


def against_profile(audit: Audit, basis: Basis, profile: GateProfile | str | Path) -> Iterator[str]:
    """Give a sentence for each thing that is not as the profile has it, whether the audit admits it or not.

    Raises
    ------
    FileMissing, InvalidProfile
        If there is no such profile.
    """
    from ...gate.profile import GateProfile

    used = ProfileUsed.of(profile if isinstance(profile, GateProfile) else GateProfile.load(profile))
    facts = audit.facts
    due = used.due(basis.document, basis.scored)
    facts_due = {FACT_OF[name]: cut_as_data(value) if name == "cut" else value for name, value in due.items()}
    departures = [name for name, fact in FACT_OF.items() if facts[fact] != facts_due[fact]]
    named = {"profile": without_surrogates(used.name), "profile_sha256": used.fingerprint}
    yield from different_facts(facts, {**named, **facts_due}, words=HERE)
    yield from different_facts(facts, {"profile_departures": departures}, words="held against this profile")
    if "rules" not in departures:
        yield from _other_rules(audit, basis, used)
    if "calibration" not in departures:
        scale = Scale.UNCALIBRATED if due["calibration"] is None else Scale.CALIBRATED
        yield from different_facts(facts, {"scale": scale.value}, words=HERE)
        yield from _other_relevances(basis, used)


def _other_rules(audit: Audit, basis: Basis, used: ProfileUsed) -> Iterator[str]:
    """The rules that spoke must be those of the table, with its weights and pins."""
    table = {rule.name: rule for rule in used.rules.table_for(basis.document).rules if rule.enabled}
    for spoken in audit.facts["rules_spoken"]:
        own = table.get(spoken["name"])
        if own is None:
            yield f"rules_spoken: here {spoken['name']!r:.60}, {HERE} no such rule"
        elif (own.weight, own.pin) != (spoken["weight"], spoken["pin"]):
            yield (
                f"rules_spoken, {spoken['name']}: here x {spoken['weight']:g}{' pin' * spoken['pin']}, "
                f"{HERE} x {own.weight:g}{' pin' * own.pin}"
            )


def _other_relevances(basis: Basis, used: ProfileUsed) -> Iterator[str]:
    """The relevances must be what the map makes of the logits."""
    chosen = used.map_for(basis.document, basis.scored)
    if chosen is None:
        return
    stored, mapped = basis.scored.relevance, chosen(basis.scored.logits)
    for block in np.flatnonzero(np.abs(stored - mapped) > ROUNDING).tolist():
        yield f"block {block}, scored_relevance: here {stored[block]}, by the map of this profile {mapped[block]}"
