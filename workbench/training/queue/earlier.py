"""Labels of an earlier version of a document, where they stand in the one of today."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from ..labels import Label, anchored

if TYPE_CHECKING:
    from ...documents import Document
    from .items import QueueItem
    from .sources import Sources


def moved_here(labels: Iterable[Label], document: Document) -> list[Label]:
    """Return the labels of other versions of a document as they stand in this one; those without a place are left."""
    other = [label for label in labels if label.document_name == document.name and label.document != document.sha256]
    return [move.new for move in anchored(other, document).moved] if other else []


def moved_to(items: Iterable[QueueItem], labels: Iterable[Label], sources: Sources) -> list[Label]:
    """Return the labels of earlier versions as they stand in the documents that items are about.

    A document is opened only if a label is of one of its name that is none of the items'.
    """
    versions = {item.document: item.document_key for item in items}
    by_name: dict[str, list[Label]] = {}
    for label in labels:
        if label.document not in versions:
            by_name.setdefault(label.document_name, []).append(label)
    keys = dict.fromkeys(versions.values()) if by_name else {}
    found: list[Label] = []
    for key in keys:
        if key in by_name or PurePath(key).name in by_name:
            document = sources.document(key)
            found += moved_here(by_name.get(document.name, []), document)
    return found
