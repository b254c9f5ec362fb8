"""Lines of bounded length that nothing in a document can break: how a preview is kept small."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from ...documents.tokens import count_tokens
from ...printing import shortened

LINE_TOKENS = 60
"""Most tokens of one line: rare characters cost up to four each."""
_FORMAT = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
"""What has no width and no shape: joiners, selectors, tags."""
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u20d0-\u20f0]{3,}")


def inert(text: str, limit: int) -> str:
    """Return the beginning of a text on one line, without what cannot be seen, of at most ``limit`` characters.

    Examples
    --------
    >>> inert("Net\\u200b sales\\n\\x1b[31mrose", 40)
    'Net sales �[31mrose'
    """
    head = text[: 4 * limit]
    if not head.isascii():
        head = unicodedata.normalize("NFC", _MARKS.sub("", _FORMAT.sub("", head)))
    line = shortened(head, limit)
    return line if len(text) <= 4 * limit or line.endswith("…") else line[: limit - 1] + "…"


def tokens_of(lines: Sequence[str]) -> list[int]:
    """Return the tokens of each line, its line feed included."""
    counts: list[int] = count_tokens([line + "\n" for line in lines]).tolist()
    return counts


def within(line: str, most: int = LINE_TOKENS) -> str:
    """Return a line cut so that it has at most ``most`` tokens.

    Examples
    --------
    >>> within("one two three four five six", 4)
    'one two three…'
    """
    while line and (count := tokens_of([line])[0]) > most:
        line = line[: min(len(line) - 2, int(len(line) * most / count) - 1)].rstrip() + "…" if len(line) > 2 else ""
    return line


def fitting(lines: Sequence[str], budget: int) -> list[int]:
    """Return which of the first lines fit a budget of tokens, as their ranks from 0 on."""
    return [rank for rank, total in enumerate(accumulate(tokens_of(lines))) if total <= budget]


def spread(count: int, most: int) -> list[int]:
    """Return at most ``most`` ranks of ``count``, evenly, the first one among them.

    Examples
    --------
    >>> spread(10, 3), spread(2, 5), spread(5, 0)
    ([0, 3, 6], [0, 1], [])
    """
    if count <= most:
        return list(range(count))
    return [rank * count // most for rank in range(most)]
