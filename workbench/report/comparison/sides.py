"""Two readings of one document, block by block: what both keep, and what only one of them keeps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...documents.blocks import KIND_CODE, BlockKind
from ...documents.columns import NONE
from ...errors import InvalidOption
from ...gate.margin import Route
from ...printing import shortened
from ...reading import Reading
from ...reading.selection import Mask
from ..said.coverage import is_readable

Tokens = npt.NDArray[np.int64]
RUNNING = NONE - 1
"""Stands for the section of running headers and footers."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Two readings of the n blocks of one document.

    Blocks without text of their own, such as tables, are neither kept nor skipped here, as in a report of a reading:
    their rows are.

    Attributes
    ----------
    left, right : Reading
    names : tuple of str
        Of left and right.
    routes : tuple of Route or None
        What a gate says of each side.
    gold : tuple of frozenset of int
        Ids of the blocks that hold evidence for each side.

    Raises
    ------
    InvalidOption
        If the readings are of different documents, or of one that was cut into blocks otherwise.
    """

    left: Reading
    right: Reading
    names: tuple[str, str]
    routes: tuple[Route | None, Route | None] = (None, None)
    gold: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())

    def __post_init__(self) -> None:
        one, other = self.left.document, self.right.document
        if one.sha256 != other.sha256:
            raise InvalidOption(
                f"The two readings are of different documents, {shortened(one.name, 60)} ({one.sha256[:12]}) and "
                f"{shortened(other.name, 60)} ({other.sha256[:12]}); compare two readings of one document."
            )
        if one.texts != other.texts:
            raise InvalidOption(
                f"{shortened(one.name, 60)} was opened with other options for each reading, so that block numbers mean "
                f"other texts ({len(one):,} and {len(other):,} blocks); read one opened document twice."
            )

    @property
    def both_readings(self) -> tuple[Reading, Reading]:
        """Left and right."""
        return self.left, self.right

    @property
    def whole(self) -> tuple[bool, bool]:
        """Whether a gate says that the document is read whole, for each side."""
        left, right = (route is Route.NATIVE for route in self.routes)
        return left, right

    @property
    def text(self) -> Mask:
        """Which blocks have text of their own."""
        return self.left.basis.has_text

    @cached_property
    def kept(self) -> tuple[Mask, Mask]:
        """Which blocks with text each side keeps."""
        return self.left.decision.kept & self.text, self.right.decision.kept & self.text

    @cached_property
    def costs(self) -> tuple[Tokens, Tokens]:
        """Tokens of what each side keeps of each block, 0 where it skips it; by the left side's tokenizer."""
        return self._costs(self.left), self._costs(self.right)

    def _costs(self, reading: Reading) -> Tokens:
        """A profile may count with another tokenizer: then the right side is counted again."""
        costs = reading.decision.costs
        ruler = self.left.basis.tokenizer
        if reading.basis.tokenizer.name != ruler.name:
            costs = self.left.basis.tokens.copy()
            for block, ranges in (reading.focus or {}).items():
                costs[block] = ruler.count([reading.document.texts[block][start:end] for start, end in ranges]).sum()
        return np.where(reading.decision.kept, costs, 0)

    @cached_property
    def read(self) -> tuple[int, int]:
        """Tokens that a model reads on each side: of the kept text, or of the document where nothing is saved."""
        rendered = self.left.basis.tokenizer.count([reading.kept_text for reading in self.both_readings]).tolist()
        readable = is_readable(self.left.document)
        left, right = (
            self.total if whole or not readable else found for whole, found in zip(self.whole, rendered, strict=True)
        )
        return left, right

    @property
    def charged(self) -> tuple[int, int]:
        """Tokens that each side's money is reckoned with: where nothing was kept, nothing is spared."""
        left, right = (
            self.total if reading.is_empty else found
            for reading, found in zip(self.both_readings, self.read, strict=True)
        )
        return left, right

    @property
    def total(self) -> int:
        """Tokens of the whole document, by the left side's tokenizer."""
        return int(self.left.basis.tokens.sum())

    @property
    def both(self) -> Mask:
        """Which blocks both keep."""
        return self.kept[0] & self.kept[1]

    @property
    def only_left(self) -> Mask:
        """Which blocks only the left side keeps."""
        return self.kept[0] & ~self.kept[1]

    @property
    def only_right(self) -> Mask:
        """Which blocks only the right side keeps."""
        return self.kept[1] & ~self.kept[0]

    @property
    def likeness(self) -> float:
        """Tokens that both keep, of those that either keeps, in [0, 1]; 1 where both keep nothing."""
        left, right = self.costs
        either = int(np.maximum(left, right).sum())
        return int(np.minimum(left, right).sum()) / either if either else 1.0

    @cached_property
    def home(self) -> npt.NDArray[np.int64]:
        """Id of the heading that each block stands under, a heading's own id for itself; ``NONE`` or ``RUNNING``."""
        columns = self.left.document.columns
        own = columns.kind == KIND_CODE[BlockKind.HEADING]
        home = np.where(own, np.arange(len(columns)), columns.parent)
        return np.where(self.left.basis.running_line, RUNNING, home)

    @property
    def alike(self) -> bool:
        """Whether both keep the same blocks, and the same parts of each."""
        return not (self.only_left | self.only_right).any() and self.left.pieces == self.right.pieces

    def share_skipped(self, side: int) -> float:
        """Share of the document that a side (0 or 1) does not send to the model, in [0, 1]; 0 if it saves nothing."""
        return max(0.0, 1 - self.charged[side] / self.total) if self.total else 0.0

    def tokens_of(self, mask: Mask) -> int:
        """Tokens of some blocks as they are kept, by the side that keeps more of each."""
        return int(np.maximum(*self.costs)[mask].sum())
