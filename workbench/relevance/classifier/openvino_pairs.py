"""A classifier as OpenVINO computes it, up to its last layer, which is computed in single precision."""

from __future__ import annotations

import logging
import threading
import warnings
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ...errors import MissingDependency
from ..encoders.batches import Floats, Ints, thread_pool
from ..encoders.model_files import ModelFiles
from ..encoders.openvino_model import compiled
from ..encoders.transformers_model import silent_transformers
from .head import Head, head_of, without_head
from .transformers_pairs import input_names, load_classifier

_log = logging.getLogger("workbench")


class OpenVinoPairs:
    """Computes the logits of a batch with OpenVINO, in the precision that it chooses for this processor.

    Parameters
    ----------
    files : ModelFiles
    budget : int
        Most word pieces of a batch.
    threads : int
        How many batches at once, each by one thread.

    Raises
    ------
    MissingDependency
        If OpenVINO is not installed.
    DamagedModel, StaleClassifier
    """

    def __init__(self, files: ModelFiles, *, budget: int, threads: int) -> None:
        self.budget = budget
        self._threads = threads
        self._head = head_of(files)
        self._compiled = _compiled(files, self._head, threads)
        self._output = self._compiled.output(0)
        self._inputs = len(self._compiled.inputs)
        self._requests = threading.local()

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""
        return thread_pool(self._threads, "classifier")

    def logits(self, pieces: Ints, kinds: Ints, lengths: Ints) -> Floats:
        """Return the logits of a batch, shape (b, 2); see ``PairForward``."""
        if not hasattr(self._requests, "own"):
            self._requests.own = self._compiled.create_infer_request()
        real = (np.arange(pieces.shape[1]) < lengths[:, None]).astype(np.int64)
        states = self._requests.own.infer([pieces, real, kinds][: self._inputs])[self._output]
        return self._head.logits(states)


def _compiled(files: ModelFiles, head: Head, threads: int) -> Any:
    """Return the model compiled for this processor."""
    try:
        import openvino  # noqa: F401
    except ImportError as error:
        raise MissingDependency(
            "The backend 'openvino' needs the package openvino; install it with: "
            "pip install 'sparseread-workbench[openvino]'"
        ) from error
    return compiled("openvino classifier", files.fingerprint(), threads, lambda: _translated(files, head))


def _translated(files: ModelFiles, head: Head) -> Any:
    """Translate a classifier up to its last layer."""
    import openvino
    import torch

    model, names = without_head(load_classifier(files), head), input_names(files)

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: torch.Tensor) -> Any:
            return self.model(**dict(zip(names, given, strict=True))).logits

    sample = tuple(torch.ones(2, 8, dtype=torch.int64) for _ in names)
    _log.info("The classifier in %s is translated for OpenVINO, once.", files.folder)
    with silent_transformers(), warnings.catch_warnings():
        # What every trace of transformers warns of; the self-test judges the result.
        warnings.simplefilter("ignore")
        return openvino.convert_model(States(), example_input=sample)
