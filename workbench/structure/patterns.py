"""Regular expressions of rules, run with a limit on their time; none is ever taken from a document."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

CALL_SECONDS = 0.25
"""Processor time that one text may take; an honest expression takes a thousandth."""
RULE_SECONDS = 1.0
"""Processor time that all texts of a document may take, and on top of it:"""
SECONDS_PER_CHAR = 2e-6
MAX_UNROLLED = 20_000
"""Size of an expression with its counted repetitions written out: the compiler does that, and runs out of memory."""

_REPEAT = re.compile(r"\{(\d*)(,?)(\d*)\}")
_CALLS = re.compile(r"\(\?(?:R\)|[&]|P>|[+-]?\d+\))")


@dataclass(frozen=True, slots=True)
class PatternResult:
    """Which texts an expression was found in.

    Attributes
    ----------
    found : ndarray of bool, shape (n,)
        False for texts that were not looked at.
    out_of_time : str or None
        The expression that took too long; then nothing is found.
    """

    found: npt.NDArray[np.bool_]
    out_of_time: str | None = None


def pattern_problem(pattern: str) -> str:
    """Return what is wrong with an expression and what to do, or "" for a good one.

    Examples
    --------
    >>> pattern_problem(r"\\d+ (days|months)"), pattern_problem("(days|")
    ('', "the pattern '(days|' does not compile at position 6: missing )")
    """
    if not pattern:
        return "a pattern is empty; write an expression or take it out"
    call = _CALLS.search(_without_escapes(pattern))
    if call:
        return f"the pattern {pattern!r} calls itself with {call.group()!r}; write it without"
    if _unrolled(pattern) > MAX_UNROLLED:
        return f"the pattern {pattern!r} repeats too often; counts of repetitions multiply to {MAX_UNROLLED:,} at most"
    import regex

    try:
        compiled(pattern)
    except regex.error as error:
        where = "" if error.pos is None else f" at position {error.pos}"
        return f"the pattern {pattern!r} does not compile{where}: {error.msg}"
    except (OverflowError, RecursionError, MemoryError, ValueError):
        return f"the pattern {pattern!r} is too big to compile; write a simpler one"
    return ""


@lru_cache(maxsize=4_096)
def compiled(pattern: str) -> Any:
    """Return an expression compiled by the package ``regex``; upper and lower case are one unless it says otherwise."""
    import regex

    return regex.compile(pattern, regex.IGNORECASE)


def search_texts(
    patterns: Iterable[str], texts: Sequence[str], candidates: Iterable[int], *, seconds: float | None = None
) -> PatternResult:
    """Look for several expressions in some of the texts.

    Parameters
    ----------
    patterns : iterable of str
        Alternatives.
    texts : sequence of str, length n
    candidates : iterable of int
        Indexes of the texts to look at.
    seconds : float, optional
        Processor time that all together may take, by default ``RULE_SECONDS`` and ``SECONDS_PER_CHAR`` for every
        character of the candidates.
    """
    waiting = list(candidates)
    found = np.zeros(len(texts), np.bool_)
    if seconds is None:
        seconds = RULE_SECONDS + SECONDS_PER_CHAR * sum(len(texts[index]) for index in waiting)
    # The limit of the package counts processor time as well, so that a busy machine changes no result.
    deadline = time.process_time() + seconds
    for pattern in patterns:
        search = compiled(pattern).search
        try:
            for index in waiting:
                if not found[index] and search(texts[index], timeout=CALL_SECONDS) is not None:
                    found[index] = True
                if time.process_time() > deadline:
                    raise TimeoutError
        except (TimeoutError, MemoryError, RecursionError):
            return PatternResult(np.zeros(len(texts), np.bool_), pattern)
    return PatternResult(found)


def _without_escapes(pattern: str) -> str:
    return re.sub(r"\\.", "__", pattern, flags=re.DOTALL)


def _unrolled(pattern: str) -> int:
    """The number of characters that an expression has once every counted repetition is written out."""
    sizes = [0]
    last = 0
    at = 0
    while at < len(pattern):
        char = pattern[at]
        repeat = _REPEAT.match(pattern, at) if char == "{" else None
        if repeat and (repeat[1] or repeat[3]):
            times = max(int(count or 0) for count in (repeat[1][:9], repeat[3][:9]))
            sizes[-1] += last * max(0, times - 1)
            last *= max(1, times)
            at = repeat.end()
            continue
        if char == "(":
            sizes.append(0)
            at += 1
            continue
        if char == ")" and len(sizes) > 1:
            last = sizes.pop() + 1
            sizes[-1] += last
            at += 1
            continue
        end = _end_of_atom(pattern, at)
        if char not in "?*+":
            last = 1
            sizes[-1] += 1
        at = end
    return sum(sizes)


def _end_of_atom(pattern: str, at: int) -> int:
    if pattern[at] == "\\":
        return at + 2
    if pattern[at] != "[":
        return at + 1
    end = at + 1 + pattern[at + 1 : at + 2].count("^")
    end += pattern[end : end + 1].count("]")
    while end < len(pattern) and pattern[end] != "]":
        end += 2 if pattern[end] == "\\" else 1
    return end + 1
