"""What a reader is, as the parts of a gate profile: models, cut, maps and rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .cuts import SEED_THRESHOLD

if TYPE_CHECKING:
    from .reader import SparseReader


def description_of(reader: SparseReader) -> dict[str, Any]:
    """Return the parts ``block``, ``models`` and ``rules`` of a gate profile, as plain values that JSON can hold.

    A profile with these parts makes a reader that decides alike (``SparseReader.from_profile``).
    """
    book = reader.rule_book
    return {
        "block": _block(reader),
        "models": _models(reader),
        "rules": {"sha256": book.sha256, "tables": book.to_dict()},
    }


def _block(reader: SparseReader) -> dict[str, Any]:
    if reader.calibration is None:
        return {
            "cut": {"kind": "token share", "share": reader.share.share, "min_tokens": reader.share.min_tokens},
            "offsets": reader.offsets,
        }
    value = reader.threshold.value if reader.threshold is not None else SEED_THRESHOLD
    return {
        "cut": {"kind": "threshold", "value": value},
        "offsets": reader.offsets,
        "calibration": json.loads(reader.calibration.to_json()),
    }


def _models(reader: SparseReader) -> dict[str, Any]:
    scorer = reader.scorer
    return {
        "scorer": scorer.fingerprint,
        "encoder": _model(getattr(scorer, "encoder", None)),
        "classifier": _model(getattr(scorer, "second_stage", None)),
        "tokenizer": reader.tokenizer.name,
    }


def _model(model: Any) -> dict[str, str] | None:
    return None if model is None else {"name": str(model.name), "fingerprint": str(model.fingerprint)}
