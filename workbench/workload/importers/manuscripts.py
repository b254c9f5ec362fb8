"""Texts put together from the parts of a set, which know where each part stands; and which parts go together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

Range = tuple[int, int]
"""First character and end of a part of a text."""


class Manuscript:
    """A text under construction that knows where each of its parts stands."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    def write(self, text: str) -> Range:
        """Append text and return its range of characters."""
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start, self._length

    def paragraph(self, text: str) -> Range:
        """Append a text and a blank line; return the range of the text."""
        found = self.write(text)
        self.write("\n\n")
        return found

    def table(self, rows: Sequence[Sequence[str]]) -> list[Range]:
        """Append a Markdown table whose first row is its header; return the range of each row."""
        width = max(map(len, rows), default=0)
        ranges = []
        for rank, row in enumerate(rows):
            cells = [re.sub(r"\s+", " ", cell).replace("|", "\\|") for cell in row]
            ranges.append(self.write("| " + " | ".join([*cells, *[""] * (width - len(row))]) + " |"))
            self.write("\n" + "|" + " --- |" * width + "\n" if rank == 0 else "\n")
        self.write("\n")
        return ranges

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self._parts)


def in_hash_order(keys: Iterable[str]) -> list[str]:
    """Return distinct keys in an order that says nothing about them and is always the same."""
    return sorted(set(keys), key=lambda key: hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest())


def pools(keys: Iterable[str], size: int) -> list[list[str]]:
    """Put keys together in groups of about one size, in the order of their hashes.

    Examples
    --------
    >>> [len(pool) for pool in pools("abcdefg", 3)]
    [4, 3]
    """
    ordered = in_hash_order(keys)
    count = max(1, round(len(ordered) / size))
    bounds = [-(-len(ordered) * rank // count) for rank in range(count + 1)]
    return [ordered[low:high] for low, high in pairwise(bounds)]
