"""What to say about a name that does not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST_SHOWN = 12


def nearest(name: str, allowed: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown name: the nearest allowed one, else those that are allowed.

    Examples
    --------
    >>> nearest("hedaing", ["heading", "table"])
    "; the nearest is 'heading'"
    >>> nearest("x", ["heading", "table"])
    '; there are heading, table'
    """
    known = list(dict.fromkeys(allowed))
    close = difflib.get_close_matches(name[:100].lower(), known, n=1, cutoff=0.5)
    if close:
        return f"; the nearest is {close[0]!r}"
    if not known:
        return ""
    more = f" and {len(known) - _MOST_SHOWN} more" if len(known) > _MOST_SHOWN else ""
    return f"; there are {', '.join(known[:_MOST_SHOWN])}{more}"
