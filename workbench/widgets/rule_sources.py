"""Where the rules that a widget shows are from, and the Python call that does what a click did."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption
from ..structure import RuleTable as Table
from ..structure import load_rules, table_names
from ..structure.rule_edits import set_fields

if TYPE_CHECKING:
    from ..reading import Reading


def table_of(reading: Reading, known: Table | None = None) -> Table:
    """Return the table that a reading was made with; what it extends is known of a shipped one."""
    structure = reading.structure
    if known is not None and known.rules == structure.rules and known.name == structure.table:
        return known
    if structure.table in table_names():
        shipped = load_rules(structure.table)
        if shipped.rules == structure.rules:
            return shipped
        return Table(structure.table, structure.rules, shipped.description, shipped.extends)
    return Table(structure.table, structure.rules)


def python_call(edit: Mapping[str, Any], subject: str = "rules") -> str:
    """Return the Python call that does an edit.

    Examples
    --------
    >>> python_call({"do": "set", "rule": "parties", "field": "weight", "value": 1.5})
    "rules.edit_rule('parties', weight=1.5)"
    """
    do = edit["do"]
    if do == "set":
        return f"{subject}.edit_rule({edit['rule']!r}, {_named(set_fields(edit))})"
    if do == "add":
        return f"{subject}.add_rule({_named(edit['rule'])})"
    if do == "move":
        return f"{subject}.move_rule({edit['rule']!r}, before={edit['before']!r})"
    return f"{subject}.{do}_rule({edit['rule']!r})"


def _named(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values.items())


def opened(source: Any) -> tuple[Reading | None, Table, str | Path | None]:
    """Return the reading, the table, and where the table is from."""
    from ..reading import Reading

    if isinstance(source, Reading):
        table = table_of(source)
        return source, table, table.name if table.name in table_names() else None
    if isinstance(source, Table):
        return None, source, source.name if source.name in table_names() else None
    if isinstance(source, str | Path):
        named = isinstance(source, str) and source in table_names()
        return None, load_rules(source), source if named else Path(source)
    raise InvalidOption(
        f"A RuleTable shows a Reading, a table of rules, its name or its file, not {type(source).__name__}."
    )
