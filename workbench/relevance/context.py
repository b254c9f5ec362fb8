"""What a block is scored with: the headings above it, its table's header, and the texts that are embedded for it.

A block itself never grows. Its *context* is a second field of the lexical score; the semantic score reads its *units*.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption
from .surroundings import Surroundings
from .units import Units

if TYPE_CHECKING:
    from ..documents import Document

Ints = npt.NDArray[np.int32]
Shares = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageOptions:
    """What is taken together; every default was measured (``docs/benchmarks.md``).

    Parameters
    ----------
    headings : int
        Most headings above a block that are its context, the nearest ones.
    unit_headings : int
        Most headings above a block that stand before it in its unit.
    overlap_ratio : float
        Share of the block before and of the one after that stands around a block in its unit, 0 to 0.5.
    merge_words : int
        Words below which blocks of one section that follow each other share a unit, on pages of tables; 0 for never.
    list_words : int
        Words below which a list item, or the line that leads to a list, shares a unit with its list; 0 for never.
    table_page : float
        Share of a page's tokens in table rows from which it is a page of tables, 0 to 1; 0 makes every page one.
    table_words : int
        Most words of a table's unit, as long as one row fits.
    row_words : int
        Words from which on a table row has a unit of its own.
    window_words : int
        Most words of a unit that is no table's; a longer block has several. A Chinese character is a word.

    Raises
    ------
    InvalidOption
        For a value outside its range.
    """

    headings: int = 3
    unit_headings: int = 0
    overlap_ratio: float = 0.0
    merge_words: int = 100
    list_words: int = 40
    table_page: float = 0.2
    table_words: int = 150
    row_words: int = 25
    window_words: int = 180

    def __post_init__(self) -> None:
        for name, least in (
            ("headings", 0),
            ("unit_headings", 0),
            ("merge_words", 0),
            ("list_words", 0),
            ("table_words", 20),
            ("row_words", 1),
            ("window_words", 20),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InvalidOption(f"{name} is {value!r}; give a whole number from {least} on.")
        for name, most in (("overlap_ratio", 0.5), ("table_page", 1.0)):
            value = getattr(self, name)
            if not 0.0 <= value <= most:
                raise InvalidOption(f"{name} is {value!r}; give a number from 0 to {most:g}.")

    def key(self) -> str:
        """Return what tells these options from others, for the keys of caches."""
        return "passages 2 " + " ".join(map(str, astuple(self)))


@dataclass(frozen=True, eq=False)
class Passages:
    """What the n blocks of a document are scored with.

    Attributes
    ----------
    texts : tuple of str
        The text of each block.
    context : tuple of str
        The headings above each block and, for a table row, its table's caption and header, one a line.
    units : tuple of str
        The u texts to embed.
    first : ndarray of int32, shape (n + 1,)
        Block i is read by the units ``unit[first[i]:first[i + 1]]``.
    unit : ndarray of int32, shape (m,)
    own : ndarray of float32, shape (m,)
        Share of the block's text that the unit holds, in (0, 1]; those of a block add up to 1.
    options : PassageOptions
    """

    texts: tuple[str, ...]
    context: tuple[str, ...]
    units: tuple[str, ...]
    first: Ints
    unit: Ints
    own: Shares
    options: PassageOptions

    def __len__(self) -> int:
        return len(self.texts)

    def units_of(self, block_id: int) -> tuple[str, ...]:
        """Return the texts that are embedded for a block."""
        low, high = self.first[block_id : block_id + 2].tolist()
        return tuple(self.units[unit] for unit in self.unit[low:high].tolist())

    @cached_property
    def block_of(self) -> npt.NDArray[np.intp]:
        """The block of each entry of ``unit``, shape (m,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def has_unit(self) -> npt.NDArray[np.bool_]:
        """Whether a block is read by a unit, shape (n,)."""
        return np.diff(self.first) > 0

    def best(self, scores: npt.NDArray[np.float32], otherwise: float) -> npt.NDArray[np.float32]:
        """Return for each block the best score of its units.

        Parameters
        ----------
        scores : ndarray of float32, shape (u,)
        otherwise : float
            For the blocks without a unit.
        """
        best = np.full(len(self), otherwise, np.float32)
        if len(self.unit):
            starts = self.first[:-1][self.has_unit]
            best[self.has_unit] = np.maximum.reduceat(scores[self.unit], starts)
        return best

    def share_read(self, read: npt.NDArray[np.float32]) -> Shares:
        """Return the share of each block's text that was read, from the share of each unit that was; shape (n,)."""
        share = np.zeros(len(self), np.float32)
        if len(self.unit):
            sums = np.add.reduceat(self.own * read[self.unit], self.first[:-1][self.has_unit])
            share[self.has_unit] = np.minimum(1.0, sums)
        return share

    def __repr__(self) -> str:
        return f"Passages({len(self)} blocks, {len(self.units)} units)"


def passages(document: Document, options: PassageOptions | None = None) -> Passages:
    """Return what the blocks of a document are scored with; the same for equal columns, text and options.

    Parameters
    ----------
    document : Document
    options : PassageOptions, optional
    """
    chosen = options or PassageOptions()
    surroundings = Surroundings(document, chosen.headings)
    units = Units(document.texts, surroundings, chosen)
    units.build()
    first, unit, own = units.columns()
    count = len(document.texts)
    context = tuple(surroundings.context(block) for block in range(count))
    return Passages(document.texts, context, tuple(units.texts), first, unit, own, chosen)
