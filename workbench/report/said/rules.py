"""What rules do to blocks, in words: the weight that they give, and which of them spoke in a document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ...structure.weighing import NOBODY
from ..contents import RuleSaid
from ..wording import Say

if TYPE_CHECKING:
    from ...reading import Reading
    from ...structure import Rule, StructureWeights

_NAMED = {0.05: "twentieth", 0.1: "tenth", 0.2: "fifth", 0.25: "quarter", 0.5: "half", 2.0: "twice", 3.0: "thrice"}
"""Weights that people have a word for."""
_HAN, _LATIN_WORDS = re.compile("[\u4e00-\u9fff]"), re.compile("[A-Za-z]+")


def weight_words(weight: float, say: Say) -> str:
    """Return a weight as what it gives: "half the weight", "1.2 times the weight"."""
    named = _NAMED.get(round(weight, 6))
    if named:
        return say(f"weight.{named}")
    if weight < 1:
        return say("weight.share", share=f"{100 * weight:.3g}\u00a0%")
    return say("weight.times", times=f"{weight:.3g}")


class Weighing:
    """Which rules weigh each block of a document, in words.

    Parameters
    ----------
    structure : StructureWeights
    say : callable
        Words of the section "contents".
    """

    def __init__(self, structure: StructureWeights, say: Say) -> None:
        self._rules = structure.rules
        self._weights = structure.weights.tolist()
        self._winners = list(zip(structure.boost.tolist(), structure.damping.tolist(), strict=True))
        self._pinned_by = structure.pinned_by.tolist()
        self._say = say
        self._said: dict[tuple[int, int], str] = {}

    def of(self, block: int) -> str:
        """Return which rules weigh a block, and how much it weighs: "the rule “titles” gives it twice the weight"."""
        winners = self._winners[block]
        if winners not in self._said:
            self._said[winners] = self._told(winners, self._weights[block])
        return self._said[winners]

    def damping(self, block: int) -> str:
        """Return the name of the rule that lowers a block, or ""."""
        index = self._winners[block][1]
        return "" if index == NOBODY else self._rules[index].name

    def pin(self, block: int) -> str:
        """Return the name of the rule that pins a block, or ""."""
        index = self._pinned_by[block]
        return "" if index == NOBODY else self._rules[index].name

    def _told(self, winners: tuple[int, int], weight: float) -> str:
        names = [self._rules[index].name for index in winners if index != NOBODY]
        effect = weight_words(weight, self._say)
        if len(names) == 1:
            return self._say("rule.gives", rule=names[0], weight=effect)
        return self._say("rules.give", rule=names[0], other=names[-1], weight=effect)


def rules_said(reading: Reading, say: Say) -> tuple[RuleSaid, ...]:
    """Return the rules that spoke of blocks with text and can change something, in the order of their table."""
    if reading.focus is not None:
        return ()
    structure, text, kept = reading.structure, reading.basis.has_text, reading.decision.kept
    said = []
    for rule in structure.rules:
        if rule.weight == 1.0 and not rule.pin:
            continue
        spoken = structure.spoken_for(rule.name) & text
        if spoken.any():
            blocks, those_kept = int(np.count_nonzero(spoken)), int(np.count_nonzero(spoken & kept))
            why = rule.reason, _language(rule.reason)
            said.append(RuleSaid(rule.name, _effect(rule, say), blocks, those_kept, *why))
    return tuple(said)


def _effect(rule: Rule, say: Say) -> str:
    weight = "" if rule.weight == 1.0 else say("rule.weighs", weight=weight_words(rule.weight, say))
    pin = say("rule.pins") if rule.pin else ""
    return say("sentences").join(filter(None, (pin, weight)))


def _language(text: str) -> str:
    """Return the language of a reason: English ones may quote Chinese terms."""
    return "zh" if len(_HAN.findall(text)) > len(_LATIN_WORDS.findall(text)) else "en"
