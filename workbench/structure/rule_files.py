"""Edits of a rule file that change what they mean and leave every other character as it is."""

from __future__ import annotations

import difflib
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InvalidRules
from .atomic import write_text
from .rule_lines import (
    are_apart,
    item_lines,
    line_end,
    line_start,
    moves_between,
    with_comments_above,
    with_value,
    without_lines,
)
from .rules import Match, Rule, RuleTable
from .tables import RULE_KEYS, parse_extended, parse_table, path_of, read_bytes
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

    def take(self, table: RuleTable) -> None:
        """Let the file say what a table says, with as little of its text changed as that needs.

        A rule of the extended table that the table no longer has is switched off, which decides the same.

        Raises
        ------
        InvalidRules
            If the file cannot say it: the rules of an extended table stand first, in their own order. The text stays as
            it was then.
        """
        before = self._text, self._table
        try:
            self._follow(self._expected(table))
        except InvalidRules:
            self._text, self._table = before
            raise

    def _expected(self, table: RuleTable) -> RuleTable:
        base = parse_extended(self._text, self.path)
        inherited = {} if base is None else {rule.name: rule for rule in base.rules}
        given = {rule.name: rule for rule in table.rules}
        first = [given.get(name) or replace(self._table.rule(name), enabled=False) for name in inherited]
        own = [rule for rule in table.rules if rule.name not in inherited]
        there = [name for name in inherited if name in given]
        if list(table.names) != [*there, *(rule.name for rule in own)]:
            raise InvalidRules(
                f"{self.path.name} extends {self._table.extends!r}, whose rules stand first, in their own order; "
                "bring them back in this order, or save the whole table under another name."
            )
        return replace(self._table, rules=(*first, *own))

    def _follow(self, expected: RuleTable) -> None:
        self._rename(expected)
        for name in [name for name in self._table.names if name not in expected.names]:
            self.remove(name)
        for rule in expected.rules:
            if rule.name not in self._table.names:
                self.add(rule)
                continue
            old = self._table.rule(rule.name)
            for key in RULE_KEYS:
                if getattr(old, key) != getattr(rule, key):
                    self._set(rule.name, key, getattr(rule, key))
        base = parse_extended(self._text, self.path)
        for name, behind in moves_between(self._table.names, expected.names):
            self._move(name, None if base is not None and behind in base.names else behind)
        self._take(self._text, expected)

    def _rename(self, expected: RuleTable) -> None:
        """Give rules that are known by what they match and say their new names, so that their comments stay."""
        gone = [rule for rule in self._table.rules if rule.name not in expected.names]
        for rule in expected.rules:
            if rule.name in self._table.names:
                continue
            same = [old for old in gone if (old.match, old.reason) == (rule.match, rule.reason)]
            if same:
                gone.remove(same[0])
                renamed = replace(same[0], name=rule.name)
                rules = tuple(renamed if old.name == same[0].name else old for old in self._table.rules)
                self._change(same[0].name, "name", rule.name, replace(self._table, rules=rules))

    def _move(self, name: str, behind: str | None) -> None:
        rules = list(self._table.rules)
        rule = self._table.rule(name)
        rules.remove(rule)
        base = parse_extended(self._text, self.path)
        first = 0 if base is None else len(base.rules)
        rules.insert(first if behind is None else rules.index(self._table.rule(behind)) + 1, rule)
        nodes, node = self._rules(), self._own(name)
        if node is None or nodes.flow:
            raise InvalidRules(
                f"{self.path.name} is written in a way in which {name!r} cannot be moved; move it by hand."
            )
        apart = self._line_feed if are_apart(self._text, nodes) else ""
        start, end = item_lines(self._text, nodes, node)
        start = with_comments_above(self._text, start)
        lines = self._text[start:end]
        self._text = without_lines(self._text, start, end)
        nodes = self._rules()
        anchor = self._own(behind) if behind is not None else None
        if anchor is None:
            at = with_comments_above(self._text, item_lines(self._text, nodes, nodes.items[0])[0])
            text = self._text[:at] + _ended(lines, self._line_feed) + apart + self._text[at:]
        else:
            at = item_lines(self._text, nodes, anchor)[1]
            above = _ended(self._text[:at], self._line_feed)
            text = above + apart + _ended(lines, self._line_feed) + self._text[at:]
        self._take(text, replace(self._table, rules=tuple(rules)))

    def _set(self, name: str, key: str, value: Any) -> None:
        rule = replace(self._table.rule(name), **{key: value})
        self._change(name, key, value.to_dict() if isinstance(value, Match) else value, self._table.with_rule(rule))

    def _change(self, name: str, key: str, value: Any, expected: RuleTable) -> None:
        node = self._own(name)
        if node is None:
            self._append(rule_data={"name": name, key: value}, expected=expected)
            return
        known = next((pair for pair in node.entries if pair[0].value == key), None)
        if known is not None:
            self._take(with_value(self._text, *known, value, flow=node.flow), expected)
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
            indent = rules.start - line_start(text, rules.start)
            end = line_end(text, end_of(rules, text))
            apart = "\n" if are_apart(text, rules) else ""
            before = text[:end] if text[:end].endswith("\n") else text[:end] + self._line_feed
            self._take(before + self._lines(apart + rule_text(rule_data, indent=indent)) + text[end:], expected)
            return
        key = next(key for key, _ in read_nodes(text, self.path.name).entries if key.value == "rules")
        node = read_nodes(text, self.path.name).get("rules")
        after = max(key.end + 1, end_of(node, text) if node is not None and node.end > node.start else 0)
        end = line_end(text, after)
        rest = text[after:end].strip()
        head = f"{text[: key.end]}:{f' {rest}' if rest else ''}{self._line_feed}"
        self._take(head + self._lines(rule_text(rule_data, indent=2)) + text[end:], expected)

    def _with_key(self, node: Mapping, key: str, value: Any) -> str:
        text = self._text
        if node.flow:
            end = end_of(node.entries[-1][1], text)
            return f"{text[:end]}, {key}: {flow_text(value)}{text[end:]}"
        end = line_end(text, end_of(node, text))
        pad = " " * (node.start - line_start(text, node.start))
        before = text[:end] if text[:end].endswith("\n") else text[:end] + self._line_feed
        return f"{before}{pad}{key}: {flow_text(value)}{self._line_feed}{text[end:]}"

    def _without_block_item(self, rules: Sequence, node: Mapping) -> str:
        text = self._text
        start, end = item_lines(text, rules, node)
        if len(rules.items) == 1:
            key = next(key for key, _ in read_nodes(text, self.path.name).entries if key.value == "rules")
            return f"{text[: key.end + 1]} []{text[key.end + 1 : start]}{text[end:]}"
        return without_lines(text, start, end)

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


def _ended(text: str, line_feed: str) -> str:
    return text if not text or text.endswith("\n") else text + line_feed
