"""A model as OpenVINO computes it: quicker than torch on some processors, and a package more."""

from __future__ import annotations

import io
import logging
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ...caching import CacheFolder, key_of
from ...errors import MissingDependency
from .batches import Floats, Ints, thread_pool
from .model_files import ModelFiles
from .transformers_model import load_model, silent_transformers

SUFFIX = ".openvino"
"""Ends the name of a compiled model in the cache: to translate and compile one takes seconds."""

_log = logging.getLogger("workbench")


class OpenVinoForward:
    """Computes the vectors of a batch with OpenVINO, in the precision that it chooses for this processor.

    Parameters
    ----------
    files : ModelFiles
    pooling : str
        "mean" or "cls".
    budget : int
        Most word pieces of a batch.
    threads : int
        How many batches at once, each by one thread.

    Raises
    ------
    MissingDependency
        If OpenVINO is not installed.
    MissingModel, DamagedModel
    """

    def __init__(self, files: ModelFiles, *, pooling: str, budget: int, threads: int) -> None:
        self.budget = budget
        self._threads = threads
        self._compiled = _compiled(files, pooling, threads)
        self._output = self._compiled.output(0)
        self._requests = threading.local()

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""
        return thread_pool(self._threads, "encoder")

    def __call__(self, pieces: Ints, lengths: Ints) -> Floats:
        """Return vectors of length 1, shape (b, d); see ``Forward``."""
        if not hasattr(self._requests, "own"):
            self._requests.own = self._compiled.create_infer_request()
        real = np.arange(pieces.shape[1]) < lengths[:, None]
        found = self._requests.own.infer([pieces, real.astype(np.int64)])
        return np.array(found[self._output], np.float32)


def _compiled(files: ModelFiles, pooling: str, threads: int) -> Any:
    """Return the model compiled for this processor."""
    try:
        import openvino  # noqa: F401
    except ImportError as error:
        raise MissingDependency(
            "The backend 'openvino' needs the package openvino; install it with: pip install openvino"
        ) from error
    return compiled("openvino", files.fingerprint(pooling), threads, lambda: _translated(files, pooling))


def compiled(kind: str, fingerprint: str, threads: int, translated: Callable[[], Any]) -> Any:
    """Return a model compiled for this processor: from the cache, or translated and stored there.

    Parameters
    ----------
    kind : str
        What the model computes; part of the key in the cache.
    fingerprint : str
        Of everything that decides what it computes.
    threads : int
    translated : callable
        Gives the model as OpenVINO has it; asked only where the cache has none.
    """
    import openvino

    core = openvino.Core()
    options = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": threads, "PERFORMANCE_HINT": "THROUGHPUT"}
    processor = core.get_property("CPU", "FULL_DEVICE_NAME")
    cache = CacheFolder(SUFFIX)
    key = key_of(kind, 1, openvino.__version__, processor, fingerprint, options)
    stored = cache.load(key)
    if stored is not None:
        try:
            return core.import_model(io.BytesIO(stored), "CPU", options)
        except RuntimeError as error:
            cache.drop(key, str(error).splitlines()[0])
    found = core.compile_model(translated(), "CPU", options)
    cache.store(key, found.export_model().getvalue())
    return found


def _translated(files: ModelFiles, pooling: str) -> Any:
    """Translate a model, its pooling included."""
    import openvino
    import torch

    class Pooled(torch.nn.Module):
        def __init__(self, model: Any) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            states = self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            real = attention_mask.unsqueeze(-1).to(states.dtype)
            vectors = states[:, 0] if pooling == "cls" else (states * real).sum(1)
            return torch.nn.functional.normalize(vectors)

    sample = {name: torch.ones(2, 8, dtype=torch.int64) for name in ("input_ids", "attention_mask")}
    _log.info("The model in %s is translated for OpenVINO, once.", files.folder)
    with silent_transformers(), warnings.catch_warnings():
        # What every trace of transformers warns of; the self-test judges the result.
        warnings.simplefilter("ignore")
        return openvino.convert_model(Pooled(load_model(files)), example_input=sample)
