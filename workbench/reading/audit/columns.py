"""What the columns and the facts of an audit are called, and what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

LAYOUT = 2
"""Version of the names and meanings below."""
FINGERPRINTS = (
    *("document_sha256", "profile_sha256", "scorer", "calibration", "rules_sha256", "tokenizer", "workbench"),
)
"""Facts that stand in every row of the CSV, so that rows of several audits can be put below each other."""
PART = "part_"
"""Begins the name of the column of each part of the logit."""
FEEDBACK = "feedback"
"""Part of the logit that comes from people's marks and not from the scorer."""

# What a person looks for stands first: the block, what became of it and why; what it was computed from comes after.
_FIRST: Mapping[str, type] = {
    "block_id": int,
    "page": int,
    "kind": str,
    "section": str,
    "text": str,
    "status": str,
    "reason": str,
    "kept": bool,
    "tokens": int,
    "tokens_kept": int,
    "priority": float,
    "threshold": float,
    "offset": float,
    "margin": float,
    "relevance": float,
    "scale": str,
    "weight": float,
    "pinned": bool,
    "rules": str,
    "features": str,
    "focus": str,
    "feedback": float,
    "logit": float,
}
_LAST: Mapping[str, type] = {
    "scored_logit": float,
    "scored_relevance": float,
    "share_read": float,
    "start_char": int,
    "end_char": int,
    "parent": int,
    "table": int,
    "continues": int,
    "is_header": bool,
}
NULLABLE = frozenset({"parent", "table", "continues", "threshold", "margin", "focus"})
"""Columns in which a block may have no value."""

_NONE = type(None)
FACTS: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "layout": (int,),
        "workbench": (str,),
        "document": (str,),
        "document_sha256": (str,),
        "document_type": (str,),
        "language": (str,),
        "pages": (dict,),
        "question": (str,),
        "scope": (str, _NONE),
        "scale": (str,),
        "presence": (float, int, _NONE),
        "nothing_relevant": (bool, _NONE),
        "words_alone": (bool,),
        "tied_share": (float, int),
        "cut": (dict,),
        "cut_in_words": (str,),
        "threshold": (float, int, _NONE),
        "type_offset": (float, int),
        "offset": (float, int),
        "budget_tokens": (int, _NONE),
        "focus_blocks": (int, _NONE),
        "feedback_blocks": (int,),
        "bound": (str,),
        "blocks": (int,),
        "blocks_passed": (int,),
        "blocks_kept": (int,),
        "tokens": (int,),
        "tokens_kept": (int,),
        "tokens_rendered": (int,),
        "kept_text_sha256": (str,),
        "scorer": (str,),
        "encoder": (dict, _NONE),
        "classifier": (dict, _NONE),
        "calibration": (str, _NONE),
        "rules": (str,),
        "rules_sha256": (str,),
        "rules_spoken": (list,),
        "tokenizer": (str,),
        "profile": (str, _NONE),
        "profile_sha256": (str, _NONE),
        "profile_departures": (list,),
        "features": (list,),
        "parts": (list,),
        "notes": (list,),
    }
)
"""Every fact, in their order, with the types that JSON gives it."""


def column_names(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of an audit whose logit has these parts, in their order."""
    return (*_FIRST, *(PART + name for name in parts), *_LAST)


def kind_of(column: str) -> type:
    """Return the type of a column's values."""
    return _FIRST.get(column) or _LAST.get(column) or float


def rows_of(cells: Mapping[str, Sequence[Any]], columns: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    """Return columns as rows, one a block."""
    return tuple(zip(*(cells[name] for name in columns), strict=True))


def cells_of(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, tuple[Any, ...]]:
    """Return rows as columns, each under its name."""
    turned = zip(*rows, strict=True) if rows else ((),) * len(columns)
    return dict(zip(columns, turned, strict=True))
