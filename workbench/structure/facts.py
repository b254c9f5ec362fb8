"""What has been found out about a document, kept as long as the document is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from ..documents.blocks import KIND_CODE, BlockKind
from .keywords import Bools, SearchableTexts

if TYPE_CHECKING:
    from ..documents import Document
    from .patterns import PatternResult

Value = TypeVar("Value")

_known: WeakKeyDictionary[Document, DocumentFacts] = WeakKeyDictionary()
_lock = threading.Lock()


@dataclass(eq=False)
class DocumentFacts:
    """Texts, sections, features and matches of one document; they hold no reference to it.

    Attributes
    ----------
    block_texts : tuple of str
        As they stand.
    kind : ndarray of uint8, shape (n,)
    parent : ndarray of int32, shape (n,)
        Id of the nearest heading above, or -1.
    features : dict of str to ndarray of bool, shape (n,)
    parsers : dict of str to str
        For a feature that needs a parse, what decided it, in words.
    matches : dict of str to PatternResult
        By the hash of the conditions.
    lock : threading.RLock
        Held while something is found out, so that it is found out once.
    """

    block_texts: tuple[str, ...]
    kind: np.ndarray[tuple[int], np.dtype[np.uint8]]
    parent: np.ndarray[tuple[int], np.dtype[np.int32]]
    features: dict[str, Bools] = field(default_factory=dict)
    parsers: dict[str, str] = field(default_factory=dict)
    matches: dict[str, PatternResult] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    @cached_property
    def texts(self) -> SearchableTexts:
        """The texts of the blocks, ready for keywords."""
        return SearchableTexts(self.block_texts)

    @cached_property
    def headings(self) -> list[int]:
        """Ids of the headings, in order."""
        return np.flatnonzero(self.kind == KIND_CODE[BlockKind.HEADING]).tolist()

    @cached_property
    def heading_texts(self) -> SearchableTexts:
        """The texts of the headings, in order, ready for keywords."""
        return SearchableTexts([self.block_texts[index] for index in self.headings])

    @cached_property
    def heading_paths(self) -> tuple[str, ...]:
        """For each heading the titles above it and its own, joined by " > ", outermost first."""
        paths: dict[int, str] = {}
        for index in self.headings:
            above = paths.get(int(self.parent[index]))
            paths[index] = self.block_texts[index] if above is None else f"{above} > {self.block_texts[index]}"
        return tuple(paths.values())

    def under(self, spoken_for: Bools, *, inherit: bool) -> Bools:
        """Spread a verdict on headings to the blocks below them and to the headings themselves.

        Parameters
        ----------
        spoken_for : ndarray of bool, shape (number of headings,)
        inherit : bool
            Whether a heading below one that holds also holds.

        Returns
        -------
        ndarray of bool, shape (n,)
        """
        of_heading = dict(zip(self.headings, spoken_for.tolist(), strict=True))
        if inherit:
            for index in self.headings:
                of_heading[index] = of_heading[index] or of_heading.get(int(self.parent[index]), False)
        # One place more, at index -1, for blocks without a heading above.
        found = np.zeros(len(self.kind) + 1, np.bool_)
        found[self.headings] = [of_heading[index] for index in self.headings]
        spread = found[self.parent]
        spread[self.headings] = found[self.headings]
        return spread

    def kinds(self, *kinds: BlockKind) -> Bools:
        """Return which blocks are of one of the kinds."""
        return np.isin(self.kind, [KIND_CODE[kind] for kind in kinds])

    def feature(self, name: str, find: Callable[[], Bools]) -> Bools:
        """Return a feature, found once and never changed."""
        with self.lock:
            if name not in self.features:
                found = find()
                found.flags.writeable = False
                self.features[name] = found
            return self.features[name]


def facts_of(document: Document) -> DocumentFacts:
    """Return what is known about a document so far."""
    with _lock:
        facts = _known.get(document)
        if facts is None:
            columns = document.columns
            facts = _known[document] = DocumentFacts(document.texts, columns.kind, columns.parent)
        return facts
