"""Ids of blocks that somebody marked as evidence: checked before anything is made of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from numbers import Integral

from ..errors import InvalidOption
from ..printing import counted, shortened
from ..reading import Reading

LONGEST_NAME = 40


def checked_gold(
    gold: Collection[int] | Sequence[Collection[int]], readings: Sequence[Reading], *, shared: bool = False
) -> list[tuple[int, ...]]:
    """Return the ids of the marked blocks of each reading.

    Parameters
    ----------
    gold : collection of int, or sequence of them
        Ids, or a collection of them for each reading; empty for none.
    readings : sequence of Reading
    shared : bool
        Whether ids without a reading are those of every reading; else they need that there is only one.

    Raises
    ------
    InvalidOption
        For what names no block, and for as many collections as there are no readings.
    """
    each, blocks = _told_apart(gold)
    if blocks and len(readings) > 1 and not shared:
        raise InvalidOption(f"gold is one collection for {len(readings):,} readings; give a collection for each.")
    if not each:
        each = [blocks] * len(readings)
    if len(each) != len(readings):
        raise InvalidOption(f"gold has {len(each):,} entries for {counted(len(readings), 'reading')}; give one each.")
    return [_checked(ids, reading) for ids, reading in zip(each, readings, strict=True)]


def _told_apart(gold: object) -> tuple[list[Collection[object]], list[object]]:
    """Return collections of ids, or ids."""
    try:
        given = list(gold)  # type: ignore[call-overload]
    except TypeError:
        raise InvalidOption(
            f"gold is {gold!r:.40}; give ids of blocks, or a collection of them for each reading."
        ) from None
    each = [one for one in given if isinstance(one, Collection) and not isinstance(one, str | bytes)]
    if each and len(each) < len(given):
        raise InvalidOption("gold holds both ids of blocks and collections of them; give one kind.")
    return each, [] if each else given


def _checked(ids: Collection[object], reading: Reading) -> tuple[int, ...]:
    found = []
    for block in ids:
        # True counts as a whole number, and was never meant as block 1.
        if isinstance(block, bool) or not isinstance(block, Integral) or not 0 <= int(block) < len(reading):
            raise InvalidOption(
                f"gold names block {block!r:.40}, and {shortened(reading.document.name, LONGEST_NAME)} has "
                f"{len(reading):,} blocks, from 0 on; give ids of its blocks."
            )
        found.append(int(block))
    return tuple(found)
