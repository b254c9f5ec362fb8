"""From any artifact to blocks that lead back to it."""

from __future__ import annotations

from .anchors import Anchor, Box, Piece
from .artifacts import open_artifact
from .blocks import Block, BlockKind, Cell
from .collections import Collection, open_collection
from .document import Document
from .draft import Draft, Span
from .exclusions import Exclusion
from .joining import JoinedDocument, JoinedFile, join_documents
from .opening import open_document
from .options import ReadOptions
from .pages import DocumentWarning, Page, PageStatus, Verdict
from .registry import Format
from .source import ParseContext, Source

__all__ = [
    "Anchor",
    "Block",
    "BlockKind",
    "Box",
    "Cell",
    "Collection",
    "Document",
    "DocumentWarning",
    "Draft",
    "Exclusion",
    "Format",
    "JoinedDocument",
    "JoinedFile",
    "Page",
    "PageStatus",
    "ParseContext",
    "Piece",
    "ReadOptions",
    "Source",
    "Span",
    "Verdict",
    "join_documents",
    "open_artifact",
    "open_collection",
    "open_document",
]
