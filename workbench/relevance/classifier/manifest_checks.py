"""Whether the values of a manifest are of their kind, and whether it is as it was written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from math import isfinite
from pathlib import PurePosixPath
from typing import Any

SEAL = "sha256"
"""Field with the hash of all the others."""
MOST_TOLERANCE = 1e-2
"""Canaries that may differ by more tell no model from another."""
_MAPPINGS = ("files", "base", "pair_text", "encoder", "recurring", "training", "agreement", "versions")
_MAPPINGS_OR_NONE = ("combination", "calibration")
_TEXTS = ("name", "workbench", "created")
_COUNTS = ("max_tokens", "candidates")
_PARTS = ("train", "validation", "test")


def seal_of(said: Mapping[str, Any]) -> str:
    """Return the SHA-256 of everything that a manifest says but for the seal itself."""
    # Through JSON once, as a file has it: numbers as keys are texts there.
    plain = json.loads(json.dumps({name: value for name, value in said.items() if name != SEAL}))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode("ascii")).hexdigest()


def check_values(said: Mapping[str, Any], labels: tuple[str, ...]) -> None:
    """Refuse values that are not of their kind.

    Parameters
    ----------
    said : mapping
        What the file holds.
    labels : tuple of str
        The order of the logits that this workbench reads.

    Raises
    ------
    KeyError
        If something is missing.
    ValueError
        The message says what is wrong.
    """
    for name in _TEXTS:
        if not isinstance(said.get(name, ""), str):
            raise ValueError(f"{name} is {said[name]!r:.40} and no text")
    if not said["name"]:
        raise ValueError("name is empty")
    for name in (*_MAPPINGS, *_MAPPINGS_OR_NONE):
        value = said.get(name, {})
        if not isinstance(value, Mapping) and not (value is None and name in _MAPPINGS_OR_NONE):
            raise ValueError(f"{name} is {value!r:.40} and no object")
    for name in _COUNTS:
        value = said[name]
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ValueError(f"{name} is {value!r:.40} and no whole number from 1 on")
    _check_tolerance(said["tolerance"])
    if tuple(_texts("labels", said["labels"])) != labels:
        raise ValueError(f"its labels are {_order(said['labels'])}, and they must be {_order(labels)}")
    if said.get("languages") is not None:
        _texts("languages", said["languages"])
    metrics = said.get("metrics") or ()
    if not isinstance(metrics, list | tuple) or not all(isinstance(row, Mapping) for row in metrics):
        raise ValueError(f"metrics is {metrics!r:.40} and no list of objects")
    _check_documents(said.get("training", {}).get("documents"))
    for name in said["files"]:
        place = PurePosixPath(str(name))
        if place.is_absolute() or ".." in place.parts or "\\" in str(name):
            raise ValueError(f"it lists {str(name)!r:.60}, which leads out of its folder")


def _check_tolerance(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"tolerance is {value!r:.40} and no number")
    if not 0 < value <= MOST_TOLERANCE:
        raise ValueError(f"tolerance is {value:g}, and canaries are checked to at most {MOST_TOLERANCE:g}")


def _check_documents(parts: object) -> None:
    if parts is None:
        return
    if not isinstance(parts, Mapping):
        raise ValueError(f"the documents of its training are {parts!r:.40} and no object")
    for name in _PARTS:
        _texts(f"documents of {name}", parts.get(name) or [])


def _texts(name: str, value: object) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{name} is {value!r:.40} and no list of texts")
    return list(value)


def _order(labels: object) -> str:
    return ", then ".join(repr(str(label)) for label in labels) if isinstance(labels, list | tuple) else str(labels)
