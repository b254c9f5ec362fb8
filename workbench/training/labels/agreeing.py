"""How far annotators agree beyond chance, and where they do not.

Two annotators are compared on the blocks that both labelled for the same question. Blocks of one document are not
independent, so the interval of Cohen's kappa comes from drawing whole documents.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...errors import InvalidLabels
from ...printing import counted, printable
from .label import Label
from .values import VALUES, LabelValue, value_of

if TYPE_CHECKING:
    import pandas as pd

DRAWS = 2_000
LEAST_DOCUMENTS = 2
"""Fewer documents say nothing about how kappa varies between documents."""
LEVEL = 0.95

Counts = npt.NDArray[np.int64]
Item = tuple[str, str, int, str]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A block on which two annotators differ.

    Attributes
    ----------
    first, second : Label
    resolution : Label or None
        The latest label of somebody else on the same block and question.
    """

    first: Label
    second: Label
    resolution: Label | None = None

    @property
    def item(self) -> Item:
        """Document, question, block, and the hash of the block."""
        return _item(self.first)


@dataclass(frozen=True, eq=False)
class PairAgreement:
    """What two annotators have in common.

    Attributes
    ----------
    first, second : str
        The annotators, by name.
    items, documents : int
        Blocks that both labelled, each for one question, and the documents that these are of.
    observed : float
        Share of the items with the same value, in [0, 1]; nan without items.
    kappa : float
        Cohen's kappa, at most 1, 0 as by chance; nan where it is not defined.
    low, high : float
        Its interval at ``LEVEL``; nan where there is none.
    values : tuple of LabelValue
        What rows and columns of ``confusion`` are.
    confusion : ndarray of int64, shape (len(values), len(values))
        Items with a value of the first (rows) and of the second (columns).
    disagreements : tuple of Disagreement
        By document name, question and block.
    notes : tuple of str
        Why a figure is missing, a sentence each.
    """

    first: str
    second: str
    items: int
    documents: int
    observed: float
    kappa: float
    low: float
    high: float
    values: tuple[LabelValue, ...]
    confusion: Counts
    disagreements: tuple[Disagreement, ...]
    notes: tuple[str, ...] = ()

    def confusion_frame(self) -> pd.DataFrame:
        """Return ``confusion`` as a table; rows are the values of the first, columns those of the second."""
        import pandas as pd

        names = [value.value for value in self.values]
        return pd.DataFrame(
            self.confusion, index=pd.Index(names, name=self.first), columns=pd.Index(names, name=self.second)
        )

    def report(self) -> str:
        """Return the figures and the confusion table as text."""
        lines = [f"{printable(self.first)} and {printable(self.second)}: {self._figures()}"]
        if self.items:
            lines += self._table()
        return "\n".join([*lines, *self.notes])

    def _figures(self) -> str:
        on = f"{counted(self.items, 'block')} of {counted(self.documents, 'document')}"
        if not self.items:
            return "no block has a label of both"
        kappa = "kappa not defined" if np.isnan(self.kappa) else f"kappa {self.kappa:.2f}"
        between = "" if np.isnan(self.low) else f" [{self.low:.2f}, {self.high:.2f}]"
        return f"{kappa}{between} on {on}, the same value on {self.observed:.0%}"

    def _table(self) -> list[str]:
        used = [rank for rank in range(len(self.values)) if self.confusion[rank].any() or self.confusion[:, rank].any()]
        names = [self.values[rank].value for rank in used]
        widths = [max(len(name), 6) for name in names]
        margin = max(map(len, names))
        head = "  ".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
        lines = [f"{'':<{margin}}  {head}"]
        for rank, name in zip(used, names, strict=True):
            row = (f"{self.confusion[rank, other]:>{width}}" for other, width in zip(used, widths, strict=True))
            lines.append(f"{name:<{margin}}  {'  '.join(row)}")
        return lines

    def __repr__(self) -> str:
        return f"PairAgreement({self.first}, {self.second}: {self._figures()})"


@dataclass(frozen=True, eq=False, repr=False)
class Agreement:
    """What annotators have in common, two by two.

    Attributes
    ----------
    pairs : tuple of PairAgreement
        By the names of the annotators; those that share no block are among them.
    """

    pairs: tuple[PairAgreement, ...]

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Those of all pairs, one after another."""
        return tuple(one for pair in self.pairs for one in pair.disagreements)

    @property
    def unresolved(self) -> tuple[Disagreement, ...]:
        """Those on which nobody else has put a label."""
        return tuple(one for one in self.disagreements if one.resolution is None)

    def pair(self, first: str, second: str) -> PairAgreement:
        """Return what two annotators have in common.

        Raises
        ------
        InvalidLabels
            If one of them has no label.
        """
        for found in self.pairs:
            if {found.first, found.second} == {first, second}:
                return found
        names = sorted({name for found in self.pairs for name in (found.first, found.second)})
        raise InvalidLabels(
            f"There are no labels of {first} and {second} together; the annotators are {', '.join(names) or 'none'}."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a row a pair: first, second, items, documents, observed, kappa, low, high, disagreements."""
        import pandas as pd

        names = ("first", "second", "items", "documents", "observed", "kappa", "low", "high")
        rows = [[*(getattr(pair, name) for name in names), len(pair.disagreements)] for pair in self.pairs]
        return pd.DataFrame(rows, columns=pd.Index([*names, "disagreements"]))

    def report(self) -> str:
        """Return all pairs as text."""
        if not self.pairs:
            return "There are labels of fewer than two annotators, so there is nothing to compare."
        return "\n\n".join(pair.report() for pair in self.pairs)

    def __repr__(self) -> str:
        return f"Agreement({'; '.join(map(repr, self.pairs)) or 'fewer than two annotators'})"


