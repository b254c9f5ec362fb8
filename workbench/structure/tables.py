"""Rule tables as YAML files: read with every mistake named by file, line and rule, and written."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import FileMissing, InvalidRules
from ..resources import rules_dir
from .atomic import write_text
from .checks import RuleProblem
from .naming import nearest
from .rules import LIST_FIELDS, Match, Rule, RuleTable
from .yaml_nodes import MAX_BYTES, Mapping, Node, Scalar, Sequence, read_nodes, text_of
from .yaml_writing import table_text

if TYPE_CHECKING:
    from ..documents import Document

DEFAULT = "default"
SUFFIX = ".yaml"
SCHEMA_VERSION = 1
NO_TABLES = frozenset(("document_types",))
"""Files of the rules folder that are no rule tables."""
TABLE_KEYS = ("version", "name", "description", "extends", "rules")
RULE_KEYS = ("name", "match", "weight", "pin", "reason", "enabled", "author", "date", "seed_weight")
MATCH_KEYS = (*LIST_FIELDS, "unless")


def table_names() -> tuple[str, ...]:
    """Return the names of the tables that the workbench ships."""
    return tuple(sorted(path.stem for path in rules_dir().glob(f"*{SUFFIX}") if path.stem not in NO_TABLES))


def load_rules(table: str | Path) -> RuleTable:
    """Read a rule table.

    Parameters
    ----------
    table : str or pathlib.Path
        The name of a shipped table ("legal"), or the path of a YAML file.

    Returns
    -------
    RuleTable
        With the rules of the table that it extends in front.

    Raises
    ------
    InvalidRules
        If the file has a mistake, or no table has the name.
    FileMissing
        If there is no file at the path.
    """
    path = path_of(table)
    known = _loaded.get(path)
    if known is None or not known.is_fresh:
        files: dict[Path, Stamp] = {}
        known = _loaded[path] = _Loaded(parse_table(_text(path, files), path, files=files), files)
    return known.table


def rules_for(document: Document) -> RuleTable:
    """Return the shipped table for the type of a document, which extends ``default``; ``default`` for a general one."""
    name = document.document_type.value
    return load_rules(name if name in table_names() else DEFAULT)


def save_rules(table: RuleTable, path: str | Path, *, overwrite: bool = False) -> None:
    """Write a table to a file of its own, complete: it needs no other table when it is read.

    Parameters
    ----------
    table : RuleTable
    path : str or pathlib.Path
        Ends in .yaml.
    overwrite : bool
        Whether a file that is there, with its comments, may be replaced; ``RuleFile`` edits one and keeps them.

    Raises
    ------
    InvalidRules
        If there is a file already, or it cannot be written.
    """
    target = Path(path)
    if target.exists() and not overwrite:
        raise InvalidRules(
            f"{target.name} exists already; give another path, edit it with RuleFile, or say overwrite=True."
        )
    write_text(target, table_text(replace(table, name=target.stem)))


def path_of(table: str | Path) -> Path:
    """Return where a table lies.

    Raises
    ------
    InvalidRules
        If a name is that of no shipped table.
    FileMissing
        If there is no file at a path.
    """
    if isinstance(table, Path) or table.endswith((SUFFIX, ".yml")) or os.sep in table or "/" in table:
        path = Path(table).expanduser()
        if not path.is_file():
            raise FileMissing(f"There is no rule table at {path}; check the path.")
        return path.resolve()
    return _shipped(table).resolve()


def _shipped(name: str) -> Path:
    known = table_names()
    if name not in known:
        raise InvalidRules(
            f"There is no rule table {name!r}{nearest(name, known)}; a file needs its path with {SUFFIX}."
        )
    return rules_dir() / f"{name}{SUFFIX}"


Stamp: TypeAlias = "tuple[int, int] | None"
"""Time of change and size of a file, or None where it is gone."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A table, and the files it was made from as they were then."""

    table: RuleTable
    files: dict[Path, Stamp]

    @property
    def is_fresh(self) -> bool:
        """Whether none of the files has changed since."""
        return all(_stamp(file) == stamp for file, stamp in self.files.items())


