"""The outcome of one request: both paths taken, and judged by the gold evidence afterwards."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...caching import CacheFolder
from ...errors import WorkbenchError
from ...gate.constraints import constraint_of
from ...gate.intent import Intent, intent_of
from ...gate.preview import Preview, preview_of
from ...gate.signals import signals
from ...printing import counted
from ...reading import SparseReader
from ...reading.altered import altered
from ...reading.tokenizers import block_tokens
from ..gold import resolve
from ..workload import Workload
from .closure import ClosureRule
from .paths import PathTaken, native_path, sparse_path
from .scores import RememberingScorer

if TYPE_CHECKING:
    from ...documents import Document
    from ...gate.signal_options import SignalOptions
    from ..gold import Gold
    from ..requests import Request

SUFFIX = ".outcome"
EVIDENCE_RECALL = "evidence recall"
SAID_BY_REQUEST = frozenset(
    ("request", "scenario", "artifact", "document", "answerable", "split", "turn", "label", "advisory_sparse")
)
"""Columns that ``described`` adds to what is remembered."""

_log = logging.getLogger("workbench")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """A request without an outcome, and why, in one sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Task:
    """One request to replay: its place in the workload, and the key of its outcome."""

    index: int
    request: Request
    key: str | None


@dataclass(frozen=True, eq=False)
class _Opened:
    """What is made once a document."""

    document: Document
    preview: Preview
    preview_tokens: int
    tokens: npt.NDArray[np.int64]
    rule: ClosureRule
    seconds: float


class Replayer:
    """Replays requests in this process.

    Parameters
    ----------
    workload : Workload
    reader : SparseReader
    options : SignalOptions
    cache : bool
        Whether scores and outcomes are remembered.
    """

    def __init__(self, workload: Workload, reader: SparseReader, options: SignalOptions, *, cache: bool) -> None:
        self.workload = workload
        self.reader = remembering(reader) if cache else reader
        self.options = options
        self.folder = CacheFolder(SUFFIX) if cache else None

    def outcomes(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Row | Failed]]:
        """Replay requests on one document, and give each outcome as soon as it is there and stored."""
        opened: _Opened | None = None
        for task in tasks:
            try:
                if opened is None:
                    opened = self._opened(task.request)
                row = self._row(task.request, opened)
            except WorkbenchError as error:
                yield task, Failed(str(error))
            except Exception as error:
                _log.warning("request %s could not be replayed", task.request.id, exc_info=True)
                yield task, Failed(f"It met an error that was not foreseen ({type(error).__name__}: {error!s:.200}).")
            else:
                if self.folder is not None and task.key is not None:
                    self.folder.store(task.key, json.dumps(row).encode("ascii"))
                yield task, row

    def remember_scores(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Row | Failed]]:
        """Score the blocks for requests on one document, so that they are remembered; the rows are empty."""
        document: Document | None = None
        for task in tasks:
            try:
                document = document or self.workload.open(task.request, progress=False)
                intent = intent_for(task.request)
                self.reader.scorer.score(document, intent.question, scope=intent.scope, progress=False)
            except WorkbenchError as error:
                yield task, Failed(str(error))
            else:
                yield task, {}

    def _opened(self, request: Request) -> _Opened:
        document = self.workload.open(request, progress=False)
        started = time.perf_counter()
        preview = preview_of(document)
        tokenizer = self.reader.tokenizer
        preview_tokens = int(tokenizer.count([preview.text])[0])
        rule = ClosureRule(document, preview)
        tokens = block_tokens(document, tokenizer)
        return _Opened(document, preview, preview_tokens, tokens, rule, time.perf_counter() - started)

    def _row(self, request: Request, opened: _Opened) -> Row:
        intent = intent_for(request)
        intents = [*(intent_of(turn.strip()) for turn in request.turns), intent]
        exchange = self.options.exchange
        questions = self.reader.tokenizer.count([found.question for found in intents]).tolist()
        native = native_path(opened.tokens, questions, exchange)
        sparse = sparse_path(
            self.reader,
            opened.document,
            intents,
            exchange,
            preview_tokens=opened.preview_tokens,
            tokens=opened.tokens,
            rule=opened.rule,
        )
        gold = resolve(request, opened.document)
        before_read = self._signals(opened.preview, intent, follow_up=bool(request.turns))
        judged = _judged(request, gold, native, sparse, opened.tokens)
        preview = opened.preview
        return {
            "document_type": preview.document_type,
            "format": preview.format,
            "language": preview.language,
            "scope": intent.scope.value,
            "action": intent.action.value,
            "artifact_bytes": int(preview.size_bytes),
            "tokens_artifact": int(opened.tokens.sum()),
            "tokens_preview": opened.preview_tokens,
            **before_read,
            "tokens_native": native.tokens(exchange),
            "tokens_sparse": sparse.tokens(exchange),
            "tokens_kept": int(opened.tokens[sparse.kept].sum()),
            "rounds": sparse.rounds,
            "fell_back": sparse.fell_back,
            **judged,
            "seconds_native": native.seconds,
            "seconds_sparse": opened.seconds + sparse.seconds,
            "reasons": " ".join([*before_read["reasons"], *sparse.reasons, *judged["reasons"]]),
            "observations": _observations(native, sparse),
        }

    def _signals(self, preview: Preview, intent: Intent, *, follow_up: bool) -> Row:
        found = signals(preview, intent, self.options, prepared=follow_up)
        constraint = constraint_of(preview, intent, self.options)
        s, c, r = found.as_array().tolist()
        reasons = [] if constraint is None else [f"Native by the constraint {constraint.name}: {constraint.reason}"]
        return {
            "s": s,
            "c": c,
            "r": r,
            "constraint": "" if constraint is None else str(constraint.name),
            "reasons": reasons,
        }


