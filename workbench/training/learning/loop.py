"""Steps, looks and checkpoints, the same for a classifier and an encoder."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ...documents.progress import showing
from ..options import TrainingOptions
from . import faults
from .candidates import CandidateList, Pool, epoch_lists
from .checkpoints import Checkpoints, Progress, restore_optimizer
from .computation import Company, Computation
from .losses import NotFinite, ranking_of
from .models import ADAPTER, restore
from .states import Cancel, Look, Stopped, Told, TrainingState
from .telling import TELL_SECONDS, is_cancelled
from .trainable import TrainableParts

_ESTIMATE_FROM = 3
"""Steps of this process from which the seconds that are left are estimated."""


class Learner(Protocol):
    """A model that learns from lists."""

    model: Any
    computation: Computation

    def learn(self, lists: Sequence[CandidateList], weight: float) -> float:
        """Add the gradients of some lists, and return the sum of their losses, both divided by ``weight``.

        Raises
        ------
        NotFinite
            If a loss is no finite number, with the ranks of the lists to blame.
        """

    def logits(self, lists: Sequence[CandidateList], between: Callable[[], None]) -> list[npt.NDArray[np.float32]]:
        """Return how likely each candidate of each list is evidence; ``between`` is called now and then."""


class _Cancelled(Exception):
    """Somebody wants the training to end while validation is looked at."""


class Loop:
    """Trains a model until it has seen every epoch, does not get better, or somebody cancels.

    Parameters
    ----------
    learner : Learner
    pools : sequence of Pool
    looked_at : sequence of CandidateList
        The lists of validation.
    steps : int
    options : TrainingOptions
    checkpoints : Checkpoints
    parts : TrainableParts
    company : Company
    told : callable, optional
    cancel : callable or event, optional
    progress : bool, optional
    """

    def __init__(
        self,
        learner: Learner,
        pools: Sequence[Pool],
        looked_at: Sequence[CandidateList],
        steps: int,
        options: TrainingOptions,
        checkpoints: Checkpoints,
        parts: TrainableParts,
        company: Company,
        *,
        told: Told = None,
        cancel: Cancel = None,
        progress: bool | None = None,
    ) -> None:
        self._learner, self._pools, self._looked_at = learner, pools, looked_at
        self._options, self._checkpoints, self._parts, self._company = options, checkpoints, parts, company
        self._told, self._cancel, self._shown = told, cancel, progress
        self._per_epoch = -(-len(pools) // options.batch)
        self.steps = steps
        self._looks_at = set(np.linspace(0, self.steps, options.validations + 1).round().astype(int).tolist())
        self._optimizer = made_optimizer(learner.model, options)
        self._progress = Progress()
        self._loss: float | None = None
        self._started = time.monotonic()
        self._told_at = -TELL_SECONDS
        self._resumed_at = 0

    def run(self) -> Stopped:
        """Train; the checkpoints hold what came of it.

        Raises
        ------
        TrainingFailed
            If a number is not finite, memory runs out, or a checkpoint cannot be written.
        """
        self._go_on()
        with showing(f"Training the {self._checkpoints.run.kind}", self._shown) as report:
            try:
                stopped = self._train(lambda: report(self._progress.step, self.steps))
            except KeyboardInterrupt:
                # In a notebook there is no other way to end it early; what it was doing then is not kept.
                if self._checkpoints.best is None:
                    raise
                stopped = "cancelled"
        if self._company.is_first:
            self._checkpoints.end(stopped)
        self._company.wait()
        self._tell(always=True)
        return stopped

    def _go_on(self) -> None:
        """Take up the latest checkpoint."""
        latest = self._checkpoints.latest
        if latest is None:
            return
        self._progress = self._checkpoints.progress()
        self._resumed_at = self._progress.step
        restore(self._learner.model, latest / ADAPTER)
        restore_optimizer(self._learner.model, self._optimizer, latest)

    def _train(self, report: Callable[[], None]) -> Stopped:
        lists: list[CandidateList] = []
        epoch = -1
        while True:
            try:
                if self._is_look_due():
                    self._look()
            except _Cancelled:
                return self._cancelled()
            step = self._progress.step
            if step >= self.steps:
                return "done"
            if self._options.patience and self._progress.worse >= self._options.patience:
                return "no better"
            if self._company.agree(self._is_cancelled()):
                return self._cancelled()
            if step // self._per_epoch != epoch:
                epoch = step // self._per_epoch
                lists = epoch_lists(self._pools, self._options, epoch)
            start = step % self._per_epoch * self._options.batch
            self._step(lists[start : start + self._options.batch])
            report()
            self._tell()

    def _step(self, lists: list[CandidateList]) -> None:
        import torch

        started = time.monotonic()
        done = self._progress
        for group in self._optimizer.param_groups:
            group["lr"] = group["share"] * self._options.learning_rate * self._rate(done.step)
        self._optimizer.zero_grad(set_to_none=True)
        mine = self._company.share(lists)
        try:
            loss = self._learner.learn(mine, sum(one.weight for one in lists)) if mine else 0.0
        except NotFinite as error:
            raise self._not_finite(error, mine, "The loss of") from error
        except (RuntimeError, MemoryError) as error:
            fault = faults.out_of_memory(
                error, step=done.step, options=self._options, computation=self._learner.computation
            )
            if fault is None:
                raise
            raise fault from error
        trained = [one for group in self._optimizer.param_groups for one in group["params"]]
        loss = self._company.add_gradients(trained, loss)
        length = float(torch.nn.utils.clip_grad_norm_(trained, self._options.clip))
        if not np.isfinite(length):
            raise self._not_finite(NotFinite(length), mine, "The gradient of")
        self._optimizer.step()
        self._progress = replace(
            done,
            step=done.step + 1,
            loss_sum=done.loss_sum + loss,
            loss_steps=done.loss_steps + 1,
            seconds=done.seconds + time.monotonic() - started,
        )

    def _rate(self, step: int) -> float:
        """Return the share of the highest rate at a step: up along a line, then down to zero."""
        rising = max(1.0, self._options.warm_up * self.steps)
        if step < rising:
            return (step + 1) / (rising + 1)
        return (self.steps - step) / max(1.0, self.steps - rising)

    def _is_look_due(self) -> bool:
        done = self._progress
        return done.step in self._looks_at and (not done.history or done.history[-1].step != done.step)

    def _look(self) -> None:
        """Rank the lists of validation, and write a checkpoint."""
        done = self._progress
        logits = self._learner.logits(self._looked_at, self._between if done.history else lambda: None)
        for one, values in zip(self._looked_at, logits, strict=True):
            wrong = values[~np.isfinite(values)]
            if len(wrong):
                raise self._not_finite(NotFinite(float(wrong[0])), [one], "A logit of validation before")
        figures = [ranking_of(values, one.relevant) for one, values in zip(self._looked_at, logits, strict=True)]
        validation, recall, precision = np.mean(figures, axis=0).tolist()
        look = Look(
            step=done.step,
            loss=done.loss_sum / done.loss_steps if done.loss_steps else None,
            validation_loss=validation,
            recall=recall,
            average_precision=precision,
            seconds=round(done.seconds, 3),
        )
        is_best = look.is_better_than(done.best)
        history, worse = (*done.history, look), 0 if is_best else done.worse + 1
        self._progress = replace(done, loss_sum=0.0, loss_steps=0, history=history, worse=worse)
        self._loss = look.loss
        self._write(is_best=is_best)
        self._tell(always=True)

    def _between(self) -> None:
        # Several processes must stay together: they cancel between two steps.
        if self._company.size == 1 and self._is_cancelled():
            raise _Cancelled

    def _is_cancelled(self) -> bool:
        return is_cancelled(self._cancel)

    def _cancelled(self) -> Stopped:
        """Write what there is, so that the training can go on from here."""
        latest = self._checkpoints.latest
        if latest is None or self._checkpoints.progress().step != self._progress.step:
            self._write(is_best=False)
        return "cancelled"

    def _write(self, *, is_best: bool) -> None:
        if self._company.is_first:
            self._checkpoints.write(
                self._learner.model, self._optimizer, self._progress, self._parts.to_dict(), is_best=is_best
            )
        self._company.wait()
        if not self._company.is_first:
            self._checkpoints.look_again()

    def _not_finite(self, error: NotFinite, lists: Sequence[CandidateList], what: str) -> BaseException:
        return faults.not_finite(
            error,
            lists,
            what=what,
            step=self._progress.step,
            options=self._options,
            computation=self._learner.computation,
            best=self._checkpoints.best,
        )

    def _tell(self, *, always: bool = False) -> None:
        now = time.monotonic()
        if self._told is None or not self._company.is_first or not (always or now - self._told_at >= TELL_SECONDS):
            return
        self._told_at = now
        done, best = self._progress, self._progress.best
        since = done.step - self._resumed_at
        left = (now - self._started) / since * (self.steps - done.step) if since >= _ESTIMATE_FROM else None
        self._told(
            TrainingState(
                phase=self._checkpoints.run.kind,
                step=done.step,
                of=self.steps,
                epoch=min(self._options.epochs, done.step // self._per_epoch + 1),
                loss=done.loss_sum / done.loss_steps if done.loss_steps else self._loss,
                recall=done.history[-1].recall if done.history else None,
                best_recall=best.recall if best is not None else None,
                seconds=round(now - self._started, 3),
                seconds_left=None if left is None else round(left, 1),
                parts=str(self._parts),
                computation=str(self._learner.computation),
                checkpoint=str(self._checkpoints.best or ""),
            )
        )


def made_optimizer(model: Any, options: TrainingOptions) -> Any:
    """Return AdamW over what is trained; a group's "share" is how fast it learns beside the adapter."""
    import torch

    trained = [(name, one) for name, one in model.named_parameters() if one.requires_grad]
    adapter = [one for name, one in trained if ".lora_" in name]
    head = [one for name, one in trained if ".lora_" not in name]
    groups = [
        {"params": chosen, "share": share} for chosen, share in ((adapter, 1.0), (head, options.head_rate)) if chosen
    ]
    # One tensor after the other: the order of the sums is the same everywhere.
    return torch.optim.AdamW(
        groups, lr=options.learning_rate, weight_decay=options.weight_decay, betas=(0.9, 0.999), foreach=False
    )
