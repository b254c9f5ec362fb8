"""Any encoder that transformers can load."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

from ...errors import DamagedModel, MissingModel
from .batches import Floats, Ints, torch_pool
from .model_files import ModelFiles
from .pooling import pooled

if TYPE_CHECKING:
    import torch


class TransformersForward:
    """Computes the vectors of a batch with the model as transformers has it.

    Parameters
    ----------
    files : ModelFiles
    pooling : str
        "mean" or "cls".
    dtype : torch.dtype
        What matrices are multiplied in.
    device : str
    budget : int
        Most word pieces of a batch.
    threads : int, optional
        Most threads; as many as torch would use by default.

    Raises
    ------
    MissingModel, DamagedModel
    """

    def __init__(
        self,
        files: ModelFiles,
        *,
        pooling: str,
        dtype: torch.dtype,
        device: str,
        budget: int,
        threads: int | None = None,
    ) -> None:
        self.budget = budget
        self._threads = threads
        self._pooling = pooling
        self._dtype = dtype
        self._device = device
        self._model = load_model(files).to(device)

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""
        return torch_pool(self._threads)

    def __call__(self, pieces: Ints, lengths: Ints) -> Floats:
        """Return vectors of length 1, shape (b, d); see ``Forward``."""
        import torch

        reduced = self._dtype is not torch.float32
        with torch.inference_mode(), torch.autocast(self._device, self._dtype, enabled=reduced):
            real = (torch.arange(pieces.shape[1]) < torch.from_numpy(lengths)[:, None]).to(self._device)
            ids = torch.from_numpy(pieces).to(self._device)
            states = self._model(input_ids=ids, attention_mask=real.long()).last_hidden_state
            vectors: Floats = pooled(states, real, self._pooling)
            return vectors


def load_model(files: ModelFiles) -> Any:
    """Load a model in single precision, from its folder alone and silently.

    Raises
    ------
    MissingModel
        If transformers is not installed, or knows no such model.
    DamagedModel
        If the weights do not fit it.
    """
    try:
        from safetensors import SafetensorError
        from transformers import AutoModel
    except ImportError as error:
        raise MissingModel(
            "This encoder needs torch and transformers; install them with: pip install 'sparseread-workbench[model]'"
        ) from error
    import torch

    try:
        with silent_transformers():
            model, report = AutoModel.from_pretrained(
                files.folder,
                local_files_only=True,
                use_safetensors=True,
                trust_remote_code=False,
                dtype=torch.float32,
                output_loading_info=True,
            )
    except (SafetensorError, RuntimeError) as error:
        raise DamagedModel(
            f"The model in {files.folder} cannot be loaded ({_short(error)}); fetch it again."
        ) from error
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise MissingModel(
            f"The model in {files.folder} is none that transformers can load here ({_short(error)}); "
            "choose an encoder such as all-MiniLM-L6-v2."
        ) from error
    # The pooler behind a BERT is not used, and often not published.
    missing = sorted(name for name in report["missing_keys"] if not name.startswith("pooler."))
    if missing:
        raise DamagedModel(
            f"The weights in {files.folder} lack {missing[0]} and {len(missing) - 1} more; fetch it again."
        )
    return model.eval()


@contextmanager
def silent_transformers() -> Iterator[None]:
    """Turn off what transformers prints while it loads, and turn it on again."""
    from transformers.utils import logging as untyped

    messages: Any = untyped
    level, bars = messages.get_verbosity(), messages.is_progress_bar_enabled()
    messages.set_verbosity_error()
    messages.disable_progress_bar()
    try:
        yield
    finally:
        messages.set_verbosity(level)
        if bars:
            messages.enable_progress_bar()


def _short(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error))[:200].rstrip(". ")