def remembering(reader: SparseReader) -> SparseReader:
    """Return a reader that decides alike, and whose scores are remembered on disk."""
    if isinstance(reader.scorer, RememberingScorer):
        return reader
    return altered(reader, scorer=RememberingScorer(reader.scorer))


def intent_for(request: Request) -> Intent:
    """Return what a request wants: as it says, else as its words do."""
    return intent_of(request.question.strip(), scope=request.scope, action=request.action)


def described(request: Request, row: Row, advisory_share: float) -> Row:
    """Return an outcome with what only the request says."""
    return {
        **row,
        "request": request.id,
        "scenario": request.scenario,
        "artifact": request.artifact,
        "document": request.document_key,
        "answerable": request.answerable,
        "split": request.split,
        "turn": 1 + len(request.turns),
        "label": request.label,
        "advisory_sparse": advisory_share,
    }


def _judged(request: Request, gold: Gold, native: PathTaken, sparse: PathTaken, tokens: npt.NDArray[np.int64]) -> Row:
    """Return recall and quality of both paths; without evidence to find both are as good as can be."""
    recalls = [float(gold.recall(path.seen, tokens)) for path in (native, sparse)]
    lost = len(gold.unresolved)
    reasons = []
    if lost and not math.isnan(recalls[0]):
        verb = "stands" if lost == 1 else "stand"
        reasons.append(f"{lost} of {counted(len(request.evidence), 'piece')} of evidence {verb} nowhere in it.")
    if math.isnan(recalls[0]):
        if not request.answerable:
            reasons.append("It is not answerable, so there is no evidence to find.")
        elif not request.evidence:
            reasons.append("It names no evidence to find.")
        else:
            reasons.append("None of its evidence stands in the document, so there is none to find.")
    qualities = [1.0 if math.isnan(recall) else recall for recall in recalls]
    return {
        "recall_native": recalls[0],
        "recall_sparse": recalls[1],
        "quality_native": qualities[0],
        "quality_sparse": qualities[1],
        "quality_kind": EVIDENCE_RECALL,
        "evidence": len(request.evidence),
        "evidence_unresolved": lost,
        "reasons": reasons,
    }


def _observations(native: PathTaken, sparse: PathTaken) -> str:
    found: Row = {"question_tokens": sparse.question_tokens}
    for name, path in (("native", native), ("sparse", sparse)):
        found |= {name: list(path.observations), f"before_{name}": path.before}
    return json.dumps(found, sort_keys=True)
