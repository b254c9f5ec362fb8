"""Python source cut at its functions and classes; the text is parsed, never run."""

from __future__ import annotations

import ast
import warnings

from ...draft import Span
from ..lines import Line, split_lines

LONGEST_PARSED = 4_000_000
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Part = tuple[Span, str]


def python_parts(text: str, limit: int) -> list[Part] | None:
    """Return the parts of a Python file with their locators ("def name"), or None if it is not sound Python.

    Definitions are parts of their own; a class longer than ``limit`` is cut at its methods, and the statements
    between definitions are taken together.
    """
    if len(text) > LONGEST_PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = split_lines(text)
    parts: list[Part] = []
    _cut_body(tree.body, "", 0, len(lines), text, lines, limit, parts)
    return parts


def _cut_body(
    body: list[ast.stmt], owner: str, low: int, high: int, text: str, lines: list[Line], limit: int, parts: list[Part]
) -> None:
    """Cut lines ``low`` to ``high`` (0-based, end exclusive) at the definitions of a body."""
    at = low
    for node in body:
        if not isinstance(node, _DEFINITIONS) or node.end_lineno is None:
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        first = max(at, _with_comments(text, lines, first))
        if first >= node.end_lineno or first < at:
            continue
        _append(parts, lines, at, first, owner)
        name = f"{owner.partition(' ')[2]}.{node.name}".lstrip(".")
        word = "class" if isinstance(node, ast.ClassDef) else "def"
        end = min(high, node.end_lineno)
        long = lines[end - 1].end - lines[first].start > limit
        if long and isinstance(node, ast.ClassDef):
            _cut_body(node.body, f"class {name}", first, end, text, lines, limit, parts)
        else:
            _append(parts, lines, first, end, f"{word} {name}")
        at = end
    _append(parts, lines, at, high, owner)


def _append(parts: list[Part], lines: list[Line], low: int, high: int, locator: str) -> None:
    if low < high:
        parts.append((Span(lines[low].start, lines[high - 1].end), locator))


def _with_comments(text: str, lines: list[Line], first: int) -> int:
    """Comments right above a definition belong to it."""
    while first > 0 and text[lines[first - 1].start : lines[first - 1].end].lstrip().startswith("#"):
        first -= 1
    return first
