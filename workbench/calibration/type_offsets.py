"""What a document type adds to the block threshold, and for which types a promise holds by itself.

A type with documents enough is promised its own recall: its threshold comes from conformal risk control on its
documents alone. The others are promised it together with all types, on the mean: the pooled promise. An offset has a
limit; what the data wants beyond it is said, and not done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..printing import counted
from .block_fits import Evidence, control
from .score_tables import Mask, ScoreTable

LARGEST_OFFSET = 0.08
"""How far a document type may move the threshold (seed "sparse layers", section 3.1)."""
LEAST_DOCUMENTS = 5
"""Documents that a type needs for an offset of its own: fewer say more about themselves than about the type."""
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class TypeOffset:
    """What one document type adds to the threshold.

    Attributes
    ----------
    offset : float
        Within ±``LARGEST_OFFSET``.
    wanted : float
        What would meet the floor on the type by itself; nan where there are too few documents.
    promised : bool
        Whether the promise holds for the type by itself.
    documents : int
        Of the type, with evidence.
    """

    offset: float
    wanted: float
    promised: bool
    documents: int

    @property
    def is_short(self) -> bool:
        """Whether the type wants to keep more than the largest offset allows."""
        return bool(self.wanted < -LARGEST_OFFSET - _ROUNDING)


def type_offsets(table: ScoreTable, threshold: float, recall: float, *, promised: bool) -> dict[str, TypeOffset]:
    """Return what each type adds to a threshold; empty for scores that are no probabilities, or of one type.

    Without a promise a type moves towards the threshold that meets the floor on its documents. Under a promise a type
    that carries one by itself gets that threshold. It may lie above the pooled one only where the types that carry none
    carry it together at the pooled one: else their part of the pooled promise would be spent. Those may only be
    lowered.

    Parameters
    ----------
    table : ScoreTable
    threshold : float
        For all types.
    recall : float
        The floor.
    promised : bool
        Whether ``threshold`` carries a promise.
    """
    if not table.are_probabilities or len(table.types) < 2:
        return {}
    masks: dict[str, Mask] = {name: table.document_type == rank for rank, name in enumerate(table.types)}
    evidence = {name: Evidence.of(table, mask) for name, mask in masks.items()}
    own = {name: _own(found, 1 - recall) for name, found in evidence.items()} if promised else {}
    own = {name: at for name, at in own.items() if at is not None and at - threshold >= -LARGEST_OFFSET - _ROUNDING}
    rest = np.isin(table.document_type, [rank for rank, name in enumerate(table.types) if name not in own])
    may_rise = not promised or _carries(Evidence.of(table, rest), threshold, 1 - recall)
    found = {}
    for name, of_type in evidence.items():
        at = own.get(name)
        if at is None and of_type.documents >= LEAST_DOCUMENTS:
            at = of_type.highest(1 - recall)
        wanted = float("nan") if at is None else float(min(at, _largest(table)) - threshold)
        most = LARGEST_OFFSET if not promised or (name in own and may_rise) else 0.0
        offset = 0.0 if np.isnan(wanted) else float(np.clip(wanted, -LARGEST_OFFSET, most))
        found[name] = TypeOffset(offset, wanted, name in own, of_type.documents)
    return found


def offset_notes(found: Mapping[str, TypeOffset], recall: float, *, promised: bool) -> list[str]:
    """Say for which types the promise holds, and which want more than an offset may be."""
    notes = []
    few = [name for name, one in found.items() if one.documents < LEAST_DOCUMENTS]
    if few:
        notes.append(f"{', '.join(few)}: fewer than {LEAST_DOCUMENTS} documents with evidence, so no offset.")
    for name, one in found.items():
        if one.is_short:
            notes.append(
                f"{name}: the data wants an offset of {one.wanted:+.3f} for a recall of {100 * recall:g} %, and "
                f"{-LARGEST_OFFSET:+g} is the most; fit a map on more documents of the type, or lower the floor for it."
            )
    if promised and found:
        alone = [name for name, one in found.items() if one.promised]
        pooled = [name for name, one in found.items() if not one.promised]
        notes.append(_promise_said(alone, pooled, found))
    return notes


def _promise_said(alone: Sequence[str], pooled: Sequence[str], found: Mapping[str, TypeOffset]) -> str:
    if not pooled:
        return f"The promise holds for each type by itself: {', '.join(alone)}."
    counts = ", ".join(f"{name} ({counted(found[name].documents, 'document')})" for name in pooled)
    if not alone:
        return f"The promise holds over all types together, for no type has documents enough of its own: {counts}."
    return f"The promise holds by itself for {', '.join(alone)}, and only over all types together for {counts}."


def _own(evidence: Evidence, alpha: float) -> float | None:
    """Return the highest threshold that is promised from a type's documents alone."""
    if evidence.documents < LEAST_DOCUMENTS:
        return None
    return control(evidence, alpha)[0]


def _carries(evidence: Evidence, threshold: float, alpha: float) -> bool:
    """Return whether some documents by themselves promise the recall at a threshold; nobody carries it for nobody."""
    if not evidence.documents:
        return True
    found = control(evidence, alpha)[0]
    return found is not None and found >= threshold - _ROUNDING


def _largest(table: ScoreTable) -> float:
    return float(table.score.max())
