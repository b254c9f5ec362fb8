"""What the operations of an analyst add up to: a value that never changes, and the pure step from one to the next."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from ..calibration.rules import ALL_NATIVE, Rule, rule_of
from ..errors import InvalidOption
from ..gate.margin import GateThresholds, GateWeights
from ..printing import shortened
from ..reading.cuts import checked_budget, checked_offsets, number
from ..structure import RuleBook, RuleTable
from ..structure.naming import nearest
from .filters import check_filters
from .operations import Operation

TABS = ("read", "tune", "gate", "compare", "export", "annotate")
TOLERANCE = 0.01
"""Mean loss that a calibration may cost, where nobody says otherwise."""
CUT_KINDS = ("threshold", "share")

Origin = Literal["none", "profile", "hand", "calibrated"]
"""Where the rule of the gate comes from."""

UNTUNED_RULE = rule_of(GateWeights(1.0, 1.0, 1.0), *ALL_NATIVE)
"""The rule before there is one: every request is native."""


@dataclass(frozen=True, slots=True)
class CutChoice:
    """Where keeping ends, as an analyst chose it; its scale is that of the scores it meets."""

    kind: Literal["threshold", "share"]
    value: float


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """Everything that undo takes back.

    Attributes
    ----------
    cut : CutChoice or None
        None for what the reader has.
    offsets : mapping of str to float
        By document type; 0 is left out.
    budget : int or None
        Tokens.
    tables : mapping of str to RuleTable
        The rule book's tables by document type; "*" serves every other type.
    rule : Rule
        Weights and thresholds of the gate.
    origin : str
        Where the rule comes from: "none", "profile", "hand" or "calibrated".
    tolerance : float
        Mean loss that a calibration may cost.
    fitted : float or None
        Mean loss that the calibration of ``rule`` was allowed; None where nobody knows, or there was none.
    """

    tables: Mapping[str, RuleTable]
    cut: CutChoice | None = None
    offsets: Mapping[str, float] = field(default_factory=dict)
    budget: int | None = None
    rule: Rule = UNTUNED_RULE
    origin: Origin = "none"
    tolerance: float = TOLERANCE
    fitted: float | None = None

    @cached_property
    def book(self) -> RuleBook:
        """The tables as a rule book."""
        return RuleBook(self.tables)


@dataclass(frozen=True)
class Step:
    """What was tuned before (or after) an operation, and the steps behind it."""

    operation: Operation
    tuned: Tuned
    # A chain of thousands of steps: neither printed nor compared.
    behind: Step | None = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class SavedRules:
    """A rule table as it was last written to a file, and the file."""

    table: RuleTable
    path: str


@dataclass(frozen=True, kw_only=True)
class BenchState:
    """All that the operations so far add up to.

    Attributes
    ----------
    tuned : Tuned
    past, future : Step or None
        What undo and redo go to; neither printed nor compared.
    request : str or None
        Id of the request that is open; None where a question was asked freely.
    artifact : str or None
        What the free question is about: an artifact of the workload, or the path of a file; None for the one at hand.
    question : str
        The free question.
    tab : str
    filters : mapping
        Of the table of requests.
    pinned : int or None
        Block whose explanation stays.
    compared, exported : str or None
        Paths of the profile that is compared with, and of the last one that was exported.
    saved : mapping of str to SavedRules
        By key of the rule table, as far as it was written to a file.
    """

    tuned: Tuned
    past: Step | None = field(default=None, repr=False, compare=False)
    future: Step | None = field(default=None, repr=False, compare=False)
    request: str | None = None
    artifact: str | None = None
    question: str = ""
    tab: str = "read"
    filters: Mapping[str, Any] = field(default_factory=dict)
    pinned: int | None = None
    compared: str | None = None
    exported: str | None = None
    saved: Mapping[str, SavedRules] = field(default_factory=dict)

    @property
    def undoable(self) -> Operation | None:
        """What undo takes back."""
        return self.past.operation if self.past else None

    @property
    def redoable(self) -> Operation | None:
        """What redo does again."""
        return self.future.operation if self.future else None


def after(state: BenchState, operation: Operation) -> BenchState:
    """Return the state after an operation; the state before stays as it is.

    Raises
    ------
    WorkbenchError
        If the operation is unknown, or its values are outside their range.
    """
    change = _TUNING.get(operation.kind)
    if change is not None:
        tuned = given(change, operation, state.tuned)
        if tuned == state.tuned:
            return state
        return replace(state, tuned=tuned, past=Step(operation, state.tuned, state.past), future=None)
    move = _MOVES.get(operation.kind)
    if move is None:
        raise InvalidOption(
            f"The bench knows no operation {operation.kind!r:.40}{nearest(operation.kind, (*_TUNING, *_MOVES))}."
        )
    found: BenchState = given(move, operation, state)
    return found


def left_out(state: BenchState, operation: Operation) -> BenchState:
    """Return the state after an operation of a journal that cannot be done again.

    What was tuned is a step that changes nothing, so that the undo and redo behind it meet what they met before.
    """
    if operation.kind not in _TUNING:
        return state
    return replace(state, past=Step(operation, state.tuned, state.past), future=None)


def is_tuning(operation: Operation) -> bool:
    """Whether undo takes an operation back."""
    return operation.kind in _TUNING


def given(change: Callable[..., Any], operation: Operation, before: Any) -> Any:
    """Call with the values of an operation by name; another set of names is refused in words."""
    signature = inspect.signature(change)
    try:
        signature.bind(before, **operation.values)
    except TypeError as error:
        names = ", ".join([*signature.parameters][1:]) or "no values"
        raise InvalidOption(f"The operation {operation.kind} takes {names}: {error!s:.80}.") from None
    return change(before, **operation.values)


def _set_cut(tuned: Tuned, kind: Any, value: Any) -> Tuned:
    if kind not in CUT_KINDS:
        raise InvalidOption(f"The kind of a cut is {kind!r:.40}; choose from {', '.join(CUT_KINDS)}.")
    found = number(str(kind), value, 0.0, 1.0)
    if kind == "share" and not found:
        raise InvalidOption("share is 0; give a number above 0 and at most 1.")
    return replace(tuned, cut=CutChoice(kind, found))


def _set_offset(tuned: Tuned, document_type: Any, value: Any) -> Tuned:
    found = checked_offsets({str(document_type): value})
    offsets = {name: offset for name, offset in {**tuned.offsets, **found}.items() if offset}
    return replace(tuned, offsets=MappingProxyType(dict(sorted(offsets.items()))))


def _set_budget(tuned: Tuned, tokens: Any) -> Tuned:
    return replace(tuned, budget=checked_budget(tokens))


def _edit_rules(tuned: Tuned, table: Any, edit: Any) -> Tuned:
    from ..structure.rule_edits import edited

    if not isinstance(table, str) or table not in tuned.tables:
        raise InvalidOption(
            f"There is no rule table for {table!r:.40}; there are tables for {', '.join(tuned.tables)}."
        )
    if not isinstance(edit, Mapping):
        raise InvalidOption(f"An edit of a rule table is {edit!r:.40}; it needs what to do, and with which rule.")
    tables = {**tuned.tables, table: edited(tuned.tables[table], edit)}
    return replace(tuned, tables=MappingProxyType(tables))


def _set_weights(tuned: Tuned, exposure: Any, cost: Any, risk: Any) -> Tuned:
    return _by_hand(tuned, Rule(GateWeights(exposure, cost, risk), tuned.rule.thresholds))


def _set_gate(tuned: Tuned, native: Any, force: Any) -> Tuned:
    return _by_hand(tuned, Rule(tuned.rule.weights, GateThresholds(native=native, force=force)))


def _by_hand(tuned: Tuned, rule: Rule) -> Tuned:
    return tuned if rule == tuned.rule else replace(tuned, rule=rule, origin="hand", fitted=None)


def _set_tolerance(tuned: Tuned, value: Any) -> Tuned:
    return replace(tuned, tolerance=number("tolerance", value, 0.0, 1.0))


def _calibrated(tuned: Tuned, weights: Any, thresholds: Any, tolerance: Any = None) -> Tuned:
    try:
        rule = Rule(GateWeights(**weights), GateThresholds(**thresholds))
    except TypeError:
        raise InvalidOption(
            "The operation calibrated needs weights (exposure, cost, risk) and thresholds (native, force)."
        ) from None
    fitted = tuned.tolerance if tolerance is None else number("tolerance", tolerance, 0.0, 1.0)
    return replace(tuned, rule=rule, origin="calibrated", fitted=fitted)


def _open(state: BenchState, request: Any, show: Any = None) -> BenchState:
    return replace(
        state,
        request=_text("request", request),
        artifact=None,
        question="",
        pinned=None,
        tab=state.tab if show is None else _tab(show),
    )


def _ask(state: BenchState, question: Any, artifact: Any = None) -> BenchState:
    where = None if artifact is None else _text("artifact", artifact)
    asked = _text("question", question)
    # Without an artifact a question is about the document at hand, which the request still names.
    if where is None and state.request is None and state.artifact is None:
        raise InvalidOption("Nothing is open that a question could be about; open a request, or name an artifact.")
    if where is None:
        return replace(state, question=asked, pinned=None)
    return replace(state, request=None, artifact=where, question=asked, pinned=None)


def _reopen(state: BenchState, request: Any = None, artifact: Any = None, question: Any = "") -> BenchState:
    """Go back to what is at hand, after what was to be opened could not be read."""
    return replace(state, request=request, artifact=artifact, question=question, pinned=None)


def _show(state: BenchState, tab: Any) -> BenchState:
    return replace(state, tab=_tab(tab))


def _filter(state: BenchState, **filters: Any) -> BenchState:
    check_filters(filters)
    found = {name: value for name, value in {**state.filters, **filters}.items() if value is not None}
    return replace(state, filters=MappingProxyType(found))


def _pin(state: BenchState, block: Any = None) -> BenchState:
    if block is not None and (not isinstance(block, int) or isinstance(block, bool) or block < 0):
        raise InvalidOption(f"block is {block!r:.40}; give the number of a block, or None.")
    return replace(state, pinned=block)


def _undo(state: BenchState) -> BenchState:
    if state.past is None:
        raise InvalidOption("There is nothing to undo.")
    step = state.past
    return replace(state, tuned=step.tuned, past=step.behind, future=Step(step.operation, state.tuned, state.future))


def _redo(state: BenchState) -> BenchState:
    if state.future is None:
        raise InvalidOption("There is nothing to do again.")
    step = state.future
    return replace(state, tuned=step.tuned, past=Step(step.operation, state.tuned, state.past), future=step.behind)


def _compare(state: BenchState, path: Any) -> BenchState:
    return replace(state, compared=_text("path", path))


def _export(state: BenchState, path: Any, name: Any = "", by: Any = "") -> BenchState:
    for label, value in (("name", name), ("by", by)):
        if not isinstance(value, str) or len(value) > 200:
            raise InvalidOption(f"{label} is {value!r:.40}; give a text of at most 200 characters.")
    _text("path", path)
    return state


def _exported(state: BenchState, path: Any) -> BenchState:
    return replace(state, exported=_text("path", path))


def _save_rules(state: BenchState, path: Any, fingerprint: Any = None) -> BenchState:
    _text("path", path)
    if fingerprint is not None:
        _text("fingerprint", fingerprint)
    return state


def _saved(state: BenchState, table: Any, path: Any) -> BenchState:
    found = state.tuned.tables.get(_text("table", table))
    if found is None:
        raise InvalidOption(f"There is no rule table for {table!r:.40} that could have been saved.")
    saved = {**state.saved, table: SavedRules(found, _text("path", path))}
    return replace(state, saved=MappingProxyType(saved))


def _cancel(state: BenchState, job: Any) -> BenchState:
    _text("job", job)
    return state


def _nothing(state: BenchState) -> BenchState:
    return state


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidOption(f"{name} is {shortened(repr(value), 60)}; give a text.")
    return value


def _tab(value: Any) -> str:
    if value not in TABS:
        raise InvalidOption(f"There is no tab {value!r:.40}; choose from {', '.join(TABS)}.")
    return str(value)


_TUNING: Mapping[str, Callable[..., Tuned]] = {
    "set_cut": _set_cut,
    "set_offset": _set_offset,
    "set_budget": _set_budget,
    "edit_rules": _edit_rules,
    "set_weights": _set_weights,
    "set_gate": _set_gate,
    "set_tolerance": _set_tolerance,
    "calibrated": _calibrated,
}
"""Operations that undo takes back."""

_MOVES: Mapping[str, Callable[..., BenchState]] = {
    "open": _open,
    "ask": _ask,
    "reopen": _reopen,
    "show": _show,
    "filter": _filter,
    "pin": _pin,
    "undo": _undo,
    "redo": _redo,
    "compare": _compare,
    "export_profile": _export,
    "exported": _exported,
    "save_rules": _save_rules,
    "saved": _saved,
    "calibrate": _nothing,
    "replay": _nothing,
    "replayed": _nothing,
    "ended": _cancel,
    "cancel": _cancel,
}
