"""The folder of a transformer model: which files it has, what they say of it, and their hash."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...errors import DamagedModel, InvalidOption, MissingModel

CONFIG = "config.json"
VOCABULARIES = ("vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model", "tokenizer.model")
"""In one of these older files a tokenizer without ``tokenizer.json`` has its word pieces."""
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "merges.txt",
    *VOCABULARIES,
)
POOLINGS = ("mean", "cls")
DOWNLOADED = ("*.json", "*.safetensors", "*.txt", "*.model")
"""What is fetched from a hub: no program, and no weights in a format that may hold one."""

_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_POOLING_PREFIX = "pooling_mode_"
_POOLING_NAMES = {"mean_tokens": "mean", "cls_token": "cls"}
_KNOWN_MODULES = {"Transformer", "Pooling", "Normalize"}


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of one model.

    Attributes
    ----------
    folder : pathlib.Path
    weights : tuple of pathlib.Path
        Safetensors, one or several.
    config : mapping
        What ``config.json`` says.
    """

    folder: Path
    weights: tuple[Path, ...]
    config: Mapping[str, Any]

    @classmethod
    def of(cls, folder: Path) -> ModelFiles:
        """Look at a folder.

        Raises
        ------
        MissingModel
            If it holds no model, or only weights that are no safetensors.
        DamagedModel
            If its ``config.json`` is no JSON object.
        """
        if not (folder / CONFIG).is_file():
            raise MissingModel(f"There is no model in {folder}: it has no {CONFIG}; name the folder of a transformer.")
        weights = tuple(sorted(folder.glob("*.safetensors")))
        if not weights:
            raise MissingModel(
                f"The model in {folder} has no *.safetensors; other weights can hold programs and are not loaded, "
                "so save it again with safe_serialization=True."
            )
        return cls(folder, weights, _json_of(folder / CONFIG))

    def json(self, name: str) -> dict[str, Any]:
        """Return what a JSON file of the folder says; an empty dict where there is none."""
        file = self.folder / name
        return _json_of(file) if file.is_file() else {}

    def pooling(self) -> str:
        """Return how the model makes one vector of those of the word pieces; "mean" where it does not say.

        Raises
        ------
        InvalidOption
            For a model that does something else, or more.
        """
        modules = self.folder / "modules.json"
        kinds = [str(module.get("type")).rpartition(".")[2] for module in _list_of(modules)]
        if more := [kind for kind in kinds if kind not in _KNOWN_MODULES]:
            raise InvalidOption(
                f"The model in {self.folder} has a layer {more[0]} behind the transformer, which is not computed here; "
                "choose a model without it."
            )
        said = self.json("1_Pooling/config.json")
        modes = [
            key.removeprefix(_POOLING_PREFIX) for key, on in said.items() if key.startswith(_POOLING_PREFIX) and on
        ]
        if not modes:
            return POOLINGS[0]
        if len(modes) > 1 or modes[0] not in _POOLING_NAMES:
            raise InvalidOption(
                f"The model in {self.folder} pools by {' and '.join(modes)}; give pooling as one of: "
                f"{', '.join(POOLINGS)}, or choose another model."
            )
        return _POOLING_NAMES[modes[0]]

    def max_tokens(self) -> int:
        """Return the most word pieces of a text: what the model's card says, else what it has positions for."""
        said = self.json("sentence_bert_config.json").get("max_seq_length")
        return min(int(said), self.positions()) if said else self.positions()

    def positions(self) -> int:
        """Return the most word pieces that the model can read at once."""
        positions = int(self.config.get("max_position_embeddings") or 512)
        # The positions of RoBERTa and its kin begin behind that of the padding.
        if self.config.get("model_type") in {"roberta", "xlm-roberta", "camembert", "mpnet"}:
            positions -= int(self.config.get("pad_token_id") or 1) + 1
        return positions

    def fingerprint(self, *settings: str) -> str:
        """Return the hash of weights, configuration, tokenizer and further settings; not of any name or path."""
        parts: list[str] = [sha256_of(file) for file in self.weights]
        parts += [
            f"{name} {sha256_of(self.folder / name)}"
            for name in (CONFIG, *TOKENIZER_FILES)
            if (self.folder / name).is_file()
        ]
        return hashlib.sha256(json.dumps([parts, settings]).encode("ascii")).hexdigest()


def find_model(name: str | Path, *, offline: bool) -> Path:
    """Return the folder of a model: a local one, or a copy of one from the hub.

    Parameters
    ----------
    name : str or path
        A folder, or the name of a model on the hub.
    offline : bool
        Whether only what was fetched before is looked at; False lets the hub be asked for this one model.

    Raises
    ------
    MissingModel
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if not isinstance(name, str) or not _HUB_NAME.fullmatch(name):
        raise MissingModel(f"There is no model at {name}: it is no folder.")
    try:
        from httpx import HTTPError
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError as error:
        raise MissingModel(
            f"There is no folder {name}, and for models of the hub a package is missing; install it with: "
            "pip install 'sparseread-workbench[model]'"
        ) from error
    try:
        return Path(snapshot_download(name, allow_patterns=list(DOWNLOADED), local_files_only=offline))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        if offline:
            raise MissingModel(
                f"There is no folder {name}, and no model of that name was fetched from the hub before; "
                "give the folder of a model, or offline=False to fetch it."
            ) from error
        raise _not_fetched(name, error) from error
    except (HfHubHTTPError, HTTPError, OSError) as error:
        raise _not_fetched(name, error) from error


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file; that of an unchanged one is remembered in this process."""
    status = file.stat()
    return _sha256(file, status.st_size, status.st_mtime_ns, status.st_ino)


@lru_cache(maxsize=256)
def _sha256(file: Path, *_state: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _not_fetched(name: str, error: Exception) -> MissingModel:
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return MissingModel(f"The model {name} could not be fetched from the hub ({reason}); give the folder of a model.")


def _json_of(file: Path) -> dict[str, Any]:
    value = _parsed(file)
    if not isinstance(value, dict):
        raise DamagedModel(f"{file} is no JSON object; fetch the model again.")
    return value


def _list_of(file: Path) -> list[dict[str, Any]]:
    value = _parsed(file) if file.is_file() else []
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _parsed(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except ValueError as error:
        raise DamagedModel(f"{file} is not JSON ({error}); fetch the model again.") from error
