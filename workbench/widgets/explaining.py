"""The calculation behind one block as plain values: a browser makes sentences of them, in its language.

Keys and codes only, never a sentence; what a rule's author or a document wrote comes as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from ..documents.surrogates import without_surrogates
from ..reading.flips import Flip, passes_unpinned
from ..reading.selection import Reason, Status
from .reading_data import cut_data

if TYPE_CHECKING:
    from ..reading import Reading
    from ..reading.explanation import Explanation

IN_CONTEXT = " (context)"
"""Ends a matched term that stands around a block and not in it."""


def explanation_data(reading: Reading, block: int) -> dict[str, Any]:
    """Return the whole calculation behind a block.

    Returns
    -------
    dict
        block, blocks, kind, status and reason (names of ``Status`` and ``Reason`` in lower case); parts (list of name
        and value, which add up to logit), logit, formula, relevance, scale, weight, priority, rank; cut, threshold
        (None where a share found nothing), offset, margin (None without a threshold); rules (name, weight, pin,
        reason, won), matched (term, value, around), share_read in [0, 1], feedback (factor, or None), anchor (page,
        pages, lines, locator, boxes in points), section (titles, outermost first), focus (ranges, or None), refused
        (tokens needed and left under a budget, or None), pinned_by (name of a rule, or ""), and flips (see
        ``flip_data``).

    Raises
    ------
    AnchorMismatch
        If the document has no such block.
    """
    found = reading.explain(block)
    at = found.block_id
    voice = reading.basis.feedback.get(at)
    refused = reading.decision.refused.get(at)
    return {
        "block": at,
        "blocks": found.blocks,
        "kind": found.block.kind.value,
        "status": found.status.name.lower(),
        "reason": Reason(int(reading.decision.reason[at])).name.lower(),
        "parts": [{"name": name, "value": value} for name, value in found.parts.items()],
        "logit": found.logit,
        "formula": found.formula,
        "relevance": found.relevance,
        "scale": found.scale.value,
        "weight": found.weight,
        "priority": found.priority,
        "rank": found.rank,
        "cut": cut_data(found.cut),
        "threshold": found.threshold,
        "offset": found.offset,
        "margin": None if math.isnan(found.margin) else found.margin,
        "rules": _rules(found),
        "pinned_by": next((rule.rule for rule in found.rules if rule.pin and rule.won), ""),
        "matched": [_term(term, value) for term, value in found.matched],
        "share_read": found.share_read,
        "feedback": voice.factor if voice else None,
        "anchor": _anchor(found),
        "section": [without_surrogates(title) for title in found.section],
        "focus": None if found.focus is None else [list(span) for span in found.focus],
        "refused": None if refused is None else {"needed": refused[0], "left": refused[1]},
        "flips": [flip_data(reading, found, flip) for flip in found.flips],
    }


def flip_data(reading: Reading, found: Explanation, flip: Flip) -> dict[str, Any]:
    """Return one change that would turn a decision.

    Returns
    -------
    dict
        quantity ("relevance", "weight", "threshold", "share", "pin", "budget", "context", or "evidence": any relevance
        over 0), value (float, or None where no number does it), shown (the value in decimals, rounded to the side on
        which the sentence stays true; a share in percent), outcome (what the block would be: "kept", "skipped" or
        "context").
    """
    quantity = "share" if flip.quantity == "token share" else flip.quantity
    value = flip.value
    if quantity == "relevance" and value is not None and 0 < value <= math.ulp(0.0):
        quantity, value = "evidence", 0.0
    shown = "" if value is None else _shown(quantity, value, kept=found.status is Status.KEPT)
    return {"quantity": quantity, "value": value, "shown": shown, "outcome": _outcome(reading, found, quantity)}


def _outcome(reading: Reading, found: Explanation, quantity: str) -> str:
    reason = Reason(int(reading.decision.reason[found.block_id]))
    if quantity == "context":
        return "skipped"
    if reason is Reason.PINNED:
        return "kept" if passes_unpinned(reading.basis, reading.cut, found.block_id) else "skipped"
    if found.status is not Status.KEPT:
        return "kept"
    others = np.flatnonzero((reading.status == Status.KEPT) | (reading.status == Status.PINNED))
    needed = reading.basis.links.of_all(others[others != found.block_id])
    return "context" if needed[found.block_id] else "skipped"


def _shown(quantity: str, value: float, *, kept: bool) -> str:
    """A number under or over which something holds is rounded away from what does not hold."""
    up = (not kept) != (quantity == "threshold")
    scaled = 100 * value if quantity == "share" else value
    rounding = ROUND_CEILING if up else ROUND_FLOOR
    return f"{Decimal(repr(scaled)).quantize(Decimal('0.0001'), rounding).normalize():f}"


def _rules(found: Explanation) -> list[dict[str, Any]]:
    return [
        {
            "name": without_surrogates(voice.rule),
            "weight": voice.weight,
            "pin": voice.pin,
            "reason": without_surrogates(voice.reason),
            "won": voice.won,
        }
        for voice in found.rules
    ]


def _term(term: str, value: float) -> dict[str, Any]:
    around = term.endswith(IN_CONTEXT)
    return {"term": without_surrogates(term.removesuffix(IN_CONTEXT)), "value": value, "around": around}


def _anchor(found: Explanation) -> dict[str, Any]:
    anchor = found.block.anchor
    lines = None if anchor.start_line is None else [anchor.start_line, anchor.end_line]
    return {
        "page": anchor.page,
        "pages": list(anchor.pages),
        "lines": lines,
        "locator": without_surrogates(anchor.locator),
        "boxes": list(_boxes(found)),
    }


def _boxes(found: Explanation) -> Iterator[list[float]]:
    for box in found.block.anchor.boxes:
        yield [box.page, *(round(float(value), 2) for value in box[1:])]
