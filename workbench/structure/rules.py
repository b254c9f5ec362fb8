"""What a rule says, and the tables that rules stand in; everything here is checked on creation."""

from __future__ import annotations

import datetime
import hashlib
import json
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from ..errors import InvalidRules
from .checks import ENTRY_PROBLEMS, FIELD_PROBLEMS, MAX_RULES, RuleProblem, entries_of
from .features import FEATURES_VERSION
from .naming import nearest


@dataclass(frozen=True)
class Match:
    """The conditions of a rule: all that are given must hold; the entries of one are alternatives.

    Attributes
    ----------
    features : tuple of str
        Names of ``FEATURES``.
    kinds : tuple of str
        Kinds of block.
    levels : tuple of int
        Levels of headings and toc entries, depths of list items; 1 to 6.
    pattern : tuple of str
        Regular expressions looked for in the block's text as it stands; upper and lower case are one.
    keywords : tuple of str
        Words looked for in the block's text; see ``workbench.structure.keywords``.
    section : tuple of str
        Keywords of which one stands in a heading above the block, or in the block if it is a heading.
    section_pattern : tuple of str
        Regular expressions looked for in the titles above the block, joined by " > ", outermost first.
    document_types, languages : tuple of str
        What the document's verdicts say.
    unless : Match or None
        A block that matches this one does not match.
    """

    features: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()
    pattern: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    section_pattern: tuple[str, ...] = ()
    document_types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    unless: Match | None = None

    def __post_init__(self) -> None:
        for name in LIST_FIELDS:
            entries = entries_of(name, getattr(self, name))
            for index, entry in enumerate(entries):
                problem = ENTRY_PROBLEMS[name](entry)
                if problem:
                    raise RuleProblem(problem, field=name, item=index)
            object.__setattr__(self, name, entries)
        if self.unless is not None and self.unless.unless is not None:
            raise RuleProblem("unless holds another unless; write the conditions of one only", field="unless")
        if self.unless is not None and not self.unless._given:
            raise RuleProblem("unless is empty; give it a condition or take it out", field="unless")

    @property
    def _given(self) -> bool:
        return any(getattr(self, name) for name in LIST_FIELDS)

    @property
    def of_blocks(self) -> bool:
        """Whether any condition tells one block of a document from another."""
        return any(getattr(self, name) for name in LIST_FIELDS if name not in _OF_DOCUMENTS) or (
            self.unless is not None and self.unless.of_blocks
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """The features that must be known to decide, also those of ``unless``."""
        return frozenset(self.features) | (self.unless.names if self.unless else frozenset())

    def to_dict(self) -> dict[str, Any]:
        """Return the conditions that are given, as in a rule file."""
        found: dict[str, Any] = {name: list(getattr(self, name)) for name in LIST_FIELDS if getattr(self, name)}
        if self.unless is not None:
            found["unless"] = self.unless.to_dict()
        return found

    @cached_property
    def sha256(self) -> str:
        """Hash of the conditions; the order of alternatives does not matter."""
        return _hash(_canonical(self))


LIST_FIELDS = tuple(entry.name for entry in fields(Match) if entry.name != "unless")
_OF_DOCUMENTS = ("document_types", "languages")


@dataclass(frozen=True)
class Rule:
    """One line of a table: which blocks, how much they weigh, and why.

    Attributes
    ----------
    name : str
        Unique in its table; what a rule is selected by.
    match : Match
    weight : float
        In [0.05, 5]: above 1 a boost, below 1 a damping.
    pin : bool
        Whether a block that matches is kept whatever its priority.
    reason : str
        Why, in words that are shown to the reader.
    enabled : bool
        A rule that is not is silent.
    author : str
    date : datetime.date or None
    seed_weight : float or None
        The weight that the design began with, where measurements led to another one.
    """

    name: str
    match: Match
    weight: float = 1.0
    pin: bool = False
    reason: str = ""
    enabled: bool = True
    author: str = ""
    date: datetime.date | None = None
    seed_weight: float | None = None

    def __post_init__(self) -> None:
        shown = self.name if isinstance(self.name, str) else ""
        for name, check in FIELD_PROBLEMS.items():
            problem = check(getattr(self, name))
            if problem:
                raise RuleProblem(problem, field=name, rule=shown)
        if not isinstance(self.match, Match):
            raise RuleProblem("match holds no conditions; give a Match", field="match", rule=shown)
        if not self.match.of_blocks:
            what = "holds no condition" if not self.match._given else "has no condition on blocks"
            raise RuleProblem(
                f"match {what}, so that every block would match; give it features, kinds, keywords or another one",
                field="match",
                rule=shown,
            )
        object.__setattr__(self, "weight", float(self.weight))
        if self.seed_weight is not None:
            object.__setattr__(self, "seed_weight", float(self.seed_weight))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields in the order of a rule file; those at their defaults only where they say something."""
        found: dict[str, Any] = {"name": self.name, "match": self.match.to_dict(), "weight": self.weight}
        if self.pin:
            found["pin"] = True
        found["reason"] = self.reason
        if not self.enabled:
            found["enabled"] = False
        for name in ("author", "date", "seed_weight"):
            if getattr(self, name) not in ("", None):
                found[name] = getattr(self, name)
        return found


@dataclass(frozen=True)
class RuleTable:
    """Rules of one purpose, in order; editing gives a new table.

    Attributes
    ----------
    name : str
    rules : tuple of Rule
        In the order of the file, those of the table that is extended first.
    description : str
    extends : str or None
        Name of the table that the first rules came from; says nothing about what the table does.
    """

    name: str
    rules: tuple[Rule, ...] = ()
    description: str = ""
    extends: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        if len(self.rules) > MAX_RULES:
            raise InvalidRules(f"The table {self.name!r} has {len(self.rules):,} rules; at most {MAX_RULES:,} can be.")
        seen: set[str] = set()
        for rule in self.rules:
            if rule.name in seen:
                raise InvalidRules(f"The table {self.name!r} has two rules named {rule.name!r}; rename one.")
            seen.add(rule.name)

    def __len__(self) -> int:
        return len(self.rules)

    def __repr__(self) -> str:
        off = sum(not rule.enabled for rule in self.rules)
        return f"RuleTable({self.name!r}, {len(self)} rules{f', {off} disabled' if off else ''})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rules, in order."""
        return tuple(rule.name for rule in self.rules)

    def rule(self, name: str) -> Rule:
        """Return the rule of a name.

        Raises
        ------
        InvalidRules
            If there is none; the message names the nearest.
        """
        return self.rules[self._index(name)]

    def _index(self, name: str) -> int:
        for index, rule in enumerate(self.rules):
            if rule.name == name:
                return index
        raise InvalidRules(f"The table {self.name!r} has no rule {name!r}{nearest(name, self.names)}.")

    @cached_property
    def sha256(self) -> str:
        """Hash of what the table decides: name, match, weight and pin of every enabled rule, in order."""
        said = [[rule.name, _canonical(rule.match), rule.weight, rule.pin] for rule in self.rules if rule.enabled]
        return _hash([FEATURES_VERSION, said])

    def with_rule(self, rule: Rule) -> RuleTable:
        """Return a table with this rule in place of the one of its name, or behind the others."""
        if rule.name not in self.names:
            return replace(self, rules=(*self.rules, rule))
        return replace(self, rules=tuple(rule if old.name == rule.name else old for old in self.rules))

    def with_weight(self, name: str, weight: float) -> RuleTable:
        """Return a table in which one rule has another weight.

        Examples
        --------
        >>> table = RuleTable("mine", (Rule("titles", Match(features=("h1",)), 2.0),))
        >>> table.with_weight("titles", 3.0).rule("titles").weight, table.rule("titles").weight
        (3.0, 2.0)
        """
        return self.with_rule(replace(self.rule(name), weight=weight))

    def enabled(self, name: str, enabled: bool) -> RuleTable:
        """Return a table in which one rule speaks or is silent."""
        return self.with_rule(replace(self.rule(name), enabled=enabled))

    def without(self, name: str) -> RuleTable:
        """Return a table without one rule."""
        index = self._index(name)
        return replace(self, rules=self.rules[:index] + self.rules[index + 1 :])


def _canonical(match: Match) -> dict[str, Any]:
    """The conditions in an order that does not depend on how they were written."""
    found: dict[str, Any] = {
        name: sorted(getattr(match, name), key=str) for name in LIST_FIELDS if getattr(match, name)
    }
    if match.unless is not None:
        found["unless"] = _canonical(match.unless)
    return found


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode("ascii")).hexdigest()
