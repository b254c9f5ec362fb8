"""What the fields of a request may hold, and what is said of one that holds something else.

A check returns what is wrong and what to do, without a full stop, or "".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..documents.collections.archives import clean_name, unsafe_path
from ..printing import shortened
from ..relevance.questions import MAX_QUESTION_CHARS
from ..structure.naming import nearest

MAX_ID_CHARS = 200


def id_problem(given: Any) -> str:
    """Return why a value is no id, or ""."""
    problem = text_problem(given)
    if not problem and len(given) > MAX_ID_CHARS:
        return f"it has {len(given):,} characters; at most {MAX_ID_CHARS} can be"
    if not problem and not given.isprintable():
        return f"{given[:60]!r} holds characters that cannot be shown; use letters, digits and signs"
    return problem


def path_problem(given: Any) -> str:
    """Return why a text is no path inside a folder, or ""."""
    if problem := text_problem(given):
        return problem
    if "\\" in given:
        return f"{shortened(given, 80)!r} has a backslash; write paths with /"
    if (reason := unsafe_path(given)) or not clean_name(given):
        reason = (reason or "it names the folder itself").replace("the archive", "the folder")
        return f"{shortened(given, 80)!r} cannot be used ({reason}); name a file or folder inside the workload's folder"
    return ""


def question_problem(given: Any) -> str:
    """Return why a value is no question, or ""."""
    problem = text_problem(given)
    if not problem and len(given) > MAX_QUESTION_CHARS:
        return f"it has {len(given):,} characters; at most {MAX_QUESTION_CHARS:,} can be"
    return problem


def page_problem(given: Any) -> str:
    """Return why a value is no page, or ""."""
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and given >= 1):
        return ""
    shown = given if isinstance(given, int) and not isinstance(given, bool) else kind_of(given)
    return f"it is {shown}; pages are whole numbers from 1"


def anchor_problem(given: Any) -> str:
    """Return why a value is no range of characters, or ""."""
    if given is None:
        return ""
    whole = isinstance(given, tuple | list) and all(isinstance(n, int) and not isinstance(n, bool) for n in given)
    if whole and len(given) == 2 and 0 <= given[0] < given[1]:
        return ""
    return "start_char and end_char are whole numbers from 0, and end_char is the greater one"


def text_problem(given: Any, *, empty: bool = False) -> str:
    """Return why a value is no text; it may be empty only if ``empty`` is set, or ""."""
    if not isinstance(given, str):
        return f"it is {kind_of(given)}; write a text in quotes"
    return "" if empty or given.strip() else "it is empty; give a text"


def texts_problem(given: Any) -> str:
    """Return why a value is no list of texts, or ""."""
    if not isinstance(given, list | tuple):
        return f"it is {kind_of(given)}; write a list of texts, or []"
    for number, entry in enumerate(given, start=1):
        if problem := text_problem(entry):
            return f"of entry {number}, {problem}"
    return ""


def choice_problem(what: str, given: Any, allowed: Sequence[str]) -> str:
    """Return why a value is none of those that are allowed, or ""."""
    if not isinstance(given, str):
        return f"it is {kind_of(given)}; write one of {', '.join(allowed)}"
    return "" if given in allowed else f"there is no {what} {shortened(given, 60)!r}{nearest(given, allowed)}"


def switch_problem(given: Any) -> str:
    """Return why a value is neither true nor false, or ""."""
    return "" if isinstance(given, bool) else f"it is {kind_of(given)}; write true or false"


_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "true or false"),
    ((int, float), "a number"),
    (str, "a text"),
    ((list, tuple), "a list"),
    (dict, "an object"),
)


def kind_of(given: Any) -> str:
    """Return what kind of value of JSON something is, in words."""
    if given is None:
        return "null"
    return next((name for kind, name in _KINDS if isinstance(given, kind)), f"of type {type(given).__name__}")
