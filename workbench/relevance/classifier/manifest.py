"""What an exported classifier says of itself: its files, its labels, its base, and how its logits are used."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...errors import InvalidOption, MissingModel, StaleClassifier
from ..combination import Combination
from ..encoders.model_files import CONFIG, TOKENIZER_FILES, sha256_of
from ..pair_text import PairTextOptions
from ..recurring import FILE as RECURRING_FILE
from .manifest_checks import SEAL, check_values, seal_of

MANIFEST = "manifest.json"
WEIGHTS = "model.safetensors"
CANARIES = "canaries.json"
ADAPTER = "adapter"
ENCODER = "encoder"
ONNX = "onnx"
SCHEMA_VERSION = 1
LABELS = ("not relevant", "relevant")
"""The order of the two logits."""
MAX_BYTES = 16 << 20
"""A larger file is no manifest."""
_LATER = (ADAPTER, ENCODER, ONNX)
"""Folders whose files are checked when they are used."""
_DECISIVE = {WEIGHTS, CONFIG, *TOKENIZER_FILES, RECURRING_FILE}
_NOT_LISTED = {MANIFEST, "README.md"}
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_SEEN = ("train", "validation")


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseModel:
    """The model that was trained further.

    Attributes
    ----------
    name : str
        Its name on the hub, or that of its folder.
    sha256 : str
        Hash of its weights; of several files the hash of their hashes.
    licence : str
        What its card says; "" where it says nothing.
    """

    name: str
    sha256: str
    licence: str = ""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What ``manifest.json`` holds.

    Attributes
    ----------
    name : str
        What the part of the logit is called that the classifier adds.
    files : mapping of str to str
        SHA-256 by path inside the folder.
    base : BaseModel
    pair_text : PairTextOptions
    max_tokens : int
        Most word pieces of a window, question and special ones included.
    candidates : int
        Blocks that it looks at for a question.
    languages : tuple of str or None
        Codes of the languages that it reads; None where that is not known.
    labels : tuple of str
        Their order is that of the logits.
    combination : Combination or None
        Fitted weights of the parts of a logit.
    encoder : mapping
        How the encoder in ``encoder/`` is opened; empty where there is none.
    recurring : mapping
        What was learnt of recurring questions, in ``recurring.safetensors``; empty where nothing was.
    calibration : mapping or None
        Maps from logits to probabilities; see ``Calibration.to_json``.
    tolerance : float
        Most that a canary's logit may differ from the one that was stored.
    training : mapping
        Fingerprint of the training data, options, seed, and, where they are known, the SHA-256 of its documents.
    metrics : tuple of mapping
        Figures on held-out documents, with their intervals.
    agreement : mapping
        What was measured of the files in ``onnx/``.
    versions : mapping of str to str
        Of the packages that made it.
    workbench, created : str
    """

    name: str
    files: Mapping[str, str]
    base: BaseModel
    pair_text: PairTextOptions
    max_tokens: int
    candidates: int
    tolerance: float
    languages: tuple[str, ...] | None = None
    labels: tuple[str, ...] = LABELS
    combination: Combination | None = None
    encoder: Mapping[str, Any] = field(default_factory=dict)
    recurring: Mapping[str, Any] = field(default_factory=dict)
    calibration: Mapping[str, Any] | None = None
    training: Mapping[str, Any] = field(default_factory=dict)
    metrics: tuple[Mapping[str, Any], ...] = ()
    agreement: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    workbench: str = ""
    created: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", MappingProxyType(dict(sorted(self.files.items()))))

    def __reduce__(self) -> tuple[Any, ...]:
        # A mapping proxy cannot be pickled.
        return Manifest.of, (self.as_dict(),)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of everything that decides a logit: weights, configuration, tokenizer, labels, text, window.

        What was learnt of recurring questions is part of it.
        """
        decisive = {name: sha for name, sha in self.files.items() if name in _DECISIVE}
        said = ["classifier 1", decisive, list(self.labels), self.pair_text.key(), self.max_tokens]
        return hashlib.sha256(json.dumps([*said, sorted(self.languages or ())]).encode("ascii")).hexdigest()

    @property
    def has_encoder(self) -> bool:
        """Whether there is a trained encoder for the first stage."""
        return bool(self.encoder)

    @property
    def seen_documents(self) -> frozenset[str]:
        """SHA-256 of the documents that it was trained or chosen on, as far as they are known."""
        parts = self.training.get("documents") or {}
        return frozenset(sha for name in _SEEN for sha in parts.get(name) or ())

    @property
    def knows_documents(self) -> bool:
        """Whether it is known on which documents it was trained and chosen."""
        return self.training.get("documents") is not None

    def files_of(self, part: str = "") -> dict[str, str]:
        """Return the hashes of a folder's files by path; of those at the top by default."""
        inside = {name: sha for name, sha in self.files.items() if name.startswith(f"{part}/")}
        return inside if part else {name: sha for name, sha in self.files.items() if "/" not in name}

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values, as the file holds them, with a hash of all of them."""
        said = {
            "schema_version": SCHEMA_VERSION,
            "fingerprint": self.fingerprint,
            **{one.name: getattr(self, one.name) for one in fields(self)},
            "files": dict(self.files),
            "labels": list(self.labels),
            "languages": None if self.languages is None else list(self.languages),
            "base": {one.name: getattr(self.base, one.name) for one in fields(self.base)},
            "pair_text": self.pair_text.as_dict(),
            "combination": None if self.combination is None else self.combination.as_dict(),
            "encoder": dict(self.encoder),
            "recurring": dict(self.recurring),
            "metrics": [dict(row) for row in self.metrics],
        }
        return {**said, SEAL: seal_of(said)}

    def to_json(self) -> str:
        """Return the file's text; equal manifests give equal text."""
        return json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Manifest:
        """Return the manifest of ``as_dict``.

        Raises
        ------
        KeyError, TypeError, ValueError, InvalidOption
            If it lacks something, or holds a value of another kind.
        """
        check_values(said, LABELS)
        known = {one.name for one in fields(cls)}
        values = {name: value for name, value in said.items() if name in known}
        languages = said.get("languages")
        return cls(
            **values
            | {
                "files": {str(name): str(sha) for name, sha in said["files"].items()},
                "base": BaseModel(**said["base"]),
                "pair_text": PairTextOptions.of(said["pair_text"]),
                "labels": tuple(said["labels"]),
                "languages": None if languages is None else tuple(languages),
                "combination": None if said.get("combination") is None else Combination.of(said["combination"]),
                "metrics": tuple(said.get("metrics") or ()),
                "max_tokens": int(said["max_tokens"]),
                "candidates": int(said["candidates"]),
                "tolerance": float(said["tolerance"]),
            }
        )

    @classmethod
    def load(cls, folder: str | Path) -> Manifest:
        """Read the manifest of a folder.

        Raises
        ------
        MissingModel
            If the folder has none.
        StaleClassifier
            If it cannot be read, is of another version, or was changed by hand.
        """
        file = Path(folder).expanduser() / MANIFEST
        if not file.is_file():
            raise MissingModel(
                f"There is no classifier at {file.parent}: it has no {MANIFEST}; give the folder that "
                "export_classifier or workbench train wrote."
            )
        if file.stat().st_size > MAX_BYTES:
            raise StaleClassifier(f"{file} has more than {MAX_BYTES >> 20} MB, and is no manifest; export again.")
        try:
            said = json.loads(file.read_bytes())
        except (ValueError, RecursionError) as error:
            raise StaleClassifier(f"{file} is no JSON ({error}); export the classifier again.") from error
        version = said.get("schema_version") if isinstance(said, dict) else None
        if version != SCHEMA_VERSION:
            remedy = "install a newer workbench" if _is_newer(version) else "export it again"
            raise StaleClassifier(
                f"The classifier in {file.parent} has a manifest of version {version!r:.20}, and this workbench reads "
                f"version {SCHEMA_VERSION}; {remedy}."
            )
        try:
            found = cls.of(said)
        except (KeyError, TypeError, ValueError, AttributeError, InvalidOption) as error:
            reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
            raise StaleClassifier(
                f"The manifest of the classifier in {file.parent} cannot be used ({reason}); export it again."
            ) from error
        if found.fingerprint != said.get("fingerprint"):
            raise StaleClassifier(
                f"The manifest of the classifier in {file.parent} was changed: its fingerprint is "
                f"{found.fingerprint[:12]}, and it names {str(said.get('fingerprint'))[:12]}; export it again."
            )
        if said.get(SEAL) != seal_of(said):
            raise StaleClassifier(
                f"The manifest of the classifier in {file.parent} was changed: it is not as it was written, and its "
                f"{SEAL} tells; copy the folder again, or export it again."
            )
        return found


