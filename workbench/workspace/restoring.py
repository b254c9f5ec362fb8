"""How a journal adds up again when a bench is made: nothing that it holds keeps the bench from opening."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..calibration.rules import Rule
from ..errors import InvalidOption, WorkbenchError
from ..gate.margin import GateThresholds, GateWeights
from ..structure import RuleBook
from .beginning import Beginning, rule_in
from .calls import call_of
from .judging import same_rule
from .operations import Operation
from .state import BenchState, Tuned, after, left_out

if TYPE_CHECKING:
    from ..gate.profile import GateProfile

OTHER_BEGINNING = (
    "The work in this folder began with other rules, offsets or weights of the gate than the reader and its profile "
    "have now, and goes on with those; give another folder to begin with these."
)
_ENDS = {"calibrated": "calibrate", "replayed": "replay"}
_log = logging.getLogger("workbench")


def began_data(state: BenchState) -> dict[str, Any]:
    """Return what work began with as plain values: its operations mean something on that alone."""
    tuned = state.tuned
    weights, thresholds = tuned.rule.weights.to_dict(), tuned.rule.thresholds.to_dict()
    tables = RuleBook(tuned.tables).to_dict()
    for key, values in tables.items():
        values["extends"] = tuned.tables[key].extends
    return {
        "tables": tables,
        "offsets": dict(tuned.offsets),
        # JSON knows no infinite number.
        "rule": {"weights": weights, "thresholds": {name: _plain(value) for name, value in thresholds.items()}},
        "origin": tuned.origin,
        "tolerance": [tuned.tolerance, tuned.fitted],
        "request": state.request,
    }


def begun_as(began: Beginning, said: Mapping[str, Any] | None) -> Beginning:
    """Return a beginning with what the journal says the work began with; a note where that cannot be read."""
    if said is None:
        return began
    try:
        tuned = _tuned(said, began.profile)
    except (WorkbenchError, AttributeError, KeyError, TypeError, ValueError) as error:
        note = f"The journal does not say well what the work began with ({error!s:.80}), so it begins with the reader."
        return replace(began, notes=(*began.notes, note))
    return replace(began, state=replace(began.state, tuned=tuned))


def beginning_note(first: Tuned, began: Tuned, now: Tuned) -> str:
    """Say that the work goes on with another beginning than the reader's, where that makes a difference; else "".

    Parameters
    ----------
    first : Tuned
        What the reader and its profile would begin with.
    began : Tuned
        What the work began with.
    now : Tuned
    """
    return "" if _alike(first, began) or _alike(first, now) else OTHER_BEGINNING


def redone(state: BenchState, operation: Operation) -> tuple[BenchState, str]:
    """Return the state after an operation of a journal, and a sentence where it cannot be done again."""
    try:
        return after(state, operation), ""
    except WorkbenchError as error:
        said = str(error)
    except Exception as error:
        _log.exception("An operation of the journal could not be done again")
        said = f"{type(error).__name__}: {error}"
    note = f"{call_of(operation)} of {_moment(operation)} could not be done again and is left out: {said}"
    return left_out(state, operation), note


def unended(operations: Iterable[Operation]) -> list[str]:
    """Say which jobs have come to no end, a sentence each."""
    begun: dict[str, Operation] = {}
    for operation in operations:
        kind = operation.kind
        if kind in _ENDS.values():
            begun[kind] = operation
        elif kind in _ENDS:
            begun.pop(_ENDS[kind], None)
        elif kind in ("ended", "cancel"):
            # A job is named by its kind, or by its kind and a number.
            begun.pop(str(operation.values.get("job", "")).partition("-")[0], None)
    return [
        f"The job {kind} of {_moment(operation)} came to no end: its kernel ended first, or works on it still; begin "
        "it again where nothing runs."
        for kind, operation in begun.items()
    ]


def _moment(operation: Operation) -> str:
    return operation.at[:16].replace("T", " ")


def _tuned(said: Mapping[str, Any], profile: GateProfile | None) -> Tuned:
    tables = RuleBook.from_dict(said["tables"]).tables
    extended = {key: replace(table, extends=said["tables"][key].get("extends")) for key, table in tables.items()}
    weights, thresholds = said["rule"]["weights"], said["rule"]["thresholds"]
    at = {name: float(value) for name, value in thresholds.items()}
    rule = Rule(GateWeights(**weights), GateThresholds(**at))
    origin = said["origin"]
    if origin not in ("none", "profile", "hand", "calibrated"):
        raise InvalidOption(f"the origin {origin!r:.40} is unknown")
    if origin == "profile" and (profile is None or not same_rule(rule, rule_in(profile))):
        origin = "hand"
    tolerance, fitted = said["tolerance"]
    return Tuned(
        tables=MappingProxyType(extended),
        offsets=MappingProxyType({str(name): float(value) for name, value in said["offsets"].items()}),
        rule=rule,
        origin=origin,
        tolerance=float(tolerance),
        fitted=None if fitted is None or origin == "hand" else float(fitted),
    )


def _alike(one: Tuned, other: Tuned) -> bool:
    same = one.book.sha256 == other.book.sha256 and dict(one.offsets) == dict(other.offsets)
    return same and same_rule(one.rule, other.rule)


def _plain(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)