_loaded: dict[Path, _Loaded] = {}


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _text(path: Path, files: dict[Path, Stamp]) -> str:
    # Before it is read: a change in between is seen the next time.
    files[path] = _stamp(path)
    return text_of(read_bytes(path), path.name)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a rule file.

    Raises
    ------
    InvalidRules
        If it cannot be read or is too big.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise InvalidRules(f"{path.name} has {size:,} bytes; a rule table has at most {MAX_BYTES:,}: split it.")
        return path.read_bytes()
    except OSError as error:
        raise InvalidRules(f"{path.name} cannot be read ({error.strerror}); check the path and its rights.") from None


def parse_table(
    text: str, path: Path, *, above: tuple[str, ...] = (), files: dict[Path, Stamp] | None = None
) -> RuleTable:
    """Return the table of a text.

    Parameters
    ----------
    text : str
    path : pathlib.Path
        Where it stands, or would: names it in messages, and its folder is where the table that it extends is
        looked for first.
    above : tuple of str
        Names of the tables that extend this one.
    files : dict, optional
        Takes the files that are read for the tables below, with their stamps.

    Raises
    ------
    InvalidRules
        If it has a mistake.
    """
    return _Reader(path, above, {} if files is None else files).table(read_nodes(text, path.name))


def parse_extended(text: str, path: Path) -> RuleTable | None:
    """Return the table that the table of a text extends, or None."""
    return _Reader(path, (), {}).base(read_nodes(text, path.name))


