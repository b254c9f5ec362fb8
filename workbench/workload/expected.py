"""What a reader is expected to keep of an artifact, as the gate's signals ask: a share, and some tokens at least."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SHARES = np.round(np.concatenate([np.arange(0.01, 0.1, 0.01), np.arange(0.1, 1.0001, 0.025)]), 4)
LEAST = np.array([0, 50, 100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000])
_FLOOR = 50.0
"""Tokens under which a difference says nothing: ratios of tiny readings must not decide."""


def expected_kept(kept: Sequence[float], total: Sequence[float]) -> tuple[float, int]:
    """Return the share and the least tokens that describe what a reader kept: max(share x total, least).

    The pair with the smallest mean distance of logarithms, over a grid; of equal ones the smallest least, then share.

    Parameters
    ----------
    kept, total : sequence of float, shape (n,)
        Tokens kept of artifacts with so many tokens.

    Examples
    --------
    >>> expected_kept([300, 300, 1_000, 4_000], [900, 1_500, 10_000, 40_000])
    (0.1, 300)
    """
    tokens, whole = np.asarray(kept, np.float64), np.asarray(total, np.float64)
    if not len(tokens):
        return 1.0, 0
    guess = np.minimum(np.maximum(SHARES[None, :, None] * whole, LEAST[:, None, None]), whole)
    distance = np.abs(np.log(guess + _FLOOR) - np.log(tokens + _FLOOR)).mean(axis=2)
    least, share = np.unravel_index(int(np.argmin(np.round(distance, 9))), distance.shape)
    return float(SHARES[share]), int(LEAST[least])
