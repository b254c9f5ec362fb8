"""A procedure for training views that trains nothing: it tells what one tells, and judges two readers for real."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.workspace.made import words_alone
from workbench.training.evaluating import Evaluation, evaluate_classifier
from workbench.training.learning.states import TrainingState
from workbench.training.questions import Questions

STEPS = 40
PARTS = "trained  tensors  numbers"


@dataclass(frozen=True)
class Found:
    """What a view looks at of a training."""

    evaluation: Evaluation | None
    folder: Path
    notes: tuple[str, ...] = ("Two documents are few.",)


def states(steps: int = STEPS) -> list[TrainingState]:
    """What a training of both models tells, step by step."""
    found = [TrainingState(phase="data")]
    found += [TrainingState(phase="mining", step=step, of=8, seconds=step / 4) for step in range(0, 9, 4)]
    for phase, start in (("encoder", 0.62), ("classifier", 0.71)):
        best = start
        for step in range(steps + 1):
            looks = step - step % 10
            recall = start + 0.004 * looks - (0.02 if looks == steps else 0.0)
            best = max(best, recall)
            found.append(
                TrainingState(
                    phase=phase,
                    step=step,
                    of=steps,
                    epoch=1 + step // 20,
                    loss=None if step == 0 else 2.4 / (1 + step / 12) + 0.1 * (step % 3),
                    recall=recall,
                    best_recall=best,
                    seconds=float(step),
                    seconds_left=None if step < 5 else float(steps - step),
                    parts=PARTS,
                    computation="cpu, bf16",
                )
            )
    return [*found, TrainingState(phase="combination"), TrainingState(phase="evaluation", step=1, of=2)]


def procedure(
    *,
    go_on: threading.Event | None = None,
    stop_at: int | None = None,
    fault: Exception | None = None,
    many: int = 1,
) -> Callable[..., Any]:
    """Return a procedure.

    Parameters
    ----------
    go_on : threading.Event, optional
        It waits for this in the middle of the classifier, or until it is cancelled.
    stop_at : int, optional
        Steps of the classifier after which it waits.
    fault : Exception, optional
        What it breaks off with.
    many : int
        Steps of a model, in units of ``STEPS``.
    """

    def train(
        source: Questions, *, folder: Path, told: Callable[[TrainingState], None], cancel: Any, **_: Any
    ) -> Found:
        for state in states(many * STEPS):
            if cancel.is_set():
                return Found(None, folder)
            told(state)
            if go_on is not None and state.phase == "classifier" and state.step == (stop_at or STEPS // 2):
                while not go_on.wait(0.01) and not cancel.is_set():
                    pass
                if fault is not None:
                    raise fault
        readers = {"untrained": words_alone(share=0.1), "trained": words_alone(share=0.3)}
        return Found(evaluate_classifier(source.questions, readers, draws=200, progress=False), folder)

    return train
