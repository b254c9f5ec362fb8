"""What a report is asked for: values of another type are refused in one sentence, before any work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import date
from types import NoneType

from ..errors import InvalidOption
from ..printing import counted
from ..reading import Reading


def checked_readings(readings: object) -> list[Reading]:
    """Return the readings as a list.

    Raises
    ------
    InvalidOption
        For none, and for what is no reading.
    """
    if not isinstance(readings, Reading | Iterable):
        raise InvalidOption(f"readings is {readings!r:.40}; give a Reading, or a list of them.")
    found = [readings] if isinstance(readings, Reading) else list(readings)
    if not found:
        raise InvalidOption("A report needs a reading; give one, or several.")
    for reading in found:
        if not isinstance(reading, Reading):
            raise InvalidOption(
                f"A report is made of readings, not of {type(reading).__name__}; give what SparseReader.read returns."
            )
    return found


def check_options(*, title: object, picture_bytes: object, prices: object, **others: object) -> None:
    """Refuse what an option of ``report_on`` never is.

    Raises
    ------
    InvalidOption
        It names the option, what was given and what is allowed.
    """
    from .prices import PriceTable

    if not isinstance(title, str | None) or (title is not None and not title.strip()):
        raise InvalidOption(f"title is {title!r:.40}; give a text, or None for the name of the document.")
    if isinstance(picture_bytes, bool) or not isinstance(picture_bytes, int) or picture_bytes < 0:
        raise InvalidOption(f"picture_bytes is {picture_bytes!r:.40}; give a whole number of at least 0.")
    if prices is not None and not isinstance(prices, PriceTable):
        raise InvalidOption(f"prices is of type {type(prices).__name__}; give a PriceTable, or None.")
    allowed = _allowed()
    for name, value in others.items():
        kinds, words = allowed[name]
        if not isinstance(value, kinds):
            raise InvalidOption(f"{name} is {value!r:.40}; give {words}.")


def _allowed() -> dict[str, tuple[tuple[type, ...], str]]:
    """Return the types of each option, and what they are called."""
    from ..documents import ReadOptions
    from ..gate.profile import GateProfile
    from .comparison.contents import ComparisonContents

    return {
        "profile": ((GateProfile, str, os.PathLike, NoneType), "a GateProfile, its file, or None"),
        "pictures": ((bool,), "True or False"),
        "comparison": ((bool, ComparisonContents), "True, False or what compared returns"),
        "made_on": ((date, NoneType), "a datetime.date, or None"),
        "options": ((ReadOptions, NoneType), "ReadOptions, or None"),
        "progress": ((bool, NoneType), "True, False or None"),
    }


def check_each(name: str, given: object, kind: type, readings: int) -> None:
    """Refuse what has not one entry of a type, or None, for each reading; nothing at all is allowed.

    Raises
    ------
    InvalidOption
    """
    one = f"{'an' if kind.__name__[0] in 'AEIO' else 'a'} {kind.__name__} or None for each reading"
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise InvalidOption(f"{name} is {given!r:.40}; give a list with {one}.")
    for entry in given:
        if not isinstance(entry, kind | None):
            raise InvalidOption(f"{name} holds {entry!r:.40}; give {one}.")
    if given and len(given) != readings:
        raise InvalidOption(f"{name} has {len(given):,} entries for {counted(readings, 'reading')}; give one each.")
