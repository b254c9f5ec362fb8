"""Words and meaning together: one logit a block from what each says, and from what stands around it.

Every score is standardised over the units of the document (mean 0, standard deviation 1), because neither BM25 nor
cosine means the same in two documents. Weights were chosen on half of the documents of each public set
(``docs/benchmarks.md``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import InvalidOption
from .scores import Scope

if TYPE_CHECKING:
    from .context import Passages

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionOptions:
    """How much each voice counts, where the cosine of the whole question counts 1.

    Parameters
    ----------
    lexical : float
        BM25 of the best block of a unit.
    parts : float
        Mean cosine of the sentences and clauses of a question that has several: what is asked and what merely
        frames it are told apart by agreeing.
    neighbours : float
        The unit before and the one after.
    table_neighbours : float
        The same, times the share of tables on the page: the rows of a statement stand or fall together.
    table_page : float
        Mean of the page, times the share of tables on it.
    several : float
        More weight for neighbours where evidence is in several places (scope several, aggregate or whole).
    own_words : float
        BM25 of the block itself: tells rows of one table apart.

    Raises
    ------
    InvalidOption
        For a weight that is negative or no number.
    """

    lexical: float = 0.5
    parts: float = 1.0
    neighbours: float = 0.1
    table_neighbours: float = 0.2
    table_page: float = 1.0
    several: float = 0.1
    own_words: float = 0.1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
                raise InvalidOption(f"{field.name} is {value!r}; give a number from 0 on.")

    def key(self) -> str:
        """Return what tells these options from others, for fingerprints."""
        return "fusion 1 " + " ".join(map(repr, astuple(self)))


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the u units of a document stand.

    Attributes
    ----------
    page : ndarray of int32, shape (u,)
        0-based page of the unit's first block.
    tables : ndarray of float32, shape (u,)
        Share of the tokens of that page that are in table rows.
    """

    page: Ints
    tables: Floats


def standardised(values: Floats) -> Floats:
    """Return values with mean 0 and standard deviation 1; zeros where all are equal.

    Examples
    --------
    >>> standardised(np.array([1.0, 3.0], np.float32)).tolist()
    [-1.0, 1.0]
    """
    if not len(values):
        return values.astype(np.float32)
    wide = values.astype(np.float64)
    spread = wide.std()
    if spread < 1e-9:
        return np.zeros(len(values), np.float32)
    scaled: Floats = ((wide - wide.mean()) / spread).astype(np.float32)
    return scaled


def fused_units(
    lexical: Floats,
    cosines: Sequence[Floats],
    layout: Layout,
    options: FusionOptions,
    scope: Scope | None = None,
) -> dict[str, Floats]:
    """Return what each voice adds to the logit of each unit.

    Parameters
    ----------
    lexical : ndarray of float32, shape (u,)
        BM25; zeros mean no hit.
    cosines : sequence of ndarray of float32, shape (u,)
        Of the whole question, and then of its parts; empty without a semantic model, and then words count 1.
    layout : Layout
    options : FusionOptions
    scope : Scope, optional

    Returns
    -------
    dict of str to ndarray of float32, shape (u,)
        "semantic", "question_parts", "lexical", "neighbours", "page_tables"; they add up to the logit.
    """
    voices: dict[str, Floats] = {}
    if cosines:
        whole, *parts = [standardised(values) for values in cosines]
        voices["semantic"] = whole
        if parts:
            voices["question_parts"] = np.float32(options.parts) * standardised(
                np.mean(parts, axis=0, dtype=np.float32)
            )
        voices["lexical"] = np.float32(options.lexical) * standardised(lexical)
    else:
        voices["lexical"] = standardised(lexical)
    own = summed(voices, len(lexical))
    weight = options.neighbours + options.table_neighbours * layout.tables
    if scope in {Scope.SEVERAL, Scope.AGGREGATE, Scope.WHOLE}:
        weight = weight + options.several
    voices["neighbours"] = (weight * _beside(own)).astype(np.float32)
    voices["page_tables"] = (options.table_page * layout.tables * _page_mean(own, layout.page)).astype(np.float32)
    return voices


def block_parts(passages: Passages, voices: dict[str, Floats], own_words: Floats) -> dict[str, Floats]:
    """Return what adds up to the logit of each block: the voices of its best unit, and its own words.

    Parameters
    ----------
    passages : Passages
    voices : dict of str to ndarray of float32, shape (u,)
    own_words : ndarray of float32, shape (n,)

    Returns
    -------
    dict of str to ndarray of float32, shape (n,)
        A block without a unit has the voices of the document's weakest unit.
    """
    best = best_units(passages, summed(voices, len(passages.units)))
    parts = {
        name: values[best] if len(values) else np.zeros(len(passages), np.float32) for name, values in voices.items()
    }
    return {**parts, "own_words": own_words}


def best_units(passages: Passages, total: Floats) -> npt.NDArray[np.intp]:
    """Return the best unit of each block, the first of equal ones; the weakest of all for a block without one."""
    weakest = int(np.argmin(total)) if len(total) else 0
    best = np.full(len(passages), weakest, np.intp)
    if len(passages.unit):
        # Sorted by block, then from the best unit to the worst; the first entry of each block is its best.
        order = np.lexsort((passages.unit, -total[passages.unit], passages.block_of))
        firsts = passages.first[:-1][passages.has_unit]
        best[passages.has_unit] = passages.unit[order][firsts]
    return best


def summed(parts: Mapping[str, Floats], count: int) -> Floats:
    """Return the sum of parts of ``count`` numbers each, in their order; zeros where there are none."""
    return sum(parts.values(), np.zeros(count, np.float32))


def _beside(values: Floats) -> Floats:
    """Return the sum of the values before and after each; at an end, the value itself stands in."""
    if not len(values):
        return values
    padded = np.pad(values, 1, mode="edge")
    beside: Floats = padded[:-2] + padded[2:]
    return beside


def _page_mean(values: Floats, page: Ints) -> Floats:
    if not len(values):
        return values
    sums = np.bincount(page, weights=values)
    counts = np.maximum(np.bincount(page), 1)
    return (sums / counts)[page].astype(np.float32)
