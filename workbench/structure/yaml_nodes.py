"""YAML as values that know their place in the file; nothing in a file is constructed, followed or run.

A tag, an anchor, an alias, a duplicate key, a second document or deep nesting is refused while the file is read, before
anything is made of it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from ..errors import InvalidRules

MAX_BYTES = 256 * 1024
MAX_DEPTH = 8

_CORE = "tag:yaml.org,2002:"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value: text, number, yes or no, day, or nothing.

    Attributes
    ----------
    value : str, int, float, bool, datetime.date or None
    start, end : int
        Slice of the file's text, quotes included.
    line : int
        1-based.
    """

    value: Any
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list; ``flow`` says whether it is written in brackets."""

    items: tuple[Node, ...]
    start: int
    end: int
    line: int
    flow: bool

    @property
    def value(self) -> list[Any]:
        """The list without places."""
        return [item.value for item in self.items]


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys, in order, each with its own place and its value."""

    entries: tuple[tuple[Scalar, Node], ...]
    start: int
    end: int
    line: int
    flow: bool

    @property
    def value(self) -> dict[str, Any]:
        """The mapping without places."""
        return {key.value: node.value for key, node in self.entries}

    def get(self, name: str) -> Node | None:
        """Return the value of a key, or None."""
        return next((node for key, node in self.entries if key.value == name), None)


Node: TypeAlias = "Scalar | Sequence | Mapping"


def end_of(node: Node, text: str) -> int:
    """Return where a node ends in its text, without the white space and comments behind it."""
    if isinstance(node, Scalar) or node.flow:
        return node.start + len(text[node.start : node.end].rstrip())
    children = node.items if isinstance(node, Sequence) else tuple(child for pair in node.entries for child in pair)
    return max((end_of(child, text) for child in children), default=node.start)


def text_of(data: bytes, name: str) -> str:
    """Return the text of a file, without a byte order mark.

    Raises
    ------
    InvalidRules
        If it is not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidRules(f"{name}, line {line}: the file is not UTF-8; save it as UTF-8 text.") from None
    return text


def read_nodes(text: str, name: str) -> Mapping:
    """Read a file whose top level is a mapping.

    Raises
    ------
    InvalidRules
        If it is no such file; the message has its name, the line and the remedy.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _composer(name)
    try:
        root = yaml.compose(text)
    except MarkedYAMLError as error:
        raise InvalidRules(_syntax_message(text, name, error)) from None
    except (YAMLError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise InvalidRules(f"{name} is no YAML ({reason}); take out what is no plain text.") from None
    except RecursionError:
        raise InvalidRules(_too_deep(name, 1)) from None
    if root is None:
        raise InvalidRules(f"{name} is empty; begin it with name: and rules:.")
    node = _node(root, name)
    if not isinstance(node, Mapping):
        raise InvalidRules(f"{name}, line {node.line}: a rule table begins with keys, as in name: and rules:.")
    return node


def _syntax_message(text: str, name: str, error: Any) -> str:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark is not None else 1
    shown = text.splitlines()[line - 1] if line <= len(text.splitlines()) else ""
    if "\t" in shown[: len(shown) - len(shown.lstrip())] or "'\\t'" in str(error.problem):
        return f"{name}, line {line}: a tab stands where YAML allows only spaces; replace it by spaces."
    if "another document" in str(error.problem):
        return f"{name}, line {line}: a second document begins with '---'; keep one table in a file."
    return f"{name}, line {line}: this is no YAML ({error.problem or error.context}); mend the line."


def _too_deep(name: str, line: int) -> str:
    return f"{name}, line {line}: lists and keys are nested more than {MAX_DEPTH} deep; no rule needs that."


@cache
def _composer(name: str) -> Any:
    """The composer of ruamel.yaml, made to refuse what no rule table needs, before it is built."""
    from ruamel.yaml.composer import Composer
    from ruamel.yaml.events import AliasEvent

    class Refusing(Composer):
        nesting = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            event = self.parser.peek_event()
            line = event.start_mark.line + 1
            if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
                raise InvalidRules(
                    f"{name}, line {line}: anchors and aliases (&, *) are not used in rule tables; write the value "
                    "out, and put a text that begins with & or * in quotes."
                )
            self.nesting += 1
            if self.nesting > MAX_DEPTH:
                raise InvalidRules(_too_deep(name, line))
            try:
                return super().compose_node(parent, index)
            finally:
                self.nesting -= 1

    return Refusing


def _node(found: Any, name: str) -> Node:
    line = found.start_mark.line + 1
    start, end = found.start_mark.index, found.end_mark.index
    kind = str(found.tag).removeprefix(_CORE)
    if kind == "seq":
        return Sequence(tuple(_node(item, name) for item in found.value), start, end, line, bool(found.flow_style))
    if kind == "map":
        return Mapping(tuple(_entries(found, name)), start, end, line, bool(found.flow_style))
    if kind not in _SCALARS:
        tag = str(found.tag).replace(_CORE, "!!")
        raise InvalidRules(f"{name}, line {line}: the tag {tag!r} is not used in rule tables; take it out.")
    try:
        value = _SCALARS[kind](found.value)
    except ValueError:
        value = found.value
    return Scalar(value, start, end, line)


def _entries(found: Any, name: str) -> Iterator[tuple[Scalar, Node]]:
    lines: dict[Any, int] = {}
    for key, value in found.value:
        known = _node(key, name)
        if not isinstance(known, Scalar):
            raise InvalidRules(f"{name}, line {known.line}: a key is a word, not a list; write name: value.")
        if known.value in lines:
            raise InvalidRules(
                f"{name}, line {known.line}: the key {known.value!r} stands already in line {lines[known.value]}; "
                "keep one of them."
            )
        lines[known.value] = known.line
        yield known, _node(value, name)


def _integer(text: str) -> int:
    return int(text.replace("_", ""), 0) if not text.lstrip("+-").startswith("0") else int(text, 10)


def _date(text: str) -> datetime.date | str:
    return datetime.date.fromisoformat(text) if _DAY.fullmatch(text) else text


_SCALARS: dict[str, Any] = {
    "str": str,
    "int": _integer,
    "float": lambda text: float(text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan").lower()),
    "bool": lambda text: text.lower() == "true",
    "null": lambda _: None,
    "timestamp": _date,
    "value": str,
    "merge": str,
}
