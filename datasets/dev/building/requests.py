"""The requests of the workload, from the ``requests.yaml`` of every folder of sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from .artifacts import description_of
from .source import SourceError

HEADER = {
    "workload": "dev",
    "version": 1,
    "description": "Requests about documents written for this project: invented facts, realistic shape and length.",
}
SCENARIOS = ("long_document_qa", "pdf_report_qa", "multi_file_audit", "structured_analysis", "native_fit")
FIELDS = {
    "id", "artifact", "question", "scope", "action", "evidence", "answer", "answers", "answerable", "scenario", "split",
    "turns", "label", "rubric", "near_miss",
}  # fmt: skip


def requests_of(folder: Path) -> list[dict[str, Any]]:
    """Return the requests of one folder of sources, as the workload says them."""
    path = folder / "requests.yaml"
    if not path.is_file():
        return []
    said = YAML(typ="safe").load(path.read_text(encoding="utf-8")) or []
    has_artifact = any((folder / mark).is_file() for mark in ("source.md", "collection.yaml"))
    artifact = f"artifacts/{description_of(folder)['file']}" if has_artifact else None
    return [_request(folder.name, rank, entry, artifact) for rank, entry in enumerate(said, start=1)]


def _request(slug: str, rank: int, entry: dict[str, Any], artifact: str | None) -> dict[str, Any]:
    name = f"{slug}-{rank:02d}"
    unknown = set(entry) - FIELDS
    if unknown:
        raise SourceError(f"request {name} has unknown fields: {', '.join(sorted(unknown))}")
    if entry.get("scenario") not in SCENARIOS:
        raise SourceError(f"request {name} names no scenario of {', '.join(SCENARIOS)}")
    if artifact is None and "artifact" not in entry:
        raise SourceError(f"request {name} names no artifact")
    answerable = bool(entry.get("answerable", True))
    if answerable != bool(entry.get("evidence")):
        raise SourceError(f"request {name} must have evidence, or say answerable: false and have none")
    return {
        "id": name,
        "artifact": entry.get("artifact", artifact),
        "question": _line(entry["question"]),
        "scope": entry.get("scope"),
        "action": entry.get("action"),
        "evidence": [_evidence(piece) for piece in entry.get("evidence") or []],
        "answer": None if entry.get("answer") is None else _line(entry["answer"]),
        "answers": [_line(other) for other in entry.get("answers") or []],
        "answerable": answerable,
        "scenario": entry["scenario"],
        "split": entry.get("split"),
        "turns": [_line(turn) for turn in entry.get("turns") or []],
        "label": entry.get("label") or "",
        "rubric": entry.get("rubric"),
        "near_miss": None if entry.get("near_miss") is None else _line(entry["near_miss"]),
    }


def _evidence(piece: str | dict[str, Any]) -> dict[str, Any]:
    said = piece if isinstance(piece, dict) else {"quote": piece}
    return {"quote": _line(said["quote"]), "page": said.get("page"), "anchor": None, "file": said.get("file")}


def _line(text: object) -> str:
    return " ".join(str(text).split())


def folders_with_requests(sources: Path) -> list[Path]:
    """Return the folders that hold requests, in order."""
    return sorted(path.parent for path in sources.glob("*/requests.yaml"))


def write_workload(sources: Path, path: Path) -> int:
    """Write the workload of all folders of sources and return how many requests it holds."""
    requests = [request for folder in folders_with_requests(sources) for request in requests_of(folder)]
    lines = [json.dumps(line, ensure_ascii=False) for line in (HEADER, *requests)]
    fresh = path.with_suffix(".part")
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(path)
    return len(requests)
