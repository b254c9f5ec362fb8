"""The model that is trained further: the packaged one, a folder, or one of a hub that a person names."""

from __future__ import annotations

import hashlib
import importlib
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...errors import InvalidOption, MissingDependency, MissingModel
from ...relevance.encoders.model_files import ModelFiles, find_model, sha256_of
from ...relevance.encoders.transformer import DEFAULT_NAME, DEFAULT_PACKAGE, default_encoder

_LICENCE = re.compile(r"^license:\s*([\w.-]+)\s*$", re.MULTILINE)
_ENGLISH = frozenset({DEFAULT_NAME, "distilbert-base-uncased", "bert-base-uncased"})
"""Bases that read English alone."""
_NEEDED = ("torch", "transformers", "peft", "safetensors")


@dataclass(frozen=True, slots=True)
class Base:
    """A model to train further.

    Attributes
    ----------
    name : str
        What people call it.
    folder : pathlib.Path
        Its files.
    sha256 : str
        Hash of its weights; of several files the hash of their hashes.
    licence : str
        What its card says; "" where it says nothing.
    """

    name: str
    folder: Path
    sha256: str
    licence: str = ""

    @property
    def files(self) -> ModelFiles:
        """Its files, looked at anew."""
        return ModelFiles.of(self.folder)

    @property
    def languages(self) -> frozenset[str] | None:
        """Codes of the languages that it reads; None where that is not known."""
        return frozenset({"en"}) if reads_english_alone(self.name) else None

    def to_dict(self) -> dict[str, Any]:
        """Return it as a dict that JSON can hold."""
        return asdict(self) | {"folder": str(self.folder)}


def find_base(name: str | Path | None = None) -> Base:
    """Find the model to train further.

    Parameters
    ----------
    name : str or path, optional
        A folder of transformers files, or the name of a model on the hub, which is asked for it only where no copy is
        on this machine. By default the packaged all-MiniLM-L6-v2.

    Raises
    ------
    MissingDependency
        If a package that training needs is not installed.
    MissingModel, DamagedModel
        If there is no such model, or its files cannot be read.
    InvalidOption
        If it is no encoder.
    """
    check_packages()
    if name is None or name == DEFAULT_NAME:
        default_encoder()  # which checks the package and its weights
        folder = Path(importlib.import_module(DEFAULT_PACKAGE.replace("-", "_")).get_model_path())
        return _base(DEFAULT_NAME, folder)
    folder = _found(name)
    return _base(name if isinstance(name, str) and not Path(name).expanduser().is_dir() else folder.name, folder)


def check_packages() -> None:
    """Refuse to begin without the packages that training needs.

    Raises
    ------
    MissingDependency
    """
    import importlib.util

    missing = [package for package in _NEEDED if importlib.util.find_spec(package) is None]
    if missing:
        raise MissingDependency(
            f"Training needs {' and '.join(missing)}; install what is missing with: "
            "pip install 'sparseread-workbench[model]'"
        )


def _found(name: str | Path) -> Path:
    try:
        return find_model(name, offline=True)
    except MissingModel:
        if not isinstance(name, str) or Path(name).expanduser().exists() or name.startswith((".", "/", "~")):
            raise
    return find_model(name, offline=False)


def _base(name: str, folder: Path) -> Base:
    files = ModelFiles.of(folder)
    if files.config.get("is_encoder_decoder") or files.config.get("is_decoder"):
        raise InvalidOption(f"{name} is no encoder; choose a model that is an encoder alone.")
    hashes = [sha256_of(file) for file in files.weights]
    whole = hashes[0] if len(hashes) == 1 else hashlib.sha256(" ".join(hashes).encode("ascii")).hexdigest()
    card = folder / "README.md"
    said = _LICENCE.search(card.read_text(encoding="utf-8", errors="replace")[:4_096]) if card.is_file() else None
    return Base(name, folder, whole, said.group(1) if said else "")


def reads_english_alone(name: str) -> bool:
    """Return whether a base of this name is known to read English and nothing else."""
    return name.rpartition("/")[2] in _ENGLISH
