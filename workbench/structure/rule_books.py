"""Which rule table each type of document has: what a reader weighs with, as one value that can be kept and compared."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import InvalidOption, InvalidRules
from .checks import RuleProblem
from .rules import Match, Rule, RuleTable
from .tables import DEFAULT, load_rules, table_names

if TYPE_CHECKING:
    from ..documents import Document

ANY_TYPE = "*"
"""The document type of the table for types that have none of their own."""
_SAID = 4
"""So many changed rules are named in a sentence."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What of a rule is otherwise in another table.

    Attributes
    ----------
    name : str
    what : str
        "gone", "new", "weight", "match", "pin" (it pins now) or "no_pin".
    before, after : float or None
        The weights, where they are what differs.
    """

    name: str
    what: str
    before: float | None = None
    after: float | None = None

    def __str__(self) -> str:
        if self.what == "weight":
            return f"{self.name} ({self.before:g} -> {self.after:g})"
        words = {"match": "its conditions", "pin": "pinned now", "no_pin": "no longer pinned"}
        return f"{self.name} ({words.get(self.what, self.what)})"


@dataclass(frozen=True, slots=True)
class TableChange:
    """What another rule book decides otherwise for one type of document.

    Attributes
    ----------
    kind : str
        The document type, or ``ANY_TYPE``.
    what : str
        "gone", "new" or "rules".
    rules : tuple of RuleChange
        By name; empty where the order of the rules differs, or how features are found.
    """

    kind: str
    what: str
    rules: tuple[RuleChange, ...] = ()

    def __str__(self) -> str:
        called = "other" if self.kind == ANY_TYPE else self.kind
        if self.what != "rules":
            return f"there is {'no' if self.what == 'gone' else 'now a'} table for {called} documents"
        more = f" and {len(self.rules) - _SAID} more" if len(self.rules) > _SAID else ""
        said = ", ".join(map(str, self.rules[:_SAID])) + more
        return (
            f"the table for {called} documents differs in "
            f"{said or 'the order of its rules, or in how features are found'}"
        )


@dataclass(frozen=True, eq=False)
class RuleBook:
    """A rule table for each type of document.

    Attributes
    ----------
    tables : mapping of str to RuleTable
        By document type; ``ANY_TYPE`` serves the types without one, and must be there.

    Raises
    ------
    InvalidRules
        If there is no table for ``ANY_TYPE``.
    """

    tables: Mapping[str, RuleTable]

    def __post_init__(self) -> None:
        if ANY_TYPE not in self.tables:
            raise InvalidRules(f"A rule book needs a table for {ANY_TYPE!r}, which serves every other document type.")
        object.__setattr__(self, "tables", MappingProxyType(dict(self.tables)))

    @classmethod
    def shipped(cls) -> RuleBook:
        """Return the tables that the workbench ships: those named after a document type, and the default one."""
        from ..documents.document_types import load_rules as load_types

        named = [name for name in load_types().types if name in table_names()]
        return cls({ANY_TYPE: load_rules(DEFAULT), **{name: load_rules(name) for name in named}})

    @classmethod
    def of(cls, table: RuleTable) -> RuleBook:
        """Return a book with one table for every type of document."""
        return cls({ANY_TYPE: table})

    def table_for(self, document: Document) -> RuleTable:
        """Return the table for the type of a document."""
        return self.tables.get(document.document_type.value) or self.tables[ANY_TYPE]

    @cached_property
    def sha256(self) -> str:
        """Hash of what the tables decide."""
        said = {name: self.tables[name].sha256 for name in sorted(self.tables)}
        return hashlib.sha256(json.dumps(said).encode("ascii")).hexdigest()

    def differences(self, other: RuleBook) -> Iterator[str]:
        """Say what another book decides otherwise, a sentence a table; what only explains is not compared."""
        for change in self.changes(other):
            yield str(change)

    def changes(self, other: RuleBook) -> Iterator[TableChange]:
        """Give what another book decides otherwise, one a table; what only explains is not compared."""
        for kind in sorted({*self.tables, *other.tables}):
            mine, theirs = self.tables.get(kind), other.tables.get(kind)
            if mine is None or theirs is None:
                yield TableChange(kind, "gone" if theirs is None else "new")
            elif mine.sha256 != theirs.sha256:
                yield TableChange(kind, "rules", tuple(_changed_rules(mine, theirs)))

    def to_dict(self) -> dict[str, Any]:
        """Return the tables as plain values that JSON can hold; ``from_dict`` reads them."""
        return {kind: _table_to(self.tables[kind]) for kind in sorted(self.tables)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> RuleBook:
        """Return the book of ``to_dict``.

        Raises
        ------
        InvalidRules
            If a table or a rule in it has a mistake.
        """
        return cls({str(kind): _table_from(str(kind), table) for kind, table in values.items()})

    def __repr__(self) -> str:
        named = ", ".join(f"{kind}: {table.name}" for kind, table in sorted(self.tables.items()))
        return f"RuleBook({named})"


def rule_book_of(rules: RuleBook | RuleTable | str | Path) -> RuleBook:
    """Return a rule book: itself, or one table, its name or its file for every type of document.

    Raises
    ------
    InvalidRules, FileMissing
        If there is no such table, or it has a mistake.
    InvalidOption
        For what is no rules at all.
    """
    if isinstance(rules, str | Path):
        rules = load_rules(rules)
    if isinstance(rules, RuleTable):
        return RuleBook.of(rules)
    if isinstance(rules, RuleBook):
        return rules
    raise InvalidOption(
        f"rules is of type {type(rules).__name__}; give a RuleTable, a RuleBook, or the name or file of a table."
    )


def _changed_rules(mine: RuleTable, theirs: RuleTable) -> Iterator[RuleChange]:
    before = {rule.name: rule for rule in mine.rules if rule.enabled}
    after = {rule.name: rule for rule in theirs.rules if rule.enabled}
    for name in sorted({*before, *after}):
        old, new = before.get(name), after.get(name)
        if old is None or new is None:
            yield RuleChange(name, "new" if old is None else "gone")
        elif old.weight != new.weight:
            yield RuleChange(name, "weight", old.weight, new.weight)
        elif old.match.sha256 != new.match.sha256:
            yield RuleChange(name, "match")
        elif old.pin != new.pin:
            yield RuleChange(name, "pin" if new.pin else "no_pin")


def _table_to(table: RuleTable) -> dict[str, Any]:
    rules = []
    for rule in table.rules:
        values = rule.to_dict()
        if isinstance(values.get("date"), datetime.date):
            values["date"] = values["date"].isoformat()
        rules.append(values)
    return {"name": table.name, "description": table.description, "rules": rules}


def _table_from(kind: str, values: Any) -> RuleTable:
    rules: list[Rule] = []
    try:
        for entry in values["rules"]:
            fields = dict(entry)
            fields["match"] = _match_from(fields["match"])
            if isinstance(fields.get("date"), str):
                fields["date"] = datetime.date.fromisoformat(fields["date"])
            rules.append(Rule(**fields))
        return RuleTable(str(values["name"]), tuple(rules), str(values.get("description", "")))
    except RuleProblem as problem:
        raise InvalidRules(f"The table for {kind!r}, rule {len(rules) + 1}: {problem.problem}.") from problem
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidRules(
            f"The table for {kind!r}, rule {len(rules) + 1}, is no rule of this version ({error})."
        ) from error


def _match_from(values: Any) -> Match:
    fields: dict[str, Any] = {
        name: tuple(entries) if isinstance(entries, list) else entries for name, entries in values.items()
    }
    if fields.get("unless") is not None:
        fields["unless"] = _match_from(fields["unless"])
    return Match(**fields)
