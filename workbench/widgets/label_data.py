"""The labels of the document at hand as plain values for a browser, which has the words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..documents.surrogates import without_surrogates
from ..printing import shortened

if TYPE_CHECKING:
    from ..training.labels import Anchored

ORPHANS_SHOWN = 5
_QUOTE_CHARS = 60


def label_data(anchored: Anchored | None, annotator: str) -> list[dict[str, Any]]:
    """Return the labels in force, by block; of one block those of ``annotator`` first, then the newest.

    Returns
    -------
    list of dict
        block, value, annotator, at (ISO 8601), source, note, mine, and moved (whether it was given to an earlier
        version of the document and its text was found in this one).
    """
    if anchored is None:
        return []
    moved = {move.new.id for move in anchored.moved}
    found: list[dict[str, Any]] = []
    for block in sorted(anchored.at):
        newest = sorted(anchored.at[block], key=lambda label: (label.at, label.id), reverse=True)
        own_first = sorted(newest, key=lambda label: label.annotator != annotator)
        found += [
            {
                "block": block,
                "value": label.value.value,
                "annotator": without_surrogates(label.annotator),
                "at": label.at,
                "source": label.source.value,
                "note": without_surrogates(label.note),
                "mine": label.annotator == annotator,
                "moved": label.id in moved,
            }
            for label in own_first
        ]
    return found


def orphan_data(anchored: Anchored | None) -> dict[str, Any]:
    """Return how many labels of an earlier version have no place in the document, and the text of the first ones."""
    orphans = () if anchored is None else anchored.orphans
    quotes = [shortened(without_surrogates(orphan.label.quote), _QUOTE_CHARS) for orphan in orphans[:ORPHANS_SHOWN]]
    return {"count": len(orphans), "quotes": quotes}
