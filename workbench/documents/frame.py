"""The block table as a DataFrame."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import numpy as np

from .blocks import KINDS
from .columns import NONE
from .surrogates import without_surrogates

if TYPE_CHECKING:
    import pandas as pd

    from .document import Document


def block_frame(document: Document) -> pd.DataFrame:
    """Return one row a block; see ``Document.to_frame`` for the columns."""
    import pandas as pd

    columns = document.columns
    count = len(columns)
    start = np.zeros(count, np.int64)
    end = np.zeros(count, np.int64)
    box = np.full((count, 4), np.nan, np.float64)
    page = columns.home_page.astype(np.int64) + 1
    filled = columns.first_piece[1:] > columns.first_piece[:-1]
    if filled.any():
        lows = columns.first_piece[:-1][filled]
        start[filled] = np.minimum.reduceat(columns.start, lows)
        end[filled] = np.maximum.reduceat(columns.end, lows)
        if len(columns.box):
            box[filled] = _first_page_boxes(document, lows)
    for index in np.flatnonzero(~filled).tolist():
        anchor = document.blocks[index].anchor
        start[index] = end[index] = anchor.start_char
        if anchor.box is not None:
            box[index] = anchor.box[1:]
    titles = _section_titles(document)
    data: dict[str, Any] = {
        "block_id": np.arange(count),
        "page": page,
        "kind": [KINDS[code].value for code in columns.kind.tolist()],
        "level": columns.level.astype(np.int64),
        "section": [titles[parent] if parent != NONE else "" for parent in columns.parent.tolist()],
        "text": list(map(without_surrogates, document.texts)),
        "tokens": columns.tokens.astype(np.int64),
        "x0": box[:, 0],
        "top": box[:, 1],
        "x1": box[:, 2],
        "bottom": box[:, 3],
        "start_char": start,
        "end_char": end,
        "start_line": _lines(document, start),
        "end_line": _lines(document, np.maximum(start, end - 1)),
        "locator": list(map(without_surrogates, document.locators)) or [""] * count,
        "table": pd.array([t if t != NONE else None for t in columns.table.tolist()], dtype="Int64"),
        "continues": pd.array([t if t != NONE else None for t in columns.continues.tolist()], dtype="Int64"),
    }
    return pd.DataFrame(data)


def _first_page_boxes(document: Document, lows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Bounding box of each block's pieces that stand on the page where it begins."""
    columns = document.columns
    starts = np.array([page.start_char for page in document.pages])
    piece_page = np.searchsorted(starts, columns.start, side="right") - 1
    home = np.repeat(piece_page[lows], np.diff(np.append(lows, len(columns.start))))
    boxes = columns.box.astype(np.float64)
    boxes[piece_page != home] = np.nan
    low = np.fmin.reduceat(boxes[:, :2], lows, axis=0)
    high = np.fmax.reduceat(boxes[:, 2:], lows, axis=0)
    return np.concatenate([low, high], axis=1)


def _section_titles(document: Document) -> dict[int, str]:
    titles: dict[int, str] = {}
    for heading in np.unique(document.columns.parent).tolist():
        if heading != NONE:
            path = (*document.section_of(heading), heading)
            titles[heading] = without_surrogates(" > ".join(document.texts[part] for part in path))
    return titles


def _lines(document: Document, offsets: np.ndarray[Any, Any]) -> Any:
    import pandas as pd

    if not document.line_based:
        return pd.array([None] * len(offsets), dtype="Int64")
    starts = document.line_starts
    return pd.array([bisect_right(starts, offset) for offset in offsets.tolist()], dtype="Int64")
