"""How the vectors of passages are computed on this machine: the fastest way that ranks as single precision does.

A short self-test decides, once for a machine and a model: each candidate computes the same passages, those whose
cosines with a list of questions have a Spearman correlation below ``LEAST_AGREEMENT`` with those of the reference are
out, and the fastest of the others is chosen. The choice is kept in the cache folder, for all documents whatever their
length, so that equal inputs give equal outputs on one machine. Questions are always computed by the reference.
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import json
import logging
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...caching import CacheFolder, key_of
from ...errors import InvalidOption, MissingDependency, WorkbenchError
from .batches import Floats, Forward, Ints, padded, plan
from .model_files import ModelFiles

DEVICES = ("cuda", "mps")
REFERENCE = "torch-fp32"
BACKENDS = (REFERENCE, "torch-bf16", "openvino", *DEVICES)
"""From the plainest to the one that needs most."""
AUTO = "auto"
LEAST_AGREEMENT = 0.999
WORTH_IT = 1.2
"""How many times as fast as a plainer one a backend must be: the noise of a clock decides nothing."""
SUFFIX = ".backend"

CPU_BUDGET = 1_024
"""Word pieces of a batch: measured best of 512 to 8,192; the states of more leave the processor's own cache."""
DEVICE_BUDGET = 16_384
SLOW = 3.0
"""A candidate that takes this many times as long as the reference is given up before it is done."""
WARM_UP = 1.0
"""Seconds that a candidate may take more at first, to allocate and to compile."""

_log = logging.getLogger("workbench")


@dataclass(frozen=True, slots=True)
class Trial:
    """What the self-test found of one backend: seconds, and Spearman's correlation with the reference."""

    backend: str
    seconds: float
    agreement: float


Load = Callable[[str], Forward]


def candidates() -> tuple[str, ...]:
    """Return the backends that this machine has, the reference first."""
    import torch

    found = [REFERENCE, "torch-bf16"]
    if importlib.util.find_spec("openvino") is not None:
        found.append("openvino")
    if torch.cuda.is_available():
        found.append("cuda")
    if torch.backends.mps.is_available():
        found.append("mps")
    return tuple(found)


def check_backend(name: str) -> None:
    """Refuse a backend that there is not, or not on this machine.

    Raises
    ------
    InvalidOption, MissingDependency
    """
    if name == AUTO:
        return
    if name not in BACKENDS:
        raise InvalidOption(f"backend is {name!r}; it is one of: {', '.join((AUTO, *BACKENDS))}.")
    if name == "openvino" and importlib.util.find_spec("openvino") is None:
        raise MissingDependency(
            "The backend 'openvino' needs the package openvino; install it with: pip install openvino"
        )
    if name in DEVICES and name not in candidates():
        raise InvalidOption(f"backend is {name!r}, but torch finds no such device here; 'auto' takes what there is.")


def load(name: str, files: ModelFiles, pooling: str) -> Forward:
    """Load a model for a backend.

    Raises
    ------
    MissingModel, DamagedModel, MissingDependency
    """
    import torch

    from .bert import BertForward, is_plain_bert
    from .transformers_model import TransformersForward

    if name == "openvino":
        from .openvino_model import OpenVinoForward

        return OpenVinoForward(files, pooling=pooling, budget=CPU_BUDGET, threads=torch.get_num_threads())
    forward = BertForward if is_plain_bert(files) else TransformersForward
    if name in DEVICES:
        dtype = torch.float16 if name == "cuda" else torch.float32
        return forward(files, pooling=pooling, dtype=dtype, device=name, budget=DEVICE_BUDGET, threads=1)
    dtype = torch.bfloat16 if name == "torch-bf16" else torch.float32
    return forward(files, pooling=pooling, dtype=dtype, device="cpu", budget=CPU_BUDGET)


def choose_backend(trials: Sequence[Trial], least: float = LEAST_AGREEMENT) -> Trial:
    """Return the fastest trial that agrees with the reference, which is the first one.

    Another one must be faster than the plainer ones before it by ``WORTH_IT``; ``least`` is the least agreement.

    Examples
    --------
    >>> reference = Trial("torch-fp32", 1.0, 1.0)
    >>> choose_backend([reference, Trial("torch-bf16", 0.4, 0.9998), Trial("openvino", 0.3, 0.996)]).backend
    'torch-bf16'
    """
    best = trials[0]
    for trial in trials[1:]:
        if trial.agreement >= least and trial.seconds * WORTH_IT <= best.seconds:
            best = trial
    return best


