"""Whether an agent that sees the kept blocks has what it looks for: decided by what it can see, never by the gold.

A question about a point or several is closed once every need has a kept block that names it, a question about an
aggregate once the tables that it met are there to their last row, and one about the whole once everything is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from ...documents.blocks import FURNITURE, KIND_CODE, BlockKind
from ...documents.columns import NONE
from ...printing import shortened
from ...relevance.scores import Scope
from ...relevance.terms import analyse, question_terms

if TYPE_CHECKING:
    from ...documents import Document

Mask = npt.NDArray[np.bool_]

_ROW = KIND_CODE[BlockKind.TABLE_ROW]
_HEADING = KIND_CODE[BlockKind.HEADING]
_FURNITURE = [KIND_CODE[kind] for kind in FURNITURE]
_WORDS_SHOWN = 60


class Looking(Protocol):
    """What is known of what somebody looks for; an ``Intent`` is such."""

    @property
    def scope(self) -> Scope: ...

    @property
    def needs(self) -> tuple[str, ...]: ...


class Vocabulary(Protocol):
    """Tells which terms stand nowhere in an artifact; a ``Preview`` does."""

    def coverage(self, terms: Sequence[str], /) -> tuple[float, tuple[str, ...]]: ...


@dataclass(frozen=True, slots=True)
class Closure:
    """Whether a read may end, and why, as a sentence."""

    closed: bool
    reason: str


class ClosureRule:
    """Decides closure for the questions on one document.

    Parameters
    ----------
    document : Document
    vocabulary : Preview
        What the artifact holds at all: a need that stands nowhere in it is given up, for the preview says so.
    """

    def __init__(self, document: Document, vocabulary: Vocabulary) -> None:
        columns = document.columns
        self._document = document
        self._vocabulary = vocabulary
        self._language = document.language.value
        has_text = columns.first_piece[1:] > columns.first_piece[:-1]
        running = np.isin(columns.kind, _FURNITURE)
        self.body: Mask = has_text & ~running if (has_text & ~running).any() else has_text
        """Which blocks "everything" is: those with text that are no running lines."""
        self._table = _first_tables(document)
        self._terms: dict[int, frozenset[str]] = {}

    def judge(self, looking: Looking, kept: Mask, chosen: Mask) -> Closure:
        """Decide whether a read is closed.

        Parameters
        ----------
        looking : Intent
        kept : ndarray of bool, shape (n,)
            Blocks that were seen so far.
        chosen : ndarray of bool, shape (n,)
            Those of them that were kept for themselves, and not as the context of another one.
        """
        if not kept.any():
            return Closure(False, "nothing was kept")
        if looking.scope is Scope.WHOLE:
            return self._complete(self.body, kept, "blocks of the document")
        if looking.scope is Scope.AGGREGATE:
            rows = chosen & (self._document.columns.kind == _ROW)
            if rows.any():
                tables = np.unique(self._table[rows])
                return self._complete(np.isin(self._table, tables), kept, "rows of the tables that were met")
            return self._complete(self._sections(chosen), kept, "blocks of the sections that were met")
        return self._named(looking.needs, kept)

    def _complete(self, wanted: Mask, kept: Mask, what: str) -> Closure:
        missing = int((wanted & ~kept).sum())
        if missing:
            return Closure(False, f"of {int(wanted.sum()):,} {what}, {missing:,} {_are(missing)} missing")
        return Closure(True, f"all {what} were kept")

    def _sections(self, chosen: Mask) -> Mask:
        """Return the body blocks right below the headings of the chosen blocks, and below chosen headings."""
        columns = self._document.columns
        headings = np.unique(columns.parent[chosen])
        own = np.flatnonzero(chosen & (columns.kind == _HEADING))
        return self.body & np.isin(columns.parent, np.concatenate([headings, own]))

    def _named(self, needs: Sequence[str], kept: Mask) -> Closure:
        seen = [self._terms_of(block) for block in np.flatnonzero(kept).tolist()]
        given_up = 0
        for need in needs:
            terms = naming_terms(need, self._language)
            known = set(terms) - set(self._vocabulary.coverage(terms)[1])
            if not known:
                given_up += 1
            elif not any(known & found for found in seen):
                return Closure(False, f"no kept block names {shortened(need, _WORDS_SHOWN)!r}")
        if given_up:
            return Closure(
                True, f"of {len(needs)} needs, {given_up} {_are(given_up)} nowhere in it, and all others were met"
            )
        return Closure(True, "every need was met")

    def _terms_of(self, block: int) -> frozenset[str]:
        found = self._terms.get(block)
        if found is None:
            found = self._terms[block] = frozenset(analyse(self._document.texts[block], self._language))
        return found


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def naming_terms(need: str, language: str) -> list[str]:
    """Return the terms that name something: one Chinese character alone stands in nearly every block.

    Examples
    --------
    >>> naming_terms("the net profit", "en"), naming_terms("净利润", "zh"), naming_terms("税", "zh")
    (['net', 'profit'], ['净利', '利润'], ['税'])
    """
    terms = question_terms(need, language)
    return [term for term in terms if len(term) > 1 or term.isascii()] or terms


def _first_tables(document: Document) -> npt.NDArray[np.int32]:
    """Return the table of each row, -1 for other blocks; a table that goes on over pages is one table."""
    columns = document.columns
    table = np.where(columns.kind == _ROW, columns.table, NONE)
    first: dict[int, int] = {}
    for found in np.unique(table).tolist():
        root, walked = found, {found}
        while root != NONE and (before := int(columns.continues[root])) != NONE and before not in walked:
            walked.add(before)
            root = before
        first[found] = root
    return np.array([first[found] for found in table.tolist()], np.int32)
