"""What the fields of a rule may hold, and what is said of one that holds something else.

A check returns what is wrong and what to do, without a capital and a full stop, or "".
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable
from typing import Any

from ..documents.blocks import BlockKind
from ..errors import InvalidRules
from .features import FEATURES
from .keywords import keyword_problem
from .naming import nearest
from .patterns import pattern_problem

LEAST_WEIGHT = 0.05
GREATEST_WEIGHT = 5.0
MAX_RULES = 2_000
MAX_KEYWORDS = 2_000
MAX_KEYWORD_CHARS = 200
MAX_PATTERN_CHARS = 1_000
MAX_NAME_CHARS = 80
MAX_REASON_CHARS = 1_000
HEADING_LEVELS = (1, 2, 3, 4, 5, 6)
DOCUMENT_TYPES = ("technical", "legal", "financial", "medical", "patent", "courseware", "general")
LANGUAGES = ("en", "zh", "other")


class RuleProblem(InvalidRules):
    """A mistake in one field of a rule, before it is known where the rule stands.

    Attributes
    ----------
    problem : str
        What is wrong and what to do, without the rule's name.
    field : str
        Name of the field.
    item : int or None
        Index in the field's list.
    """

    def __init__(self, problem: str, *, field: str, item: int | None = None, rule: str = "") -> None:
        super().__init__(f"Rule {rule!r}: {problem}." if rule else f"{problem[:1].upper()}{problem[1:]}.")
        self.problem = problem
        self.field = field
        self.item = item


def entries_of(name: str, given: Any) -> tuple[Any, ...]:
    """Return the entries of a condition; one may stand without its list, as in ``kinds: heading``.

    Raises
    ------
    RuleProblem
        If it is no list, is empty, or is too long.
    """
    if given is None:
        raise RuleProblem(f"{name} is empty; give it a value or take it out", field=name)
    if isinstance(given, str | int | float | bool | datetime.date):
        return (given,)
    if isinstance(given, dict) or not isinstance(given, Iterable):
        raise RuleProblem(f"{name} is no list; write {name}: [one, another]", field=name)
    entries = tuple(given)
    limit = MAX_KEYWORDS
    if len(entries) > limit:
        raise RuleProblem(f"{name} has {len(entries):,} entries; at most {limit:,} can be", field=name)
    return entries


def _one_of(what: str, allowed: tuple[str, ...]) -> Callable[[Any], str]:
    def problem(entry: Any) -> str:
        if isinstance(entry, str) and entry in allowed:
            return ""
        if isinstance(entry, str):
            return f"there is no {what} {entry!r}{nearest(entry, allowed)}"
        return f"{entry!r} is no {what}; use one of {', '.join(allowed)}"

    return problem


def _level_problem(entry: Any) -> str:
    if isinstance(entry, int) and not isinstance(entry, bool) and entry in HEADING_LEVELS:
        return ""
    return f"level {entry!r} is none of 1 to 6"


def _keyword_entry_problem(entry: Any) -> str:
    if not isinstance(entry, str):
        return f"the keyword {entry!r} is no text; put it in quotes"
    if len(entry) > MAX_KEYWORD_CHARS:
        return f"a keyword of {len(entry):,} characters is too long; at most {MAX_KEYWORD_CHARS} can be"
    return keyword_problem(entry)


def _pattern_entry_problem(entry: Any) -> str:
    if not isinstance(entry, str):
        return f"the pattern {entry!r} is no text; put it in single quotes"
    if len(entry) > MAX_PATTERN_CHARS:
        return f"a pattern of {len(entry):,} characters is too long; at most {MAX_PATTERN_CHARS:,} can be"
    return pattern_problem(entry)


ENTRY_PROBLEMS: dict[str, Callable[[Any], str]] = {
    "features": _one_of("feature", tuple(FEATURES)),
    "kinds": _one_of("kind of block", tuple(kind.value for kind in BlockKind)),
    "levels": _level_problem,
    "pattern": _pattern_entry_problem,
    "keywords": _keyword_entry_problem,
    "section": _keyword_entry_problem,
    "section_pattern": _pattern_entry_problem,
    "document_types": _one_of("document type", DOCUMENT_TYPES),
    "languages": _one_of("language", LANGUAGES),
}


"""For every condition the check of one of its entries."""


def _name_problem(name: Any) -> str:
    if not isinstance(name, str):
        return f"name {name!r} is no text; put it in quotes"
    if not name:
        return "a rule needs a name, as in name: force-majeure"
    if len(name) > MAX_NAME_CHARS or not all(char.isalnum() or char in "-_." for char in name):
        return f"name may hold letters, digits, '-', '_' and '.' only, at most {MAX_NAME_CHARS} of them"
    return ""


def _weight_problem(what: str, weight: Any) -> str:
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
        return f"{what} {weight!r} is no number; give one from {LEAST_WEIGHT:g} to {GREATEST_WEIGHT:g}"
    if LEAST_WEIGHT <= weight <= GREATEST_WEIGHT:
        return ""
    advice = (
        "to silence the rule set enabled: false" if weight < LEAST_WEIGHT else "to keep a block always set pin: true"
    )
    return f"{what} {weight:g} is outside {LEAST_WEIGHT:g} to {GREATEST_WEIGHT:g}; {advice}"


def _text_problem(what: str, text: Any, limit: int) -> str:
    if not isinstance(text, str):
        return f"{what} {text!r} is no text; put it in quotes"
    return f"{what} has {len(text):,} characters; at most {limit:,} can be" if len(text) > limit else ""


def _switch_problem(what: str, value: Any) -> str:
    return "" if isinstance(value, bool) else f"{what} is {value!r}; write true or false"


def _date_problem(value: Any) -> str:
    if value is None or (isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)):
        return ""
    return f"date {str(value)!r} is no day; write it as 2026-11-30"


FIELD_PROBLEMS: dict[str, Callable[[Any], str]] = {
    "name": _name_problem,
    "weight": lambda weight: _weight_problem("weight", weight),
    "pin": lambda pin: _switch_problem("pin", pin),
    "reason": lambda reason: _text_problem("reason", reason, MAX_REASON_CHARS),
    "enabled": lambda enabled: _switch_problem("enabled", enabled),
    "author": lambda author: _text_problem("author", author, MAX_NAME_CHARS),
    "date": _date_problem,
    "seed_weight": lambda weight: "" if weight is None else _weight_problem("seed_weight", weight),
}
"""For every field of a rule but ``match`` its check."""
