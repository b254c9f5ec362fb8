"""A reading as bytes for a browser: the text once, what a question or a rule changes, and what a cut changes.

Arrays are little endian, one entry a block in the order of the document. ``static`` (reading.js) reads them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..reading.cuts import Cut, Threshold

if TYPE_CHECKING:
    from ..documents import Document
    from ..reading import Reading
    from ..reading.context import ContextLinks

HAS_TEXT, WORTH_A_SHARE, PINNED, HEADER_ROW = 1, 2, 4, 8
"""Bits of ``flags``."""


def document_data(document: Document) -> dict[str, Any]:
    """Return what stays while a document is looked at.

    Returns
    -------
    dict
        text (UTF-8 of all blocks), offsets (uint32, n + 1), kinds and levels (uint8), pages (uint32, 1-based), parents
        (int32: the nearest heading above, or -1), and facts: name, document_type, language, format, pages,
        pages_without_text, tokens.
    """
    columns = document.columns
    encoded = [text.encode("utf-8", "replace") for text in document.texts]
    offsets = np.zeros(len(encoded) + 1, "<u4")
    offsets[1:] = np.cumsum([len(text) for text in encoded], dtype="<u4")
    return {
        "text": b"".join(encoded),
        "offsets": offsets.tobytes(),
        "kinds": columns.kind.tobytes(),
        "levels": columns.level.tobytes(),
        "pages": (columns.home_page + 1).astype("<u4").tobytes(),
        "parents": columns.parent.astype("<i4").tobytes(),
        "facts": {
            "name": document.name,
            "document_type": document.document_type.value,
            "language": document.language.value,
            "format": document.format,
            "pages": len(document.pages),
            "pages_without_text": sum(page.status.value != "text" for page in document.pages),
            "tokens": document.tokens,
        },
    }


def score_data(reading: Reading) -> dict[str, Any]:
    """Return what another question or rule table changes.

    Returns
    -------
    dict
        relevance and weight (float32), priority (float64), ties (uint32: rank between equal priorities), tokens
        (uint32), flags (uint8), links (int32: parents, tables, then for each table its id, the number of its header
        rows and their ids), scale, offset, nothing_relevant, question.
    """
    basis = reading.basis
    flags = np.zeros(len(reading), np.uint8)
    header = reading.document.columns.is_header != 0
    for bit, mask in (
        (HAS_TEXT, basis.has_text),
        (WORTH_A_SHARE, basis.worth_a_share),
        (PINNED, basis.structure.pinned),
        (HEADER_ROW, header),
    ):
        flags[mask] |= bit
    return {
        "relevance": reading.scores.relevance.astype("<f4").tobytes(),
        "weight": reading.structure.weights.astype("<f4").tobytes(),
        "priority": reading.priority.astype("<f8").tobytes(),
        "ties": basis.ties.astype("<u4").tobytes(),
        "tokens": basis.tokens.astype("<u4").tobytes(),
        "flags": flags.tobytes(),
        "links": _links(basis.links).astype("<i4").tobytes(),
        "scale": reading.scores.scale.value,
        "offset": basis.offset,
        "nothing_relevant": basis.nothing_relevant,
        "question": reading.question,
    }


def decision_data(reading: Reading) -> dict[str, Any]:
    """Return what another cut or budget changes.

    Returns
    -------
    dict
        status and reason (uint8, codes of ``Status`` and ``Reason``), cut (see ``cut_data``), budget (tokens or None),
        line: the threshold without the offset, or None; bound, and figures: tokens_kept, tokens_total, and
        rendered_tokens where there is a budget, else None: counting them loads the tokenizer, which takes a second.
    """
    decision = reading.decision
    budgeted = reading.budget_tokens is not None
    return {
        "status": reading.status.tobytes(),
        "reason": decision.reason.tobytes(),
        "cut": cut_data(reading.cut),
        "budget": reading.budget_tokens,
        "line": reading.threshold,
        "bound": reading.bound.value,
        "figures": {
            "tokens_kept": int(decision.costs[decision.kept].sum()),
            "tokens_total": int(decision.tokens.sum()),
            "rendered_tokens": reading.saving.rendered_tokens if budgeted else None,
        },
    }


def cut_data(cut: Cut) -> dict[str, Any]:
    """Return a cut as plain values: kind "threshold" with value and scale, or "share" with value and min_tokens."""
    if isinstance(cut, Threshold):
        return {"kind": "threshold", "value": cut.value, "scale": cut.scale.value}
    return {"kind": "share", "value": cut.share, "min_tokens": cut.min_tokens}


def mask_data(blocks: Iterable[int], count: int) -> bytes:
    """Return blocks as one byte each, 1 for those that are named."""
    mask = np.zeros(count, np.uint8)
    mask[list(blocks)] = 1
    return mask.tobytes()


def _links(links: ContextLinks) -> npt.NDArray[np.int64]:
    headers = [number for table, rows in links.headers.items() for number in (table, len(rows), *rows)]
    return np.array([*links.parents, *links.tables, *headers], np.int64)
