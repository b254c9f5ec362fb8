"""The adapter of a classifier over its base, as stock peft loads it: whether it is the one that was trained."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import MissingDependency, StaleClassifier
from ..encoders.batches import torch_pool
from ..encoders.model_files import ModelFiles, find_model, sha256_of
from ..encoders.transformers_model import silent_transformers
from .canaries import Canary, check_canaries, read_canaries
from .manifest import ADAPTER, LABELS, Manifest, check_files

Floats = npt.NDArray[np.float32]

ADAPTER_WEIGHTS = "adapter_model.safetensors"
_HEAD = re.compile(r"(^|\.)(classifier|score)\.")


def base_sha256(folder: Path) -> str:
    """Return the hash of a model's weights; of several files the hash of their hashes."""
    hashes = [sha256_of(file) for file in ModelFiles.of(folder).weights]
    return hashes[0] if len(hashes) == 1 else hashlib.sha256(" ".join(hashes).encode("ascii")).hexdigest()


def check_adapter(folder: Path, manifest: Manifest, base: str | Path) -> None:
    """Refuse a base that is not the one, an adapter without a head, or one that has no effect.

    Parameters
    ----------
    folder : pathlib.Path
        Of the classifier.
    manifest : Manifest
    base : str or path
        Folder or name of the model that the adapter lies over; nothing is fetched.

    Raises
    ------
    MissingModel, MissingDependency
    StaleClassifier
        The message says what does not fit.
    """
    place = find_model(base, offline=True)
    check_base(place, manifest)
    check_head(folder / ADAPTER)
    check_files(folder, manifest.files_of(ADAPTER))
    canaries = read_canaries(folder)
    model, tokenizer = adapted(place, folder / ADAPTER)
    check_canaries(canaries, stock_logits(model, tokenizer, canaries, manifest.max_tokens), manifest.tolerance, folder)


def check_base(base: Path, manifest: Manifest) -> None:
    """Refuse a base with other weights than the one that was trained further.

    Raises
    ------
    StaleClassifier
    """
    found = base_sha256(base)
    if found != manifest.base.sha256:
        raise StaleClassifier(
            f"The base in {base} is not the {manifest.base.name} that the classifier was trained from: a weight is "
            f"another one (its SHA-256 is {found[:12]}…, not {manifest.base.sha256[:12]}…); fetch that model again."
        )


def check_head(adapter: Path) -> None:
    """Refuse an adapter that was saved without its head: over it, a head would be drawn anew.

    Raises
    ------
    StaleClassifier
    """
    from safetensors import SafetensorError, safe_open

    file = adapter / ADAPTER_WEIGHTS
    try:
        with safe_open(file, framework="numpy") as opened:
            names = list(opened.keys())
    except (SafetensorError, OSError) as error:
        raise StaleClassifier(
            f"The adapter in {adapter} cannot be read ({error}); export the classifier again."
        ) from error
    if not any(_HEAD.search(name) and ".lora_" not in name for name in names):
        raise StaleClassifier(
            f"The adapter in {adapter} has no head: of its {len(names)} tensors none is a classifier; train again with "
            "the head among modules_to_save, and export again."
        )


def adapted(base: Path, adapter: Path) -> tuple[Any, Any]:
    """Return a base with an adapter, and its tokenizer, as stock transformers and peft load them.

    Raises
    ------
    MissingDependency
    """
    try:
        from peft import PeftModel
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ImportError as error:
        raise MissingDependency(
            "An adapter needs torch, transformers and peft; install them with: "
            "pip install 'sparseread-workbench[model]'"
        ) from error
    labels: dict[str, Any] = {
        "num_labels": len(LABELS),
        "id2label": dict(enumerate(LABELS)),
        "label2id": {name: index for index, name in enumerate(LABELS)},
    }
    with silent_transformers():
        model = AutoModelForSequenceClassification.from_pretrained(
            base, local_files_only=True, use_safetensors=True, trust_remote_code=False, **labels
        )
        tokenizer = AutoTokenizer.from_pretrained(base, local_files_only=True, trust_remote_code=False)
        with warnings.catch_warnings():
            # peft asks transformers in a way that it will give up; nobody here can do anything about it.
            warnings.simplefilter("ignore", FutureWarning)
            return PeftModel.from_pretrained(model, str(adapter)).eval(), tokenizer


def stock_logits(model: Any, tokenizer: Any, pairs: Sequence[Canary], max_tokens: int) -> Floats:
    """Return the logits of pairs, one at a time, as a program without this package would compute them; shape (n, 2)."""
    # By one thread: on a busy machine two of them wait for each other for seconds.
    with torch_pool(1) as pool:
        return pool.submit(_stock_logits, model, tokenizer, pairs, max_tokens).result()


def _stock_logits(model: Any, tokenizer: Any, pairs: Sequence[Canary], max_tokens: int) -> Floats:
    import torch

    found = np.zeros((len(pairs), len(LABELS)), np.float32)
    with torch.inference_mode():
        for row, pair in enumerate(pairs):
            # As lists: of a single pair transformers leaves an empty text out, with the piece behind it.
            given = tokenizer(
                [pair.question], [pair.text], truncation="only_second", max_length=max_tokens, return_tensors="pt"
            )
            found[row] = model(**given).logits[0].float().numpy()
    return found
