"""A classifier as ONNX Runtime computes it, from the file that was exported with it."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from ...errors import DamagedModel, MissingDependency
from ..encoders.batches import Floats, Ints, thread_pool

MODEL = "onnx/model.onnx"
INT8_MODEL = "onnx/model.int8.onnx"


class OnnxPairs:
    """Computes the logits of a batch with ONNX Runtime.

    Parameters
    ----------
    file : pathlib.Path
    budget : int
        Most word pieces of a batch.
    threads : int
        How many batches at once, each by one thread.

    Raises
    ------
    MissingDependency
        If ONNX Runtime is not installed.
    DamagedModel
        If the file cannot be loaded.
    """

    def __init__(self, file: Path, *, budget: int, threads: int) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingDependency(
                "The backend 'onnx' needs the package onnxruntime; install it with: "
                "pip install 'sparseread-workbench[onnx]'"
            ) from error
        self.budget = budget
        self._threads = threads
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library's errors have no common base but this one
            reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
            raise DamagedModel(f"{file} cannot be loaded ({reason}); export the classifier again.") from error
        self._names = [one.name for one in self._session.get_inputs()]

    def pool(self) -> AbstractContextManager[Executor]:
        """Give the threads that may call it."""
        return thread_pool(self._threads, "classifier")

    def logits(self, pieces: Ints, kinds: Ints, lengths: Ints) -> Floats:
        """Return the logits of a batch, shape (b, 2); see ``PairForward``."""
        real = (np.arange(pieces.shape[1]) < lengths[:, None]).astype(np.int64)
        given = {"input_ids": pieces, "attention_mask": real, "token_type_ids": kinds}
        (found,) = self._session.run(None, {name: given[name] for name in self._names})
        return np.asarray(found, np.float32)
