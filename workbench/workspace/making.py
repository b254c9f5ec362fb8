"""What takes long beside the analyst, and the files that are written: figures, outcomes, curves, effects and rules."""

from __future__ import annotations

import abc
from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InvalidOption
from ..structure import RuleTable
from ..structure.rule_saving import RuleSave, prepared_save
from . import work
from .actions import Actions
from .exporting import checked_target
from .job import JobStatus, Report
from .judging import is_alike, of_profile
from .operations import Operation
from .state import Tuned

if TYPE_CHECKING:
    import pandas as pd

    from ..calibration import CalibrationResult
    from ..workload.recall_curves import RecallCurves
    from ..workload.replay import BlockScores
    from ..workload.rule_effects import WorkloadEffects

MADE = ("curves", "effects", "figures")
"""What is made beside everything else, when somebody needs it."""


class Making(Actions, abc.ABC):
    """The jobs of a bench with what becomes of their results, and its files."""

    _tried: set[Hashable]
    _making: dict[str, Hashable]
    _is_unscored = False
    """Whether curves were wanted and nothing of the scores is remembered."""

    def need(self, name: str, *, by_itself: bool = False) -> None:
        """Have something made, beside everything else, where it is missing or of other rules.

        What is being made of other rules gives way.

        Parameters
        ----------
        name : str
            "curves", "effects", or "figures": those of the profile's rule, where its outcomes are at hand.
        by_itself : bool
            Whether nobody has asked for it: curves are then made only where the scores of the workload are remembered,
            for to embed its documents takes minutes; see ``are_curves_offered``.

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
            made_of = self._made_of(name)
            under_way = self.jobs.is_running(name) and self._making.get(name) == made_of
            if under_way or self.is_fresh(name) or (by_itself and self.are_curves_offered):
                return
            self._making[name] = made_of
            tuned, key, began, reader = self._state.tuned, self.rule_key, self._began, self.reader
            table, by_hand = self.rule_table, self.is_tuned_by_hand

            def curves(_report: Report) -> RecallCurves | None:
                known = not by_itself or self._scores is not None
                if not known and not work.are_remembered(workload, began.reader, tuned):
                    return None
                return work.curves_of(workload, began.reader, self._scored(tuned), tuned, by_hand=by_hand)

            def effects(report: Report) -> WorkloadEffects:
                scores = self._scored(tuned, any_rules=True)
                return work.effects_of(workload, reader, scores, table, key, report, by_hand=by_hand)

            lane = "background"
            if name == "curves":
                self.jobs.start(name, curves, lambda found: self._keep_curves(made_of, found), lane=lane, instead=True)
            else:
                keep = self._keep_effects
                self.jobs.start(name, effects, lambda found: keep(key, made_of, found), lane=lane, instead=True)

    @property
    def are_curves_offered(self) -> bool:
        """Whether there are no curves, and none come unless somebody asks: they take minutes, or were stopped."""
        last = self.jobs.of("curves")
        if self.workload is None or self._curves is not None or (last is not None and not last.ended):
            return False
        return self._is_unscored or (last is not None and last.status is not JobStatus.DONE)

    @property
    def is_tuned_by_hand(self) -> bool:
        """Whether rules or offsets are others than those that the work began with: no figure is out of sample then."""
        tuned, began = self._state.tuned, self._began.state.tuned
        return tuned.book.sha256 != began.book.sha256 or dict(tuned.offsets) != dict(began.offsets)

    @property
    def saved_table(self) -> RuleTable:
        """The rule table at hand as it is on disk: as it was saved last, else as the work began."""
        key = self.rule_key
        known = self._state.saved.get(key)
        return self._began.state.tuned.tables[key] if known is None else known.table

    @property
    def rules_path(self) -> str:
        """Where the rule table at hand would be saved, if nobody says otherwise."""
        known = self._state.saved.get(self.rule_key)
        return f"{self.rule_table.name}.yaml" if known is None else known.path

    def prepared_rules(self, path: str | Path | None = None) -> RuleSave:
        """Return what ``save_rules`` would write; its fingerprint has ``save_rules`` refuse anything else.

        Raises
        ------
        InvalidRules
            If the path is that of no rule table, or what is there is none.
        """
        with self._lock:
            known = self._state.saved.get(self.rule_key)
            source = Path(known.path) if known is not None and Path(known.path).is_file() else None
            return prepared_save(self.rule_table, path or self.rules_path, source=source)

    def _file_of(self, operation: Operation) -> tuple[Callable[[], object], Operation] | None:
        """Return what writes the file that an operation asks for, and the operation that says it is written."""
        values = operation.values
        if operation.kind == "save_rules":
            path = str(values["path"])
            save = self.prepared_rules(path)
            save.check(values.get("fingerprint"))
            return save.write, Operation("saved", {"table": self.rule_key, "path": str(save.path.absolute())})
        if operation.kind == "export_profile":
            target = checked_target(str(values["path"]))
            name, by = str(values.get("name", "")), str(values.get("by", ""))
            profile = self.profile_now(name=name, by=by, export=True)
            return lambda: profile.save(target), Operation("exported", {"path": str(values["path"])})
        return None

    def _begin(self, operation: Operation) -> None:
        """Start the job that an operation asks for."""
        kind, tuned = operation.kind, self._state.tuned
        if kind == "calibrate":
            self.jobs.start(
                kind,
                lambda report: self._calibrated(tuned.tolerance, report),
                self._take_calibration,
                lost=lambda: self._lose(kind),
            )
        elif kind == "replay":
            workload, began, reader = self._required_workload(), self._began, self.reader
            options = began.options_as_tuned(tuned)
            share = began.profile.gate.advisory_share if began.profile is not None else 0.5
            self.jobs.start(
                kind,
                lambda _report: work.replayed(workload, reader, options, share, self.folder),
                self._take_outcomes,
                lost=lambda: self._lose(kind),
            )
        elif kind in ("undo", "redo"):
            self._need_result()

    def _lose(self, kind: str) -> None:
        """Write down that a job has failed or was cancelled; a bench that is closed leaves it open, which is told."""
        with self._lock:
            if self._journal.is_open:
                self.take(Operation("ended", {"job": kind}))

    def _calibrated(self, tolerance: float, report: Report) -> tuple[CalibrationResult, int]:
        """Fit on the outcomes of this moment: a replay may have ended since somebody asked."""
        with self._lock:
            outcomes, version = self._required_outcomes(), self._outcomes_version
        return work.calibration_of(outcomes, tolerance, report), version

    def _take_calibration(self, found: tuple[CalibrationResult, int]) -> None:
        result = found[0]
        rule = {"weights": result.weights.to_dict(), "thresholds": result.thresholds.to_dict()}
        values = {**rule, "tolerance": result.quality_tolerance}
        with self._lock:
            self._remember_result(*found)
            self.take(Operation("calibrated", values))

    def _take_outcomes(self, outcomes: pd.DataFrame) -> None:
        with self._lock:
            self._outcomes, self._outcomes_known = outcomes, True
            self._outcomes_version += 1
            self._is_unscored = False
            self._tell({"outcomes", "gate", *self._if_compared()})
            self.take(Operation("replayed"))

    def _calibrated_again(self, tuned: Tuned, report: Report) -> tuple[CalibrationResult, int] | None:
        """Make the figures of a calibration of another kernel again: equal outcomes give equal figures."""
        with self._lock:
            if self.outcomes is None:
                return None
        return self._calibrated(tuned.tolerance if tuned.fitted is None else tuned.fitted, report)

    def _need_result(self) -> None:
        """Make the figures of the calibration at hand again, where this kernel has not made them."""
        tuned = self._state.tuned
        fitted = tuned.tolerance if tuned.fitted is None else tuned.fitted
        key = tuned.rule, fitted, self._outcomes_version
        if tuned.origin != "calibrated" or key in self._results or key in self._tried:
            return
        if self.jobs.is_running("figures"):
            self._tried.clear()
        self._tried.add(key)
        self.jobs.start(
            "figures",
            lambda report: self._calibrated_again(tuned, report),
            lambda found: self._keep_result(tuned, found),
            lane="background",
            instead=True,
        )

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
            again = self._calibrated_again
            self.jobs.start("figures", lambda report: again(tuned, report), self._keep_figures, lane="background")

    def _keep_figures(self, found: tuple[CalibrationResult, int] | None) -> None:
        """Take the figures if they are those of the profile's weights and thresholds."""
        with self._lock:
            rule, profile = self._began.state.tuned.rule, self.profile
            if found is not None and profile is not None and is_alike(rule, found[0]):
                result = replace(found[0], notes=(of_profile(profile), *found[0].notes))
                self._results[rule, result.quality_tolerance, found[1]] = result
                self._tell({"gate", *self._if_compared()})

    def _keep_result(self, tuned: Tuned, found: tuple[CalibrationResult, int] | None) -> None:
        with self._lock:
            rule = tuned.rule
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

    def _keep_curves(self, made_of: Hashable, found: RecallCurves | None) -> None:
        with self._lock:
            self._is_unscored = found is None
            if found is not None:
                self._curves = made_of, found
            self._tell({"curves"})

    def _keep_effects(self, key: str, made_of: Hashable, found: WorkloadEffects) -> None:
        with self._lock:
            self._effects[key] = made_of, found
            self._tell({"effects"})

    def _if_compared(self) -> set[str]:
        return {"comparison"} if self._state.compared is not None else set()
