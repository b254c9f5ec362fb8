"""How sure a figure is: intervals by drawing documents anew, for requests about one document stand and fall together.

The rule is not fitted again: an interval says how a figure of this rule would differ on other documents of the kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from .outcomes import Codes, Floats

COVERAGE = 0.95
"""Share of draws inside an interval."""
DRAWS = 2_000
MOST_UNITS = 2_000
"""More documents than this are drawn in bundles that are put together at random: the totals of bundles vary as those of
documents let expect, and a draw stays cheap."""


class Bootstrap:
    """Draws of documents, made once and used for every figure.

    Parameters
    ----------
    documents : int
    seed : int
    draws : int, optional
    """

    def __init__(self, documents: int, seed: int, draws: int = DRAWS) -> None:
        self.documents = documents
        self.draws = draws
        self.seed = seed

    def sums(self, totals: Floats) -> Floats:
        """Return totals of drawn documents.

        Parameters
        ----------
        totals : array of float64, shape (documents, k)
            Sums over the requests of each document.

        Returns
        -------
        array of float64, shape (draws, k)
        """
        bundle, often = self._drawn
        return np.asarray(often @ (totals if bundle is None else totals_of(bundle, MOST_UNITS, list(totals.T))))

    @cached_property
    def _drawn(self) -> tuple[Codes | None, Floats]:
        """The bundle of each document, if they are bundled, and how often each unit is drawn; shape (draws, units)."""
        random = np.random.default_rng(self.seed)
        units = min(self.documents, MOST_UNITS)
        bundle = random.permutation(self.documents) % MOST_UNITS if self.documents > units else None
        drawn = random.integers(0, units, (self.draws, units)) + units * np.arange(self.draws)[:, None]
        often = np.bincount(drawn.ravel(), minlength=self.draws * units).reshape(self.draws, units)
        return bundle, often.astype(np.float64)

    def interval(self, values: Floats) -> tuple[float, float] | None:
        """Return the interval of drawn values; None from fewer than two documents."""
        known = values[np.isfinite(values)]
        if self.documents < 2 or len(known) == 0:
            return None
        tail = 100 * (1 - COVERAGE) / 2
        low, high = np.percentile(known, [tail, 100 - tail])
        return float(low), float(high)


def totals_of(document: Codes, documents: int, columns: Sequence[Floats]) -> Floats:
    """Add up columns over the requests of each document, shape (documents, k)."""
    return np.column_stack([np.bincount(document, weights=column, minlength=documents) for column in columns])


def most_without_loss(documents: int) -> float:
    """Return the largest mean loss that so many documents without any loss leave possible, at ``COVERAGE``.

    Drawing anew from documents without loss gives no loss, which is no certainty: at the upper end of an exact interval
    (Clopper and Pearson 1934) a share of 1 - (tail)^(1/n) of documents may still lose, and a document loses at most 1.

    Examples
    --------
    >>> round(most_without_loss(20), 3)
    0.168
    """
    return float(1 - ((1 - COVERAGE) / 2) ** (1 / documents))
