"""How the logits of pairs are computed on this machine: the fastest way that ranks as single precision does.

As for the encoders (``relevance.encoders.backends``): a short self-test decides once for a machine and a classifier,
and its choice is kept in the cache folder.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ...caching import CacheFolder, key_of
from ...errors import InvalidOption, MissingDependency, WorkbenchError
from ..encoders import backends as of_encoders
from ..encoders.backends import AUTO, DEVICES, REFERENCE, SLOW, WARM_UP, Trial, choose_backend, spearman
from ..encoders.batches import Floats, Ints
from ..encoders.model_files import ModelFiles
from .forwards import PairForward, run_pairs
from .onnx_pairs import INT8_MODEL, MODEL
from .pair_pieces import PairPieces

ONNX, ONNX_INT8 = "onnx", "onnx-int8"
BACKENDS = (REFERENCE, "torch-bf16", "openvino", ONNX, ONNX_INT8, *DEVICES)
"""From the plainest to the one that needs most."""
LEAST_AGREEMENT = 0.99
"""Least Spearman correlation of the logits with those of the reference."""
SUFFIX = ".classifier.json"

CPU_BUDGET = 768
"""Word pieces of a batch: 512 to 1,024 were measured alike, and few enough for several threads to share 50 pairs."""
DEVICE_BUDGET = 16_384
_PASSAGES_PER_QUESTION = 6
_PACKAGES = {"openvino": "openvino", ONNX: "onnxruntime", ONNX_INT8: "onnxruntime"}
_EXTRAS = {"openvino": "openvino", ONNX: "onnx", ONNX_INT8: "onnx"}
_FILES = {ONNX: MODEL, ONNX_INT8: INT8_MODEL}

_log = logging.getLogger("workbench")

Load = Callable[[str], PairForward]


def candidates(folder: Path) -> tuple[str, ...]:
    """Return the backends that this machine and the folder of a classifier have, the reference first."""
    found = list(of_encoders.candidates())
    for name, file in _FILES.items():
        if (folder / file).is_file() and importlib.util.find_spec(_PACKAGES[name]) is not None:
            found.append(name)
    return tuple(sorted(found, key=BACKENDS.index))


def check_backend(name: str, folder: Path) -> None:
    """Refuse a backend that there is not, or not on this machine, or not in this folder.

    Raises
    ------
    InvalidOption, MissingDependency
    """
    if name == AUTO:
        return
    if name not in BACKENDS:
        raise InvalidOption(f"backend is {name!r:.40}; it is one of: {', '.join((AUTO, *BACKENDS))}.")
    package = _PACKAGES.get(name)
    if package is not None and importlib.util.find_spec(package) is None:
        raise MissingDependency(
            f"The backend {name!r} needs the package {package}; install it with: "
            f"pip install 'sparseread-workbench[{_EXTRAS[name]}]'"
        )
    if name in _FILES and not (folder / _FILES[name]).is_file():
        raise InvalidOption(
            f"backend is {name!r}, but the classifier in {folder} was exported without {_FILES[name]}; 'auto' takes "
            "what there is."
        )
    if name in DEVICES and name not in of_encoders.candidates():
        raise InvalidOption(f"backend is {name!r}, but torch finds no such device here; 'auto' takes what there is.")


def load(name: str, files: ModelFiles) -> PairForward:
    """Load a classifier for a backend.

    Raises
    ------
    MissingDependency, DamagedModel, StaleClassifier
    """
    import torch

    from ..encoders.bert import is_plain_bert
    from .bert_pairs import BertPairs
    from .transformers_pairs import TransformersPairs

    threads = torch.get_num_threads()
    if name == "openvino":
        from .openvino_pairs import OpenVinoPairs

        return OpenVinoPairs(files, budget=CPU_BUDGET, threads=threads)
    if name in _FILES:
        from .onnx_pairs import OnnxPairs

        return OnnxPairs(files.folder / _FILES[name], budget=CPU_BUDGET, threads=threads)
    forward = BertPairs if is_plain_bert(files) else TransformersPairs
    if name in DEVICES:
        dtype = torch.float16 if name == "cuda" else torch.float32
        return forward(files, dtype=dtype, device=name, budget=DEVICE_BUDGET, threads=1)
    dtype = torch.bfloat16 if name == "torch-bf16" else torch.float32
    return forward(files, dtype=dtype, device="cpu", budget=CPU_BUDGET)


def backend_for(fingerprint: str, folder: Path, load_backend: Load, pieces: PairPieces) -> str:
    """Return the backend of a classifier on this machine: the remembered one, else what the self-test chooses."""
    cache = CacheFolder(SUFFIX)
    names = candidates(folder)
    key = key_of("classifier backend", 1, fingerprint, names, *of_encoders.machine(), _version("onnxruntime"))
    stored = cache.load(key)
    if stored is not None:
        try:
            chosen = str(json.loads(stored)["backend"])
            check_backend(chosen, folder)
            return chosen
        except (ValueError, KeyError, TypeError) as error:
            cache.drop(key, f"{type(error).__name__}: {error}")
        except WorkbenchError as error:
            _log.info("%s The self-test is made again.", error)
    trials = self_test(names, load_backend, pieces)
    best = choose_backend(trials, LEAST_AGREEMENT)
    told = {trial.backend: [round(trial.seconds, 4), round(trial.agreement, 6)] for trial in trials}
    cache.store(key, json.dumps({"backend": best.backend, "trials": told}).encode("ascii"))
    _log.info(
        "Pairs are scored with %s: %.1f times as fast here as %s, Spearman %.5f.",
        best.backend,
        trials[0].seconds / best.seconds,
        REFERENCE,
        best.agreement,
    )
    return best.backend


def self_test(names: Sequence[str], load_backend: Load, pieces: PairPieces) -> list[Trial]:
    """Let each backend compute the same pairs, and compare its ranking and its time with those of the first."""
    windows = _test_windows(pieces)
    reference = load_backend(names[0])
    run_pairs(reference, *_few(windows))  # which allocates
    logits, seconds = computed(reference, windows)
    trials = [Trial(names[0], seconds, 1.0)]
    for name in names[1:]:
        try:
            trials.append(_trial(name, load_backend(name), windows, logits, seconds))
        except (WorkbenchError, RuntimeError, MemoryError) as error:
            # A device without room, a library without support: others can do it.
            _log.warning("The backend %s cannot be used here: %s", name, error)
    return trials


Windows = tuple[list[Ints], list[Ints]]


def _trial(name: str, forward: PairForward, windows: Windows, logits: Floats, reference: float) -> Trial:
    of_device = name in DEVICES
    few, seconds = computed(forward, _few(windows), of_device=of_device)
    if seconds > SLOW * reference + WARM_UP or not np.isfinite(few).all():
        return Trial(name, seconds, 0.0)
    found, _ = computed(forward, windows, of_device=of_device)
    again, seconds = computed(forward, windows, of_device=of_device)
    # Chance must have no part in a reading.
    same = np.array_equal(found, again)
    return Trial(name, seconds, spearman(difference(logits), difference(again)) if same else 0.0)


def computed(forward: PairForward, windows: Windows, *, of_device: bool = False) -> tuple[Floats, float]:
    """Return the logits, and the seconds that they took.

    For processors those are seconds of work, shared among the threads, which other programs on a busy machine do not
    change.
    """
    import torch

    clock = time.perf_counter if of_device else time.process_time
    started = clock()
    found = run_pairs(forward, *windows)
    return found, (clock() - started) / (1 if of_device else torch.get_num_threads())


def difference(logits: Floats) -> Floats:
    """Return "relevant" against "not relevant", shape (n,)."""
    found: Floats = logits[:, 1] - logits[:, 0]
    return found


def _test_windows(pieces: PairPieces) -> Windows:
    """Return windows of pairs that belong together and of others."""
    from ..encoders.self_test_texts import PASSAGES, QUESTIONS

    rows: list[Ints] = []
    kinds: list[Ints] = []
    for index, question in enumerate(QUESTIONS):
        chosen = [PASSAGES[(5 * index + step) % len(PASSAGES)] for step in range(_PASSAGES_PER_QUESTION)]
        windows = pieces.windows(question, chosen)
        rows += windows.pieces
        kinds += windows.kinds
    return rows, kinds


def _few(windows: Windows) -> Windows:
    rows, kinds = windows
    return rows[:_PASSAGES_PER_QUESTION], kinds[:_PASSAGES_PER_QUESTION]


def _version(package: str) -> str:
    import importlib.metadata

    try:
        return f"{package} {importlib.metadata.version(package)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {package}"
