"""What the gate said of a question before it was read, and what reading it then came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.evidence_sets import Case
from benchmarks.retrieval import Notion, things_of
from workbench.documents import Document
from workbench.documents.tokens import count_tokens
from workbench.gate import Intent, Preview, SignalOptions, constraint_of, intent_of, preview_of
from workbench.gate.constraints import SMALL_FILE
from workbench.gate.risk import risk_of
from workbench.gate.signals import signals
from workbench.reading import SparseReader
from workbench.relevance.scores import Scope
from workbench.relevance.terms import question_terms
from workbench.workload.replay.closure import ClosureRule
from workbench.workload.replay.paths import sparse_path

CLOSURES = (Scope.POINT, Scope.AGGREGATE, Scope.WHOLE)
"""Scopes that end a read in ways of their own; several places end it as one does."""


@dataclass(frozen=True, slots=True)
class GateReading:
    """One question: what the gate expected, and what its first reading and whole exchange came to.

    Attributes
    ----------
    set_name, document, origin : str
    scope : Scope
        By the gate's rules; no set tells it here.
    tokens : int
        Of the artifact.
    expected : float
        s - c without what the reader itself costs: the share of the artifact's tokens that is expected to be saved.
    risk, scope_risk, words_risk : float
        r, and its terms for the scope and for missing terms.
    missing : float
        Share of the question's terms that stand nowhere in the artifact.
    constraint : str
        "" for none.
    saved_once, saved : float
        Tokens that one reading saves, and that the whole exchange does, as shares of the artifact's tokens.
    kept : float
        Share of the artifact's tokens that the first reading keeps.
    missed : float
        Share of the pieces of evidence that the first reading misses; one is kept with half of its tokens.
    pieces : int
    anchors : float
        Tokens that the kept text has besides the kept blocks, for each of their tokens.
    still_open : dict of Scope to tuple of bool
        Whether a question of that scope would go on after each round.
    """

    set_name: str
    document: str
    origin: str
    scope: Scope
    tokens: int
    expected: float
    risk: float
    scope_risk: float
    words_risk: float
    missing: float
    constraint: str
    saved_once: float
    saved: float
    kept: float
    missed: float
    pieces: int
    anchors: float
    still_open: dict[Scope, tuple[bool, ...]]

    @property
    def is_small(self) -> bool:
        """Whether the gate holds the artifact for too small."""
        return self.constraint == SMALL_FILE


@dataclass(frozen=True, eq=False)
class _Opened:
    """What is made once a document."""

    document: Document
    preview: Preview
    rule: ClosureRule


class GateReader:
    """Reads questions, and asks the gate about them first.

    Parameters
    ----------
    reader : SparseReader, optional
        The reader as it is shipped, without calibration, if not given.
    """

    def __init__(self, reader: SparseReader | None = None) -> None:
        self._reader = reader or SparseReader()
        self._options = SignalOptions()
        self._opened: _Opened | None = None

    def of(self, cases: Iterable[Case], most: int) -> Iterator[GateReading]:
        """Yield the readings of the answerable questions with evidence, at most so many a document."""
        asked: Counter[str] = Counter()
        for case in cases:
            if case.gold and case.document.tokens and asked[case.document_key] < most:
                asked[case.document_key] += 1
                yield self(case)

    def __call__(self, case: Case) -> GateReading:
        """Return what the gate expected of a question, and what came."""
        opened = self._open(case.document)
        options, preview, whole = self._options, opened.preview, case.document.tokens
        intent = intent_of(case.question)
        found, held = signals(preview, intent, options), constraint_of(preview, intent, options)
        reading = self._reader.read(case.document, case.question, scope=intent.scope, progress=False)
        rendered, kept = reading.saving.rendered_tokens, reading.saving.tokens_kept
        question = int(count_tokens([case.question])[0])
        native = options.exchange.tokens(question, [whole])
        once = options.exchange.tokens(question, [preview.preview_tokens, rendered])
        ends = {scope: self._path(opened, replace(intent, scope=scope)) for scope in {*CLOSURES, intent.scope}}
        risk = {term.name: term.value for term in risk_of(preview, intent, options).terms}
        return GateReading(
            set_name=case.set_name,
            document=case.document_key,
            origin=case.origin,
            scope=intent.scope,
            tokens=whole,
            expected=found.s.value - found.c.value + options.reader_cost,
            risk=found.r.value,
            scope_risk=risk["scope"],
            words_risk=risk["missing terms"],
            missing=1.0 - preview.coverage(question_terms(case.question, preview.language))[0],
            constraint=held.name if held else "",
            saved_once=(native - once) / whole,
            saved=(native - ends[intent.scope][0]) / whole,
            kept=kept / whole,
            missed=_missed(case, reading.decision.kept),
            pieces=len(case.gold),
            anchors=rendered / max(1, kept) - 1.0,
            still_open={scope: ends[scope][1] for scope in CLOSURES},
        )

    def _open(self, document: Document) -> _Opened:
        if self._opened is None or self._opened.document is not document:
            preview = preview_of(document)
            self._opened = _Opened(document, preview, ClosureRule(document, preview))
        return self._opened

    def _path(self, opened: _Opened, intent: Intent) -> tuple[float, tuple[bool, ...]]:
        """Return what a sparse exchange costs, and whether it is still open after each round."""
        exchange = self._options.exchange
        path = sparse_path(
            self._reader,
            opened.document,
            [intent],
            exchange,
            preview_tokens=opened.preview.preview_tokens,
            tokens=opened.document.columns.tokens.astype(np.int64),
            rule=opened.rule,
        )
        rounds = range(1, exchange.max_rounds + 1)
        return path.tokens(exchange), tuple(path.fell_back or after < path.rounds for after in rounds)


def _missed(case: Case, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> float:
    """Return the share of the pieces of evidence of which less than half is kept."""
    # What is not kept needs more than everything: so a piece is recalled if it needs nothing.
    needs = things_of(case, np.where(kept, 0.0, 1.0), Notion.HALF)
    return float(np.mean([need > 0.0 for need in needs]))
