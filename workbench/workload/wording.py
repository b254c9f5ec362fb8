"""Which blocks say what an answer says, where evidence is given as a whole page or passage."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..documents import Document

_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by can for from has have in is it its may of on or that the their this to was were will "
        "with you your",
    )
)
_WORD = re.compile(r"\w+")


def content_words(text: str) -> set[str]:
    """Return the distinct words of a text without the most common function words of English.

    Examples
    --------
    >>> sorted(content_words("The backup of the server, and its Backup"))
    ['backup', 'server']
    """
    return set(_WORD.findall(text.casefold())) - _FUNCTION_WORDS


def holding_half(document: Document, blocks: Sequence[int], answer: str) -> list[int]:
    """Return the blocks that hold at least half of an answer's content words."""
    words = content_words(answer)
    return [block for block in blocks if words and 2 * len(words & content_words(document.texts[block])) >= len(words)]


def best_for(document: Document, blocks: Sequence[int], answer: str) -> list[tuple[int, ...]]:
    """Return the blocks that hold at least half as many words of an answer as the best of them, each a place.

    All blocks, where none holds any.
    """
    words = content_words(answer)
    held = {block: len(words & content_words(document.texts[block])) for block in blocks}
    most = max(held.values(), default=0)
    return [(block,) for block, count in held.items() if 2 * count >= most]
