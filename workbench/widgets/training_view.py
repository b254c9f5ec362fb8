"""A training in a notebook: what will be trained, how far it is, and what came of it on documents it has not seen."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets
from ipywidgets import widget_serialization

from ..documents.progress import Reporter, reporting
from ..errors import InvalidOption, TrainingFailed, WorkbenchError
from .base import Widget
from .training_data import TRAININGS, TrainingLog, parts_data, questions_data
from .training_results import Mistake, mistakes_of, result_data

if TYPE_CHECKING:
    from ..reading import SparseReader
    from ..training.fine_tuning import FineTuned, FineTuningOptions
    from ..training.labels import LabelStore
    from ..training.learning.states import TrainingState
    from ..training.question import Question, Questions
    from ..workload import Workload

EVERY = 0.25
"""Seconds between two looks at how far a training is; what it tells oftener than that nobody could read."""

_UNDER_WAY = ("running", "cancelling")
_CANCELLED_EARLY = "The training was cancelled before anything was trained; start it again."

Train = Callable[..., "FineTuned"]


class TrainingView(Widget):
    """A training that is started here, watched, and ended early if need be; the best checkpoint stays in its folder.

    Parameters
    ----------
    source : Workload, path or Questions
        What is trained on, and judged by.
    folder : path
        Where checkpoints go. A training that was ended there goes on.
    labels : LabelStore or path, optional
        What people said of blocks; it wins over gold evidence.
    annotator : str, optional
        Who labels blocks of the mistakes; by default the environment's SPARSEREAD_ANNOTATOR, else the user of the
        machine.
    base : str or path, optional
        The model that is trained further; by default the packaged one.
    options : FineTuningOptions, optional
    reader : SparseReader, optional
        Reads the documents of mistakes; by default the reader that was trained.
    train : callable, optional
        Called as ``fine_tune`` is, with questions; by default that.
    language : str
        "en" or "zh".
    height : int
        In pixels of CSS; 0 for what it needs.

    Examples
    --------
    >>> view = TrainingView("datasets/dev", folder="training")  # doctest: +SKIP
    >>> view.start()  # doctest: +SKIP
    >>> view.found.export("classifier")  # doctest: +SKIP
    """

    script: ClassVar[str] = "training_view"
    sections: ClassVar[tuple[str, ...]] = ("document_view", "training_view")

    children = traitlets.Dict().tag(sync=True, **widget_serialization)
    """"document": a view of the document of the mistake at hand, once one was opened."""
    plan = traitlets.Dict().tag(sync=True)
    """What will be trained, and on how much; see ``parts_data``. Empty until somebody looks."""
    run = traitlets.Dict().tag(sync=True)
    curves = traitlets.Dict().tag(sync=True)
    result = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        source: Workload | Questions | str | Path,
        *,
        folder: str | Path,
        labels: LabelStore | str | Path | None = None,
        annotator: str | None = None,
        base: str | Path | None = None,
        options: FineTuningOptions | None = None,
        reader: SparseReader | None = None,
        train: Train | None = None,
        language: str = "en",
        height: int = 0,
    ) -> None:
        self._ended = threading.Event()
        self._source, self._labels, self._annotator = _loaded(source), _store(labels), annotator
        self.folder, self.base, self.options = Path(folder).expanduser(), base, options
        self._reader, self._train = reader, train
        self._gathered: Questions | None = None
        self._trained_reader: SparseReader | None = None
        self._said = ""
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._planner: threading.Thread | None = None
        self._log = TrainingLog()
        self._status = "ready"
        self._found: FineTuned | None = None
        self._mistakes: tuple[Mistake, ...] = ()
        super().__init__(language=language, height=height, run=TrainingLog().run("ready"))

    @property
    def found(self) -> FineTuned | None:
        """What was trained; None before, and where it broke off."""
        return self._found

    @property
    def is_running(self) -> bool:
        """Whether a training runs."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin; it goes on beside the notebook.

        Raises
        ------
        InvalidOption
            If one runs already.
        """
        self.act("start")

    def cancel(self) -> None:
        """End it after the step at hand; the best checkpoint stays."""
        self.act("cancel")

    def wait(self, seconds: float | None = None) -> FineTuned | None:
        """Wait until it has ended, and return what was trained."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._found

    def do_start(self) -> None:
        """Begin in a thread."""
        with self._lock:
            if self.is_running:
                raise InvalidOption("A training runs here already; wait for it, or cancel it first.")
            self._ended = threading.Event()
            self._log = TrainingLog(time.monotonic())
            self._found, self._mistakes, self._said, self._trained_reader = None, (), "", None
            self._thread = threading.Thread(target=self._run, args=(self._ended,), daemon=True)
            self._status = "running"
            with self.hold_sync():
                self.fault = self.details = ""
                self.result, self.curves = {}, {}
                self.run = self._log.run(self._status)
            self._thread.start()
            threading.Thread(target=self._watch, args=(self._thread,), daemon=True).start()

    def do_cancel(self) -> None:
        """Have it end after the step at hand."""
        with self._lock:
            if self.is_running:
                self._ended.set()
                self._status = "cancelling"
                self._show()

    def do_open(self, mistake: int) -> None:
        """Show the document of a mistake, with its block at hand.

        Raises
        ------
        InvalidOption
            If there is no such mistake.
        """
        if isinstance(mistake, bool) or not isinstance(mistake, int) or not 0 <= mistake < len(self._mistakes):
            raise InvalidOption(f"There is no mistake {mistake!r:.40}; there are {len(self._mistakes)}.")
        found = self._mistakes[mistake]
        self._show_document(found.question, found.block)

    def answer_plan(self) -> bool:
        """Have it found out, in a thread, what will be trained; say whether that was begun."""
        with self._lock:
            if self.plan.get("models") or (self._planner is not None and self._planner.is_alive()):
                return False
            self._planner = threading.Thread(target=self._plan, daemon=True)
            self._planner.start()
            return True

    def close(self) -> None:
        """End the training, and leave the page."""
        self._ended.set()
        super().close()

    def _plan(self) -> None:
        try:
            with self.telling():
                options = self._options()
                self.plan = {**self.plan, **parts_data(self.base, options)}
                self.plan = {**self.plan, "data": self._data()}
        except WorkbenchError as error:
            self.plan = {**self.plan, "problem": str(error)}

    def _options(self) -> dict[str, Any]:
        from ..training.fine_tuning import FineTuningOptions

        chosen = self.options or FineTuningOptions()
        return {name: found for name in ("encoder", "classifier") if (found := getattr(chosen, name, None)) is not None}

    def _data(self) -> dict[str, Any]:
        from ..training.questions import with_labels

        found = self._questions(progress=False)
        if self._labels is None:
            return questions_data(found, 0)
        return questions_data(with_labels(found, self._labels), len(self._labels))

    def _questions(self, *, progress: bool | None) -> Questions:
        """Return the questions, without what people say; their documents are opened once."""
        from ..training.question import Questions
        from ..training.questions import questions_of

        if self._gathered is None:
            given = self._source
            self._gathered = given if isinstance(given, Questions) else questions_of(given, progress=progress)
        return self._gathered

    def _run(self, ended: threading.Event) -> None:
        status = "failed"
        try:
            with self.telling():
                found = self._found_by(ended)
                if found is None:
                    status = "cancelled"
                    return
                self._found = found
                if found.evaluation is not None:
                    self._mistakes = mistakes_of(found.evaluation)
                    self.result = result_data(found.evaluation, self._mistakes, found.notes)
                elif found.notes:
                    self._said = found.notes[-1]
                status = "cancelled" if found.evaluation is None else "done"
        finally:
            with self._lock:
                self._status = status
                self._show()

    def _found_by(self, ended: threading.Event) -> FineTuned | None:
        """Train, and return what came of it; None where it was ended too early for anything, which is no fault."""
        from ..training.learning.telling import CancelledStep, telling

        try:
            with telling("data", self._told, ended, None):
                questions = self._questions(progress=None)
            # Progress is told, not shown: a cell is no place for it, for nobody knows which one it would be.
            with reporting(lambda _: _Follower(self, ended)):
                return self._trainer()(
                    questions,
                    labels=self._labels,
                    base=self.base,
                    options=self.options,
                    folder=self.folder,
                    told=self._told,
                    cancel=ended,
                    progress=None,
                )
        except CancelledStep:
            self._said = _CANCELLED_EARLY
        except TrainingFailed as error:
            if not ended.is_set():
                raise
            self._said = str(error)
        return None

    def ends_itself(self) -> bool:
        """Whether what runs is a training, which looks after each step whether it shall end, and keeps what it has."""
        last = self._log.last
        return last is not None and last.phase in TRAININGS

    def _trainer(self) -> Train:
        if self._train is not None:
            return self._train
        from ..training.fine_tuning import fine_tune

        return fine_tune

    def _told(self, state: TrainingState) -> None:
        with self._lock:
            self._log.take(state, time.monotonic())

    def _watch(self, thread: threading.Thread) -> None:
        """Show how far it is, until it has ended."""
        while thread.is_alive():
            with self._lock:
                if self._status in _UNDER_WAY:
                    self._show()
            thread.join(EVERY)

    def _show(self) -> None:
        with self._lock, self.hold_sync():
            curves = self._log.curves()
            if curves != self.curves:
                self.curves = curves
            run = self._log.run(self._status, time.monotonic())
            self.run = {**run, "note": self._said or run["note"]}

    def _show_document(self, question: Question, block: int) -> None:
        from .document_view import DocumentView

        reading = self._reads().read(question.document, question.question, progress=False)
        view = self.children.get("document")
        if view is None:
            about: dict[str, Any] = {"labels": self._labels, "annotator": self._annotator, "language": self.language}
            view = DocumentView(reading, gold=question.evidence, **about)
            self.children = {"document": view}
        else:
            view.show(reading, gold=question.evidence)
        view.select(block)

    def _reads(self) -> SparseReader:
        from ..reading import SparseReader

        if self._reader is not None:
            return self._reader
        if self._trained_reader is None:
            assert self._found is not None
            self._trained_reader = SparseReader(scorer=self._found.scorer())
        return self._trained_reader

    def __repr__(self) -> str:
        return f"TrainingView({str(self.folder)!r}, {self.run['status']})"


class _Follower(Reporter):
    """Ends what no phase tells of, such as the comparison of the parts of a split."""

    def __init__(self, view: TrainingView, ended: threading.Event) -> None:
        self._view, self._ended = view, ended

    def update(self, done: int, total: int, seconds: float) -> None:
        """Look whether it shall end."""
        from ..training.learning.telling import CancelledStep

        del done, total, seconds
        if self._ended.is_set() and not self._view.ends_itself():
            raise CancelledStep

    def close(self) -> None:
        """Nothing was shown."""


def _loaded(source: Workload | Questions | str | Path) -> Workload | Questions:
    from ..training.question import Questions
    from ..workload import Workload, load_workload

    if isinstance(source, str | Path):
        return load_workload(source)
    if not isinstance(source, Workload | Questions):
        raise InvalidOption(
            f"A training needs a workload or questions, not {type(source).__name__}; give one, such as "
            'TrainingView("datasets/dev", folder="training").'
        )
    return source


def _store(labels: LabelStore | str | Path | None) -> LabelStore | None:
    from ..training.labels import LabelStore

    return labels if labels is None or isinstance(labels, LabelStore) else LabelStore(labels)
