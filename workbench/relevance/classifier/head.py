"""The last layer of a classifier, which makes two logits of what the model has read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DamagedModel, StaleClassifier
from ..encoders.model_files import ModelFiles

Floats = npt.NDArray[np.float32]

NAMES = ("classifier", "classifier.out_proj", "score", "classifier.dense_out")
"""What transformers calls the last layer: in BERT and DistilBERT, in RoBERTa and its kin, in decoders and others."""
CLASSES = 2


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The last layer.

    Attributes
    ----------
    name : str
        Of the layer, as transformers has it.
    weight : ndarray of float32, shape (2, d)
    bias : ndarray of float32, shape (2,)
    """

    name: str
    weight: Floats
    bias: Floats

    def logits(self, states: npt.ArrayLike) -> Floats:
        """Return the logits of states of shape (b, d), in single precision."""
        found: Floats = np.asarray(states, np.float32) @ self.weight.T + self.bias
        return found


def head_of(files: ModelFiles) -> Head:
    """Read the last layer alone.

    Raises
    ------
    StaleClassifier
        If the weights hold none of two classes.
    DamagedModel
        If they cannot be read.
    """
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise DamagedModel(
            "A classifier needs the package safetensors; install it with: pip install 'sparseread-workbench[model]'"
        ) from error
    try:
        for file in files.weights:
            with safe_open(file, framework="numpy") as opened:
                there = set(opened.keys())
                for name in NAMES:
                    if f"{name}.weight" in there:
                        return _checked(files, opened, name, there)
    except (SafetensorError, OSError) as error:
        raise DamagedModel(f"The weights in {files.folder} cannot be read ({error}); copy the folder again.") from error
    raise StaleClassifier(
        f"The classifier in {files.folder} has no head: its weights lack {NAMES[0]}.weight; export it again, with the "
        "head that was trained."
    )


def _checked(files: ModelFiles, opened: Any, name: str, there: set[str]) -> Head:
    weight = np.asarray(opened.get_tensor(f"{name}.weight"), np.float32)
    if len(weight) != CLASSES:
        raise StaleClassifier(
            f"The classifier in {files.folder} has a head of {len(weight)} classes; a relevance classifier has two."
        )
    bias = opened.get_tensor(f"{name}.bias") if f"{name}.bias" in there else np.zeros(CLASSES)
    return Head(name, weight, np.asarray(bias, np.float32))


def without_head(model: Any, head: Head) -> Any:
    """Return a model whose logits are what went into its last layer: that is then computed apart."""
    import torch

    model.set_submodule(head.name, torch.nn.Identity())
    return model
