"""What the table of requests can be filtered and sorted by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidOption
from ..gate.margin import ROUTES
from ..printing import shortened

ORDERS = ("", "request", "group", "route", "b", "s", "c", "r", "tokens", "saved", "lost", "regret")
"""By what rows are sorted; "" is the order of the table."""
_TEXTS, _SWITCHES = ("text", "group"), ("wrong", "lost", "falling")
_CHOICES: Mapping[str, tuple[str, ...]] = {"route": ("", *(route.value for route in ROUTES)), "order": ORDERS}
FILTERS = ("text", "route", "group", "wrong", "lost", "order", "falling")


def check_filters(filters: Mapping[str, Any]) -> None:
    """Refuse what no table of requests can be filtered by; None stands for no filter.

    Raises
    ------
    InvalidOption
        For an unknown filter, route or order, or a value of another type.
    """
    for name, value in filters.items():
        if name not in FILTERS:
            raise InvalidOption(f"There is no filter {name!r:.40}; choose from {', '.join(FILTERS)}.")
        if value is None:
            continue
        if name in _CHOICES and (not isinstance(value, str) or value not in _CHOICES[name]):
            known = ", ".join(_CHOICES[name][1:])
            raise InvalidOption(f"{name} is {value!r:.40}; choose from {known}, or give none.")
        if name in _TEXTS and not isinstance(value, str):
            raise InvalidOption(f"{name} is {shortened(repr(value), 40)}; give a text.")
        if name in _SWITCHES and not isinstance(value, bool):
            raise InvalidOption(f"{name} is {shortened(repr(value), 40)}; give True or False.")
