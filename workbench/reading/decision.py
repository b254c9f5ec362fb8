"""What was decided about every block, before it is shown to anybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from .selection import Codes, Status

Focus = Mapping[int, tuple[tuple[int, int], ...]]
"""Block id -> ranges (start, end) of the block's text, in code points, rising and apart."""


class Bound(StrEnum):
    """What ended the keeping."""

    THRESHOLD = "threshold"
    TOKEN_SHARE = "token share"
    BUDGET = "budget"
    FOCUS = "focus"


@dataclass(frozen=True, eq=False)
class Decision:
    """The n blocks of a document, each with its status and the reason.

    Attributes
    ----------
    threshold : float or None
        θ, without the offset; None where a share of the tokens found nothing to keep.
    offset : float
        What the document type adds to the threshold.
    passed : int
        Blocks that pass the cut, whether a budget has room for them or not.
    margin : ndarray of float64, shape (n,)
        Priority - (threshold + offset); nan without a threshold.
    status, reason : ndarray of uint8, shape (n,)
        Codes of ``Status`` and ``Reason``.
    bound : Bound
    tokens, costs : ndarray of int64, shape (n,)
        Of the whole block, and of what is kept of it: of a block in focus, only its ranges.
    focus : mapping or None
    refused : mapping of int to tuple of int
        For each block without room in the budget, the tokens that it needed and those that were left.
    """

    threshold: float | None
    offset: float
    passed: int
    margin: npt.NDArray[np.float64]
    status: Codes
    reason: Codes
    bound: Bound
    tokens: npt.NDArray[np.int64]
    costs: npt.NDArray[np.int64]
    focus: Focus | None
    refused: Mapping[int, tuple[int, int]]

    def __post_init__(self) -> None:
        for array in (self.margin, self.status, self.reason, self.tokens, self.costs):
            array.flags.writeable = False

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Which blocks are not skipped: kept, pinned, or context."""
        return np.not_equal(self.status, Status.SKIPPED)
