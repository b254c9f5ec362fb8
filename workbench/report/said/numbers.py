"""Shares and lists as people read them in a sentence."""

from __future__ import annotations

from ..wording import Say


def share(value: float) -> str:
    """Return a share that somebody has set, in per cent, with no more decimals than it has.

    Examples
    --------
    >>> share(0.2), share(0.125)
    ('20\\xa0%', '12.5\\xa0%')
    """
    return f"{100 * value:.6g}\u00a0%"


def with_minus(number: str) -> str:
    """Return a number with the sign of minus instead of a hyphen.

    Examples
    --------
    >>> with_minus("-0.05")
    '−0.05'
    """
    return number.replace("-", "\u2212")


def listed(parts: list[str], say: Say) -> str:
    """Return some texts as a list in a sentence: "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return say("list.last", parts=say("list.comma").join(parts[:-1]), last=parts[-1])
