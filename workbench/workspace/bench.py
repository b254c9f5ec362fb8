"""The bench without a screen: what an analyst has at hand, and one door through which everything is changed."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InvalidOption, WorkbenchError
from ..reading import Reading, SparseReader
from ..workload import Workload, load_workload
from . import work
from .actions import Actions
from .beginning import beginning_of, folder_of
from .calls import call_of
from .exporting import checked_target
from .job import Job, Report
from .journal import NAME, Journal, line_of, operation_of
from .judging import is_alike, of_profile
from .opened import Opened, opened_by
from .opening import NOTHING, OPENING, PATIENCE_SECONDS, READING, Pending, Place, place_of
from .operations import Operation
from .state import BenchState, Tuned, after

if TYPE_CHECKING:
    import pandas as pd

    from ..calibration import CalibrationResult
    from ..workload.recall_curves import RecallCurves
    from ..workload.replay import BlockScores
    from ..workload.rule_effects import WorkloadEffects

Listener = Callable[[frozenset[str]], None]

CALLS_KEPT = 500
MADE = ("curves", "effects", "figures")
"""What is made beside everything else, when somebody needs it."""
_QUIET = ("calibrated", "reopen")
"""Operations that no call of an analyst has made."""

_log = logging.getLogger("workbench")


class Bench(Actions):
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
    ) -> None:
        loaded = _loaded(workload)
        place = folder_of(loaded, folder)
        super().__init__(loaded, place, beginning_of(loaded, reader), Journal(place / NAME), outcomes)
        self._listeners: list[Listener] = []
        self._tried: set[int] = set()
        self._load()

    def _load(self) -> None:
        """Take over what the journal holds; what cannot be done any more is told, and stays in the journal."""
        found = self._journal.load()
        self._notes += found.faults
        for operation in found.operations:
            self._ids.add(operation.id)
            self._saved_at = operation.at
            try:
                self._state = after(self._state, operation)
                self._called(operation, table="")
            except WorkbenchError as error:
                when = operation.at[:16].replace("T", " ")
                said = f"{call_of(operation)} of {when}"
                self._notes.append(f"What the journal says was not done again: {said}: {error}")
        place = place_of(self._state)
        try:
            if place != NOTHING:
                self._opened = opened_by(self._state, self.workload, self._began.reader)
                self._reading = self._opened.read(self._state.tuned, self._began.reader)
                self._place = place
        except WorkbenchError as error:
            self._notes.append(f"What was open cannot be opened again, so open another request: {error}")
        if self._state.tuned.origin == "calibrated":
            self.jobs.start("figures", self._calibrated_again, self._keep_result, lane="background")

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
        self._journal.append(line)
        self._ids.add(operation.id)
        self._saved_at = operation.at
        self._called(operation, table=self.rule_key)
        self._state, self._opened, self._reading = state, opened, reading
        if place is not None:
            self._place = place
        elif place_of(state) == self._place and self.jobs.is_running(READING):
            self.jobs.cancel(READING)
        self._begin(operation)
        self._tell(self._changes(*before, operation))

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
        "comparison", "saved". It is called on the thread of the change, that of a job where a job made it.
        """
        self._listeners.append(listener)

        def remove() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return remove

    def need(self, name: str) -> None:
        """Have something made, beside everything else, where it is missing or of other rules.

        Parameters
        ----------
        name : str
            "curves", "effects", or "figures": those of the profile's rule, where its outcomes are at hand.

        Raises
        ------
        InvalidOption
            For another name, or without a workload.
        """
        if name not in MADE:
            raise InvalidOption(f"There is nothing called {name!r:.40} to be made; choose from {', '.join(MADE)}.")
        if name == "figures":
            self._need_figures()
            return
        workload = self._required_workload()
        with self._lock:
            if self.jobs.is_running(name) or self.is_fresh(name):
                return
            tuned, key, began, reader = self._state.tuned, self.rule_key, self._began.reader, self.reader
            made_of, table = self._made_of(name), self.rule_table

            def curves(_report: Report) -> RecallCurves:
                return work.curves_of(workload, began, self._scored(tuned), tuned)

            def effects(report: Report) -> WorkloadEffects:
                return work.effects_of(workload, reader, self._scored(tuned, any_rules=True), table, key, report)

            if name == "curves":
                self.jobs.start(name, curves, lambda found: self._keep_curves(made_of, found), lane="background")
            else:
                self.jobs.start(name, effects, lambda found: self._keep_effects(key, made_of, found), lane="background")

    def close(self) -> None:
        """Cancel the jobs and let go of the journal."""
        self.jobs.cancel_all()
        self._journal.close()

    def _read_again(self, state: BenchState) -> Reading | None:
        """Return how a state reads what is at hand; what stays the same is not made again."""
        opened, before = self._opened, self._reading
        if opened is None or _read_with(state.tuned) == _read_with(self._state.tuned):
            return before
        return opened.read(state.tuned, self._began.reader, before)

    def _check(self, operation: Operation, state: BenchState, opened: Opened | None, reading: Reading | None) -> None:
        """Do before it is written down what may fail: files that are written, and what a job needs."""
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
        elif kind == "save_rules":
            self._save_rules(str(values["path"]))
        elif kind == "export_profile":
            target = checked_target(str(values["path"]))
            self.profile_now(name=str(values.get("name", "")), by=str(values.get("by", "")), export=True).save(target)
        elif kind == "pin" and values.get("block") is not None and opened is not None:
            if self.is_reading:
                raise InvalidOption("Another document is being read; pin a block when it is there.")
            opened.document.block(int(values["block"]))

    def _save_rules(self, path: str) -> None:
        from ..structure.rule_saving import prepared_save

        prepared_save(self.rule_table, path).write()

    def _begin(self, operation: Operation) -> None:
        """Start the job that an operation asks for."""
        tuned = self._state.tuned
        if operation.kind == "calibrate":
            outcomes = self._required_outcomes()
            version = self._outcomes_version
            self.jobs.start(
                "calibrate",
                lambda report: work.calibration_of(outcomes, tuned.tolerance, report),
                lambda found: self._take_calibration(found, version),
            )
        elif operation.kind == "replay":
            workload, began, reader = self._required_workload(), self._began, self.reader
            options = began.options_as_tuned(tuned)
            share = began.profile.gate.advisory_share if began.profile is not None else 0.5
            self.jobs.start(
                "replay",
                lambda _report: work.replayed(workload, reader, options, share, self.folder),
                self._take_outcomes,
            )

    def _take_calibration(self, result: CalibrationResult, version: int) -> None:
        rule = {"weights": result.weights.to_dict(), "thresholds": result.thresholds.to_dict()}
        values = {**rule, "tolerance": result.quality_tolerance}
        with self._lock:
            self._remember_result(result, version)
            self.take(Operation("calibrated", values))

    def _take_outcomes(self, outcomes: pd.DataFrame) -> None:
        with self._lock:
            self._outcomes, self._outcomes_known = outcomes, True
            self._outcomes_version += 1
            self._tell({"outcomes", "gate", *self._if_compared()})

    def _calibrated_again(self, report: Report) -> tuple[CalibrationResult, int] | None:
        """Make the figures of a calibration of another kernel again: equal outcomes give equal figures."""
        with self._lock:
            outcomes, tuned, version = self.outcomes, self._state.tuned, self._outcomes_version
        tolerance = tuned.tolerance if tuned.fitted is None else tuned.fitted
        return None if outcomes is None else (work.calibration_of(outcomes, tolerance, report), version)

    def _need_figures(self) -> None:
        """Calibrate again as the profile was, for all that a profile does not carry: frontier, folds, reliability."""
        with self._lock:
            tuned, version = self._state.tuned, self._outcomes_version
            if tuned.origin != "profile" or tuned.fitted is None or version in self._tried:
                return
            judged = self.judged
            if judged is None or not judged.out_of_sample or self.jobs.is_running("figures"):
                return
            self._tried.add(version)
            self.jobs.start("figures", self._calibrated_again, self._keep_figures, lane="background")

    def _keep_figures(self, found: tuple[CalibrationResult, int] | None) -> None:
        """Take the figures if they are those of the profile's weights and thresholds."""
        with self._lock:
            rule, profile = self._began.state.tuned.rule, self.profile
            if found is not None and profile is not None and is_alike(rule, found[0]):
                result = replace(found[0], notes=(of_profile(profile), *found[0].notes))
                self._results[rule, result.quality_tolerance, found[1]] = result
                self._tell({"gate", *self._if_compared()})

    def _keep_result(self, found: tuple[CalibrationResult, int] | None) -> None:
        with self._lock:
            rule = self._state.tuned.rule
            if found is not None:
                self._remember_result(*found)
            if found is None or (found[0].weights, found[0].thresholds) != (rule.weights, rule.thresholds):
                self._notes.append(
                    "Weights and thresholds were calibrated on other outcomes than those at hand, so their figures are "
                    "in sample; calibrate again."
                )
            self._tell({"gate", *self._if_compared()})

    def _scored(self, tuned: Tuned, *, any_rules: bool = False) -> BlockScores:
        """Return the scores of the workload's blocks; on the thread of a job, of which there is one at a time."""
        known = self._scores
        if known is not None and (any_rules or known[0] == tuned.book.sha256):
            return known[1]
        found = work.scores_of(self._required_workload(), self._began.reader, tuned)
        self._scores = tuned.book.sha256, found
        return found

    def _keep_curves(self, made_of: Hashable, found: RecallCurves) -> None:
        with self._lock:
            self._curves = made_of, found
            self._tell({"curves"})

    def _keep_effects(self, key: str, made_of: Hashable, found: WorkloadEffects) -> None:
        with self._lock:
            self._effects[key] = made_of, found
            self._tell({"effects"})

    def _changes(
        self, state: BenchState, opened: Opened | None, reading: Reading | None, operation: Operation
    ) -> set[str]:
        """Name what is not as it was."""
        now, names = self._state, {"state", "saved"}
        if self._reading is not reading:
            names.add("reading")
        names |= self._others(opened)
        if now.tuned.tables != state.tuned.tables:
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

    def _if_compared(self) -> set[str]:
        return {"comparison"} if self._state.compared is not None else set()

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
