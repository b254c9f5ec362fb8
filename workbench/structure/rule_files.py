"""Edits of a rule file that change what they mean and leave every other character as it is."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InvalidRules
from .atomic import write_text
from .rules import Rule, RuleTable
from .tables import parse_extended, parse_table, path_of, read_bytes
from .yaml_nodes import Mapping, Sequence, end_of, read_nodes, text_of
from .yaml_writing import flow_text, rule_text


class RuleFile:
    """A rule file that is being edited: comments, order, quotes and line breaks stay.

    Every edit is checked before it is taken: one that the loader would refuse leaves the text as it was. Nothing is
    written before ``save``.

    Parameters
    ----------
    table : str or pathlib.Path
        The name of a shipped table, or the path of a YAML file.

    Raises
    ------
    InvalidRules, FileMissing
        As ``load_rules`` does.
    """

    def __init__(self, table: str | Path) -> None:
        self.path = path_of(table)
        self._loaded = read_bytes(self.path)
        self._mark = "\ufeff" if self._loaded.startswith(b"\xef\xbb\xbf") else ""
        self._text = self._saved = text_of(self._loaded, self.path.name)
        self._table = parse_table(self._text, self.path)

    @property
    def text(self) -> str:
        """The text with the edits."""
        return self._text

    @property
    def table(self) -> RuleTable:
        """The table with the edits."""
        return self._table

    @property
    def changed(self) -> bool:
        """Whether there is something to save."""
        return self._text != self._saved

    def diff(self) -> str:
        """Return the edits since the file was loaded or saved, as a unified diff; "" without any."""
        before, after = self._saved.splitlines(keepends=True), self._text.splitlines(keepends=True)
        return "".join(difflib.unified_diff(before, after, f"{self.path.name} (saved)", f"{self.path.name} (edited)"))

    def set_weight(self, rule: str, weight: float) -> None:
        """Give a rule another weight; for a rule of the table that is extended, write down that it differs.

        Raises
        ------
        InvalidRules
            If there is no such rule, or the weight is out of range.
        """
        self._set(rule, "weight", weight)

    def set_enabled(self, rule: str, enabled: bool) -> None:
        """Let a rule speak or be silent.

        Raises
        ------
        InvalidRules
            If there is no such rule.
        """
        self._set(rule, "enabled", enabled)

    def add(self, rule: Rule) -> None:
        """Add a rule behind the others.

        Raises
        ------
        InvalidRules
            If there is one of its name.
        """
        if rule.name in self._table.names:
            raise InvalidRules(f"{self.path.name} has a rule {rule.name!r} already; change it, or use another name.")
        self._append(rule_data=rule.to_dict(), expected=self._table.with_rule(rule))

    def remove(self, rule: str) -> None:
        """Take a rule out, with the comments inside it; those above it stay.

        Raises
        ------
        InvalidRules
            If the file has no such rule; one of the table that is extended can only be disabled.
        """
        node = self._own(rule)
        if node is None:
            self._table.rule(rule)
            raise InvalidRules(
                f"{self.path.name} has {rule!r} only because it extends {self._table.extends!r}; disable it instead."
            )
        rules = self._rules()
        text = self._without_flow_item(rules, node) if rules.flow else self._without_block_item(rules, node)
        self._take(text, self._after_removal(rule))

    def save(self) -> None:
        """Write the file, at once or not at all.

        Raises
        ------
        InvalidRules
            If the file on disk is not the one that was loaded, or cannot be written.
        """
        if not self.changed:
            return
        if not self.path.exists() or read_bytes(self.path) != self._loaded:
            raise InvalidRules(
                f"{self.path.name} was changed on disk since it was loaded; load it again and repeat the edits."
            )
        write_text(self.path, self._mark + self._text)
        self._loaded = (self._mark + self._text).encode("utf-8")
        self._saved = self._text

    def _set(self, name: str, key: str, value: Any) -> None:
        rule = replace(self._table.rule(name), **{key: value})
        expected = self._table.with_rule(rule)
        node = self._own(name)
        if node is None:
            self._append(rule_data={"name": name, key: value}, expected=expected)
            return
        known = node.get(key)
        if known is not None:
            self._take(self._text[: known.start] + flow_text(value) + self._text[known.end :], expected)
        else:
            self._take(self._with_key(node, key, value), expected)

    def _after_removal(self, name: str) -> RuleTable:
        """The table once the file no longer has a rule: that of the extended table speaks again."""
        base = parse_extended(self._text, self.path)
        below = [rule for rule in base.rules if rule.name == name] if base else []
        return self._table.with_rule(below[0]) if below else self._table.without(name)

    def _rules(self) -> Sequence:
        found = read_nodes(self._text, self.path.name).get("rules")
        return found if isinstance(found, Sequence) else Sequence((), 0, 0, 0, flow=True)

    def _own(self, name: str) -> Mapping | None:
        for item in self._rules().items:
            given = item.get("name") if isinstance(item, Mapping) else None
            if isinstance(item, Mapping) and given is not None and given.value == name:
                return item
        return None

    def _append(self, rule_data: dict[str, Any], expected: RuleTable) -> None:
        text, rules = self._text, self._rules()
        if rules.items and rules.flow:
            end = rules.items[-1].end
            self._take(f"{text[:end]}, {flow_text(rule_data)}{text[end:]}", expected)
            return
        if rules.items:
            indent = rules.start - _line_start(text, rules.start)
            end = _line_end(text, end_of(rules, text))
            first, last = rules.items[0], rules.items[-1]
            apart = "\n" if len(rules.items) > 1 and _blank_line(text[end_of(first, text) : last.start]) else ""
            before = text[:end] if text[:end].endswith("\n") else text[:end] + self._line_feed
            self._take(before + self._lines(apart + rule_text(rule_data, indent=indent)) + text[end:], expected)
            return
        key = next(key for key, _ in read_nodes(text, self.path.name).entries if key.value == "rules")
        node = read_nodes(text, self.path.name).get("rules")
        after = max(key.end + 1, end_of(node, text) if node is not None and node.end > node.start else 0)
        end = _line_end(text, after)
        rest = text[after:end].strip()
        head = f"{text[: key.end]}:{f' {rest}' if rest else ''}{self._line_feed}"
        self._take(head + self._lines(rule_text(rule_data, indent=2)) + text[end:], expected)

    def _with_key(self, node: Mapping, key: str, value: Any) -> str:
        text = self._text
        if node.flow:
            end = end_of(node.entries[-1][1], text)
            return f"{text[:end]}, {key}: {flow_text(value)}{text[end:]}"
        end = _line_end(text, end_of(node, text))
        pad = " " * (node.start - _line_start(text, node.start))
        before = text[:end] if text[:end].endswith("\n") else text[:end] + self._line_feed
        return f"{before}{pad}{key}: {flow_text(value)}{self._line_feed}{text[end:]}"

    def _without_block_item(self, rules: Sequence, node: Mapping) -> str:
        text = self._text
        column = rules.start - _line_start(text, rules.start)
        start = _line_start(text, node.start)
        while text[start : start + column].strip() or text[start + column] != "-":
            start = _line_start(text, start - 1)
        end = _line_end(text, end_of(node, text))
        if len(rules.items) == 1:
            key = next(key for key, _ in read_nodes(text, self.path.name).entries if key.value == "rules")
            return f"{text[: key.end + 1]} []{text[key.end + 1 : start]}{text[end:]}"
        if (
            _blank_line("\n" + text[_line_start(text, start - 1) : start])
            and not text[end : _line_end(text, end)].strip()
        ):
            end = _line_end(text, end)
        return text[:start] + text[end:]

    def _without_flow_item(self, rules: Sequence, node: Mapping) -> str:
        text, place = self._text, rules.items.index(node)
        if place + 1 < len(rules.items):
            return text[: node.start] + text[rules.items[place + 1].start :]
        start = rules.items[place - 1].end if place else node.start
        return text[:start] + text[node.end :]

    def _take(self, text: str, expected: RuleTable) -> None:
        """Take a new text if it is a table, and the one that was meant."""
        table = parse_table(text, self.path)
        if table.rules != expected.rules:
            raise InvalidRules(
                f"{self.path.name} is written in a way that this edit cannot keep; edit the file by hand."
            )
        self._text, self._table = text, table

    @property
    def _line_feed(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"

    def _lines(self, text: str) -> str:
        return text.replace("\n", self._line_feed)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, max(at, 0)) + 1


def _line_end(text: str, at: int) -> int:
    """Where the next line begins; a comment behind a value belongs to its line."""
    return text.find("\n", at) + 1 or len(text)


def _blank_line(text: str) -> bool:
    return any(not line.strip() for line in text.split("\n")[1:-1])
