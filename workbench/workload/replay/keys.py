"""Under which key an outcome is remembered: a hash of everything that decides it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...caching import key_of
from ...documents.registry import formats
from ...reading import SparseReader
from ...reading.describing import description_of
from ...resources import rules_dir
from ..requests import Request
from ..workload import Workload
from .scores import document_key

DECIDING = (
    "documents",
    "structure",
    "relevance",
    "gate",
    "reading",
    "workload/gold.py",
    "workload/places.py",
    "workload/wording.py",
    "workload/replay",
)
"""The parts whose code decides an outcome. A new version replays; what was scored is remembered all the same."""
_DESCRIBING = ("id", "artifact", "scenario", "split", "label", "rubric", "near_miss")
"""Fields of a request that no path looks at: they may change without a replay."""


@lru_cache(maxsize=1)
def code_key() -> str:
    """Return the hash of the code and the rule tables that decide an outcome."""
    package = Path(__file__).resolve().parents[2]
    digest = hashlib.sha256()
    for file in sorted({*_files(package), *rules_dir().rglob("*.yaml")}):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return key_of(digest.hexdigest(), [(found.name, found.version) for found in formats()])


def _files(package: Path) -> Iterator[Path]:
    for name in DECIDING:
        place = package / name
        yield from [place] if place.is_file() else place.rglob("*.py")


def reader_values(reader: SparseReader) -> dict[str, Any]:
    """Return what tells a reader from others: fingerprints, cuts, and all that a profile needs of it, as JSON."""
    return {
        "scorer": reader.scorer.fingerprint,
        "calibration": None if reader.calibration is None else reader.calibration.fingerprint,
        "rules": reader.rule_book.sha256,
        "threshold": None if reader.threshold is None else [reader.threshold.value, reader.threshold.scale.value],
        "share": [reader.share.share, reader.share.min_tokens],
        "offsets": dict(sorted(reader.offsets.items())),
        "tokenizer": reader.tokenizer.name,
        "marks": len(reader.feedback),
        "description": json.dumps(description_of(reader), sort_keys=True),
    }


def outcome_keys(workload: Workload, reader: SparseReader, options: dict[str, Any]) -> list[str | None]:
    """Return the key of each request's outcome, in their order; None where nothing may be remembered.

    That is where the artifact cannot be read, and where people have marked blocks: marks are known only by document.
    """
    if len(reader.feedback):
        return [None] * len(workload.requests)
    common = code_key(), reader_values(reader), options
    artifacts = {key: _artifact_key(workload, key) for key in workload.documents}
    return [
        None
        if (artifact := artifacts[request.document_key]) is None
        else key_of("outcome", *common, artifact, said(request))
        for request in workload.requests
    ]


def said(request: Request) -> dict[str, Any]:
    """Return what of a request decides its outcome."""
    return {name: value for name, value in request.to_dict().items() if name not in _DESCRIBING}


def _artifact_key(workload: Workload, key: str) -> tuple[str, str] | None:
    """Return name and bytes of an artifact: a document's type depends on its name as well."""
    held = workload.artifacts.documents.get(key)
    if held is not None:
        return held.name, document_key(held)
    try:
        return Path(key).name, workload.artifacts.sha256(key)
    except Exception:  # whatever is wrong with it is told by the replay of its requests
        return None