def is_exported(folder: Path) -> bool:
    """Return whether a folder is one that an export wrote, of any version: others have a ``manifest.json`` as well."""
    file = folder / MANIFEST
    try:
        said = json.loads(file.read_bytes()) if file.is_file() and file.stat().st_size <= MAX_BYTES else None
    except (OSError, ValueError, RecursionError):
        return False
    if not isinstance(said, dict) or not isinstance(said.get("files"), dict):
        return False
    version, named = said.get("schema_version"), said.get("fingerprint")
    return (
        isinstance(version, int)
        and isinstance(named, str)
        and _FINGERPRINT.fullmatch(named) is not None
        and {WEIGHTS, CONFIG} <= said["files"].keys()
        and isinstance(said.get("pair_text"), dict)
    )


def listed_files(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of what a manifest lists of a folder, by path with forward slashes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in files}
    return {name: sha256_of(path) for name, path in names.items() if name not in _NOT_LISTED}


def check_files(folder: Path, listed: Mapping[str, str]) -> None:
    """Refuse a folder in which a file is missing or is another one.

    Raises
    ------
    StaleClassifier
    """
    for name, wanted in listed.items():
        file = folder / name
        if not file.is_file():
            raise StaleClassifier(f"The classifier in {folder} lacks {name}; copy the whole folder again.")
        found = sha256_of(file)
        if found != wanted:
            what = "a weight was changed" if file.suffix == ".safetensors" else "it was changed"
            raise StaleClassifier(
                f"{name} of the classifier in {folder} is not the file that was exported: {what} (its SHA-256 is "
                f"{found[:12]}…, not {wanted[:12]}…); copy the folder again, or export again."
            )


