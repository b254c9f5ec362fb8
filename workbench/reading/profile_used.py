"""Which gate profile a reader was made from, and in what a reading departs from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..relevance.scores import Scale
from .cuts import Cut, TokenShare

if TYPE_CHECKING:
    from ..relevance.calibrated import Calibration
    from ..structure import RuleBook
    from .basis import Basis


@dataclass(frozen=True, eq=False)
class ProfileUsed:
    """The profile of a reader, with what it decides about blocks.

    Attributes
    ----------
    name : str
    fingerprint : str
        ``GateProfile.fingerprint``: SHA-256 of everything in it that decides a request.
    scorer : str
        Fingerprint of the scorer that it names.
    calibration : Calibration or None
    rules : RuleBook
    tokenizer : str
    offsets : mapping of str to float
        By document type.
    cut : Threshold or TokenShare
        Where relevance is calibrated; a threshold gives way to the default share where it is not.
    """

    name: str
    fingerprint: str
    scorer: str
    calibration: Calibration | None
    rules: RuleBook
    tokenizer: str
    offsets: Mapping[str, float]
    cut: Cut

    def departures(self, basis: Basis, cut: Cut) -> tuple[str, ...]:
        """Return what of a reading is not as the profile has it: scorer, calibration, rules, tokenizer, offset, cut."""
        kind, scores = basis.document.document_type.value, basis.scored
        own_map = self.calibration and self.calibration.map_for(kind, words_alone=scores.words_alone)
        maps = self.calibration.fingerprint if self.calibration and own_map else None
        shares = isinstance(self.cut, TokenShare) or scores.scale is Scale.CALIBRATED
        kept = {
            "scorer": scores.scorer == self.scorer,
            "calibration": scores.calibration == maps,
            "rules": basis.structure.sha256 == self.rules.table_for(basis.document).sha256,
            "tokenizer": basis.tokenizer.name == self.tokenizer,
            "offset": basis.offset == self.offsets.get(kind, 0.0),
            "cut": cut == (self.cut if shares else TokenShare()),
        }
        return tuple(name for name, same in kept.items() if not same)
