"""The two paths of one request: the whole artifact at once, or a sparse read in rounds (algorithm 1 of the seed).

Neither path knows the gold evidence: what ends a sparse read is decided by what the agent can see (``closure``). What a
path costs is the sum over all of its model calls, each of which reads again what was observed before it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ...gate.exchange import Exchange
from ...printing import counted
from ...reading import Reading, Session, SparseReader, Status, TokenShare
from ...reading.coverage import coverage_line
from ...reading.rendering import render
from .closure import ClosureRule, Mask

if TYPE_CHECKING:
    from ...documents import Document
    from ...gate.intent import Intent


@dataclass(frozen=True, eq=False)
class PathTaken:
    """What happened on one path of a request.

    Attributes
    ----------
    question_tokens : int
    before : int
        Tokens of earlier turns of the dialogue that are in the context when the question is asked; 0 for a first turn.
    observations : tuple of int
        Tokens of what each call of a tool returned for this question, in order.
    seen : ndarray of bool, shape (n,)
        Blocks that the agent has seen when it answers.
    kept : ndarray of bool, shape (n,)
        Blocks that sparse reads have shown; none on the native path.
    rounds : int
        Sparse reads for this question.
    fell_back : bool
        Whether the whole artifact was sent after all.
    seconds : float
        That the workbench took for it, without opening the artifact.
    reasons : tuple of str
        What ended each round, a sentence each.
    """

    question_tokens: int
    before: int
    observations: tuple[int, ...]
    seen: Mask
    kept: Mask
    rounds: int = 0
    fell_back: bool = False
    seconds: float = 0.0
    reasons: tuple[str, ...] = ()

    def tokens(self, exchange: Exchange) -> float:
        """Return the tokens that go into the model over all calls for this question.

        For a first turn it is ``exchange.tokens(question_tokens, observations)``. What earlier turns left in the
        context was in the call before, and costs ``resent_share`` from the first call on.
        """
        total = exchange.tokens(self.question_tokens + self.before, self.observations)
        known = exchange.prompt_tokens + self.before if self.before else 0
        return total - (1.0 - exchange.resent_share) * known


def native_path(
    tokens: npt.NDArray[np.int64], questions: Sequence[int], exchange: Exchange, *, started: float | None = None
) -> PathTaken:
    """Return what a native read of a document does.

    Parameters
    ----------
    tokens : ndarray of int64, shape (n,)
        Of the document's blocks.
    questions : sequence of int
        Tokens of the questions of the dialogue, the one that is counted last. After the first one the artifact is in
        the context already.
    exchange : Exchange
        Its ``context_tokens`` cap what of the artifact is seen: a block beyond them, or cut by them, is not.
    started : float, optional
        When it began, by ``time.perf_counter``.
    """
    started = time.perf_counter() if started is None else started
    seen, shown = whole_artifact(tokens, exchange)
    *earlier, last = questions
    before = sum(earlier) + exchange.call_tokens + shown if earlier else 0
    nothing = np.zeros(len(tokens), bool)
    return PathTaken(last, before, () if earlier else (shown,), seen, nothing, seconds=time.perf_counter() - started)


def whole_artifact(tokens: npt.NDArray[np.int64], exchange: Exchange) -> tuple[Mask, int]:
    """Return which blocks fit in a native observation, and its tokens."""
    total = int(tokens.sum())
    if exchange.context_tokens is None:
        return np.ones(len(tokens), bool), total
    return np.cumsum(tokens) <= exchange.context_tokens, min(total, exchange.context_tokens)


def sparse_path(
    reader: SparseReader,
    document: Document,
    intents: Sequence[Intent],
    exchange: Exchange,
    *,
    preview_tokens: int,
    tokens: npt.NDArray[np.int64],
    rule: ClosureRule,
) -> PathTaken:
    """Return what a sparse read of a document does.

    Parameters
    ----------
    reader : SparseReader
    document : Document
    intents : sequence of Intent
        Of the questions of the dialogue; only the last one is counted.
    exchange : Exchange
    preview_tokens : int
        What the first observation of the dialogue costs.
    tokens : ndarray of int64, shape (n,)
        Of the document's blocks, by the reader's tokenizer.
    rule : ClosureRule
    """
    dialogue = _Dialogue(reader, document, exchange, preview_tokens, tokens, rule, several=len(intents) > 1)
    *earlier, last = intents
    for intent in earlier:
        dialogue.go_on(dialogue.turn(intent))
    return dialogue.turn(last)


@dataclass(eq=False)
class _Dialogue:
    """What an agent has in its context while it asks one question after the other."""

    reader: SparseReader
    document: Document
    exchange: Exchange
    preview_tokens: int
    tokens: npt.NDArray[np.int64]
    rule: ClosureRule
    several: bool
    session: Session | None = field(init=False)
    kept: Mask = field(init=False)
    before: int = 0
    turns: int = 0
    has_all: bool = False

    def __post_init__(self) -> None:
        self.session = Session("replay", "dialogue") if self.several else None
        self.kept = np.zeros(len(self.tokens), bool)

    def go_on(self, path: PathTaken) -> None:
        """Take what one turn has left in the context to the next one."""
        self.before += path.question_tokens + sum(self.exchange.call_tokens + found for found in path.observations)
        self.kept = path.kept
        self.has_all = path.fell_back
        self.turns += 1

    def turn(self, intent: Intent) -> PathTaken:
        """Read for one question until its read is closed, or fall back to the whole artifact."""
        started = time.perf_counter()
        question_tokens = int(self.reader.tokenizer.count([intent.question])[0])
        if self.has_all:
            seen = self.kept | whole_artifact(self.tokens, self.exchange)[0]
            why = ("An earlier turn fell back, so the whole artifact is in the context already.",)
            return PathTaken(question_tokens, self.before, (), seen, self.kept, fell_back=True, reasons=why)
        read = _Rounds(self, intent)
        closed = read.run()
        seen, observations = read.kept, read.observations
        if not closed:
            everything, shown = whole_artifact(self.tokens, self.exchange)
            seen, observations = seen | everything, [*observations, shown]
        return PathTaken(
            question_tokens,
            self.before,
            tuple(observations),
            seen,
            read.kept,
            rounds=read.rounds,
            fell_back=not closed,
            seconds=time.perf_counter() - started,
            reasons=tuple(read.reasons),
        )


class _Rounds:
    """The rounds of a sparse read for one question."""

    def __init__(self, dialogue: _Dialogue, intent: Intent) -> None:
        self._dialogue = dialogue
        self._intent = intent
        self.kept: Mask = dialogue.kept.copy()
        self.chosen: Mask = np.zeros_like(self.kept)
        self.observations: list[int] = [] if dialogue.turns else [dialogue.preview_tokens]
        self.rounds = 0
        self.reasons: list[str] = []

    def run(self) -> bool:
        """Read until it is closed; False where the whole artifact must be read after all."""
        of = self._dialogue
        reading = of.reader.read(
            of.document, self._intent.question, session=of.session, scope=self._intent.scope, progress=False
        )
        self._observe(reading, reading.saving.rendered_tokens)
        # Pinned blocks are kept whatever is asked: a reading of them alone has found nothing.
        if not reading.decision.passed:
            return self._ended(False, "nothing passed the cut, so that the read is of no use")
        while True:
            found = of.rule.judge(self._intent, self.kept, self.chosen)
            if found.closed:
                return self._ended(True, found.reason)
            if self.rounds >= of.exchange.max_rounds:
                return self._ended(False, f"{found.reason}, and no round is left")
            self._note(found.reason)
            reading = self._wider(reading)
            new = _shown(reading) & ~self.kept
            self._observe(reading, _tokens_of(reading, new))
            if not new.any():
                return self._ended(False, "it added nothing")

    def _observe(self, reading: Reading, tokens: int) -> None:
        shown = _shown(reading)
        self.rounds += 1
        self.observations.append(tokens)
        self.kept |= shown
        self.chosen |= shown & ((reading.status == Status.KEPT) | (reading.status == Status.PINNED))

    def _wider(self, reading: Reading) -> Reading:
        """Return the reading that keeps ``growth`` times the tokens that were kept so far."""
        tokens = self._dialogue.tokens
        wanted = self._dialogue.exchange.growth * int(tokens[self.kept].sum())
        share = min(1.0, wanted / total) if (total := int(tokens.sum())) and wanted else 1.0
        return reading.with_focus(None).with_token_share(TokenShare(share, min_tokens=0))

    def _note(self, why: str) -> None:
        kept = int(self._dialogue.tokens[self.kept].sum())
        self.reasons.append(f"Round {self.rounds}, {counted(kept, 'token')} kept: {why}.")

    def _ended(self, closed: bool, why: str) -> bool:
        self._note(why)
        if not closed:
            self.reasons.append("The whole artifact was read after all.")
        return closed


def _shown(reading: Reading) -> Mask:
    """Return the blocks that a reading shows, at least half of each: a follow-up keeps sentences."""
    found: Mask = reading.decision.kept & (2 * reading.decision.costs >= reading.decision.tokens)
    return found


def _tokens_of(reading: Reading, blocks: Mask) -> int:
    """Return the tokens of a kept text that holds only some of the kept blocks, below its coverage line."""
    status = np.where(blocks, reading.status, np.uint8(Status.SKIPPED)).astype(np.uint8)
    decision = replace(reading.decision, status=status)
    text = render(reading.document, decision, coverage_line(reading.document, reading.decision)).text
    return int(reading.basis.tokenizer.count([text])[0])