def agreement(
    labels: Iterable[Label],
    *,
    values: Iterable[LabelValue | str] | None = None,
    annotators: Sequence[str] | None = None,
    seed: int = 0,
) -> Agreement:
    """Return how far annotators agree on the blocks that they share.

    Parameters
    ----------
    labels : iterable of Label
        Of an annotator's several labels of one block and question the last one counts.
    values : iterable of LabelValue or str, optional
        Only blocks to which both gave one of these; all by default.
    annotators : sequence of str, optional
        Only these; all by default.
    seed : int
        Of the documents that are drawn for the interval.

    Raises
    ------
    InvalidLabels
        For a value that no label has, or an annotator without labels.
    """
    chosen = VALUES if values is None else tuple(dict.fromkeys(value_of(value) for value in values))
    by_annotator: dict[str, dict[Item, Label]] = {}
    by_item: dict[Item, list[Label]] = {}
    for label in labels:
        by_annotator.setdefault(label.annotator, {})[_item(label)] = label
        by_item.setdefault(_item(label), []).append(label)
    names = sorted(by_annotator)
    if annotators is not None:
        unknown = [name for name in annotators if name not in by_annotator]
        if unknown:
            known = ", ".join(names) or "none"
            raise InvalidLabels(f"There are no labels of {', '.join(unknown)}; the annotators are {known}.")
        names = sorted(set(annotators))
    pairs = [
        _pair(first, second, by_annotator, by_item, chosen, seed) for first, second in itertools.combinations(names, 2)
    ]
    return Agreement(tuple(pairs))


def kappa_of(confusion: npt.NDArray[np.floating] | Counts) -> npt.NDArray[np.float64]:
    """Return Cohen's kappa of confusion tables.

    Parameters
    ----------
    confusion : ndarray, shape (..., k, k)
        Counts of items.

    Returns
    -------
    ndarray of float64, shape (...)
        nan where there are no items, or where chance alone explains full agreement.

    Examples
    --------
    >>> float(kappa_of(np.array([[20, 5], [10, 15]])).round(3))
    0.4
    """
    table = np.asarray(confusion, np.float64)
    total = table.sum((-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.trace(table, axis1=-2, axis2=-1) / total
        chance = (table.sum(-1) * table.sum(-2)).sum(-1) / total**2
        # Margins of one value alone give chance 1, but for rounding.
        found: npt.NDArray[np.float64] = np.where(chance < 1 - 1e-12, (observed - chance) / (1 - chance), np.nan)
    return found


def _pair(
    first: str,
    second: str,
    by_annotator: dict[str, dict[Item, Label]],
    by_item: dict[Item, list[Label]],
    values: tuple[LabelValue, ...],
    seed: int,
) -> PairAgreement:
    ones, others = by_annotator[first], by_annotator[second]
    rank = {value: place for place, value in enumerate(values)}
    both = [
        (ones[item], others[item])
        for item in ones
        if item in others and ones[item].value in rank and others[item].value in rank
    ]
    both.sort(key=lambda pair: (pair[0].document_name, pair[0].document, pair[0].question, pair[0].block_id))
    documents = {name: place for place, name in enumerate(dict.fromkeys(one.document for one, _ in both))}
    tables = np.zeros((len(documents), len(values), len(values)), np.int64)
    for one, other in both:
        tables[documents[one.document], rank[one.value], rank[other.value]] += 1
    confusion: Counts = tables.sum(0)
    kappa = float(kappa_of(confusion)) if both else float("nan")
    low, high = _interval(tables, seed)
    disagreements = tuple(
        Disagreement(one, other, _resolution(by_item[_item(one)], one, other))
        for one, other in both
        if one.value is not other.value
    )
    return PairAgreement(
        first=first,
        second=second,
        items=len(both),
        documents=len(documents),
        observed=1 - len(disagreements) / len(both) if both else float("nan"),
        kappa=kappa,
        low=low,
        high=high,
        values=values,
        confusion=confusion,
        disagreements=disagreements,
        notes=_notes(len(both), len(documents), kappa, low),
    )


def _interval(tables: Counts, seed: int) -> tuple[float, float]:
    """Percentiles of kappa over documents drawn with replacement."""
    count = len(tables)
    if count < LEAST_DOCUMENTS:
        return float("nan"), float("nan")
    draws = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=DRAWS)
    found = kappa_of(np.tensordot(draws, tables, axes=1))
    found = found[~np.isnan(found)]
    if not len(found):
        return float("nan"), float("nan")
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _notes(items: int, documents: int, kappa: float, low: float) -> tuple[str, ...]:
    notes = []
    if items and np.isnan(kappa):
        notes.append("Both gave one and the same value throughout, so there is no chance to agree beyond.")
    elif items and documents < LEAST_DOCUMENTS:
        notes.append("The blocks are of one document, so there is no interval over documents; label another one.")
    elif items and np.isnan(low):
        notes.append("No draw of documents defines kappa, so there is no interval.")
    return tuple(notes)


def _resolution(labels: list[Label], first: Label, second: Label) -> Label | None:
    others = [label for label in labels if label.annotator not in (first.annotator, second.annotator)]
    return max(others, key=lambda label: label.at, default=None)


def _item(label: Label) -> Item:
    return label.document, label.question, label.block_id, label.block_sha256
