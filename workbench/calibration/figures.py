"""What a rule yields: token reduction, quality loss, route shares and regret, with intervals and where they hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..gate.margin import ROUTES, Route
from .bootstrap import Bootstrap, most_without_loss, totals_of
from .outcomes import Floats, Mask, Outcomes

IN_SAMPLE = "in sample"
OUT_OF_SAMPLE = "out of sample"


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, with its uncertainty and where it holds.

    Attributes
    ----------
    name : str
    level : float
    low, high : float or None
        Ends of the 95 % interval over documents; None where one document or none stands behind it.
    split : str
        "in sample" or "out of sample".
    basis : str
        Which requests it is measured on, in words.
    unit : str
        "share", "quality" (0-1, a mean over requests) or "tokens a request".
    requests, documents : int
        What stands behind it.
    """

    name: str
    level: float
    low: float | None
    high: float | None
    split: str
    basis: str
    unit: str
    requests: int
    documents: int

    def __str__(self) -> str:
        return f"{self.name} {self.text()} ({self.split})"

    def text(self) -> str:
        """Return level and interval in the unit's own digits."""
        level = shown(self.level, self.unit)
        if self.low is None or self.high is None:
            return f"{level} [no interval]"
        return f"{level} [{shown(self.low, self.unit)}, {shown(self.high, self.unit)}]"

    def to_dict(self) -> dict[str, Any]:
        """Return every field by its name."""
        return asdict(self)


def shown(value: float, unit: str) -> str:
    """Return a number as it is read.

    Examples
    --------
    >>> shown(0.4567, "share"), shown(0.01234, "quality"), shown(12345.6, "tokens a request")
    ('45.7 %', '0.0123', '12,346')
    """
    if unit == "share":
        return f"{100 * value:.1f} %" if abs(value) < 10 else f"{100 * value:,.0f} %"
    return f"{value:.4f}" if unit == "quality" else f"{value:,.0f}"


@dataclass(frozen=True, eq=False)
class Policy:
    """What a rule does to every request.

    Attributes
    ----------
    routes : array of uint8, shape (n,)
        Codes of ``workbench.gate.margin``: 0 native, 1 advisory, 2 force.
    share : array of float64, shape (n,)
        Probability that the sparse path is taken.
    split, basis : str
        Where its figures hold.
    """

    routes: npt.NDArray[np.uint8]
    share: Floats
    split: str
    basis: str

    def loss(self, outcomes: Outcomes) -> float:
        """Return the mean loss of a request."""
        return float((self.share * outcomes.loss).mean())


def policy_of(outcomes: Outcomes, routes: npt.NDArray[np.uint8], split: str, basis: str) -> Policy:
    """Return a policy from routes; an advisory request takes the sparse path by its own chance."""
    advised = np.where(routes == Route.ADVISORY.code, outcomes.chance, 0.0)
    share = np.where(routes == Route.FORCE.code, 1.0, advised)
    return Policy(routes, share, split, basis)


_COLUMNS = ("requests", "tokens", "sparse", "saved", "loss", "change", "oracle", "held", *ROUTES)


def measured(
    outcomes: Outcomes,
    policy: Policy,
    oracle: Floats,
    bootstrap: Bootstrap | None,
    *,
    chosen: Mask | None = None,
) -> tuple[Figure, ...]:
    """Return the figures of a policy on all requests, or on some.

    Parameters
    ----------
    outcomes, policy
    oracle : array of float64, shape (n,)
        Tokens that the oracle saves on each request.
    bootstrap : Bootstrap or None
        For the documents of ``outcomes``; None draws no intervals.
    chosen : array of bool, shape (n,), optional
    """
    table = _columns(outcomes, policy, oracle)
    document = outcomes.document.codes
    if chosen is not None:
        table, document = [column[chosen] for column in table], document[chosen]
    totals = totals_of(document, outcomes.documents, table)
    present = totals[:, 0] > 0
    documents = int(present.sum())
    sums = totals.sum(axis=0)
    drawn = None if bootstrap is None or documents < 2 else bootstrap.sums(totals)
    figures = []
    for name, unit, levels in _ratios(sums[None]):
        interval = None
        if drawn is not None and bootstrap is not None:
            values = next(found for other, _, found in _ratios(drawn) if other == name)
            interval = bootstrap.interval(values[drawn[:, 0] > 0])
            if name == "quality loss" and interval is not None and levels[0] <= 0:
                interval = (0.0, _possible_loss(totals))
        low, high = interval or (None, None)
        figures.append(
            Figure(name, float(levels[0]), low, high, policy.split, policy.basis, unit, int(sums[0]), documents)
        )
    return tuple(figures)


def _possible_loss(totals: Floats) -> float:
    """The upper end where no loss was seen: documents that are read sparsely might lose, native ones cannot."""
    sparse = totals[:, _COLUMNS.index("sparse")]
    read = int((sparse > 0).sum())
    return most_without_loss(read) * float(sparse.sum() / totals[:, 0].sum()) if read else 0.0


def _columns(outcomes: Outcomes, policy: Policy, oracle: Floats) -> list[Floats]:
    change = outcomes.quality_sparse - outcomes.quality_native
    return [
        np.ones(len(outcomes)),
        outcomes.tokens_native,
        policy.share,
        policy.share * outcomes.gain,
        policy.share * outcomes.loss,
        policy.share * change,
        oracle,
        (~outcomes.free).astype(np.float64),
        *((policy.routes == route.code).astype(np.float64) for route in ROUTES),
    ]


def _ratios(sums: Floats) -> Iterator[tuple[str, str, Floats]]:
    """The figures of rows of sums, with their units."""
    at = {name: sums[:, place] for place, name in enumerate(_COLUMNS)}
    requests = at["requests"]
    yield "token reduction", "share", _over(at["saved"], at["tokens"])
    yield "quality loss", "quality", _over(at["loss"], requests)
    yield "quality change", "quality", _over(at["change"], requests)
    yield "regret", "tokens a request", _over(at["oracle"] - at["saved"], requests)
    yield "regret share", "share", _over(at["oracle"] - at["saved"], at["oracle"])
    for route in reversed(ROUTES):
        yield f"routed {route}", "share", _over(at[route], requests)
    yield "hard constraint", "share", _over(at["held"], requests)


def _over(part: Floats, whole: Floats) -> Floats:
    """Divide; nothing of nothing is nothing."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
