"""A classifier as ONNX, and what of its ranking survives there."""

from __future__ import annotations

import importlib.util
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import MissingDependency
from ...relevance.classifier.backends import difference
from ...relevance.classifier.forwards import run_pairs
from ...relevance.classifier.head import CLASSES
from ...relevance.classifier.onnx_pairs import OnnxPairs
from ...relevance.classifier.opening import relevance_of, tied_share
from ...relevance.classifier.transformers_pairs import TransformersPairs, input_names, load_classifier
from ...relevance.encoders.backends import spearman
from ...relevance.encoders.model_files import ModelFiles

Windows = tuple[list[npt.NDArray[np.int64]], list[npt.NDArray[np.int64]]]

PACKAGES = ("onnx", "onnxscript", "onnxruntime")
OPSET = 18
LEAST_SPEARMAN = 0.99
"""Below this a reduced model is not shipped."""
_BUDGET = 4_096
_MOST = 4_096


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What was measured of a file against the model in single precision.

    Attributes
    ----------
    file : str
        Inside the folder.
    spearman : float
        Correlation of the ranks of the logits.
    largest_difference : float
        Of the probability, on the same pairs.
    tied : float
        Share of the logits that another one equals.
    pairs : int
        How many were measured.
    shipped : bool
        Whether it ranks well enough to be shipped.
    """

    file: str
    spearman: float
    largest_difference: float
    tied: float
    pairs: int
    shipped: bool

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    def __str__(self) -> str:
        kept = "shipped" if self.shipped else f"not shipped: less than {LEAST_SPEARMAN:g}"
        return (
            f"{self.file}: Spearman {self.spearman:.5f}, probability differs by at most {self.largest_difference:.2g}, "
            f"{self.tied:.1%} of {self.pairs} logits tied ({kept})"
        )


def missing_packages() -> tuple[str, ...]:
    """Return what an export to ONNX needs and is not installed."""
    return tuple(package for package in PACKAGES if importlib.util.find_spec(package) is None)


def check_packages() -> None:
    """Refuse an export to ONNX without its packages.

    Raises
    ------
    MissingDependency
    """
    if missing := missing_packages():
        raise MissingDependency(
            f"An export to ONNX needs {' and '.join(missing)}; install them with: "
            "pip install 'sparseread-workbench[onnx]', or export with onnx=False."
        )


def write_onnx(files: ModelFiles, target: Path) -> None:
    """Write a classifier as ONNX, for batches of any size and any length."""
    import torch

    names = input_names(files)
    model = load_classifier(files)

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: torch.Tensor) -> Any:
            return self.model(**dict(zip(names, given, strict=True))).logits

    sample = tuple(torch.ones(2, 8, dtype=torch.int64) for _ in names)
    sizes = {
        0: torch.export.Dim("batch", min=1, max=_MOST),
        1: torch.export.Dim("length", min=2, max=files.positions()),
    }
    target.parent.mkdir(parents=True, exist_ok=True)
    with _quiet():
        torch.onnx.export(
            Logits().eval(),
            sample,
            str(target),
            input_names=list(names),
            output_names=["logits"],
            dynamic_shapes=(tuple(dict(sizes) for _ in names),),
            dynamo=True,
            external_data=False,
            opset_version=OPSET,
            verbose=False,
        )
    _strip(target)


def write_int8(source: Path, target: Path) -> None:
    """Write an ONNX model with the matrices of its layers in eight bits; those of the head stay as they are."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with _quiet():
        quantize_dynamic(source, target, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"])


def reference_logits(folder: Path, windows: Windows) -> npt.NDArray[np.float32]:
    """Return what the merged model says of pairs, in single precision: "relevant" against "not relevant"."""
    import torch

    files = ModelFiles.of(folder)
    whole = TransformersPairs(files, dtype=torch.float32, device="cpu", budget=_BUDGET)
    return difference(run_pairs(whole, *windows))


def agreement_of(folder: Path, file: str, windows: Windows, wanted: npt.NDArray[np.float32]) -> Agreement:
    """Compare a file in the folder of a classifier with the merged model.

    Parameters
    ----------
    folder : pathlib.Path
    file : str
    windows : tuple of two lists of ndarray of int64
        Word pieces and their types, of each pair.
    wanted : ndarray of float32
        What the merged model says of them.
    """
    import torch

    forward = OnnxPairs(folder / file, budget=_BUDGET, threads=torch.get_num_threads())
    found = difference(run_pairs(forward, *windows))
    agreed = spearman(wanted, found)
    away = float(np.abs(relevance_of(found) - relevance_of(wanted)).max())
    return Agreement(
        file=file,
        spearman=round(agreed, 6),
        largest_difference=round(away, 8),
        tied=round(tied_share(found), 6),
        pairs=len(wanted),
        shipped=agreed >= LEAST_SPEARMAN,
    )


def _strip(file: Path) -> None:
    """Take out of an ONNX model what the exporter notes of the machine: paths and lines of programs."""
    import onnx

    model = onnx.load(str(file))
    graph = model.graph
    assert graph.output[0].type.tensor_type.shape.dim[1].dim_value == CLASSES
    for part in (model, graph, *graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.doc_string = ""
        del part.metadata_props[:]
    onnx.save(model, str(file))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the exporters' talk of operators that nobody uses from the terminal."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "onnx_ir")]
    loggers.append(logging.getLogger())
    levels = [logger.level for logger in loggers]
    # Without any handler, a warning to the root makes one that stays, and prints what others log.
    nowhere = logging.NullHandler()
    logging.getLogger().addHandler(nowhere)
    try:
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.getLogger().removeHandler(nowhere)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