def check_unlisted(folder: Path, listed: Mapping[str, str]) -> None:
    """Refuse a folder with weights or a part of a tokenizer that were not exported: they would be read with the rest.

    Raises
    ------
    StaleClassifier
    """
    for file in sorted(path for path in folder.iterdir() if path.is_file()):
        decides = file.name in _DECISIVE or file.suffix == ".safetensors"
        if decides and file.name not in listed:
            raise StaleClassifier(
                f"{file.name} in {folder} is no part of the classifier that was exported; remove it, or export again."
            )


def check_labels(config: Mapping[str, Any], wanted: Sequence[str], folder: Path) -> None:
    """Refuse a configuration that has the labels in another order.

    Raises
    ------
    StaleClassifier
    """
    said = config.get("id2label") or {}
    found = tuple(str(said.get(str(index))) for index in range(len(said)))
    if found != tuple(wanted):
        raise StaleClassifier(
            f"The labels of the classifier in {folder} are {_order(found)}, and it was exported with {_order(wanted)}: "
            "its logits would be read in the wrong order; copy config.json again, or export again."
        )


def _order(labels: Sequence[str]) -> str:
    return ", then ".join(repr(label) for label in labels) or "not named"


def _is_newer(version: object) -> bool:
    return isinstance(version, int) and not isinstance(version, bool) and version > SCHEMA_VERSION
