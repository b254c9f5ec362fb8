"""Where clauses begin inside a run of lines: "ARTICLE IV", "Section 4.2 Term", 第三条, without a blank line above.

A wrapped sentence may have such a name at the beginning of a line ("as set out in / Section 4.2 of this Agreement"),
so what stands above the line decides as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..lines import is_wide
from .patterns import (
    begins_clause,
    is_bare_label,
    is_capitals,
    is_contents_entry,
    is_short_title,
    names_clause,
    strong_heading_level,
)

_SHORT = 0.6
"""Part of the widest line: a shorter one was ended by its writer, not by the margin."""
_FULL = 0.85
_NARROWEST_MARGIN = 50
_CLOSING = "\"'”’)]）】》」』 \t"
_STOPS = tuple(".:;!?。：；！？")
_GOES_ON = re.compile(
    r"(?:[,、，(\[（“《—–/&-]|\b(?:a|an|and|any|as|at|both|by|each|either|for|from|in|including|is|of|on|or|our|per|said|see"
    r"|such|than|that|the|their|these|this|those|through|to|under|upon|with|within|without)"
    r"|[依据照按和与及或在于对由的经除见因从])\Z",
    re.IGNORECASE,
)


def clause_starts(lines: Sequence[str]) -> dict[int, int]:
    """Return the ranks of the lines below the first that begin a clause, with their heading level, 0 for text.

    Examples
    --------
    >>> clause_starts(["ARTICLE I", "Section 1.1 Terms", "Here they are.", "Section 1.2 Aim. It is this."])
    {1: 3, 3: 0}
    >>> clause_starts(["The price is as set out in", "Section 4.2 of this Agreement."])
    {}
    """
    names = [rank for rank in range(1, len(lines)) if begins_clause(lines[rank])]
    if not names:
        return {}
    widest = max(map(_width, lines))
    found: dict[int, int] = {}
    for rank in names:
        above, line = lines[rank - 1].strip(), lines[rank].strip()
        below = lines[rank + 1].strip() if rank + 1 < len(lines) else ""
        after_heading = found.get(rank - 1, 0) > 0 or (rank == 1 and strong_heading_level(above) > 0)
        if is_contents_entry(line) or not (after_heading or _is_ended(above, line, widest)):
            continue
        level = strong_heading_level(line) if _is_heading(line, below, widest) else 0
        if level or not is_bare_label(line):
            found[rank] = level
    return found


def _is_ended(above: str, line: str, widest: int) -> bool:
    """Say whether a line does not go on below, so that what stands there may begin something new."""
    if above.rstrip(_CLOSING).endswith(_STOPS) or is_capitals(above):
        return True
    if _GOES_ON.search(above):
        return False
    return _width(above) < _SHORT * widest or (is_bare_label(line) and is_capitals(line))


def _is_heading(line: str, below: str, widest: int) -> bool:
    """Say whether the line that begins a clause is its title rather than the first line of its text."""
    if below[:1].islower():
        return False
    if is_bare_label(line):
        return True
    is_full = widest >= _NARROWEST_MARGIN and _width(line) >= _FULL * widest
    goes_on = bool(below) and is_full and not names_clause(below)
    return not goes_on and is_short_title(line)


def _width(line: str) -> int:
    body = line.strip()
    return len(body) if body.isascii() else sum(2 if is_wide(char) else 1 for char in body)