def backend_for(fingerprint: str, load_backend: Load, cut: Callable[[Sequence[str]], list[Ints]]) -> str:
    """Return the backend for a model on this machine: the remembered one, else what the self-test chooses.

    Parameters
    ----------
    fingerprint : str
        Of the model.
    load_backend : callable
        Gives the ``Forward`` of a backend's name.
    cut : callable
        Gives the word pieces of texts.
    """
    cache = CacheFolder(SUFFIX)
    key = key_of("backend", 1, fingerprint, *machine())
    stored = cache.load(key)
    if stored is not None:
        try:
            chosen = str(json.loads(stored)["backend"])
            check_backend(chosen)
            return chosen
        except (ValueError, KeyError, TypeError) as error:
            cache.drop(key, f"{type(error).__name__}: {error}")
        except WorkbenchError as error:
            _log.info("%s The self-test is made again.", error)
    trials = self_test(candidates(), load_backend, cut)
    best = choose_backend(trials)
    told = {trial.backend: [round(trial.seconds, 4), round(trial.agreement, 6)] for trial in trials}
    cache.store(key, json.dumps({"backend": best.backend, "trials": told}).encode("ascii"))
    _log.info(
        "Passages are embedded with %s: %.1f times as fast here as %s, Spearman %.5f.",
        best.backend,
        trials[0].seconds / best.seconds,
        REFERENCE,
        best.agreement,
    )
    return best.backend


def self_test(names: Sequence[str], load_backend: Load, cut: Callable[[Sequence[str]], list[Ints]]) -> list[Trial]:
    """Let each backend compute the same passages, and compare its ranking and its time with those of the first."""
    from .self_test_texts import PASSAGES, QUESTIONS

    questions, passages = cut(QUESTIONS), cut(PASSAGES)
    reference = load_backend(names[0])
    asked, _ = _computed(reference, questions)  # which allocates, too
    vectors, seconds = _computed(reference, passages)
    cosines = vectors @ asked.T
    trials = [Trial(names[0], seconds, 1.0)]
    for name in names[1:]:
        try:
            trials.append(_trial(name, load_backend(name), passages, asked, cosines, seconds))
        except (WorkbenchError, RuntimeError, MemoryError) as error:
            # A device without room, a library without support: others can do it.
            _log.warning("The backend %s cannot be used here: %s", name, error)
    return trials


def _trial(
    name: str, forward: Forward, passages: list[Ints], asked: Floats, cosines: Floats, reference: float
) -> Trial:
    of_device = name in DEVICES
    vectors, seconds = _computed(forward, passages, of_device=of_device, limit=SLOW * reference + WARM_UP)
    if not np.isfinite(seconds):
        return Trial(name, seconds, 0.0)
    again, seconds = _computed(forward, passages, of_device=of_device)
    # Chance must have no part in a reading.
    agreement = spearman(cosines.ravel(), (vectors @ asked.T).ravel()) if np.array_equal(again, vectors) else 0.0
    return Trial(name, seconds, agreement)


def _computed(
    forward: Forward, windows: Sequence[Ints], *, of_device: bool = False, limit: float = np.inf
) -> tuple[Floats, float]:
    """Return the vectors, and the seconds that they took; infinitely many once the limit is passed.

    For processors those are seconds of work, shared among the threads, which other programs on a busy machine do not
    change.
    """
    import torch

    share = 1 if of_device else torch.get_num_threads()
    lengths = np.array([len(window) for window in windows], np.int64)
    found: dict[int, Floats] = {}
    with forward.pool() as pool:
        clock = time.perf_counter if of_device else time.process_time
        started = clock()
        for batch in plan(lengths, forward.budget):
            vectors = pool.submit(forward, padded([windows[index] for index in batch]), lengths[batch]).result()
            found.update(zip(batch.tolist(), vectors, strict=True))
            if (clock() - started) / share > limit:
                return np.zeros((0, 0), np.float32), np.inf
        seconds = (clock() - started) / share
    return np.stack([found[index] for index in range(len(windows))]), seconds


def spearman(a: npt.NDArray[np.floating], b: npt.NDArray[np.floating]) -> float:
    """Return the correlation of the ranks of two lists; 0 where one is constant or not finite.

    Examples
    --------
    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 20.0, 300.0]))
    1.0
    """
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return 0.0
    ranks = []
    for values in (a, b):
        _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
        ends = np.cumsum(counts)
        ranks.append((ends - (counts - 1) / 2.0)[inverse])
    x, y = (r - r.mean() for r in ranks)
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale else 0.0


@functools.cache
def machine() -> tuple[str, ...]:
    """Return what decides how fast a backend is: processor, cores, device, and the versions of the libraries."""
    import torch

    versions = [torch.cuda.get_device_name() if torch.cuda.is_available() else "no CUDA"]
    for package in ("torch", "openvino"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {package}")
    return (_processor(), str(os.cpu_count()), *versions)


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            said = dict(line.split(":", 1) for line in lines if ":" in line)
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    known = {key.strip(): value.strip() for key, value in said.items()}
    # The name alone does not tell two generations apart in a virtual machine.
    fields = [known.get(key, "") for key in ("model name", "cpu family", "model", "stepping")]
    return " ".join([platform.machine(), *fields])
