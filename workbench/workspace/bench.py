"""The bench without a screen: what an analyst has at hand, and one door through which everything is changed."""

from __future__ import annotations

import logging
import os
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption, WorkbenchError
from ..reading import Reading, SparseReader
from ..workload import Workload, load_workload
from .beginning import beginning_of, first_request, folder_of
from .calls import call_of
from .job import Job
from .journal import NAME, Journal, beginning_line, line_of, operation_of
from .labelling import annotator_of
from .labels import Labels
from .opened import Opened, opened_by
from .opening import NOTHING, OPENING, PATIENCE_SECONDS, READING, Pending, Place, place_of
from .operations import Operation
from .restoring import began_data, beginning_note, begun_as, redone, unended
from .state import BenchState, Tuned, after, is_tuning

if TYPE_CHECKING:
    import pandas as pd


Listener = Callable[[frozenset[str]], None]

CALLS_KEPT = 500
_QUIET = ("calibrated", "ended", "exported", "reopen", "replayed", "saved")
"""Operations that no call of an analyst has made."""

_OPEN: weakref.WeakValueDictionary[Path, Bench] = weakref.WeakValueDictionary()
"""The bench that works in each folder; two of one kernel in one folder would undo each other's work."""
_log = logging.getLogger("workbench")


class Bench(Labels):
    """A workload on which cuts, rules and gate are tuned; every change is on disk before anybody sees it.

    Parameters
    ----------
    workload : Workload, str or path, optional
        A workload or its folder; without one only files can be read.
    reader : SparseReader, optional
        By default that of ``gate.json`` beside the workload, where it fits, else ``SparseReader()``.
    folder : str or path, optional
        Of the workspace; by default ``.sparseread/<name of the workload>`` below the current folder. What was done
        there before is done again.
    outcomes : DataFrame, optional
        By default ``outcomes.parquet`` in the workspace, else beside the workload.
    annotator : str, optional
        Who labels blocks; by default the environment's SPARSEREAD_ANNOTATOR, else the user of the machine.

    Examples
    --------
    >>> import workbench as wb
    >>> bench = Bench(wb.load_workload("datasets/dev"))  # doctest: +SKIP
    >>> bench.set_share(0.1)  # doctest: +SKIP
    """

    def __init__(
        self,
        workload: Workload | str | Path | None = None,
        *,
        reader: SparseReader | None = None,
        folder: str | Path | None = None,
        outcomes: pd.DataFrame | None = None,
        annotator: str | None = None,
    ) -> None:
        self._annotator, self._untuned_at = annotator_of(annotator), []
        loaded = _loaded(workload)
        place = folder_of(loaded, folder)
        super().__init__(loaded, place, beginning_of(loaded, reader), Journal(place / NAME), outcomes)
        self._listeners: list[Listener] = []
        self._tried, self._making = set(), {}
        self._gave_way = False
        older = _OPEN.get(place.resolve())
        if older is not None:
            older.give_way()
        self._load()
        _OPEN[place.resolve()] = self

    def _load(self) -> None:
        """Take over what the journal holds; what cannot be done any more is told, and stays in the journal."""
        found = self._journal.load()
        first = self._began.state.tuned
        self._began = begun_as(self._began, found.began)
        self._is_begun, self._notes = found.began is not None, list(self._began.notes)
        self._began = replace(self._began, state=replace(self._began.state, request=self._first_request(found.began)))
        self._state = self._began.state
        notes = [*self._notes, *found.faults]
        for operation in found.operations:
            self._ids.add(operation.id)
            self._saved_at = operation.at
            self._state, note = redone(self._state, operation)
            if note:
                notes.append(note)
            else:
                self._called(operation, table="")
        notes += [beginning_note(first, self._began.state.tuned, self._state.tuned), *unended(found.operations)]
        self._notes = [note for note in notes if note]
        place = place_of(self._state)
        try:
            if place != NOTHING:
                self._opened = opened_by(self._state, self.workload, self._began.reader)
                self._reading = self._opened.read(self._state.tuned, self._began.reader)
                self._place = place
        except WorkbenchError as error:
            self._notes.append(f"What was open cannot be opened again, so open another request: {error}")
        self._need_result()

    def _first_request(self, said: Mapping[str, Any] | None) -> str | None:
        """Return the request to open with: the one that the work began with, so that a restart shows the same."""
        began = None if said is None else said.get("request")
        if self.workload is not None and began in [request.id for request in self.workload.requests]:
            return str(began)
        return first_request(self.workload, self.outcomes, self._began.state.tuned.rule)

    def take(self, operation: Operation, *, wait: bool = False) -> None:
        """Do an operation: check it, write it down, do it, and tell those who watch. One that was done is left alone.

        A request whose document takes long to read is opened at once in the state, and the document at hand stays
        until the job "reading" has the other one; if it fails, the state goes back.

        Parameters
        ----------
        operation : Operation
        wait : bool
            Whether to return only when what is opened is at hand.

        Raises
        ------
        WorkbenchError
            If it cannot be done; nothing has changed then.
        """
        line = line_of(operation)
        operation = operation_of(line)
        with self._lock:
            if operation.id in self._ids:
                return
            self._refuse_if_gone()
            if self._is_of_labels(operation):
                self._take_label(operation)
                return
            state = after(self._state, operation)
            if operation.kind not in OPENING or place_of(state) == self._place:
                self._do(operation, line, state, self._opened, self._read_again(state))
                return
            pending, job = self._begin_reading(state)
        # Without the lock: the job tells how far it is, and who hears that may look at the bench.
        if not pending.ready.wait(PATIENCE_SECONDS):
            job.show()
            if wait:
                _wait(pending, job)
        with self._lock:
            if operation.id in self._ids:
                return
            self._open(operation, line, pending)

    def _begin_reading(self, state: BenchState) -> tuple[Pending, Job]:
        """Begin to read what a state has open; what was on its way before gives way."""
        reader = self._began.reader
        pending = Pending(place_of(state), lambda: opened_by(state, self.workload, reader))
        job = self.jobs.begin_unseen(
            READING,
            lambda _report: pending.read(),
            lambda opened: self._take_opened(pending, opened),
            lambda: self._go_back(pending),
        )
        return pending, job

    def _open(self, operation: Operation, line: bytes, pending: Pending) -> None:
        """Do an operation that opens something, which is there now, or comes later."""
        state = after(self._state, operation)
        if pending.opened is not None:
            reading = pending.opened.read(state.tuned, self._began.reader)
            self._do(operation, line, state, pending.opened, reading, place=pending.place)
        elif pending.failure is not None:
            raise pending.failure
        elif pending.is_lost:
            raise InvalidOption("Somebody cancelled the reading, so nothing else was opened; open it again.")
        else:
            self._do(operation, line, state, self._opened, self._read_again(state))
            pending.is_left = True

    def _do(
        self,
        operation: Operation,
        line: bytes,
        state: BenchState,
        opened: Opened | None,
        reading: Reading | None,
        *,
        place: Place | None = None,
    ) -> None:
        before = self._state, self._opened, self._reading
        self._check(operation, state, opened, reading)
        file = self._file_of(operation)
        if is_tuning(operation) and not self._is_begun:
            self._journal.append(beginning_line(began_data(self._began.state)))
            self._is_begun = True
        self._journal.append(line)
        self._ids.add(operation.id)
        self._saved_at = operation.at
        self._called(operation, table=self.rule_key)
        self._state, self._opened, self._reading = state, opened, reading
        self._remember_time(operation)
        if place is not None:
            self._place = place
        elif place_of(state) == self._place and self.jobs.is_running(READING):
            self.jobs.cancel(READING)
        self._begin(operation)
        self._tell(self._changes(*before, operation))
        if file is not None:
            write, written = file
            write()
            self.take(written)

    def _take_opened(self, pending: Pending, opened: Opened) -> None:
        """Put on the bench what was read after its operation, unless something else was opened meanwhile."""
        with self._lock:
            if not pending.is_left or place_of(self._state) != pending.place:
                return
            before = self._opened
            self._opened, self._place = opened, pending.place
            self._reading = opened.read(self._state.tuned, self._began.reader)
            self._tell({"state", *self._others(before), "reading", *self._if_compared()})

    def _go_back(self, pending: Pending) -> None:
        """Have the state say what is at hand, where nothing else comes."""
        pending.lose()
        with self._lock:
            if pending.is_left and place_of(self._state) == pending.place:
                request, artifact, question = self._place
                self.take(Operation("reopen", {"request": request, "artifact": artifact, "question": question}))

    def watch(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with the names of what has changed, after every change; return what ends that.

        The names: "reading", "document", "rules", "gate", "outcomes", "curves", "effects", "jobs", "state",
        "comparison", "saved", "labels", and "closed" for good. It is called on the thread of the change, that of a job
        where a job made it.
        """
        self._listeners.append(listener)

        def remove() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return remove

    def close(self) -> None:
        """Cancel the jobs and let go of the journal."""
        self._journal.close()
        self.jobs.cancel_all()

    def give_way(self) -> None:
        """Close for good, because another bench works in this folder now; who watches is told "closed"."""
        with self._lock:
            self._gave_way = True
            self.close()
            self._tell({"closed"})

    def _refuse_if_gone(self) -> None:
        if self._gave_way:
            raise InvalidOption("This bench gave way to a newer one in the same folder; use that one.")

    def _read_again(self, state: BenchState) -> Reading | None:
        """Return how a state reads what is at hand; what stays the same is not made again."""
        opened, before = self._opened, self._reading
        if opened is None or _read_with(state.tuned) == _read_with(self._state.tuned):
            return before
        return opened.read(state.tuned, self._began.reader, before)

    def _check(self, operation: Operation, state: BenchState, opened: Opened | None, reading: Reading | None) -> None:
        """Refuse before it is written down what cannot be done: a job without what it needs, a comparison with none."""
        kind, values = operation.kind, operation.values
        if kind in ("calibrate", "replay"):
            if self.jobs.is_running(kind):
                raise InvalidOption(f"The job {kind} is running already; wait for it, or cancel it first.")
            if kind == "calibrate":
                self._required_outcomes()
            else:
                self._required_workload()
                self._refuse_unsayable_cut()
        elif kind == "compare":
            self._required_outcomes()
            self._compared(state, opened, reading)
        elif kind == "cancel":
            self.jobs.cancel(str(values["job"]))
        elif kind == "pin" and values.get("block") is not None and opened is not None:
            if self.is_reading:
                raise InvalidOption("Another document is being read; pin a block when it is there.")
            opened.document.block(int(values["block"]))

    def _changes(
        self, state: BenchState, opened: Opened | None, reading: Reading | None, operation: Operation
    ) -> set[str]:
        """Name what is not as it was."""
        now, names = self._state, {"state", "saved"}
        if self._reading is not reading:
            names.add("reading")
        names |= self._others(opened)
        if now.tuned.tables != state.tuned.tables or now.saved != state.saved:
            names.add("rules")
        if _gate(now.tuned) != _gate(state.tuned) or operation.kind == "calibrated":
            names.add("gate")
        if operation.kind == "compare" or names & {"reading", "gate"}:
            names |= self._if_compared()
        return names

    def _others(self, before: Opened | None) -> set[str]:
        """Name what is another one with another document."""
        documents = [None if one is None else one.document for one in (before, self._opened)]
        return set() if documents[0] is documents[1] else {"document", "rules", "effects"}

    def _called(self, operation: Operation, *, table: str) -> None:
        if operation.kind not in _QUIET:
            self._calls = [*self._calls[1 - CALLS_KEPT :], call_of(operation, table=table)]

    def _tell(self, names: Iterable[str]) -> None:
        """Tell those who watch; one that fails keeps nobody else from hearing it."""
        said = frozenset(names)
        for listener in tuple(self._listeners):
            try:
                listener(said)
            except Exception:
                # The change is done and on disk: whoever asked for it must not hear that it failed.
                _log.exception("What watches the bench failed")
                if os.environ.get("SPARSEREAD_STRICT"):
                    raise

    def __repr__(self) -> str:
        what = "no workload" if self.workload is None else repr(self.workload.name)
        return f"Bench({what}, {self.operations:,} operations in {self.folder.name!r})"


def _loaded(workload: Workload | str | Path | None) -> Workload | None:
    return load_workload(workload) if isinstance(workload, str | Path) else workload


def _wait(pending: Pending, job: Job) -> None:
    try:
        pending.ready.wait()
    except KeyboardInterrupt:
        job.cancel()
        raise


def _read_with(tuned: Tuned) -> tuple[object, ...]:
    return tuned.cut, tuned.offsets, tuned.budget, tuned.tables


def _gate(tuned: Tuned) -> tuple[object, ...]:
    return tuned.rule, tuned.origin, tuned.tolerance
