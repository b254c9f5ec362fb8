"""Any sequence classifier that transformers can load, with its last layer in single precision.

In half precision that layer would round good pairs to the same few logits, and their order would be chance.
"""

from __future__ import annotations

import re
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import DamagedModel, MissingDependency, StaleClassifier
from ..encoders.batches import Floats, Ints, torch_pool
from ..encoders.model_files import ModelFiles
from ..encoders.transformers_model import silent_transformers
from .head import head_of, without_head

if TYPE_CHECKING:
    import torch


class TransformersPairs:
    """Computes the logits of a batch with the model as transformers has it.

    Parameters
    ----------
    files : ModelFiles
    dtype : torch.dtype
        What matrices are multiplied in.
    device : str
    budget : int
        Most word pieces of a batch.
    threads : int, optional
        Most threads; as many as torch would use by default.

    Raises
    ------
    MissingDependency, DamagedModel, StaleClassifier
    """

    def __init__(
        self, files: ModelFiles, *, dtype: torch.dtype, device: str, budget: int, threads: int | None = None
    ) -> None:
        self.budget = budget
        self._threads = threads
        self._dtype = dtype
        self._device = device
        self._head = head_of(files)
        self._model = without_head(load_classifier(files), self._head).to(device)
        self._names = input_names(files)

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""
        return torch_pool(self._threads)

    def logits(self, pieces: Ints, kinds: Ints, lengths: Ints) -> Floats:
        """Return the logits of a batch, shape (b, 2); see ``PairForward``."""
        import torch

        reduced = self._dtype is not torch.float32
        real = np.arange(pieces.shape[1]) < lengths[:, None]
        given = {"input_ids": pieces, "attention_mask": real.astype(np.int64), "token_type_ids": kinds}
        named = {name: torch.from_numpy(given[name]).to(self._device) for name in self._names}
        with torch.inference_mode(), torch.autocast(self._device, self._dtype, enabled=reduced):
            states = self._model(**named).logits
        return self._head.logits(states.float().cpu().numpy())


def input_names(files: ModelFiles) -> tuple[str, ...]:
    """Return what a model is given, in order: the types of the pieces only where it tells them apart."""
    types = ("token_type_ids",) if int(files.config.get("type_vocab_size") or 0) > 1 else ()
    return ("input_ids", "attention_mask", *types)


def load_classifier(files: ModelFiles) -> Any:
    """Load a sequence classifier in single precision, from its folder alone and silently.

    Raises
    ------
    MissingDependency
        If transformers is not installed.
    DamagedModel
        If it cannot be loaded.
    StaleClassifier
        If its weights lack something, such as the head.
    """
    try:
        from safetensors import SafetensorError
        from transformers import AutoModelForSequenceClassification
    except ImportError as error:
        raise MissingDependency(
            "This classifier needs torch and transformers; install them with: pip install 'sparseread-workbench[model]'"
        ) from error
    import torch

    try:
        with silent_transformers():
            model, report = AutoModelForSequenceClassification.from_pretrained(
                files.folder,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                dtype=torch.float32,
                output_loading_info=True,
            )
    except (SafetensorError, RuntimeError, OSError, ValueError, KeyError, ImportError) as error:
        reason = re.sub(r"\s+", " ", str(error))[:200].rstrip(". ")
        raise DamagedModel(f"The classifier in {files.folder} cannot be loaded ({reason}); export it again.") from error
    missing = sorted(report["missing_keys"])
    if missing:
        head = [name for name in missing if "encoder." not in name and "embeddings." not in name]
        what = f"has no head: its weights lack {head[0]}" if head else f"is not whole: its weights lack {missing[0]}"
        raise StaleClassifier(f"The classifier in {files.folder} {what}; export it again.")
    return model.eval()
