"""Blocks that say the same as another one, up to spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

SHINGLE = 5
"""Letters in one of the pieces by which two texts are compared."""
ALIKE = 0.8
"""Share of pieces in common, of those in either, from which two texts are near-copies."""
LEAST_LETTERS = 40
"""Shorter texts are near-copies only if they are the same letters and digits."""

_NUMBER = re.compile(r"\d+")


def plain_letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case and one form of each character.

    Examples
    --------
    >>> plain_letters("Net  Sales: ５ %")
    'netsales5'
    """
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def near_copies(texts: Sequence[str], block_id: int) -> tuple[int, ...]:
    """Return the ids of a block and its near-copies.

    Two texts are near-copies if they hold the same numbers and their letters and digits are the same, or ``ALIKE`` of
    the pieces of ``SHINGLE`` letters are. The numbers must be the same, because two rows, or two years, differ in
    nothing else.

    Examples
    --------
    >>> near_copies(["Due in 30 days.", "Due in 60 days.", "due in 30 days"], 0)
    (0, 2)
    """
    wanted = plain_letters(texts[block_id])
    if not wanted:
        return (block_id,)
    numbers, pieces = sorted(_NUMBER.findall(wanted)), _pieces(wanted)
    found = []
    for other, text in enumerate(texts):
        # Letters are fewer than characters; a text that is far shorter or longer cannot be alike.
        if other != block_id and len(text) < ALIKE * len(wanted):
            continue
        plain = plain_letters(text)
        if plain == wanted or (
            _comparable(wanted, plain) and sorted(_NUMBER.findall(plain)) == numbers and _alike(pieces, plain)
        ):
            found.append(other)
    return tuple(found)


def _comparable(wanted: str, plain: str) -> bool:
    shorter, longer = sorted((len(wanted), len(plain)))
    return shorter >= LEAST_LETTERS and shorter >= ALIKE * longer


def _alike(pieces: set[str], plain: str) -> bool:
    others = _pieces(plain)
    return len(pieces & others) >= ALIKE * len(pieces | others)


def _pieces(plain: str) -> set[str]:
    return {plain[at : at + SHINGLE] for at in range(max(1, len(plain) - SHINGLE + 1))}
