"""What a question wants: how much of the artifact it is about, what is to be done, and what must be found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from ...documents.languages import language_of
from ...errors import InvalidOption
from ...printing import shortened
from ...relevance.questions import checked_question
from ...relevance.scores import Scope
from .actions import Action
from .needs import needs_of
from .rules import rules_that_speak

__all__ = ["Action", "Intent", "intent_of"]

_SHOWN_CHARS = 60
_WIDER = (Scope.POINT, Scope.SEVERAL, Scope.AGGREGATE, Scope.WHOLE)
_GRAVER = (Action.READ, Action.COPY, Action.EDIT, Action.EXECUTE)
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_Choice = TypeVar("_Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question wants; made by ``intent_of``.

    Attributes
    ----------
    question : str
    scope : Scope
        How much of the artifact the question is about.
    action : Action
        What is to be done with the artifact.
    needs : tuple of str
        The parts of the question that must be found; the question itself if it is one part.
    language : {"en", "zh", "other"}
        Of the question.
    reasons : tuple of str
        One sentence for each rule that spoke, naming the words, and one for each choice of the caller.
    """

    question: str
    scope: Scope = Scope.POINT
    action: Action = Action.READ
    needs: tuple[str, ...] = ()
    language: str = "en"
    reasons: tuple[str, ...] = ()


def intent_of(
    question: str,
    *,
    scope: Scope | str | None = None,
    action: Action | str | None = None,
    needs: Sequence[str] | None = None,
) -> Intent:
    """Return what a question wants, by the rules of ``intent_rules``; what the caller gives wins, and says so.

    Parameters
    ----------
    question : str
        English or Chinese; in other languages no rule speaks, and the question is about a point.
    scope : Scope or str, optional
    action : Action or str, optional
    needs : sequence of str, optional
        The parts that must be found.

    Raises
    ------
    InvalidQuestion
        For a text that ``checked_question`` refuses.
    InvalidOption
        If scope or action is unknown, or needs are no texts.

    Examples
    --------
    >>> intent_of("What was total revenue in 2018?").scope.value
    'point'
    >>> found = intent_of("What is the sum of the freight column?")
    >>> found.scope.value, found.reasons
    ('aggregate', ('"sum of" adds up over rows, and one that is skipped is missed: aggregate (rule "sum").',))
    >>> intent_of("把这份说明书翻译成英文。").action.value
    'copy'
    """
    asked = checked_question(question)
    given_scope = _choice(scope, Scope, "scope")
    given_action = _choice(action, Action, "action")
    given_needs = _checked_needs(needs)
    spoken = [*rules_that_speak(asked)]
    parts = given_needs or needs_of(asked)
    scopes = [rule.says for rule, _ in spoken if isinstance(rule.says, Scope)]
    actions = [rule.says for rule, _ in spoken if isinstance(rule.says, Action)]
    reasons = [
        f'"{shortened(words, _SHOWN_CHARS)}" {rule.because}: {rule.says.value} (rule "{rule.name}").'
        for rule, words in spoken
    ]
    if len(parts) > 1:
        scopes.append(Scope.SEVERAL)
        reasons.append(f"The question has {len(parts)} parts that must be found: several.")
    if given_scope:
        reasons.append(f"The caller says that the scope is {given_scope.value}.")
    elif not scopes:
        reasons.append("No words ask for more than one place: point.")
    if given_action:
        reasons.append(f"The caller says that the action is {given_action.value}.")
    if given_needs:
        reasons.append("The caller says what must be found.")
    return Intent(
        asked,
        given_scope or max(scopes, key=_WIDER.index, default=Scope.POINT),
        given_action or max(actions, key=_GRAVER.index, default=Action.READ),
        parts,
        _language(asked),
        tuple(reasons),
    )


def _choice(value: _Choice | str | None, kind: type[_Choice], name: str) -> _Choice | None:
    if value is None:
        return None
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(choice.value for choice in kind)
        raise InvalidOption(f"{name} is {value!r:.40}; give one of {known}.") from None


def _checked_needs(needs: Sequence[str] | None) -> tuple[str, ...]:
    if needs is None:
        return ()
    if isinstance(needs, str) or not all(isinstance(need, str) and need.strip() for need in needs):
        raise InvalidOption(f"needs is {needs!r:.60}; give a list of texts, none of them empty.")
    return tuple(need.strip() for need in needs)


def _language(question: str) -> str:
    """Decide on few words: a question without small words ("Net sales 2018?") is taken for English."""
    verdict = language_of([question])
    if verdict.value != "other":
        return verdict.value
    latin, han = len(_LATIN.findall(question)), len(_HAN.findall(question))
    if verdict.score == 0 and latin > han and latin * 2 > len(question.replace(" ", "")):
        return "en"
    return "other"
