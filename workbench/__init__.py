"""SparseRead Workbench: admit only the blocks of a document that matter for a question, and see why.

Names are loaded when first used, so that ``import workbench`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .documents import (
        Block,
        BlockKind,
        Collection,
        Document,
        ReadOptions,
        open_collection,
        open_document,
    )
    from .documents.overlay import page_overlay
    from .errors import WorkbenchError
    from .reading import Feedback, Reading, Session, SparseReader, Threshold, TokenShare, open_store

__version__ = "0.1.0"

_HOME = {
    "Block": "documents",
    "BlockKind": "documents",
    "Collection": "documents",
    "Document": "documents",
    "ReadOptions": "documents",
    "open_collection": "documents",
    "open_document": "documents",
    "page_overlay": "documents.overlay",
    "WorkbenchError": "errors",
    "Feedback": "reading",
    "Reading": "reading",
    "Session": "reading",
    "SparseReader": "reading",
    "Threshold": "reading",
    "TokenShare": "reading",
    "open_store": "reading",
}

__all__ = [
    "Block",
    "BlockKind",
    "Collection",
    "Document",
    "Feedback",
    "ReadOptions",
    "Reading",
    "Session",
    "SparseReader",
    "Threshold",
    "TokenShare",
    "WorkbenchError",
    "__version__",
    "open_collection",
    "open_document",
    "open_store",
    "page_overlay",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
