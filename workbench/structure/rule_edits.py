"""Edits of a rule table as plain values: what a person does at a cell, checked as the loader checks a file.

An edit is a mapping with ``do`` and

- ``set``: ``rule``, ``field`` (name, weight, pin, enabled, reason, match) and ``value``, that of match a mapping as in
  a rule file; or ``rule`` and ``fields``, a mapping of several fields to their values, set in one step;
- ``add``: ``rule``, a mapping as in a rule file; ``before``, a name, puts it in front of another rule;
- ``duplicate`` and ``remove``: ``rule``;
- ``move``: ``rule`` and ``before``, a name or None for the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ..errors import InvalidRules, WorkbenchError
from .checks import MAX_NAME_CHARS, RuleProblem
from .naming import nearest
from .rules import Match, Rule, RuleTable
from .tables import MATCH_KEYS, RULE_KEYS, load_rules

FIELDS = ("name", "weight", "pin", "enabled", "reason", "match")
"""Fields of a rule that an edit can set."""


class EditProblem(InvalidRules):
    """An edit that the loader would refuse, with the place of the mistake.

    Attributes
    ----------
    rule : str
        Name of the rule, "" where there is none yet.
    field : str
        Name of the field; of a condition with its path, as in "match.keywords" and "match.unless.kinds".
    item : int or None
        Index in the field's list.
    problem : str
        What is wrong and what to do, without the rule's name.
    """

    def __init__(self, problem: str, *, rule: str = "", field: str = "", item: int | None = None) -> None:
        super().__init__(f"Rule {rule!r}: {problem}." if rule else f"{problem[:1].upper()}{problem[1:]}.")
        self.problem = problem
        self.rule = rule
        self.field = field
        self.item = item


def edited(table: RuleTable, edit: Mapping[str, Any]) -> RuleTable:
    """Return the table after an edit; the one that is given stays as it is.

    Parameters
    ----------
    table : RuleTable
    edit : mapping
        Plain values that JSON can hold; see above.

    Raises
    ------
    EditProblem
        If the loader would refuse the table, or the edit cannot be done; its attributes name the cell.
    InvalidRules
        If the table has no such rule, or the edit is none.

    Examples
    --------
    >>> table = RuleTable("mine", (Rule("titles", Match(features=("h1",)), 2.0),))
    >>> edited(table, {"do": "set", "rule": "titles", "field": "weight", "value": 3}).rule("titles").weight
    3.0
    """
    do = edit.get("do") if isinstance(edit, Mapping) else None
    if not isinstance(do, str) or do not in _EDITS:
        raise InvalidRules(f"There is no edit {str(do)[:40]!r} of a rule table; choose from {', '.join(_EDITS)}.")
    try:
        return _EDITS[do](table, edit)
    except KeyError as error:
        raise InvalidRules(f"The edit {do!r} of a rule table has no {error.args[0]!r}; give it.") from None


def inherited_rules(table: RuleTable) -> dict[str, Rule]:
    """Return the rules of the shipped table that a table extends, by name; those that it no longer has are left out."""
    if table.extends is None:
        return {}
    try:
        base = load_rules(table.extends)
    except WorkbenchError:
        # A table of the user's own folder, which the value does not know.
        return {}
    names = set(table.names)
    return {rule.name: rule for rule in base.rules if rule.name in names}


def match_of(values: Any, *, path: str = "match") -> Match:
    """Return the conditions of a mapping as in a rule file.

    Raises
    ------
    EditProblem
        With the path of the condition.
    """
    if not isinstance(values, Mapping):
        raise EditProblem(f"{path} is {values!r:.60}; write conditions, as in match: {{kinds: [heading]}}", field=path)
    fields: dict[str, Any] = {}
    for key, value in values.items():
        if key not in MATCH_KEYS:
            raise EditProblem(f"there is no condition {str(key)[:40]!r}{nearest(str(key), MATCH_KEYS)}", field=path)
        if key == "unless":
            fields[key] = None if value is None else match_of(value, path=f"{path}.unless")
        elif value not in (None, []):
            fields[key] = value
    try:
        return Match(**fields)
    except RuleProblem as problem:
        field = path if problem.field == "unless" else f"{path}.{problem.field}"
        raise EditProblem(problem.problem, field=field, item=problem.item) from None


def rule_of(values: Any) -> Rule:
    """Return the rule of a mapping as in a rule file.

    Raises
    ------
    EditProblem
        If the loader would refuse it.
    """
    if not isinstance(values, Mapping):
        raise EditProblem(f"{values!r:.60} is no rule; give its name, match, weight and reason")
    name = values.get("name", "")
    shown = name if isinstance(name, str) else ""
    for key in values:
        if key not in RULE_KEYS:
            raise EditProblem(f"there is no key of a rule {str(key)[:40]!r}{nearest(str(key), RULE_KEYS)}", rule=shown)
    fields = {key: value for key, value in values.items() if value is not None}
    return _made(shown, lambda: Rule(**{"name": "", **fields, "match": match_of(fields.get("match", {}))}))


def _named(table: RuleTable, name: Any) -> Rule:
    if not isinstance(name, str):
        raise InvalidRules(f"A rule is known by its name, not by {name!r:.40}; give the name.")
    return table.rule(name)


def _made(name: str, make: Callable[[], Rule]) -> Rule:
    try:
        return make()
    except EditProblem as problem:
        raise EditProblem(problem.problem, rule=name, field=problem.field, item=problem.item) from None
    except RuleProblem as problem:
        raise EditProblem(problem.problem, rule=name, field=problem.field, item=problem.item) from None


def set_fields(edit: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an edit of the kind ``set`` sets, by field, the name at last.

    Raises
    ------
    InvalidRules
        If ``fields`` is no mapping of at least one field.
    """
    if "fields" not in edit:
        return {str(edit["field"]): edit["value"]}
    fields = edit["fields"]
    if not isinstance(fields, Mapping) or not fields:
        raise InvalidRules(f"The fields of an edit are {fields!r:.60}; give at least one field and its value.")
    return {name: fields[name] for name in sorted(fields, key=lambda name: name == "name")}


