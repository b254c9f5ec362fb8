"""What a widget of outcomes holds: the requests and a rule of the gate with its figures, as arrays and plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import traitlets

from ..calibration.hand_set import judged_on, starting_rule, tuned_on
from ..calibration.outcomes import Outcomes
from ..calibration.result import CalibrationResult
from ..calibration.rules import Rule
from ..errors import InvalidOption
from ..gate.margin import GateThresholds, GateWeights
from .base import Widget
from .gate_data import alike, outcome_data, rule_data

if TYPE_CHECKING:
    import pandas as pd

    from ..gate.profile import GateProfile
    from ..workload import Workload


class OutcomesWidget(Widget):
    """Base of the widgets that show the requests of a workload; ``show`` sends only what differs.

    Parameters
    ----------
    outcomes : DataFrame or CalibrationResult, optional
        A table of outcomes (see ``workbench.calibration.checked_outcomes``), or a calibration. Without rows an empty
        state is shown.
    rule : Rule, GateProfile or CalibrationResult, optional
        By default equal weights with the thresholds that save most within the tolerance.
    workload : Workload, optional
        Where the questions of the requests stand.
    tolerance : float
        Mean quality loss that is accepted; of a calibration, its own.
    language : str
    """

    signals = traitlets.Bytes().tag(sync=True)
    native_tokens = traitlets.Bytes().tag(sync=True)
    sparse_tokens = traitlets.Bytes().tag(sync=True)
    loss = traitlets.Bytes().tag(sync=True)
    chance = traitlets.Bytes().tag(sync=True)
    free = traitlets.Bytes().tag(sync=True)
    documents = traitlets.Bytes().tag(sync=True)
    document_names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    group_column = traitlets.Unicode("").tag(sync=True)
    groups = traitlets.Bytes().tag(sync=True)
    group_names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    constraints = traitlets.Bytes().tag(sync=True)
    constraint_names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    names = traitlets.Bytes().tag(sync=True)
    name_offsets = traitlets.Bytes().tag(sync=True)
    questions = traitlets.Bytes().tag(sync=True)
    question_offsets = traitlets.Bytes().tag(sync=True)
    bundles = traitlets.Bytes().tag(sync=True)
    draws = traitlets.Bytes().tag(sync=True)
    weights: traitlets.List[Any] = traitlets.List().tag(sync=True)
    native = traitlets.Float(0.0).tag(sync=True)
    force = traitlets.Float(0.0).tag(sync=True)
    tolerance = traitlets.Float(0.01).tag(sync=True)
    allowed = traitlets.Float(0.0).tag(sync=True)
    by_hand = traitlets.Bool(False).tag(sync=True)
    figures: traitlets.List[Any] = traitlets.List().tag(sync=True)
    test_figures: traitlets.List[Any] = traitlets.List().tag(sync=True)
    rivals: traitlets.List[Any] = traitlets.List().tag(sync=True)
    counts = traitlets.Dict().tag(sync=True)
    promise = traitlets.Dict().tag(sync=True)
    notes: traitlets.List[Any] = traitlets.List().tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    """Id of the selected request; "" for none."""
    opened = traitlets.Unicode("").tag(sync=True)
    """Id of the request that was opened last, where no bench opens it."""
    sequence = traitlets.Int(0).tag(sync=True)
    """Changes last, once for each other rule: the browser listens to it alone."""
    outcomes_sequence = traitlets.Int(0).tag(sync=True)
    """The same for other outcomes."""

    def __init__(
        self,
        outcomes: pd.DataFrame | CalibrationResult | None = None,
        rule: Rule | GateProfile | CalibrationResult | None = None,
        *,
        workload: Workload | None = None,
        tolerance: float = 0.01,
        language: str = "en",
        **traits: Any,
    ) -> None:
        self._table: pd.DataFrame | None = None
        self._questions = {request.id: request.question for request in workload} if workload is not None else {}
        self._opening: list[Callable[[str], None]] = []
        self._result = self._first(outcomes, rule, tolerance)
        data = {**self._outcome_traits(self._result), **rule_data(self._result)}
        super().__init__(language=language, **{"tolerance": tolerance, **data}, **traits)

    @property
    def result(self) -> CalibrationResult | None:
        """The rule that is shown, with its figures; set another one to show that."""
        return self._result

    @result.setter
    def result(self, result: CalibrationResult | None) -> None:
        self.show(result)

    @property
    def outcomes(self) -> Outcomes | None:
        """The requests that are shown."""
        return None if self._result is None else self._result.outcomes

    def show(self, result: CalibrationResult | None, *, outcomes: pd.DataFrame | None = None) -> None:
        """Show another rule, on these requests or on others.

        Parameters
        ----------
        result : CalibrationResult or None
            From ``calibrate`` or ``judged``; None where there are no outcomes.
        outcomes : DataFrame, optional
            The table that the result is of, for a widget that calibrates alone.
        """
        before, self._result = self._result, _checked(result)
        if outcomes is not None:
            self._table = outcomes
        other = not alike(_outcomes_of(before), _outcomes_of(result))
        with self.hold_sync():
            if other:
                for name, value in self._outcome_traits(result).items():
                    setattr(self, name, value)
                self.outcomes_sequence += 1
            for name, value in rule_data(result).items():
                setattr(self, name, value)
            self.sequence += 1

    def select(self, request: str) -> None:
        """Select a request by its id; "" selects none.

        Raises
        ------
        InvalidOption
            If there is no such request.
        """
        if request:
            self.place_of(request)
        self.selected = request

    def on_open(self, callback: Callable[[str], None]) -> None:
        """Call back with the id of each request that is opened, where no bench opens it."""
        self._opening.append(callback)

    def do_open(self, request: str) -> None:
        """Open a request: tell who asked to be told."""
        self.place_of(request)
        self.opened = request
        for callback in self._opening:
            callback(request)

    def do_set_weights(self, exposure: float, cost: float, risk: float) -> None:
        """Judge other weights; they are scaled to sum to one."""
        result = self._shown()
        self._judge(GateWeights(exposure=exposure, cost=cost, risk=risk), result.thresholds, result.quality_tolerance)

    def do_set_gate(self, native: float, force: float) -> None:
        """Judge other thresholds."""
        result = self._shown()
        self._judge(result.weights, GateThresholds(native=native, force=force), result.quality_tolerance)

    def do_set_tolerance(self, value: float) -> None:
        """Judge with another tolerance: the oracle may lose as much."""
        result = self._shown()
        self._judge(result.weights, result.thresholds, value)

    def place_of(self, request: str) -> int:
        """Return at which place a request stands.

        Raises
        ------
        InvalidOption
            If there is no such request.
        """
        found = self._places.get(request)
        if found is None:
            raise InvalidOption(f"There is no request {request!r:.60} among the outcomes; give the id of one that is.")
        return found

    def _shown(self) -> CalibrationResult:
        if self._result is None:
            raise InvalidOption("There are no outcomes to set a rule on; replay a workload first.")
        return self._result

    def _judge(self, weights: GateWeights, thresholds: GateThresholds, tolerance: float) -> None:
        before = self._shown()
        self.show(judged_on(before.outcomes, weights, thresholds, tolerance=tolerance, notes=self._left_out))

    def _first(
        self,
        outcomes: pd.DataFrame | CalibrationResult | None,
        rule: Rule | GateProfile | CalibrationResult | None,
        tolerance: float,
    ) -> CalibrationResult | None:
        self._left_out: tuple[str, ...] = ()
        if outcomes is None or isinstance(outcomes, CalibrationResult):
            return outcomes
        self._table = outcomes
        if isinstance(rule, CalibrationResult):
            return rule
        if len(outcomes) == 0:
            return None
        kept, self._left_out = tuned_on(outcomes)
        chosen = _rule_of(rule) if rule is not None else starting_rule(kept, tolerance)
        return judged_on(kept, chosen.weights, chosen.thresholds, tolerance=tolerance, notes=self._left_out)

    def _outcome_traits(self, result: CalibrationResult | None) -> dict[str, Any]:
        found = outcome_data(_outcomes_of(result), self._questions, seed=0 if result is None else result.bootstrap.seed)
        names = () if result is None else result.outcomes.request
        self._places = {str(name): place for place, name in enumerate(names)}
        return found


def _rule_of(rule: Rule | GateProfile) -> Rule:
    from ..gate import ReadGate
    from ..gate.profile import GateProfile

    if isinstance(rule, Rule):
        return rule
    if isinstance(rule, GateProfile):
        gate = ReadGate.from_profile(rule)
        return Rule(gate.weights, gate.thresholds)
    raise InvalidOption(f"The rule is of type {type(rule).__name__}; give a Rule, a GateProfile or a calibration.")


def _checked(result: CalibrationResult | None) -> CalibrationResult | None:
    if result is not None and not isinstance(result, CalibrationResult):
        raise InvalidOption(
            f"A widget of outcomes shows a calibration, not {type(result).__name__}; make one with calibrate or judged."
        )
    return result


def _outcomes_of(result: CalibrationResult | None) -> Outcomes | None:
    return None if result is None else result.outcomes
