"""Which gate profile a reader was made from, and in what a reading departs from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..relevance.scores import Scale
from .cuts import Cut, Threshold, TokenShare

if TYPE_CHECKING:
    from ..documents import Document
    from ..gate.profile import GateProfile
    from ..relevance.calibrated import Calibration, CalibrationMap
    from ..relevance.scores import RelevanceScores
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

    @classmethod
    def of(cls, profile: GateProfile) -> ProfileUsed:
        """Return what a gate profile decides about blocks.

        Raises
        ------
        InvalidProfile
            If its rules or its maps cannot be read.
        """
        from ..gate.profile.parts import ThresholdCut

        cut = profile.block.cut
        return cls(
            name=profile.name,
            fingerprint=profile.fingerprint,
            scorer=profile.models.scorer,
            calibration=profile.calibration,
            rules=profile.rule_book,
            tokenizer=profile.models.tokenizer,
            offsets=profile.block.offsets,
            cut=Threshold(cut.value) if isinstance(cut, ThresholdCut) else TokenShare(cut.share, cut.min_tokens),
        )

    def map_for(self, document: Document, scores: RelevanceScores) -> CalibrationMap | None:
        """Return the map that scores of a document go through, or None."""
        kind = document.document_type.value
        return self.calibration.map_for(kind, words_alone=scores.words_alone) if self.calibration else None

    def due(self, document: Document, scores: RelevanceScores) -> dict[str, Any]:
        """Return what a reading of a document has if it is as the profile says.

        Keys are scorer, calibration, rules (fingerprints), tokenizer (name), offset and cut.
        """
        maps = self.calibration if self.map_for(document, scores) else None
        shares = isinstance(self.cut, TokenShare) or scores.scale is Scale.CALIBRATED
        return {
            "scorer": self.scorer,
            "calibration": maps and maps.fingerprint,
            "rules": self.rules.table_for(document).sha256,
            "tokenizer": self.tokenizer,
            "offset": self.offsets.get(document.document_type.value, 0.0),
            "cut": self.cut if shares else TokenShare(),
        }

    def departures(self, basis: Basis, cut: Cut) -> tuple[str, ...]:
        """Return what of a reading is not as the profile has it: scorer, calibration, rules, tokenizer, offset, cut."""
        scores = basis.scored
        has = {
            "scorer": scores.scorer,
            "calibration": scores.calibration,
            "rules": basis.structure.sha256,
            "tokenizer": basis.tokenizer.name,
            "offset": basis.offset,
            "cut": cut,
        }
        return tuple(name for name, value in self.due(basis.document, scores).items() if value != has[name])
