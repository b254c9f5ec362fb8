"""A calibration as the gate profile that a runtime reads."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import CalibrationRefused
from ..gate.profile import GateProfile
from ..gate.profile.parts import FARTHEST, FigurePart, PromisePart
from .calibrate import TEST_BASIS
from .figures import IN_SAMPLE, OUT_OF_SAMPLE, Figure

if TYPE_CHECKING:
    from .block_thresholds import BlockThreshold
    from .result import CalibrationResult

GATE_LOSS = "quality loss of a request"
BLOCK_LOSS = "evidence missed by the block threshold"
LEVEL = 0.95
_NARROW = 1e-9
_OF_TEST = ", split test"
_SAME = ("token reduction", "quality loss", "routed force", "routed advisory", "routed native")
"""Figures that hang on rule and outcomes alone; two rules or two replays hardly ever have all of them alike."""
_ALIKE = 1e-6


def profile_of(
    result: CalibrationResult,
    *,
    name: str = "",
    created_by: str = "",
    blocks: BlockThreshold | None = None,
    reader: Mapping[str, Any] | None = None,
    headline: Iterable[Figure] | None = None,
    notes: Iterable[str] = (),
    created: datetime | None = None,
) -> GateProfile:
    """Return the profile of a calibration.

    Parameters
    ----------
    result : CalibrationResult
    name : str
        That of the workload by default.
    created_by : str
    blocks : BlockThreshold, optional
        The fit of the block threshold, for its floor, its promise and its figures.
    reader : mapping, optional
        The parts ``block``, ``models`` and ``rules`` (``workbench.reading.describing``); by default those that the
        outcomes name.
    headline : iterable of Figure, optional
        Stands in place of the result's own figures out of sample.
    notes : iterable of str
    created : datetime, optional
        Now by default.

    Raises
    ------
    CalibrationRefused
        If the outcomes do not say which reader they were made with: nothing could be read with such a profile.
    """
    from .. import __version__

    source = result.outcomes.source
    parts = dict(reader) if reader is not None else _reader_of(source)
    workload = source.get("workload") or {}
    called = str(workload.get("name") or "outcomes")
    block = json.loads(json.dumps(parts["block"]))
    if blocks is not None and block["cut"]["kind"] == "threshold":
        block["cut"]["recall_floor"] = blocks.recall
    outside = tuple(headline) if headline is not None else result.out_of_sample
    figures = [_figure(figure) for figure in (*outside, *result.test, *result.in_sample)]
    return GateProfile.model_validate(
        {
            "name": name or called,
            "created": created or datetime.now(UTC).replace(microsecond=0),
            "created_by": created_by,
            "workbench": __version__,
            "gate": {
                "weights": result.weights.to_dict(),
                "thresholds": _thresholds(result),
                "options": dict(source.get("options") or {}),
                "advisory_share": float(source.get("advisory_share", 0.5)),
                "quality_tolerance": result.quality_tolerance,
            },
            "block": block,
            "models": parts["models"],
            "workload": {
                "name": called,
                "fingerprint": str(workload.get("fingerprint") or "unknown"),
                "splits": _splits(result),
            },
            "figures": [*figures, *(_block_figures(blocks) if blocks else ())],
            "promises": _promises(result, blocks),
            "notes": [*result.notes, *notes, *(blocks.notes if blocks else ())],
            "rules": parts["rules"],
        }
    )


def with_figures_of(result: CalibrationResult, profile: GateProfile) -> CalibrationResult | None:
    """Return a result with the figures out of sample that a profile carries, where they are about the same outcomes.

    They are if the profile's own figures in sample come out again.

    Parameters
    ----------
    result : CalibrationResult
        What the profile's weights and thresholds do on outcomes, in sample.
    profile : GateProfile

    Returns
    -------
    CalibrationResult or None
        None where the profile was made of other outcomes, or carries no figures out of sample.
    """
    known = {figure.name: figure.value for figure in profile.figures if figure.sample == IN_SAMPLE}
    mine = {figure.name: figure.level for figure in result.in_sample if figure.name in _SAME}
    if any(name not in known or not math.isclose(known[name], mine[name], abs_tol=_ALIKE) for name in mine):
        return None
    units = {figure.name: figure.unit for figure in result.in_sample}
    splits = profile.workload.splits
    outside: list[Figure] = []
    test: list[Figure] = []
    for figure in profile.figures:
        name, basis = figure.name.removesuffix(_OF_TEST), f"as the profile {profile.name} says"
        is_test = name != figure.name
        size = splits.get("test" if is_test else "dev")
        if figure.sample == IN_SAMPLE or name not in units or size is None:
            continue
        found = Figure(
            name=name,
            level=figure.value,
            low=figure.low,
            high=figure.high,
            split=OUT_OF_SAMPLE,
            basis=TEST_BASIS if is_test else basis,
            unit=units[name],
            requests=size.requests,
            documents=size.documents,
        )
        (test if is_test else outside).append(found)
    if not outside:
        return None
    return replace(result, out_of_sample=tuple(outside), test=tuple(test))


def _reader_of(source: Mapping[str, Any]) -> dict[str, Any]:
    said = (source.get("reader") or {}).get("description")
    if not said:
        raise CalibrationRefused(
            "The outcomes do not say which reader made them, so no profile can name its model and rules; replay a "
            "workload with this version, or give profile_of the description of the reader."
        )
    found: dict[str, Any] = json.loads(said)
    return found


def _thresholds(result: CalibrationResult) -> dict[str, float]:
    """Margins lie within ±1, so what is beyond ±2 means never or always."""
    native, force = (float(np.clip(value, -FARTHEST, FARTHEST)) for value in _pair(result))
    return {"native": native, "force": force} if native < force else {"native": force - _NARROW, "force": force}


def _pair(result: CalibrationResult) -> tuple[float, float]:
    return result.thresholds.native, result.thresholds.force


def _splits(result: CalibrationResult) -> dict[str, dict[str, int]]:
    found = {"dev": {"requests": len(result.outcomes), "documents": result.outcomes.documents}}
    if result.test:
        found["test"] = {"requests": result.test[0].requests, "documents": result.test[0].documents}
    return found


def _figure(figure: Figure) -> FigurePart:
    interval = figure.low is not None and figure.high is not None
    return FigurePart(
        name=f"{figure.name}{_OF_TEST}" if figure.basis == TEST_BASIS else figure.name,
        value=figure.level,
        low=figure.low,
        high=figure.high,
        level=LEVEL if interval else None,
        unit=figure.unit,
        sample="in sample" if figure.split == IN_SAMPLE else "out of sample",
    )


def _block_figures(blocks: BlockThreshold) -> list[FigurePart]:
    found = []
    for name, estimate, sample in (
        ("evidence recall of the block threshold", blocks.out_of_sample, "out of sample"),
        ("evidence recall of the block threshold", blocks.in_sample, "in sample"),
        ("tokens kept by the block threshold", blocks.kept_out_of_sample, "out of sample"),
        ("tokens kept by the block threshold", blocks.kept_in_sample, "in sample"),
    ):
        if np.isnan(estimate.value):
            continue
        interval = not np.isnan(estimate.low)
        found.append(
            FigurePart.model_validate(
                {
                    "name": name,
                    "value": estimate.value,
                    "low": estimate.low if interval else None,
                    "high": estimate.high if interval else None,
                    "level": LEVEL if interval else None,
                    "unit": "share",
                    "sample": sample,
                }
            )
        )
    return found


def _promises(result: CalibrationResult, blocks: BlockThreshold | None) -> list[PromisePart]:
    found = []
    promise = result.promise
    if promise.alpha is not None:
        found.append(
            PromisePart(
                what=GATE_LOSS,
                alpha=promise.alpha,
                kept=promise.kept,
                reachable=promise.control.reachable if promise.control else promise.reachable,
                documents=promise.promise_documents,
                documents_needed=promise.control.documents_needed if promise.control else None,
            )
        )
    if blocks is not None:
        found.append(
            PromisePart(
                what=BLOCK_LOSS,
                alpha=1 - blocks.recall,
                kept=blocks.promised,
                reachable=blocks.risk.reachable,
                documents=blocks.risk.documents,
                documents_needed=blocks.risk.documents_needed,
            )
        )
    return found