def _set(table: RuleTable, edit: Mapping[str, Any]) -> RuleTable:
    name = edit["rule"]
    for field, value in set_fields(edit).items():
        table = _with_field(table, name, field, value)
    return table


def _with_field(table: RuleTable, name: Any, field: Any, value: Any) -> RuleTable:
    rule = _named(table, name)
    if field not in FIELDS:
        raise InvalidRules(f"A cell of a rule table is one of {', '.join(FIELDS)}, not {str(field)[:40]!r}.")
    if field == "match":
        changed = _made(name, lambda: replace(rule, match=match_of(value)))
    else:
        changed = _made(name, lambda: replace(rule, **{field: value}))
    if changed.name != name:
        _refuse_inherited(table, name, "it keeps its name here; duplicate it and rename the copy", field="name")
        _refuse_known(table, changed.name)
        return replace(table, rules=tuple(changed if old.name == name else old for old in table.rules))
    return table.with_rule(changed)


def _add(table: RuleTable, edit: Mapping[str, Any]) -> RuleTable:
    rule = rule_of(edit["rule"])
    _refuse_known(table, rule.name)
    return _inserted(table, rule, _checked_place(table, edit.get("before"), rule.name))


def _duplicate(table: RuleTable, edit: Mapping[str, Any]) -> RuleTable:
    rule = _named(table, edit["rule"])
    copy = replace(rule, name=free_name(table, rule.name))
    names, inherited = table.names, inherited_rules(table)
    after = names.index(rule.name) + 1
    if rule.name in inherited:
        after = max(names.index(name) for name in inherited) + 1
    return _inserted(table, copy, names[after] if after < len(names) else None)


def _remove(table: RuleTable, edit: Mapping[str, Any]) -> RuleTable:
    name = edit["rule"]
    _named(table, name)
    _refuse_inherited(table, name, "switch it off instead")
    return table.without(name)


def _move(table: RuleTable, edit: Mapping[str, Any]) -> RuleTable:
    rule, before = _named(table, edit["rule"]), edit["before"]
    _refuse_inherited(table, rule.name, f"the rules of {table.extends!r} stand first, in their own order")
    if before == rule.name:
        return table
    return _inserted(table.without(rule.name), rule, _checked_place(table, before, rule.name))


def _checked_place(table: RuleTable, before: Any, rule: str) -> str | None:
    if before is None:
        return None
    name = _named(table, before).name
    if name in inherited_rules(table):
        raise EditProblem(
            f"it cannot stand before {name!r}, because the rules of {table.extends!r} stand first; put it behind them",
            rule=rule,
        )
    return name


def _inserted(table: RuleTable, rule: Rule, before: str | None) -> RuleTable:
    place = len(table.rules) if before is None else table.names.index(before)
    return replace(table, rules=(*table.rules[:place], rule, *table.rules[place:]))


def _refuse_known(table: RuleTable, name: str) -> None:
    if name in table.names:
        raise EditProblem(f"the table {table.name!r} has a rule of this name; use another one", rule=name, field="name")


def _refuse_inherited(table: RuleTable, name: str, advice: str, *, field: str = "") -> None:
    if name in inherited_rules(table):
        raise EditProblem(
            f"it is in {table.name!r} because that table extends {table.extends!r}; {advice}", rule=name, field=field
        )


def free_name(table: RuleTable, name: str) -> str:
    """Return a name that no rule of the table has, made of one by a number behind it.

    Examples
    --------
    >>> table = RuleTable("mine", (Rule("titles", Match(features=("h1",))), Rule("titles-2", Match(features=("h2",)))))
    >>> free_name(table, "titles"), free_name(table, "rows")
    ('titles-3', 'rows')
    """
    if name not in table.names:
        return name
    stem, _, last = name.rpartition("-")
    stem = (stem if stem and last.isdecimal() else name)[: MAX_NAME_CHARS - 6]
    number = 2
    while f"{stem}-{number}" in table.names:
        number += 1
    return f"{stem}-{number}"


_EDITS: dict[Any, Callable[[RuleTable, Mapping[str, Any]], RuleTable]] = {
    "set": _set,
    "add": _add,
    "duplicate": _duplicate,
    "remove": _remove,
    "move": _move,
}
