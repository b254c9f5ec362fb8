"""The facts of an audit and the names of its columns, checked before a row is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .columns import FACTS, LAYOUT
from .read import Broken

MOST_BLOCKS = 500_000
"""A document is opened with as many, unless somebody asks for more; a number alone must not fill the memory."""
MOST_DEPTH = 3
"""Facts, a list among them, and an object in that: nothing that a reading writes lies deeper."""


def checked_facts(facts: Any) -> dict[str, Any]:
    """Return what a file holds as facts, if they are those of this layout.

    Raises
    ------
    Broken
        If one is missing, unknown, of another type or nested too deeply, or there are too many blocks.
    """
    if not isinstance(facts, dict) or "layout" not in facts:
        raise Broken("its facts name no layout")
    if _too_deep(facts, MOST_DEPTH):
        raise Broken("its facts are nested more deeply than any that a reading writes")
    if facts["layout"] != LAYOUT:
        raise Broken(
            f"it has the layout {told(facts['layout'], 20)}, and this version of workbench reads layout {LAYOUT}"
        )
    for name, types in FACTS.items():
        if name not in facts:
            raise Broken(f"the fact {name!r} is missing")
        if type(facts[name]) not in types:
            raise Broken(f"the fact {name!r} is {told(facts[name])}")
    if not is_text(json.dumps(facts, ensure_ascii=False)):
        raise Broken("its facts hold half a character")
    unknown = sorted(facts.keys() - FACTS.keys())
    if unknown:
        raise Broken(f"it has an unknown fact {unknown[0]!r:.60}")
    for name in ("parts", "features", "notes", "profile_departures"):
        if not all(isinstance(entry, str) for entry in facts[name]):
            raise Broken(f"the fact {name!r} is no list of texts")
    if not 0 <= facts["blocks"] <= MOST_BLOCKS:
        raise Broken(f"its facts tell of {facts['blocks']:,} blocks, and an audit has {MOST_BLOCKS:,} at most")
    return facts


def check_columns(found: Sequence[str], due: Sequence[str]) -> None:
    """Refuse other columns than those that the facts tell of.

    Raises
    ------
    Broken
    """
    missing, unknown = sorted(set(due) - set(found)), sorted(set(found) - set(due))
    if missing:
        raise Broken(f"it has no column {', '.join(map(repr, missing[:3])):.120}")
    if unknown:
        raise Broken(f"it has the unknown column {', '.join(map(repr, unknown[:3])):.120}")
    if len(found) != len(due):
        raise Broken("two of its columns have one name")


def is_text(text: str) -> bool:
    """Return whether it holds no half of a character: no other format could hold that."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def told(value: Any, most: int = 60) -> str:
    """Return a value as it stands in a sentence.

    Examples
    --------
    >>> told("9"), told(None), told([[]])
    ("'9'", 'no value', 'a list')
    """
    if value is None:
        return "no value"
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    return f"{value!r:.{most}}"


def _too_deep(value: Any, room: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return not room or any(_too_deep(entry, room - 1) for entry in inner)
