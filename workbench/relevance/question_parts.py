"""The sentences and clauses of a question that has several."""

from __future__ import annotations

import re

LEAST_WORDS = 5
"""Shorter parts are fragments ("in 2019"), which are about everything and nothing."""
MOST_PARTS = 8
_CUT = re.compile(r"[.?!;:]\s+|,\s+(?=\w)")


def question_parts(question: str) -> tuple[str, ...]:
    """Return the parts of a question; none where it is one part.

    Examples
    --------
    >>> question_parts("What was capital expenditure in FY2018? Answer with the cash flow statement at hand.")
    ('What was capital expenditure in FY2018', 'Answer with the cash flow statement at hand.')
    >>> question_parts("What triggers a backup, and when?")
    ()
    """
    parts = [part.strip() for part in _CUT.split(question)]
    long = [part for part in parts if len(part.split()) >= LEAST_WORDS][:MOST_PARTS]
    return tuple(long) if len(long) > 1 else ()
