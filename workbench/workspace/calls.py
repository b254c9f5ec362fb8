"""The Python call that does what an operation did: what the bench shows, and what can be pasted into a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .operations import Operation


def call_of(operation: Operation, *, table: str = "", name: str = "bench") -> str:
    """Return an operation as a call.

    Parameters
    ----------
    operation : Operation
    table : str
        Key of the rule table at hand, which a call need not name.
    name : str
        What the bench is called in the notebook.

    Examples
    --------
    >>> call_of(Operation("set_cut", {"kind": "threshold", "value": 0.68}))
    'bench.set_threshold(0.68)'
    """
    values = dict(operation.values)
    if operation.kind == "edit_rules":
        return f"{name}.{_edit(values, table)}"
    make = _CALLS.get(operation.kind)
    if make is not None:
        return f"{name}.{make(values)}"
    return f"{name}.{operation.kind}({_named(values)})"


def _edit(values: Mapping[str, Any], table: str) -> str:
    edit = values.get("edit")
    edit = edit if isinstance(edit, Mapping) else {}
    elsewhere = "" if values.get("table") == table else f", table={values.get('table')!r}"
    do, rule = edit.get("do"), edit.get("rule")
    if do == "set":
        fields = edit.get("fields")
        fields = fields if isinstance(fields, Mapping) else {str(edit.get("field")): edit.get("value")}
        return f"edit_rule({rule!r}, {_named(fields)}{elsewhere})"
    if do in ("add", "move"):
        before = f", before={edit['before']!r}" if "before" in edit else ""
        return f"{do}_rule({rule!r}{before}{elsewhere})"
    return f"{do}_rule({rule!r}{elsewhere})"


def _cut(values: Mapping[str, Any]) -> str:
    return f"set_{values.get('kind')}({values.get('value')!r})"


def _open(values: Mapping[str, Any]) -> str:
    show = "" if values.get("show") is None else f", show={values['show']!r}"
    return f"open({values.get('request')!r}{show})"


def _ask(values: Mapping[str, Any]) -> str:
    artifact = "" if values.get("artifact") is None else f", {values['artifact']!r}"
    return f"ask({values.get('question')!r}{artifact})"


def _listed(*names: str) -> Callable[[Mapping[str, Any]], str]:
    """Values without their names, in an order."""
    return lambda values: ", ".join(repr(values[name]) for name in names if name in values)


def _named(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def _call(kind: str, *names: str) -> Callable[[Mapping[str, Any]], str]:
    listed = _listed(*names)
    return lambda values: f"{kind}({listed(values)})"


def _export(values: Mapping[str, Any]) -> str:
    more = "".join(f", {name}={values[name]!r}" for name in ("name", "by") if values.get(name))
    return f"export_profile({values.get('path')!r}{more})"


def _label(values: Mapping[str, Any]) -> str:
    note = f", note={values['note']!r}" if values.get("note") else ""
    return f"label({values.get('block')!r}, {values.get('value')!r}{note})"


_CALLS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "set_cut": _cut,
    "open": _open,
    "ask": _ask,
    "set_offset": _call("set_offset", "document_type", "value"),
    "set_budget": _call("set_budget", "tokens"),
    "set_tolerance": _call("set_tolerance", "value"),
    "compare": _call("compare", "path"),
    "save_rules": _call("save_rules", "path"),
    "cancel": _call("cancel", "job"),
    "show": _call("show", "tab"),
    "pin": _call("pin", "block"),
    "export_profile": _export,
    "label": _label,
    "unlabel": _call("unlabel", "block"),
}
"""The others name their values."""
