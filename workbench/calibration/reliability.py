"""Whether margins keep their word: requests in tenths of their margin, against what the sparse path really saves."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from .bootstrap import Bootstrap, most_without_loss, totals_of
from .outcomes import Codes, Floats, Outcomes

BINS = 10


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """One tenth of the margins.

    Attributes
    ----------
    decile : int
        1 (lowest margins) to 10.
    margin : float
        Mean margin.
    saving : float
        Tokens that the sparse path saves on these requests, as a share of their native tokens; negative where it costs.
    loss : float
        Mean loss of the sparse path.
    saving_low, saving_high, loss_low, loss_high : float or None
        95 % intervals over documents.
    requests, documents : int
    split : str
        "out of sample" where margin and tenth come from a rule that was not fitted on the request's document.
    """

    decile: int
    margin: float
    saving: float
    saving_low: float | None
    saving_high: float | None
    loss: float
    loss_low: float | None
    loss_high: float | None
    requests: int
    documents: int
    split: str

    def to_dict(self) -> dict[str, Any]:
        """Return every field by its name."""
        return asdict(self)


def deciles_of(margins: Floats, reference: Floats) -> Codes:
    """Return the tenth of each margin, 0 to 9, among margins of reference.

    Examples
    --------
    >>> deciles_of(np.array([0.0, 0.5, 2.0]), np.linspace(0, 1, 11)).tolist()
    [0, 5, 9]
    """
    if len(reference) == 0:
        return np.zeros(len(margins), np.int64)
    edges = np.quantile(reference, np.arange(1, BINS) / BINS)
    return np.searchsorted(edges, margins, side="right").astype(np.int64)


def reliability_of(
    outcomes: Outcomes, margins: Floats, deciles: Codes, bootstrap: Bootstrap, split: str
) -> tuple[ReliabilityBin, ...]:
    """Return the tenths that have requests, of those without a hard constraint, from low to high."""
    free = outcomes.free
    columns = []
    for place in range(BINS):
        inside = (free & (deciles == place)).astype(np.float64)
        columns += [inside, inside * outcomes.tokens_native, inside * outcomes.gain, inside * outcomes.loss]
    totals = totals_of(outcomes.document.codes, outcomes.documents, columns)
    drawn = bootstrap.sums(totals) if outcomes.documents > 1 else None
    bins = []
    for place in range(BINS):
        inside = free & (deciles == place)
        if not inside.any():
            continue
        at = slice(4 * place, 4 * place + 4)
        count, native, gain, loss = totals[:, at].sum(axis=0)
        documents = int((totals[:, 4 * place] > 0).sum())
        saved_at: tuple[float | None, float | None] = (None, None)
        lost_at = saved_at
        if drawn is not None and documents > 1:
            some = drawn[:, at][drawn[:, 4 * place] > 0]
            saved_at = _ends(bootstrap, some[:, 2], some[:, 1])
            lost_at = (0.0, most_without_loss(documents)) if loss == 0 else _ends(bootstrap, some[:, 3], some[:, 0])
        saving = float(gain / native) if native > 0 else 0.0
        mean = float(margins[inside].mean())
        bins.append(
            ReliabilityBin(
                place + 1, mean, saving, *saved_at, float(loss / count), *lost_at, int(count), documents, split
            )
        )
    return tuple(bins)


def _ends(bootstrap: Bootstrap, part: Floats, whole: Floats) -> tuple[float | None, float | None]:
    values = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return bootstrap.interval(values) or (None, None)
