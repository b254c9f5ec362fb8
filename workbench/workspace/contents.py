"""What is on the bench: everything that can be looked at. Nothing here changes what an analyst has done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..calibration.hand_set import judged
from ..calibration.rules import Rule
from ..documents import Document
from ..errors import InvalidOption, WorkbenchError
from ..gate.gate import GateDecision, ReadGate
from ..reading import Reading, SparseReader
from ..structure import RuleBook, RuleTable
from .beginning import Beginning, outcomes_beside
from .jobs import Jobs
from .journal import Journal
from .judging import judged_as_profile, origin_of
from .opened import Opened, tuned_reader
from .opening import NOTHING, READING, Place, place_of
from .requests_table import requests_table
from .staleness import staleness_of
from .state import BenchState, Tuned

if TYPE_CHECKING:
    import pandas as pd

    from ..calibration import CalibrationResult
    from ..gate.profile import GateProfile
    from ..workload import Request, Workload
    from ..workload.recall_curves import RecallCurves
    from ..workload.replay import BlockScores
    from ..workload.rule_effects import WorkloadEffects

Made = TypeVar("Made")


class Contents:
    """What is on the bench.

    Attributes
    ----------
    workload : Workload or None
    folder : pathlib.Path
        Of the workspace.
    jobs : Jobs
        Long work; iterating gives the last state of each kind.
    """

    def __init__(
        self,
        workload: Workload | None,
        folder: Path,
        began: Beginning,
        journal: Journal,
        outcomes: pd.DataFrame | None,
    ) -> None:
        self.workload, self.folder = workload, folder
        self.jobs = Jobs(lambda: self._tell({"jobs"}))
        self._began, self._state = began, began.state
        self._lock = threading.RLock()
        self._journal = journal
        self._ids: set[str] = set()
        self._saved_at = ""
        self._calls: list[str] = []
        self._notes: list[str] = list(began.notes)
        self._opened: Opened | None = None
        self._reading: Reading | None = None
        self._place: Place = NOTHING
        self._outcomes, self._outcomes_known, self._outcomes_version = outcomes, outcomes is not None, 0
        self._results: dict[Hashable, CalibrationResult] = {}
        self._scores: tuple[str, BlockScores] | None = None
        self._curves: tuple[Hashable, RecallCurves] | None = None
        self._effects: dict[str, tuple[Hashable, WorkloadEffects]] = {}
        self._memory: dict[str, tuple[Hashable, Any]] = {}

    def _tell(self, names: Iterable[str]) -> None:
        raise NotImplementedError

    @property
    def lock(self) -> threading.RLock:
        """Held while the bench changes and tells: for who looks at several things that must fit together."""
        return self._lock

    @property
    def state(self) -> BenchState:
        """What the operations add up to."""
        return self._state

    @property
    def profile(self) -> GateProfile | None:
        """The profile that the bench began with."""
        return self._began.profile

    @property
    def operations(self) -> int:
        """How many operations are on disk."""
        return len(self._ids)

    @property
    def saved_at(self) -> str:
        """When the last of them was done, ISO 8601; "" for none."""
        return self._saved_at

    @property
    def document(self) -> Document | None:
        """The document at hand."""
        return None if self._opened is None else self._opened.document

    @property
    def request(self) -> Request | None:
        """The request at hand; None for a question of one's own."""
        return None if self._opened is None else self._opened.request

    @property
    def question(self) -> str | None:
        """The question at hand."""
        return None if self._opened is None else self._opened.question

    @property
    def reading(self) -> Reading | None:
        """The reading at hand, as it is tuned."""
        return self._reading

    @property
    def gold(self) -> tuple[int, ...]:
        """Ids of the blocks that hold the evidence of the request at hand."""
        return () if self._opened is None else self._opened.gold_blocks

    @property
    def opened(self) -> Opened | None:
        """What is at hand, with all that readings are made of."""
        return self._opened

    @property
    def is_reading(self) -> bool:
        """Whether the document of ``state.request`` (or of the question asked) is still being read."""
        return place_of(self._state) != self._place and self.jobs.is_running(READING)

    @property
    def reader(self) -> SparseReader:
        """The reader with the rules, cut and offsets as they are tuned."""
        tuned = self._state.tuned
        scale = None if self._opened is None else self._opened.basis.scored.scale
        key = tuned.cut, tuned.offsets, tuned.tables, scale
        return self._known("reader", key, lambda: tuned_reader(self._began.reader, tuned, scale))

    @property
    def rule_book(self) -> RuleBook:
        """The rule tables as they are tuned."""
        return self._state.tuned.book

    @property
    def rule_key(self) -> str:
        """Key of the rule table at hand in the rule book: the document's type, or "*"."""
        return "*" if self._opened is None else self._opened.rule_key(self._state.tuned.tables)

    @property
    def rule_table(self) -> RuleTable:
        """The rule table at hand."""
        return self._state.tuned.tables[self.rule_key]

    @property
    def budget(self) -> int | None:
        """Most tokens of the kept text."""
        return self._state.tuned.budget

    @property
    def gate_rule(self) -> Rule:
        """Weights and thresholds of the gate."""
        return self._state.tuned.rule

    @property
    def calls(self) -> tuple[str, ...]:
        """What was done, as Python calls, newest last."""
        return tuple(self._calls)

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be known of the bench, a sentence each."""
        foreign = self._journal.foreign
        more = []
        if foreign:
            times = "an operation was" if foreign == 1 else f"{foreign:,} operations were"
            more.append(
                f"Another kernel works in this workspace, and {times} written there since; run the cell again to go on "
                "from there."
            )
        return tuple(dict.fromkeys((*self._notes, *more)))

    @property
    def outcomes(self) -> pd.DataFrame | None:
        """What both paths of every request cost and yield; None before a replay."""
        with self._lock:
            if not self._outcomes_known:
                self._outcomes_known = True
                try:
                    self._outcomes = outcomes_beside(self.folder, self.workload)
                except WorkbenchError as error:
                    self._notes.append(f"The outcomes cannot be read, so replay the workload again: {error}")
            return self._outcomes

    @property
    def judged(self) -> CalibrationResult | None:
        """What the rule of the gate does on the outcomes, None without them.

        Out of sample where it was calibrated on them, or where the profile that it comes from was; else in sample.
        """
        tuned, profile = self._state.tuned, self.profile
        if tuned.origin in ("calibrated", "profile"):
            known = self._results.get(self._result_key(tuned))
            if known is not None:
                return known
        found = self.judged_in_sample
        if found is None or profile is None or tuned.origin != "profile":
            return found
        return self._known("judged as profile", found, lambda: judged_as_profile(found, profile))

    @property
    def judged_in_sample(self) -> CalibrationResult | None:
        """The same with figures in sample alone: what can be laid beside another rule."""
        outcomes, tuned = self.outcomes, self._state.tuned
        if outcomes is None:
            return None
        rule = tuned.rule
        said = origin_of(tuned, self.profile, is_made_again=self.jobs.is_running("figures"))
        return self._known(
            "judged",
            (self._result_key(tuned), said),
            lambda: self._quietly(
                lambda: judged(outcomes, rule.weights, rule.thresholds, tolerance=tuned.tolerance, said=said)
            ),
        )

    @property
    def stale(self) -> tuple[str, ...]:
        """Why the outcomes do not fit the reader as it is tuned, a sentence each; none where they do, or are none.

        It looks at every artifact of the workload each time.
        """
        outcomes, tuned = self.outcomes, self._state.tuned
        if outcomes is None:
            return ()
        fingerprint = self._fingerprint()
        key = tuned.cut, tuned.offsets, tuned.tables, self._outcomes_version, fingerprint
        source = {str(name): value for name, value in outcomes.attrs.items()}
        return self._known("stale", key, lambda: staleness_of(source, self.reader, fingerprint))

    @property
    def decision(self) -> GateDecision | None:
        """Where the gate sends the request at hand, and why."""
        opened, rule = self._opened, self._state.tuned.rule
        if opened is None:
            return None
        options = self._began.options_as_tuned(self._state.tuned)
        gate = ReadGate(rule.weights, rule.thresholds, options=options)
        return self._known(
            "decision",
            (opened, rule, options),
            lambda: gate.decide(opened.document, opened.intent, prepared=opened.turns > 0),
        )

    @property
    def curves(self) -> RecallCurves | None:
        """What every cut would recall and keep on the workload; see ``need``. They may be of rules before an edit."""
        return None if self._curves is None else self._curves[1]

    @property
    def effects(self) -> WorkloadEffects | None:
        """What each rule of the table at hand does over the workload; see ``need``, and their ``table_sha256``."""
        found = self._effects.get(self.rule_key)
        return None if found is None else found[1]

    def requests_frame(self) -> pd.DataFrame:
        """Return one row a request of the workload; see ``workbench.workspace.requests_table.requests_table``."""
        key = self._result_key(self._state.tuned), self.judged
        table = self._known(
            "requests",
            key,
            lambda: requests_table(self._required_workload(), self.outcomes, self.gate_rule, self.judged),
        )
        return table.copy()

    def _required_workload(self) -> Workload:
        if self.workload is None:
            raise InvalidOption("This bench has no workload; make one with Bench(load_workload(folder)).")
        return self.workload

    def _required_outcomes(self) -> pd.DataFrame:
        if self.outcomes is None:
            raise InvalidOption("There are no outcomes yet of what both paths of the requests yield; replay first.")
        return self.outcomes

    def _result_key(self, tuned: Tuned) -> Hashable:
        return tuned.rule, tuned.tolerance, self._outcomes_version

    def _remember_result(self, result: CalibrationResult, version: int) -> None:
        self._results[Rule(result.weights, result.thresholds), result.quality_tolerance, version] = result

    def _fingerprint(self) -> str | None:
        try:
            return None if self.workload is None else self.workload.fingerprint
        except (WorkbenchError, OSError):
            return None

    def _made_of(self, name: str) -> Hashable:
        """What decides the curves, or the effects at hand."""
        tuned = self._state.tuned
        offsets = tuple(tuned.offsets.items())
        if name == "curves":
            return tuned.book.sha256, offsets
        return self.rule_table.sha256, offsets, tuned.cut

    def is_fresh(self, name: str) -> bool:
        """Whether "curves" or "effects" are there, and of what is tuned now."""
        found = self._curves if name == "curves" else self._effects.get(self.rule_key)
        return found is not None and found[0] == self._made_of(name)

    def _known(self, name: str, key: Any, make: Callable[[], Made]) -> Made:
        """Return what was made of the same before, or make it; the last of each name is kept."""
        with self._lock:
            known = self._memory.get(name)
            if known is None or known[0] != key:
                known = self._memory[name] = key, make()
            found: Made = known[1]
            return found

    def _quietly(self, make: Callable[[], Made]) -> Made | None:
        """Return what is made, or None with a note where it cannot be: for what is only looked at."""
        try:
            return make()
        except WorkbenchError as error:
            if str(error) not in self._notes:
                self._notes.append(str(error))
            return None
