"""Which blocks of a document the conditions of a rule hold for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..documents.blocks import KIND_CODE, BlockKind
from .facts import DocumentFacts, facts_of
from .features import Features
from .keywords import Bools
from .patterns import PatternResult, search_texts

if TYPE_CHECKING:
    from ..documents import Document
    from .rules import Match

MAX_KEPT = 4_096
"""Conditions of which a document keeps what was found."""


def find_matching(document: Document, match: Match, *, progress: bool | None = None) -> PatternResult:
    """Return the blocks for which all conditions hold; kept, so that equal conditions are looked at once.

    Parameters
    ----------
    document : Document
    match : Match
    progress : bool, optional
        Show the parsing of sentences, where a feature needs it; None where somebody looks.
    """
    facts = facts_of(document)
    with facts.lock:
        found = facts.matches.get(match.sha256)
        if found is None:
            found = _find(document, facts, match, progress)
            found.found.flags.writeable = False
            if len(facts.matches) >= MAX_KEPT:
                facts.matches.clear()
            facts.matches[match.sha256] = found
        return found


def _find(document: Document, facts: DocumentFacts, match: Match, progress: bool | None) -> PatternResult:
    holds = _cheap_conditions(document, facts, match)
    if match.features and holds.any():
        features = Features(document, progress=progress)
        holds &= np.logical_or.reduce([features[name] for name in match.features])
    if match.unless is not None and holds.any():
        exception = find_matching(document, match.unless, progress=progress)
        if exception.out_of_time:
            return exception
        holds &= ~exception.found
    if match.section_pattern and holds.any():
        paths = facts.heading_paths
        titles = search_texts(match.section_pattern, paths, range(len(paths)))
        if titles.out_of_time:
            return PatternResult(np.zeros(len(holds), np.bool_), titles.out_of_time)
        holds &= facts.under(titles.found, inherit=False)
    if match.pattern and holds.any():
        return search_texts(match.pattern, facts.block_texts, np.flatnonzero(holds).tolist())
    return PatternResult(holds)


def _cheap_conditions(document: Document, facts: DocumentFacts, match: Match) -> Bools:
    columns = document.columns
    of_document = (
        (match.document_types, document.document_type.value),
        (match.languages, document.language.value),
    )
    if any(allowed and value not in allowed for allowed, value in of_document):
        return np.zeros(len(columns), np.bool_)
    holds = np.ones(len(columns), np.bool_)
    if match.kinds:
        holds &= np.isin(columns.kind, [KIND_CODE[BlockKind(kind)] for kind in match.kinds])
    if match.levels:
        holds &= np.isin(columns.level, match.levels)
    if match.section and holds.any():
        holds &= facts.under(facts.heading_texts.holding(match.section), inherit=True)
    if match.keywords and holds.any():
        holds &= facts.texts.holding(match.keywords)
    return holds
