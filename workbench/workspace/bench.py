"""The bench without a screen: what an analyst has at hand, and one door through which everything is changed."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Hashable, Iterable
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
from .jobs import Report
from .journal import NAME, Journal, line_of, operation_of
from .opened import Opened, opened_by
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
MADE = ("curves", "effects")
"""What is made beside everything else, when somebody needs it."""
_QUIET = ("calibrated",)
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
                said = f"{call_of(operation)} of {operation.at[:16].replace('T', ' ')}"
                self._notes.append(f"What the journal says was not done again: {said}: {error}")
        try:
            self._opened, self._reading = self._at_hand(self._state)
        except WorkbenchError as error:
            self._notes.append(f"What was open cannot be opened again: {error}")
        if self._state.tuned.origin == "calibrated":
            self.jobs.start("figures", self._calibrated_again, self._keep_result, lane="background")

    def take(self, operation: Operation) -> None:
        """Do an operation: check it, write it down, do it, and tell those who watch. One that was done is left alone.

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
            before = self._state, self._opened, self._reading
            state = after(self._state, operation)
            opened, reading = self._at_hand(state)
            self._check(operation, state, opened, reading)
            self._journal.append(line)
            self._ids.add(operation.id)
            self._saved_at = operation.at
            self._called(operation, table=self.rule_key)
            self._state, self._opened, self._reading = state, opened, reading
            self._begin(operation)
            self._tell(self._changes(*before, operation))

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
        """Have "curves" or "effects" made, beside everything else, where they are missing or of other rules.

        Raises
        ------
        InvalidOption
            For another name, or without a workload.
        """
        if name not in MADE:
            raise InvalidOption(f"There is nothing called {name!r:.40} to be made; choose from {', '.join(MADE)}.")
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

    def _at_hand(self, state: BenchState) -> tuple[Opened | None, Reading | None]:
        """Return what a state has open and how it reads it; what stays the same is not made again."""
        if state.request is None and state.artifact is None:
            return None, None
        opened, before = self._opened, self._reading
        if opened is None or _what_is_open(state) != _what_is_open(self._state):
            opened, before = opened_by(state, self.workload, self._began.reader), None
        if before is not None and _read_with(state.tuned) == _read_with(self._state.tuned):
            return opened, before
        return opened, opened.read(state.tuned, self._began.reader, before)

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
                lambda report: work.calibration_of(outcomes, tuned, report),
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
        values = {"weights": result.weights.to_dict(), "thresholds": result.thresholds.to_dict()}
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
        return None if outcomes is None else (work.calibration_of(outcomes, tuned, report), version)

    def _keep_result(self, found: tuple[CalibrationResult, int] | None) -> None:
        with self._lock:
            rule = self._state.tuned.rule
            if found is not None:
                self._remember_result(*found)
            if found is None or (found[0].weights, found[0].thresholds) != (rule.weights, rule.thresholds):
                self._notes.append(
                    "The rule of the gate was calibrated on other outcomes than those at hand, so its figures are in "
                    "sample; calibrate again."
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
        documents = [None if one is None else one.document for one in (opened, self._opened)]
        if self._reading is not reading:
            names.add("reading")
        if documents[0] is not documents[1]:
            names |= {"document", "rules", "effects"}
        if now.tuned.tables != state.tuned.tables:
            names.add("rules")
        if _gate(now.tuned) != _gate(state.tuned) or operation.kind == "calibrated":
            names.add("gate")
        if operation.kind == "compare" or names & {"reading", "gate"}:
            names |= self._if_compared()
        return names

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


def _what_is_open(state: BenchState) -> tuple[str | None, str | None, str]:
    return state.request, state.artifact, state.question


def _read_with(tuned: Tuned) -> tuple[object, ...]:
    return tuned.cut, tuned.offsets, tuned.budget, tuned.tables


def _gate(tuned: Tuned) -> tuple[object, ...]:
    return tuned.rule, tuned.origin, tuned.tolerance
