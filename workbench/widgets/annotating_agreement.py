"""How far annotators agree, and what they should look at together, as plain values for a browser."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..training.labels import Label, agreement
from ..training.queue.walking import RESOLUTION
from .annotating_cards import plain

if TYPE_CHECKING:
    from ..training.labels import Disagreement, PairAgreement

MOST = 200
"""Disagreements that are listed."""
QUOTE = 160


def agreement_data(labels: Sequence[Label], annotator: str) -> dict[str, Any]:
    """Return what the labels of several annotators have in common.

    Parameters
    ----------
    labels : sequence of Label
        In force.
    annotator : str
        Who looks: pairs with that person come first.

    Returns
    -------
    dict
        pairs (first, second, items, documents, observed, kappa, low, high; None where a figure is not defined; only of
        annotators that share a block), disagreements (key, quote, name, first, second: annotator and value) that
        nobody has settled, at most ``MOST``, and open, how many there are.
    """
    found = agreement(labels)
    shared = [pair for pair in found.pairs if pair.items]
    shared.sort(key=lambda pair: (annotator not in (pair.first, pair.second), -pair.items, pair.first, pair.second))
    open_ones: dict[Any, Disagreement] = {}
    for pair in shared:
        for one in pair.disagreements:
            if one.resolution is None and RESOLUTION not in (one.first.reason, one.second.reason):
                open_ones.setdefault(one.item, one)
    return {
        "pairs": [_pair(pair) for pair in shared],
        "disagreements": [_disagreement(one) for one in list(open_ones.values())[:MOST]],
        "open": len(open_ones),
    }


def _pair(pair: PairAgreement) -> dict[str, Any]:
    figures = {name: _number(getattr(pair, name)) for name in ("observed", "kappa", "low", "high")}
    return {
        "first": plain(pair.first),
        "second": plain(pair.second),
        "items": pair.items,
        "documents": pair.documents,
        **figures,
    }


def _disagreement(one: Disagreement) -> dict[str, Any]:
    label = one.first
    return {
        "key": [label.document, label.question, label.block_id],
        "quote": plain(label.quote[:QUOTE]),
        "question": plain(label.question),
        "name": plain(label.document_name),
        "page": label.page,
        "first": [plain(one.first.annotator), one.first.value.value],
        "second": [plain(one.second.annotator), one.second.value.value],
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
