"""Margins and thresholds in words, with as many decimals as it takes to tell them apart."""

from __future__ import annotations

DECIMALS = 4
"""Decimals of margins and thresholds; more only where these would show two numbers alike that are not."""
_MOST = 12
NARROW = 0.001
"""A band narrower than this is none to speak of: hardly a margin falls into it."""
_END = 1.0
"""Margins lie within ±1, so a threshold beyond means never."""


def told_apart(*numbers: float) -> tuple[str, ...]:
    """Return numbers with the fewest decimals, from four on, at which different numbers look different.

    Examples
    --------
    >>> told_apart(0.3067, 0.3075)
    ('+0.3067', '+0.3075')
    >>> told_apart(-0.00004, 0.0)
    ('-0.00004', '+0.00000')
    """
    different = len(set(numbers))
    for decimals in range(DECIMALS, _MOST + 1):
        # Adding zero takes the sign off a number that is rounded to nothing.
        shown = tuple(f"{round(number, decimals) + 0.0:+.{decimals}f}" for number in numbers)
        if len(set(shown)) == different:
            break
    return shown


def way_in_words(way: float) -> str:
    """Return a distance with the fewest decimals, from four on, that tell it within a tenth.

    Examples
    --------
    >>> way_in_words(0.01254), way_in_words(0.000005)
    ('0.0125', '0.000005')
    """
    decimals = DECIMALS
    while decimals < _MOST and abs(round(way, decimals) - way) * 10 > way:
        decimals += 1
    return f"{way:.{decimals}f}"


def has_band(native: float, force: float) -> bool:
    """Whether there are margins between the thresholds to speak of.

    Examples
    --------
    >>> has_band(0.2991, 0.3075), has_band(0.5828, 0.5829)
    (True, False)
    """
    return not force - native < NARROW


def routes_in_words(native: float, force: float, *, exact: bool = False) -> str:
    """Return which margins take which route.

    Parameters
    ----------
    native, force : float
        The thresholds.
    exact : bool
        Whether a band is told that is too narrow to speak of.

    Examples
    --------
    >>> routes_in_words(0.2991, 0.3075)
    'force from +0.3075, native up to +0.2991, advisory between'
    >>> routes_in_words(0.05321, 0.05322)
    'force from +0.0532, native below it; there is no advisory band to speak of'
    >>> routes_in_words(-2.0, 0.1)
    'force from +0.1000, never native, advisory below'
    """
    case, low, high = routes_case(native, force, exact=exact)
    return _ROUTES[case].format(native=low, force=high)


_ROUTES = {
    "advisory": "always advisory",
    "no_force": "never force, native up to {native}, advisory above",
    "no_native": "force from {force}, never native, advisory below",
    "one": "force from {force}, native below it; there is no advisory band to speak of",
    "no_band": "force from {force}, native up to {native}; there is no advisory band to speak of",
    "band": "force from {force}, native up to {native}, advisory between",
}


def routes_case(native: float, force: float, *, exact: bool = False) -> tuple[str, str, str]:
    """Return what kind of thresholds these are, for words of another language, and both in digits.

    Returns
    -------
    case, native, force : str
        The case is "advisory" (always), "no_force", "no_native", "one" (both look alike), "no_band" or "band".

    Examples
    --------
    >>> routes_case(0.2991, 0.3075)
    ('band', '+0.2991', '+0.3075')
    """
    low, high = (told_apart(number)[0] for number in (native, force))
    never_force, never_native = force > _END, native < -_END
    if never_force or never_native:
        return "advisory" if never_force and never_native else "no_force" if never_force else "no_native", low, high
    if not exact and not has_band(native, force):
        return "one" if low == high else "no_band", low, high
    low, high = told_apart(native, force)
    return "band", low, high