class _Reader:
    """Turns the nodes of one file into a table, and knows what to call a place in it."""

    def __init__(self, path: Path, above: tuple[str, ...], files: dict[Path, Stamp]) -> None:
        self.path = path
        self.files = files
        self.above = (*above, path.stem)

    def error(self, node: Node, problem: str, rule: str = "") -> InvalidRules:
        named = f", rule {rule!r}" if rule else ""
        return InvalidRules(f"{self.path.name}, line {node.line}{named}: {problem}.")

    def table(self, root: Mapping) -> RuleTable:
        self.known_keys(root, TABLE_KEYS, "key of a table")
        version = root.get("version")
        if version is not None and version.value != SCHEMA_VERSION:
            raise self.error(version, f"version {version.value!r} is not known; this workbench reads {SCHEMA_VERSION}")
        name = self.text(root, "name")
        if name and name != self.path.stem:
            node = root.get("name") or root
            raise self.error(
                node, f"the table calls itself {name!r}, but its file is {self.path.name}; make them equal"
            )
        base = self.base(root)
        rules = root.get("rules")
        if rules is None:
            raise self.error(root, "the table has no rules; write rules: and a list")
        if not isinstance(rules, Sequence):
            if rules.value is not None:
                raise self.error(rules, "rules is no list; begin each rule with '- name:'")
            rules = Sequence((), rules.start, rules.end, rules.line, flow=True)
        return RuleTable(
            self.path.stem, self.rules(rules, base), self.text(root, "description"), base.name if base else None
        )

    def base(self, root: Mapping) -> RuleTable | None:
        node = root.get("extends")
        if node is None:
            return None
        name = node.value
        if not isinstance(name, str) or not name.replace("-", "").replace("_", "").isalnum():
            raise self.error(node, f"extends {name!r} is no name of a table; write extends: {DEFAULT}")
        if name in self.above:
            chain = " extends ".join((*self.above, name))
            raise self.error(node, f"tables extend each other in a circle ({chain}); take one extends out")
        beside = self.path.parent / f"{name}{SUFFIX}"
        if not beside.is_file() and name not in table_names():
            raise self.error(node, f"there is no rule table {name!r}{nearest(name, table_names())}")
        path = beside if beside.is_file() else _shipped(name)
        known = _loaded.get(path)
        if known is None or not known.is_fresh:
            # Many tables extend the same one, which is read once.
            files: dict[Path, Stamp] = {}
            known = _loaded[path] = _Loaded(parse_table(_text(path, files), path, above=self.above, files=files), files)
        self.files |= known.files
        return known.table

    def rules(self, nodes: Sequence, base: RuleTable | None) -> tuple[Rule, ...]:
        rules = {rule.name: rule for rule in base.rules} if base else {}
        inherited = dict(rules)
        lines: dict[str, int] = {}
        for node in nodes.items:
            if not isinstance(node, Mapping):
                raise self.error(node, f"{node.value!r} is no rule; begin each with '- name:'")
            rule = self.rule(node, inherited)
            if rule.name in lines:
                raise self.error(
                    node, f"the name stands already in line {lines[rule.name]}; rename one of the rules", rule.name
                )
            lines[rule.name] = node.line
            rules[rule.name] = rule
        return tuple(rules.values())

    def rule(self, node: Mapping, inherited: dict[str, Rule]) -> Rule:
        given = node.get("name")
        name = given.value if given is not None and isinstance(given.value, str) else ""
        self.known_keys(node, RULE_KEYS, "key of a rule", name)
        base = inherited.get(name)
        values: dict[str, Any] = {key.value: child.value for key, child in node.entries if key.value != "match"}
        for key, child in node.entries:
            if child.value is None:
                raise self.error(key, f"{key.value} is empty; give it a value or take it out", name)
        match = node.get("match")
        if match is not None:
            values["match"] = self.match(match, name)
        if base is None:
            self.complete(node, values, name, inherited)
        try:
            return replace(base, **values) if base else Rule(**{"weight": 1.0, **values})
        except RuleProblem as problem:
            raise self.error(node.get(problem.field) or node, problem.problem, name) from None

    def complete(self, node: Mapping, values: dict[str, Any], name: str, inherited: dict[str, Rule]) -> None:
        """A rule of its own states what it matches, its weight and why; one that overrides may state less."""
        if not name and "name" not in values:
            raise self.error(node, "a rule needs a name, as in name: force-majeure")
        needed = ["match", "reason", *([] if values.get("pin") is True else ["weight"])]
        for key in needed:
            if key not in values:
                hint = nearest(name, inherited) if inherited else ""
                hint = f" (no rule of this name is extended{hint})" if "nearest" in hint else ""
                raise self.error(node, f"the rule has no {key}{hint}; write {key}: and a value", name)

    def match(self, node: Node, rule: str, *, inner: bool = False) -> Match:
        if not isinstance(node, Mapping):
            raise self.error(
                node, f"match is {node.value!r}; write conditions, as in match: {{kinds: [heading]}}", rule
            )
        self.known_keys(node, MATCH_KEYS, "condition", rule)
        values: dict[str, Any] = {}
        for key, child in node.entries:
            if key.value == "unless":
                if inner:
                    raise self.error(key, "unless holds another unless; write the conditions of one only", rule)
                values["unless"] = self.match(child, rule, inner=True)
            else:
                values[key.value] = self.plain(key, child, rule)
        try:
            return Match(**values)
        except RuleProblem as problem:
            place = node.get(problem.field) or node
            if problem.item is not None and isinstance(place, Sequence):
                place = place.items[problem.item]
            raise self.error(place, problem.problem, rule) from None

    def plain(self, key: Scalar, node: Node, rule: str) -> Any:
        if isinstance(node, Mapping):
            raise self.error(node, f"{key.value} holds keys; write {key.value}: [one, another]", rule)
        if node.value is None or node.value == []:
            raise self.error(key, f"{key.value} is empty; give it a value or take it out", rule)
        if isinstance(node, Sequence):
            for item in node.items:
                if not isinstance(item, Scalar):
                    raise self.error(item, f"{key.value} holds a list in a list; write one list of values", rule)
        return node.value

    def known_keys(self, node: Mapping, allowed: tuple[str, ...], what: str, rule: str = "") -> None:
        for key, _ in node.entries:
            if key.value not in allowed:
                raise self.error(key, f"there is no {what} {str(key.value)!r}{nearest(str(key.value), allowed)}", rule)

    def text(self, root: Mapping, key: str) -> str:
        node = root.get(key)
        if node is None:
            return ""
        if not isinstance(node.value, str):
            raise self.error(node, f"{key} {node.value!r} is no text; put it in quotes")
        return node.value
