"""From rules to the weight of every block, with the rules that spoke and those that won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .checks import GREATEST_WEIGHT, LEAST_WEIGHT
from .facts import facts_of
from .features import FEATURES
from .keywords import Bools
from .matching import find_matching
from .patterns import CALL_SECONDS, PatternResult
from .rules import Rule, RuleTable

if TYPE_CHECKING:
    from ..documents import Document

NOBODY = -1
"""Stands for "no rule" where rules are indexes."""
_SHOWN_PATTERN = 60

Indexes = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class RuleVoice:
    """What one rule says about one block.

    Attributes
    ----------
    rule : str
        Its name.
    weight : float
    pin : bool
    reason : str
    won : bool
        Whether it is the strongest boost, the strongest damping, or what pins the block.
    """

    rule: str
    weight: float
    pin: bool
    reason: str
    won: bool


@dataclass(frozen=True, eq=False, repr=False)
class StructureWeights:
    """Structure weights of the n blocks of one document, in the order of the blocks.

    Attributes
    ----------
    weights : ndarray of float64, shape (n,)
        Factors in [0.05, 5]: strongest boost times strongest damping; 1.0 where no rule speaks.
    pinned : ndarray of bool, shape (n,)
        Kept whatever its priority.
    boost, damping, pinned_by : ndarray of int32, shape (n,)
        Index in ``rules`` of the rule that won, or -1. Of equal weights the first in the table wins.
    rules : tuple of Rule
        Of the table, disabled ones included.
    table : str
        Name of the table.
    sha256 : str
        Hash of what the table decides.
    notes : tuple of str
        What a reader must know: patterns that took too long, what parsed the sentences. A sentence each.
    """

    weights: npt.NDArray[np.float64]
    pinned: Bools
    boost: Indexes
    damping: Indexes
    pinned_by: Indexes
    rules: tuple[Rule, ...]
    table: str
    sha256: str
    notes: tuple[str, ...]
    _speaking: Mapping[int, Bools]
    _document: Document

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        spoken_for = int(np.count_nonzero((self.boost != NOBODY) | (self.damping != NOBODY) | self.pinned))
        return f"StructureWeights({self.table!r}, {spoken_for} of {len(self)} blocks, {int(self.pinned.sum())} pinned)"

    def trace(self, block_id: int) -> tuple[RuleVoice, ...]:
        """Return what every rule that matches a block says, in the order of the table.

        Raises
        ------
        AnchorMismatch
            If the document has no such block.
        """
        self._document.block(block_id)
        winners = {int(won[block_id]) for won in (self.boost, self.damping, self.pinned_by)}
        return tuple(
            RuleVoice(rule.name, rule.weight, rule.pin, rule.reason, index in winners)
            for index, rule in enumerate(self.rules)
            if index in self._speaking and self._speaking[index][block_id]
        )

    def spoken_for(self, rule: str) -> Bools:
        """Return the blocks that an enabled rule matches.

        Returns
        -------
        ndarray of bool, shape (n,)
            All False for a rule that matches nothing, is disabled, or is not in the table.
        """
        for index, found in self._speaking.items():
            if self.rules[index].name == rule:
                return found
        return np.zeros(len(self), np.bool_)


class RuleMatches:
    """Which blocks of a document the rules of a table match; made by ``match_rules``."""

    def __init__(self, document: Document, found: Mapping[str, PatternResult]) -> None:
        self._document = document
        self._found = found

    def weigh(self, table: RuleTable) -> StructureWeights:
        """Combine the rules of a table into one weight a block.

        Parameters
        ----------
        table : RuleTable
            The table that was matched, or one with other weights, pins, names or switches; a rule whose conditions
            were not looked at yet is matched now.
        """
        active = [index for index, rule in enumerate(table.rules) if rule.enabled]
        if any(table.rules[index].match.sha256 not in self._found for index in active):
            return match_rules(self._document, table).weigh(table)
        results = {index: self._found[table.rules[index].match.sha256] for index in active}
        speaking = {index: result.found for index, result in results.items() if result.found.any()}
        count = len(self._document.columns)
        boosts, boost = _strongest(table, speaking, count, 1.0)
        dampings, damping = _strongest(table, speaking, count, -1.0)
        pinned_by = np.full(count, NOBODY, np.int32)
        for index in sorted(speaking, reverse=True):
            if table.rules[index].pin:
                pinned_by[speaking[index]] = index
        weights = np.clip(boosts * dampings, LEAST_WEIGHT, GREATEST_WEIGHT)
        pinned = pinned_by != NOBODY
        for array in (weights, pinned, boost, damping, pinned_by):
            array.flags.writeable = False
        return StructureWeights(
            weights=weights,
            pinned=pinned,
            boost=boost,
            damping=damping,
            pinned_by=pinned_by,
            rules=table.rules,
            table=table.name,
            sha256=table.sha256,
            notes=self._notes(table, results),
            _speaking=MappingProxyType(speaking),
            _document=self._document,
        )

    def _notes(self, table: RuleTable, results: Mapping[int, PatternResult]) -> tuple[str, ...]:
        slow = [
            f"The rule {table.rules[index].name!r} is silent here: its pattern {_shown(result.out_of_time)!r} takes "
            f"more than {CALL_SECONDS:g} s for one block, or too long for all; write it without nested repetitions."
            for index, result in results.items()
            if result.out_of_time
        ]
        asked = {name for index in results for name in table.rules[index].match.names if FEATURES[name].needs_parse}
        parsers = facts_of(self._document).parsers
        return (*slow, *(f"{name} was decided for {parsers[name]}." for name in sorted(asked & parsers.keys())))


def match_rules(document: Document, table: RuleTable, *, progress: bool | None = None) -> RuleMatches:
    """Find the blocks that each enabled rule matches.

    What was found is kept with the document: of an edited table only rules with other conditions are looked at again.

    Parameters
    ----------
    document : Document
    table : RuleTable
    progress : bool, optional
        Show the parsing of sentences, where a rule needs it; None where somebody looks.
    """
    found = {
        rule.match.sha256: find_matching(document, rule.match, progress=progress)
        for rule in table.rules
        if rule.enabled
    }
    return RuleMatches(document, found)


def weigh(document: Document, table: RuleTable, *, progress: bool | None = None) -> StructureWeights:
    """Return what a table says about the blocks of a document.

    Examples
    --------
    >>> from workbench import open_document
    >>> from workbench.resources import datasets_dir
    >>> from workbench.structure import Match, Rule, RuleTable
    >>> document = open_document(datasets_dir() / "dev" / "documents" / "harbor-manual.md")
    >>> titles, top = Rule("titles", Match(kinds=("heading",)), 3.0), Rule("top", Match(features=("h1",)), 0.5)
    >>> table = RuleTable("mine", (titles, top))
    >>> weigh(document, table).weights[0]
    np.float64(1.5)
    """
    return match_rules(document, table, progress=progress).weigh(table)


def _strongest(
    table: RuleTable, speaking: Mapping[int, Bools], count: int, side: float
) -> tuple[npt.NDArray[np.float64], Indexes]:
    """The greatest weight above 1 (side 1), or the least below 1 (side -1), and whose it is."""
    weights = np.ones(count, np.float64)
    winners = np.full(count, NOBODY, np.int32)
    strength = {index: side * (table.rules[index].weight - 1.0) for index in speaking}
    # The last one written wins: the strongest, and of equals the first in the table.
    for index in sorted(speaking, key=lambda index: (strength[index], -index)):
        if strength[index] > 0:
            weights[speaking[index]] = table.rules[index].weight
            winners[speaking[index]] = index
    return weights, winners


def _shown(pattern: str | None) -> str:
    text = pattern or ""
    return text if len(text) <= _SHOWN_PATTERN else f"{text[: _SHOWN_PATTERN - 1]}…"
