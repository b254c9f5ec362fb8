"""What a gate profile is made of: frozen pydantic models, each checked when it is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from .figures import with_interval

LARGEST_OFFSET = 0.08
"""How far a document type may move the block threshold (seed "sparse layers", section 3.1)."""
FARTHEST = 2.0
"""Margins lie within ±1, so a threshold at ±2 means never or always."""
_SUM_ERROR = 1e-6

Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]
Sha256 = Annotated[str, Field(min_length=1, max_length=128)]


class Part(BaseModel):
    """Base of every part: nothing unknown is accepted, nothing changes, and no number is infinite."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class WeightsPart(Part):
    """ws, wc, wr of the margin b = ws s - wc c - wr r; positive, and they sum to one."""

    exposure: Annotated[float, Field(gt=0.0, lt=1.0)]
    cost: Annotated[float, Field(gt=0.0, lt=1.0)]
    risk: Annotated[float, Field(gt=0.0, lt=1.0)]

    @model_validator(mode="after")
    def _sum_to_one(self) -> WeightsPart:
        total = self.exposure + self.cost + self.risk
        if abs(total - 1.0) > _SUM_ERROR:
            raise ValueError(f"the weights sum to {total:.6g}; they must sum to 1")
        return self


class ThresholdsPart(Part):
    """θn and θf: native at or below the one, force at or above the other, advisory between."""

    native: Annotated[float, Field(ge=-FARTHEST, le=FARTHEST)]
    force: Annotated[float, Field(ge=-FARTHEST, le=FARTHEST)]

    @model_validator(mode="after")
    def _in_order(self) -> ThresholdsPart:
        if not self.native < self.force:
            raise ValueError(f"native is {self.native:g} and force {self.force:g}; native must be below force")
        return self


class GatePart(Part):
    """How a request is routed.

    Attributes
    ----------
    options : dict
        Every constant that the signals are made with; see ``SignalOptions.to_dict``.
    advisory_share : float
        How often an advisory request was taken to read sparsely when the thresholds were fitted.
    quality_tolerance : float or None
        Mean loss of quality that was accepted when weights and thresholds were chosen; it decides no request. None
        where nobody knows.
    """

    weights: WeightsPart
    thresholds: ThresholdsPart
    options: dict[str, Any] = Field(default_factory=dict)
    advisory_share: Share = 0.5
    quality_tolerance: Share | None = None


class ThresholdCut(Part):
    """Keep the blocks whose calibrated priority is at least ``value``."""

    kind: Literal["threshold"] = "threshold"
    value: Share
    recall_floor: Share | None = None


class ShareCut(Part):
    """Keep the best blocks up to a share of the tokens: the cut without calibration."""

    kind: Literal["token share"] = "token share"
    share: Annotated[float, Field(gt=0.0, le=1.0)]
    min_tokens: Count


class BlockPart(Part):
    """Which blocks of a document are kept.

    Attributes
    ----------
    cut : ThresholdCut or ShareCut
    offsets : dict of str to float
        What a document type adds to the threshold, at most ±0.08.
    calibration : dict or None
        The maps from logits to probabilities; see ``Calibration.to_json``.
    """

    cut: Annotated[ThresholdCut | ShareCut, Field(discriminator="kind")]
    offsets: dict[str, Annotated[float, Field(ge=-LARGEST_OFFSET, le=LARGEST_OFFSET)]] = Field(default_factory=dict)
    calibration: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _calibrated(self) -> BlockPart:
        if isinstance(self.cut, ThresholdCut) and self.calibration is None:
            raise ValueError("the cut is a threshold on calibrated relevance, but there is no calibration")
        return self


class RulesPart(Part):
    """The rule tables, by document type, and the hash of what they decide."""

    sha256: Sha256
    tables: dict[str, dict[str, Any]]


class ModelPart(Part):
    """A model by its name and the fingerprint of its weights."""

    name: str
    fingerprint: Sha256


class ModelsPart(Part):
    """What scored the blocks and counted the tokens.

    Attributes
    ----------
    scorer : str
        Fingerprint of encoder, classifier and every constant of the fusion together.
    encoder, classifier : ModelPart or None
        None for words alone, and without a second stage.
    tokenizer : str
    """

    scorer: Sha256
    encoder: ModelPart | None = None
    classifier: ModelPart | None = None
    tokenizer: str


class SplitPart(Part):
    """Size of one part of the workload."""

    requests: Count
    documents: Count


class WorkloadPart(Part):
    """What the profile was fitted on."""

    name: str
    fingerprint: Sha256
    splits: dict[str, SplitPart]

    @field_validator("splits")
    @classmethod
    def _not_empty(cls, splits: dict[str, SplitPart]) -> dict[str, SplitPart]:
        if not any(split.requests for split in splits.values()):
            raise ValueError("a profile is fitted on at least one request")
        return splits


class FigurePart(Part):
    """One figure with its interval.

    Attributes
    ----------
    name : str
    value : float
    low, high : float or None
        Bootstrap interval over documents; None where there is none.
    level : float or None
        Of the interval, such as 0.95.
    unit : str
    sample : {"in sample", "out of sample"}
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    level: Share | None = None
    unit: str = ""
    sample: Literal["in sample", "out of sample"]

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit.startswith("tokens") else ""
        return f"{self.name}: {with_interval(self)}{unit} ({self.sample})"


class PromisePart(Part):
    """What conformal risk control promises of a new document, or why it cannot.

    Attributes
    ----------
    what : str
        The loss that is bounded.
    alpha : float
        Bound that was asked for.
    kept : bool
        Whether the exported numbers carry it.
    reachable : float
        The smallest bound that these documents can carry.
    documents : int
    documents_needed : int or None
        How many it would take at no loss.
    """

    what: str
    alpha: Share
    kept: bool
    reachable: float
    documents: Count
    documents_needed: Count | None = None
