"""Rules as YAML text, in the form in which the shipped tables are written."""

from __future__ import annotations

import io
from typing import Any

from .rules import RuleTable

_WIDTH = 100


def rule_text(rule: dict[str, Any], *, indent: int) -> str:
    """Return the fields of a rule as an entry of a list, with its line end.

    Parameters
    ----------
    rule : dict
        As ``Rule.to_dict`` gives them, or some of them.
    indent : int
        Spaces before the dash.
    """
    data = {key: _in_flow(value) if key == "match" else value for key, value in rule.items()}
    lines = _dump(_block(data), _WIDTH).rstrip("\n").split("\n")
    pad = " " * indent
    return "".join(f"{pad}{'- ' if number == 0 else '  '}{line}".rstrip() + "\n" for number, line in enumerate(lines))


def flow_text(value: Any) -> str:
    """Return a value on one line, lists in brackets and keys in braces.

    Examples
    --------
    >>> flow_text({"name": "titles", "weight": 2.0}), flow_text({"weight": 2.0})
    ('{name: titles, weight: 2.0}', '{weight: 2.0}')
    """
    said = _dump(_in_flow([value]), 1 << 20).strip()[1:-1]
    # A mapping of one key in a list may go without its braces, but not where the text is put.
    return f"{{{said}}}" if isinstance(value, dict) and not said.startswith("{") else said


def table_text(table: RuleTable) -> str:
    """Return a table as a file that stands alone."""
    head: dict[str, Any] = {"version": 1, "name": table.name}
    if table.description:
        head["description"] = table.description
    rules = "\n".join(rule_text(rule.to_dict(), indent=2) for rule in table.rules)
    body = f"\n\n{rules}" if rules else " []\n"
    return f"{_dump(_block(head), _WIDTH)}rules:{body}"


def _block(data: dict[str, Any]) -> Any:
    from ruamel.yaml.comments import CommentedMap

    return CommentedMap(data)


def _in_flow(value: Any) -> Any:
    from ruamel.yaml.comments import CommentedMap, CommentedSeq
    from ruamel.yaml.scalarstring import SingleQuotedScalarString

    if isinstance(value, dict):
        mapping = CommentedMap({key: _in_flow(child) for key, child in value.items()})
        mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        sequence = CommentedSeq([_in_flow(child) for child in value])
        sequence.fa.set_flow_style()
        return sequence
    # A pattern in double quotes would have every backslash twice.
    return SingleQuotedScalarString(value) if isinstance(value, str) and "\\" in value else value


def _dump(value: Any, width: int) -> str:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.width = width
    yaml.allow_unicode = True
    stream = io.StringIO()
    yaml.dump(value, stream)
    return stream.getvalue().removesuffix("...\n")
