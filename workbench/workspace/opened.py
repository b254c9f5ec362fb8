"""What is open on the bench: a document, a question about it, its scores and gold evidence; and how tuning reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..documents import Document
from ..documents.artifacts import open_artifact
from ..gate.intent import Intent, intent_of
from ..reading import Reading, Session, SparseReader, Threshold, TokenShare
from ..reading.basis import Basis
from ..reading.cuts import Cut
from ..reading.decision import Focus
from ..reading.reading import reading_of
from ..relevance.questions import checked_question
from ..relevance.scores import Scale
from ..structure import RuleMatches, StructureWeights, match_rules
from ..workload.gold import Gold, resolve
from ..workload.replay.replaying import intent_for, remembering
from ..workload.replay.scores import RememberingScorer
from .state import BenchState, Tuned

if TYPE_CHECKING:
    from ..workload import Request, Workload


@dataclass(frozen=True, eq=False)
class Opened:
    """A document and a question, scored once; cuts, budgets and rules decide on it again and again.

    Attributes
    ----------
    document : Document
    request : Request or None
        None for a question that somebody asked freely.
    intent : Intent
    turns : int
        Earlier questions of the dialogue.
    basis : Basis
        With the rules that the reader had when it was opened.
    matches : RuleMatches
        Kept, so that another weight is a matter of milliseconds.
    gold : Gold or None
    focus : mapping or None
        What a follow-up keeps.
    """

    document: Document
    request: Request | None
    intent: Intent
    turns: int
    basis: Basis
    matches: RuleMatches
    gold: Gold | None
    focus: Focus | None = None

    @property
    def question(self) -> str:
        """What was asked."""
        return self.basis.question

    @property
    def gold_blocks(self) -> tuple[int, ...]:
        """Ids of the blocks that hold the evidence; none where there is none, or nobody knows."""
        return self.gold.blocks if self.gold is not None else ()

    def rule_key(self, tables: Mapping[str, object]) -> str:
        """Return the key of the table that weighs the document."""
        kind = self.document.document_type.value
        return kind if kind in tables else "*"

    def weighed(self, tuned: Tuned, before: Reading | None = None) -> StructureWeights:
        """Return what the rules say of the blocks; as before, where the table is the same."""
        table = tuned.tables[self.rule_key(tuned.tables)]
        if before is not None and before.basis.document is self.document and before.structure.rules == table.rules:
            return before.structure
        return self.matches.weigh(table)

    def read(self, tuned: Tuned, reader: SparseReader, before: Reading | None = None) -> Reading:
        """Decide as it is tuned.

        Parameters
        ----------
        tuned : Tuned
        reader : SparseReader
            Which the bench began with: its calibration and least tokens count.
        before : Reading, optional
            The reading before this tuning: what did not change is taken from it.
        """
        structure = self.weighed(tuned, before)
        offset = tuned.offsets.get(self.document.document_type.value, 0.0)
        cut, remark = cut_of(tuned, reader, self.basis.scored.scale)
        remarks = (*self.basis.remarks, remark) if remark else self.basis.remarks
        same = before is not None and before.basis.scored is self.basis.scored
        basis = before.basis if same and before is not None else self.basis
        if basis.structure is not structure or basis.offset != offset or basis.remarks != remarks:
            basis = replace(basis, structure=structure, offset=offset, remarks=remarks)
        return reading_of(basis, cut, tuned.budget, self.focus)


def cut_of(tuned: Tuned, reader: SparseReader, scale: Scale) -> tuple[Cut, str]:
    """Return the cut on scores of a scale, and what must be said of it."""
    choice = tuned.cut
    if choice is None:
        return reader.cut_on(scale)
    if choice.kind == "share":
        return TokenShare(choice.value, reader.share.min_tokens), ""
    if scale is Scale.UNCALIBRATED and reader.calibration is not None:
        return reader.cut_on(scale)
    return Threshold(choice.value, scale), ""


def opened_by(state: BenchState, workload: Workload | None, reader: SparseReader) -> Opened:
    """Open what a state names.

    Raises
    ------
    WorkbenchError
        If the request is unknown, the document cannot be opened, or the question is none.
    """
    if state.request is not None:
        request = _requested(workload, state.request)
        document = _workload(workload).open(request, progress=None)
        if not state.question:
            return _of_request(document, request, reader, state.tuned)
    else:
        document = _asked_about(state.artifact or "", workload)
    intent = intent_of(checked_question(state.question))
    return _opened(document, None, intent, reader, state.tuned)


def _requested(workload: Workload | None, request_id: str) -> Request:
    return _workload(workload).request(request_id)


def _workload(workload: Workload | None) -> Workload:
    from ..errors import InvalidOption

    if workload is None:
        raise InvalidOption("This bench has no workload, so there is no request to open; ask about a file instead.")
    return workload


def _asked_about(artifact: str, workload: Workload | None) -> Document:
    """Return the document of an artifact of the workload, or of a file."""
    if workload is not None and artifact in workload.documents:
        return workload.open(artifact, progress=None)
    return open_artifact(Path(artifact).expanduser(), progress=None)


def _of_request(document: Document, request: Request, reader: SparseReader, tuned: Tuned) -> Opened:
    intent = intent_for(request)
    found = _opened(document, request, intent, reader, tuned)
    if not request.turns:
        return found
    # What a follow-up keeps depends on what the questions before it have kept.
    session, now = Session("bench", "dialogue"), tuned_reader(reader, tuned, found.basis.scored.scale)
    if isinstance(reader.scorer, RememberingScorer):
        now = remembering(now)
    for turn in request.turns:
        asked = intent_of(turn.strip())
        now.read(document, asked.question, session=session, scope=asked.scope, progress=None)
    last = now.read(document, intent.question, session=session, scope=intent.scope, progress=None)
    return replace(found, focus=last.focus, turns=len(request.turns))


def _opened(document: Document, request: Request | None, intent: Intent, reader: SparseReader, tuned: Tuned) -> Opened:
    tables = tuned.tables
    kind = document.document_type.value
    table = tables.get(kind) or tables["*"]
    matches = match_rules(document, table, progress=None)
    basis = reader.basis(document, intent.question, scope=intent.scope, progress=None)
    gold = resolve(request, document) if request is not None else None
    return Opened(document, request, intent, 0, basis.weighed(matches.weigh(table)), matches, gold)


def tuned_reader(reader: SparseReader, tuned: Tuned, scale: Scale | None = None) -> SparseReader:
    """Return the reader that decides as it is tuned: what is replayed, and what a profile describes.

    A cut by share knows no calibration, in a profile as here. A scorer that remembers gives way to the one behind it,
    which says what its models are.

    Parameters
    ----------
    reader : SparseReader
        Which the bench began with.
    tuned : Tuned
    scale : Scale, optional
        Of the scores at hand, for a scorer that gives probabilities itself.
    """
    from ..reading.altered import altered

    scorer = reader.scorer.scorer if isinstance(reader.scorer, RememberingScorer) else reader.scorer
    changes: dict[str, Any] = {"scorer": scorer, "rules": tuned.book, "offsets": dict(tuned.offsets)}
    if tuned.cut is None:
        return altered(reader, **changes)
    if tuned.cut.kind == "share":
        return altered(reader, **changes, token_share=tuned.cut.value, threshold=None, calibration=None)
    known = scale or Scale.UNCALIBRATED
    meant = Scale.CALIBRATED if reader.calibration is not None else known
    return altered(reader, **changes, threshold=Threshold(tuned.cut.value, meant))
