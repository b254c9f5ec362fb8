"""The reason of each block's status, in words."""

from __future__ import annotations

from .basis import Basis
from .decision import Decision
from .selection import Reason


def reasons_of(basis: Basis, decision: Decision) -> list[str]:
    """Return the reason of every block, in the order of the blocks."""
    return [_words(basis, decision, block, Reason(code)) for block, code in enumerate(decision.reason.tolist())]


def reason_of(basis: Basis, decision: Decision, block_id: int) -> str:
    """Return the reason of one block."""
    return _words(basis, decision, block_id, Reason(int(decision.reason[block_id])))


def _words(basis: Basis, decision: Decision, block: int, reason: Reason) -> str:
    if reason in _FIXED:
        return _FIXED[reason]
    if reason is Reason.PINNED:
        return f"pinned by {pinning_rule(basis, block)}"
    if reason is Reason.PINNED_NO_ROOM:
        return f"pinned by {pinning_rule(basis, block)}, but the budget has no room for it"
    if reason is Reason.IN_FOCUS:
        ranges = len((decision.focus or {})[block])
        return f"in focus: {ranges} range{'s' if ranges > 1 else ''} of its text"
    priority, cut = compared(float(basis.priority[block]), (decision.threshold or 0.0) + decision.offset)
    if reason is Reason.OVER_CUT:
        return f"priority {priority} is not under the cut {cut}"
    if reason is Reason.TIED:
        return f"priority {priority} is that of the last block kept, which stands earlier"
    if reason is Reason.NO_ROOM:
        needed, left = decision.refused[block]
        return f"passes the cut {cut}, but needs {needed:,} tokens and the budget has {left:,} left"
    return f"priority {priority} is under the cut {cut}"


_FIXED = {
    Reason.CONTEXT: "context of a kept block",
    Reason.RUNNING_LINE: "running line: no share of tokens is spent on it",
    Reason.NO_TEXT: "has no text of its own: it is kept with its rows",
    Reason.NO_EVIDENCE: "relevance 0: the scorer sees no evidence in it",
    Reason.NOTHING_RELEVANT: "the scorer sees no evidence in any block",
    Reason.OUT_OF_FOCUS: "outside the focus",
}


def compared(left: float, right: float) -> tuple[str, str]:
    """Return two numbers with as many digits as are needed to tell them apart, at least two.

    Examples
    --------
    >>> compared(0.71, 0.65), compared(0.64999, 0.65), compared(0.5, 0.5)
    (('0.71', '0.65'), ('0.64999', '0.65000'), ('0.50', '0.50'))
    """
    for digits in range(2, 17):
        shown = f"{left:.{digits}f}", f"{right:.{digits}f}"
        if shown[0] != shown[1]:
            return shown
    return (f"{left:.2f}", f"{right:.2f}") if left == right else (repr(left), repr(right))


def pinning_rule(basis: Basis, block: int) -> str:
    """Return the name of the rule that pins a block, with the word for it."""
    return f"rule {basis.structure.rules[int(basis.structure.pinned_by[block])].name!r}"
