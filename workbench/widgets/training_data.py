"""What a training view shows, as plain values: how far a training is, and what will be trained."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from ..training.learning.states import TrainingState
    from ..training.options import TrainingOptions
    from ..training.question import Questions

PHASES = ("data", "mining", "encoder", "classifier", "combination", "evaluation")
TRAININGS = ("encoder", "classifier")
MOST_POINTS = 400
"""Of a curve; with more, every other one is left out."""

Point = tuple[int, float]


@dataclass
class TrainingLog:
    """What a training has told so far.

    Parameters
    ----------
    now : float
        Seconds of some clock at which it began.
    """

    now: float = 0.0
    last: TrainingState | None = None
    _began: dict[str, float] = field(default_factory=dict)
    _curves: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._start = self.now

    def take(self, state: TrainingState, now: float) -> None:
        """Take what it tells.

        Parameters
        ----------
        state : TrainingState
        now : float
            Seconds of the same clock.
        """
        self.last, self.now = state, now
        if state.phase in PHASES:
            self._began.setdefault(state.phase, now)
        if state.phase not in TRAININGS:
            return
        curve = self._curves.setdefault(state.phase, {"loss": [], "recall": [], "of": 0, "best": None})
        curve["of"], curve["best"] = state.of, state.best_recall
        if state.loss is not None:
            _add(curve["loss"], (state.step, state.loss))
        if state.recall is not None and (not curve["recall"] or curve["recall"][-1][1] != state.recall):
            _add(curve["recall"], (state.step, state.recall))

    def run(self, status: str, now: float | None = None) -> dict[str, Any]:
        """Return how far it is.

        Parameters
        ----------
        status : str
            "ready", "running", "cancelling", "done", "cancelled" or "failed".
        now : float, optional

        Returns
        -------
        dict
            status, phase, step, of, left (seconds or None), elapsed (seconds), computation, note, and phases: phase,
            status ("waiting", "running", "done" or "skipped") and seconds of each.
        """
        at, state = self.now if now is None else now, self.last
        return {
            "status": status,
            "phase": PHASES[0] if state is None else state.phase,
            "step": 0 if state is None else state.step,
            "of": 0 if state is None else state.of,
            "left": None if state is None else state.seconds_left,
            "elapsed": at - self._start,
            "computation": "" if state is None else state.computation,
            "note": "" if state is None else state.note,
            "phases": [self._phase(phase, status, at) for phase in PHASES],
        }

    def curves(self) -> dict[str, Any]:
        """Return loss and recall (lists of step and value), ``of`` (steps) and ``best`` of each model, as copies."""
        return {
            name: {**curve, "loss": [*map(list, curve["loss"])], "recall": [*map(list, curve["recall"])]}
            for name, curve in self._curves.items()
        }

    def _phase(self, phase: str, status: str, at: float) -> dict[str, Any]:
        began = self._began.get(phase)
        rank = PHASES.index(phase)
        later = [self._began[name] for name in PHASES[rank + 1 :] if name in self._began]
        if began is None:
            return {"phase": phase, "status": "skipped" if later or status == "done" else "waiting", "seconds": None}
        if later or status == "done":
            return {"phase": phase, "status": "done", "seconds": (later[0] if later else at) - began}
        running = status in ("running", "cancelling")
        return {"phase": phase, "status": "running" if running else "waiting", "seconds": at - began}


def _add(curve: list[Point], point: Point) -> None:
    """Add a point; of two of one step the newer one stays."""
    if curve and curve[-1][0] == point[0]:
        curve.pop()
    curve.append(point)
    if len(curve) > MOST_POINTS:
        # The last one is what is read off as the present.
        curve[:] = [*curve[:-1:2], curve[-1]]


def parts_data(base: str | Path | None, options: dict[str, TrainingOptions]) -> dict[str, Any]:
    """Return what will be trained, before it is.

    Parameters
    ----------
    base : str, path or None
    options : dict
        Of "classifier" and, if one is trained, "encoder".

    Returns
    -------
    dict
        base (its name), and models: kind, parts (name, tensors, numbers, is_head), trained and frozen of each.

    Raises
    ------
    WorkbenchError
        If the model is not there, or cannot be trained.
    """
    from ..training.learning.bases import find_base
    from ..training.learning.models import classifier_of, encoder_of
    from ..training.learning.trainable import trainable_parts

    found = find_base(base)
    makers = {"encoder": encoder_of, "classifier": classifier_of}
    models = []
    for kind in TRAININGS:
        if kind in options:
            parts = trainable_parts(makers[kind](found, options[kind]))
            rows = [part._asdict() for part in parts.parts]
            models.append({"kind": kind, "parts": rows, "trained": parts.trained, "frozen": parts.frozen})
    return {"base": found.name, "models": models}


def questions_data(questions: Questions, labels: int) -> dict[str, Any]:
    """Return how many questions, documents and labels of people there are to train on."""
    return {"questions": len(questions.questions), "documents": len(questions.documents), "labels": labels}
