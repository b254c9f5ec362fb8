"""Where and how exactly a model is trained: the device, the precision, and the processes that share the work."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ...caching import CacheFolder, key_of
from ...errors import InvalidOption
from ...relevance.encoders.backends import machine
from ..options import TrainingOptions
from .losses import NotFinite

SUFFIX = ".precision.json"
WORTH_IT = 1.1
"""How many times as fast half precision must be to be taken: its steps are a little coarser."""
_TRIALS = 2

_log = logging.getLogger("workbench")


@dataclass(frozen=True, slots=True)
class Computation:
    """Device and precision.

    Attributes
    ----------
    device : str
        "cpu", "cuda" (perhaps with a number) or "mps".
    precision : str
        "fp32" or "bf16".
    """

    device: str
    precision: str

    def __str__(self) -> str:
        return f"{self.device}, {self.precision}"

    @property
    def kind(self) -> str:
        """The device without its number."""
        return self.device.partition(":")[0]

    def context(self) -> AbstractContextManager[Any]:
        """Return what matrices are multiplied under; all else is single precision."""
        import torch

        return torch.autocast(self.kind, torch.bfloat16, enabled=self.precision == "bf16")


def device_of(options: TrainingOptions) -> str:
    """Return the device to train on.

    Raises
    ------
    InvalidOption
        If this machine has not the one that was asked for.
    """
    import torch

    there = ["cuda"] if torch.cuda.is_available() else []
    there += ["mps"] if torch.backends.mps.is_available() else []
    there += ["cpu"]
    if options.device == "auto":
        return there[0]
    if options.device not in there:
        raise InvalidOption(
            f"device is {options.device!r}, which torch does not find here; it finds {' and '.join(there)}."
        )
    return options.device


def precision_of(options: TrainingOptions, device: str, base: str, work: Callable[[Computation], object]) -> str:
    """Return the precision to train in: the one asked for, the remembered one, or the faster of two trials.

    Parameters
    ----------
    options : TrainingOptions
    device : str
    base : str
        Hash of the base, under which the choice is remembered on this machine: a training that is begun again must
        not be another one.
    work : callable
        Does one step's computation without learning anything.
    """
    if options.precision != "auto":
        return options.precision
    cache = CacheFolder(SUFFIX)
    key = key_of("precision", 2, device.partition(":")[0], base, *machine())
    stored = cache.load(key)
    if stored is not None:
        try:
            chosen = json.loads(stored)["precision"]
            if chosen in ("fp32", "bf16"):
                return str(chosen)
            cache.drop(key, f"precision {chosen!r}")
        except (ValueError, KeyError, TypeError) as error:
            cache.drop(key, f"{type(error).__name__}: {error}")
    seconds = {name: _seconds(work, Computation(device, name)) for name in ("fp32", "bf16")}
    chosen = "bf16" if seconds["bf16"] * WORTH_IT < seconds["fp32"] else "fp32"
    if any(map(isfinite, seconds.values())):
        cache.store(key, json.dumps({"precision": chosen, "seconds": seconds}).encode("ascii"))
    _log.info("Trained in %s on %s: seconds of a trial %s.", chosen, device, seconds)
    return chosen


def _seconds(work: Callable[[Computation], object], computation: Computation) -> float:
    """Return the shortest of some trials, after one that allocates; infinite where it cannot be done."""
    import torch

    found = float("inf")
    try:
        for trial in range(_TRIALS + 1):
            started = time.perf_counter()
            work(computation)
            if computation.kind == "cuda":
                torch.cuda.synchronize()
            if trial:
                found = min(found, time.perf_counter() - started)
    except (RuntimeError, TypeError, NotFinite) as error:
        # An older device knows no half precision; a number that is none is reported by the training, with its rows.
        _log.info("%s cannot be trained with here: %s", computation, error)
        return float("inf")
    return found


class Company:
    """The processes that train one model together: one alone, or those that ``accelerate launch`` has started.

    Parameters
    ----------
    options : TrainingOptions
        For the device.

    Attributes
    ----------
    rank, size : int
        Which process this is, and how many there are.

    Raises
    ------
    InvalidOption
        If several were started that cannot work together.
    """

    def __init__(self, options: TrainingOptions) -> None:
        self.rank, self.size = 0, 1
        self._accelerator: Any = None
        started = int(os.environ.get("WORLD_SIZE") or 1)
        if started > 1:
            try:
                from accelerate import Accelerator
            except ImportError as error:
                raise InvalidOption(
                    "Several processes were started to train together, but accelerate is not installed; install it "
                    "with: pip install accelerate"
                ) from error
            self._accelerator = Accelerator(cpu=device_of(options) == "cpu")
            self.rank, self.size = self._accelerator.process_index, self._accelerator.num_processes
            if self.size != started:
                raise InvalidOption(
                    f"{started} processes were started to train together, but accelerate sees {self.size} here; start "
                    "them with accelerate launch, or one alone."
                )

    @property
    def is_first(self) -> bool:
        """Whether this process writes the files and tells of the progress."""
        return self.rank == 0

    def device(self, options: TrainingOptions) -> str:
        """Return the device of this process."""
        if self._accelerator is None or options.device == "cpu":
            return device_of(options)
        return str(self._accelerator.device)

    def share(self, items: list[Any]) -> list[Any]:
        """Return those of the items that this process computes."""
        return items[self.rank :: self.size]

    def add_gradients(self, parameters: list[Any], number: float) -> float:
        """Add up the gradients of all processes in place, and return the sum of a number of each."""
        if self._accelerator is None:
            return number
        import torch

        for one in parameters:
            if one.grad is None:
                one.grad = torch.zeros_like(one)
        flat = torch.cat([one.grad.reshape(-1) for one in parameters] + [parameters[0].new_tensor([number])])
        total = self._accelerator.reduce(flat, reduction="sum")
        start = 0
        for one in parameters:
            one.grad.copy_(total[start : start + one.numel()].view_as(one))
            start += one.numel()
        return float(total[-1])

    def same(self, number: float) -> float:
        """Return the mean of a number over all processes."""
        if self._accelerator is None:
            return number
        import torch

        said = torch.tensor([number], device=self._accelerator.device)
        return float(self._accelerator.reduce(said, reduction="mean").item())

    def agree(self, wanted: bool) -> bool:
        """Return whether any process wants something."""
        if self._accelerator is None:
            return wanted
        import torch

        said = torch.tensor([float(wanted)], device=self._accelerator.device)
        return bool(self._accelerator.reduce(said, reduction="sum").item() > 0)

    def wait(self) -> None:
        """Wait until every process is here."""
        if self._accelerator is not None:
            self._accelerator.wait_for_everyone()
