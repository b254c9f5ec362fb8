"""Where the parts of a rule file stand in its text, and texts in which some of them are others."""

from __future__ import annotations

from collections.abc import Sequence as Ordered
from itertools import pairwise
from typing import Any

from .yaml_nodes import Mapping, Node, Scalar, Sequence, end_of
from .yaml_writing import flow_text, rule_text

WIDTH = 120
"""Characters of a line that a list in brackets is not added to any more."""


def line_start(text: str, at: int) -> int:
    """Return where the line of a place begins."""
    return text.rfind("\n", 0, max(at, 0)) + 1


def line_end(text: str, at: int) -> int:
    """Return where the next line begins; a comment behind a value belongs to its line."""
    return text.find("\n", at) + 1 or len(text)


def holds_blank_line(text: str) -> bool:
    """Return whether a line of a text, its first and last one not counted, is blank."""
    return any(not line.strip() for line in text.split("\n")[1:-1])


def item_lines(text: str, rules: Sequence, item: Node) -> tuple[int, int]:
    """Return where the lines of an item of a list with dashes begin and end."""
    column = rules.start - line_start(text, rules.start)
    start = line_start(text, item.start)
    while text[start : start + column].strip() or text[start + column] != "-":
        start = line_start(text, start - 1)
    return start, line_end(text, end_of(item, text))


def with_comments_above(text: str, start: int) -> int:
    """Return where the comments begin that stand directly above a line."""
    while start:
        above = line_start(text, start - 1)
        if not text[above:start].strip().startswith("#"):
            return start
        start = above
    return start


def are_apart(text: str, rules: Sequence) -> bool:
    """Return whether blank lines stand between the items of a list with dashes."""
    items = rules.items
    return len(items) > 1 and holds_blank_line(text[end_of(items[0], text) : items[-1].start])


def without_lines(text: str, start: int, end: int) -> str:
    """Return the text without some lines, and with one blank line where two would meet."""
    blank_above = holds_blank_line("\n" + text[line_start(text, start - 1) : start])
    if blank_above and not text[end : line_end(text, end)].strip():
        end = line_end(text, end)
    return text[:start] + text[end:]


def with_value(text: str, key: Scalar, node: Node, value: Any, *, flow: bool) -> str:
    """Return the text with another value of a key of a rule.

    Parameters
    ----------
    text : str
    key, node : Scalar, Node
        Where they stand now.
    value : Any
        Plain values.
    flow : bool
        Whether the rule is written in braces.
    """
    if isinstance(node, Mapping) and isinstance(value, dict):
        parts = _with_entries(text, node, value)
        if parts is not None:
            return parts
    if flow or (isinstance(node, Scalar) and not isinstance(value, str | dict)):
        return text[: node.start] + flow_text(value) + text[end_of(node, text) :]
    column = key.start - line_start(text, key.start)
    lines = rule_text({key.value: value}, indent=max(0, column - 2)).rstrip("\n")
    if "\r\n" in text:
        lines = lines.replace("\n", "\r\n")
    return text[: key.start] + lines[max(2, column) :] + text[end_of(node, text) :]


def _with_entries(text: str, node: Mapping, values: dict[str, Any]) -> str | None:
    """Return the text with other conditions where each that is there stays there, or None where one goes."""
    if any(key.value not in values for key, _ in node.entries):
        return None
    added = {name: value for name, value in values.items() if node.get(name) is None}
    if added and not node.flow:
        last = node.entries[-1][1]
        end = line_end(text, end_of(last, text))
        pad = " " * (node.start - line_start(text, node.start))
        feed = "\r\n" if "\r\n" in text else "\n"
        lines = "".join(f"{pad}{name}: {flow_text(value)}{feed}" for name, value in added.items())
        text = text[:end] + ("" if text[:end].endswith("\n") else feed) + lines + text[end:]
    elif added:
        end = end_of(node.entries[-1][1], text)
        text = text[:end] + "".join(f", {name}: {flow_text(value)}" for name, value in added.items()) + text[end:]
    for key, child in reversed(node.entries):
        wanted = values[key.value]
        if isinstance(child, Mapping) and isinstance(wanted, dict):
            inner = _with_entries(text, child, wanted)
            text = inner if inner is not None else text[: child.start] + flow_text(wanted) + text[end_of(child, text) :]
        elif _entries(child.value) != _entries(wanted):
            text = _with_list(text, child, _entries(wanted))
    return text


def _entries(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _with_list(text: str, node: Node, wanted: list[Any]) -> str:
    """Return the text with another list; entries that stay keep their quotes and lines."""
    if isinstance(node, Sequence) and node.flow:
        kept = [item for item in node.items if item.value in wanted]
        if kept and [item.value for item in kept] == wanted[: len(kept)]:
            return text[: node.start] + _list_text(text, node, kept, wanted[len(kept) :]) + text[node.end :]
    return text[: node.start] + flow_text(wanted) + text[end_of(node, text) :]


def _list_text(text: str, node: Sequence, kept: Ordered[Node], added: Ordered[Any]) -> str:
    before = {second.start: text[end_of(first, text) : second.start] for first, second in pairwise(node.items)}
    said = text[node.start : node.items[0].start]
    for rank, item in enumerate(kept):
        said += (before[item.start] if rank else "") + text[item.start : end_of(item, text)]
    pad = " " * (node.items[0].start - line_start(text, node.start))
    head = node.start - line_start(text, node.start)
    for value in added:
        entry = flow_text([value])[1:-1]
        used = len(said) - line_start(said, len(said)) + (0 if "\n" in said else head)
        said += f",\n{pad}{entry}" if used + len(entry) + 3 > WIDTH else f", {entry}"
    return said + text[end_of(node.items[-1], text) : node.end]


def moves_between(now: Ordered[str], wanted: Ordered[str]) -> list[tuple[str, str | None]]:
    """Return the fewest moves that bring names into another order.

    Returns
    -------
    list of (str, str or None)
        What is moved, and behind what it is put; None is the front.

    Examples
    --------
    >>> moves_between(["a", "b", "c", "d"], ["a", "c", "d", "b"])
    [('b', 'd')]
    """
    place = {name: rank for rank, name in enumerate(now)}
    ranks = [place[name] for name in wanted]
    best = [1] * len(ranks)
    before = [-1] * len(ranks)
    for i in range(len(ranks)):
        for j in range(i):
            if ranks[j] < ranks[i] and best[j] + 1 > best[i]:
                best[i], before[i] = best[j] + 1, j
    staying: set[int] = set()
    at = max(range(len(ranks)), key=best.__getitem__, default=-1)
    while at >= 0:
        staying.add(at)
        at = before[at]
    return [(name, wanted[i - 1] if i else None) for i, name in enumerate(wanted) if i not in staying]
