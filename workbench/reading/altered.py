"""A reader that differs from another in some of its settings."""

from __future__ import annotations

from typing import Any

from .reader import SparseReader


def settings_of(reader: SparseReader) -> dict[str, Any]:
    """Return what a reader was made of, without its scorer, as ``SparseReader`` takes it."""
    return {
        "rules": reader.rules,
        "threshold": reader.threshold,
        "token_share": reader.share.share,
        "min_tokens": reader.share.min_tokens,
        "offsets": reader.offsets,
        "calibration": reader.calibration,
        "tokenizer": reader.tokenizer,
        "feedback": reader.feedback,
    }


def altered(reader: SparseReader, **changes: Any) -> SparseReader:
    """Return a reader with the scorer and the settings of another one, but for the changes."""
    return SparseReader(**{"scorer": reader.scorer, **settings_of(reader), **changes})
